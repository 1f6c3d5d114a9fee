//! Tests of the engine on a real Vulkan device (lavapipe where there is no GPU). They
//! pass with a note when there is no device at all; with CALDERA_VALIDATION=1 each one
//! also demands that the validation layer was silent.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use crate::os::memory::{Access, HostMemory, Pages};
use crate::runtime::command::Command;
use crate::runtime::gpu::device::Device;
use crate::runtime::launch::argument::ArgValue;
use crate::runtime::launch::plan::NdRange;
use crate::runtime::memory::buffer::{Buffer, Placement};
use crate::runtime::memory::layout::Layout;
use crate::runtime::memory::mapping::MapFlags;
use crate::runtime::submit::event::{Event, Status};
use crate::runtime::submit::queue::{Completion, QueueProperties};
use crate::runtime::support::error::ClError;
use crate::runtime::tests::testing::*;
use crate::vk::placed::By;

/// The pages of the host's choice are the device's memory, and are free afterwards.
#[test]
fn host_memory_is_where_it_is_placed() {
    on_device(|device| {
        if device.caps().placed_align == 0 {
            eprintln!("SKIPPED: the driver does not map memory where it is told to");
        } else {
            is_placed(device, By::Driver);
        }
        is_placed(device, By::Host);
    });
}

fn is_placed(device: &Arc<Device>, by: By) {
    let queue = queue(device, IN_ORDER);
    for size in [128usize, 70_000, 3_000_001] {
        let place = Mutex::new(0);
        let reserve = |_, bytes| {
            let pages = Pages::new(bytes as usize)?;
            *place.lock().unwrap() = pages.memory().as_ptr() as usize;
            Some(pages)
        };
        let placed = Buffer::placed(device, size as u64, by, reserve).unwrap();
        let place = *place.lock().unwrap();
        assert_eq!(placed.host_address(device), Some(place));
        let data = pattern(size);
        write(&queue, &placed, 0, &data);
        // By the device, to memory of its own and back.
        let other = buffer(device, size as u64);
        let there = event(
            &queue,
            Command::copy(&placed, 0, &other, 0, size as u64),
            &[],
        );
        wait(&[&there]).unwrap();
        assert!(read(&queue, &other, 0, size) == data, "{size}");
        write(&queue, &other, 0, &data[1..]);
        let back = event(
            &queue,
            Command::copy(&other, 0, &placed, 0, size as u64 - 1),
            &[],
        );
        wait(&[&back]).unwrap();
        assert!(read(&queue, &placed, 0, size - 1) == data[1..], "{size}");
        drop((there, back, placed));
        assert!(Pages::at(place, 4096, Access::All).is_some());
    }
}

#[test]
fn bytes_come_back() {
    on_device(|device| {
        for properties in [IN_ORDER, OUT_OF_ORDER] {
            let queue = queue(device, properties);
            // Sizes on both sides of every staging threshold.
            for size in [1usize, 3, 4096, 70_000, 1_500_001, 20_000_003] {
                let data = pattern(size);
                let a = buffer(device, size as u64 + 5);
                write(&queue, &a, 5, &data);
                assert!(read(&queue, &a, 5, size) == data, "{size}");
                let b = buffer(device, size as u64);
                let copied = event(&queue, Command::copy(&a, 5, &b, 0, size as u64), &[]);
                wait(&[&copied]).unwrap();
                assert!(read(&queue, &b, 0, size) == data, "copy of {size}");
            }
        }
    });
}

#[test]
fn asynchronous_transfers_keep_their_order() {
    on_device(|device| {
        let queue = queue(device, IN_ORDER);
        let size = 12_000_000;
        let a = buffer(device, size as u64);
        let (mut first, mut second) = (pattern(size), vec![0x55u8; 1000]);
        let mut back = vec![0u8; size];
        let (f, s, b) = (&mut first, &mut second, &mut back);
        HostMemory::with(f, |first| {
            HostMemory::with(s, |second| {
                HostMemory::with(b, |back| {
                    // A job, a staged write behind it, a job behind that.
                    go(&queue, Command::write(first, &a, 0));
                    go(&queue, Command::write(second, &a, 500));
                    go(&queue, Command::read(&a, 0, back));
                    queue.finish().unwrap();
                });
            });
        });
        first[500..1500].fill(0x55);
        assert!(first == back);
    });
}

#[test]
fn rectangles() {
    on_device(|device| {
        let queue = queue(device, IN_ORDER);
        let a = buffer(device, 1024);
        write(&queue, &a, 0, &[0; 1024]);
        let at = |offset, row_pitch, slice_pitch| Layout {
            offset,
            row_pitch,
            slice_pitch,
        };
        let mut source = pattern(256);
        let extent = [5, 3, 2];
        HostMemory::with(&mut source, |src| {
            let command = Command::Write {
                src,
                src_at: at(2, 16, 64),
                dst: a.clone(),
                dst_at: at(100, 32, 256),
                extent,
            };
            queue
                .enqueue(command, Vec::new(), Completion::Blocking)
                .unwrap();
        });
        let b = buffer(device, 1024);
        write(&queue, &b, 0, &[0; 1024]);
        go(
            &queue,
            Command::Copy {
                src: a.clone(),
                src_at: at(100, 32, 256),
                dst: b.clone(),
                dst_at: at(7, 5, 100),
                extent,
            },
        );
        let mut expected = vec![0u8; 1024];
        let mut expected_b = vec![0u8; 1024];
        for z in 0..2 {
            for y in 0..3 {
                for x in 0..5 {
                    let value = source[2 + x + y * 16 + z * 64];
                    expected[100 + x + y * 32 + z * 256] = value;
                    expected_b[7 + x + y * 5 + z * 100] = value;
                }
            }
        }
        assert_eq!(read(&queue, &a, 0, 1024), expected);
        assert_eq!(read(&queue, &b, 0, 1024), expected_b);
    });
}

#[test]
fn fills_of_every_pattern_size() {
    on_device(|device| {
        let queue = queue(device, IN_ORDER);
        let size = 300_000;
        let a = buffer(device, size as u64);
        for n in [1usize, 2, 4, 8, 16, 32, 64, 128] {
            write(&queue, &a, 0, &vec![0; size]);
            let bytes: Vec<u8> = (0..n as u8).map(|i| i + 1).collect();
            // From an odd multiple of the pattern, to shortly before the end.
            let (start, count) = (3 * n, (size - 7 * n) / n - 3);
            go(
                &queue,
                Command::fill(&a, bytes.clone(), start as u64, (count * n) as u64),
            );
            let mut expected = vec![0; size];
            expected[start..start + count * n].copy_from_slice(
                &bytes
                    .iter()
                    .copied()
                    .cycle()
                    .take(count * n)
                    .collect::<Vec<_>>(),
            );
            assert!(read(&queue, &a, 0, size) == expected, "pattern of {n}");
        }
        // Shorter than a word, inside one word.
        write(&queue, &a, 0, &[0; 8]);
        go(&queue, Command::fill(&a, vec![9], 1, 2));
        assert_eq!(read(&queue, &a, 0, 8), [0, 9, 9, 0, 0, 0, 0, 0]);
    });
}

#[test]
fn dependent_kernels_in_order() {
    on_device(|device| {
        let queue = queue(device, IN_ORDER);
        let kernel = scale(device);
        let n = 1000u32;
        let (a, b) = (buffer(device, 4 * 1024), buffer(device, 4 * 1024));
        write(&queue, &a, 0, &bytes(0..n));
        for _ in 0..5 {
            go(&queue, launch(&kernel, &b, &a, 1, u64::from(n), None));
            go(&queue, launch(&kernel, &a, &b, 0, u64::from(n), Some(64)));
        }
        let got = words(&read(&queue, &a, 0, 4 * n as usize));
        let expected: Vec<u32> = (0..n)
            .map(|i| (0..5).fold(i, |v, _| (v * 2 + 1) * 2))
            .collect();
        assert_eq!(got, expected);
    });
}

#[test]
fn many_launches_and_large_grids() {
    on_device(|device| {
        let queue = queue(device, IN_ORDER);
        let kernel = scale(device);
        let a = buffer(device, 4 << 20);
        let one = buffer(device, 4);
        write(&queue, &one, 0, &bytes([1]));
        for i in 0..3000u32 {
            let part = Buffer::sub_buffer(&a, u64::from(i) * 1024, 4);
            go(&queue, launch(&kernel, &part, &one, i, 1, Some(1)));
        }
        queue.finish().unwrap();
        let got = words(&read(&queue, &a, 0, 3000 * 1024));
        assert!((0..3000).all(|i| got[i * 256] == 2 + i as u32));

        // More groups than one dispatch may have.
        let n = 200_000u32;
        let (x, y) = (buffer(device, 4 << 20), buffer(device, 4 << 20));
        write(&queue, &x, 0, &bytes(0..n));
        go(&queue, launch(&kernel, &y, &x, 7, u64::from(n), Some(1)));
        let got = words(&read(&queue, &y, 0, 4 * n as usize));
        assert!(got.iter().zip(0..n).all(|(&g, i)| g == 2 * i + 7));
    });
}

#[test]
fn out_of_order_obeys_events_and_barriers() {
    on_device(|device| {
        let queue = queue(device, OUT_OF_ORDER);
        let kernel = scale(device);
        let n = 4096;
        let bufs: Vec<_> = (0..4).map(|_| buffer(device, 4 * n)).collect();
        let mut data = bytes(0..n as u32);
        HostMemory::with(&mut data, |host| {
            let e0 = event(&queue, Command::write(host, &bufs[0], 0), &[]);
            let e1 = event(
                &queue,
                launch(&kernel, &bufs[1], &bufs[0], 1, n, None),
                &[&e0],
            );
            let e2 = event(
                &queue,
                launch(&kernel, &bufs[2], &bufs[1], 1, n, None),
                &[&e1],
            );
            go(&queue, Command::Barrier);
            let e3 = event(&queue, launch(&kernel, &bufs[3], &bufs[2], 1, n, None), &[]);
            wait(&[&e2, &e3]).unwrap();
        });
        let got = words(&read(&queue, &bufs[3], 0, 4 * n as usize));
        assert!(got.iter().zip(0u32..).all(|(&g, i)| g == 8 * i + 7));
    });
}

#[test]
fn user_events_hold_commands_back() {
    on_device(|device| {
        for properties in [IN_ORDER, OUT_OF_ORDER] {
            let (q, other) = (queue(device, properties), queue(device, IN_ORDER));
            let a = buffer(device, 16);
            write(&q, &a, 0, &[0; 16]);
            let gate = Event::user();
            let fill = |value| Command::fill(&a, vec![value], 0, 16);
            let first = event(&q, fill(1), &[&gate]);
            // Behind it in the queue, and in another queue.
            let second = event(&q, fill(2), &[&first]);
            let third = event(&other, fill(3), &[&second]);
            q.flush().unwrap();
            other.flush().unwrap();
            std::thread::sleep(Duration::from_millis(5));
            assert_eq!(first.status(), Status::Queued);
            assert_eq!(third.status(), Status::Queued);
            assert_eq!(read(&queue(device, IN_ORDER), &a, 0, 16), [0; 16]);
            gate.set_user_status(Ok(())).unwrap();
            assert_eq!(
                gate.set_user_status(Ok(())),
                Err(ClError::INVALID_OPERATION)
            );
            wait(&[&third]).unwrap();
            assert_eq!(second.status(), Status::Complete);
            assert_eq!(read(&q, &a, 0, 16), [3; 16]);
        }
    });
}

#[test]
fn a_failed_event_fails_what_waits_for_it() {
    on_device(|device| {
        let q = queue(device, IN_ORDER);
        let a = buffer(device, 16);
        let gate = Event::user();
        let copy = event(&q, Command::copy(&a, 0, &a, 8, 8), &[&gate]);
        gate.set_user_status(Err(ClError::OUT_OF_HOST_MEMORY))
            .unwrap();
        let failed = ClError::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        assert_eq!(wait(&[&copy]), Err(failed));
        assert_eq!(copy.status(), Status::Failed(failed));
        let blocked = q.enqueue(Command::Marker, vec![gate], Completion::Blocking);
        assert_eq!(blocked.err(), Some(failed));
        q.finish().unwrap();
    });
}

#[test]
fn callbacks_and_native_functions() {
    on_device(|device| {
        let q = queue(device, IN_ORDER);
        let a = buffer(device, 4);
        let gate = Event::user();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (sender, done) = mpsc::channel();
        let fill = Command::fill(&a, vec![5], 0, 4);
        let filled = event(&q, fill, &[&gate]);
        for at in [Status::Submitted, Status::Running, Status::Complete] {
            let (log, sender) = (log.clone(), sender.clone());
            filled.on_status(
                at,
                Box::new(move |status| {
                    log.lock().unwrap().push(status);
                    sender.send(()).unwrap();
                }),
            );
        }
        let ran = Arc::new(AtomicU32::new(0));
        let native = ran.clone();
        let function = move || {
            native.store(1, Ordering::SeqCst);
            Ok(())
        };
        let called = event(&q, Command::Native(Box::new(function), Vec::new()), &[]);
        assert_eq!(ran.load(Ordering::SeqCst), 0);
        gate.set_user_status(Ok(())).unwrap();
        wait(&[&called]).unwrap();
        assert_eq!(ran.load(Ordering::SeqCst), 1);
        for _ in 0..3 {
            done.recv_timeout(Duration::from_secs(10)).unwrap();
        }
        assert_eq!(
            *log.lock().unwrap(),
            [Status::Submitted, Status::Running, Status::Complete]
        );
        // Too late is not too late.
        let (sender, done) = mpsc::channel();
        filled.on_status(Status::Complete, Box::new(move |s| sender.send(s).unwrap()));
        let status = done.recv_timeout(Duration::from_secs(10)).unwrap();
        assert_eq!(status, Status::Complete);
    });
}

#[test]
fn callbacks_come_without_anybody_waiting() {
    on_device(|device| {
        let q = queue(device, IN_ORDER);
        let kernel = scale(device);
        let (a, b) = (buffer(device, 4096), buffer(device, 4096));
        for _ in 0..3 {
            let (sender, done) = mpsc::channel();
            let e = event(&q, launch(&kernel, &a, &b, 0, 1024, None), &[]);
            q.flush().unwrap();
            e.on_status(Status::Complete, Box::new(move |s| sender.send(s).unwrap()));
            let status = done.recv_timeout(Duration::from_secs(10)).unwrap();
            assert_eq!(status, Status::Complete);
            // Long enough for the queue's thread to park in between.
            std::thread::sleep(Duration::from_millis(150));
        }
    });
}

/// The application waits for a read while more is to be done: the next such read is in a batch before that.
#[test]
fn batches_end_at_reads_that_are_waited_for() {
    on_device(|device| {
        let q = queue(device, IN_ORDER);
        let kernel = scale(device);
        let (a, b) = (buffer(device, 4 << 20), buffer(device, 4 << 20));
        let mut host = [0u8; 16];
        HostMemory::with(&mut host, |host| {
            let round = || {
                // While the device works on two batches the rest stays together.
                for _ in 0..3 {
                    go(&q, launch(&kernel, &a, &b, 0, 1 << 20, None));
                    q.flush().unwrap();
                }
                let read = event(&q, Command::read(&a, 0, host), &[]);
                let behind = event(&q, launch(&kernel, &b, &a, 0, 1024, None), &[]);
                let together = read.batch().is_some() && read.batch() == behind.batch();
                wait(&[&read]).unwrap();
                together
            };
            if (0..50).any(|_| round()) {
                assert!(!round());
            } else {
                eprintln!("SKIPPED: the device is too fast to be busy");
            }
        });
    });
}

#[test]
fn queues_wait_for_each_other() {
    on_device(|device| {
        let queues: Vec<_> = (0..3).map(|_| queue(device, IN_ORDER)).collect();
        let kernel = scale(device);
        let (a, b) = (buffer(device, 4096), buffer(device, 4096));
        write(&queues[0], &a, 0, &bytes(0..1024));
        let mut last: Vec<Arc<Event>> = Vec::new();
        for i in 0..30 {
            let (from, to) = if i % 2 == 0 { (&a, &b) } else { (&b, &a) };
            let command = launch(&kernel, to, from, 1, 1024, None);
            let waits: Vec<_> = last.iter().collect();
            last = vec![event(&queues[i % 3], command, &waits)];
        }
        Event::wait_all(&last).unwrap();
        let got = words(&read(&queues[0], &a, 0, 4096));
        let expected = |i: u32| (0..30).fold(i, |v, _| v.wrapping_mul(2).wrapping_add(1));
        assert!(got.iter().zip(0..).all(|(&g, i)| g == expected(i)));
    });
}

#[test]
fn profiling_times_are_ordered() {
    on_device(|device| {
        let q = queue(
            device,
            QueueProperties {
                out_of_order: false,
                profiling: true,
                ..QueueProperties::default()
            },
        );
        let kernel = scale(device);
        let (a, b) = (buffer(device, 4 << 20), buffer(device, 4 << 20));
        let before = crate::os::time::monotonic_ns();
        let mut events = Vec::new();
        for _ in 0..100 {
            events.push(event(&q, launch(&kernel, &a, &b, 0, 1 << 18, None), &[]));
            events.push(event(&q, Command::Marker, &[]));
        }
        assert_eq!(
            events[199].profile(),
            Err(ClError::PROFILING_INFO_NOT_AVAILABLE)
        );
        q.finish().unwrap();
        let after = crate::os::time::monotonic_ns();
        let mut end = before;
        for event in &events {
            let p = event.profile().unwrap();
            assert!(before <= p.queued && p.queued <= p.submit, "{p:?}");
            assert!(p.submit <= p.start && p.start <= p.end, "{p:?}");
            // The clocks agree to within what calibration promises at worst.
            assert!(p.end <= after + 1_000_000, "{p:?} after {after}");
            assert!(p.end + 1_000_000 >= end);
            end = p.end;
        }
        assert_eq!(
            Event::user().profile(),
            Err(ClError::PROFILING_INFO_NOT_AVAILABLE)
        );
    });
}

/// Also of transfers that the host does, whether the queue is idle or has something that is not submitted.
#[test]
fn transfers_take_time() {
    on_device(|device| {
        let properties = QueueProperties {
            out_of_order: false,
            profiling: true,
            ..QueueProperties::default()
        };
        let q = queue(device, properties);
        let a = buffer(device, 1 << 20);
        let mut bytes = pattern(1 << 20);
        for marker in [false, true] {
            if marker {
                event(&q, Command::Marker, &[]);
            }
            let written = HostMemory::with(&mut bytes, |host| {
                let written = event(&q, Command::write(host, &a, 0), &[]);
                q.finish().unwrap();
                written
            });
            let p = written.profile().unwrap();
            assert!(p.queued <= p.submit && p.submit <= p.start, "{p:?}");
            assert!(p.start < p.end, "{p:?}");
        }
    });
}

#[test]
fn mappings() {
    on_device(|device| {
        let q = queue(device, IN_ORDER);
        let mut host = pattern(10_000);
        let original = host.clone();
        HostMemory::with(&mut host, |host| {
            let devices = std::slice::from_ref(device);
            for placement in [
                Placement::Default,
                Placement::HostAlloc,
                Placement::HostPtr(host),
            ] {
                let init = (!matches!(placement, Placement::HostPtr(_))).then_some(host);
                let a = Buffer::new(devices, 10_000, placement, init).unwrap();
                let flags = |read, write, invalidate| MapFlags {
                    read,
                    write,
                    invalidate,
                };
                let m = a
                    .map(
                        device,
                        flags(true, true, false),
                        Layout::linear(100),
                        [50, 1, 1],
                    )
                    .unwrap();
                assert_eq!(a.map_count(), 1);
                if let Placement::HostPtr(host) = placement {
                    assert_eq!(m.host.as_ptr(), host.slice(100, 50).as_ptr());
                }
                let mapped = q.enqueue(Command::Map(m.clone()), Vec::new(), Completion::Blocking);
                mapped.unwrap();
                let mut seen = [0u8; 50];
                m.host.read(0, &mut seen);
                assert_eq!(seen, original[100..150]);
                m.host.write(10, &[1, 2, 3]);
                let wrong = a.unmap(device, m.host.as_ptr().wrapping_add(1));
                assert_eq!(wrong.err(), Some(ClError::INVALID_VALUE));
                let ended = a.unmap(device, m.host.as_ptr()).unwrap();
                assert_eq!(a.map_count(), 0);
                go(&q, Command::Unmap(ended));
                let b = buffer(device, 10_000);
                go(&q, Command::copy(&a, 0, &b, 0, 10_000));
                let mut expected = original.clone();
                expected[110..113].copy_from_slice(&[1, 2, 3]);
                assert!(read(&q, &b, 0, 10_000) == expected, "{placement:?}");
                write(&q, &a, 110, &original[110..113]);
                q.finish().unwrap();
            }
        });
    });
}

#[test]
fn destructor_callbacks_run_backwards_after_the_last_use() {
    on_device(|device| {
        let q = queue(device, IN_ORDER);
        let (sender, order) = mpsc::channel();
        let a = buffer(device, 64);
        for i in 0..3 {
            let sender = sender.clone();
            a.on_destroy(Box::new(move || sender.send(i).unwrap()));
        }
        let gate = Event::user();
        let b = buffer(device, 64);
        let copied = event(&q, Command::copy(&a, 0, &b, 0, 64), &[&gate]);
        drop(a);
        let early = order.recv_timeout(Duration::from_millis(20));
        assert_eq!(early, Err(mpsc::RecvTimeoutError::Timeout));
        gate.set_user_status(Ok(())).unwrap();
        wait(&[&copied]).unwrap();
        let second = Duration::from_secs(10);
        let got: Vec<i32> = (0..3)
            .map(|_| order.recv_timeout(second).unwrap())
            .collect();
        assert_eq!(got, [2, 1, 0]);
    });
}

#[test]
fn module_data_knows_its_address() {
    on_device(|device| {
        let q = queue(device, IN_ORDER);
        let mut data = vec![0u8; 32];
        data[8] = 24;
        let a = Buffer::module_data(device, &data, &[8]).unwrap();
        let got = words(&read(&q, &a, 0, 32));
        let address = u64::from(got[2]) | u64::from(got[3]) << 32;
        assert_eq!(address, a.address(device).unwrap() + 24);
        assert_eq!((got[0], got[1]), (0, 0));
    });
}

#[test]
fn launches_are_checked() {
    on_device(|device| {
        let kernel = scale(device);
        let a = buffer(device, 64);
        let range = |local| NdRange {
            dims: 1,
            offset: [0; 3],
            global: [16, 1, 1],
            local: Some([local, 1, 1]),
        };
        let good = [
            ArgValue::buffer(&a),
            ArgValue::Null,
            ArgValue::bytes(&[0; 4]),
        ];
        assert!(kernel.launch(&good, &range(16), None).is_ok());
        let mut unset = good.clone();
        unset[1] = ArgValue::Unset;
        let error = |args: &[ArgValue; 3], local| kernel.launch(args, &range(local), None).err();
        assert_eq!(error(&unset, 1), Some(ClError::INVALID_KERNEL_ARGS));
        assert_eq!(error(&good, 0), Some(ClError::INVALID_WORK_GROUP_SIZE));
        assert_eq!(
            error(&good, 1 << 20),
            Some(ClError::INVALID_WORK_GROUP_SIZE)
        );
        let too_large = device.facts().max_alloc_size + 1;
        let devices = std::slice::from_ref(device);
        let refused = Buffer::new(devices, too_large, Placement::Default, None);
        assert_eq!(refused.err(), Some(ClError::INVALID_BUFFER_SIZE));
    });
}

#[test]
fn threads_share_a_queue() {
    on_device(|device| {
        let q = queue(device, IN_ORDER);
        let kernel = scale(device);
        std::thread::scope(|scope| {
            for t in 0..4u32 {
                let (q, kernel) = (&q, &kernel);
                scope.spawn(move || {
                    let (a, b) = (buffer(device, 4096), buffer(device, 4096));
                    for i in 0..50 {
                        write(q, &a, 0, &bytes((0..1024).map(|v| v + t + i)));
                        let e = event(q, launch(kernel, &b, &a, t, 1024, None), &[]);
                        if i % 3 == 0 {
                            wait(&[&e]).unwrap();
                        }
                        let got = words(&read(q, &b, 0, 4096));
                        assert!((0..1024).all(|v| got[v as usize] == 2 * (v + t + i) + t));
                    }
                });
            }
        });
        q.finish().unwrap();
    });
}
