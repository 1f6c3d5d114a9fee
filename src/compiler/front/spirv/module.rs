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
    /// The texts of OpString, and their places by id.
    pub strings: Vec<String>,
    string_ids: FxHashMap<Id, usize>,
    /// Sources of NonSemantic.Shader.DebugInfo.100: the ids of their files' names.
    sources: FxHashMap<Id, Id>,
    /// Operands that follow those of an instruction (SPV_INTEL_long_composites), by its id.
    continued: FxHashMap<Id, Vec<&'a [u32]>>,
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
    /// Where the source has each of them.
    pub lines: Vec<Option<Line>>,
}

/// A place in a source.
#[derive(Debug, Clone, Copy)]
pub enum Line {
    /// Of OpLine: the id of the file's name, line and column.
    Literal(Id, u32, u32),
    /// Of DebugLine: the ids of a source and of constants.
    Constants(Id, Id, Id),
}

/// Instructions of NonSemantic.Shader.DebugInfo.100.
const DEBUG_SOURCE: u32 = 35;
const DEBUG_LINE: u32 = 103;
const DEBUG_NO_LINE: u32 = 104;

/// The most blocks of a function. A larger one would take too long.
const MAX_BLOCKS: usize = 1 << 15;

pub fn parse<'a>(insts: &[Inst<'a>]) -> Res<Parsed<'a>> {
    let mut parsed = Parsed::default();
    let mut groups = Vec::new();
    let mut kernels = HashSet::new();
    let mut has_model = false;
    let mut current: Option<Func<'a>> = None;
    // What OpLine has said, and the last result.
    let (mut line, mut last) = (None, 0);
    for inst in insts {
        match inst.op {
            Op::Line => line = Some(Line::Literal(inst.arg(0)?, inst.arg(1)?, inst.arg(2)?)),
            Op::NoLine => line = None,
            Op::ExtInst => parsed.debug_line(inst, &mut line)?,
            Op::TypeStructContinuedINTEL
            | Op::ConstantCompositeContinuedINTEL
            | Op::SpecConstantCompositeContinuedINTEL => {
                parsed.continued.entry(last).or_default().push(inst.args);
                continue;
            }
            _ => {}
        }
        last = inst.id;
        if inst.id != 0 && inst.ty != 0 && parsed.type_of.insert(inst.id, inst.ty).is_some() {
            return Err(format!("%{} is defined twice", inst.id));
        }
        if let Some(func) = &mut current {
            if func.add(*inst, line)? {
                parsed.functions.extend(current.take());
            }
            // A place holds for the rest of a block at most.
            if is_terminator(inst.op) || inst.op == Op::FunctionEnd {
                line = None;
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
                if !capability::has_instruction_set(&name) {
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
            Op::String => {
                parsed.string_ids.insert(inst.id, parsed.strings.len());
                parsed.strings.push(inst.string(0)?.0);
            }
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
    fn add(&mut self, inst: Inst<'a>, line: Option<Line>) -> Res<bool> {
        let (in_block, count) = (self.in_block(), self.blocks.len());
        match (inst.op, self.blocks.last_mut()) {
            (Op::Line | Op::NoLine | Op::Nop, _) => {}
            (Op::FunctionParameter, None) => self.params.push(inst),
            (Op::Label, _) if !in_block && count < MAX_BLOCKS => {
                self.blocks.push(Block {
                    label: inst.id,
                    insts: Vec::new(),
                    lines: Vec::new(),
                });
            }
            (Op::FunctionEnd, _) if !in_block => return Ok(true),
            (Op::Label, _) => return Err("a block has no end, or there are too many".into()),
            (_, Some(block)) if in_block => {
                block.insts.push(inst);
                block.lines.push(line);
            }
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

    /// The operands of an instruction whose list of them may go on in others.
    pub fn operands(&self, inst: &Inst<'a>) -> Vec<u32> {
        let more = self.continued.get(&inst.id).into_iter().flatten();
        let all = std::iter::once(&inst.args).chain(more);
        all.flat_map(|words| words.iter().copied()).collect()
    }

    /// Takes what an instruction of a set says about places in a source.
    fn debug_line(&mut self, inst: &Inst, line: &mut Option<Line>) -> Res<()> {
        let set = self.sets.get(&inst.arg(0)?).map(String::as_str);
        if set != Some("NonSemantic.Shader.DebugInfo.100") {
            return Ok(());
        }
        match inst.arg(1)? {
            DEBUG_SOURCE => drop(self.sources.insert(inst.id, inst.arg(2)?)),
            DEBUG_LINE => *line = Some(Line::Constants(inst.arg(2)?, inst.arg(3)?, inst.arg(5)?)),
            DEBUG_NO_LINE => *line = None,
            _ => {}
        }
        Ok(())
    }

    /// Which of the strings is the name of the file of a place.
    pub fn file(&self, line: Line) -> Option<usize> {
        let id = match line {
            Line::Literal(file, ..) => file,
            Line::Constants(source, ..) => *self.sources.get(&source)?,
        };
        self.string_ids.get(&id).copied()
    }

    pub fn name(&self, id: Id) -> String {
        self.names.get(&id).cloned().unwrap_or_default()
    }
}
