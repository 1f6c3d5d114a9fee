//! Checks of divisions of integers.

use super::instrument::Instrument;
use super::report::no_object;
use crate::check::Kind;
use crate::ir::{CmpOp, Inst, Op, Type, Value};

impl Instrument<'_, '_> {
    /// A divisor of zero is replaced by one of which nobody knows, and the result by zeros.
    pub(super) fn division(&mut self, inst: Inst, divisor: Value) {
        let known = self.constants.get(divisor).is_some_and(|bits| bits != 0);
        if known || self.reporter.in_library() {
            return self.b.push(inst);
        }
        let ty = self.b.ty(divisor);
        let zeros = self.b.zero_value(ty);
        let wrong = self.b.compare(CmpOp::Eq, divisor, zeros);
        let any = self.b.any(wrong);
        let site = self.reporter.site(Kind::Divide, 0, 0);
        let zero = self.b.const_int(Type::I64, 0);
        let reporter = &*self.reporter;
        self.b.if_then(any, |b| {
            let none = no_object(b);
            reporter.call(b, site, none, [zero; 2]);
        });
        let Op::Binary(op, dividend, _) = inst.op else {
            return self.b.push(inst);
        };
        let ones = self.b.const_int(ty, 1);
        let divisor = self.b.select(wrong, ones, divisor);
        let quotient = self.b.binary(op, dividend, divisor);
        self.b
            .define(inst.results, Op::Select(wrong, zeros, quotient));
    }
}
