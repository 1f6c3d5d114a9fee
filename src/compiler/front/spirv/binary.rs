//! Words of a SPIR-V binary to instructions (SPIR-V specification, 2.3).
//!
//! An instruction is its opcode, the ids of its result and the result's type where it has them, and the
//! words behind. What the words mean is for those who read them; each access is checked.

use std::collections::HashMap;
use std::sync::LazyLock;

use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};
use rspirv::spirv::{MAGIC_NUMBER, Op};

/// An id of the module. 0 stands for no id.
pub type Id = u32;

/// What is wrong with a module, for the build log.
pub type Res<T> = Result<T, String>;

/// The specification's limit on ids (2.17).
const MAX_BOUND: u32 = 0x3f_ffff;
/// No module has this id or a greater one.
pub const FIRST_FREE_ID: Id = MAX_BOUND + 1;
/// Words of a header.
const HEADER: usize = 5;

/// The versions of SPIR-V that are read, lowest and highest.
pub const VERSIONS: [(u8, u8); 7] = [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6)];

#[derive(Debug, Clone, Copy)]
pub struct Inst<'a> {
    pub op: Op,
    /// The result's type; 0 if there is none.
    pub ty: Id,
    /// The result; 0 if there is none.
    pub id: Id,
    /// The operands behind type and result.
    pub args: &'a [u32],
}

/// Which ids begin an instruction's operands.
#[derive(Clone, Copy)]
struct Layout {
    has_type: bool,
    has_result: bool,
}

static LAYOUTS: LazyLock<HashMap<u32, Layout>> = LazyLock::new(|| {
    let rows = INSTRUCTION_TABLE.iter().map(|inst| {
        let has = |kind| inst.operands.iter().take(2).any(|o| o.kind == kind);
        let layout = Layout {
            has_type: has(OperandKind::IdResultType),
            has_result: has(OperandKind::IdResult),
        };
        (inst.opcode as u32, layout)
    });
    rows.collect()
});

impl<'a> Inst<'a> {
    pub fn name(&self) -> String {
        format!("Op{:?}", self.op)
    }

    pub fn arg(&self, i: usize) -> Res<u32> {
        let word = self.args.get(i).copied();
        word.ok_or_else(|| format!("{} has too few operands", self.name()))
    }

    /// The operands from the i-th.
    pub fn rest(&self, i: usize) -> &'a [u32] {
        self.args.get(i..).unwrap_or(&[])
    }

    /// The literal string that begins at an operand, and the number of words that it takes.
    pub fn string(&self, i: usize) -> Res<(String, usize)> {
        let mut bytes = Vec::new();
        for (n, word) in self.rest(i).iter().enumerate() {
            for byte in word.to_le_bytes() {
                if byte == 0 {
                    return Ok((String::from_utf8_lossy(&bytes).into_owned(), n + 1));
                }
                bytes.push(byte);
            }
        }
        Err(format!("the string of {} has no end", self.name()))
    }
}

/// The words of a module in this machine's byte order. An error if it does not begin with SPIR-V's magic number.
pub fn words(bytes: &[u8]) -> Res<Vec<u32>> {
    let chunks = bytes.chunks_exact(4);
    if !chunks.remainder().is_empty() {
        return Err("the length is no multiple of 4 bytes".into());
    }
    let mut words: Vec<u32> = chunks
        .map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]))
        .collect();
    if words.first() == Some(&MAGIC_NUMBER.swap_bytes()) {
        words.iter_mut().for_each(|w| *w = w.swap_bytes());
    }
    check_header(&words)?;
    Ok(words)
}

fn check_header(words: &[u32]) -> Res<()> {
    if words.len() < HEADER || words[0] != MAGIC_NUMBER {
        return Err("it does not begin with SPIR-V's magic number".into());
    }
    let [patch, minor, major, top] = words[1].to_le_bytes();
    if patch != 0 || top != 0 || !VERSIONS.contains(&(major, minor)) {
        return Err(format!("SPIR-V {major}.{minor} is not supported"));
    }
    if words[3] > MAX_BOUND {
        return Err(format!("the bound of ids {} is too large", words[3]));
    }
    Ok(())
}

/// The instructions of a module.
pub fn instructions(words: &[u32]) -> Res<Vec<Inst<'_>>> {
    check_header(words)?;
    let bound = words[3];
    let mut rest = &words[HEADER..];
    let mut insts = Vec::new();
    while let Some(&first) = rest.first() {
        let (count, opcode) = ((first >> 16) as usize, first & 0xffff);
        let Some((inst, behind)) = (count > 0).then(|| rest.split_at_checked(count)).flatten()
        else {
            return Err(format!("an instruction of {count} words does not fit"));
        };
        rest = behind;
        let known = Op::from_u32(opcode).zip(LAYOUTS.get(&opcode));
        let Some((op, layout)) = known else {
            return Err(format!("there is no instruction {opcode}"));
        };
        let mut inst = Inst {
            op,
            ty: 0,
            id: 0,
            args: &inst[1..],
        };
        if layout.has_type {
            inst.ty = inst.arg(0)?;
            inst.args = inst.rest(1);
        }
        if layout.has_result {
            inst.id = inst.arg(0)?;
            inst.args = inst.rest(1);
            if inst.id == 0 || inst.id >= bound {
                return Err(format!("%{} is outside of the bound {bound}", inst.id));
            }
        }
        insts.push(inst);
    }
    Ok(insts)
}
