//! Types of operands and results, op by op.

use super::super::infer::Results;
use super::super::{
    Addr, AtomicOp, BinOp, CastOp, CmpOp, Inst, Op, Scalar, Space, TernOp, Type, UnOp, Value,
};
use super::{Check, Verifier, ensure};
use crate::ir::builder::mask;
use crate::ir::verify::Stage;

/// What an op computes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Int,
    IntOrBool,
    Float,
    /// i32.
    Word,
    /// Integers and pointers.
    Address,
    /// All that has an equality.
    Any,
}

impl Class {
    fn has(self, scalar: Scalar) -> bool {
        match self {
            Class::Int => scalar.is_int(),
            Class::IntOrBool => scalar.is_int() || scalar == Scalar::Bool,
            Class::Float => scalar.is_float(),
            Class::Word => scalar == Scalar::I32,
            Class::Address => scalar.is_int() || scalar.is_ptr(),
            Class::Any => !matches!(scalar, Scalar::Image) && !scalar.is_float(),
        }
    }
}

fn unary_class(op: UnOp) -> Class {
    use UnOp::*;
    match op {
        Not => Class::IntOrBool,
        Neg | Popcount | Clz | Ctz | BitReverse => Class::Int,
        FNeg | FAbs | Floor | Ceil | FTrunc | Rint | Sqrt | NativeRsqrt | NativeSin | NativeCos
        | NativeExp2 | NativeLog2 => Class::Float,
    }
}

fn binary_class(op: BinOp) -> Class {
    use BinOp::*;
    match op {
        And | Or | Xor => Class::IntOrBool,
        FAdd | FSub | FMul | FDiv | FMin | FMax | NativePow => Class::Float,
        SDot4 | UDot4 | SuDot4 => Class::Word,
        _ => Class::Int,
    }
}

fn compare_class(op: CmpOp) -> Class {
    use CmpOp::*;
    match op {
        Eq | Ne => Class::Any,
        Slt | Sle | Sgt | Sge => Class::Int,
        Ult | Ule | Ugt | Uge => Class::Address,
        FEq | FNe | FLt | FLe | FGt | FGe | FOrd | FLtGt => Class::Float,
    }
}

impl<'m> Verifier<'m> {
    fn class(&self, class: Class, v: Value) -> Check {
        let ty = self.ty(v);
        ensure!(
            class.has(ty.scalar),
            "{v} is {ty}, which this op does not take"
        );
        Ok(())
    }

    fn same(&self, a: Value, b: Value) -> Check {
        let (ta, tb) = (self.ty(a), self.ty(b));
        ensure!(ta == tb, "{a} is {ta}, {b} is {tb}");
        Ok(())
    }

    pub(super) fn is(&self, v: Value, want: Type) -> Check {
        let ty = self.ty(v);
        ensure!(ty == want, "{v} is {ty}, not {want}");
        Ok(())
    }

    fn vector(&self, v: Value, lane: u8) -> Check {
        let ty = self.ty(v);
        ensure!(ty.lanes > 1, "{v} is {ty}, not a vector");
        ensure!(lane < ty.lanes, "{v} has no lane {lane}");
        Ok(())
    }

    fn pointer(&self, v: Value) -> Result<Space, String> {
        match self.ty(v).scalar {
            Scalar::Ptr(space) => Ok(space),
            _ => Err(format!("{v} is {}, not a pointer", self.ty(v))),
        }
    }

    fn writable(&self, v: Value) -> Check {
        ensure!(
            self.pointer(v)? != Space::Constant,
            "constant memory does not change"
        );
        Ok(())
    }

    /// Operand types and what stands in the op itself.
    pub(super) fn operands(&self, inst: &Inst) -> Check {
        match &inst.op {
            Op::Unary(op, a) => self.class(unary_class(*op), *a),
            Op::Binary(op, a, b) => {
                self.class(binary_class(*op), *a)?;
                self.same(*a, *b)
            }
            Op::Ternary(op, a, b, c) => {
                let class = match op {
                    TernOp::Fma | TernOp::Mad => Class::Float,
                    TernOp::BitSelect => Class::Int,
                };
                self.class(class, *a)?;
                self.same(*a, *b)?;
                self.same(*a, *c)
            }
            Op::Compare(op, a, b) => {
                self.class(compare_class(*op), *a)?;
                self.same(*a, *b)
            }
            Op::Select(c, a, b) => {
                self.same(*a, *b)?;
                let cond = self.ty(*c);
                let lanes = cond.lanes == 1 || cond.lanes == self.ty(*a).lanes;
                ensure!(cond.scalar == Scalar::Bool && lanes, "{c} is {cond}");
                Ok(())
            }
            Op::Construct(vs) => {
                ensure!((2..=16).contains(&vs.len()), "{} lanes", vs.len());
                ensure!(self.ty(vs[0]).lanes == 1, "{} is not a scalar", vs[0]);
                vs.iter().try_for_each(|v| self.same(vs[0], *v))
            }
            Op::Splat(a) => {
                ensure!(self.ty(*a).lanes == 1, "{a} is not a scalar");
                Ok(())
            }
            Op::Extract(a, lane) => self.vector(*a, *lane),
            Op::ExtractDyn(a, lane) => {
                self.vector(*a, 0)?;
                self.is(*lane, Type::I32)
            }
            Op::Insert(a, b, lane) => {
                self.vector(*a, *lane)?;
                self.is(*b, self.ty(*a).element())
            }
            Op::InsertDyn(a, b, lane) => {
                self.vector(*a, 0)?;
                self.is(*b, self.ty(*a).element())?;
                self.is(*lane, Type::I32)
            }
            Op::Shuffle(a, b, lanes) => {
                self.vector(*a, 0)?;
                self.same(*a, *b)?;
                ensure!((2..=16).contains(&lanes.len()), "{} lanes", lanes.len());
                let count = 2 * self.ty(*a).lanes;
                let bad = lanes.iter().find(|&&l| l >= count && l != 255);
                bad.map_or(Ok(()), |l| Err(format!("no lane {l} in two vectors")))
            }
            Op::Any(a) | Op::All(a) => {
                self.vector(*a, 0)?;
                self.is(*a, Type::BOOL.with_lanes(self.ty(*a).lanes))
            }
            Op::Alloca { align, .. } => aligned(*align),
            Op::GlobalAddr(g) => {
                ensure!(g.index() < self.module.globals.len(), "{g} does not exist");
                Ok(())
            }
            Op::PtrAdd(base, bytes) => {
                self.pointer(*base)?;
                let ty = self.ty(*bytes);
                ensure!(ty == Type::I64 || ty == Type::I32, "the offset is {ty}");
                Ok(())
            }
            Op::Load { addr, align, .. } => {
                aligned(*align)?;
                self.addr(*addr, inst.results.first().map(|v| self.ty(*v)))
            }
            Op::Store {
                addr, value, align, ..
            } => {
                aligned(*align)?;
                self.addr(*addr, Some(self.ty(*value)))?;
                self.stores(*addr)
            }
            Op::Copy {
                to, from, align, ..
            } => {
                aligned(*align)?;
                self.pointer(*from)?;
                self.writable(*to)
            }
            Op::Zero { to, align, .. } => {
                aligned(*align)?;
                self.writable(*to)
            }
            Op::Atomic { op, addr, args, .. } => self.atomic(*op, *addr, args, inst),
            Op::SubGroup(op, args) => self.sub_group(*op, args),
            Op::SubGroupReduce {
                op,
                how,
                value,
                cluster,
            } => self.sub_group_reduce(*op, *how, *value, *cluster),
            Op::Clock(scope) => self.clock(*scope),
            Op::WorkItem(what, dim) => match dim {
                Some(v) if what.has_dim() => self.is(*v, Type::I32),
                None if !what.has_dim() => Ok(()),
                _ => Err(format!("{} and its dimension do not fit", what.name())),
            },
            Op::ImageField(image, _) => self.is(*image, Type::scalar(Scalar::Image)),
            Op::Fetch(slot, index) => {
                self.is(*slot, Type::I32)?;
                self.is(*index, Type::I32)
            }
            Op::If(cond, ..) => self.is(*cond, Type::BOOL),
            Op::Switch {
                selector, cases, ..
            } => {
                let ty = self.ty(*selector);
                ensure!(ty.scalar.is_int() && ty.lanes == 1, "the selector is {ty}");
                let mut values: Vec<u64> = cases.iter().flat_map(|c| c.0.clone()).collect();
                let limit = mask(ty.scalar.bits());
                values.sort_unstable();
                let twice = values.windows(2).find(|w| w[0] == w[1]);
                ensure!(
                    twice.is_none(),
                    "case {} stands twice",
                    twice.unwrap_or(&[0])[0]
                );
                let largest = values.last().copied().unwrap_or(0);
                ensure!(largest <= limit, "case {largest} is no {ty}");
                ensure!(
                    cases.iter().all(|c| !c.0.is_empty()),
                    "a case without values"
                );
                Ok(())
            }
            Op::Loop { init, body, .. } => self.gives(init, &body.params),
            Op::KernelNumber(f) => {
                let kernel = self.module.funcs.get(f.index());
                let is_kernel = kernel.is_some_and(|f| f.kernel.is_some());
                ensure!(is_kernel, "{f} is no kernel");
                Ok(())
            }
            Op::Call {
                callee: f, args, ..
            } => {
                let callee = self.module.funcs.get(f.index());
                let callee = callee.ok_or(format!("{f} does not exist"))?;
                // A declaration is what another module may define; linked ones are gone later.
                let may_lack = self.stage == Stage::Lowered && callee.external;
                ensure!(
                    callee.body.is_some() || may_lack,
                    "'{}' has no body",
                    callee.name
                );
                let (got, want) = (args.len(), callee.params.len());
                ensure!(got == want, "{got} arguments for {want} parameters");
                let mut pairs = args.iter().zip(&callee.params);
                pairs.try_for_each(|(a, p)| self.is(*a, callee.ty(*p)))
            }
            Op::Printf(s, args) => {
                let format = self.module.printf.get(s.index());
                let format = format.ok_or(format!("{s} does not exist"))?;
                let (got, want) = (args.len(), format.arg_sizes.len());
                ensure!(got == want, "{got} arguments, {want} sizes");
                Ok(())
            }
            Op::Sys(field) => {
                use crate::kernel::SysField::*;
                let (GlobalOffset(d) | GlobalSize(d) | NumGroups(d) | GroupBase(d)) = *field else {
                    return Ok(());
                };
                ensure!(d < 3, "no dimension {d}");
                Ok(())
            }
            // Results and terminators are checked by their own rules.
            Op::Const(_)
            | Op::Undef
            | Op::Cast(..)
            | Op::Fence { .. }
            | Op::Barrier { .. }
            | Op::Input(_)
            | Op::Spec(_)
            | Op::Arg { .. }
            | Op::Yield(_)
            | Op::Break(_)
            | Op::Continue(_)
            | Op::Return(_)
            | Op::Unreachable => Ok(()),
        }
    }

    /// Whether an image may lie there: private objects have captures of lambdas until kernel_abi numbers them.
    fn is_capture(&self, addr: Addr) -> bool {
        let Addr::Ptr(pointer) = addr else {
            return false;
        };
        let space = self.pointer(pointer);
        self.stage == Stage::Lowered && matches!(space, Ok(Space::Private | Space::Generic))
    }

    /// `accessed` is what is loaded or stored there.
    fn addr(&self, addr: Addr, accessed: Option<Type>) -> Check {
        if let Some(ty) = accessed {
            let plain = ty.scalar != Scalar::Image || self.is_capture(addr);
            ensure!(plain, "{ty} does not lie in memory");
        }
        match addr {
            Addr::Ptr(v) => self.pointer(v).map(|_| ()),
            Addr::Device(v) | Addr::Scratch(v) => self.device_address(v),
            Addr::Object(o, index) => {
                let object = self.func.objects.get(o.index());
                let object = object.ok_or(format!("{o} does not exist"))?;
                let own = object.space != Space::Global;
                ensure!(own, "{o} lies in device memory");
                self.is(index, Type::I32)?;
                let elem = object.elem;
                let fits = accessed.is_none_or(|ty| ty == elem || elem.has_lane(ty));
                ensure!(fits, "{o} holds {elem}");
                Ok(())
            }
        }
    }

    fn stores(&self, addr: Addr) -> Check {
        match addr {
            Addr::Ptr(v) => self.writable(v),
            _ => Ok(()),
        }
    }

    fn atomic(&self, op: AtomicOp, addr: Addr, args: &[Value], inst: &Inst) -> Check {
        let want = match op {
            AtomicOp::Load => 0,
            AtomicOp::CmpXchg => 2,
            _ => 1,
        };
        let shared = !matches!(addr, Addr::Scratch(_));
        ensure!(shared, "an atomic of memory that no other work-item sees");
        ensure!(args.len() == want, "{} operands, not {want}", args.len());
        let all = args.iter().chain(&inst.results);
        let float = matches!(op, AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax);
        let moves = matches!(op, AtomicOp::Load | AtomicOp::Store | AtomicOp::Xchg);
        let Some(&first) = all.clone().next() else {
            return Err("an atomic load without result".into());
        };
        for &v in all {
            let ty = self
                .func
                .values
                .get(v.index())
                .copied()
                .unwrap_or(Type::BOOL);
            let kind = (ty.scalar.is_int() && !float) || (ty.scalar.is_float() && (float || moves));
            ensure!(
                kind && ty.lanes == 1,
                "{v} is {ty}, which this op does not take"
            );
            self.same(first, v)?;
        }
        self.addr(addr, Some(self.ty(first)))?;
        match op {
            AtomicOp::Load => Ok(()),
            _ => self.stores(addr),
        }
    }

    /// Number and types of the results, which need not be visible yet.
    pub(super) fn results(&self, inst: &Inst) -> Check {
        let types: Option<Vec<Type>> = inst
            .results
            .iter()
            .map(|v| self.func.values.get(v.index()).copied())
            .collect();
        let types = types.ok_or("a result without a type")?;
        let expected = inst.op.results(self.func, Some(self.module));
        match (expected, &types[..]) {
            (Results::Many, _) | (Results::Nothing, []) => Ok(()),
            (Results::One(want), &[ty]) if ty == want => Ok(()),
            (Results::One(want), &[ty]) => Err(format!("the result is {ty}, not {want}")),
            // A call may ignore what it gets.
            (Results::One(_), []) if matches!(inst.op, Op::Call { .. }) => Ok(()),
            (Results::Given, &[ty]) => self.given(&inst.op, ty),
            (Results::Nothing, _) => Err("this op has no result".into()),
            _ => Err(format!("{} results, not one", types.len())),
        }
    }

    /// The result of an op that does not say its type.
    fn given(&self, op: &Op, ty: Type) -> Check {
        match op {
            Op::Const(bits) => {
                let fits = *bits <= mask(ty.scalar.bits());
                ensure!(fits, "{bits:#x} has more bits than {ty}");
                let plain = ty.scalar != Scalar::Image;
                ensure!(plain, "no constants of {ty}");
                Ok(())
            }
            Op::Splat(a) => {
                ensure!(ty.lanes > 1, "the result is not a vector");
                self.is(*a, ty.element())
            }
            Op::Clock(_) | Op::Sys(_) => self.address_or_count(ty),
            Op::Fetch(..) => {
                let texels = [Scalar::F32, Scalar::I32].map(|s| Type::vector(s, 4));
                ensure!(texels.contains(&ty), "a texel is no {ty}");
                Ok(())
            }
            Op::Cast(op, a) => {
                let from = self.ty(*a);
                ensure!(
                    cast_fits(*op, from, ty),
                    "{} from {from} to {ty}",
                    op.name()
                );
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

fn aligned(align: u32) -> Check {
    ensure!(
        align.is_power_of_two(),
        "align {align} is not a power of two"
    );
    Ok(())
}

fn cast_fits(op: CastOp, from: Type, to: Type) -> bool {
    let (f, t) = (from.scalar, to.scalar);
    let narrower = t.bits() < f.bits();
    let wider = t.bits() > f.bits();
    let numeric = |s: Scalar| s.is_int() || s.is_float();
    let kinds = match op {
        CastOp::Trunc => f.is_int() && t.is_int() && narrower,
        CastOp::ZExt | CastOp::SExt => f.is_int() && t.is_int() && wider,
        CastOp::FpTrunc => f.is_float() && t.is_float() && narrower,
        CastOp::FpExt => f.is_float() && t.is_float() && wider,
        CastOp::FpToSi | CastOp::FpToUi => f.is_float() && t.is_int(),
        CastOp::SiToFp | CastOp::UiToFp => f.is_int() && t.is_float(),
        CastOp::BoolToInt => f == Scalar::Bool && t.is_int(),
        CastOp::PtrToInt => f.is_ptr() && t == Scalar::I64,
        CastOp::IntToPtr => f == Scalar::I64 && t.is_ptr(),
        CastOp::SpaceCast => match (f, t) {
            (Scalar::Ptr(a), Scalar::Ptr(b)) => {
                let global = |s| matches!(s, Space::Global | Space::Constant);
                a == Space::Generic || b == Space::Generic || (global(a) && global(b))
            }
            _ => false,
        },
        CastOp::Bitcast => {
            let bits = |ty: Type| ty.scalar.bits() * ty.lanes as u32;
            return numeric(f) && numeric(t) && bits(from) == bits(to);
        }
    };
    kinds && from.lanes == to.lanes
}
