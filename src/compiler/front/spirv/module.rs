//! A module cut into its sections (SPIR-V specification, 2.4): what holds for the module is checked,
//! debug information and decorations are gathered by id, functions are cut into blocks.

use std::collections::HashSet;

use rspirv::spirv::{AddressingModel, ExecutionModel, MemoryModel, Op};

use super::binary::{Id, Inst, Res};
use super::capability;
use rustc_hash::FxHashMap;

/// A decoration or execution mode with its operands.
pub type Note<'a> = (u32, &'a [u32]);

#[derive(Default)]
pub struct Parsed<'a> {
    /// Numbers of capabilities.
    pub capabilities: Vec<u32>,
    /// The imported sets of extended instructions by id: their names.
    pub sets: FxHashMap<Id, String>,
    /// Function and name of each kernel.
    pub entries: Vec<(Id, String)>,
    pub modes: FxHashMap<Id, Vec<Note<'a>>>,
    pub names: FxHashMap<Id, String>,
    /// The texts of OpString.
    pub strings: Vec<String>,
    pub decorations: FxHashMap<Id, Vec<Note<'a>>>,
    /// Types, constants and variables, in their order.
    pub globals: Vec<Inst<'a>>,
    pub functions: Vec<Func<'a>>,
    /// The type of each result that has one.
    pub type_of: FxHashMap<Id, Id>,
}

pub struct Func<'a> {
    pub inst: Inst<'a>,
    pub params: Vec<Inst<'a>>,
    /// None for a declaration.
    pub blocks: Vec<Block<'a>>,
}

pub struct Block<'a> {
    pub label: Id,
    /// The last one is the terminator.
    pub insts: Vec<Inst<'a>>,
}

/// The most blocks of a function. A larger one would take too long.
const MAX_BLOCKS: usize = 1 << 15;

pub fn parse<'a>(insts: &[Inst<'a>]) -> Res<Parsed<'a>> {
    let mut parsed = Parsed::default();
    let mut groups = Vec::new();
    let mut kernels = HashSet::new();
    let mut has_model = false;
    let mut current: Option<Func<'a>> = None;
    for inst in insts {
        if inst.id != 0 && inst.ty != 0 && parsed.type_of.insert(inst.id, inst.ty).is_some() {
            return Err(format!("%{} is defined twice", inst.id));
        }
        if let Some(func) = &mut current {
            if func.add(*inst)? {
                parsed.functions.extend(current.take());
            }
            continue;
        }
        match inst.op {
            Op::Capability => parsed.capabilities.push(inst.arg(0)?),
            Op::Extension => {
                let name = inst.string(0)?.0;
                if !capability::has_extension(&name) {
                    return Err(format!("extension {name} is not supported"));
                }
            }
            Op::ExtInstImport => {
                let name = inst.string(0)?.0;
                if name != "OpenCL.std" && !ignored_set(&name) {
                    return Err(format!("there are no extended instructions '{name}'"));
                }
                parsed.sets.insert(inst.id, name);
            }
            Op::MemoryModel => {
                model(inst)?;
                has_model = true;
            }
            Op::EntryPoint => {
                if inst.arg(0)? != ExecutionModel::Kernel as u32 {
                    return Err("an entry point is no kernel".into());
                }
                let name = inst.string(2)?.0;
                if !kernels.insert(name.clone()) {
                    return Err(format!("there are two kernels '{name}'"));
                }
                parsed.entries.push((inst.arg(1)?, name));
            }
            Op::ExecutionMode | Op::ExecutionModeId => {
                let modes = parsed.modes.entry(inst.arg(0)?).or_default();
                modes.push((inst.arg(1)?, inst.rest(2)));
            }
            Op::String => parsed.strings.push(inst.string(0)?.0),
            Op::Name => {
                parsed.names.insert(inst.arg(0)?, inst.string(1)?.0);
            }
            Op::Decorate | Op::DecorateId | Op::DecorateString => {
                let decorations = parsed.decorations.entry(inst.arg(0)?).or_default();
                decorations.push((inst.arg(1)?, inst.rest(2)));
            }
            Op::GroupDecorate => groups.push(*inst),
            Op::Function => {
                current = Some(Func {
                    inst: *inst,
                    params: Vec::new(),
                    blocks: Vec::new(),
                });
            }
            // Scopes of aliasing are hints.
            Op::AliasDomainDeclINTEL
            | Op::AliasScopeDeclINTEL
            | Op::AliasScopeListDeclINTEL
            | Op::Source
            | Op::SourceExtension
            | Op::SourceContinued
            | Op::ModuleProcessed
            | Op::MemberName
            | Op::MemberDecorate
            | Op::MemberDecorateString
            | Op::GroupMemberDecorate
            | Op::DecorationGroup
            | Op::Line
            | Op::NoLine
            | Op::Nop => {}
            // The set has no effect on results.
            Op::ExtInst => {}
            _ => parsed.globals.push(*inst),
        }
    }
    if current.is_some() {
        return Err("the last function has no end".into());
    }
    if !has_model {
        return Err("there is no OpMemoryModel".into());
    }
    for group in groups {
        let given = parsed.decorations.get(&group.arg(0)?).cloned();
        for id in group.rest(1) {
            let decorations = parsed.decorations.entry(*id).or_default();
            decorations.extend(given.iter().flatten());
        }
    }
    Ok(parsed)
}

/// Whether a set of instructions has no effect on results.
pub fn ignored_set(name: &str) -> bool {
    name.starts_with("NonSemantic.") || name == "OpenCL.DebugInfo.100" || name == "DebugInfo"
}

fn model(inst: &Inst) -> Res<()> {
    match AddressingModel::from_u32(inst.arg(0)?) {
        Some(AddressingModel::Physical64) => {}
        Some(other) => return Err(format!("addressing model {other:?} is not supported")),
        None => return Err("there is no such addressing model".into()),
    }
    match MemoryModel::from_u32(inst.arg(1)?) {
        Some(MemoryModel::OpenCL) => Ok(()),
        _ => Err("the memory model is not OpenCL".into()),
    }
}

impl<'a> Func<'a> {
    /// The instruction stands in a block.
    fn in_block(&self) -> bool {
        let last = self.blocks.last().map(|block| block.insts.last());
        last.is_some_and(|last| last.is_none_or(|inst| !is_terminator(inst.op)))
    }

    /// Adds an instruction. Returns whether it ends the function.
    fn add(&mut self, inst: Inst<'a>) -> Res<bool> {
        let (in_block, count) = (self.in_block(), self.blocks.len());
        match (inst.op, self.blocks.last_mut()) {
            (Op::Line | Op::NoLine | Op::Nop, _) => {}
            (Op::FunctionParameter, None) => self.params.push(inst),
            (Op::Label, _) if !in_block && count < MAX_BLOCKS => {
                self.blocks.push(Block {
                    label: inst.id,
                    insts: Vec::new(),
                });
            }
            (Op::FunctionEnd, _) if !in_block => return Ok(true),
            (Op::Label, _) => return Err("a block has no end, or there are too many".into()),
            (_, Some(block)) if in_block => block.insts.push(inst),
            _ => return Err(format!("{} stands where it must not", inst.name())),
        }
        Ok(false)
    }
}

/// The last instruction of a block.
fn is_terminator(op: Op) -> bool {
    matches!(
        op,
        Op::Branch
            | Op::BranchConditional
            | Op::Switch
            | Op::Return
            | Op::ReturnValue
            | Op::Kill
            | Op::Unreachable
    )
}

impl<'a> Parsed<'a> {
    /// The operands of the first decoration of this kind.
    pub fn decoration(&self, id: Id, kind: u32) -> Option<&'a [u32]> {
        let mut all = self.decorations.get(&id).into_iter().flatten();
        all.find(|note| note.0 == kind).map(|note| note.1)
    }

    pub fn name(&self, id: Id) -> String {
        self.names.get(&id).cloned().unwrap_or_default()
    }
}
