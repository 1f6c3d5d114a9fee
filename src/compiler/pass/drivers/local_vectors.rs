//! Adjacent scalars of local memory are loaded and stored together, as vectors.
//!
//! NVIDIA's compiler of Vulkan makes an access of each scalar of local memory, where its compiler of OpenCL makes one of four whose
//! place is a multiple of 16 bytes. It leaves whole vectors as they are.
//!
//! Algorithm: an object of scalars of 32 bits becomes one of vectors of four if that saves more accesses than it makes
//! accesses to a lane that is not known. Between two loads of a vector nothing writes to the object; between the stores of its
//! four scalars, of which the last stores all, nothing else may access it. All other accesses name
//! their scalar: a lane of a vector (`ir::Addr::Object`).
//!
//! Needs: what is emitted. Behind all that compares addresses, which here count vectors or scalars.

use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::defs::Defs;
use crate::ir::util::{EXPECTED_ROUNDS, rewrite};
use crate::ir::{
    Addr, BinOp, CastOp, Function, GlobalId, Inst, Len, Module, Object, ObjectId, Op, Region,
    Space, Type, Value,
};
use crate::kernel::ArgKind;
use crate::pass::{Ctx, each_function};
use rustc_hash::{FxHashMap, FxHashSet};

/// Scalars of a vector, as a power of two.
const LOG_LANES: u32 = 2;
const LANES: i64 = 1 << LOG_LANES;
/// Definitions that are looked at for what a value is a multiple of.
const MAX_DEPTH: u32 = 8;
/// In how many loops at most an access counts more than outside.
const MAX_LOOPS: u32 = 4;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if !ctx.target.separates_local_loads {
        return;
    }
    let shared = shared(&module.funcs);
    each_function(module, |func, _| {
        let Some(body) = &func.body else { return };
        let mut plan = Plan::of(func, body, &shared);
        plan.region(body, 0);
        let Plan { gains, quads, .. } = plan;
        let gained = gains.into_iter().filter(|(_, gain)| *gain > 0);
        let chosen: FxHashSet<ObjectId> = gained.map(|(object, _)| object).collect();
        if !chosen.is_empty() {
            carry_out(func, &chosen, &quads);
        }
    });
}

/// Variables that several functions access: all would have to agree.
fn shared(funcs: &[Function]) -> FxHashSet<GlobalId> {
    let all = funcs.iter().flat_map(|f| &f.objects);
    let mut seen = FxHashSet::default();
    all.filter_map(|o| o.global)
        .filter(|g| !seen.insert(*g))
        .collect()
}

/// A scalar of four that are accessed together.
#[derive(Clone, Copy)]
struct Quad {
    number: usize,
    /// Scalars from `base`, which is a multiple of four, or from the first; a multiple of four.
    base: Option<Value>,
    offset: i64,
    /// Which of them the access is of.
    lane: u8,
    /// No other access to the four comes behind it.
    last: bool,
}

/// Accesses to an object from one base, between which no other can matter: the number of each, and its distance.
type Run = Vec<(usize, i64)>;
type Runs = FxHashMap<(ObjectId, Option<Value>), Run>;

struct Plan<'f> {
    defs: Defs<&'f Inst>,
    /// What the parameters of loops may be.
    sources: FxHashMap<Value, Vec<Value>>,
    /// Objects that may become vectors: with the accesses that this saves, less those that it makes dearer.
    gains: FxHashMap<ObjectId, i64>,
    loads: Runs,
    stores: Runs,
    /// By the number of an access among all loads and stores of the function.
    quads: FxHashMap<usize, Quad>,
    accesses: usize,
    number: usize,
}

impl<'f> Plan<'f> {
    fn of(func: &'f Function, body: &'f Region, shared: &FxHashSet<GlobalId>) -> Plan<'f> {
        let layout = func.kernel.as_ref().and_then(|k| k.layout.as_ref());
        let is_argument = |len| {
            let mut kinds = layout.iter().flat_map(|l| &l.args).map(|arg| arg.kind);
            kinds.any(
                |kind| matches!(kind, ArgKind::Local { spec_id, .. } if Len::Spec(spec_id) == len),
            )
        };
        let fits = |&(_, object): &(usize, &Object)| {
            let sized = matches!(object.len, Len::Const(_)) || is_argument(object.len);
            let own = object.global.is_none_or(|g| !shared.contains(&g));
            let word = matches!(object.elem, Type::I32 | Type::F32);
            object.space == Space::Local && word && sized && own
        };
        let fitting = func.objects.iter().enumerate().filter(fits);
        let mut sources = FxHashMap::default();
        note_sources(body, &mut Vec::new(), &mut sources);
        Plan {
            defs: Defs::of(func, body),
            sources,
            gains: fitting.map(|(i, _)| (ObjectId(i as u32), 0)).collect(),
            loads: Runs::default(),
            stores: Runs::default(),
            quads: FxHashMap::default(),
            accesses: 0,
            number: 0,
        }
    }

    fn region(&mut self, region: &'f Region, loops: u32) {
        let weight = i64::from(EXPECTED_ROUNDS.pow(loops.min(MAX_LOOPS)));
        for inst in &region.insts {
            let access = self.accesses;
            self.accesses += usize::from(matches!(inst.op, Op::Load { .. } | Op::Store { .. }));
            match inst.op {
                Op::Load {
                    addr: Addr::Object(object, index),
                    volatile,
                    ..
                }
                | Op::Store {
                    addr: Addr::Object(object, index),
                    volatile,
                    ..
                } if self.gains.contains_key(&object) => {
                    let stores = matches!(inst.op, Op::Store { .. });
                    let place = self.place(index);
                    // Stores that may write what is accessed stay in front of it.
                    self.end_stores(weight, |key, run| {
                        let apart = |(base, offset): (Option<Value>, i64)| {
                            base == key.1 && run.iter().all(|store| store.1 != offset)
                        };
                        key.0 == object && !place.is_some_and(apart)
                    });
                    if stores || volatile {
                        self.end_loads(weight, |written| written == object);
                    }
                    match place {
                        None => self.count(object, -weight),
                        Some(_) if volatile => {}
                        Some((base, offset)) => {
                            let runs = if stores {
                                &mut self.stores
                            } else {
                                &mut self.loads
                            };
                            let run = runs.entry((object, base)).or_default();
                            run.push((access, offset));
                        }
                    }
                }
                Op::Load { .. } | Op::Store { .. } => {}
                Op::Atomic {
                    addr: Addr::Object(object, _),
                    ..
                } => {
                    self.gains.remove(&object);
                    self.end(weight);
                }
                ref op if op.touches_memory() || op.is_control() => self.end(weight),
                _ => {}
            }
            let inside = loops + u32::from(matches!(inst.op, Op::Loop { .. }));
            for nested in inst.op.regions() {
                self.region(nested, inside);
            }
        }
        self.end(weight);
    }

    fn count(&mut self, object: ObjectId, gain: i64) {
        if let Some(sum) = self.gains.get_mut(&object) {
            *sum += gain;
        }
    }

    /// Something may write to all objects, and read them.
    fn end(&mut self, weight: i64) {
        self.end_loads(weight, |_| true);
        self.end_stores(weight, |_, _| true);
    }

    /// Something may write to these objects: loads in front of it are no longer moved together.
    fn end_loads(&mut self, weight: i64, written: impl Fn(ObjectId) -> bool) {
        let ended: Vec<_> = self.loads.extract_if(|key, _| written(key.0)).collect();
        for ((object, base), run) in ended {
            self.join(object, base, run, weight, |loads| loads > 1);
        }
    }

    /// Stores of the runs that `ends` picks are no longer moved together.
    fn end_stores(&mut self, weight: i64, ends: impl Fn((ObjectId, Option<Value>), &Run) -> bool) {
        let ended: Vec<_> = self.stores.extract_if(|key, run| ends(*key, run)).collect();
        for ((object, base), run) in ended {
            self.join(object, base, run, weight, |stores| stores == LANES);
        }
    }

    /// Makes vectors of the accesses, where of so many it can be one.
    fn join(
        &mut self,
        object: ObjectId,
        base: Option<Value>,
        mut run: Run,
        weight: i64,
        fits: impl Fn(i64) -> bool,
    ) {
        run.sort_by_key(|access| access.1);
        for quad in run.chunk_by(|a, b| a.1.div_euclid(LANES) == b.1.div_euclid(LANES)) {
            let count = quad.len() as i64;
            if !fits(count) {
                continue;
            }
            self.count(object, weight * (count - 1));
            let last = quad.iter().map(|access| access.0).max();
            for &(access, offset) in quad {
                let lane = offset.rem_euclid(LANES);
                let quad = Quad {
                    number: self.number,
                    base,
                    offset: offset - lane,
                    lane: lane as u8,
                    last: last == Some(access),
                };
                self.quads.insert(access, quad);
            }
            self.number += 1;
        }
    }

    /// A multiple of four and the distance from it, if the lane is known.
    fn place(&self, index: Value) -> Option<(Option<Value>, i64)> {
        let signed = |bits| i64::from(bits as i32);
        if let Some(offset) = self.defs.constant(index) {
            return Some((None, signed(offset)));
        }
        let (base, offset) = self.defs.plus_constant(index).unwrap_or((index, 0));
        let aligned = self.zeros(base, MAX_DEPTH, &mut Vec::new()) >= LOG_LANES;
        aligned.then_some((Some(base), signed(offset)))
    }

    /// Low bits that are known to be zero, up to [`LOG_LANES`]. `open`: parameters of loops that are taken for multiples, since
    /// what is being found out is whether they stay such.
    fn zeros(&self, v: Value, depth: u32, open: &mut Vec<Value>) -> u32 {
        if depth == 0 {
            return 0;
        }
        if open.contains(&v) {
            return LOG_LANES;
        }
        let mut of = |v| self.zeros(v, depth - 1, open);
        let zeros = match self.defs.op(v) {
            Some(Op::Const(bits)) => bits.trailing_zeros(),
            Some(Op::Binary(BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor, x, y)) => {
                of(*x).min(of(*y))
            }
            Some(Op::Binary(BinOp::Mul, x, y)) => of(*x) + of(*y),
            Some(Op::Binary(BinOp::And, x, y)) => of(*x).max(of(*y)),
            Some(Op::Binary(BinOp::Shl, x, by)) => {
                of(*x) + self.defs.constant(*by).map_or(0, |by| by.min(31) as u32)
            }
            Some(Op::Cast(CastOp::ZExt | CastOp::SExt | CastOp::Trunc, x)) => of(*x),
            Some(Op::Select(_, x, y)) => of(*x).min(of(*y)),
            Some(_) => 0,
            None => {
                let Some(sources) = self.sources.get(&v) else {
                    return 0;
                };
                open.push(v);
                let least = sources.iter().map(|s| self.zeros(*s, depth - 1, open));
                let stay = least.min() >= Some(LOG_LANES);
                open.pop();
                if stay { LOG_LANES } else { 0 }
            }
        };
        zeros.min(LOG_LANES)
    }
}

/// The values that each parameter of a loop takes: those at the start, and those of its continues.
fn note_sources<'f>(
    region: &'f Region,
    loops: &mut Vec<&'f [Value]>,
    sources: &mut FxHashMap<Value, Vec<Value>>,
) {
    for inst in &region.insts {
        match &inst.op {
            Op::Loop { init, body, .. } => {
                for (param, first) in body.params.iter().zip(init) {
                    sources.entry(*param).or_default().push(*first);
                }
                loops.push(&body.params);
                note_sources(body, loops, sources);
                loops.pop();
            }
            Op::Continue(values) => {
                let params = loops.last().copied().unwrap_or_default();
                for (param, next) in params.iter().zip(values) {
                    sources.entry(*param).or_default().push(*next);
                }
            }
            op => {
                for nested in op.regions() {
                    note_sources(nested, loops, sources);
                }
            }
        }
    }
}

fn carry_out(func: &mut Function, chosen: &FxHashSet<ObjectId>, quads: &FxHashMap<usize, Quad>) {
    let mut lengths = FxHashSet::default();
    for id in chosen {
        let object = &mut func.objects[id.index()];
        object.elem = object.elem.with_lanes(LANES as u8);
        match &mut object.len {
            Len::Const(len) => *len = len.div_ceil(LANES as u32),
            Len::Spec(id) => {
                lengths.insert(*id);
            }
        }
    }
    let layout = func.kernel.as_mut().and_then(|k| k.layout.as_mut());
    for arg in layout.into_iter().flat_map(|l| &mut l.args) {
        if let ArgKind::Local { spec_id, elem_size } = &mut arg.kind
            && lengths.contains(spec_id)
        {
            *elem_size = LANES as u32 * Type::I32.size();
        }
    }
    // By the number of the quad: what was loaded, or what will be stored.
    let mut loaded: FxHashMap<usize, Value> = FxHashMap::default();
    let mut stored: FxHashMap<usize, [Option<Value>; LANES as usize]> = FxHashMap::default();
    let mut accesses = 0;
    rewrite(func, |b, inst| {
        let (addr, value) = match inst.op {
            Op::Load { addr, .. } => (addr, None),
            Op::Store { addr, value, .. } => (addr, Some(value)),
            _ => {
                b.push(inst);
                return Vec::new();
            }
        };
        let own = accesses;
        accesses += 1;
        let part = match addr {
            Addr::Object(object, _) if chosen.contains(&object) => {
                quads.get(&own).map(|quad| (object, quad))
            }
            _ => None,
        };
        let Some((object, quad)) = part else {
            b.push(inst);
            return Vec::new();
        };
        let Some(value) = value else {
            let load = || {
                let (addr, ty) = quad.place(b, object);
                b.load_from(addr, ty, ty.size(), false)
            };
            let vector = *loaded.entry(quad.number).or_insert_with(load);
            return vec![b.extract(vector, quad.lane)];
        };
        let lanes = stored.entry(quad.number).or_default();
        lanes[usize::from(quad.lane)] = Some(value);
        if quad.last {
            let vector = b.construct(lanes.iter().copied().flatten().collect());
            let (addr, ty) = quad.place(b, object);
            b.store_to(addr, vector, ty.size(), false);
        }
        Vec::new()
    });
}

impl Quad {
    /// Where the vector is, and its type.
    fn place(&self, b: &mut Builder, object: ObjectId) -> (Addr, Type) {
        let by = b.const_int(Type::I32, LOG_LANES.into());
        let first = self.offset / LANES;
        let index = match self.base {
            Some(base) => {
                let base = b.binary(BinOp::AShr, base, by);
                b.add_const(base, first)
            }
            None => b.const_int(Type::I32, first),
        };
        (
            Addr::Object(object, index),
            b.func.objects[object.index()].elem,
        )
    }
}
