//! Sub-group operations.

use super::super::{BinOp, Reduction, Scope, SubGroupOp, Type, Value};
use super::{Check, Verifier, ensure};

impl Verifier<'_> {
    pub(super) fn sub_group(&self, op: SubGroupOp, args: &[Value]) -> Check {
        let want = match op {
            SubGroupOp::Elect => 0,
            SubGroupOp::Shuffle => 2,
            _ => 1,
        };
        ensure!(args.len() == want, "{} operands, not {want}", args.len());
        match (op, args) {
            (SubGroupOp::Any | SubGroupOp::All | SubGroupOp::Ballot, &[v]) => {
                self.is(v, Type::BOOL)
            }
            (SubGroupOp::First, &[v]) => self.number(v),
            (SubGroupOp::Shuffle, &[v, lane]) => {
                self.number(v)?;
                self.is(lane, Type::I32)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn sub_group_reduce(
        &self,
        op: BinOp,
        how: Reduction,
        value: Value,
        cluster: u32,
    ) -> Check {
        use BinOp::*;
        self.number(value)?;
        let float = match op {
            Add | Mul | And | Or | Xor | SMin | SMax | UMin | UMax => false,
            FAdd | FMul | FMin | FMax => true,
            _ => return Err(format!("{} does not reduce", op.name())),
        };
        let ty = self.ty(value);
        ensure!(
            ty.scalar.is_float() == float,
            "{} of {value}, which is {ty}",
            op.name()
        );
        ensure!(
            cluster == 0 || (cluster.is_power_of_two() && how == Reduction::All),
            "a cluster of {cluster} for {}",
            how.name()
        );
        Ok(())
    }

    pub(super) fn clock(&self, scope: Scope) -> Check {
        let known = matches!(scope, Scope::SubGroup | Scope::Device);
        ensure!(known, "no clock of scope {}", scope.name());
        Ok(())
    }

    /// A scalar integer or float.
    fn number(&self, v: Value) -> Check {
        let ty = self.ty(v);
        let fits = ty.lanes == 1 && (ty.scalar.is_int() || ty.scalar.is_float());
        ensure!(fits, "{v} is {ty}");
        Ok(())
    }
}
