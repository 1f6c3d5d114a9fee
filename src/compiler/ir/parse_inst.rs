//! Reads regions and instructions of the IR text.

use super::names::{FAST_FLAGS, FENCE_FLAGS, Flag, sys_from_name};
use super::parse::{Parse, Parser};
use super::{
    Addr, AtomicOp, BinOp, Bits, CastOp, CmpOp, FastMath, FenceFlags, FuncId, GlobalId, ImageField,
    Input, Inst, ObjectId, Op, Order, Reduction, Region, Scalar, Scope, StringId, SubGroupOp,
    TernOp, Type, UnOp, Unroll, Value, Values, WorkItem, builder::mask, eval,
};
use crate::source::SourceLoc;

/// Deeper nesting is refused. Chains of OpenCL C have up to 16,000 links.
const MAX_DEPTH: u32 = 18_000;

/// Takes the words of `table` that come next, in any order.
fn flags<T: Default>(p: &mut Parser, table: &[Flag<T>]) -> T {
    let mut flags = T::default();
    while let Some((word, place)) = table.iter().find(|(word, _)| p.peek_word() == Some(word)) {
        p.eat(word);
        *place(&mut flags) = true;
    }
    flags
}

impl Parser {
    /// A word of an op table.
    fn row<T>(&mut self, what: &str, from_name: fn(&str) -> Option<T>) -> Parse<T> {
        let word = self.word()?;
        match from_name(&word) {
            Some(row) => Ok(row),
            None => self.error(format!("unknown {what} '{word}'")),
        }
    }

    /// `{ instructions }`
    pub(super) fn region(&mut self, params: Vec<Value>) -> Parse<Box<Region>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.error("too deeply nested");
        }
        self.expect('{')?;
        let mut insts = Vec::new();
        while !self.eat_punct('}') {
            insts.push(self.inst()?);
        }
        self.depth -= 1;
        Ok(Box::new(Region { params, insts }))
    }

    fn inst(&mut self) -> Parse<Inst> {
        let mut results = Values::new();
        if self.peek_word().is_some_and(is_value) {
            loop {
                results.push(self.typed_value()?);
                if !self.eat_punct(',') {
                    break;
                }
            }
            self.expect('=')?;
        }
        let ty = results.first().and_then(|v| self.values[v.index()]);
        let word = self.word()?;
        let op = self.op(&word, ty)?;
        let fast: FastMath = match op.is_control() {
            false => flags(self, &FAST_FLAGS),
            true => FastMath::default(),
        };
        let loc = SourceLoc::default();
        Ok(Inst {
            results,
            op,
            fast,
            loc,
        })
    }

    fn comma_value(&mut self) -> Parse<Value> {
        self.expect(',')?;
        self.value()
    }

    /// One or more values.
    fn values_list(&mut self) -> Parse<Vec<Value>> {
        let mut values = vec![self.value()?];
        while self.eat_punct(',') {
            values.push(self.value()?);
        }
        Ok(values)
    }

    /// The values of a terminator: any number, up to the end of the region.
    fn final_values(&mut self) -> Parse<Vec<Value>> {
        match self.peek_word() {
            Some(w) if is_value(w) => self.values_list(),
            _ => Ok(Vec::new()),
        }
    }

    fn lane(&mut self) -> Parse<u8> {
        self.expect(',')?;
        self.small_lane()
    }

    fn small_lane(&mut self) -> Parse<u8> {
        match self.number()? {
            n @ 0..=31 => Ok(n as u8),
            n => self.error(format!("no lane {n}")),
        }
    }

    fn addr(&mut self) -> Parse<Addr> {
        if self.eat("device") {
            return Ok(Addr::Device(self.value()?));
        }
        if self.eat("scratch") {
            return Ok(Addr::Scratch(self.value()?));
        }
        match self.peek_word() {
            Some(w) if w.starts_with('o') => {
                let object = ObjectId(self.id('o')?);
                self.expect('[')?;
                let index = self.value()?;
                self.expect(']')?;
                Ok(Addr::Object(object, index))
            }
            _ => Ok(Addr::Ptr(self.value()?)),
        }
    }

    /// An op behind its first word. `ty` is the type of its first result.
    fn op(&mut self, word: &str, ty: Option<Type>) -> Parse<Op> {
        if let Some(op) = UnOp::from_name(word) {
            return Ok(Op::Unary(op, self.value()?));
        }
        if let Some(op) = BinOp::from_name(word) {
            return Ok(Op::Binary(op, self.value()?, self.comma_value()?));
        }
        if let Some(op) = CmpOp::from_name(word) {
            return Ok(Op::Compare(op, self.value()?, self.comma_value()?));
        }
        if let Some(op) = CastOp::from_name(word) {
            return Ok(Op::Cast(op, self.value()?));
        }
        if let Some(op) = TernOp::from_name(word) {
            let [a, b, c] = self.three()?;
            return Ok(Op::Ternary(op, a, b, c));
        }
        Ok(match word {
            "const" => Op::Const(self.constant(ty)?),
            "undef" => Op::Undef,
            "select" => {
                let [c, a, b] = self.three()?;
                Op::Select(c, a, b)
            }
            "construct" => Op::Construct(self.values_list()?),
            "splat" => Op::Splat(self.value()?),
            "extract" => Op::Extract(self.value()?, self.lane()?),
            "extract_dyn" => Op::ExtractDyn(self.value()?, self.comma_value()?),
            "insert" => Op::Insert(self.value()?, self.comma_value()?, self.lane()?),
            "insert_dyn" => {
                let [a, b, c] = self.three()?;
                Op::InsertDyn(a, b, c)
            }
            "shuffle" => {
                let (a, b) = (self.value()?, self.comma_value()?);
                self.expect(',')?;
                self.expect('[')?;
                let lane = |p: &mut Self| if p.eat("_") { Ok(255) } else { p.small_lane() };
                Op::Shuffle(a, b, self.list(']', lane)?)
            }
            "any" => Op::Any(self.value()?),
            "all" => Op::All(self.value()?),
            "alloca" => Op::Alloca {
                size: self.u32()?,
                align: self.field("align")?,
            },
            "global_addr" => Op::GlobalAddr(GlobalId(self.id('g')?)),
            "ptradd" => Op::PtrAdd(self.value()?, self.comma_value()?),
            "load" => Op::Load {
                addr: self.addr()?,
                align: self.field("align")?,
                volatile: self.eat("volatile"),
            },
            "store" => Op::Store {
                addr: self.addr()?,
                value: self.comma_value()?,
                align: self.field("align")?,
                volatile: self.eat("volatile"),
            },
            "copy" => Op::Copy {
                to: self.value()?,
                from: self.comma_value()?,
                size: self.field("size")?,
                align: self.field("align")?,
            },
            "zero" => Op::Zero {
                to: self.value()?,
                size: self.field("size")?,
                align: self.field("align")?,
            },
            "atomic" => self.atomic()?,
            "fence" => Op::Fence {
                flags: flags::<FenceFlags>(self, &FENCE_FLAGS),
                order: self.row("memory order", Order::from_name)?,
                scope: self.row("scope", Scope::from_name)?,
            },
            "barrier" => Op::Barrier {
                flags: flags::<FenceFlags>(self, &FENCE_FLAGS),
                scope: self.row("scope", Scope::from_name)?,
            },
            "image_field" => Op::ImageField(
                self.value()?,
                self.row("field of an image", ImageField::from_name)?,
            ),
            "fetch" => Op::Fetch(self.value()?, self.comma_value()?),
            "sub_group" => {
                let op = self.row("sub-group operation", SubGroupOp::from_name)?;
                self.expect('(')?;
                Op::SubGroup(op, self.list(')', Self::value)?)
            }
            "sub_group_reduce" => Op::SubGroupReduce {
                how: self.row("reduction", Reduction::from_name)?,
                op: self.row("operation", BinOp::from_name)?,
                value: self.value()?,
                cluster: self.field("cluster")?,
            },
            "clock" => Op::Clock(self.row("scope", Scope::from_name)?),
            "work_item" => {
                let what = self.row("work-item function", WorkItem::from_name)?;
                let dim = if what.has_dim() {
                    Some(self.value()?)
                } else {
                    None
                };
                Op::WorkItem(what, dim)
            }
            "input" => Op::Input(self.row("input", Input::from_name)?),
            "spec" => Op::Spec(self.u32()?),
            "arg" => Op::Arg {
                offset: self.u32()?,
            },
            "sys" => Op::Sys(self.row("field", sys_from_name)?),
            "kernel_number" => Op::KernelNumber(FuncId(self.id('f')?)),
            "call" => {
                let pure = self.eat("pure");
                let callee = FuncId(self.id('f')?);
                self.expect('(')?;
                Op::Call {
                    callee,
                    args: self.list(')', Self::value)?,
                    pure,
                }
            }
            "printf" => {
                let format = StringId(self.id('s')?);
                self.expect('(')?;
                Op::Printf(format, self.list(')', Self::value)?)
            }
            "if" => self.if_()?,
            "switch" => self.switch()?,
            "loop" => self.loop_()?,
            "yield" => Op::Yield(self.final_values()?),
            "break" => Op::Break(self.final_values()?),
            "continue" => Op::Continue(self.final_values()?),
            "return" => Op::Return(self.final_values()?.first().copied()),
            "unreachable" => Op::Unreachable,
            _ => return self.error(format!("unknown op '{word}'")),
        })
    }

    fn three(&mut self) -> Parse<[Value; 3]> {
        Ok([self.value()?, self.comma_value()?, self.comma_value()?])
    }

    fn atomic(&mut self) -> Parse<Op> {
        let op = self.row("atomic", AtomicOp::from_name)?;
        let addr = self.addr()?;
        let mut args = Vec::new();
        while self.eat_punct(',') {
            args.push(self.value()?);
        }
        Ok(Op::Atomic {
            op,
            addr,
            args,
            order: self.row("memory order", Order::from_name)?,
            scope: self.row("scope", Scope::from_name)?,
        })
    }

    fn if_(&mut self) -> Parse<Op> {
        let cond = self.value()?;
        let then = self.region(Vec::new())?;
        let other = if self.eat("else") {
            self.region(Vec::new())?
        } else {
            Box::new(Region {
                params: Vec::new(),
                insts: vec![Inst {
                    results: Values::new(),
                    op: Op::Yield(Vec::new()),
                    fast: FastMath::default(),
                    loc: SourceLoc::default(),
                }],
            })
        };
        Ok(Op::If(cond, then, other))
    }

    fn switch(&mut self) -> Parse<Op> {
        let selector = self.value()?;
        self.expect('{')?;
        let mut cases = Vec::new();
        while self.eat("case") {
            let mut values = vec![self.number()?];
            while self.eat_punct(',') {
                values.push(self.number()?);
            }
            cases.push((values, self.region(Vec::new())?));
        }
        self.expect_word("default")?;
        let default = self.region(Vec::new())?;
        self.expect('}')?;
        Ok(Op::Switch {
            selector,
            cases,
            default,
        })
    }

    fn loop_(&mut self) -> Parse<Op> {
        let unroll = if self.eat("nounroll") {
            Unroll::Never
        } else if self.eat("unroll") {
            Unroll::Hint(self.u32()?)
        } else {
            Unroll::Auto
        };
        self.expect('(')?;
        let params = self.list(')', |p| {
            let param = p.typed_value()?;
            p.expect('=')?;
            Ok((param, p.value()?))
        })?;
        let (params, init) = params.into_iter().unzip();
        let body = self.region(params)?;
        Ok(Op::Loop { init, body, unroll })
    }

    /// Hexadecimal is bits; decimal is a value of the type.
    fn constant(&mut self, ty: Option<Type>) -> Parse<Bits> {
        let Some(ty) = ty else {
            return self.error("a constant needs a result");
        };
        let word = self.word()?;
        let hex = word.strip_prefix("0x");
        let bits = match (word.as_str(), hex) {
            ("true", _) => Some(1),
            ("false", _) => Some(0),
            (_, Some(hex)) => u64::from_str_radix(hex, 16).ok(),
            _ => decimal(ty.scalar, &word),
        };
        match bits {
            Some(bits) if bits <= mask(ty.scalar.bits()) => Ok(bits),
            _ => self.error(format!("'{word}' is no {ty}")),
        }
    }
}

fn is_value(word: &str) -> bool {
    let digits = word.strip_prefix('v').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

fn decimal(scalar: Scalar, word: &str) -> Option<Bits> {
    match scalar {
        // Parsed as f32: by way of f64 it would be rounded twice.
        Scalar::F32 => word.parse().ok().map(|x: f32| x.to_bits() as Bits),
        s if s.is_float() => word.parse().ok().map(|x| eval::from_f64(s, x)),
        s => {
            let n: i128 = word.parse().ok()?;
            let bits = s.bits();
            let range = -(1i128 << (bits - 1))..1i128 << bits;
            range.contains(&n).then_some(n as u64 & mask(bits))
        }
    }
}
