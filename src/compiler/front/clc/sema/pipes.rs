//! Pipes: their types (OpenCL C 6.15.14) and calls of their functions, whose arguments depend on the type of the packets. The
//! messages are clang's.

use super::Sema;
use super::expr_call::Argument;
use super::scope::Spec;
use super::tree::{Expr, ExprKind};
use super::types::{ImageAccess, Prim, QualTy, Ty, TypeKind};
use crate::features::MAX_OBJECT_SIZE;
use crate::front::clc::builtins::table::{Accesses, Elem, Row, Term};
use crate::front::clc::builtins::{BuiltinId, ResolveError, conditions};
use crate::front::clc::syntax::ast::{Name, TypeSpec};
use crate::ir::Space;
use crate::options::Standard;
use crate::source::SourceLoc;

type Word = (TypeSpec, SourceLoc);

pub fn is_pipe((word, _): &Word) -> bool {
    matches!(word, TypeSpec::Builtin(word) if &**word == "pipe")
}

/// The words of a packet's type, or of what is no pipe.
pub fn without_pipe(words: &[Word]) -> &[Word] {
    match words {
        [first, rest @ ..] if is_pipe(first) => rest,
        all => all,
    }
}

impl Sema<'_> {
    /// Reports that the program's version or the device has no pipes.
    pub fn lacks_pipes(&mut self, name: &str, loc: SourceLoc) -> bool {
        const FEATURE: &str = "__opencl_c_pipes";
        if self.opts.standard < Standard::Cl20 {
            self.too_new(name, "2.0", loc);
        } else if !conditions::has(FEATURE, self.target) {
            let text = format!("use of type '{name}' requires support for '{FEATURE}'");
            self.error(loc, text);
        } else {
            return false;
        }
        true
    }

    /// Reports that a type of OpenCL C 3.0 has been turned off with its feature.
    pub fn lacks_feature(&mut self, name: &str, feature: &str, loc: SourceLoc) -> bool {
        let lacks = self.opts.standard >= Standard::Cl30 && !conditions::has(feature, self.target);
        if lacks {
            self.error(
                loc,
                format!("use of type '{name}' requires {feature} support"),
            );
        }
        lacks
    }

    /// The type of specifiers with the word `pipe` at `at`.
    pub fn pipe(&mut self, words: &[Word], at: usize) -> Spec {
        let (before, loc) = (&words[..at], words[at].1);
        if self.lacks_pipes("pipe", loc) {
            return Spec::plain(self.types.error());
        }
        if let Some((word, _)) = before.last() {
            let text = match word {
                TypeSpec::Builtin(name) | TypeSpec::Typedef(name) => name.to_string(),
                _ => "type-name".to_string(),
            };
            return self.bad_combination(&text, loc);
        }
        let rest = &words[at + 1..];
        if let Some((_, second)) = rest.iter().find(|word| is_pipe(word)) {
            return self.bad_combination("pipe", *second);
        }
        if rest.is_empty() {
            self.error(loc, "missing actual type specifier for pipe");
            return Spec::plain(self.types.error());
        }
        let packet = self.words_type(rest, loc).ty;
        if self.types.is_error(packet) {
            return Spec::plain(packet);
        }
        let no_data = |kind: &TypeKind| {
            matches!(
                kind,
                TypeKind::Image(_)
                    | TypeKind::Sampler
                    | TypeKind::Event
                    | TypeKind::ReserveId
                    | TypeKind::Pipe(..)
                    | TypeKind::Atomic(_)
            )
        };
        let fits = (1..=MAX_OBJECT_SIZE).contains(&self.types.size(packet));
        if !fits || !self.types.is_complete(packet) || self.types.contains(packet, &no_data) {
            let shown = self.types.show(packet);
            self.error(loc, format!("packets of a pipe cannot have type {shown}"));
            return Spec::plain(self.types.error());
        }
        let kind = TypeKind::Pipe(packet, ImageAccess::Read);
        Spec::plain(self.types.intern(kind))
    }

    /// The pipe with an access qualifier.
    pub fn pipe_access(
        &mut self,
        packet: Ty,
        given: ImageAccess,
        access: ImageAccess,
        loc: SourceLoc,
    ) -> Ty {
        let ty = self.types.intern(TypeKind::Pipe(packet, given));
        if access == ImageAccess::ReadWrite {
            let shown = self.types.show(ty);
            let text = format!("access qualifier 'read_write' can not be used for {shown}");
            self.error(loc, text);
            return self.types.error();
        }
        // As for images, a type's name may have one already.
        if given != ImageAccess::Read && given != access {
            self.error(loc, "multiple access qualifiers");
            return ty;
        }
        self.types.intern(TypeKind::Pipe(packet, access))
    }

    /// A call of a function of pipes; `rows`: those of the name, each with another number of parameters.
    pub fn pipe_call(
        &mut self,
        name: &Name,
        rows: &[(BuiltinId, &'static Row)],
        arguments: Vec<Argument>,
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Expr {
        let absent = rows.first();
        let absent =
            absent.and_then(|(_, row)| conditions::missing(&row.conditions, self.language()));
        if let Some(needs) = absent {
            self.report_builtin(name, ResolveError::Disabled(needs), begin);
            return self.error_expr(loc);
        }
        let fits = |(_, row): &&(BuiltinId, &Row)| row.params.len() == arguments.len();
        let Some(&(id, row)) = rows.iter().find(fits) else {
            match rows {
                [(_, only)] => self.wrong_count("function", only.params.len(), &arguments, loc),
                _ => {
                    let text = format!("invalid number of arguments to function: '{name}'");
                    self.error(begin, text);
                }
            }
            return self.error_expr(loc);
        };
        let mut packet = None;
        let mut values = Vec::new();
        for (term, (operand, at)) in row.params.iter().zip(arguments) {
            let shown = self.show_operand(&operand);
            let e = self.value_of(operand);
            if self.is_error(&e) {
                return e;
            }
            let expected = match (term, self.types.kind(e.ty)) {
                (Term::Pipe(accesses), &TypeKind::Pipe(ty, access)) => {
                    packet = Some(ty);
                    let wanted = match accesses {
                        Accesses::Write => ImageAccess::Write,
                        Accesses::Any => access,
                        Accesses::Read | Accesses::Sample => ImageAccess::Read,
                    };
                    if access != wanted {
                        let word = match wanted {
                            ImageAccess::Write => "write_only",
                            _ => "read_only",
                        };
                        let text = format!("invalid pipe access modifier (expecting {word})");
                        self.error(at, text);
                        return self.error_expr(loc);
                    }
                    None
                }
                (Term::Pipe(_), _) => {
                    let text = format!("first argument to '{name}' must be a pipe type");
                    self.error(begin, text);
                    return self.error_expr(loc);
                }
                (Term::ReserveId, TypeKind::ReserveId) => None,
                (Term::ReserveId, _) => Some("reserve_id_t".to_string()),
                (Term::Pointer { is_const, .. }, kind) => match (packet, kind) {
                    (Some(packet), TypeKind::Pointer(to)) if packet_fits(packet, to, *is_const) => {
                        None
                    }
                    (packet, _) => Some(
                        packet.map_or(String::new(), |ty| format!("{} *", self.types.spell(ty))),
                    ),
                },
                (_, _) if self.types.is_integer(e.ty) => None,
                (_, _) => Some("uint".to_string()),
            };
            if let Some(expected) = expected {
                let text = format!(
                    "invalid argument type to function '{name}' (expecting '{expected}' having {shown})"
                );
                self.error(begin, text);
                return self.error_expr(loc);
            }
            values.push(match term {
                Term::Value(..) => {
                    let uint = self.types.prim(Prim::UInt);
                    self.convert(e, uint)
                }
                _ => e,
            });
        }
        let ret = match row.ret {
            Term::Void => self.types.void(),
            Term::ReserveId => self.types.intern(TypeKind::ReserveId),
            Term::Value(Elem::Fixed(prim), _) => self.types.prim(prim),
            _ => self.types.error(),
        };
        Expr::new(ExprKind::Builtin(id, values), ret, loc)
    }
}

/// A pointer to packets; without `is_const` they are written.
fn packet_fits(packet: Ty, to: &QualTy, is_const: bool) -> bool {
    let writable = !to.is_const && to.space != Space::Constant;
    to.ty == packet && (is_const || writable)
}
