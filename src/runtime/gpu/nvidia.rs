//! What of NVIDIA's GPUs Vulkan does not tell: their compute capability, by PCI device (cl_nv_device_attribute_query).
//!
//! The devices of a chip are neighbours. Which chip has which numbers is what pci.ids says (pci-ids.ucw.cz), and the
//! capability of a chip what NVIDIA's list of CUDA GPUs says.

use std::ops::RangeInclusive;

use crate::os::processor::DataCache;

/// NVIDIA's number of PCI.
pub const VENDOR: u32 = 0x10de;
/// Work-items of a warp.
pub const WARP_SIZE: u32 = 32;
/// Registers of 32 bits of a work-group, on all chips below.
pub const REGISTERS_PER_BLOCK: u32 = 64 << 10;

#[rustfmt::skip]
const CHIPS: &[(RangeInclusive<u32>, (u32, u32))] = &[
    (0x1340..=0x13ac, (5, 0)), // GM107, GM108
    (0x13ad..=0x13ae, (5, 2)), // GM204
    (0x13b0..=0x13bd, (5, 0)), // GM107
    (0x13be..=0x1436, (5, 2)), // GM204, GM206
    (0x15c0..=0x15ff, (6, 0)), // GP100
    (0x1613..=0x1676, (5, 2)), // GM204
    (0x1725..=0x172f, (6, 0)), // GP100
    (0x174d..=0x174e, (5, 0)), // GM108
    (0x1789..=0x179c, (5, 0)), // GM107
    (0x17c0..=0x17ff, (5, 2)), // GM200
    (0x1b00..=0x1d7f, (6, 1)), // GP102 to GP108
    (0x1d80..=0x1dff, (7, 0)), // GV100
    (0x1e00..=0x1fff, (7, 5)), // TU102, TU104, TU106, TU117
    (0x2080..=0x20ff, (8, 0)), // GA100
    (0x2180..=0x21ff, (7, 5)), // TU116
    (0x2200..=0x223f, (8, 6)), // GA102
    (0x2300..=0x237f, (9, 0)), // GH100
    (0x2400..=0x25ff, (8, 6)), // GA103, GA104, GA106, GA107
    (0x2680..=0x28ff, (8, 9)), // AD102 to AD107
    (0x2900..=0x29ff, (10, 0)), // GB100, GB102
    (0x2b80..=0x2dff, (12, 0)), // GB202, GB203, GB206, GB207
    (0x2f00..=0x2f7f, (12, 0)), // GB205
];

/// Major and minor number, of a chip that is known.
pub fn compute_capability(vendor: u32, device: u32) -> Option<(u32, u32)> {
    let chip = CHIPS.iter().find(|chip| chip.0.contains(&device));
    chip.filter(|_| vendor == VENDOR).map(|chip| chip.1)
}

/// The cache that NVIDIA's OpenCL reports: what of their memory all multiprocessors keep as cache. Measured on 9.0; for the
/// others as listings of clinfo that owners have published show it. `None` where neither is known.
pub fn data_cache(capability: (u32, u32), multiprocessors: u32) -> Option<DataCache> {
    let each = match capability {
        (7, _) | (8, 0) | (9, 0) => 32 << 10,
        (8, _) => 28 << 10,
        _ => return None,
    };
    let size = u64::from(multiprocessors) * each;
    Some(DataCache { size, line: 128 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chips_are_in_order() {
        let apart = |pair: &[(RangeInclusive<u32>, _)]| pair[0].0.end() < pair[1].0.start();
        assert!(CHIPS.windows(2).all(apart));
    }

    /// H100 SXM5, RTX 4090, Tesla T4, GTX 1060 6 GB, GeForce GTX 480, and an AMD device.
    #[test]
    fn cards_have_their_capabilities() {
        let cards = [0x2330, 0x2684, 0x1eb8, 0x1c03, 0x06c0].map(|d| compute_capability(VENDOR, d));
        let known = [(9, 0), (8, 9), (7, 5), (6, 1)].map(Some);
        assert_eq!((&cards[..4], cards[4]), (&known[..], None));
        assert_eq!(compute_capability(0x1002, 0x2330), None);
        // As native OpenCL has it on an H100.
        let cache = data_cache((9, 0), 132).map(|cache| cache.size);
        assert_eq!((cache, data_cache((6, 1), 20)), (Some(4_325_376), None));
    }
}
