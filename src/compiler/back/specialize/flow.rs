//! One function with what is known of its parameters.
//!
//! Algorithm: the walk visits the blocks that control reaches, in order. A value is known, or is the same as another value, if all
//! that it comes from is. A branch on a known condition goes one way, and blocks that are not reached are left out. The
//! construct that such a branch heads disappears. If something nested in it leaves it, it stays as a switch without cases.

use rspirv::dr::{Block, Function, Instruction, Operand};
use rspirv::spirv::{Op, Word};

use super::fold::{Folded, Known, fold};
use super::{Copy, Specializer};
use rustc_hash::{FxHashMap, FxHashSet};

/// The facts about a block.
#[derive(Default)]
struct Node {
    reached: bool,
    /// The header of the innermost construct around.
    around: Option<usize>,
    /// Set in a header: its merge block and, for a loop, the continue block.
    merge: Option<Word>,
    next: Option<Word>,
    /// The only target of the branch at the block's end, if the condition is known.
    chosen: Option<Word>,
    /// The block heads a construct that stays.
    kept: bool,
    /// Indices of the blocks that branch here.
    from: Vec<usize>,
}

struct Walk<'s, 'm> {
    all: &'s mut Specializer<'m>,
    blocks: &'m [Block],
    nodes: Vec<Node>,
    /// Block index by label.
    index: FxHashMap<Word, usize>,
    known: FxHashMap<Word, Known>,
    same: FxHashMap<Word, Word>,
    /// New ids. The first copy keeps the old ones.
    names: FxHashMap<Word, Word>,
}

/// Specializes a function. `None` if the function does not have the form that `emit` gives it.
pub fn specialized(all: &mut Specializer, copy: &Copy) -> Option<Function> {
    let source: &Function = all.functions.get(&copy.source)?;
    let mut walk = Walk {
        blocks: &source.blocks,
        nodes: Vec::new(),
        index: FxHashMap::default(),
        known: FxHashMap::default(),
        same: FxHashMap::default(),
        names: FxHashMap::default(),
        all,
    };
    for (parameter, argument) in source.parameters.iter().zip(&copy.arguments) {
        walk.known
            .extend(argument.map(|known| (parameter.result_id.unwrap_or_default(), known)));
    }
    walk.find_constructs()?;
    walk.reach()?;
    walk.keep();
    if copy.id != copy.source {
        for id in source.all_inst_iter().filter_map(|inst| inst.result_id) {
            let new = walk.all.new_id();
            walk.names.insert(id, new);
            walk.all.renamed.push((id, new));
        }
        walk.names.insert(copy.source, copy.id);
    }
    let mut function = Function {
        end: source.end.clone(),
        ..Function::default()
    };
    function.def = source.def.clone().map(|inst| walk.renamed(inst));
    let parameters = source.parameters.iter();
    function.parameters = parameters.map(|inst| walk.renamed(inst.clone())).collect();
    let merges: FxHashSet<Word> = walk.merges().collect();
    for at in 0..walk.blocks.len() {
        let is_merge = merges.contains(&walk.label(at)?);
        if walk.nodes[at].reached || is_merge {
            let block = walk.block(at)?;
            function.blocks.push(block);
        }
    }
    Some(function)
}

impl<'m> Walk<'_, 'm> {
    fn label(&self, at: usize) -> Option<Word> {
        self.blocks[at].label.as_ref()?.result_id
    }

    fn find_constructs(&mut self) -> Option<()> {
        let mut open: Vec<(usize, Word)> = Vec::new();
        for (at, block) in self.blocks.iter().enumerate() {
            let label = self.label(at)?;
            self.index.insert(label, at);
            while open.pop_if(|construct| construct.1 == label).is_some() {}
            let mut node = Node {
                around: open.last().map(|construct| construct.0),
                ..Node::default()
            };
            for inst in &block.instructions {
                match (inst.class.opcode, &inst.operands[..]) {
                    (Op::SelectionMerge, [Operand::IdRef(merge), ..]) => node.merge = Some(*merge),
                    (Op::LoopMerge, [Operand::IdRef(merge), Operand::IdRef(next), ..]) => {
                        (node.merge, node.next) = (Some(*merge), Some(*next));
                    }
                    _ => continue,
                }
                open.extend(node.merge.map(|merge| (at, merge)));
            }
            self.nodes.push(node);
        }
        Some(())
    }

    /// Walks the blocks that control reaches.
    fn reach(&mut self) -> Option<()> {
        self.nodes.first_mut()?.reached = true;
        for at in 0..self.blocks.len() {
            if !self.nodes[at].reached {
                continue;
            }
            // The continue block of a loop stays even if control does not reach it.
            if let Some(next) = self.nodes[at].next {
                let next = *self.index.get(&next)?;
                self.nodes[next].reached = true;
            }
            let blocks = self.blocks;
            for inst in &blocks[at].instructions {
                self.value(at, inst);
                for target in self.targets(at, inst) {
                    let target = *self.index.get(&target)?;
                    self.nodes[target].reached = true;
                    self.nodes[target].from.push(at);
                }
            }
        }
        Some(())
    }

    /// The blocks that the end of a block branches to.
    fn targets(&mut self, at: usize, inst: &Instruction) -> Vec<Word> {
        let label = |operand: &Operand| operand.id_ref_any();
        match (inst.class.opcode, &inst.operands[..]) {
            (Op::Branch, [target]) => label(target).into_iter().collect(),
            (Op::BranchConditional, [condition, yes, no, ..]) => {
                let known = label(condition).and_then(|id| self.known(id));
                let chosen = known.and_then(|known| label(if known.bits == 0 { no } else { yes }));
                self.nodes[at].chosen = chosen;
                match chosen {
                    Some(target) => vec![target],
                    None => [yes, no].into_iter().filter_map(label).collect(),
                }
            }
            (Op::Switch, [selector, default, cases @ ..]) => {
                let known = label(selector).and_then(|id| self.known(id));
                let taken = known.and_then(|known| {
                    let is_case = |case: &&[Operand]| match case[0] {
                        Operand::LiteralBit32(value) => u64::from(value) == known.bits,
                        Operand::LiteralBit64(value) => value == known.bits,
                        _ => false,
                    };
                    let case = cases.chunks_exact(2).find(is_case);
                    label(case.map_or(default, |case| &case[1]))
                });
                self.nodes[at].chosen = taken;
                match taken {
                    Some(target) => vec![target],
                    None => {
                        let cases = cases.iter().filter_map(label);
                        label(default).into_iter().chain(cases).collect()
                    }
                }
            }
            _ => Vec::new(),
        }
    }

    fn known(&self, id: Word) -> Option<Known> {
        let id = self.latest(id);
        let known = self.known.get(&id);
        known.or_else(|| self.all.globals.known.get(&id)).copied()
    }

    fn latest(&self, mut id: Word) -> Word {
        while let Some(&same) = self.same.get(&id) {
            id = same;
        }
        id
    }

    /// Notes what is known of an instruction's result.
    fn value(&mut self, at: usize, inst: &Instruction) {
        let (Some(ty), Some(id)) = (inst.result_type, inst.result_id) else {
            return;
        };
        let scalars = &self.all.globals.scalars;
        let folded = match inst.class.opcode {
            Op::Phi => self.phi(at, inst),
            _ => fold(inst, scalars.get(&ty).copied(), |id| {
                let known = self.known(id)?;
                Some((*scalars.get(&known.ty)?, known.bits))
            }),
        };
        match folded {
            Some(Folded::Known(bits)) => {
                self.known.insert(id, Known { ty, bits });
            }
            Some(Folded::Same(other)) if self.latest(other) != id => {
                self.same.insert(id, self.latest(other));
            }
            _ => {}
        }
    }

    /// The value of a phi if all reached predecessors pass the same one.
    fn phi(&self, at: usize, inst: &Instruction) -> Option<Folded> {
        // The value of the next round is not known yet.
        if self.nodes[at].next.is_some() {
            return None;
        }
        let arriving = self.arriving(at, inst);
        let mut values = arriving.iter().map(|pair| self.latest(pair.0));
        let first = values.next()?;
        let alike =
            |id: Word| id == first || self.known(id).is_some_and(|k| self.known(first) == Some(k));
        values.all(alike).then_some(Folded::Same(first))
    }

    /// The values that a phi gets from reached predecessors, with their labels.
    fn arriving(&self, at: usize, inst: &Instruction) -> Vec<(Word, Word)> {
        let ids = inst.operands.iter().filter_map(Operand::id_ref_any);
        let ids: Vec<Word> = ids.collect();
        let pairs = ids.chunks_exact(2).map(|pair| (pair[0], pair[1]));
        let from = &self.nodes[at].from;
        let comes = |label: &Word| self.index.get(label).is_some_and(|at| from.contains(at));
        pairs.filter(|pair| comes(&pair.1)).collect()
    }

    /// Finds the constructs that stay. A header comes before those nested in its construct.
    fn keep(&mut self) {
        for at in (0..self.nodes.len()).rev() {
            let node = &self.nodes[at];
            let Some(merge) = node.merge.filter(|_| node.reached) else {
                continue;
            };
            let exits = self.index.get(&merge).map(|&merge| &self.nodes[merge].from);
            let nested = |&from: &usize| {
                let around = |&inner: &usize| self.nodes[inner].around;
                let constructs = std::iter::successors(self.nodes[from].around, around);
                let mut inner = constructs.take_while(|&inner| inner != at);
                from != at && inner.any(|inner| self.nodes[inner].kept)
            };
            let is_left = || exits.into_iter().flatten().any(nested);
            self.nodes[at].kept = node.chosen.is_none() || is_left();
        }
    }

    fn renamed(&mut self, mut inst: Instruction) -> Instruction {
        for operand in &mut inst.operands {
            if let Some(id) = operand.id_ref_any_mut() {
                *id = self.name(*id);
            }
        }
        let new = |id: Word| self.names.get(&id).copied().unwrap_or(id);
        inst.result_id = inst.result_id.map(new);
        inst
    }

    /// The id of a value in the copy.
    fn name(&mut self, id: Word) -> Word {
        let id = self.latest(id);
        if let Some(&known) = self.known.get(&id) {
            return self.all.globals.constant(&mut self.all.bound, known);
        }
        self.names.get(&id).copied().unwrap_or(id)
    }

    /// The merge blocks of the constructs that stay.
    fn merges(&self) -> impl Iterator<Item = Word> {
        let stay = self.nodes.iter().filter(|node| node.reached && node.kept);
        stay.filter_map(|node| node.merge)
    }

    /// Copies a block. A block that is not reached becomes an unreachable one without instructions.
    fn block(&mut self, at: usize) -> Option<Block> {
        let source = &self.blocks[at];
        let mut block = Block {
            label: source.label.clone().map(|label| self.renamed(label)),
            instructions: Vec::new(),
        };
        if !self.nodes[at].reached {
            let end = Instruction::new(Op::Unreachable, None, None, vec![]);
            block.instructions.push(end);
            return Some(block);
        }
        for inst in &source.instructions {
            let gone = |id: Word| self.known.contains_key(&id) || self.same.contains_key(&id);
            if !inst.result_id.is_some_and(gone) {
                let new = self.instruction(at, inst)?;
                block.instructions.extend(new);
            }
        }
        Some(block)
    }

    /// Copies an instruction. `Some(None)` if it is not needed.
    fn instruction(&mut self, at: usize, inst: &Instruction) -> Option<Option<Instruction>> {
        let node = &self.nodes[at];
        let mut inst = inst.clone();
        match (inst.class.opcode, node.chosen) {
            (Op::Phi, _) => {
                let arriving = self.arriving(at, &inst);
                inst.operands = arriving
                    .into_iter()
                    .flat_map(|(value, from)| [value, from].map(Operand::IdRef))
                    .collect();
                if inst.operands.is_empty() {
                    inst = Instruction::new(Op::Undef, inst.result_type, inst.result_id, vec![]);
                }
            }
            (Op::SelectionMerge, Some(_)) if !node.kept => return Some(None),
            (Op::BranchConditional | Op::Switch, Some(target)) => {
                let target = Operand::IdRef(target);
                inst = match node.kept {
                    false => Instruction::new(Op::Branch, None, None, vec![target]),
                    true => {
                        let zero = Known {
                            ty: self.all.globals.word?,
                            bits: 0,
                        };
                        let zero = self.all.globals.constant(&mut self.all.bound, zero);
                        let operands = vec![Operand::IdRef(zero), target];
                        Instruction::new(Op::Switch, None, None, operands)
                    }
                };
            }
            (Op::FunctionCall, _) => {
                let ids: Vec<Word> = inst
                    .operands
                    .iter()
                    .filter_map(Operand::id_ref_any)
                    .collect();
                let (callee, arguments) = ids.split_first()?;
                let arguments = arguments.iter().map(|&id| self.known(id)).collect();
                let callee = self.all.copy(*callee, arguments)?;
                let mut inst = self.renamed(inst);
                inst.operands[0] = Operand::IdRef(callee);
                return Some(Some(inst));
            }
            _ => {}
        }
        Some(Some(self.renamed(inst)))
    }
}
