//! Which of a device's types of memory serve what.

use ash::vk;

use super::caps::{Caps, Kind};

/// Memory that the host maps and sees the device's writes in without flushes.
pub(super) const HOST_REACHED: vk::MemoryPropertyFlags = vk::MemoryPropertyFlags::from_raw(
    vk::MemoryPropertyFlags::HOST_VISIBLE.as_raw()
        | vk::MemoryPropertyFlags::HOST_COHERENT.as_raw(),
);

impl Caps {
    /// Of the types of memory in `types` (a bit each) those with a rank, the lowest first.
    pub fn ranked_memory_types<R: Ord>(
        &self,
        types: u32,
        rank: impl Fn(vk::MemoryPropertyFlags) -> Option<R>,
    ) -> impl Iterator<Item = u32> {
        let all = self.memory_types.iter().zip(0..);
        let mut ranked: Vec<(R, u32)> = all
            .filter(|(_, i)| types >> i & 1 == 1)
            .filter_map(|(row, i)| Some((rank(row.0)?, i)))
            .collect();
        ranked.sort();
        ranked.into_iter().map(|(_, i)| i)
    }

    /// The first type of memory in `types` (a bit each) with all of `flags`.
    pub fn memory_type(&self, types: u32, flags: vk::MemoryPropertyFlags) -> Option<u32> {
        let rank = |all: vk::MemoryPropertyFlags| all.contains(flags).then_some(());
        self.ranked_memory_types(types, rank).next()
    }

    /// The flags of a buffer and of its memory whose address the driver shall take from those that it keeps for being had again.
    pub(super) fn replay_flags(
        &self,
        replay: bool,
    ) -> (vk::BufferCreateFlags, vk::MemoryAllocateFlags) {
        match replay && self.address_replay {
            true => (
                vk::BufferCreateFlags::DEVICE_ADDRESS_CAPTURE_REPLAY,
                vk::MemoryAllocateFlags::DEVICE_ADDRESS_CAPTURE_REPLAY,
            ),
            false => Default::default(),
        }
    }

    /// Whether all memory is one heap that host and device share.
    pub fn unified(&self) -> bool {
        matches!(self.kind, Kind::Integrated | Kind::Cpu)
            && self.heaps.iter().all(|h| h.device_local)
    }

    /// Whether the host can write all of the device's own memory (resizable BAR). Its reads of that memory are slow.
    pub fn host_writes(&self) -> bool {
        let wanted = vk::MemoryPropertyFlags::DEVICE_LOCAL | HOST_REACHED;
        let local = self.heaps.iter().filter(|h| h.device_local);
        let largest = local.map(|h| h.size).max().unwrap_or(0);
        let all = |heap: usize| self.heaps.get(heap).is_some_and(|h| h.size == largest);
        let types = self.memory_types.iter();
        self.kind == Kind::Discrete && { types }
            .any(|&(flags, heap)| flags.contains(wanted) && all(heap))
    }
}
