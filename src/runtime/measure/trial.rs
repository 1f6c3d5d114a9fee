//! A kernel that uses most of what kernels need, work-groups, barriers, local memory, memory of the device, is built and
//! run, and its results are compared with those of the host. `caldera doctor` tries each device with it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::runtime::gpu::device::Device;
use crate::runtime::measure::run::Work;
use crate::runtime::submit::queue::{Queue, QueueProperties};

const ITEMS: u32 = 4096;
const GROUP: u32 = 64;

/// Each work-item gets the sum of its group's numbers up to its own, and mixes it with its position.
const TEXT: &str = "\
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void trial(global const uint *in, global uint *out) {
    local uint sums[64];
    uint i = get_local_id(0);
    sums[i] = in[get_global_id(0)];
    for (uint step = 1; step < 64; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint left = i >= step ? sums[i - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[i] += left;
    }
    out[get_global_id(0)] = sums[i] * 2654435761u ^ (uint) get_global_id(0);
}
";

fn number(item: u32) -> u32 {
    item.wrapping_mul(0x9e37_79b9) >> 7
}

/// What the kernel computes.
fn expected() -> Vec<u32> {
    let mut sum = 0u32;
    let result = |item: u32| {
        if item.is_multiple_of(GROUP) {
            sum = 0;
        }
        sum = sum.wrapping_add(number(item));
        sum.wrapping_mul(2_654_435_761) ^ item
    };
    (0..ITEMS).map(result).collect()
}

/// Tries the device. How long it took, or what is wrong.
pub fn run(device: &Arc<Device>) -> Result<Duration, String> {
    if let Some(why) = device.fault() {
        return Err(why.into());
    }
    let properties = QueueProperties {
        out_of_order: false,
        profiling: false,
        ..QueueProperties::default()
    };
    let start = Instant::now();
    let queue = Queue::new(device, properties).map_err(|error| format!("a queue: {error}"))?;
    let work = Work {
        text: TEXT,
        target: device.target(),
        input: (0..ITEMS).flat_map(|i| number(i).to_le_bytes()).collect(),
        output: ITEMS as usize * 4,
        items: ITEMS,
        group: GROUP,
    };
    let results = work.run(device, &queue)?;
    let results = results.as_chunks::<4>().0.iter();
    let results = results.map(|bytes| u32::from_le_bytes(*bytes));
    let wrong = |(_, (result, right)): &(usize, (u32, u32))| result != right;
    let pairs = results.zip(expected()).enumerate();
    let mut wrong = pairs.filter(wrong);
    match wrong.next() {
        None => Ok(start.elapsed()),
        Some((item, (result, right))) => Err(format!(
            "wrong results: work-item {item} has {result} instead of {right}, {} others are wrong",
            wrong.count()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: the first group's sums.
    #[test]
    fn expected_results() {
        let all = expected();
        assert_eq!(all[0], 0);
        let first = 0x9e37_79b9u32 >> 7;
        assert_eq!(all[1], first.wrapping_mul(2_654_435_761) ^ 1);
        // A group begins with its own number alone.
        let own = 64u32.wrapping_mul(0x9e37_79b9) >> 7;
        assert_eq!(all[64], own.wrapping_mul(2_654_435_761) ^ 64);
    }
}
