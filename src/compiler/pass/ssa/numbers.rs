//! Numbers of what instructions compute: those that compute the same of the same have one. For passes that move what several places compute.

use rustc_hash::FxHashMap;

use super::simplify;
use crate::ir::util::walk_mut;
use crate::ir::{FastMath, Op, Region, Type, Value};

/// What some instructions compute.
pub struct Number<T> {
    /// The first of them, with operands that all of them see.
    pub op: Op,
    fast: FastMath,
    pub result: Value,
    pub data: T,
    /// Places that compute it, and the last of them.
    pub places: usize,
    last: Option<usize>,
}

impl<T> Number<T> {
    /// Counts a place; false if it has been counted.
    pub fn count_at(&mut self, place: usize) -> bool {
        let new = self.last != Some(place);
        self.places += usize::from(new);
        self.last = Some(place);
        new
    }
}

pub struct Numbers<T> {
    pub all: Vec<Number<T>>,
    by_hash: FxHashMap<u64, Vec<usize>>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Numbers {
            all: Vec::new(),
            by_hash: FxHashMap::default(),
        }
    }
}

impl<T> Numbers<T> {
    /// The number of what the instruction of a result computes, a new one with this data if there is any.
    pub fn find(
        &mut self,
        op: Op,
        result: Value,
        fast: FastMath,
        types: &[Type],
        data: Option<T>,
    ) -> Option<usize> {
        let ty = types[result.index()];
        let same = self
            .by_hash
            .entry(simplify::hash(&op, ty, fast))
            .or_default();
        let equal = |&n: &usize| {
            let number = &self.all[n];
            number.op == op && number.fast == fast && types[number.result.index()] == ty
        };
        if let Some(n) = same.iter().copied().find(equal) {
            return Some(n);
        }
        let data = data?;
        same.push(self.all.len());
        self.all.push(Number {
            op,
            fast,
            result,
            data,
            places: 0,
            last: None,
        });
        Some(self.all.len() - 1)
    }
}

/// What replaces a value.
#[derive(Default)]
pub struct Replaced(FxHashMap<Value, Value>);

impl Replaced {
    pub fn insert(&mut self, old: Value, new: Value) {
        self.0.insert(old, new);
    }

    /// What replaces a value may have been replaced later, in front of the branch around.
    pub fn resolve(&self, mut v: Value) -> Value {
        while let Some(&new) = self.0.get(&v) {
            v = new;
        }
        v
    }

    pub fn carry_out(&self, body: &mut Region) {
        if !self.0.is_empty() {
            walk_mut(body, &mut |inst| {
                inst.op.for_each_operand_mut(|v| *v = self.resolve(*v));
            });
        }
    }
}
