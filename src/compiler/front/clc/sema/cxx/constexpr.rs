//! What `constexpr` functions may not be: those that no constant expression can call.
//!
//! A body is evaluated with parameters whose values are not known. It is refused where it comes to something that no
//! constant has before it comes to something unknown. Instances of templates may be so.

use super::super::Sema;
use super::super::tree::{FnId, Stmt, StmtKind};
use super::super::types::{Field, RecordId, Ty};
use super::evaluate::Machine;
use super::{Body, Callee, Class, CxxFn, FnKind, Implicit};
use crate::source::SourceLoc;

impl Sema<'_> {
    /// Behind the body of a function, which is right as such.
    pub(super) fn check_constexpr(&mut self, id: FnId, loc: SourceLoc) {
        let Some(f) = self.cxx_fn(id).filter(|f| f.is_constexpr).cloned() else {
            return;
        };
        if !self.is_checked(&f) {
            return;
        }
        let what = match f.kind {
            FnKind::Constructor => "constructor",
            _ => "function",
        };
        if let Some(text) = self.not_literal(&f, what) {
            self.error(loc, text);
            return;
        }
        let Some(body) = &self.functions[id.0 as usize].body else {
            return;
        };
        if f.kind == FnKind::Plain && !self.types.is_void(f.ret) && !f.slot && !returns(body) {
            self.error(loc, "no return statement in constexpr function");
            return;
        }
        if Machine::new(self).is_never_constant(self, id, &f) {
            let text = format!("constexpr {what} never produces a constant expression");
            self.error(loc, text);
        }
    }

    /// `constexpr A() = default;` leaves no member without a value.
    pub(super) fn check_default(
        &mut self,
        class: &Class,
        constructors: &[Callee],
        fields: &[Field],
    ) {
        let lacks = fields.iter().enumerate().any(|(number, field)| {
            let begins = self
                .class_of(self.types.innermost(field.ty.ty))
                .is_some_and(|c| !c.trivial_default);
            !begins && !class.inits.contains_key(&number) && self.types.leaf_bytes(field.ty.ty) > 0
        });
        for callee in constructors {
            if let Callee::Fn(id) = callee
                && let Some(f) = self.cxx_fn(*id)
                && f.is_constexpr
                && lacks
                && matches!(f.body, Body::Implicit(Implicit::Default))
            {
                let text = "defaulted definition of default constructor cannot be marked constexpr before C++23";
                self.error(f.loc, text);
            }
        }
    }

    /// Whether an object of a class may be a variable of the function: those that are constexpr have constants only.
    pub(super) fn constexpr_object(&mut self, ty: Ty, loc: SourceLoc) -> bool {
        let around = self.cur.as_ref().and_then(|f| self.cxx_fn(f.id));
        let checked = around.is_some_and(|f| f.is_constexpr && self.is_checked(f));
        let class = self.types.record_id(self.types.innermost(ty));
        let literal = class.is_none_or(|class| self.may_be_literal(class));
        if checked && !literal {
            let shown = self.types.show(ty);
            let text = format!(
                "variable of non-literal type {shown} cannot be defined in a constexpr function before C++23"
            );
            self.error(loc, text);
        }
        literal || !checked
    }

    /// No instance of a template, and no lambda.
    fn is_checked(&self, f: &CxxFn) -> bool {
        let class = f.class;
        let is_lambda = class.is_some_and(|class| self.is_lambda(class));
        let of_instance = class.is_some_and(|class| self.instance_around(class).is_some());
        f.template.is_none() && !is_lambda && !of_instance
    }

    fn not_literal(&self, f: &CxxFn, what: &str) -> Option<String> {
        let is_literal = |ty: Ty| match self.types.record_id(self.types.innermost(ty)) {
            Some(class) => self.may_be_literal(class),
            None => true,
        };
        if let Some(at) = f.params.iter().position(|p| !is_literal(p.ty.ty)) {
            let nth = match at + 1 {
                1 => "1st".to_string(),
                2 => "2nd".to_string(),
                3 => "3rd".to_string(),
                n => format!("{n}th"),
            };
            let shown = self.types.show(f.params[at].ty.ty);
            return Some(format!(
                "constexpr {what}'s {nth} parameter type {shown} is not a literal type"
            ));
        }
        let shown = self.types.show(f.ret);
        (!is_literal(f.ret))
            .then(|| format!("constexpr {what}'s return type {shown} is not a literal type"))
    }

    /// A class without a destructor of its own, and with a way to make constants: a list or a constexpr constructor.
    pub(super) fn may_be_literal(&self, id: RecordId) -> bool {
        let Some(class) = self.class(id) else {
            return true;
        };
        if !class.complete || class.is_lambda {
            return true;
        }
        let mut constructors = self.written_constructors(class).peekable();
        let made = class.is_aggregate
            || !class.inherits.is_empty()
            || constructors.peek().is_none()
            || constructors.any(|callee| match callee {
                Callee::Fn(f) => self.cxx_fn(f).is_some_and(|f| f.is_constexpr),
                Callee::Template(_) => true,
            });
        made && class.trivial_destroy
    }
}

fn returns(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Return(_) => true,
        StmtKind::Block(inner)
        | StmtKind::While(_, inner)
        | StmtKind::DoWhile(inner, ..)
        | StmtKind::For { body: inner, .. }
        | StmtKind::Switch(_, inner) => returns(inner),
        StmtKind::If(_, then, otherwise) => returns(then) || returns(otherwise),
        _ => false,
    })
}
