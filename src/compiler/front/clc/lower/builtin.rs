//! Builtin functions: what a table row says, applied to evaluated arguments.

use super::function::FunctionLowering;
use crate::front::clc::builtins::BuiltinId;
use crate::front::clc::builtins::implementation::{AnyOp, Impl, Special};
use crate::front::clc::builtins::table::{Elem, Row, Term};
use crate::front::clc::sema::tree::{self, Expr, ExprKind};
use crate::front::clc::sema::types::{Prim, Ty, TypeKind};
use crate::ir::{BinOp, Op, Type, Value};

/// A call of a builtin.
pub struct BuiltinCall<'u> {
    pub row: &'static Row,
    pub args: &'u [Expr],
    /// The evaluated arguments.
    pub values: Vec<Value>,
    /// What `gentype` is here.
    pub prim: Prim,
    pub ret_ty: Ty,
    /// `None` for void.
    pub ret: Option<Type>,
}

impl BuiltinCall<'_> {
    /// The result's type, of functions that have one.
    pub fn result(&self) -> Type {
        self.ret.unwrap_or(Type::I32)
    }
}

impl<'u> FunctionLowering<'_, 'u, '_> {
    pub fn builtin(&mut self, id: BuiltinId, args: &'u [Expr], e: &'u Expr) -> Option<Value> {
        let row = id.row();
        let values = args.iter().map(|arg| self.argument(arg)).collect();
        let prim = self
            .generic_prim(row, args)
            .or(self.prim(e.ty))
            .unwrap_or(Prim::Int);
        let call = BuiltinCall {
            row,
            args,
            values,
            prim,
            ret_ty: e.ty,
            ret: self.value_type(e.ty),
        };
        if let Some(power) = self.small_power(&call) {
            return Some(power);
        }
        let options = self.unit.options;
        let alternatives = [
            (
                &row.exact,
                prim == Prim::Float && options.correctly_rounded_divide_sqrt,
            ),
            (&row.relaxed, prim == Prim::Float && options.unsafe_math),
            (&row.unfused, !self.unit.target.fused_fma),
        ];
        let mut chosen = alternatives.into_iter().filter(|a| a.1);
        let imp = chosen.find_map(|a| a.0.as_ref()).unwrap_or(&row.imp);
        match imp {
            Impl::Op(ops) => Some(self.one_op(ops.of(prim), &call)),
            Impl::Compare(op) => {
                let truth = self.b.compare(*op, call.values[0], call.values[1]);
                Some(self.truth_as(truth, call.result()))
            }
            Impl::Library(name) => self.library_call(name, &call),
            Impl::Call(name) => self.exact_call(name, &call),
            Impl::Queue(name) => self.queue_call(name, &call),
            Impl::ImageField(field) => Some(self.image_field(*field, &call)),
            Impl::WorkItem(what) => Some(self.b.work_item(*what, call.values.first().copied())),
            Impl::Atomic(ops) => self.atomic_builtin(ops.of(prim), &call),
            Impl::SubGroup(op) => Some(self.sub_group_builtin(*op, &call)),
            Impl::Reduce(how, ops) => self.sub_group_reduce(ops.of(prim), *how, &call),
            Impl::Fold(ops) => Some(self.fold(ops.of(prim), call.values[0])),
            Impl::Clock(scope) => Some(self.clock_builtin(*scope, &call)),
            Impl::Special(special) => self.special(*special, &call),
        }
    }

    /// The type bound to `gentype`, from the first argument that shows it.
    fn generic_prim(&self, row: &Row, args: &[Expr]) -> Option<Prim> {
        row.params.iter().zip(args).find_map(|(term, arg)| {
            let (term, ty) = match (term, self.types().kind(arg.ty)) {
                (Term::Pointer { pointee, .. }, TypeKind::Pointer(q)) => (&**pointee, q.ty),
                _ => (term, arg.ty),
            };
            match term {
                Term::Value(Elem::Gen, _) | Term::Atomic(Elem::Gen) => self.prim(ty),
                _ => None,
            }
        })
    }

    /// One IR op; scalars go to all lanes of the result.
    fn one_op(&mut self, op: AnyOp, call: &BuiltinCall) -> Value {
        let lanes = call.result().lanes;
        let v: Vec<Value> = call.values.iter().map(|&v| self.widen(v, lanes)).collect();
        match (op, &v[..]) {
            (AnyOp::Un(op), &[a]) => self.b.unary(op, a),
            (AnyOp::Bin(op), &[a, b]) => self.b.binary(op, a, b),
            (AnyOp::Tern(op), &[a, b, c]) => self.b.ternary(op, a, b, c),
            _ => {
                self.defect("arity of a builtin's op");
                self.b.undef(call.result())
            }
        }
    }

    /// All lanes, from the first on.
    fn fold(&mut self, op: BinOp, vector: Value) -> Value {
        let first = self.b.extract(vector, 0);
        (1..self.b.ty(vector).lanes).fold(first, |sum, lane| {
            let next = self.b.extract(vector, lane);
            self.b.binary(op, sum, next)
        })
    }

    /// A scalar in all of `lanes` lanes; a vector as it is.
    pub fn widen(&mut self, value: Value, lanes: u8) -> Value {
        if self.b.ty(value).lanes == 1 {
            self.b.splat(value, lanes)
        } else {
            value
        }
    }

    fn special(&mut self, special: Special, call: &BuiltinCall<'u>) -> Option<Value> {
        use Special::*;
        match special {
            Abs | AbsDiff | Hadd | Rhadd | Clamp | MadHi | MadSat | Mad24 | Mul24 | Rotate
            | Upsample => Some(self.int_builtin(special, call)),
            Assume => None,
            Degrees | Radians | Mix | Step | Sign | CopySign => {
                Some(self.float_builtin(special, call))
            }
            IsNan | IsInf | IsFinite | IsNormal | SignBit | IsUnordered | Any | All => {
                Some(self.relational_builtin(special, call))
            }
            BitSelect | Select | Shuffle | Shuffle2 | Convert => {
                Some(self.vector_builtin(special, call))
            }
            SamplerBits => call.values.first().copied(),
            Fetch => {
                let op = Op::Fetch(call.values[0], call.values[1]);
                Some(self.b.insert1(op, call.result()))
            }
            Vload | Vstore | VloadHalf | VstoreHalf | VloadaHalf | VstoreaHalf => {
                self.memory_builtin(special, call)
            }
            CopyBytes | MoveBytes | SetBytes => {
                self.byte_builtin(special, call);
                None
            }
            Barrier
            | MemFence
            | ReadMemFence
            | WriteMemFence
            | AtomicFence
            | AsyncCopy
            | AsyncStridedCopy
            | AsyncCopy2D
            | AsyncCopy3D
            | SubGroupBarrier
            | WaitEvents
            | Prefetch
            | AtomicFetchFSub
            | AtomicInc
            | AtomicDec
            | AtomicInit
            | AtomicCompareExchange
            | FlagTestAndSet
            | FlagClear => self.sync_builtin(special, call),
            NdRange => Some(self.ndrange(call)),
            CaptureTimes => self.capture_times(call),
            // Calls of these are no builtin's in the tree.
            EnqueueKernel | EnqueueMarker => Some(self.unknown_special(call)),
            ReadPipe | WritePipe | ReadPacket | WritePacket => {
                Some(self.pipe_builtin(special, call))
            }
        }
    }

    /// The value of an integer constant expression, for flags, orders and scopes.
    pub fn constant(&self, e: &Expr) -> Option<u64> {
        match &e.kind {
            ExprKind::Const(bits) => Some(*bits),
            ExprKind::Convert(a) => self.constant(a),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.constant(a)?, self.constant(b)?);
                match op {
                    tree::BinOp::Or => Some(a | b),
                    tree::BinOp::Add => Some(a.wrapping_add(b)),
                    tree::BinOp::And => Some(a & b),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
