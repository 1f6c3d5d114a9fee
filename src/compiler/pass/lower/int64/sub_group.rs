//! Reductions of pairs over sub-groups.
//!
//! Algorithm: bit by bit operations are two of words. The others go through the lanes one by one: all of a
//! sub-group do so together.

use super::{Pair, arith};
use crate::ir::builder::Builder;
use crate::ir::{BinOp, CmpOp, Input, Op, Reduction, SubGroupOp, Type, Value};

pub fn reduce(b: &mut Builder, op: BinOp, how: Reduction, value: Pair, cluster: u32) -> Pair {
    if matches!(op, BinOp::And | BinOp::Or | BinOp::Xor) {
        return value.map(|v| b.sub_group_reduce(op, how, v, cluster));
    }
    let identity: u64 = match op {
        BinOp::Mul => 1,
        BinOp::SMin => i64::MAX as u64,
        BinOp::SMax => i64::MIN as u64,
        BinOp::UMin => u64::MAX,
        _ => 0,
    };
    let first = Pair::constant(b, b.ty(value.low), identity);
    let yes = b.const_bool(true);
    let active = b.sub_group(SubGroupOp::Ballot, vec![yes]);
    let [me, size] = [Input::SubGroupLocalId, Input::SubGroupSize]
        .map(|input| b.insert1(Op::Input(input), Type::I32));
    let [zero, one, bits_log] = [0, 1, 5].map(|n| b.const_int(Type::I32, n));
    let (ty, lanes) = (b.ty(value.low), b.ty(value.low).lanes);
    let words = b.loop_(vec![zero, first.low, first.high], &[ty, ty], |b, params| {
        let &[lane, low, high] = params else { return };
        let sum = Pair { low, high };
        let end = b.compare(CmpOp::Uge, lane, size);
        b.if_then(end, |b| b.break_(vec![low, high]));
        let number = b.binary(BinOp::LShr, lane, bits_log);
        let word = b.extract_dyn(active, number);
        let bit = b.binary(BinOp::LShr, word, lane);
        let bit = b.binary(BinOp::And, bit, one);
        let is_active = b.compare(CmpOp::Ne, bit, zero);
        let counts = relation(b, how, lane, me, cluster);
        let counts = b.binary(BinOp::And, is_active, counts);
        let counts = b.splat(counts, lanes);
        let other = value.map(|v| b.sub_group(SubGroupOp::Shuffle, vec![v, lane]));
        let with = arith::binary(b, op, sum, other, None);
        let sum = with.zip(sum, |with, without| b.select(counts, with, without));
        let next = b.binary(BinOp::Add, lane, one);
        b.continue_(vec![next, sum.low, sum.high]);
    });
    Pair {
        low: words[0],
        high: words[1],
    }
}

/// The value of a lane is one of those that are combined for `me`.
fn relation(b: &mut Builder, how: Reduction, lane: Value, me: Value, cluster: u32) -> Value {
    match how {
        Reduction::Inclusive => b.compare(CmpOp::Ule, lane, me),
        Reduction::Exclusive => b.compare(CmpOp::Ult, lane, me),
        Reduction::All if cluster == 0 => b.const_bool(true),
        Reduction::All => {
            let outside = b.const_int(Type::I32, -i64::from(cluster));
            let differing = b.binary(BinOp::Xor, lane, me);
            let differing = b.binary(BinOp::And, differing, outside);
            let zero = b.zero_value(Type::I32);
            b.compare(CmpOp::Eq, differing, zero)
        }
    }
}
