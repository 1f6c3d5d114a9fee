//! Appends instructions to a function, region by region.
//!
//! The builder holds a stack of open regions; instructions go to the end of the
//! innermost. What follows a terminator in its region cannot run and is dropped
//! (its results get values, so that callers need not care).

use super::half;
use smallvec::smallvec;

use super::infer::Results;
use super::{
    Addr, AtomicOp, BinOp, Bits, CastOp, CmpOp, FastMath, FenceFlags, FuncId, Function, GlobalId,
    Inst, Op, Order, Reduction, Region, Scalar, Scope, Space, StringId, SubGroupOp, TernOp, Type,
    UnOp, Unroll, Value, Values, WorkItem,
};
use crate::source::SourceLoc;

pub struct Builder<'a> {
    pub func: &'a mut Function,
    /// Given to every new instruction.
    pub loc: SourceLoc,
    /// Given to every new instruction.
    pub fast: FastMath,
    open: Vec<Region>,
}

impl<'a> Builder<'a> {
    /// Starts a body for `func`, with one open region. [`Builder::finish`] installs it.
    pub fn new(func: &'a mut Function) -> Builder<'a> {
        Builder {
            func,
            loc: SourceLoc::default(),
            fast: FastMath::default(),
            open: vec![Region::default()],
        }
    }

    /// Closes the outermost region and makes it the function's body.
    pub fn finish(mut self) {
        let body = self.pop_region();
        self.func.body = Some(*body);
    }

    /// Adds a parameter to the function.
    pub fn param(&mut self, ty: Type) -> Value {
        let v = self.func.new_value(ty);
        self.func.params.push(v);
        v
    }

    pub fn ty(&self, v: Value) -> Type {
        self.func.ty(v)
    }

    // Regions.

    /// Opens a region. `params` only for the body of a loop.
    pub fn push_region(&mut self, params: Vec<Value>) {
        self.open.push(Region {
            params,
            insts: Vec::new(),
        });
    }

    /// Makes room in the innermost region.
    pub fn reserve(&mut self, insts: usize) {
        if let Some(region) = self.open.last_mut() {
            region.insts.reserve(insts);
        }
    }

    /// Instructions of the innermost region.
    pub fn inst_count(&self) -> usize {
        self.open.last().map_or(0, |r| r.insts.len())
    }

    /// Takes all instructions behind the first `len` out of the innermost region.
    pub fn take_behind(&mut self, len: usize) -> Vec<Inst> {
        match self.open.last_mut() {
            Some(region) if region.insts.len() > len => region.insts.split_off(len),
            _ => Vec::new(),
        }
    }

    /// Closes the innermost region and hands it out.
    pub fn pop_region(&mut self) -> Box<Region> {
        Box::new(self.open.pop().expect("a region is open"))
    }

    /// Builds a region apart, to be put into an instruction.
    pub fn region(&mut self, params: Vec<Value>, build: impl FnOnce(&mut Self)) -> Box<Region> {
        self.push_region(params);
        build(self);
        self.pop_region()
    }

    /// The innermost open region has its terminator.
    pub fn terminated(&self) -> bool {
        let insts = self.open.last().map(|r| &r.insts);
        insts
            .and_then(|i| i.last())
            .is_some_and(|i| i.op.is_terminator())
    }

    /// Whether what defines a value is in an open region, so that what is built next may use it.
    pub fn is_visible(&self, v: Value) -> bool {
        let open = self.open.iter().flat_map(|region| &region.insts);
        open.rev().any(|inst| inst.results.contains(&v))
    }

    // Any instruction.

    /// Appends a complete instruction.
    pub fn push(&mut self, inst: Inst) {
        if !self.terminated() {
            self.open
                .last_mut()
                .expect("a region is open")
                .insts
                .push(inst);
        }
    }

    /// Appends `op` with results that already exist as values.
    pub fn define(&mut self, results: Values, op: Op) {
        let mut types = results.iter().map(|v| self.func.ty(*v));
        let rounds = matches!(op, Op::Compare(..)) || types.any(|t| t.scalar.is_float());
        // Flags on what does no arithmetic would only make texts long.
        let fast = match op.is_control() {
            false if rounds => self.fast,
            _ => FastMath::default(),
        };
        let loc = self.loc;
        self.push(Inst {
            results,
            op,
            fast,
            loc,
        });
    }

    /// Appends `op` with new results of these types.
    pub fn insert(&mut self, op: Op, types: &[Type]) -> Vec<Value> {
        let results: Vec<Value> = types.iter().map(|&t| self.func.new_value(t)).collect();
        self.define(results.as_slice().into(), op);
        results
    }

    /// Appends `op` with one new result of type `ty`.
    pub fn insert1(&mut self, op: Op, ty: Type) -> Value {
        let result = self.func.new_value(ty);
        self.define(smallvec![result], op);
        result
    }

    /// Appends `op` without results.
    pub fn insert0(&mut self, op: Op) {
        self.define(Values::new(), op);
    }

    /// Appends `op` with the one result whose type follows from its operands.
    fn infer(&mut self, op: Op) -> Value {
        match op.results(self.func, None) {
            Results::One(ty) => self.insert1(op, ty),
            other => unreachable!("the result of {op:?} is {other:?}"),
        }
    }

    // Values.

    /// The bits in each lane (see [`Bits`]).
    pub fn const_bits(&mut self, ty: Type, bits: Bits) -> Value {
        self.insert1(Op::Const(bits), ty)
    }

    /// An integer, bool or pointer in each lane; what exceeds the width is cut off.
    pub fn const_int(&mut self, ty: Type, value: i64) -> Value {
        self.const_bits(ty, value as u64 & mask(ty.scalar.bits()))
    }

    pub fn const_bool(&mut self, value: bool) -> Value {
        self.const_bits(Type::BOOL, value as u64)
    }

    /// A float in each lane, rounded to the type's width.
    pub fn const_float(&mut self, ty: Type, value: f64) -> Value {
        let bits = match ty.scalar {
            Scalar::F16 => half::from_f64(value) as u64,
            Scalar::F32 => (value as f32).to_bits() as u64,
            _ => value.to_bits(),
        };
        self.const_bits(ty, bits)
    }

    /// Zero, false or null in each lane.
    pub fn zero_value(&mut self, ty: Type) -> Value {
        self.const_bits(ty, 0)
    }

    pub fn undef(&mut self, ty: Type) -> Value {
        self.insert1(Op::Undef, ty)
    }

    pub fn unary(&mut self, op: UnOp, a: Value) -> Value {
        self.infer(Op::Unary(op, a))
    }

    pub fn binary(&mut self, op: BinOp, a: Value, b: Value) -> Value {
        self.infer(Op::Binary(op, a, b))
    }

    /// Integers to which is added what makes the bits above the lowest `places` nearest, of two the even ones: a carry goes on.
    pub fn round_bits(&mut self, bits: Value, places: u32) -> Value {
        let ty = self.ty(bits);
        let numbers = [i64::from(places), 1, (1 << (places - 1)) - 1];
        let [places, one, below] = numbers.map(|n| self.const_int(ty, n));
        let odd = self.binary(BinOp::LShr, bits, places);
        let odd = self.binary(BinOp::And, odd, one);
        let rounded = self.binary(BinOp::Add, bits, below);
        self.binary(BinOp::Add, rounded, odd)
    }

    pub fn ternary(&mut self, op: TernOp, a: Value, b: Value, c: Value) -> Value {
        self.infer(Op::Ternary(op, a, b, c))
    }

    pub fn compare(&mut self, op: CmpOp, a: Value, b: Value) -> Value {
        self.infer(Op::Compare(op, a, b))
    }

    pub fn cast(&mut self, op: CastOp, a: Value, to: Type) -> Value {
        self.insert1(Op::Cast(op, a), to)
    }

    /// The bits as another type; the value itself if it has that type.
    pub fn bitcast(&mut self, a: Value, to: Type) -> Value {
        if self.ty(a) == to {
            a
        } else {
            self.cast(CastOp::Bitcast, a, to)
        }
    }

    /// An integer with another width: truncated or sign-extended or zero-extended; the value
    /// itself if the width is the same.
    pub fn int_resize(&mut self, a: Value, to: Scalar, signed: bool) -> Value {
        let from = self.ty(a);
        let op = match to.bits().cmp(&from.scalar.bits()) {
            std::cmp::Ordering::Equal => return a,
            std::cmp::Ordering::Less => CastOp::Trunc,
            std::cmp::Ordering::Greater if signed => CastOp::SExt,
            std::cmp::Ordering::Greater => CastOp::ZExt,
        };
        self.cast(op, a, Type::vector(to, from.lanes))
    }

    /// An integer and a constant added; itself for 0.
    pub fn add_const(&mut self, a: Value, n: i64) -> Value {
        if n == 0 {
            return a;
        }
        let n = self.const_int(self.ty(a), n);
        self.binary(BinOp::Add, a, n)
    }

    /// The bits of an integer or float as words of 32 bits, lowest first. What is behind it in the last word is zero.
    pub fn words(&mut self, a: Value) -> Vec<Value> {
        let ty = self.ty(a);
        let (bits, lanes) = (ty.scalar.bits(), usize::from(ty.lanes));
        let in_words = |b: &mut Self, part: Value, bits: u32| {
            let words = b.bitcast(part, Type::vector(Scalar::I32, (bits / 32) as u8));
            b.lanes(words)
        };
        let per_word = 32 / bits.min(32) as usize;
        if bits <= 32 && lanes.is_multiple_of(per_word) {
            return in_words(self, a, bits * lanes as u32);
        }
        let mut parts = self.lanes(a);
        if bits < 32 {
            let zero = self.zero_value(ty.element());
            parts.resize(lanes.next_multiple_of(per_word), zero);
            let whole = parts
                .chunks(per_word)
                .map(|part| self.construct(part.to_vec()));
            parts = whole.collect();
        }
        let parts = parts.into_iter();
        parts
            .flat_map(|part| in_words(self, part, bits.max(32)))
            .collect()
    }

    /// The value of `ty` that has these bits. What is behind it in the last word does not matter.
    pub fn from_words(&mut self, words: &[Value], ty: Type) -> Value {
        let (bits, lanes) = (ty.scalar.bits(), usize::from(ty.lanes));
        let per_word = 32 / bits.min(32) as usize;
        if bits <= 32 && lanes.is_multiple_of(per_word) {
            let all = self.construct(words.to_vec());
            return self.bitcast(all, ty);
        }
        let lanes = (0..lanes).map(|lane| {
            if bits > 32 {
                let both = self.construct(words[2 * lane..2 * lane + 2].to_vec());
                return self.bitcast(both, ty.element());
            }
            let whole = ty.with_lanes(per_word as u8);
            let all = self.bitcast(words[lane / per_word], whole);
            self.extract(all, (lane % per_word) as u8)
        });
        let lanes = lanes.collect();
        self.construct(lanes)
    }

    /// `cond ? a : b`
    pub fn select(&mut self, cond: Value, a: Value, b: Value) -> Value {
        self.infer(Op::Select(cond, a, b))
    }

    // Vectors.

    /// A vector from scalars; a single scalar is itself.
    pub fn construct(&mut self, lanes: Vec<Value>) -> Value {
        match lanes[..] {
            [one] => one,
            _ => self.infer(Op::Construct(lanes)),
        }
    }

    /// The scalar in each of `lanes` lanes; itself for one lane.
    pub fn splat(&mut self, a: Value, lanes: u8) -> Value {
        if lanes == 1 {
            return a;
        }
        let ty = self.ty(a).with_lanes(lanes);
        self.insert1(Op::Splat(a), ty)
    }

    /// One lane; of a scalar, itself.
    pub fn extract(&mut self, a: Value, lane: u8) -> Value {
        if self.ty(a).lanes == 1 {
            return a;
        }
        self.infer(Op::Extract(a, lane))
    }

    pub fn extract_dyn(&mut self, a: Value, lane: Value) -> Value {
        if self.ty(a).lanes == 1 {
            return a;
        }
        self.infer(Op::ExtractDyn(a, lane))
    }

    /// The vector with one lane replaced; of a scalar, the new scalar.
    pub fn insert_lane(&mut self, vector: Value, scalar: Value, lane: u8) -> Value {
        if self.ty(vector).lanes == 1 {
            return scalar;
        }
        self.infer(Op::Insert(vector, scalar, lane))
    }

    pub fn insert_dyn(&mut self, vector: Value, scalar: Value, lane: Value) -> Value {
        if self.ty(vector).lanes == 1 {
            return scalar;
        }
        self.infer(Op::InsertDyn(vector, scalar, lane))
    }

    /// Lanes of the concatenation of `a` and `b`; 255 is any value.
    pub fn shuffle(&mut self, a: Value, b: Value, lanes: Vec<u8>) -> Value {
        self.infer(Op::Shuffle(a, b, lanes))
    }

    /// All lanes as scalars.
    pub fn lanes(&mut self, a: Value) -> Vec<Value> {
        (0..self.ty(a).lanes).map(|i| self.extract(a, i)).collect()
    }

    /// bool: any lane; of a scalar, itself.
    pub fn any(&mut self, a: Value) -> Value {
        if self.ty(a).lanes == 1 {
            return a;
        }
        self.infer(Op::Any(a))
    }

    /// bool: all lanes; of a scalar, itself.
    pub fn all(&mut self, a: Value) -> Value {
        if self.ty(a).lanes == 1 {
            return a;
        }
        self.infer(Op::All(a))
    }

    // Memory.

    /// ptr<private> to a new object.
    pub fn alloca(&mut self, size: u32, align: u32) -> Value {
        self.infer(Op::Alloca { size, align })
    }

    /// `space` is the global's.
    pub fn global_addr(&mut self, global: GlobalId, space: Space) -> Value {
        self.insert1(Op::GlobalAddr(global), Type::ptr(space))
    }

    pub fn ptradd(&mut self, base: Value, bytes: Value) -> Value {
        self.infer(Op::PtrAdd(base, bytes))
    }

    /// A pointer `bytes` further; itself for 0.
    pub fn ptradd_const(&mut self, base: Value, bytes: i64) -> Value {
        if bytes == 0 {
            return base;
        }
        let offset = self.const_int(Type::I64, bytes);
        self.ptradd(base, offset)
    }

    /// Through a pointer, not volatile.
    pub fn load(&mut self, ptr: Value, ty: Type, align: u32) -> Value {
        self.load_from(Addr::Ptr(ptr), ty, align, false)
    }

    pub fn load_from(&mut self, addr: Addr, ty: Type, align: u32, volatile: bool) -> Value {
        let op = Op::Load {
            addr,
            align,
            volatile,
        };
        self.insert1(op, ty)
    }

    /// Through a pointer, not volatile.
    pub fn store(&mut self, ptr: Value, value: Value, align: u32) {
        self.store_to(Addr::Ptr(ptr), value, align, false);
    }

    pub fn store_to(&mut self, addr: Addr, value: Value, align: u32, volatile: bool) {
        self.insert0(Op::Store {
            addr,
            value,
            align,
            volatile,
        });
    }

    pub fn copy(&mut self, to: Value, from: Value, size: u32, align: u32) {
        self.insert0(Op::Copy {
            to,
            from,
            size,
            align,
        });
    }

    pub fn zero(&mut self, to: Value, size: u32, align: u32) {
        self.insert0(Op::Zero { to, size, align });
    }

    /// An atomic with one result of type `ty`: all but `store`.
    pub fn atomic(
        &mut self,
        op: AtomicOp,
        addr: Addr,
        args: Vec<Value>,
        ty: Type,
        order: Order,
        scope: Scope,
    ) -> Value {
        let op = Op::Atomic {
            op,
            addr,
            args,
            order,
            scope,
        };
        self.insert1(op, ty)
    }

    pub fn atomic_store(&mut self, addr: Addr, value: Value, order: Order, scope: Scope) {
        self.insert0(Op::Atomic {
            op: AtomicOp::Store,
            addr,
            args: vec![value],
            order,
            scope,
        });
    }

    pub fn fence(&mut self, flags: FenceFlags, order: Order, scope: Scope) {
        self.insert0(Op::Fence {
            flags,
            order,
            scope,
        });
    }

    pub fn barrier(&mut self, flags: FenceFlags, scope: Scope) {
        self.insert0(Op::Barrier { flags, scope });
    }

    // Work-items and calls.

    /// See [`SubGroupOp`] for the operands.
    pub fn sub_group(&mut self, op: SubGroupOp, args: Vec<Value>) -> Value {
        self.infer(Op::SubGroup(op, args))
    }

    /// `cluster`: 0, or lanes of a run.
    pub fn sub_group_reduce(
        &mut self,
        op: BinOp,
        how: Reduction,
        value: Value,
        cluster: u32,
    ) -> Value {
        self.infer(Op::SubGroupReduce {
            op,
            how,
            value,
            cluster,
        })
    }

    pub fn clock(&mut self, scope: Scope) -> Value {
        self.insert1(Op::Clock(scope), Type::I64)
    }

    /// `dim` (i32) for those that take one.
    pub fn work_item(&mut self, what: WorkItem, dim: Option<Value>) -> Value {
        self.infer(Op::WorkItem(what, dim))
    }

    /// `ret` is the callee's.
    pub fn call(&mut self, callee: FuncId, args: Vec<Value>, ret: Option<Type>) -> Option<Value> {
        let types: Vec<Type> = ret.into_iter().collect();
        self.insert(Op::call(callee, args), &types).first().copied()
    }

    pub fn printf(&mut self, format: StringId, args: Vec<Value>) -> Value {
        self.infer(Op::Printf(format, args))
    }

    // Control.

    /// An `if` with results. Each closure returns what its region yields; that is
    /// ignored when the region left by a terminator of its own.
    pub fn if_else(
        &mut self,
        cond: Value,
        types: &[Type],
        then: impl FnOnce(&mut Self) -> Vec<Value>,
        other: impl FnOnce(&mut Self) -> Vec<Value>,
    ) -> Vec<Value> {
        let then = self.yielding(then);
        let other = self.yielding(other);
        self.insert(Op::If(cond, then, other), types)
    }

    /// An `if` without else and results.
    pub fn if_then(&mut self, cond: Value, then: impl FnOnce(&mut Self)) {
        let then = |b: &mut Self| {
            then(b);
            Vec::new()
        };
        self.if_else(cond, &[], then, |_| Vec::new());
    }

    /// A region that ends with `yield` of the closure's values, unless it ended by itself.
    pub fn yielding(&mut self, build: impl FnOnce(&mut Self) -> Vec<Value>) -> Box<Region> {
        self.region(Vec::new(), |b| {
            let values = build(b);
            b.yield_(values);
        })
    }

    /// A loop with results of `types` (those of its breaks). The closure gets the body's
    /// parameters and must end the region (break, continue or return).
    pub fn loop_(
        &mut self,
        init: Vec<Value>,
        types: &[Type],
        build: impl FnOnce(&mut Self, &[Value]),
    ) -> Vec<Value> {
        let params: Vec<Value> = init
            .iter()
            .map(|&v| {
                let ty = self.ty(v);
                self.func.new_value(ty)
            })
            .collect();
        let body = self.region(params.clone(), |b| build(b, &params));
        self.insert(
            Op::Loop {
                init,
                body,
                unroll: Unroll::Auto,
            },
            types,
        )
    }

    pub fn switch(
        &mut self,
        selector: Value,
        cases: Vec<(Vec<u64>, Box<Region>)>,
        default: Box<Region>,
        types: &[Type],
    ) -> Vec<Value> {
        let op = Op::Switch {
            selector,
            cases,
            default,
        };
        self.insert(op, types)
    }

    pub fn yield_(&mut self, values: Vec<Value>) {
        self.insert0(Op::Yield(values));
    }

    pub fn break_(&mut self, values: Vec<Value>) {
        self.insert0(Op::Break(values));
    }

    pub fn continue_(&mut self, values: Vec<Value>) {
        self.insert0(Op::Continue(values));
    }

    pub fn return_(&mut self, value: Option<Value>) {
        self.insert0(Op::Return(value));
    }

    pub fn unreachable(&mut self) {
        self.insert0(Op::Unreachable);
    }
}

/// Ones in the low `bits` bits (1 to 64).
pub fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}
