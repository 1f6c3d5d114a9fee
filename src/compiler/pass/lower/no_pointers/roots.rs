//! Which objects a private or local pointer may point to.
//!
//! Algorithm: each pointer value has a set of roots; sets flow along the tree (copies, selects,
//! region results and parameters) until nothing changes. A value with several roots, or one of
//! unknown origin, is a frame pointer, and its roots escape into the frame; so do those whose
//! address leaves the function's values.

use std::collections::{BTreeSet, HashSet};

use crate::ir::flow::{self, Analysis, Facts};
use crate::ir::{Addr, CastOp, Function, GlobalId, Inst, Op, Space, Type, Value, space_of};
use rustc_hash::FxHashMap;

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
    /// By value; empty for all that are no private or local pointers.
    sets: Vec<Set>,
    pub escaped: HashSet<Root>,
    /// Size and alignment of each alloca.
    pub allocas: FxHashMap<Value, (u32, u32)>,
    /// What loads, stores and atomics go to.
    pub accessed: BTreeSet<Reach>,
    /// Local objects lie in the frame even if every access knows its object.
    pub frames_local: bool,
    /// By value: the space, if it is a private or local pointer.
    spaces: Vec<Option<Space>>,
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
        let frame = Reach::Frame((*self.spaces.get(v.index())?)?);
        let Some(set) = self.sets.get(v.index()) else {
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
            let all = self.sets.iter().flat_map(|set| set.roots.iter());
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
    let local = |ty: &Type| space_of(*ty).filter(|s| matches!(s, Space::Private | Space::Local));
    roots.spaces = func.values.iter().map(local).collect();
    let Some(body) = &func.body else { return roots };
    let mut pointees = Pointees {
        globals: spaces,
        spaces: &roots.spaces,
        escaped: HashSet::new(),
        allocas: FxHashMap::default(),
    };
    roots.sets = flow::solve(&mut pointees, func, body, &Set::unknown());
    (roots.escaped, roots.allocas) = (pointees.escaped, pointees.allocas);
    let merged = roots.sets.iter().filter(|s| s.unknown || s.roots.len() > 1);
    let merged = merged.flat_map(|s| s.roots.iter().copied());
    roots.escaped.extend(merged);
    roots
}

impl Set {
    fn unknown() -> Set {
        Set {
            roots: BTreeSet::new(),
            unknown: true,
        }
    }

    fn one(root: Root) -> Set {
        Set {
            roots: [root].into(),
            unknown: false,
        }
    }
}

struct Pointees<'a> {
    /// Of each global variable.
    globals: &'a [Space],
    /// By value.
    spaces: &'a [Option<Space>],
    escaped: HashSet<Root>,
    allocas: FxHashMap<Value, (u32, u32)>,
}

impl Pointees<'_> {
    /// The address of `v` leaves the values of this function.
    fn escape(&mut self, v: Value, facts: &Facts<Set>) {
        self.escaped.extend(facts.get(v).roots.iter().copied());
    }
}

impl Analysis for Pointees<'_> {
    type Fact = Set;

    fn concerns(&self, v: Value) -> bool {
        self.spaces[v.index()].is_some()
    }

    fn join(&mut self, v: Value, set: &mut Set, more: &Set) -> bool {
        if !self.concerns(v) {
            return false;
        }
        let before = (set.roots.len(), set.unknown);
        set.roots.extend(more.roots.iter().copied());
        set.unknown |= more.unknown;
        before != (set.roots.len(), set.unknown)
    }

    fn transfer(&mut self, inst: &Inst, facts: &mut Facts<Set>) {
        let results = &inst.results[..];
        match &inst.op {
            Op::Alloca { size, align } => {
                self.allocas.insert(results[0], (*size, *align));
                facts.add(self, results[0], &Set::one(Root::Alloca(results[0])));
                return;
            }
            Op::GlobalAddr(g) if self.globals[g.index()] == Space::Local => {
                facts.add(self, results[0], &Set::one(Root::Global(*g)));
                return;
            }
            Op::PtrAdd(base, _) => return facts.copy(self, results[0], *base),
            Op::Select(_, a, b) => {
                facts.copy(self, results[0], *a);
                facts.copy(self, results[0], *b);
                return;
            }
            Op::Store { value, .. } => return self.escape(*value, facts),
            Op::Undef | Op::Compare(..) => return,
            Op::Load { .. } | Op::Const(_) => {}
            Op::Atomic { args, .. } => args.iter().for_each(|&v| self.escape(v, facts)),
            op => op.for_each_operand(|v| self.escape(v, facts)),
        }
        for &v in results {
            facts.add(self, v, &Set::unknown());
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
