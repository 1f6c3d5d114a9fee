//! Which objects a private or local pointer may point to.
//!
//! Algorithm: each pointer value has a set of roots; sets flow along the tree (copies, selects,
//! region results and parameters) until nothing changes. A value with several roots, or one of
//! unknown origin, is a frame pointer, and its roots escape into the frame; so do those whose
//! address leaves the function's values.

use std::collections::{BTreeSet, HashSet};

use crate::ir::{Addr, CastOp, Function, GlobalId, Op, Region, Space, Value, space_of};
use crate::quick::QuickMap;

/// An object with an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Root {
    Alloca(Value),
    /// A __local variable.
    Global(GlobalId),
}

/// What a pointer's offset counts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reach {
    One(Root),
    Frame(Space),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Set {
    roots: BTreeSet<Root>,
    unknown: bool,
}

/// The result for one function.
#[derive(Debug, Default)]
pub struct Roots {
    /// Index of the function.
    pub func: usize,
    sets: QuickMap<Value, Set>,
    pub escaped: HashSet<Root>,
    /// Size and alignment of each alloca.
    pub allocas: QuickMap<Value, (u32, u32)>,
    /// What loads, stores and atomics go to.
    pub accessed: BTreeSet<Reach>,
    /// Local objects lie in the frame even if every access knows its object.
    pub frames_local: bool,
    spaces: QuickMap<Value, Space>,
}

impl Roots {
    /// Where the memory behind a pointer lies. `None`: not a private or local pointer.
    pub fn reach(&self, v: Value) -> Option<Reach> {
        match self.object(v)? {
            Reach::One(Root::Global(_)) if self.frames_local => Some(Reach::Frame(Space::Local)),
            reach => Some(reach),
        }
    }

    /// The one object that a pointer points into, else the frame. `None`: not a private or local pointer.
    pub fn object(&self, v: Value) -> Option<Reach> {
        let space = *self.spaces.get(&v)?;
        let frame = Reach::Frame(space);
        let Some(set) = self.sets.get(&v) else {
            return Some(frame);
        };
        Some(match (set.unknown, set.roots.first()) {
            (false, Some(&root)) if set.roots.len() == 1 && !self.escaped.contains(&root) => {
                Reach::One(root)
            }
            _ => frame,
        })
    }

    /// All that lies in a frame.
    pub fn framed(&self) -> BTreeSet<Root> {
        let mut framed: BTreeSet<Root> = self.escaped.iter().copied().collect();
        if self.frames_local {
            let all = self.sets.values().flat_map(|set| set.roots.iter());
            framed.extend(all.filter(|root| matches!(root, Root::Global(_))));
        }
        framed
    }

    pub fn reaches_frame(&self, space: Space) -> bool {
        self.accessed.contains(&Reach::Frame(space))
            || self.escaped.iter().any(|r| match r {
                Root::Alloca(_) => space == Space::Private,
                Root::Global(_) => space == Space::Local,
            })
    }
}

pub fn find(index: usize, func: &Function, spaces: &[Space]) -> Roots {
    let mut roots = Roots {
        func: index,
        ..Roots::default()
    };
    for (i, &ty) in func.values.iter().enumerate() {
        if let Some(space @ (Space::Private | Space::Local)) = space_of(ty) {
            roots.spaces.insert(Value(i as u32), space);
        }
    }
    let Some(body) = &func.body else { return roots };
    for &param in &func.params {
        roots.unknown(param);
    }
    let mut flow = Flow {
        roots: &mut roots,
        spaces,
        changed: true,
    };
    while flow.changed {
        flow.changed = false;
        flow.region(body, &mut Vec::new());
    }
    let merged = roots
        .sets
        .values()
        .filter(|s| s.unknown || s.roots.len() > 1);
    let merged: Vec<Root> = merged.flat_map(|s| s.roots.iter().copied()).collect();
    roots.escaped.extend(merged);
    roots
}

impl Roots {
    fn unknown(&mut self, v: Value) {
        if self.spaces.contains_key(&v) {
            self.sets.entry(v).or_default().unknown = true;
        }
    }
}

/// The instruction around the current region, for yields and breaks.
enum Around<'r> {
    If(&'r [Value]),
    Switch(&'r [Value]),
    Loop {
        results: &'r [Value],
        params: &'r [Value],
    },
}

struct Flow<'a> {
    roots: &'a mut Roots,
    spaces: &'a [Space],
    changed: bool,
}

impl Flow<'_> {
    fn set(&mut self, v: Value, add: &Set) {
        let set = self.roots.sets.entry(v).or_default();
        let before = (set.roots.len(), set.unknown);
        set.roots.extend(add.roots.iter().copied());
        set.unknown |= add.unknown;
        self.changed |= before != (set.roots.len(), set.unknown);
    }

    fn root(&mut self, v: Value, root: Root) {
        self.set(
            v,
            &Set {
                roots: [root].into(),
                unknown: false,
            },
        );
    }

    fn unknown(&mut self, v: Value) {
        if self.roots.spaces.contains_key(&v) {
            self.set(
                v,
                &Set {
                    roots: BTreeSet::new(),
                    unknown: true,
                },
            );
        }
    }

    fn copy(&mut self, to: Value, from: Value) {
        if !self.roots.spaces.contains_key(&to) {
            return;
        }
        if let Some(set) = self.roots.sets.get(&from).cloned() {
            self.set(to, &set);
        }
    }

    fn copies(&mut self, to: &[Value], from: &[Value]) {
        for (&to, &from) in to.iter().zip(from) {
            self.copy(to, from);
        }
    }

    /// The address of `v` leaves the values of this function.
    fn escape(&mut self, v: Value) {
        if let Some(set) = self.roots.sets.get(&v) {
            let roots = set.roots.clone();
            self.roots.escaped.extend(roots);
        }
    }

    fn region<'r>(&mut self, region: &'r Region, around: &mut Vec<Around<'r>>) {
        for inst in &region.insts {
            match &inst.op {
                Op::Alloca { size, align } => {
                    self.roots.allocas.insert(inst.results[0], (*size, *align));
                    self.root(inst.results[0], Root::Alloca(inst.results[0]));
                }
                Op::GlobalAddr(g) if self.spaces[g.index()] == Space::Local => {
                    self.root(inst.results[0], Root::Global(*g));
                }
                Op::PtrAdd(base, _) => self.copy(inst.results[0], *base),
                Op::Select(_, a, b) => {
                    self.copy(inst.results[0], *a);
                    self.copy(inst.results[0], *b);
                }
                Op::Undef => {}
                Op::If(_, then, other) => {
                    for r in [then, other] {
                        around.push(Around::If(&inst.results));
                        self.region(r, around);
                        around.pop();
                    }
                }
                Op::Switch { .. } => {
                    for r in inst.op.regions() {
                        around.push(Around::Switch(&inst.results));
                        self.region(r, around);
                        around.pop();
                    }
                }
                Op::Loop { init, body, .. } => {
                    self.copies(&body.params, init);
                    around.push(Around::Loop {
                        results: &inst.results,
                        params: &body.params,
                    });
                    self.region(body, around);
                    around.pop();
                }
                Op::Yield(values) => {
                    if let Some(Around::If(results) | Around::Switch(results)) = around.last() {
                        let results = *results;
                        self.copies(results, values);
                    }
                }
                Op::Break(values) => {
                    let target = around.iter().rev().find_map(|a| match a {
                        Around::If(_) => None,
                        Around::Switch(r) | Around::Loop { results: r, .. } => Some(*r),
                    });
                    self.copies(target.unwrap_or(&[]), values);
                }
                Op::Continue(values) => {
                    let target = around.iter().rev().find_map(|a| match a {
                        Around::Loop { params, .. } => Some(*params),
                        _ => None,
                    });
                    self.copies(target.unwrap_or(&[]), values);
                }
                Op::Load { .. } | Op::Atomic { .. } | Op::Const(_) => {
                    inst.results.iter().for_each(|&r| self.unknown(r));
                    if let Op::Atomic { args, .. } = &inst.op {
                        args.iter().for_each(|&v| self.escape(v));
                    }
                }
                Op::Store { value, .. } => self.escape(*value),
                Op::Compare(..) => {}
                op => {
                    inst.results.iter().for_each(|&r| self.unknown(r));
                    op.for_each_operand(|v| self.escape(v));
                }
            }
        }
    }
}

/// Finds what is accessed, once it is known what lies in the frames.
pub fn note_accesses(func: &Function, roots: &mut Roots) {
    let Some(body) = &func.body else { return };
    let mut accessed = BTreeSet::new();
    crate::ir::util::walk(body, &mut |inst| {
        if let Op::Load {
            addr: Addr::Ptr(p), ..
        }
        | Op::Store {
            addr: Addr::Ptr(p), ..
        }
        | Op::Atomic {
            addr: Addr::Ptr(p), ..
        } = &inst.op
            && let Some(reach) = roots.reach(*p)
        {
            accessed.insert(reach);
        }
        // A cast to an integer or another space keeps the frame alive.
        if let Op::Cast(CastOp::IntToPtr | CastOp::PtrToInt | CastOp::SpaceCast, _) = inst.op {
            for v in &inst.results {
                accessed.extend(roots.reach(*v).filter(|r| matches!(r, Reach::Frame(_))));
            }
        }
    });
    roots.accessed = accessed;
}
