//! What declarations of functions, templates and classes may not say.

use super::super::Sema;
use super::super::declarators::declarator_loc;
use super::super::tree::FnId;
use super::super::types::{RecordId, Ty, TypeKind};
use super::{Callee, CxxFn, FnKind, Param};
use crate::front::clc::syntax::ast::{DeclPart, Declarator, Storage};
use crate::front::clc::syntax::cxx::ast::{self as cxx, Decl};
use crate::source::SourceLoc;

impl Sema<'_> {
    /// Behind a parameter with a default argument all have one.
    pub(super) fn check_defaults(&mut self, known: &[Param], declarator: &Declarator) {
        let Some(DeclPart::Function { params, .. }) = declarator.parts.first() else {
            return;
        };
        let mut wanted = false;
        for (i, param) in params.iter().enumerate().filter(|p| !p.1.is_pack) {
            let has = param.default.is_some() || known.get(i).is_some_and(|p| p.default.is_some());
            if wanted && !has {
                let loc = declarator_loc(&param.declarator, &param.specs);
                self.error(loc, "missing default argument on parameter");
            }
            wanted = has;
        }
    }

    /// Parameters of one function have names of their own, those of definitions, too.
    pub(super) fn check_param_names(&mut self, declarator: &Declarator) {
        let Some(DeclPart::Function { params, .. }) = declarator.parts.first() else {
            return;
        };
        for (i, param) in params.iter().enumerate() {
            let Some(name) = &param.declarator.name else {
                continue;
            };
            let mut before = params[..i].iter().map(|p| &p.declarator);
            if let Some(old) = before.find(|d| d.name.as_ref() == Some(name)) {
                let loc = param.declarator.loc;
                self.error(loc, format!("redefinition of parameter '{name}'"));
                self.sink.note(old.loc, "previous declaration is here");
            }
        }
    }

    /// How many operands an operator has.
    fn check_operands(&mut self, made: &CxxFn, operator: &str, loc: SourceLoc) {
        const UNARY: &[&str] = &["!", "~", "->"];
        const EITHER: &[&str] = &["+", "-", "*", "&", "++", "--"];
        const BINARY: &[&str] = &[
            "/", "%", "^", "|", "=", "<", ">", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=",
            "<<", ">>", "<<=", ">>=", "==", "!=", "<=", ">=", "&&", "||", ",", "->*", "[]",
        ];
        let count = made.params.len() + usize::from(made.method.is_some());
        let (of, wanted) = match operator {
            one if UNARY.contains(&one) => ("a unary", 1..=1),
            any if EITHER.contains(&any) => ("a unary or binary", 1..=2),
            two if BINARY.contains(&two) => ("a binary", 2..=2),
            _ => return,
        };
        if !wanted.contains(&count) {
            let plural = if count == 1 { "" } else { "s" };
            let text = format!(
                "overloaded '{}' must be {of} operator (has {count} parameter{plural})",
                made.name
            );
            self.error(loc, text);
        }
    }

    /// What a function may not be, or not beside the others of its name.
    pub(super) fn check_declared(
        &mut self,
        made: &CxxFn,
        set: Option<u32>,
        declarator: &Declarator,
    ) {
        let loc = declarator.loc;
        self.check_defaults(&made.params, declarator);
        let first = made.params.first().map(|p| p.ty.ty);
        let alone = made.params.iter().skip(1).all(|p| p.default.is_some());
        if made.kind == FnKind::Constructor
            && alone
            && made.class.is_some()
            && first.and_then(|ty| self.types.record_id(ty)) == made.class
        {
            let text = "copy constructor must pass its first argument by reference";
            self.error(loc, text);
        }
        let what = match made.kind {
            FnKind::Conversion => Some("conversion function"),
            FnKind::Destructor => Some("destructor"),
            _ => None,
        };
        if let Some(what) = what.filter(|_| !made.params.is_empty()) {
            self.error(loc, format!("{what} cannot have any parameters"));
        }
        let operator = made.name.strip_prefix("operator").unwrap_or_default();
        self.check_operands(made, operator, loc);
        if made.class.is_none()
            && operator.starts_with(|c: char| c.is_ascii_punctuation() && c != '"' && c != '_')
        {
            let own = |p: &Param| {
                let ty = self.types.referent(p.ty.ty).map_or(p.ty.ty, |to| to.ty);
                let is_enum = matches!(self.types.kind(ty), TypeKind::Enum(..));
                is_enum || self.types.record_id(ty).is_some()
            };
            if !made.params.iter().any(own) {
                let text = format!(
                    "overloaded '{}' must have at least one parameter of class or enumeration type",
                    made.name
                );
                self.error(loc, text);
            }
        }
        let Some(method) = made.method else { return };
        let types = |f: &CxxFn| -> Vec<Ty> { f.params.iter().map(|p| p.ty.ty).collect() };
        for other in set.map(|s| self.callees_of(s)).unwrap_or_default() {
            let Callee::Fn(other) = other else { continue };
            let Some(other) = self.cxx_fn(other) else {
                continue;
            };
            let mixes = other
                .method
                .is_some_and(|m| m.reference.is_some() != method.reference.is_some());
            if mixes && types(other) == types(made) {
                let text =
                    "cannot overload a member function with a ref-qualifier with one without";
                let at = other.loc;
                self.error(loc, text);
                self.sink.note(at, "previous declaration is here");
                return;
            }
        }
    }

    /// The same of parameters of templates of classes, aliases and variables.
    pub(super) fn check_template_defaults(&mut self, tree: &cxx::Template) {
        let mut wanted = false;
        for param in tree.params.iter().filter(|p| !p.is_pack) {
            if wanted && param.default.is_none() {
                self.error(param.loc, "template parameter missing a default argument");
            }
            wanted = param.default.is_some();
        }
    }

    /// Within its class a member is declared once.
    pub(super) fn check_once(
        &mut self,
        class: Option<RecordId>,
        made: &CxxFn,
        old: FnId,
        loc: SourceLoc,
    ) {
        let within = class.is_some_and(|id| self.class(id).is_some_and(|c| !c.complete));
        if !within {
            return;
        }
        let what = match made.kind {
            FnKind::Constructor => "constructor",
            FnKind::Destructor => "destructor",
            FnKind::Conversion => "conversion function",
            FnKind::Plain => "class member",
        };
        self.error(loc, format!("{what} cannot be redeclared"));
        if let Some(at) = self.cxx_fn(old).map(|f| f.loc) {
            self.sink.note(at, "previous declaration is here");
        }
    }

    /// What a class in a function may not have.
    pub(super) fn check_local_class(&mut self, tree: &cxx::Class) {
        for member in tree.members.iter().flatten() {
            match &member.decl {
                Decl::Template(t) => {
                    let text = "templates cannot be declared inside of a local class";
                    self.error(t.loc, text);
                }
                Decl::Simple(d) if d.specs.storage.iter().any(|s| s.0 == Storage::Static) => {
                    for item in &d.declarators {
                        let declarator = &item.declarator;
                        if !matches!(declarator.parts.first(), Some(DeclPart::Function { .. })) {
                            let name = declarator.name.as_deref().unwrap_or_default();
                            let text =
                                format!("static data member '{name}' not allowed in a local class");
                            self.error(declarator.loc, text);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}
