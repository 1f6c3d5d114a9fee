//! Which control instruction a terminator belongs to.
//!
//! A walk passes a [`Scopes`] from each region to those inside. It has, of the control instructions around, those that a
//! `yield`, `break` and `continue` refer to. `T` is what a walk has for an instruction: a number, or the
//! instruction itself.

use super::{Inst, Op, Value};

#[derive(Debug, Clone, Copy)]
pub struct Scopes<T> {
    innermost: Option<T>,
    yields: Option<T>,
    breaks: Option<T>,
    continues: Option<T>,
}

/// Those of a function's body: no control instruction is around.
impl<T> Default for Scopes<T> {
    fn default() -> Scopes<T> {
        Scopes {
            innermost: None,
            yields: None,
            breaks: None,
            continues: None,
        }
    }
}

impl<T: Copy> Scopes<T> {
    /// The scopes of the regions of `op`, a control instruction that is called `this`.
    pub fn inside(self, op: &Op, this: T) -> Scopes<T> {
        let this = Some(this);
        match op {
            Op::If(..) => Scopes {
                innermost: this,
                yields: this,
                ..self
            },
            Op::Switch { .. } => Scopes {
                innermost: this,
                yields: this,
                breaks: this,
                ..self
            },
            _ => Scopes {
                innermost: this,
                yields: None,
                breaks: this,
                continues: this,
            },
        }
    }

    pub fn innermost(self) -> Option<T> {
        self.innermost
    }

    /// The instruction that a terminator leaves or continues. `None` for what is no `yield`, `break` or
    /// `continue`, and where there is none.
    pub fn target(self, terminator: &Op) -> Option<T> {
        match terminator {
            Op::Yield(_) => self.yields,
            Op::Break(_) => self.breaks,
            Op::Continue(_) => self.continues,
            _ => None,
        }
    }
}

impl<'r> Scopes<&'r Inst> {
    /// What the operands of a terminator become: results, or parameters of the loop that goes on.
    pub fn receivers(self, terminator: &Op) -> Option<&'r [Value]> {
        let target = self.target(terminator)?;
        match (terminator, &target.op) {
            (Op::Continue(_), Op::Loop { body, .. }) => Some(&body.params),
            _ => Some(&target.results),
        }
    }
}
