//! `goto` and the lives of objects.
//!
//! A jump ends the objects that are alive where it stands and not at its label. A label may follow its
//! jumps, so that each jump ends every object under a condition of its own: a local variable, which
//! the beginning of the function sets when all labels are known. Optimization leaves nothing of it.

use super::super::Sema;
use super::super::tree::{Init, LocalId, Stmt, StmtKind};
use super::super::types::{Prim, QualTy};
use crate::source::SourceLoc;

/// A block, how many of its objects are alive and have destructors, and how many of its variables have begun.
pub type Alive = (u32, usize, u32);

#[derive(Debug)]
pub struct Jump {
    label: u32,
    blocks: Vec<Alive>,
    /// What says whether an object ends; its block and number.
    ends: Vec<(LocalId, u32, usize)>,
    loc: SourceLoc,
}

impl Sema<'_> {
    fn alive(&self) -> Vec<Alive> {
        let blocks = self.cur.iter().flat_map(|f| &f.cxx.cleanups);
        blocks.map(|b| (b.number, b.items.len(), b.begun)).collect()
    }

    /// A variable has begun that no jump may leave out.
    pub(super) fn begun(&mut self) {
        let blocks = self.cur.as_mut().map(|f| &mut f.cxx.cleanups);
        if let Some(block) = blocks.and_then(|blocks| blocks.last_mut()) {
            block.begun += 1;
        }
    }

    /// At a label of a switch no variable of its body may have begun.
    pub fn at_case(&mut self, loc: SourceLoc) {
        let blocks = self.cur.iter().flat_map(|f| f.cxx.cleanups.iter().rev());
        let mut inside = 0;
        for block in blocks {
            inside += block.begun;
            if block.kind == super::BlockKind::Switch {
                if inside > 0 {
                    self.error(loc, "cannot jump from switch statement to this case label");
                }
                return;
            }
        }
    }

    /// What ends before a jump to a label.
    pub fn before_goto(&mut self, label: u32, loc: SourceLoc, out: &mut Vec<Stmt>) {
        if self.cxx.is_none() {
            return;
        }
        let bool = self.types.prim(Prim::Bool);
        let blocks = self.alive();
        let mut ends = Vec::new();
        for &(number, count, _) in blocks.iter().rev() {
            for index in (0..count).rev() {
                let Some(f) = &mut self.cur else { return };
                let block = f.cxx.cleanups.iter().find(|b| b.number == number);
                let Some(item) = block.map(|b| b.items[index].clone()) else {
                    continue;
                };
                let flag = f.new_local("".into(), QualTy::plain(bool), 1, loc);
                ends.push((flag, number, index));
                let mut destroyed = Vec::new();
                self.clean_up(&[item], &mut destroyed);
                let cond = self.flag_value(flag, loc);
                let kind = StmtKind::If(cond, destroyed, Vec::new());
                out.push(Stmt { kind, loc });
            }
        }
        if let Some(f) = &mut self.cur {
            f.cxx.jumps.push(Jump {
                label,
                blocks,
                ends,
                loc,
            });
        }
    }

    pub fn at_label(&mut self, label: u32) {
        let alive = self.alive();
        if let Some(f) = &mut self.cur {
            f.cxx.labels.insert(label, alive);
        }
    }

    /// The end of a function: says at its beginning which objects its jumps end.
    pub(super) fn resolve_jumps(&mut self, body: &mut Vec<Stmt>) {
        let Some(f) = &mut self.cur else { return };
        let jumps = std::mem::take(&mut f.cxx.jumps);
        let labels = std::mem::take(&mut f.cxx.labels);
        let mut first = Vec::new();
        for jump in jumps {
            let loc = jump.loc;
            let Some(there) = labels.get(&jump.label) else {
                continue;
            };
            let count = |blocks: &[Alive], number: u32| {
                let found = blocks.iter().find(|b| b.0 == number);
                found.map_or((0, 0), |b| (b.1, b.2))
            };
            let later = |&(block, items, begun): &Alive| {
                let (known, before) = count(&jump.blocks, block);
                items > known || begun > before
            };
            if there.iter().any(later) {
                self.error(loc, "cannot jump from this goto statement to its label");
                continue;
            }
            for (flag, block, index) in jump.ends {
                let ends = index >= count(there, block).0;
                let value = self.int_const(i64::from(ends), Prim::Bool, loc);
                let kind = StmtKind::Local(flag, Some(Init::Value(Box::new(value))));
                first.push(Stmt { kind, loc });
            }
        }
        body.splice(0..0, first);
    }
}
