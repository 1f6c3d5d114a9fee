//! Folds constants, applies identities, removes common subexpressions.
//!
//! Algorithm: one walk in text order rebuilds the function. The operands of each instruction
//! are replaced by what they became; then rules, which look at the operations behind the
//! operands, turn it into a known value or a simpler instruction until none applies; at last an
//! equal instruction that is visible here takes its place. Constants move to the start of the
//! function, one for each type and value, so that equal constants are equal values.
//!
//! The rules: `fold` (constants), `int`, `cast`, `compare`, `float`, `vector`, `memory`, and `control`.

mod cast;
mod compare;
mod control;
mod float;
mod fold;
mod int;
mod known_bits;
mod masks;
mod memory;
mod vector;

use std::hash::{Hash, Hasher};

use super::effects;
use super::scoped::ScopedMap;
use crate::diag::Sink;
use crate::ir::builder::{Builder, mask};
use crate::ir::defs::{Definition, Defs};
use crate::ir::util::use_counts;
use crate::ir::{
    BinOp, Bits, CastOp, FastMath, Function, Global, Inst, Module, Op, Type, UnOp, Value,
};
use crate::pass::Ctx;
use crate::target::Target;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::smallvec;

/// Rules that are applied to one instruction in sequence; a bound against rules that undo each other.
const MAX_STEPS: u32 = 16;
/// Instructions which rules make for instructions which rules make.
const MAX_DEPTH: u32 = 16;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    for func in &mut module.funcs {
        simplify(func, &module.globals, ctx.target);
    }
}

/// Simplifies a function. Returns whether another walk will find more: a loop turned out to have one round. What follows any
/// other changed instruction has seen the change already.
pub fn simplify(func: &mut Function, globals: &[Global], target: &Target) -> bool {
    let uses = use_counts(func);
    let Some(body) = func.body.take() else {
        return false;
    };
    let mut s = Simplifier {
        defs: Defs::with_capacity(func.values.len()),
        new: Vec::new(),
        b: Builder::new(func),
        uses,
        globals,
        target,
        constants: FxHashMap::default(),
        prelude: Vec::new(),
        known: ScopedMap::new(),
        memory: memory::Memory::new(),
        depth: 0,
        loops: 0,
        again: false,
    };
    s.insts(body.insts);
    let Simplifier {
        b,
        mut prelude,
        again,
        ..
    } = s;
    b.finish();
    if let Some(body) = &mut func.body {
        prelude.append(&mut body.insts);
        body.insts = prelude;
    }
    again
}

/// What a rule makes of an instruction.
enum Step {
    Value(Value),
    Op(Op),
}

/// The result of a rule: `None` if it does not apply.
type Rule = Option<Step>;

/// An operation, its flags, and how many loops it is in.
struct Computed {
    op: Op,
    fast: FastMath,
    loops: u32,
}

impl Definition for Computed {
    fn op(&self) -> &Op {
        &self.op
    }
}

struct Simplifier<'a> {
    b: Builder<'a>,
    /// Definitions by neither control nor memory instructions.
    defs: Defs<Computed>,
    /// By value: what replaces it; itself, or beyond the end, if nothing does.
    new: Vec<Value>,
    /// By value: how often it was used before the walk.
    uses: Vec<u32>,
    globals: &'a [Global],
    target: &'a Target,
    /// `None`: undefined.
    constants: FxHashMap<(Type, Option<Bits>), Value>,
    prelude: Vec<Inst>,
    /// Pure instructions that are visible here, by their hash.
    known: ScopedMap<u64, Value>,
    memory: memory::Memory,
    depth: u32,
    /// How many loops are around what is walked over.
    loops: u32,
    /// A loop that was walked over has one round.
    again: bool,
}

impl Simplifier<'_> {
    // What is known about values.

    fn ty(&self, v: Value) -> Type {
        self.b.ty(v)
    }

    fn resolve(&self, mut v: Value) -> Value {
        while let Some(&new) = self.new.get(v.index())
            && new != v
        {
            v = new;
        }
        v
    }

    /// From now on `new` replaces `old`.
    fn replace(&mut self, old: Value, new: Value) {
        for i in self.new.len()..=old.index() {
            self.new.push(Value(i as u32));
        }
        self.new[old.index()] = new;
    }

    fn def(&self, v: Value) -> Option<&Op> {
        self.defs.op(v)
    }

    /// The flags of the operation behind a value.
    fn flags(&self, v: Value) -> FastMath {
        let def = self.defs.get(v);
        def.map_or(FastMath::default(), |d| d.fast)
    }

    fn bits(&self, v: Value) -> Option<Bits> {
        self.defs.constant(v)
    }

    fn is_undef(&self, v: Value) -> bool {
        matches!(self.def(v), Some(Op::Undef))
    }

    fn unary(&self, v: Value, op: UnOp) -> Option<Value> {
        self.defs.unary(v, op)
    }

    fn binary(&self, v: Value, op: BinOp) -> Option<(Value, Value)> {
        self.defs.binary(v, op)
    }

    /// A binary operation with a constant on the right.
    fn binary_const(&self, v: Value, op: BinOp) -> Option<(Value, Bits)> {
        let (a, b) = self.binary(v, op)?;
        Some((a, self.bits(b)?))
    }

    fn cast(&self, v: Value, op: CastOp) -> Option<Value> {
        self.defs.cast(v, op)
    }

    /// Nothing else needs the value: it may be computed in another way instead.
    fn single_use(&self, v: Value) -> bool {
        self.uses.get(v.index()).is_none_or(|&n| n <= 1)
    }

    /// Nothing else needs the value, and it is computed as often as what is walked over.
    fn is_part(&self, v: Value) -> bool {
        let def = self.defs.get(v);
        self.single_use(v) && def.is_some_and(|d| d.loops == self.loops)
    }

    // New instructions.

    fn constant(&mut self, ty: Type, bits: Bits) -> Value {
        self.pooled(ty, Some(bits & mask(ty.scalar.bits())))
    }

    fn undef(&mut self, ty: Type) -> Value {
        self.pooled(ty, None)
    }

    fn pooled(&mut self, ty: Type, bits: Option<Bits>) -> Value {
        if let Some(&v) = self.constants.get(&(ty, bits)) {
            return v;
        }
        let v = self.b.func.new_value(ty);
        let op = bits.map_or(Op::Undef, Op::Const);
        self.constants.insert((ty, bits), v);
        self.prelude.push(Inst {
            results: smallvec![v],
            op: op.clone(),
            fast: FastMath::default(),
            loc: Default::default(),
        });
        self.note(v, op, FastMath::default());
        v
    }

    fn note(&mut self, v: Value, op: Op, fast: FastMath) {
        let loops = self.loops;
        self.defs.note(v, Computed { op, fast, loops });
    }

    /// A value of `op`, simplified.
    fn emit(&mut self, op: Op, ty: Type) -> Value {
        self.depth += 1;
        let v = self.pure(op, ty, None);
        self.depth -= 1;
        v
    }

    /// The value of a pure `op`; a new instruction for it gets `result`, if given.
    fn pure(&mut self, mut op: Op, ty: Type, result: Option<Value>) -> Value {
        if self.depth < MAX_DEPTH {
            for _ in 0..MAX_STEPS {
                match self.step(&op, ty) {
                    Some(Step::Value(v)) => return v,
                    Some(Step::Op(new)) => op = new,
                    None => break,
                }
            }
        }
        match op {
            Op::Const(bits) => return self.constant(ty, bits),
            Op::Undef => return self.undef(ty),
            _ => {}
        }
        let fast = self.b.fast;
        let Simplifier { known, b, defs, .. } = self;
        let equal = |v: Value| {
            let def = defs.get(v);
            b.ty(v) == ty && def.is_some_and(|d| d.op == op && d.fast == fast)
        };
        let place = match known.find(hash(&op, ty, fast), equal) {
            Ok(v) => return v,
            Err(place) => place,
        };
        let v = result.unwrap_or_else(|| b.func.new_value(ty));
        place.fill(v);
        self.b.define(smallvec![v], op.clone());
        self.note(v, op, fast);
        v
    }

    /// The first rule that applies to a pure instruction.
    fn step(&mut self, op: &Op, ty: Type) -> Rule {
        if let Some(step) = self.fold(op, ty).or_else(|| self.fold_choice(op, ty)) {
            return Some(step);
        }
        match *op {
            Op::Unary(op, a) if ty.scalar.is_float() => self.float_unary(op, a),
            Op::Unary(op, a) => self.int_unary(op, a, ty),
            Op::Binary(op, a, b) => {
                if commutes(op) && self.goes_right(a, b) {
                    return Some(Step::Op(Op::Binary(op, b, a)));
                }
                match ty.scalar.is_float() {
                    true => self.float_binary(op, a, b, ty),
                    false => self.int_binary(op, a, b, ty),
                }
            }
            Op::Ternary(op, a, b, c) => self.ternary(op, a, b, c),
            Op::Compare(op, a, b) => self.compare(op, a, b),
            Op::Cast(op, a) => self.cast_rules(op, a, ty),
            Op::Select(c, a, b) => self.select(c, a, b, ty),
            Op::PtrAdd(p, offset) => self.ptradd(p, offset, ty),
            ref op => self.vector(op, ty),
        }
    }

    /// Constants stand right, else the value that was made first stands left.
    fn goes_right(&self, a: Value, b: Value) -> bool {
        match (self.bits(a).is_some(), self.bits(b).is_some()) {
            (true, false) => true,
            (false, true) => false,
            _ => a > b,
        }
    }

    // The walk.

    /// The flags have a meaning. Others are dropped, since they would make equal instructions differ.
    fn is_float(&self, op: &Op, results: &[Value]) -> bool {
        match *op {
            Op::Compare(_, a, _) => self.ty(a).scalar.is_float(),
            Op::Unary(..) | Op::Binary(..) | Op::Ternary(..) => {
                results.iter().all(|&v| self.ty(v).scalar.is_float())
            }
            _ => false,
        }
    }

    /// Rebuilds instructions at the end of the open region. The operands of a yield at the
    /// end, which is left to the caller.
    fn insts(&mut self, insts: Vec<Inst>) -> Option<Vec<Value>> {
        self.b.reserve(insts.len());
        for mut inst in insts {
            let mut op = std::mem::replace(&mut inst.op, Op::Unreachable);
            op.for_each_operand_mut(|v| *v = self.resolve(*v));
            self.b.loc = inst.loc;
            self.b.fast = match self.is_float(&op, &inst.results) {
                true => inst.fast,
                false => FastMath::default(),
            };
            match op {
                Op::Yield(values) => return Some(values),
                Op::If(..) | Op::Switch { .. } | Op::Loop { .. } => {
                    self.control(op, inst.results);
                }
                op if op.is_terminator() => self.b.insert0(op),
                op if effects::is_pure(&op) || matches!(op, Op::Call { pure: true, .. }) => {
                    let Some(&result) = inst.results.first() else {
                        continue;
                    };
                    let v = self.pure(op, self.ty(result), Some(result));
                    if v != result {
                        self.replace(result, v);
                    }
                }
                op => self.memory_op(op, inst.results),
            }
            if self.b.terminated() {
                return None;
            }
        }
        None
    }
}

fn commutes(op: BinOp) -> bool {
    use BinOp::*;
    matches!(
        op,
        Add | Mul
            | And
            | Or
            | Xor
            | SMin
            | SMax
            | UMin
            | UMax
            | SMulHi
            | UMulHi
            | SAddSat
            | UAddSat
            | SDot4
            | UDot4
            | FAdd
            | FMul
            | FMin
            | FMax
    )
}

/// Equal instructions have equal hashes.
pub(super) fn hash(op: &Op, ty: Type, fast: FastMath) -> u64 {
    let mut h = FxHasher::default();
    (std::mem::discriminant(op), ty, fast).hash(&mut h);
    op.for_each_operand(|v| v.hash(&mut h));
    match op {
        Op::Unary(o, _) => o.hash(&mut h),
        Op::Binary(o, ..) => o.hash(&mut h),
        Op::Ternary(o, ..) => o.hash(&mut h),
        Op::Compare(o, ..) => o.hash(&mut h),
        Op::Cast(o, _) => o.hash(&mut h),
        Op::Extract(_, lane) | Op::Insert(_, _, lane) => lane.hash(&mut h),
        Op::Shuffle(_, _, lanes) => lanes.hash(&mut h),
        Op::GlobalAddr(g) => g.hash(&mut h),
        Op::WorkItem(what, _) => what.hash(&mut h),
        Op::ImageField(_, field) => field.hash(&mut h),
        Op::Input(what) => what.hash(&mut h),
        Op::Spec(id) => id.hash(&mut h),
        Op::Arg { offset } => offset.hash(&mut h),
        Op::Sys(field) => field.hash(&mut h),
        Op::Call { callee, .. } | Op::KernelNumber(callee) => callee.hash(&mut h),
        _ => {}
    }
    h.finish()
}
