//! Calls of user functions.

use super::function::FunctionLowering;
use crate::front::clc::sema::tree::{Expr, FnId};
use crate::front::clc::sema::types::Ty;
use crate::ir::Value;

impl<'u> FunctionLowering<'_, 'u, '_> {
    /// The result of a call: aggregates go by private copies, an aggregate result comes
    /// through a first parameter.
    pub fn call(&mut self, id: FnId, args: &'u [Expr], ret: Ty) -> Option<Value> {
        let callee = self.unit.callee(id);
        let mut values = Vec::new();
        let sret = self.is_aggregate(ret).then(|| {
            let size = self.types().size(ret).max(1) as u32;
            self.temp(size, self.types().align(ret) as u32)
        });
        values.extend(sret);
        for arg in args {
            let value = if self.is_aggregate(arg.ty) {
                self.aggregate_copy(arg)
            } else {
                self.expr(arg)
            };
            values.push(value);
        }
        let ty = self.value_type(ret);
        let result = self.b.call(callee, values, ty);
        sret.or(result)
    }
}
