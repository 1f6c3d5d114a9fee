//! Statements in constant evaluation.

use super::super::Sema;
use super::super::tree::{Stmt, StmtKind};
use super::evaluate::{Machine, Value};

/// How a statement ends.
pub(super) enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

impl Machine {
    pub fn stmts(&mut self, s: &mut Sema, stmts: &[Stmt]) -> Option<Flow> {
        for stmt in stmts {
            match self.stmt(s, stmt)? {
                Flow::Next => {}
                other => return Some(other),
            }
        }
        Some(Flow::Next)
    }

    fn stmt(&mut self, s: &mut Sema, stmt: &Stmt) -> Option<Flow> {
        match &stmt.kind {
            StmtKind::Expr(e) => {
                self.expr(s, e)?;
            }
            StmtKind::Local(id, init) => {
                let ty = self.local_type(s, *id)?;
                let size = s.types.size(ty);
                let object = self.new_object(size, false);
                self.bind(*id, object);
                if let Some(init) = init {
                    self.init(s, object, ty, init)?;
                }
            }
            StmtKind::Block(stmts) => return self.stmts(s, stmts),
            StmtKind::If(cond, then, otherwise) => {
                let taken = match self.truth(s, cond)? {
                    true => then,
                    false => otherwise,
                };
                return self.stmts(s, taken);
            }
            StmtKind::While(cond, body) => {
                while self.truth(s, cond)? {
                    match self.stmts(s, body)? {
                        Flow::Break => break,
                        Flow::Return(value) => return Some(Flow::Return(value)),
                        _ => {}
                    }
                }
            }
            StmtKind::DoWhile(body, cond, _) => loop {
                match self.stmts(s, body)? {
                    Flow::Break => break,
                    Flow::Return(value) => return Some(Flow::Return(value)),
                    _ => {}
                }
                if !self.truth(s, cond)? {
                    break;
                }
            },
            StmtKind::For {
                init,
                cond,
                step,
                body,
                ..
            } => {
                self.stmts(s, init)?;
                loop {
                    if let Some(cond) = cond
                        && !self.truth(s, cond)?
                    {
                        break;
                    }
                    match self.stmts(s, body)? {
                        Flow::Break => break,
                        Flow::Return(value) => return Some(Flow::Return(value)),
                        _ => {}
                    }
                    if let Some(step) = step {
                        self.expr(s, step)?;
                    }
                    self.steps += 1;
                }
            }
            StmtKind::Switch(selector, body) => return self.switch(s, selector, body),
            StmtKind::Case(..) | StmtKind::Default => {}
            StmtKind::Break => return Some(Flow::Break),
            StmtKind::Continue => return Some(Flow::Continue),
            StmtKind::Return(None) => return Some(Flow::Return(Value::Void)),
            StmtKind::Return(Some(e)) => return Some(Flow::Return(self.expr(s, e)?)),
            StmtKind::Goto(_) | StmtKind::Label(_) => {
                self.never = true;
                return None;
            }
        }
        Some(Flow::Next)
    }

    fn switch(
        &mut self,
        s: &mut Sema,
        selector: &super::super::tree::Expr,
        body: &[Stmt],
    ) -> Option<Flow> {
        let prim = s.types.scalar(selector.ty)?;
        let wide = |bits| {
            super::super::consts::convert_bits(prim, super::super::types::Prim::Long, bits) as i64
        };
        let value = self.integer(s, selector)?;
        let is_it = |stmt: &Stmt| match stmt.kind {
            StmtKind::Case(first, last) => (wide(first)..=wide(last)).contains(&value),
            _ => false,
        };
        let start = body.iter().position(is_it).or_else(|| {
            body.iter()
                .position(|stmt| matches!(stmt.kind, StmtKind::Default))
        });
        let Some(start) = start else {
            return Some(Flow::Next);
        };
        match self.stmts(s, &body[start..])? {
            Flow::Break => Some(Flow::Next),
            other => Some(other),
        }
    }
}
