//! How fast the engine is, against the targets of docs/performance.md. For a quiet
//! discrete GPU: `cargo test --release --lib speed -- --ignored --nocapture --test-threads=1`.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;

use crate::os::memory::HostMemory;
use crate::runtime::command::Command;
use crate::runtime::gpu::device::Device;
use crate::runtime::memory::buffer::{Buffer, Placement};
use crate::runtime::memory::layout::Layout;
use crate::runtime::memory::mapping::MapFlags;
use crate::runtime::platform;
use crate::runtime::submit::event::Event;
use crate::runtime::submit::queue::{Completion, Queue};
use crate::runtime::tests::testing::{IN_ORDER, buffer, go, launch, queue, scale, write};
use crate::vk::command::{Recorder, Scope};
use crate::vk::device::Priority;
use crate::vk::sync::Timeline;

const MB: usize = 1 << 20;

fn device() -> Arc<Device> {
    let (devices, refused) = platform::devices();
    let device = devices.first().unwrap_or_else(|| panic!("{refused:?}"));
    eprintln!("{}, {}", device.facts().name, device.facts().driver);
    device.clone()
}

/// Median and shortest time of `n` runs in microseconds.
fn times(n: usize, mut run: impl FnMut()) -> (f64, f64) {
    let mut times: Vec<f64> = (0..n)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[n / 2], times[0])
}

#[test]
#[ignore = "measures"]
fn launches() {
    let device = device();
    let q = queue(&device, IN_ORDER);
    let kernel = scale(&device);
    let (a, b) = (buffer(&device, 1 << 20), buffer(&device, 1 << 20));
    write(&q, &a, 0, &vec![0; 1 << 20]);
    let one = || {
        go(&q, launch(&kernel, &b, &a, 1, 64, Some(64)));
        q.finish().unwrap();
    };
    times(100, one);
    let (median, best) = times(2000, one);
    eprintln!("enqueue + finish: median {median:.1} us, best {best:.1} us");
    let flushed = times(2000, || {
        go(&q, launch(&kernel, &b, &a, 1, 64, Some(64)));
        q.flush().unwrap();
        q.finish().unwrap();
    });
    eprintln!("enqueue + flush + finish: median {:.1} us", flushed.0);
    let waited = times(2000, || {
        let command = launch(&kernel, &b, &a, 1, 64, Some(64));
        let event = q.enqueue(command, Vec::new(), Completion::Event).unwrap();
        Event::wait_all(&event.into_iter().collect::<Vec<_>>()).unwrap();
    });
    eprintln!("enqueue + wait for event: median {:.1} us", waited.0);

    let n = 20_000;
    let stream = |name: &str, outputs: &[Arc<Buffer>]| {
        let mut enqueue = 0.0f64;
        let (total, _) = times(5, || {
            let start = Instant::now();
            for i in 0..n {
                let out = &outputs[i % outputs.len()];
                go(&q, launch(&kernel, out, &a, 1, 64, Some(64)));
            }
            enqueue = start.elapsed().as_secs_f64() * 1e6;
            q.finish().unwrap();
        });
        let n = n as f64;
        eprintln!(
            "{name}: {:.2} us per launch, {:.2} of it to enqueue",
            total / n,
            enqueue / n
        );
        total / n
    };
    let parts: Vec<_> = (0..512)
        .map(|i| Buffer::sub_buffer(&b, i * 1024, 1024))
        .collect();
    stream("dependent", &parts[..1]);
    stream("independent", &parts);
    assert!(median <= 25.0, "enqueue + finish: {median:.1} us");
}

/// Nanoseconds of each of `n` runs, on average, after a warm-up.
fn cost(name: &str, n: usize, mut run: impl FnMut()) {
    (0..n / 4).for_each(|_| run());
    let start = Instant::now();
    (0..n).for_each(|_| run());
    let ns = start.elapsed().as_secs_f64() * 1e9 / n as f64;
    eprintln!("{name}: {ns:.0} ns");
}

/// Where the time of an enqueue goes.
#[test]
#[ignore = "measures"]
fn breakdown() {
    let device = device();
    let q = queue(&device, IN_ORDER);
    let kernel = scale(&device);
    let (a, b) = (buffer(&device, 1 << 20), buffer(&device, 1 << 20));
    let make = || launch(&kernel, &b, &a, 1, 64, Some(64));
    cost("make and drop a launch", 100_000, || drop(make()));
    cost("enqueue a marker", 100_000, || go(&q, Command::Marker));
    let gpu = device.gpu().unwrap();
    let timeline = Timeline::new(&gpu.vk).unwrap();
    let mut recorder = Recorder::new(&gpu.vk).unwrap();
    let value = Cell::new(timeline.start());
    let queue = gpu.vk.pick_queue(Priority::default());
    cost("begin, end", 1000, || {
        recorder.begin().unwrap();
        recorder.end().unwrap();
    });
    cost("begin, end, submit, wait", 1000, || {
        recorder.begin().unwrap();
        recorder.end().unwrap();
        value.set(value.get() + 1);
        let signal = (&timeline, value.get());
        gpu.vk.submit(queue, &recorder, &[], signal).unwrap();
        while timeline.value().unwrap() < value.get() {}
    });
    cost("read the timeline", 10_000, || {
        let _ = timeline.value();
    });
    let pipeline = kernel.any_pipeline().unwrap();
    recorder.begin().unwrap();
    recorder.bind(&pipeline);
    cost("push constants", 10_000, || recorder.push(&[0; 24]));
    cost("dispatch", 10_000, || recorder.dispatch([0; 3], [1; 3]));
    cost("barrier", 10_000, || {
        recorder.barrier(Scope::COMPUTE, Scope::DEVICE);
    });
    recorder.end().unwrap();
    cost("time", 100_000, || {
        let _ = Instant::now();
    });
}

fn rate(name: &str, bytes: usize, run: impl FnMut()) {
    let n = if bytes > 16 * MB { 7 } else { 200 };
    let (median, best) = times(n, run);
    let gb = |us: f64| bytes as f64 / us / 1e3;
    eprintln!(
        "{name} {} KB: median {median:.1} us, {:.2} GB/s, best {best:.1} us, {:.2} GB/s",
        bytes >> 10,
        gb(median),
        gb(best)
    );
}

fn transfers_of(device: &Arc<Device>, q: &Queue, bytes: usize) {
    let (a, b) = (buffer(device, bytes as u64), buffer(device, bytes as u64));
    let mut data = vec![1u8; bytes];
    HostMemory::with(&mut data, |host| {
        rate("write", bytes, || {
            let command = Command::write(host, &a, 0);
            q.enqueue(command, Vec::new(), Completion::Blocking)
                .unwrap();
        });
        rate("read", bytes, || {
            let command = Command::read(&a, 0, host);
            q.enqueue(command, Vec::new(), Completion::Blocking)
                .unwrap();
        });
    });
    rate("copy (counted once)", bytes, || {
        go(q, Command::copy(&a, 0, &b, 0, bytes as u64));
        q.finish().unwrap();
    });
    for n in [4, 16] {
        rate(&format!("fill with {n} bytes"), bytes, || {
            let fill = Command::fill(&a, vec![3; n], 0, bytes as u64);
            go(q, fill);
            q.finish().unwrap();
        });
    }
    let flags = MapFlags {
        read: true,
        write: true,
        invalidate: false,
    };
    rate("map and unmap", bytes, || {
        let mapping = a
            .map(q.device(), flags, Layout::linear(0), [bytes as u64, 1, 1])
            .unwrap();
        let map = Command::Map(mapping.clone());
        q.enqueue(map, Vec::new(), Completion::Blocking).unwrap();
        let ended = a.unmap(q.device(), mapping.host.as_ptr()).unwrap();
        go(q, Command::Unmap(ended));
        q.finish().unwrap();
    });
}

#[test]
#[ignore = "measures"]
fn transfers() {
    let device = device();
    let q = queue(&device, IN_ORDER);
    for bytes in [4 << 10, 64 << 10, MB, 8 * MB, 256 * MB] {
        transfers_of(&device, &q, bytes);
    }
    let start = Instant::now();
    let mut data = vec![1u8; 256 * MB];
    eprintln!("vec {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    HostMemory::with(&mut data, |host| {
        for placement in [Placement::HostPtr(host), Placement::HostAlloc] {
            let start = Instant::now();
            let devices = std::slice::from_ref(&device);
            let made = Buffer::new(devices, 256 * MB as u64, placement, None);
            let took = start.elapsed().as_secs_f64() * 1e3;
            let name = match placement {
                Placement::HostPtr(_) => "host pointer",
                _ => "host memory",
            };
            eprintln!("create 256 MB on {name}: {took:.1} ms, {}", made.is_ok());
        }
    });
}
