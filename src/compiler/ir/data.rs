//! The module data buffer: where constant tables and program-scope variables lie.

use super::{Global, Module, Space};

/// Layout and initial bytes of the module data buffer (docs/abi.md).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModuleData {
    /// Byte offset of each global, by index; `None` for __local variables and declarations.
    pub offsets: Vec<Option<u32>>,
    pub bytes: Vec<u8>,
    /// Offsets of 64-bit words to which the buffer's own address is to be added.
    pub relocs: Vec<u32>,
}

impl ModuleData {
    /// Bytes, of any module.
    pub fn size(module: &Module) -> u64 {
        let globals = module.globals.iter().filter(|global| is_in_data(global));
        globals.fold(0, |end: u64, global| {
            let start = end.checked_next_multiple_of(global.align.max(1).into());
            start.unwrap_or(u64::MAX).saturating_add(global.size.into())
        })
    }

    /// Lays out globals in their order, each at its alignment.
    pub fn of(module: &Module) -> ModuleData {
        let mut data = ModuleData::default();
        for global in &module.globals {
            if !is_in_data(global) {
                data.offsets.push(None);
                continue;
            }
            let start = data
                .bytes
                .len()
                .next_multiple_of(global.align.max(1) as usize);
            data.offsets.push(Some(start as u32));
            data.bytes.resize(start, 0);
            data.bytes.resize(start + global.size as usize, 0);
            if let Some(init) = &global.init {
                init.read(0, &mut data.bytes[start..]);
            }
        }
        // Devices without small integers read whole words.
        let end = data.bytes.len().next_multiple_of(4);
        data.bytes.resize(end, 0);
        for (global, start) in module.globals.iter().zip(&data.offsets) {
            let Some(start) = start else { continue };
            for &(at, target) in &global.relocs {
                let Some(target) = data.offsets.get(target.index()).copied().flatten() else {
                    continue;
                };
                let at = start.saturating_add(at);
                let Some(word) = data.bytes.get_mut(at as usize..at as usize + 8) else {
                    continue;
                };
                let addend = word.iter().rev().fold(0, |n, byte| n << 8 | *byte as u64);
                word.copy_from_slice(&addend.wrapping_add(target as u64).to_le_bytes());
                data.relocs.push(at);
            }
        }
        data
    }
}

fn is_in_data(global: &Global) -> bool {
    global.defined && !matches!(global.space, Space::Local | Space::Private)
}
