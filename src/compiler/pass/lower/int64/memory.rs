//! Loads and stores of pairs, and device addresses, which are pairs.

use super::{Pair, Splitter, arith, is_wide, word};
use crate::ir::builder::Builder;
use crate::ir::util::reachable;
use crate::ir::{Addr, BinOp, FuncId, Function, Len, Module, Op, Scalar, Type, Value};
use crate::kernel::{ArgKind, SPEC_LOCAL_FRAME};

/// What objects consist of: the two words of a lane.
const ELEMENT: Type = Type::vector(Scalar::I32, 2);
/// Lanes that an access to device memory has at most.
const LANES: u8 = 2;

/// Says of local memory whose length the host chooses that its elements will be [`ELEMENT`]s.
pub fn resize_local(module: &mut Module) {
    for id in 0..module.funcs.len() {
        if module.funcs[id].kernel.is_none() {
            continue;
        }
        let functions = reachable(module, FuncId(id as u32));
        let objects = functions
            .iter()
            .flat_map(|f| &module.funcs[f.index()].objects);
        let wide = objects.filter(|object| is_wide(object.elem));
        let wide: Vec<Len> = wide.map(|object| object.len).collect();
        let kernel = module.funcs[id].kernel.as_mut();
        let Some(layout) = kernel.and_then(|kernel| kernel.layout.as_mut()) else {
            continue;
        };
        for arg in &mut layout.args {
            if let ArgKind::Local { spec_id, elem_size } = &mut arg.kind
                && wide.contains(&Len::Spec(*spec_id))
            {
                *elem_size = ELEMENT.size();
            }
        }
        if let Some(frame) = &mut layout.local_frame
            && wide.contains(&Len::Spec(SPEC_LOCAL_FRAME))
        {
            frame.elem_size = ELEMENT.size();
        }
    }
}

/// Makes objects of 64-bit integers such of [`ELEMENT`]s. Returns how many stand for an element before, by object.
pub fn split_objects(func: &mut Function) -> Vec<Option<u32>> {
    let strides = func.objects.iter_mut().map(|object| {
        let stride = is_wide(object.elem).then(|| object.elem.size() / ELEMENT.size())?;
        object.elem = ELEMENT;
        if let Len::Const(len) = &mut object.len {
            *len = len.saturating_mul(stride);
        }
        Some(stride)
    });
    strides.collect()
}

/// Words of the argument block.
pub fn argument(b: &mut Builder, offset: u32, ty: Type) -> Pair {
    let mut word = |first: u32| {
        let lanes = (0..u32::from(ty.lanes)).map(|lane| {
            let offset = first + lane * ELEMENT.size();
            b.insert1(Op::Arg { offset }, Type::I32)
        });
        let lanes = lanes.collect();
        b.construct(lanes)
    };
    Pair {
        low: word(offset),
        high: word(offset + Type::I32.size()),
    }
}

impl Splitter<'_> {
    /// An address of device memory as one value.
    pub(super) fn address(&mut self, addr: Addr) -> Addr {
        self.behind(addr, 0)
    }

    /// The address `bytes` further.
    fn behind(&mut self, addr: Addr, bytes: u32) -> Addr {
        let (Addr::Device(v) | Addr::Scratch(v)) = addr else {
            return addr;
        };
        if !self.pairs.contains_key(&v) {
            // A pair already: `storage_buffers`.
            return addr;
        }
        let mut at = self.pair(v);
        if bytes != 0 {
            let by = Pair::constant(&mut self.b, Type::I64, bytes.into());
            at = arith::add(&mut self.b, at, by);
        }
        let at = at.together(&mut self.b);
        match addr {
            Addr::Device(_) => Addr::Device(at),
            _ => Addr::Scratch(at),
        }
    }

    /// Where each piece of a value of `lanes` lanes is, its first lane and its number of lanes.
    fn pieces(&mut self, addr: Addr, lanes: u8) -> Vec<(Addr, u8, u8)> {
        let most = match addr {
            Addr::Object(..) => 1,
            _ => LANES,
        };
        let firsts = (0..lanes).step_by(most.into());
        let pieces = firsts.map(|first| {
            let at = match addr {
                Addr::Object(object, index) => {
                    let stride = self.strides[object.index()].unwrap_or(1);
                    let index = self.element(index, stride, first);
                    Addr::Object(object, index)
                }
                _ => self.behind(addr, u32::from(first) * ELEMENT.size()),
            };
            (at, first, most.min(lanes - first))
        });
        pieces.collect()
    }

    fn element(&mut self, index: Value, stride: u32, lane: u8) -> Value {
        let b = &mut self.b;
        if stride == 1 {
            return index;
        }
        let [stride, lane] = [stride, lane.into()].map(|n| b.const_bits(Type::I32, n.into()));
        let first = b.binary(BinOp::Mul, index, stride);
        b.binary(BinOp::Add, first, lane)
    }

    pub(super) fn load(&mut self, addr: Addr, ty: Type, align: u32, volatile: bool) -> Pair {
        let mut lanes: [Vec<Value>; 2] = Default::default();
        for (addr, first, count) in self.pieces(addr, ty.lanes) {
            let align = aligned(align, first);
            let b = &mut self.b;
            let words = Type::vector(Scalar::I32, 2 * count);
            let words = b.load_from(addr, words, align, volatile);
            let pair = Pair::apart(b, words);
            if ty.lanes == count {
                return pair;
            }
            lanes[0].extend(b.lanes(pair.low));
            lanes[1].extend(b.lanes(pair.high));
        }
        let [low, high] = lanes.map(|lanes| self.b.construct(lanes));
        debug_assert_eq!(self.b.ty(low), word(ty));
        Pair { low, high }
    }

    pub(super) fn store(&mut self, addr: Addr, value: Pair, align: u32, volatile: bool) {
        let ty = self.b.ty(value.low);
        for (addr, first, count) in self.pieces(addr, ty.lanes) {
            let b = &mut self.b;
            let piece = match ty.lanes == count {
                true => value,
                false => value.map(|v| {
                    let lanes = (first..first + count).map(|lane| b.extract(v, lane));
                    let lanes = lanes.collect();
                    b.construct(lanes)
                }),
            };
            let words = piece.together(b);
            b.store_to(addr, words, aligned(align, first), volatile);
        }
    }
}

/// The alignment of a piece that begins with lane `first`.
fn aligned(align: u32, first: u8) -> u32 {
    match first {
        0 => align,
        _ => align.min(ELEMENT.size() << first.trailing_zeros()),
    }
}
