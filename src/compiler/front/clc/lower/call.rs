//! Calls of user functions.

use super::function::FunctionLowering;
use crate::front::clc::sema::tree::{Expr, FnId};
use crate::front::clc::sema::types::Ty;
use crate::ir::Value;

impl<'u> FunctionLowering<'_, 'u, '_> {
    /// An argument's value, an aggregate's a private copy.
    pub fn argument(&mut self, arg: &'u Expr) -> Value {
        match self.is_aggregate(arg.ty) {
            true => self.aggregate_copy(arg),
            false => self.expr(arg),
        }
    }

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
        values.extend(args.iter().map(|arg| self.argument(arg)));
        let ty = self.value_type(ret);
        let result = self.b.call(callee, values, ty);
        sret.or(result)
    }
}
