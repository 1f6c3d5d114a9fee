//! Statements, labels and loops.

use super::Sema;
use super::convert::Context;
use super::cxx::BlockKind;
use super::operand::Operand;
use super::tree::{Expr, ExprKind, Stmt, StmtKind};
use super::types::QualTy;
use crate::front::clc::syntax::ast;
use crate::ir::Unroll;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// A list of statements in the current scope.
    pub fn stmts(&mut self, items: &[ast::Stmt]) -> Vec<Stmt> {
        let mut out = Vec::new();
        let mut unroll = Unroll::Auto;
        for item in items {
            if self.sink.stopped() {
                break;
            }
            if let ast::StmtKind::Pragma(p) = &item.kind
                && let Some(hint) = self.unroll_pragma(p)
            {
                unroll = hint;
                continue;
            }
            self.stmt(item, std::mem::take(&mut unroll), &mut out);
        }
        out
    }

    /// The function is a block's.
    fn in_block(&self) -> bool {
        self.cur.as_ref().is_some_and(|f| f.block.is_some())
    }

    /// A statement that is the body of another: a scope of its own.
    pub fn body(&mut self, item: &ast::Stmt) -> Vec<Stmt> {
        self.nest(1);
        self.scopes.push();
        let out = match &item.kind {
            ast::StmtKind::Block(block) => self.stmts(&block.items),
            _ => self.stmts(std::slice::from_ref(item)),
        };
        self.scopes.pop();
        self.nest(-1);
        out
    }

    /// Enters or leaves a nested statement, for case labels in odd places.
    fn nest(&mut self, by: isize) {
        if let Some(s) = self.cur.as_mut().and_then(|f| f.switches.last_mut()) {
            s.nesting = s.nesting.wrapping_add_signed(by);
        }
    }

    pub fn loop_body(&mut self, item: &ast::Stmt) -> Vec<Stmt> {
        if let Some(f) = &mut self.cur {
            f.loops += 1;
            f.breakables.push(true);
        }
        let out = self.body(item);
        if let Some(f) = &mut self.cur {
            f.loops -= 1;
            f.breakables.pop();
        }
        out
    }

    /// `unroll`: from a pragma before the statement.
    pub fn stmt(&mut self, item: &ast::Stmt, unroll: Unroll, out: &mut Vec<Stmt>) {
        use ast::StmtKind::*;
        let loc = item.loc;
        let attrs = self.attributes(&item.attributes);
        let unroll = match attrs.unroll {
            Unroll::Auto => unroll,
            hint => {
                use crate::front::clc::syntax::cxx::ast::Stmt as CxxStmt;
                let is_loop = match &item.kind {
                    While(..) | DoWhile(..) | For(..) | Label(..) => true,
                    Cxx(stmt) => matches!(
                        **stmt,
                        CxxStmt::While(..) | CxxStmt::For { .. } | CxxStmt::ForRange { .. }
                    ),
                    _ => false,
                };
                if !is_loop {
                    let text = "'opencl_unroll_hint' attribute only applies to 'for', 'while', and 'do' statements";
                    self.error(loc, text);
                }
                hint
            }
        };
        let kind = match &item.kind {
            Expr(None) => return,
            Expr(Some(e)) => {
                let operand = self.operand(e);
                let value = self.discarded(operand);
                StmtKind::Expr(self.full_expression(value))
            }
            Declaration(d) => {
                out.extend(self.declaration(d));
                return;
            }
            StaticAssert(a) => return self.static_assert(a),
            Block(block) => {
                self.nest(1);
                self.scopes.push();
                self.open_block(BlockKind::Plain);
                let mut inner = self.stmts(&block.items);
                self.close_block(&mut inner);
                self.scopes.pop();
                self.nest(-1);
                StmtKind::Block(inner)
            }
            If(cond, then, otherwise) => {
                let cond = self.condition(cond);
                let then = self.body(then);
                let otherwise = match otherwise {
                    Some(otherwise) => self.body(otherwise),
                    None => Vec::new(),
                };
                StmtKind::If(cond, then, otherwise)
            }
            While(cond, body) => {
                let cond = self.condition(cond);
                let body = self.loop_body(body);
                match unroll {
                    Unroll::Auto => StmtKind::While(cond, body),
                    _ => StmtKind::For {
                        init: Vec::new(),
                        cond: Some(cond),
                        step: None,
                        body,
                        unroll,
                    },
                }
            }
            DoWhile(body, cond) => {
                self.open_block(BlockKind::Loop);
                let mut body = self.loop_body(body);
                self.close_block(&mut body);
                let cond = self.condition(cond);
                StmtKind::DoWhile(body, cond, unroll)
            }
            For(init, cond, step, body) => {
                self.scopes.push();
                let mut first = Vec::new();
                if let Some(init) = init {
                    self.stmt(init, Unroll::Auto, &mut first);
                }
                let cond = cond.as_ref().map(|c| self.condition(c));
                let step = step.as_ref().map(|s| {
                    let operand = self.operand(s);
                    self.discarded(operand)
                });
                let body = self.loop_body(body);
                self.scopes.pop();
                StmtKind::For {
                    init: first,
                    cond,
                    step,
                    body,
                    unroll,
                }
            }
            Switch(selector, body) => match self.switch(selector, body) {
                Some(kind) => kind,
                None => return,
            },
            Case(value, end, inner) => {
                self.at_case(loc);
                let label = self.case_label(value, end.as_ref(), loc);
                out.extend(label.map(|kind| Stmt { kind, loc }));
                return self.stmt(inner, Unroll::Auto, out);
            }
            Default(inner) => {
                self.at_case(loc);
                let label = self.default_label(loc);
                out.extend(label.map(|kind| Stmt { kind, loc }));
                return self.stmt(inner, Unroll::Auto, out);
            }
            Break => match self.cur.as_ref().is_some_and(|f| !f.breakables.is_empty()) {
                true => {
                    self.before_break(out);
                    StmtKind::Break
                }
                false => {
                    return self.error(loc, "'break' statement not in loop or switch statement");
                }
            },
            Continue => match self.cur.as_ref().is_some_and(|f| f.loops > 0) {
                true => {
                    self.before_continue(out);
                    StmtKind::Continue
                }
                false => return self.error(loc, "'continue' statement not in loop statement"),
            },
            Return(value) if self.cxx.is_some() && !self.in_block() => {
                out.extend(self.cxx_return(value.as_ref(), loc).unwrap_or_default());
                return;
            }
            Return(value) => match self.return_stmt(value.as_ref(), loc) {
                Some(kind) => kind,
                None => return,
            },
            Goto(name) => {
                let Some(f) = &mut self.cur else { return };
                f.has_goto = true;
                let label = f.label(name);
                label.used.get_or_insert(loc);
                let id = label.id;
                self.before_goto(id, loc, out);
                StmtKind::Goto(id)
            }
            Label(name, inner) => {
                if let Some(id) = self.define_label(name, loc) {
                    self.at_label(id);
                    let kind = StmtKind::Label(id);
                    out.push(Stmt { kind, loc });
                }
                return self.stmt(inner, unroll, out);
            }
            Pragma(p) => return self.pragma(p),
            Cxx(stmt) => return self.cxx_stmt(stmt, unroll, loc, out),
            Asm => return self.error(loc, "inline assembly is not supported in OpenCL"),
        };
        out.push(Stmt { kind, loc });
    }

    fn define_label(&mut self, name: &ast::Name, loc: SourceLoc) -> Option<u32> {
        let label = self.cur.as_mut()?.label(name);
        match label.defined {
            Some(old) => {
                self.error(loc, format!("redefinition of label '{name}'"));
                self.sink.note(old, "previous definition is here");
                None
            }
            None => {
                label.defined = Some(loc);
                Some(label.id)
            }
        }
    }

    /// Every label that goto names must be there.
    pub fn check_labels(&mut self) {
        let Some(f) = &self.cur else { return };
        let missing = f.labels.iter().filter(|(_, l)| l.defined.is_none());
        let mut missing: Vec<(u32, SourceLoc, ast::Name)> = missing
            .filter_map(|(name, l)| Some((l.id, l.used?, name.clone())))
            .collect();
        missing.sort_by_key(|m| m.0);
        for (_, loc, name) in missing {
            self.error(loc, format!("use of undeclared label '{name}'"));
        }
    }

    /// What a function without a result may return: an expression without a value.
    pub(super) fn void_result(
        &mut self,
        operand: Operand,
        name: &str,
        loc: SourceLoc,
    ) -> Option<Expr> {
        let value = self.discarded(operand);
        if self.is_error(&value) {
            return None;
        }
        if !self.types.is_void(value.ty) {
            let text = format!("void function '{name}' should not return a value");
            self.error(loc, text);
            return None;
        }
        Some(value)
    }

    fn return_stmt(&mut self, value: Option<&ast::Expr>, loc: SourceLoc) -> Option<StmtKind> {
        let f = self.cur.as_ref()?;
        let ret = f.ret;
        let name = self.current_function().cloned().unwrap_or_default();
        let infers = f.block.as_ref().is_some_and(|block| block.infers);
        let is_void = self.types.is_void(ret);
        let Some(e) = value else {
            if infers {
                let void = self.types.void();
                self.infer_return(void, loc);
                return Some(StmtKind::Return(None));
            }
            if !is_void && !self.types.is_error(ret) {
                self.error(
                    loc,
                    format!("non-void function '{name}' should return a value"),
                );
                return None;
            }
            return Some(StmtKind::Return(None));
        };
        let begin = e.begin();
        let operand = self.operand(e);
        if infers {
            let value = self.value_of(operand);
            self.infer_return(value.ty, loc);
            return (!self.is_error(&value)).then_some(StmtKind::Return(Some(value)));
        }
        if is_void {
            let value = self.void_result(operand, &name, loc)?;
            return match value.kind {
                ExprKind::Const(_) => Some(StmtKind::Return(None)),
                _ => Some(StmtKind::Return(Some(value))),
            };
        }
        let value = self.convert_implicitly(operand, QualTy::plain(ret), Context::Return, begin);
        (!self.is_error(&value)).then_some(StmtKind::Return(Some(value)))
    }
}
