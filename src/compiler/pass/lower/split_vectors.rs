//! Vectors of 8 and 16 lanes become pieces of at most 4, which is all that SPIR-V for Vulkan has.
//!
//! Algorithm: the tree is rebuilt with a map from each wide value to its pieces; ops that work
//! lane by lane are repeated for each piece, the others go through their lanes. Values that
//! regions carry become several. Where the driver gathers words, bytes and halves of device memory
//! are accessed as words, of which the pieces are larger. Needs: no function returns a wide vector (the
//! inliner sees to that). Establishes: no value has more than 4 lanes.

use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::{
    Addr, BinOp, CastOp, CmpOp, Function, Inst, Module, Op, Region, Scalar, Space, Type, Value,
};
use crate::pass::lower::narrow;
use crate::pass::{Ctx, each_function};
use crate::target::Target;
use rustc_hash::FxHashMap;

/// Lanes of a piece.
const MAX: u8 = 4;

pub fn run(module: &mut Module, ctx: &Ctx, _sink: &mut Sink) {
    each_function(module, |func, _| {
        if func.values.iter().any(|ty| ty.lanes > MAX) {
            split(func, ctx.target);
        }
    });
}

fn split(func: &mut Function, target: &Target) {
    let Some(body) = func.body.take() else { return };
    let params = std::mem::take(&mut func.params);
    let mut s = Splitter {
        b: Builder::new(func),
        map: FxHashMap::default(),
        target,
    };
    let params = params.into_iter().flat_map(|p| s.fresh(p)).collect();
    s.region(body);
    s.b.finish();
    func.params = params;
}

struct Splitter<'a> {
    b: Builder<'a>,
    target: &'a Target,
    map: FxHashMap<Value, Vec<Value>>,
}

/// Types of the pieces.
fn pieces(ty: Type) -> Vec<Type> {
    if ty.lanes <= MAX {
        return vec![ty];
    }
    vec![ty.with_lanes(MAX); (ty.lanes / MAX) as usize]
}

impl Splitter<'_> {
    fn get(&self, v: Value) -> Vec<Value> {
        self.map.get(&v).cloned().unwrap_or_else(|| vec![v])
    }

    fn all(&self, values: &[Value]) -> Vec<Value> {
        values.iter().flat_map(|&v| self.get(v)).collect()
    }

    /// New values for the pieces of `v`; a narrow value stays itself.
    fn fresh(&mut self, v: Value) -> Vec<Value> {
        let ty = self.b.ty(v);
        if ty.lanes <= MAX {
            return vec![v];
        }
        let new: Vec<Value> = pieces(ty)
            .into_iter()
            .map(|t| self.b.func.new_value(t))
            .collect();
        self.map.insert(v, new.clone());
        new
    }

    fn region(&mut self, region: Region) {
        for inst in region.insts {
            (self.b.loc, self.b.fast) = (inst.loc, inst.fast);
            self.inst(inst);
        }
    }

    fn nested(&mut self, region: &mut Box<Region>) {
        let old = std::mem::take(region);
        let params = old.params.iter().flat_map(|&p| self.fresh(p)).collect();
        self.b.push_region(params);
        self.region(*old);
        *region = self.b.pop_region();
    }

    fn inst(&mut self, mut inst: Inst) {
        let mut wide = inst.results.iter().any(|&v| self.b.ty(v).lanes > MAX);
        inst.op.for_each_operand_mut(|v| match self.map.get(v) {
            Some(parts) if parts.len() == 1 => *v = parts[0],
            Some(_) => wide = true,
            None => {}
        });
        let has_regions = inst.op.is_control();
        if !wide && !has_regions {
            return self.b.push(inst);
        }
        if has_regions {
            for region in inst.op.regions_mut() {
                self.nested(region);
            }
            inst.results = inst.results.iter().flat_map(|&r| self.fresh(r)).collect();
        }
        match &mut inst.op {
            Op::Loop { init: values, .. }
            | Op::Yield(values)
            | Op::Break(values)
            | Op::Continue(values)
            | Op::Call { args: values, .. }
            | Op::Printf(_, values) => *values = self.all(values),
            Op::If(..) | Op::Switch { .. } => {}
            _ => return self.value(inst),
        }
        self.b.push(inst);
    }

    /// An instruction that computes, loads or stores a wide value.
    fn value(&mut self, inst: Inst) {
        match inst.op {
            Op::Store {
                addr,
                value,
                align,
                volatile,
            } => {
                let ty = self.memory_type(self.b.ty(value), addr, align, volatile);
                let parts = self.get(value);
                for (i, v) in self.bitcast(parts, ty).into_iter().enumerate() {
                    let (addr, align) = self.piece_addr(addr, self.b.ty(v), i, align);
                    self.b.store_to(addr, v, align, volatile);
                }
            }
            Op::Load {
                addr,
                align,
                volatile,
            } => {
                let ty = self.b.ty(inst.results[0]);
                let memory = self.memory_type(ty, addr, align, volatile);
                let parts = pieces(memory).into_iter().enumerate().map(|(i, ty)| {
                    let (addr, align) = self.piece_addr(addr, ty, i, align);
                    self.b.load_from(addr, ty, align, volatile)
                });
                let parts = parts.collect();
                let parts = self.bitcast(parts, ty);
                self.map.insert(inst.results[0], parts);
            }
            Op::Arg { offset } => {
                let ty = self.b.ty(inst.results[0]);
                let parts = pieces(ty).into_iter().enumerate().map(|(i, ty)| {
                    let offset = offset + i as u32 * ty.size();
                    self.b.insert1(Op::Arg { offset }, ty)
                });
                let parts = parts.collect();
                self.map.insert(inst.results[0], parts);
            }
            op => {
                let Some(&result) = inst.results.first() else {
                    return;
                };
                let ty = self.b.ty(result);
                let parts = self.compute(&op, ty);
                match parts[..] {
                    // A narrow result of wide operands: its uses become those of the new value.
                    [one] if ty.lanes <= MAX => {
                        self.map.insert(result, vec![one]);
                    }
                    _ => {
                        self.map.insert(result, parts);
                    }
                }
            }
        }
    }

    /// The type by which a wide vector is in memory: words instead of bytes and halves.
    fn memory_type(&self, ty: Type, addr: Addr, align: u32, volatile: bool) -> Type {
        let device = |ptr| {
            let scalar = self.b.ty(ptr).scalar;
            scalar == Scalar::Ptr(Space::Global) || scalar == Scalar::Ptr(Space::Constant)
        };
        let is_narrow = matches!(ty.scalar, Scalar::I8 | Scalar::I16 | Scalar::F16);
        let by_words = self.target.gathers_words || narrow::by_words(ty, self.target);
        let words = by_words && align >= 4 && !volatile && is_narrow;
        match addr {
            Addr::Ptr(ptr) if words && device(ptr) => {
                Type::vector(Scalar::I32, (ty.size() / 4) as u8)
            }
            _ => ty,
        }
    }

    fn piece_addr(&mut self, addr: Addr, ty: Type, index: usize, align: u32) -> (Addr, u32) {
        let bytes = index as u32 * ty.size();
        if bytes == 0 {
            return (addr, align);
        }
        let known = align.min(1 << bytes.trailing_zeros());
        let Addr::Ptr(ptr) = addr else {
            unreachable!("split_vectors runs before no_pointers")
        };
        let ptr = self.get(ptr)[0];
        (Addr::Ptr(self.b.ptradd_const(ptr, bytes as i64)), known)
    }

    /// The pieces of the result of `op`, which is of type `ty`.
    fn compute(&mut self, op: &Op, ty: Type) -> Vec<Value> {
        let types = pieces(ty);
        let each = |s: &mut Self, make: &dyn Fn(&mut Self, usize, Type) -> Value| -> Vec<Value> {
            types
                .iter()
                .enumerate()
                .map(|(i, &t)| make(s, i, t))
                .collect()
        };
        match *op {
            Op::Const(bits) => each(self, &|s, _, t| s.b.const_bits(t, bits)),
            Op::Undef => each(self, &|s, _, t| s.b.undef(t)),
            Op::Unary(o, a) => {
                let a = self.get(a);
                each(self, &|s, i, _| s.b.unary(o, a[i]))
            }
            Op::Binary(o, a, c) => {
                let (a, c) = (self.get(a), self.get(c));
                each(self, &|s, i, _| s.b.binary(o, a[i], c[i]))
            }
            Op::Ternary(o, a, c, d) => {
                let (a, c, d) = (self.get(a), self.get(c), self.get(d));
                each(self, &|s, i, _| s.b.ternary(o, a[i], c[i], d[i]))
            }
            Op::Compare(o, a, c) => {
                let (a, c) = (self.get(a), self.get(c));
                each(self, &|s, i, _| s.b.compare(o, a[i], c[i]))
            }
            Op::Select(cond, a, c) => {
                let (cond, a, c) = (self.get(cond), self.get(a), self.get(c));
                each(self, &|s, i, _| {
                    s.b.select(cond[i.min(cond.len() - 1)], a[i], c[i])
                })
            }
            Op::Cast(CastOp::Bitcast, a) => {
                let parts = self.get(a);
                self.bitcast(parts, ty)
            }
            Op::Cast(o, a) => {
                let a = self.get(a);
                each(self, &|s, i, t| s.b.cast(o, a[i], t))
            }
            Op::Splat(a) => {
                let a = self.get(a)[0];
                each(self, &|s, _, t| s.b.splat(a, t.lanes))
            }
            Op::Construct(ref lanes) => {
                let lanes: Vec<Value> = lanes.iter().map(|&v| self.get(v)[0]).collect();
                self.pack(&lanes)
            }
            Op::Extract(a, lane) => vec![self.lane(a, lane)],
            Op::Insert(a, scalar, lane) => {
                let scalar = self.get(scalar)[0];
                let mut parts = self.get(a);
                let part = &mut parts[(lane / MAX) as usize];
                *part = self.b.insert_lane(*part, scalar, lane % MAX);
                parts
            }
            Op::ExtractDyn(a, index) => vec![self.extract_dyn(a, index)],
            Op::InsertDyn(a, scalar, index) => self.insert_dyn(a, scalar, index),
            Op::Shuffle(a, c, ref lanes) => {
                let width = self.lane_count(a);
                let lanes: Vec<Value> = lanes
                    .iter()
                    .map(|&l| match l {
                        255 => self.b.undef(ty.element()),
                        l if l < width => self.lane(a, l),
                        l => self.lane(c, l - width),
                    })
                    .collect();
                self.pack(&lanes)
            }
            Op::Any(a) => vec![self.reduce(a, BinOp::Or, false)],
            Op::All(a) => vec![self.reduce(a, BinOp::And, true)],
            // All else works on scalars or narrow vectors only: renamed operands are enough.
            ref other => {
                let mut op = other.clone();
                op.for_each_operand_mut(|v| *v = self.get(*v)[0]);
                vec![self.b.insert1(op, ty)]
            }
        }
    }

    fn lane_count(&self, a: Value) -> u8 {
        self.get(a).iter().map(|&p| self.b.ty(p).lanes).sum()
    }

    fn lane(&mut self, a: Value, lane: u8) -> Value {
        let parts = self.get(a);
        self.b.extract(parts[(lane / MAX) as usize], lane % MAX)
    }

    fn pack(&mut self, lanes: &[Value]) -> Vec<Value> {
        lanes
            .chunks(MAX as usize)
            .map(|c| self.b.construct(c.to_vec()))
            .collect()
    }

    /// Piece number and lane in it of a run-time lane index.
    fn split_index(&mut self, index: Value) -> (Value, Value) {
        let index = self.get(index)[0];
        let two = self.b.const_int(Type::I32, 2);
        let three = self.b.const_int(Type::I32, 3);
        (
            self.b.binary(BinOp::LShr, index, two),
            self.b.binary(BinOp::And, index, three),
        )
    }

    fn extract_dyn(&mut self, a: Value, index: Value) -> Value {
        let (piece, lane) = self.split_index(index);
        let parts = self.get(a);
        let mut value = self.b.extract_dyn(parts[0], lane);
        for (i, &part) in parts.iter().enumerate().skip(1) {
            let this = self.b.extract_dyn(part, lane);
            let number = self.b.const_int(Type::I32, i as i64);
            let hit = self.b.compare(CmpOp::Eq, piece, number);
            value = self.b.select(hit, this, value);
        }
        value
    }

    fn insert_dyn(&mut self, a: Value, scalar: Value, index: Value) -> Vec<Value> {
        let (piece, lane) = self.split_index(index);
        let scalar = self.get(scalar)[0];
        let parts = self.get(a);
        let new = parts.iter().enumerate().map(|(i, &part)| {
            let changed = self.b.insert_dyn(part, scalar, lane);
            let number = self.b.const_int(Type::I32, i as i64);
            let hit = self.b.compare(CmpOp::Eq, piece, number);
            self.b.select(hit, changed, part)
        });
        new.collect()
    }

    fn reduce(&mut self, a: Value, op: BinOp, all: bool) -> Value {
        let parts = self.get(a);
        let bits = parts
            .iter()
            .map(|&p| if all { self.b.all(p) } else { self.b.any(p) });
        let bits: Vec<Value> = bits.collect();
        bits.into_iter()
            .reduce(|x, y| self.b.binary(op, x, y))
            .expect("a vector has pieces")
    }

    /// Through 32-bit words when the lanes do not match.
    fn bitcast(&mut self, parts: Vec<Value>, ty: Type) -> Vec<Value> {
        let types = pieces(ty);
        if parts.len() == types.len() && self.b.ty(parts[0]).size() == types[0].size() {
            return parts
                .iter()
                .zip(types)
                .map(|(&p, t)| self.b.bitcast(p, t))
                .collect();
        }
        let words: Vec<Value> = { parts.into_iter() }
            .flat_map(|part| self.b.words(part))
            .collect();
        let mut rest = &words[..];
        let build = types.into_iter().map(|t| {
            let (some, behind) = rest.split_at((t.size() / 4) as usize);
            rest = behind;
            self.b.from_words(some, t)
        });
        build.collect()
    }
}
