//! Adjacent scalars of device memory are loaded and stored together, where their address is known to be a multiple of all their bytes.
//!
//! NVIDIA's compiler of OpenCL joins accesses to the members of a structure so, its compiler of Vulkan leaves each alone: a structure of
//! two halves and 128 bytes takes twice the stores, as its alignment lets two bytes be stored at once.
//!
//! Algorithm: accesses at constant distances of one address, between which nothing else may use the same bytes, become one of up
//! to 16 bytes: loads at the first of them, stores at the last. What the address is a multiple of, other accesses from it tell, which
//! have run or will, since their alignment is what their types promise, the type of the argument from which it is, and what is added to
//! such an address.
//!
//! Needs: what legalize leaves. Behind all that looks for values in memory.

use super::words::size;
use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::defs::Defs;
use crate::ir::util::rewrite;
use crate::ir::{Addr, BinOp, Function, Inst, Module, Op, Region, Scalar, Type, Value};
use crate::pass::{Ctx, each_function};
use rustc_hash::FxHashMap;

/// Bytes of the largest vector.
const MAX: u32 = 16;
const WORD: u32 = 4;
/// Sums one in the other that are looked through.
const MAX_SUMS: u32 = 4;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if !ctx.target.separates_device_accesses {
        return;
    }
    each_function(module, |func, _| {
        let Some(body) = &func.body else { return };
        let mut plan = Plan::default();
        plan.region(func, body, &Defs::of(func, body));
        if !plan.joined.is_empty() {
            plan.carry_out(func);
        }
    });
}

/// A load or store of a scalar, by its place among all loads and stores of the function.
#[derive(Clone, Copy)]
struct Access {
    number: usize,
    /// Bytes from the base.
    offset: i64,
    size: u32,
}

impl Access {
    fn overlaps(&self, other: &Access) -> bool {
        self.offset < other.offset + i64::from(other.size)
            && other.offset < self.offset + i64::from(self.size)
    }

    fn overlaps_any(&self, others: &[Access]) -> bool {
        others.iter().any(|other| self.overlaps(other))
    }
}

/// Accesses from one base that can be moved to one place.
#[derive(Default)]
struct Run {
    accesses: Vec<Access>,
    /// Of loads: what was stored, from the same base, since the first. Of stores: nothing.
    crossed: Vec<Access>,
}

/// Takes out the runs that `ends` picks.
fn taken(
    runs: &mut FxHashMap<Value, Run>,
    ends: impl Fn(Value, &Run) -> bool,
) -> Vec<(Value, Run)> {
    runs.extract_if(|base, run| ends(*base, run)).collect()
}

/// A place, in bytes from an address, and what it is a multiple of.
type Multiple = (i64, u32);

/// The first, if the second is of no more.
fn larger(a: Multiple, b: Multiple) -> Multiple {
    if b.1 > a.1 { b } else { a }
}

/// Scalars that are accessed together.
struct Joined {
    bytes: u32,
    /// Bytes of a scalar.
    scalar: u32,
    /// The number of the access at whose place they are.
    at: usize,
    /// The scalars as integers, once they have been loaded or are about to be stored.
    lanes: Vec<Option<Value>>,
}

#[derive(Default)]
struct Plan {
    joined: Vec<Joined>,
    /// By number: the vector, and where in it the scalar begins.
    accesses: FxHashMap<usize, (usize, u32)>,
    loads: FxHashMap<Value, Run>,
    stores: FxHashMap<Value, Run>,
    aligned: FxHashMap<Value, Multiple>,
    number: usize,
}

impl Plan {
    fn region(&mut self, func: &Function, region: &Region, defs: &Defs<&Inst>) {
        let mut told = Vec::new();
        for inst in &region.insts {
            let number = self.number;
            self.number += usize::from(matches!(inst.op, Op::Load { .. } | Op::Store { .. }));
            match inst.op {
                Op::Load {
                    addr: Addr::Object(..),
                    ..
                }
                | Op::Store {
                    addr: Addr::Object(..),
                    ..
                } => {}
                Op::Load {
                    addr: Addr::Device(address),
                    align,
                    volatile: false,
                }
                | Op::Store {
                    addr: Addr::Device(address),
                    align,
                    volatile: false,
                    ..
                } => {
                    let (base, offset) = defs.base_and_offset(address);
                    let old = self.aligned.get(&base).copied();
                    let known = self.known(base, func, defs, MAX_SUMS);
                    let known = larger(known, (offset, align));
                    if old != Some(known) {
                        told.push((base, old));
                        self.aligned.insert(base, known);
                    }
                    let ty = match inst.op {
                        Op::Store { value, .. } => func.ty(value),
                        _ => func.ty(inst.results[0]),
                    };
                    let access = Access {
                        number,
                        offset,
                        size: size(ty),
                    };
                    match inst.op {
                        Op::Store { .. } => self.store(base, access, ty),
                        _ => self.load(base, access, ty),
                    }
                }
                ref op if op.touches_memory() || op.is_control() => self.end(),
                _ => {}
            }
            for nested in inst.op.regions() {
                self.region(func, nested, defs);
            }
        }
        self.end();
        // What was told here holds where this runs.
        for (base, old) in told.into_iter().rev() {
            match old {
                Some(old) => self.aligned.insert(base, old),
                None => self.aligned.remove(&base),
            };
        }
    }

    /// Told by accesses, by the type of an argument, or by what the address is the sum of.
    fn known(&self, address: Value, func: &Function, defs: &Defs<&Inst>, depth: u32) -> Multiple {
        let told = self.aligned.get(&address).copied().unwrap_or((0, 1));
        match defs.op(address) {
            Some(&Op::Arg { offset }) => {
                let kernel = func.kernel.as_ref();
                let param = kernel.and_then(|kernel| kernel.pointer_at(offset));
                larger(told, (0, param.map_or(1, |param| param.pointee_align)))
            }
            Some(&Op::Binary(BinOp::Add, a, b)) if depth > 0 => {
                let sum = |of: Value, by: Value| {
                    let (place, align) = self.known(of, func, defs, depth - 1);
                    match defs.constant(by) {
                        Some(bits) => (place.wrapping_sub(bits as i64), align),
                        None => (place, align.min(1 << defs.zeros_below(by).min(4))),
                    }
                };
                larger(told, larger(sum(a, b), sum(b, a)))
            }
            _ => told,
        }
    }

    fn load(&mut self, base: Value, access: Access, ty: Type) {
        // Stores that may write what is loaded stay in front of it.
        self.end_stores(|other, run| other != base || access.overlaps_any(&run.accesses));
        self.end_loads(|other, run| other == base && access.overlaps_any(&run.crossed));
        if is_number(ty) {
            self.loads.entry(base).or_default().accesses.push(access);
        }
    }

    fn store(&mut self, base: Value, access: Access, ty: Type) {
        self.end_loads(|other, _| other != base);
        self.end_stores(|other, run| other != base || access.overlaps_any(&run.accesses));
        if let Some(loads) = self.loads.get_mut(&base) {
            loads.crossed.push(access);
        }
        if is_number(ty) {
            self.stores.entry(base).or_default().accesses.push(access);
        }
    }

    fn end(&mut self) {
        self.end_loads(|_, _| true);
        self.end_stores(|_, _| true);
    }

    /// Ends the runs of loads that `ends` picks.
    fn end_loads(&mut self, ends: impl Fn(Value, &Run) -> bool) {
        for (base, run) in taken(&mut self.loads, ends) {
            self.join(base, run.accesses, |accesses| accesses.min());
        }
    }

    fn end_stores(&mut self, ends: impl Fn(Value, &Run) -> bool) {
        for (base, run) in taken(&mut self.stores, ends) {
            self.join(base, run.accesses, |accesses| accesses.max());
        }
    }

    /// Makes vectors of what is adjacent, the largest that the alignment allows.
    fn join(
        &mut self,
        base: Value,
        mut accesses: Vec<Access>,
        place: fn(&mut dyn Iterator<Item = usize>) -> Option<usize>,
    ) {
        accesses.sort_by_key(|a| (a.offset, a.number));
        // Of loads of the same bytes one is in a vector.
        accesses.dedup_by_key(|a| a.offset);
        let (known, align) = self.aligned.get(&base).copied().unwrap_or((0, 1));
        let mut rest = &accesses[..];
        while let [first, others @ ..] = rest {
            let next = |count: usize| {
                (rest.iter().take(count).enumerate()).all(|(i, a)| {
                    a.size == first.size && a.offset == first.offset + i as i64 * i64::from(a.size)
                })
            };
            let fits = |bytes: &u32| {
                let count = (bytes / first.size) as usize;
                *bytes <= align
                    && (first.offset - known).rem_euclid(i64::from(*bytes)) == 0
                    && (2..=rest.len()).contains(&count)
                    && next(count)
            };
            let Some(bytes) = [MAX, 8, WORD, 2].into_iter().find(fits) else {
                rest = others;
                continue;
            };
            let (together, others) = rest.split_at((bytes / first.size) as usize);
            for a in together {
                let within = (a.offset - first.offset) as u32;
                self.accesses.insert(a.number, (self.joined.len(), within));
            }
            let at = place(&mut together.iter().map(|a| a.number));
            self.joined.push(Joined {
                bytes,
                scalar: first.size,
                at: at.unwrap_or(first.number),
                lanes: vec![None; together.len()],
            });
            rest = others;
        }
    }

    fn carry_out(mut self, func: &mut Function) {
        let mut number = 0;
        rewrite(func, |b, inst| {
            let own = number;
            let (addr, stored) = match inst.op {
                Op::Load { addr, .. } => (addr, None),
                Op::Store { addr, value, .. } => (addr, Some(value)),
                _ => {
                    b.push(inst);
                    return Vec::new();
                }
            };
            number += 1;
            let Some(&(joined, within)) = self.accesses.get(&own) else {
                b.push(inst);
                return Vec::new();
            };
            let joined = &mut self.joined[joined];
            let lane = (within / joined.scalar) as usize;
            let start =
                |b: &mut Builder| Addr::Device(b.add_const(addr.value(), -i64::from(within)));
            let Some(value) = stored else {
                if joined.at == own {
                    let start = start(b);
                    let value = b.load_from(start, joined.ty(), joined.bytes, false);
                    joined.take_apart(b, value);
                }
                let ty = b.ty(inst.results[0]);
                return joined.lanes[lane]
                    .map(|bits| b.bitcast(bits, ty))
                    .into_iter()
                    .collect();
            };
            joined.lanes[lane] =
                Some(b.bitcast(value, Type::scalar(Scalar::int(8 * joined.scalar))));
            if joined.at == own {
                let value = joined.put_together(b);
                let start = start(b);
                b.store_to(start, value, joined.bytes, false);
            }
            Vec::new()
        });
    }
}

/// Whether it is a scalar whose bits are an integer's.
fn is_number(ty: Type) -> bool {
    use Scalar::*;
    ty.lanes == 1 && matches!(ty.scalar, I8 | I16 | I32 | I64 | F16 | F32 | F64)
}

impl Joined {
    /// Whole words or larger scalars; half a word is one of its own.
    fn ty(&self) -> Type {
        let component = self.bytes.min(self.scalar.max(WORD));
        Type::vector(Scalar::int(8 * component), (self.bytes / component) as u8)
    }

    /// The scalars in a component of the vector.
    fn part(&self) -> Type {
        let component = self.ty().scalar.size();
        Type::vector(
            Scalar::int(8 * self.scalar),
            (component / self.scalar) as u8,
        )
    }

    fn take_apart(&mut self, b: &mut Builder, value: Value) {
        let part = self.part();
        let mut lanes = Vec::new();
        for component in b.lanes(value) {
            let scalars = b.bitcast(component, part);
            lanes.extend(b.lanes(scalars).into_iter().map(Some));
        }
        self.lanes = lanes;
    }

    fn put_together(&self, b: &mut Builder) -> Value {
        let (ty, part) = (self.ty(), self.part());
        let lanes: Vec<Value> = self.lanes.iter().copied().flatten().collect();
        let components = lanes.chunks(part.lanes.into()).map(|scalars| {
            let scalars = b.construct(scalars.to_vec());
            b.bitcast(scalars, Type::scalar(ty.scalar))
        });
        let components = components.collect();
        b.construct(components)
    }
}
