//! Statements, and the ends of objects' lives.

use super::super::Sema;
use super::super::convert::Context;
use super::super::operand::Operand;
use super::super::scope::Entity;
use super::super::tree::{Expr, ExprKind, Init, LocalId, Place, PlaceKind, Stmt, StmtKind};
use super::super::types::{Prim, QualTy, TypeKind};
use super::assign::list_of;
use super::overload::Argument;
use super::{BlockKind, Cleanup, Cleanups, expr_stmt};
use crate::front::clc::syntax::ast::{self, DeclPart};
use crate::front::clc::syntax::cxx::ast::{self as cxx, Condition};
use crate::ir::Unroll;
use crate::source::SourceLoc;

impl Sema<'_> {
    // ------------------------------------------------------------ ends of lives

    pub fn open_block(&mut self, kind: BlockKind) {
        if let Some(f) = &mut self.cur {
            f.cxx.blocks += 1;
            f.cxx.cleanups.push(Cleanups {
                number: f.cxx.blocks,
                kind,
                items: Vec::new(),
                begun: 0,
            });
        }
    }

    /// The end of a block: its objects are destroyed, the last first.
    pub fn close_block(&mut self, out: &mut Vec<Stmt>) {
        let Some(block) = self.cur.as_mut().and_then(|f| f.cxx.cleanups.pop()) else {
            return;
        };
        let leaves = out.last().is_some_and(|s| {
            matches!(
                s.kind,
                StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_)
            )
        });
        if !leaves {
            self.clean_up(&block.items, out);
        }
    }

    pub(super) fn clean_up(&mut self, items: &[Cleanup], out: &mut Vec<Stmt>) {
        for item in items.iter().rev() {
            let loc = item.object.loc;
            let ty = item.object.ty;
            let mut destroyed = Vec::new();
            self.destroy(
                item.object.clone(),
                ty,
                item.destructor,
                loc,
                &mut destroyed,
            );
            match item.flag {
                None => out.append(&mut destroyed),
                Some(flag) => {
                    let set = self.flag_value(flag, loc);
                    let kind = StmtKind::If(set, destroyed, Vec::new());
                    out.push(Stmt { kind, loc });
                }
            }
        }
    }

    fn flag_place(&mut self, flag: LocalId, loc: SourceLoc) -> Place {
        let ty = self.types.prim(Prim::Bool);
        Place::private(PlaceKind::Local(flag), ty, 1, loc)
    }

    pub(super) fn flag_value(&mut self, flag: LocalId, loc: SourceLoc) -> Expr {
        let place = self.flag_place(flag, loc);
        let ty = place.ty;
        Expr::new(ExprKind::Load(place), ty, loc)
    }

    /// Statements before control leaves blocks: those up to and including the innermost one that `last` accepts.
    fn leave_blocks(&mut self, last: impl Fn(BlockKind) -> bool, out: &mut Vec<Stmt>) {
        let Some(f) = &self.cur else { return };
        let mut items: Vec<Vec<Cleanup>> = Vec::new();
        for block in f.cxx.cleanups.iter().rev() {
            items.push(block.items.clone());
            if last(block.kind) {
                break;
            }
        }
        for list in items {
            self.clean_up(&list, out);
        }
    }

    pub fn before_break(&mut self, out: &mut Vec<Stmt>) {
        self.leave_blocks(|kind| kind != BlockKind::Plain, out);
    }

    pub fn before_continue(&mut self, out: &mut Vec<Stmt>) {
        self.leave_blocks(|kind| kind == BlockKind::Loop, out);
    }

    /// An expression that is no part of another: its temporaries end with it.
    pub fn full_expression(&mut self, e: Expr) -> Expr {
        let Some(f) = &mut self.cur else {
            return e;
        };
        let temporaries = std::mem::take(&mut f.cxx.temporaries);
        if temporaries.is_empty() || self.is_error(&e) {
            return e;
        }
        let loc = e.loc;
        let mut stmts = Vec::new();
        for flag in temporaries.iter().filter_map(|t| t.flag) {
            let place = self.flag_place(flag, loc);
            let zero = self.int_const(0, Prim::Bool, loc);
            let ty = place.ty;
            let clear = Expr::new(ExprKind::Assign(place, Box::new(zero)), ty, loc);
            stmts.push(expr_stmt(clear));
        }
        let ty = e.ty;
        let mut value = None;
        if self.types.is_void(ty) {
            stmts.push(expr_stmt(e));
        } else if let Some(kept) = self.new_temporary(ty, loc) {
            let PlaceKind::Local(id) = kept.kind else {
                return e;
            };
            let init = Init::Value(Box::new(e));
            stmts.push(Stmt {
                kind: StmtKind::Local(id, Some(init)),
                loc,
            });
            value = Some(Box::new(Expr::new(ExprKind::Load(kept), ty, loc)));
        }
        self.clean_up(&temporaries, &mut stmts);
        let void = self.types.void();
        let ty = if value.is_some() { ty } else { void };
        Expr::new(ExprKind::StmtExpr(stmts, value), ty, loc)
    }

    // ------------------------------------------------------------ statements

    /// A statement of C++ alone.
    pub fn cxx_stmt(
        &mut self,
        stmt: &cxx::Stmt,
        unroll: Unroll,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
    ) {
        match stmt {
            cxx::Stmt::Decl(decl) => self.cxx_decl(decl, out),
            cxx::Stmt::If {
                is_constexpr,
                init,
                cond,
                then,
                otherwise,
            } => {
                let mut inner = Vec::new();
                self.scopes.push();
                self.open_block(BlockKind::Plain);
                if let Some(init) = init {
                    self.stmt(init, Unroll::Auto, &mut inner);
                }
                match is_constexpr {
                    true => self.constant_if(cond, then, otherwise.as_deref(), &mut inner),
                    false => {
                        let cond = self.cxx_test(cond, &mut inner);
                        let then = self.cxx_body(then);
                        let otherwise = match otherwise {
                            Some(otherwise) => self.cxx_body(otherwise),
                            None => Vec::new(),
                        };
                        let kind = StmtKind::If(cond, then, otherwise);
                        inner.push(Stmt { kind, loc });
                    }
                }
                self.close_block(&mut inner);
                self.scopes.pop();
                Self::add_scope(inner, loc, out);
            }
            cxx::Stmt::Switch { init, cond, body } => {
                let mut inner = Vec::new();
                self.scopes.push();
                self.open_block(BlockKind::Plain);
                if let Some(init) = init {
                    self.stmt(init, Unroll::Auto, &mut inner);
                }
                let selector = match cond {
                    Condition::Expr(e) => self.operand(e),
                    Condition::Decl(d) => self.declared_condition(d, &mut inner),
                };
                let selector = self.selector(selector, loc);
                let e = self.stash(selector, loc);
                self.open_block(BlockKind::Switch);
                let kind = self.switch(&e, body);
                if self.has_cleanups() {
                    let text = "objects with destructors directly in the body of a switch are not supported";
                    self.error(loc, text);
                }
                self.close_block(&mut Vec::new());
                if let Some(kind) = kind {
                    inner.push(Stmt { kind, loc });
                }
                self.close_block(&mut inner);
                self.scopes.pop();
                Self::add_scope(inner, loc, out);
            }
            cxx::Stmt::While(cond, body) => {
                self.cxx_for(None, Some(cond), None, body, unroll, loc, out);
            }
            cxx::Stmt::For {
                init,
                cond,
                step,
                body,
            } => self.cxx_for(
                init.as_deref(),
                cond.as_ref(),
                step.as_ref(),
                body,
                unroll,
                loc,
                out,
            ),
            cxx::Stmt::ForRange { init, decl, body } => {
                self.range_for(init.as_deref(), decl, body, unroll, loc, out);
            }
        }
    }

    /// The innermost block has objects that have to be destroyed.
    fn has_cleanups(&self) -> bool {
        let block = self.cur.as_ref().and_then(|f| f.cxx.cleanups.last());
        block.is_some_and(|b| !b.items.is_empty())
    }

    pub(super) fn add_scope(mut inner: Vec<Stmt>, loc: SourceLoc, out: &mut Vec<Stmt>) {
        match inner.len() {
            1 => out.append(&mut inner),
            _ => out.push(Self::block_stmt(inner, loc)),
        }
    }

    fn selector(&mut self, operand: Operand, loc: SourceLoc) -> Operand {
        let ty = self.operand_type(&operand).ty;
        if self.types.record_id(ty).is_none() {
            let value = self.value_of(operand);
            return Operand::Value(self.full_expression(value));
        }
        let int = self.types.int();
        match self.conversion(&operand, int) {
            Some((id, _)) => {
                let value = self.call_cxx(id, Some(operand), Vec::new(), loc);
                let value = self.value_of(value);
                Operand::Value(self.full_expression(value))
            }
            None => operand,
        }
    }

    /// The body of a statement, with the ends of what it declares.
    pub(super) fn cxx_body(&mut self, item: &ast::Stmt) -> Vec<Stmt> {
        self.open_block(BlockKind::Plain);
        let mut body = self.body(item);
        self.close_block(&mut body);
        body
    }

    fn cxx_loop_body(&mut self, item: &ast::Stmt, kind: BlockKind) -> Vec<Stmt> {
        self.open_block(kind);
        let mut body = self.loop_body(item);
        self.close_block(&mut body);
        body
    }

    fn declared_condition(&mut self, d: &ast::Declaration, out: &mut Vec<Stmt>) -> Operand {
        self.cxx_declaration(d, false, out);
        let loc = d.loc;
        let name = d
            .declarators
            .first()
            .and_then(|i| i.declarator.name.clone());
        match name
            .and_then(|name| self.scopes.find_here(&name))
            .map(|s| s.entity)
        {
            Some(Entity::Local(id)) => self.local_place(id, loc),
            Some(Entity::Global(id)) => self.global_place(id, loc),
            _ => self.error_operand(loc),
        }
    }

    fn cxx_test(&mut self, cond: &Condition, out: &mut Vec<Stmt>) -> Expr {
        match cond {
            Condition::Expr(e) => self.cxx_condition(e),
            Condition::Decl(d) => {
                let operand = self.declared_condition(d, out);
                let value = self.truth_of(operand, d.loc);
                self.full_expression(value)
            }
        }
    }

    /// `if constexpr`: what is not taken is not analysed.
    fn constant_if(
        &mut self,
        cond: &Condition,
        then: &ast::Stmt,
        otherwise: Option<&ast::Stmt>,
        out: &mut Vec<Stmt>,
    ) {
        let Condition::Expr(e) = cond else {
            let Condition::Decl(d) = cond else { return };
            self.error(
                d.loc,
                "a declaration as the condition of constexpr if is not supported",
            );
            return;
        };
        let value = self.constant_expr(e);
        if self.is_error(&value) {
            return;
        }
        let value = self.truth_of(Operand::Value(value), e.begin());
        let Some(bits) = self.integer_constant(&value) else {
            self.error(
                e.begin(),
                "constexpr if condition is not a constant expression",
            );
            return;
        };
        let taken = match bits != 0 {
            true => Some(then),
            false => otherwise,
        };
        if let Some(taken) = taken {
            let loc = taken.loc;
            let body = self.cxx_body(taken);
            out.push(Self::block_stmt(body, loc));
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn cxx_for(
        &mut self,
        init: Option<&ast::Stmt>,
        cond: Option<&Condition>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
        unroll: Unroll,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
    ) {
        self.scopes.push();
        self.open_block(BlockKind::Plain);
        let mut first = Vec::new();
        if let Some(init) = init {
            self.stmt(init, Unroll::Auto, &mut first);
        }
        let declared = matches!(cond, Some(Condition::Decl(_)));
        let mut inner = Vec::new();
        if declared {
            // The variable lives for one round.
            self.scopes.push();
            self.open_block(BlockKind::Loop);
        }
        let test = cond.map(|c| self.cxx_test(c, &mut inner));
        let step = step.map(|s| {
            let operand = self.operand(s);
            let value = self.discarded(operand);
            self.full_expression(value)
        });
        // What leaves a round ends the variable, too.
        let kind = match declared {
            true => BlockKind::Plain,
            false => BlockKind::Loop,
        };
        let stmts = self.cxx_loop_body(body, kind);
        let (test, stmts) = match (declared, test) {
            (true, Some(test)) => {
                let mut leave = Vec::new();
                self.leave_blocks(|_| true, &mut leave);
                leave.push(Stmt {
                    kind: StmtKind::Break,
                    loc,
                });
                let int = self.types.int();
                let not = Expr::new(ExprKind::LogNot(Box::new(test)), int, loc);
                inner.push(Stmt {
                    kind: StmtKind::If(not, leave, Vec::new()),
                    loc,
                });
                inner.extend(stmts);
                self.close_block(&mut inner);
                self.scopes.pop();
                (None, inner)
            }
            (_, test) => (test, stmts),
        };
        let kind = StmtKind::For {
            init: first,
            cond: test,
            step,
            body: stmts,
            unroll,
        };
        let mut all = vec![Stmt { kind, loc }];
        self.close_block(&mut all);
        self.scopes.pop();
        Self::add_scope(all, loc, out);
    }

    // ------------------------------------------------------------ return

    /// `return e;` of C++; `None` after an error.
    pub fn cxx_return(&mut self, value: Option<&ast::Expr>, loc: SourceLoc) -> Option<Vec<Stmt>> {
        let f = self.cur.as_ref()?;
        let (id, infers) = (f.id, f.cxx.infers.clone());
        let name = self.cxx_fn(id).map(|f| f.name.clone()).unwrap_or_default();
        let mut operand = None;
        if let Some(e) = value {
            let is_list = list_of(e).is_some();
            if !is_list {
                operand = Some(self.operand(e));
            }
        }
        if let Some(tree) = infers {
            self.infer_result(id, &tree, operand.as_ref(), value, loc)?;
        }
        let ret = self.cur.as_ref()?.cxx.ret?;
        let begin = value.map_or(loc, |e| e.begin());
        let mut out = Vec::new();
        let Some(e) = value else {
            if !self.types.is_void(ret) {
                self.error(
                    loc,
                    format!("non-void function '{name}' should return a value"),
                );
                return None;
            }
            self.leave_blocks(|_| false, &mut out);
            out.push(Stmt {
                kind: StmtKind::Return(None),
                loc,
            });
            return Some(out);
        };
        if self.types.is_void(ret) {
            let value = self.void_result(operand?, &name, loc)?;
            let value = self.full_expression(value);
            out.push(expr_stmt(value));
            self.leave_blocks(|_| false, &mut out);
            out.push(Stmt {
                kind: StmtKind::Return(None),
                loc,
            });
            return Some(out);
        }
        if let Some(slot) = self.slot_local() {
            return self.return_object(slot, operand, e, ret, loc);
        }
        let value = match operand {
            Some(operand) => {
                let operand = self.moved_local(operand, ret);
                self.cxx_convert(operand, QualTy::plain(ret), Context::Return, begin)
            }
            None => match &e.kind {
                ast::ExprKind::Cxx(inner) => match &**inner {
                    cxx::Expr::List(init) => self.list_value(ret, init, begin),
                    _ => return None,
                },
                _ => return None,
            },
        };
        if self.is_error(&value) {
            return None;
        }
        let value = self.full_expression(value);
        let mut leaving = Vec::new();
        self.leave_blocks(|_| false, &mut leaving);
        if leaving.is_empty() {
            out.push(Stmt {
                kind: StmtKind::Return(Some(value)),
                loc,
            });
            return Some(out);
        }
        // The value is computed before objects end.
        let ty = value.ty;
        let kept = self.new_temporary(ty, loc)?;
        let PlaceKind::Local(kept_id) = kept.kind else {
            return None;
        };
        out.push(Stmt {
            kind: StmtKind::Local(kept_id, Some(Init::Value(Box::new(value)))),
            loc,
        });
        out.extend(leaving);
        let value = Expr::new(ExprKind::Load(kept), ty, loc);
        out.push(Stmt {
            kind: StmtKind::Return(Some(value)),
            loc,
        });
        Some(out)
    }

    /// A local variable that is returned is moved from.
    fn moved_local(&mut self, operand: Operand, ret: super::super::types::Ty) -> Operand {
        let Operand::Place(place, quals) = &operand else {
            return operand;
        };
        let is_local = match &place.kind {
            PlaceKind::Local(_) => true,
            // A parameter that is passed by its address.
            PlaceKind::Deref(e) => match &e.kind {
                ExprKind::Load(Place {
                    kind: PlaceKind::Local(id),
                    ..
                }) => self.cur.as_ref().is_some_and(|f| {
                    let quals = f.local(*id).map(|local| local.1);
                    quals.is_some_and(|q| self.types.record_id(q.ty).is_some())
                }),
                _ => false,
            },
            _ => false,
        };
        let is_class = self.types.record_id(quals.ty).is_some();
        if !is_local || !is_class || self.types.referent(ret).is_some() || quals.is_const {
            return operand;
        }
        let (place, ty) = (place.clone(), quals.ty);
        let loc = place.loc;
        Operand::Value(Expr::new(ExprKind::Load(place), ty, loc))
    }

    /// Constructs the result where the caller wants it.
    fn return_object(
        &mut self,
        slot: LocalId,
        operand: Option<Operand>,
        e: &ast::Expr,
        ret: super::super::types::Ty,
        loc: SourceLoc,
    ) -> Option<Vec<Stmt>> {
        let class = self.types.record_id(ret)?;
        let pointer = {
            let f = self.cur.as_ref()?;
            let ty = f.local(slot)?.0.ty;
            let place = Place::private(PlaceKind::Local(slot), ty, 8, loc);
            Expr::new(ExprKind::Load(place), ty, loc)
        };
        let Operand::Place(place, _) = self.deref(pointer, QualTy::plain(ret), loc) else {
            return None;
        };
        let arg = match operand {
            Some(operand) => {
                let operand = self.moved_local(operand, ret);
                let from = self.operand_type(&operand).ty;
                if self.types.is_error(from) {
                    return None;
                }
                let operand = match from == ret {
                    true => operand,
                    false => {
                        let value = self.class_value(class, operand, Context::Return, e.begin());
                        Operand::Value(value)
                    }
                };
                Argument::Operand(operand, e.begin())
            }
            None => match &e.kind {
                ast::ExprKind::Cxx(inner) => match &**inner {
                    cxx::Expr::List(init) => Argument::List(self.expanded_list(init), e.loc),
                    _ => return None,
                },
                _ => return None,
            },
        };
        let made = self.construct_at(place, class, vec![arg], true, true, loc)?;
        let made = self.full_expression(made);
        let mut out = vec![expr_stmt(made)];
        self.leave_blocks(|_| false, &mut out);
        out.push(Stmt {
            kind: StmtKind::Return(None),
            loc,
        });
        Some(out)
    }

    /// The type of the result from the first return statement; later ones must agree.
    fn infer_result(
        &mut self,
        id: super::super::tree::FnId,
        tree: &cxx::Function,
        operand: Option<&Operand>,
        value: Option<&ast::Expr>,
        loc: SourceLoc,
    ) -> Option<()> {
        let ty = match (operand, value) {
            (None, None) => self.types.void(),
            (None, Some(_)) => {
                self.error(loc, "cannot deduce return type from initializer list");
                return None;
            }
            (Some(operand), _) => {
                let ty = self.operand_type(operand).ty;
                if self.types.is_error(ty) {
                    return None;
                }
                if self.types.is_void(ty) {
                    ty
                } else {
                    let (mut specs, mut parts) = (&tree.specs, Vec::new());
                    if let Some(DeclPart::Function { tail, .. }) = tree.declarator.parts.first() {
                        parts = tree.declarator.parts[1..].to_vec();
                        if let Some(result) = tail.as_ref().and_then(|t| t.result.as_ref()) {
                            (specs, parts) = (&result.specs, result.declarator.parts.clone());
                        }
                    }
                    let declarator = ast::Declarator {
                        parts,
                        ..ast::Declarator::default()
                    };
                    let arg = Argument::Operand(operand.clone(), loc);
                    let exact = specs
                        .types
                        .iter()
                        .any(|t| matches!(t.0, ast::TypeSpec::Cxx(cxx::TypeSpec::DecltypeAuto)));
                    if exact {
                        match (operand, value) {
                            (Operand::Place(..), Some(value)) => self.decltype(value).ty,
                            (Operand::Value(e), _) => match self.xvalue(e) {
                                Some(quals) => self.types.intern(TypeKind::Reference(quals, true)),
                                None => e.ty,
                            },
                            _ => return None,
                        }
                    } else {
                        let auto = self.auto_of(specs, &declarator, &arg, loc)?;
                        let spec = self.with_auto(auto, |s| {
                            let base = s.specs(specs);
                            s.declarator(base, &declarator)
                        });
                        spec.ty
                    }
                }
            }
        };
        let (inferred, known) = {
            let f = self.cur.as_ref()?;
            (f.cxx.inferred, f.cxx.ret)
        };
        if inferred {
            if known != Some(ty) {
                let old = known.map_or(String::new(), |t| self.types.show(t));
                let text = format!(
                    "'auto' in return type deduced as {} here but deduced as {old} in earlier return statement",
                    self.types.show(ty)
                );
                self.error(loc, text);
                return None;
            }
            return Some(());
        }
        self.set_result(id, ty);
        Some(())
    }
}
