//! Removes stores of what is stored over before anybody may load it.
//!
//! `a[i] += x; a[i] *= y` stores twice; the load between them is known since, and drivers, which do not know of what else may be
//! there, keep both.
//!
//! Algorithm: forwards over each region. A store waits until a load may need it, something meets other work-items,
//! or the region ends or branches. One that stores to all of its bytes before that removes it.
//!
//! Needs: values in the place of loads of what was stored. Keeps the stage.

use super::alias::Place;
use crate::diag::Sink;
use crate::ir::defs::Defs;
use crate::ir::{Function, Inst, Module, Op, Region};
use crate::pass::{Ctx, each_function};
use rustc_hash::FxHashSet;

/// Stores that wait, since each is compared with each access.
const MAX_WAITING: usize = 32;

pub fn run(module: &mut Module, _: &Ctx, _: &mut Sink) {
    each_function(module, |func, _| {
        let Some(mut body) = func.body.take() else {
            return;
        };
        let mut finder = Finder::default();
        finder.region(func, &body, &Defs::of(func, &body));
        if !finder.dead.is_empty() {
            remove(&mut body, &finder.dead, &mut 0);
        }
        func.body = Some(body);
    });
}

#[derive(Default)]
struct Finder {
    /// Stores so far.
    number: usize,
    /// By number.
    waiting: Vec<(usize, Place)>,
    dead: FxHashSet<usize>,
}

impl Finder {
    fn region(&mut self, func: &Function, region: &Region, defs: &Defs<&Inst>) {
        for inst in &region.insts {
            match inst.op {
                Op::Load { addr, .. } => {
                    let place = Place::new(addr, func.ty(inst.results[0]), func, defs);
                    self.waiting.retain(|(_, other)| !other.may_overlap(&place));
                }
                Op::Store {
                    addr,
                    value,
                    volatile,
                    ..
                } => {
                    let place = Place::new(addr, func.ty(value), func, defs);
                    self.store(place, volatile);
                }
                ref op if op.touches_memory() || op.is_control() => self.waiting.clear(),
                _ => {}
            }
            for nested in inst.op.regions() {
                self.region(func, nested, defs);
            }
        }
        self.waiting.clear();
    }

    fn store(&mut self, place: Place, volatile: bool) {
        let stored_over = |(_, other): &mut (usize, Place)| other.is_within(&place);
        let dead = self.waiting.extract_if(.., stored_over);
        self.dead.extend(dead.map(|(number, _)| number));
        if !volatile {
            if self.waiting.len() == MAX_WAITING {
                self.waiting.remove(0);
            }
            self.waiting.push((self.number, place));
        }
        self.number += 1;
    }
}

fn remove(region: &mut Region, dead: &FxHashSet<usize>, number: &mut usize) {
    region.insts.retain_mut(|inst| {
        for nested in inst.op.regions_mut() {
            remove(nested, dead, number);
        }
        let is_store = matches!(inst.op, Op::Store { .. });
        *number += usize::from(is_store);
        !(is_store && dead.contains(&(*number - 1)))
    });
}
