//! Device memory as an array of storage buffers, for devices without buffer device addresses.
//!
//! An address has the number of a storage buffer in its high word ([`FIRST_STORAGE_BUFFER`] is the first), and an offset in
//! bytes in its low word. Algorithm: each access becomes accesses of one word, and each address the pair of these two,
//! of which the emitter makes an index. An offset stays inside its object, so the buffer is that of the pointer to
//! which offsets were added, if that is an argument or a field of the block: the same buffer for all work-items. Where the device
//! does not take such an index, which may be constants only, the access is written once for each buffer, in branches.
//!
//! Needs: accesses of whole words (`narrow`) and 64-bit addresses. Establishes: Legal for such a target.

use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::flow::{self, Analysis, Facts};
use crate::ir::util::rewrite;
use crate::ir::{Addr, BinOp, CmpOp, Function, Inst, Module, Op, Scalar, Type, Value};
use crate::kernel::{ArgKind, FIRST_STORAGE_BUFFER, SysField};
use crate::pass::{Ctx, each_function};
use crate::target::Target;
use rustc_hash::FxHashSet;

/// Bytes.
const WORD: u32 = 4;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    let target = ctx.target;
    if target.storage_buffers == 0 {
        return;
    }
    each_function(module, |func, _| {
        let Some(body) = &func.body else { return };
        let pointers = pointers(func);
        let mut flow = Flow {
            func,
            pointers: &pointers,
        };
        let lowering = Lowering {
            bases: flow::solve(&mut flow, func, body, &Base::Any),
            target,
        };
        rewrite(func, |b, inst| lowering.inst(b, inst));
    });
}

/// The offsets of addresses in the argument block.
fn pointers(func: &Function) -> FxHashSet<u32> {
    let layout = func.kernel.iter().flat_map(|kernel| &kernel.layout);
    let args = layout.flat_map(|layout| &layout.args);
    let offsets = args.filter_map(|arg| match arg.kind {
        // An image's record begins with its address.
        ArgKind::Pointer { offset, .. } | ArgKind::Image { offset, .. } => Some(offset),
        _ => None,
    });
    offsets.collect()
}

/// What a value is, if it is an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Base {
    /// Null.
    #[default]
    None,
    /// A pointer of the argument block with offsets added.
    Arg(u32),
    Sys(SysField),
    /// Of several, or from elsewhere. Or an offset.
    Any,
}

impl Base {
    fn is_known(self) -> bool {
        matches!(self, Base::Arg(_) | Base::Sys(_))
    }
}

struct Flow<'a> {
    func: &'a Function,
    pointers: &'a FxHashSet<u32>,
}

impl Analysis for Flow<'_> {
    type Fact = Base;

    fn concerns(&self, v: Value) -> bool {
        self.func.ty(v) == Type::I64
    }

    fn join(&mut self, _: Value, base: &mut Base, more: &Base) -> bool {
        let old = *base;
        *base = match (old, *more) {
            (Base::None, base) | (base, Base::None) => base,
            (base, more) if base == more => base,
            _ => Base::Any,
        };
        *base != old
    }

    fn transfer(&mut self, inst: &Inst, facts: &mut Facts<Base>) {
        let &[result] = &inst.results[..] else {
            for &v in &inst.results {
                facts.add(self, v, &Base::Any);
            }
            return;
        };
        let base = match inst.op {
            Op::Const(_) => Base::None,
            Op::Arg { offset } if self.pointers.contains(&offset) => Base::Arg(offset),
            Op::Sys(field) if field.is_address() => Base::Sys(field),
            Op::Binary(BinOp::Sub, x, _) => *facts.get(x),
            // A mask rounds an address down.
            Op::Binary(BinOp::Add | BinOp::And | BinOp::Or, x, y) => {
                match (*facts.get(x), *facts.get(y)) {
                    (x, y) if x.is_known() && y.is_known() => Base::Any,
                    (known, _) | (_, known) if known.is_known() => known,
                    _ => Base::Any,
                }
            }
            Op::Select(_, x, y) => {
                facts.copy(self, result, x);
                return facts.copy(self, result, y);
            }
            _ => Base::Any,
        };
        if self.concerns(result) {
            facts.add(self, result, &base);
        }
    }
}

struct Lowering<'a> {
    /// By value.
    bases: Vec<Base>,
    target: &'a Target,
}

/// Where an access is.
struct Place {
    /// Addresses of device memory that others see, or scratch.
    kind: fn(Value) -> Addr,
    offset: Value,
    /// The storage buffer, as it is in the high word.
    buffer: Value,
}

impl Place {
    /// The address of a word.
    fn word(&self, b: &mut Builder, index: usize) -> Addr {
        let offset = b.add_const(self.offset, index as i64 * i64::from(WORD));
        let pair = b.construct(vec![offset, self.buffer]);
        (self.kind)(pair)
    }
}

impl Lowering<'_> {
    fn inst(&self, b: &mut Builder, mut inst: Inst) -> Vec<Value> {
        match inst.op {
            Op::Load { addr, volatile, .. } if is_device(addr) => {
                let ty = b.ty(inst.results[0]);
                let count = (u32::from(ty.lanes) * ty.scalar.size() / WORD) as usize;
                let words = self.access(b, addr, &vec![Type::I32; count], |b, place| {
                    let load = |i| {
                        let addr = place.word(b, i);
                        b.load_from(addr, Type::I32, WORD, volatile)
                    };
                    (0..count).map(load).collect()
                });
                return vec![b.from_words(&words, ty)];
            }
            Op::Store {
                addr,
                value,
                volatile,
                ..
            } if is_device(addr) => {
                let words = b.words(value);
                self.access(b, addr, &[], |b, place| {
                    for (i, &word) in words.iter().enumerate() {
                        let addr = place.word(b, i);
                        b.store_to(addr, word, WORD, volatile);
                    }
                    Vec::new()
                });
                return Vec::new();
            }
            Op::Atomic { addr, .. } if is_device(addr) => {
                let types: Vec<Type> = inst.results.iter().map(|&v| b.ty(v)).collect();
                return self.access(b, addr, &types, |b, place| {
                    if let Op::Atomic { addr, .. } = &mut inst.op {
                        *addr = place.word(b, 0);
                    }
                    b.insert(inst.op.clone(), &types)
                });
            }
            _ => {}
        }
        b.push(inst);
        Vec::new()
    }

    /// An access as `write` has it, which returns values of these types.
    fn access(
        &self,
        b: &mut Builder,
        addr: Addr,
        types: &[Type],
        mut write: impl FnMut(&mut Builder, &Place) -> Vec<Value>,
    ) -> Vec<Value> {
        let address = addr.value();
        // New values are what was loaded.
        let base = self.bases.get(address.index()).copied();
        let pointer = match base.unwrap_or(Base::Any) {
            Base::Arg(offset) => Some(Op::Arg { offset }),
            Base::Sys(field) => Some(Op::Sys(field)),
            Base::None | Base::Any => None,
        };
        let is_known = pointer.is_some();
        let offset = b.int_resize(address, Scalar::I32, false);
        let base = pointer.map_or(address, |op| b.insert1(op, Type::I64));
        let width = b.const_int(Type::I64, 32);
        let high = b.binary(BinOp::LShr, base, width);
        let place = Place {
            kind: match addr {
                Addr::Scratch(_) => Addr::Scratch,
                _ => Addr::Device,
            },
            offset,
            buffer: b.int_resize(high, Scalar::I32, false),
        };
        let takes_index = match is_known {
            true => self.target.dynamic_storage_buffers,
            false => self.target.nonuniform_storage_buffers,
        };
        match takes_index {
            true => write(b, &place),
            false => branch(b, &place, 0, self.target.storage_buffers, types, &mut write),
        }
    }
}

/// Branches on which one of `count` storage buffers from `first` on it is.
fn branch(
    b: &mut Builder,
    place: &Place,
    first: u32,
    count: u32,
    types: &[Type],
    write: &mut dyn FnMut(&mut Builder, &Place) -> Vec<Value>,
) -> Vec<Value> {
    let number =
        |b: &mut Builder, n: u32| b.const_int(Type::I32, (FIRST_STORAGE_BUFFER + n).into());
    if count == 1 {
        let buffer = number(b, first);
        return write(b, &Place { buffer, ..*place });
    }
    let half = count / 2;
    let middle = number(b, first + half);
    let is_below = b.compare(CmpOp::Ult, place.buffer, middle);
    let below = b.yielding(|b| branch(b, place, first, half, types, write));
    let behind = b.yielding(|b| branch(b, place, first + half, count - half, types, write));
    b.insert(Op::If(is_below, below, behind), types)
}

fn is_device(addr: Addr) -> bool {
    matches!(addr, Addr::Device(_) | Addr::Scratch(_))
}
