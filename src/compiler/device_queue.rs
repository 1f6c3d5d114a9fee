//! The memory through which kernels enqueue kernels; docs/device_queues.md has the whole, shaders/device_queue.cl what kernels do with it.
//! All is 32-bit words; 64-bit values have their low word first.

/// CL_DEVICE_MAX_ON_DEVICE_QUEUES, the default queue not counted.
pub const MAX_QUEUES: u32 = 16;
/// CL_DEVICE_MAX_ON_DEVICE_EVENTS.
pub const MAX_EVENTS: u32 = 4096;
/// CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, bytes: some 30,000 small blocks. What is not used is not touched.
pub fn preferred_size(largest: u64) -> u32 {
    max_size(largest).min(4 << 20)
}

/// CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, bytes: as much as all queues can have where the largest allocation has `largest`.
pub fn max_size(largest: u64) -> u32 {
    let each = (largest / u64::from(QUEUE_ENTRIES + 1)).min(16 << 20);
    each.checked_ilog2().map_or(0, |power| 1 << power)
}

/// Words of the header.
pub mod header {
    /// The first word behind the last record.
    pub const USED: u32 = 0;
    /// Entries of the list of free events that are taken.
    pub const TAKEN: u32 = 1;
    /// Entries of that list.
    pub const FREE: u32 = 2;
    /// Queues in the table.
    pub const QUEUES: u32 = 3;
    /// get_default_queue(), two words.
    pub const DEFAULT_QUEUE: u32 = 4;
    /// get_kernel_work_group_size().
    pub const MAX_GROUP: u32 = 6;
    /// get_kernel_preferred_work_group_size_multiple().
    pub const PREFERRED_MULTIPLE: u32 = 7;
    /// get_kernel_max_sub_group_size_for_ndrange().
    pub const SUB_GROUP: u32 = 8;
    /// CL_DEVICE_MAX_WORK_ITEM_SIZES.
    pub const MAX_ITEMS: [u32; 3] = [9, 10, 11];
}

/// The table of queues: for each, its id (two words), the words of its records, and how many it has room for.
pub const QUEUE_TABLE: u32 = 16;
/// Words of an entry.
pub const QUEUE_WORDS: u32 = 4;
/// Entries: the most queues, and the default queue.
pub const QUEUE_ENTRIES: u32 = MAX_QUEUES + 1;

/// Events: status, references, and the times of CLK_PROFILING_COMMAND_EXEC_TIME (two of two words).
pub const EVENTS: u32 = QUEUE_TABLE + QUEUE_WORDS * QUEUE_ENTRIES;
/// Words of an event.
pub const EVENT_WORDS: u32 = 8;
/// Words of an event.
pub mod event {
    pub const STATUS: u32 = 0;
    pub const REFERENCES: u32 = 1;
    pub const TIMES: u32 = 2;
}

/// The list of free events.
pub const FREE_EVENTS: u32 = EVENTS + EVENT_WORDS * MAX_EVENTS;
/// The records, one behind the other.
pub const RECORDS: u32 = FREE_EVENTS + MAX_EVENTS;

/// Words of a record. The wait list's events follow, the sizes of local arguments, and, at a multiple of two words, what the
/// block has captured.
pub mod record {
    /// Words of it all, a multiple of two.
    pub const SIZE: u32 = 0;
    pub const KIND: u32 = 1;
    /// The block's kernel: its number among the kernels of the program.
    pub const KERNEL: u32 = 2;
    /// The number of the event that it ends, or 0.
    pub const EVENT: u32 = 3;
    /// The launch that enqueued it.
    pub const PARENT: u32 = 4;
    pub const WAITS: u32 = 5;
    pub const LOCALS: u32 = 6;
    /// Bytes.
    pub const CAPTURED: u32 = 7;
    /// [`super::ndrange`]; of times, the address where they go.
    pub const RANGE: u32 = 8;
    /// Words before the wait list.
    pub const WORDS: u32 = RANGE + super::ndrange::SIZE / 4;
}

/// What a record asks for.
pub mod kind {
    pub const KERNEL: u32 = 0;
    pub const MARKER: u32 = 1;
    /// That a kernel, which takes pointers to both, copies the times of an event to where they are wanted, before anything
    /// that waits for the event starts.
    pub const TIMES: u32 = 2;
}

/// ndrange_t, bytes: dimensions, and offset, global and local size as three 64-bit numbers each. A local size of 0 is
/// for the runtime to choose.
pub mod ndrange {
    pub const DIMENSIONS: u32 = 0;
    pub const OFFSET: u32 = 8;
    pub const GLOBAL: u32 = 32;
    pub const LOCAL: u32 = 56;
    pub const SIZE: u32 = 80;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queues_fit_into_one_allocation() {
        for (largest, size) in [
            (0, 0),
            (128 << 20, 4 << 20),
            (2 << 30, 16 << 20),
            (1 << 40, 16 << 20),
        ] {
            assert_eq!(max_size(largest), size);
            assert!(u64::from(size) * u64::from(QUEUE_ENTRIES) <= largest);
        }
    }
}
