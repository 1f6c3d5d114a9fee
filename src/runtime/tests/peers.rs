//! Tests of links between devices, by each way that the drivers offer: a device and itself opened again, and each pair of devices.

use std::sync::Arc;

use crate::os::memory::HostMemory;
use crate::runtime::gpu::blocking_copy::copy_now;
use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::open::Gpu;
use crate::runtime::gpu::peers::{Link, Way, tried};
use crate::runtime::platform;
use crate::runtime::tests::testing::{on_device, pattern};
use crate::vk::memory::{Buffer, Location};
use crate::vk::peer::{HANDLES, Handle};

/// Bytes: enough that every slot is used more than once.
const SIZE: u64 = 41_000_003;

/// Pairs of devices, the second one of which has memory of its own.
fn pairs() -> Vec<[Arc<Device>; 2]> {
    let (devices, _) = platform::devices();
    let again = |device: &Arc<Device>| [device.clone(), device.with_target(device.target())];
    let mut pairs: Vec<_> = devices.iter().take(1).map(again).collect();
    for pair in devices.windows(2) {
        pairs.push([pair[0].clone(), pair[1].clone()]);
        pairs.push([pair[1].clone(), pair[0].clone()]);
    }
    pairs
}

fn ways() -> impl Iterator<Item = Way> {
    Way::shared().chain([Way::Staged])
}

/// Whether the way works. Whether a device takes another one's dma-buf is only known when it is tried.
fn works(way: Way, [from, to]: [&Gpu; 2]) -> Option<bool> {
    let offered = way.is_offered(&from.vk, &to.vk);
    let unknown = [Way::Reader, Way::Writer].map(|of| of(Handle::DmaBuf));
    (!offered || !unknown.contains(&way)).then_some(offered)
}

/// Bytes in memory of a device.
fn filled(device: &Arc<Device>, bytes: &mut [u8]) -> Buffer {
    let gpu = device.gpu().unwrap();
    let buffer = Buffer::new(&gpu.vk, bytes.len() as u64, Location::Device).unwrap();
    HostMemory::with(bytes, |host| copy_now(gpu, &buffer, 0, host, false)).unwrap();
    buffer
}

#[test]
fn links_copy_ranges() {
    on_device(|_| {
        for pair in pairs() {
            let [from, to] = pair.each_ref().map(|device| device.gpu().unwrap());
            let mut data = pattern(SIZE as usize);
            let src = filled(&pair[0], &mut data);
            for way in ways() {
                let mut link = match Link::new(way, &from.vk, &to.vk) {
                    Ok(link) => link,
                    Err(error) => {
                        assert!(works(way, [from, to]) != Some(true), "{way:?}: {error:?}");
                        continue;
                    }
                };
                for ranges in [
                    vec![[0, SIZE]],
                    vec![[17, 18]],
                    vec![[5, 5_000_000], [5_000_001, 9_000_000], [40_999_999, SIZE]],
                    (0..3000).map(|i| [i * 4000, i * 4000 + 1 + i]).collect(),
                ] {
                    let mut wanted = vec![0x5au8; SIZE as usize];
                    let dst = filled(&pair[1], &mut wanted);
                    for &[start, end] in &ranges {
                        let range = start as usize..end as usize;
                        wanted[range.clone()].copy_from_slice(&data[range]);
                    }
                    link.copy(&src, &dst, &ranges).unwrap();
                    let mut got = vec![0u8; SIZE as usize];
                    HostMemory::with(&mut got, |host| copy_now(to, &dst, 0, host, true)).unwrap();
                    assert!(got == wanted, "{way:?}, {} ranges", ranges.len());
                }
            }
        }
    });
}

/// Ways that drivers offer pass the trial that decides which one is taken.
#[test]
fn ways_that_are_offered_are_tried() {
    on_device(|_| {
        for pair in pairs() {
            let [from, to] = pair.each_ref().map(|device| device.gpu().unwrap());
            for way in ways() {
                let found = tried(way, from, to).is_ok();
                assert!(
                    works(way, [from, to]).is_none_or(|works| works == found),
                    "{way:?}"
                );
            }
        }
    });
}

/// No descriptor is left open, whatever comes of sharing.
#[test]
fn sharing_closes_descriptors() {
    on_device(|_| {
        let open = || std::fs::read_dir("/proc/self/fd").map_or(0, |list| list.count());
        for pair in pairs() {
            let [from, to] = pair.each_ref().map(|device| device.gpu().unwrap());
            let share = || {
                for handle in HANDLES {
                    let _ = Link::new(Way::Reader(handle), &from.vk, &to.vk);
                }
            };
            share();
            let before = open();
            (0..50).for_each(|_| share());
            // Other tests open and close files meanwhile.
            assert!(
                open() < before + 40,
                "{} descriptors, {before} before",
                open()
            );
        }
    });
}
