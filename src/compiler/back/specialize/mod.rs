//! A module for given values of its specialization constants: what is constant then is computed, branches not taken
//! and what only they need are gone.
//!
//! Drivers know the values, too, but they inline all calls first: a kernel that reads images at a hundred places has a hundred copies
//! of the conversions of all formats by then. Here a function whose arguments are constants gets a copy for them, once.
//!
//! Algorithm: from the entry points on, each function is walked in the order of its blocks, with its constant arguments known
//! (`flow`). A call with constant arguments asks for a copy of the callee; there are at most [`MAX_COPIES`] of a
//! function, other calls go to one for any arguments.
//!
//! Needs a module as `emit` makes it: the blocks of a construct stand between its header and its merge block.

mod flow;
mod fold;

use std::collections::VecDeque;

use rspirv::binary::Assemble;
use rspirv::dr::{Function, Instruction, Module, Operand, load_words};
use rspirv::spirv::{Decoration, Op, Word};

use crate::ir::Scalar;
use fold::Known;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most copies of one function for constant arguments.
const MAX_COPIES: usize = 16;

/// The module with these values of its specialization constants (id, 32-bit value); the other constants stay. `None`
/// if the module does not have the form that `emit` gives it.
pub fn specialize(words: &[u32], constants: &[(u32, u32)]) -> Option<Vec<u32>> {
    let mut module = load_words(words).ok()?;
    let bound = module.header.as_ref()?.bound;
    let functions = std::mem::take(&mut module.functions);
    let mut by_id = FxHashMap::default();
    for function in &functions {
        by_id.insert(function.def.as_ref()?.result_id?, function);
    }
    let mut all = Specializer {
        bound,
        globals: Globals::default(),
        functions: by_id,
        copies: FxHashMap::default(),
        work: VecDeque::new(),
        renamed: Vec::new(),
    };
    freeze(&mut module, constants);
    all.globals.read(&module)?;
    for entry in &module.entry_points {
        let Some(Operand::IdRef(function)) = entry.operands.get(1) else {
            return None;
        };
        all.copy(*function, Vec::new())?;
    }
    while let Some(copy) = all.work.pop_front() {
        let function = flow::specialized(&mut all, &copy)?;
        module.functions.push(function);
    }
    let Specializer {
        bound,
        globals,
        renamed,
        ..
    } = all;
    module.types_global_values.extend(globals.new);
    annotate(&mut module, &functions, &renamed);
    module.header.as_mut()?.bound = bound;
    Some(module.assemble())
}

/// Turns specialization constants into constants.
fn freeze(module: &mut Module, constants: &[(u32, u32)]) {
    let mut values: FxHashMap<Word, u32> = FxHashMap::default();
    module.annotations.retain(|inst| {
        let [
            Operand::IdRef(id),
            Operand::Decoration(Decoration::SpecId),
            Operand::LiteralBit32(number),
        ] = inst.operands[..]
        else {
            return true;
        };
        let value = constants.iter().find(|c| c.0 == number);
        values.extend(value.map(|c| (id, c.1)));
        value.is_none()
    });
    let mut open = Vec::new();
    for inst in &mut module.types_global_values {
        let Some(id) = inst.result_id else { continue };
        let is_open = |operand: &Operand| operand.id_ref_any().is_some_and(|id| open.contains(&id));
        let operands = match (inst.class.opcode, values.get(&id)) {
            (Op::SpecConstant, Some(value)) => vec![Operand::LiteralBit32(*value)],
            (Op::SpecConstantComposite, _) if !inst.operands.iter().any(is_open) => {
                std::mem::take(&mut inst.operands)
            }
            (Op::SpecConstant | Op::SpecConstantComposite, _) => {
                open.push(id);
                continue;
            }
            _ => continue,
        };
        let op = match inst.class.opcode {
            Op::SpecConstant => Op::Constant,
            _ => Op::ConstantComposite,
        };
        *inst = Instruction::new(op, inst.result_type, Some(id), operands);
    }
}

/// Types, constants and functions at module scope.
#[derive(Default)]
struct Globals {
    /// Integer and bool types by id.
    scalars: FxHashMap<Word, Scalar>,
    known: FxHashMap<Word, Known>,
    /// Ids of constants by type and value.
    ids: FxHashMap<(Word, u64), Word>,
    word: Option<Word>,
    /// Constants that specialization adds.
    new: Vec<Instruction>,
}

impl Globals {
    fn read(&mut self, module: &Module) -> Option<()> {
        for inst in &module.types_global_values {
            let id = inst.result_id?;
            let ty = inst.result_type.unwrap_or_default();
            let known = match (inst.class.opcode, &inst.operands[..]) {
                (Op::TypeBool, _) => {
                    self.scalars.insert(id, Scalar::Bool);
                    continue;
                }
                (Op::TypeInt, [Operand::LiteralBit32(bits), _]) => {
                    self.scalars.insert(id, Scalar::int(*bits));
                    self.word = self.word.or((*bits == 32).then_some(id));
                    continue;
                }
                (Op::ConstantTrue, _) => 1,
                (Op::ConstantFalse, _) => 0,
                (Op::Constant, [Operand::LiteralBit32(bits)]) => u64::from(*bits),
                (Op::Constant, [Operand::LiteralBit64(bits)]) => *bits,
                _ => continue,
            };
            if self.scalars.contains_key(&ty) {
                self.known.insert(id, Known { ty, bits: known });
                self.ids.entry((ty, known)).or_insert(id);
            }
        }
        Some(())
    }

    /// The id of a constant.
    fn constant(&mut self, bound: &mut u32, known: Known) -> Word {
        *self.ids.entry((known.ty, known.bits)).or_insert_with(|| {
            let (op, operands) = match self.scalars.get(&known.ty) {
                Some(Scalar::Bool) if known.bits == 0 => (Op::ConstantFalse, vec![]),
                Some(Scalar::Bool) => (Op::ConstantTrue, vec![]),
                Some(Scalar::I64) => (Op::Constant, vec![Operand::LiteralBit64(known.bits)]),
                _ => (Op::Constant, vec![Operand::LiteralBit32(known.bits as u32)]),
            };
            let id = *bound;
            *bound += 1;
            let new = Instruction::new(op, Some(known.ty), Some(id), operands);
            self.new.push(new);
            id
        })
    }
}

/// The known value of each argument of a call. The empty list means that none is known.
type Arguments = Vec<Option<Known>>;

/// A copy of a function for known arguments.
struct Copy {
    source: Word,
    id: Word,
    arguments: Arguments,
}

struct Specializer<'m> {
    bound: u32,
    globals: Globals,
    functions: FxHashMap<Word, &'m Function>,
    /// By function: the copies that calls need.
    copies: FxHashMap<Word, Vec<(Arguments, Word)>>,
    work: VecDeque<Copy>,
    /// For all copies but the first of each function: an id in the source and its new id.
    renamed: Vec<(Word, Word)>,
}

impl Specializer<'_> {
    fn new_id(&mut self) -> Word {
        self.bound += 1;
        self.bound - 1
    }

    /// The id of the function's copy for these arguments, which is created if it does not exist.
    fn copy(&mut self, source: Word, mut arguments: Arguments) -> Option<Word> {
        self.functions.get(&source)?;
        if arguments.iter().all(Option::is_none) {
            arguments.clear();
        }
        let known = self.copies.entry(source).or_default();
        let found = |known: &[(Arguments, Word)], arguments: &Arguments| {
            let copy = known.iter().find(|copy| copy.0 == *arguments);
            copy.map(|copy| copy.1)
        };
        if known.len() >= MAX_COPIES && found(known, &arguments).is_none() {
            arguments.clear();
        }
        if let Some(id) = found(known, &arguments) {
            return Some(id);
        }
        let is_first = known.is_empty();
        let id = if is_first { source } else { self.bound };
        self.bound += u32::from(!is_first);
        known.push((arguments.clone(), id));
        self.work.push_back(Copy {
            source,
            id,
            arguments,
        });
        Some(id)
    }
}

/// Gives renamed objects the decorations of their originals, and drops decorations and names of removed objects.
fn annotate(module: &mut Module, sources: &[Function], renamed: &[(Word, Word)]) {
    let results = |functions: &[Function]| -> Vec<Word> {
        let insts = functions.iter().flat_map(|f| f.all_inst_iter());
        insts.filter_map(|inst| inst.result_id).collect()
    };
    let mut gone: FxHashSet<Word> = results(sources).into_iter().collect();
    gone.extend(renamed.iter().map(|&(_, to)| to));
    for id in results(&module.functions) {
        gone.remove(&id);
    }
    let target = |inst: &Instruction| inst.operands.first().and_then(Operand::id_ref_any);
    let mut copied = Vec::new();
    if !module.annotations.is_empty() && !renamed.is_empty() {
        let mut by_target: FxHashMap<Word, Vec<&Instruction>> = FxHashMap::default();
        for inst in &module.annotations {
            by_target
                .entry(target(inst).unwrap_or_default())
                .or_default()
                .push(inst);
        }
        for (from, to) in renamed {
            for inst in by_target.get(from).into_iter().flatten() {
                let mut inst = (*inst).clone();
                inst.operands[0] = Operand::IdRef(*to);
                copied.push(inst);
            }
        }
    }
    module.annotations.extend(copied);
    for list in [&mut module.annotations, &mut module.debug_names] {
        list.retain(|inst| target(inst).is_none_or(|id| !gone.contains(&id)));
    }
}
