//! Expressions: the dispatch over the syntax tree, names, and operands in conditions.

use super::Sema;
use super::operand::Operand;
use super::scope::Entity;
use super::tree::{Expr, ExprKind, LocalId, Place, PlaceKind, StmtKind, VarId};
use super::types::Prim;
use crate::front::clc::builtins::{self, conditions};
use crate::front::clc::syntax::ast::{self, UnaryOp};
use crate::ir::Space;
use crate::source::SourceLoc;

impl ast::Expr {
    /// Where the expression starts in the source; `loc` is its operator.
    pub fn begin(&self) -> SourceLoc {
        use ast::ExprKind::*;
        match &self.kind {
            PostInc(e) | PostDec(e) | Member(e, _) | Arrow(e, _) | Call(e, _) => e.begin(),
            Binary(_, a, _) | Assign(_, a, _) | Comma(a, _) | Index(a, _) => a.begin(),
            Conditional(a, ..) => a.begin(),
            _ => self.loc,
        }
    }

    /// Without parentheses around it.
    pub fn bare(&self) -> &ast::Expr {
        match &self.kind {
            ast::ExprKind::Paren(e) => e.bare(),
            _ => self,
        }
    }
}

impl Sema<'_> {
    /// The value of an expression.
    pub fn expr(&mut self, e: &ast::Expr) -> Expr {
        let op = self.operand(e);
        self.value_of(op)
    }

    /// An expression whose value is not computed (sizeof, typeof).
    pub fn unevaluated(&mut self, e: &ast::Expr) -> Operand {
        self.operand(e)
    }

    pub fn operand(&mut self, e: &ast::Expr) -> Operand {
        use ast::ExprKind::*;
        let loc = e.loc;
        if self.cxx.is_some()
            && let Some(operand) = self.cxx_operand(e)
        {
            return operand;
        }
        match &e.kind {
            Cxx(_) | Analysed(_) => self.error_operand(loc),
            Error => self.error_operand(loc),
            Ident(name) => self.name(name, loc),
            Number(text) => Operand::Value(self.number(text, loc)),
            Char(text) => Operand::Value(self.character(text, loc)),
            Str(parts) => self.string_literal(parts, loc),
            Paren(inner) => self.operand(inner),
            Unary(UnaryOp::Deref, inner) => self.dereference(inner, loc),
            Unary(UnaryOp::AddrOf, inner) => self.address_operator(inner, loc),
            Unary(UnaryOp::PreInc, inner) => self.inc_dec(inner, false, false, loc),
            Unary(UnaryOp::PreDec, inner) => self.inc_dec(inner, true, false, loc),
            PostInc(inner) => self.inc_dec(inner, false, true, loc),
            PostDec(inner) => self.inc_dec(inner, true, true, loc),
            Unary(op, inner) => Operand::Value(self.unary(*op, inner, loc)),
            Binary(op, a, b) => Operand::Value(self.binary(*op, a, b, loc)),
            Assign(None, to, from) => Operand::Value(self.assign(to, from, loc)),
            Assign(Some(op), to, from) => Operand::Value(self.compound_assign(*op, to, from, loc)),
            Conditional(c, a, b) => Operand::Value(self.conditional(c, a.as_deref(), b, loc)),
            Comma(a, b) => {
                let left = self.operand(a);
                let left = self.discarded(left);
                let right = self.expr(b);
                if self.is_error(&left) || self.is_error(&right) {
                    return self.error_operand(loc);
                }
                let ty = right.ty;
                let kind = ExprKind::Comma(Box::new(left), Box::new(right));
                Operand::Value(Expr::new(kind, ty, loc))
            }
            Index(base, index) => self.index(base, index, loc),
            Call(callee, args) => Operand::Value(self.call(callee, args, loc)),
            Member(base, name) => self.member(base, name, loc),
            Arrow(base, name) => self.arrow(base, name, loc),
            Cast(ty, inner) => Operand::Value(self.cast(ty, inner, loc)),
            VectorLiteral(ty, parts) => Operand::Value(self.vector_literal(ty, parts, loc)),
            CompoundLiteral(ty, init) => self.compound_literal(ty, init, loc),
            SizeofExpr(_) | SizeofType(_) | AlignofType(_) | AlignofExpr(_) | VecStepType(_)
            | Offsetof(..) => Operand::Value(self.size_query(e)),
            AsType(inner, ty) => {
                let spec = self.type_name(ty);
                let value = self.expr(inner);
                Operand::Value(self.reinterpret(value, spec.ty, loc))
            }
            ConvertVector(inner, ty) => {
                let spec = self.type_name(ty);
                let value = self.expr(inner);
                Operand::Value(self.convert_vector(value, spec.ty, loc))
            }
            TypesCompatible(a, b) => {
                let same = self.type_name(a).ty == self.type_name(b).ty;
                Operand::Value(self.int_const(same.into(), Prim::Int, loc))
            }
            Selection(inner, associations) => self.selection(inner, associations, loc),
            StatementExpr(block) => Operand::Value(self.statement_expr(block, loc)),
            BlockLiteral(ty, params, body) => self.block_literal(ty.as_deref(), params, body, loc),
        }
    }

    pub fn name(&mut self, name: &ast::Name, loc: SourceLoc) -> Operand {
        if matches!(&**name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            return self.function_name(loc);
        }
        let (depth, symbol) = self.scopes.find_with_depth(name).unzip();
        let depth = depth.unwrap_or(0);
        match symbol.map(|s| s.entity) {
            Some(Entity::Local(id)) => self.local_or_captured(depth, id, loc, name),
            Some(Entity::Block(function, captured)) => {
                self.block_variable_value(depth, function, captured, loc)
            }
            Some(Entity::Global(id)) => self.global_place(id, loc),
            Some(Entity::Function) => Operand::Function(name.clone(), loc),
            Some(Entity::EnumConst(..)) if self.cxx.is_some() => self.cxx_name(name, loc),
            Some(Entity::EnumConst(value, ty)) => {
                let prim = self.types.scalar(ty).unwrap_or(Prim::Int);
                Operand::Value(self.int_const(value, prim, loc))
            }
            Some(Entity::Error) => self.error_operand(loc),
            Some(
                Entity::Namespace(_)
                | Entity::Functions(_)
                | Entity::Template(_)
                | Entity::Field(_)
                | Entity::Pack(_)
                | Entity::Alias(_)
                | Entity::Object(..)
                | Entity::Captured(..)
                | Entity::Outside
                | Entity::Ambiguous,
            ) => self.cxx_name(name, loc),
            Some(Entity::Typedef(_)) => {
                self.error(
                    loc,
                    format!("unexpected type name '{name}': expected expression"),
                );
                self.error_operand(loc)
            }
            None if self.lost.contains(name) => self.error_operand(loc),
            None => {
                let text = match conditions::needed(name, self.language()) {
                    Some(what) => format!("use of '{name}' requires {what}"),
                    None if builtins::is_builtin(name) => format!(
                        "reference to builtin function '{name}' could not be resolved; did you mean to call it?"
                    ),
                    None => {
                        let meant = self.meant(name, self.scopes.names());
                        format!("use of undeclared identifier '{name}'{meant}")
                    }
                };
                self.error(loc, text);
                self.error_operand(loc)
            }
        }
    }

    pub fn local_place(&mut self, id: LocalId, loc: SourceLoc) -> Operand {
        let local = self.cur.as_ref().and_then(|f| f.local(id));
        let Some((local, quals)) = local else {
            // Of another function, which names in types may be.
            self.error(loc, "a local variable cannot be used here");
            return self.error_operand(loc);
        };
        let is_handle = self
            .types
            .handles
            .values()
            .any(|&handle| handle == local.ty);
        if local.ty != quals.ty && (is_handle || self.types.pointee(local.ty).is_some()) {
            return self.referred(id, loc);
        }
        let place = Place {
            kind: PlaceKind::Local(id),
            ty: local.ty,
            space: Space::Private,
            align: local.align,
            is_volatile: local.is_volatile,
            loc,
        };
        Operand::Place(place, quals)
    }

    pub fn global_place(&mut self, id: VarId, loc: SourceLoc) -> Operand {
        if self.cxx.is_some() {
            self.fill_static(id, loc);
        }
        let (global, quals) = (
            &self.globals[id.0 as usize],
            self.global_quals[id.0 as usize],
        );
        if self.types.is_error(global.ty) {
            return self.error_operand(loc);
        }
        if let Some(to) = self.types.referent(quals.ty) {
            let pointer = self.global_pointer(id, loc);
            return self.deref(pointer, to, loc);
        }
        let place = Place {
            kind: PlaceKind::Global(id),
            ty: global.ty,
            space: global.space,
            align: global.align,
            is_volatile: quals.is_volatile,
            loc,
        };
        Operand::Place(place, quals)
    }

    /// A value without a use: objects are not read, unless they are volatile.
    pub fn discarded(&mut self, op: Operand) -> Expr {
        match op {
            Operand::Place(place, _) if self.cxx.is_some() && !place.is_volatile => {
                self.cxx_discarded(place)
            }
            // `*p` of a void pointer names nothing.
            Operand::Place(place, _) if self.types.is_void(place.ty) => {
                self.constant_void(place.loc)
            }
            other => self.value_of(other),
        }
    }

    fn constant_void(&mut self, loc: SourceLoc) -> Expr {
        let ty = self.types.void();
        let int = self.int_const(0, Prim::Int, loc);
        Expr::new(ExprKind::Convert(Box::new(int)), ty, loc)
    }

    /// A condition of if, while, for, do: a scalar.
    pub fn condition(&mut self, e: &ast::Expr) -> Expr {
        let value = match self.cxx.is_some() {
            true => return self.cxx_condition(e),
            false => self.expr(e),
        };
        if self.is_error(&value) || self.types.is_scalar(value.ty) {
            return value;
        }
        let text = self.types.show(value.ty);
        self.error(
            e.begin(),
            format!("statement requires expression of scalar type ({text} invalid)"),
        );
        self.error_expr(value.loc)
    }

    /// `({ ... })`: the last statement's value.
    fn statement_expr(&mut self, block: &ast::Block, loc: SourceLoc) -> Expr {
        if self.current_function().is_none() {
            self.error(loc, "statement expression not allowed at file scope");
            return self.error_expr(loc);
        }
        self.scopes.push();
        let mut stmts = self.stmts(&block.items);
        self.scopes.pop();
        let is_value = |s: &ast::Stmt| matches!(s.kind, ast::StmtKind::Expr(Some(_)));
        let value = match block.items.last().is_some_and(is_value) {
            true => match stmts.pop().map(|s| s.kind) {
                Some(StmtKind::Expr(e)) => Some(Box::new(e)),
                _ => None,
            },
            false => None,
        };
        let ty = match &value {
            Some(e) => e.ty,
            None => self.types.void(),
        };
        Expr::new(ExprKind::StmtExpr(stmts, value), ty, loc)
    }

    /// Reports operands that an operator cannot take; silent after an earlier error.
    pub fn invalid_operands(&mut self, a: &str, b: &str, loc: SourceLoc) -> Expr {
        self.error(
            loc,
            format!("invalid operands to binary expression ({a} and {b})"),
        );
        self.error_expr(loc)
    }
}
