//! `new` and `delete`.

use super::super::ast::{DeclPart, Declarator, Expr, Initializer, Quals, TypeName};
use super::ast as cxx;
use super::expr::tree;
use super::{Parsed, Parser};
use crate::front::clc::pp::TokenKind;
use crate::source::SourceLoc;

impl Parser<'_> {
    /// An expression that begins with `new`, `delete`, or `::` and one of them.
    pub(super) fn allocation(&mut self) -> Parsed<Option<Expr>> {
        let global = self.is("::");
        let word = self.ahead(usize::from(global)).clone();
        if word.kind != TokenKind::Ident || !matches!(&*word.text, "new" | "delete") {
            return Ok(None);
        }
        self.at += usize::from(global) + 1;
        if &*word.text == "new" {
            return self.new_object(global, word.loc).map(Some);
        }
        let array = self.eat_brackets();
        let operand = self.unary()?;
        let delete = cxx::Expr::Delete {
            global,
            array,
            operand,
        };
        Ok(Some(tree(delete, word.loc)))
    }

    /// `[]` behind `new` or `delete`
    pub(super) fn eat_brackets(&mut self) -> bool {
        let brackets = self.is("[") && self.nth_is(1, "]");
        if brackets {
            self.next();
            self.next();
        }
        brackets
    }

    /// What follows `new`.
    fn new_object(&mut self, global: bool, loc: SourceLoc) -> Parsed<Expr> {
        let mut placement = Vec::new();
        let mut ty = self.type_in_parentheses();
        if ty.is_none() && self.is("(") {
            placement = self.arguments()?;
            ty = self.type_in_parentheses();
        }
        let (ty, count) = match ty {
            Some(ty) => (ty, None),
            None => self.new_type()?,
        };
        let init = if self.is("(") {
            let at = self.loc();
            let args = cxx::Expr::Arguments(self.arguments()?);
            Some(Initializer::Expr(tree(args, at)))
        } else if self.is("{") {
            Some(self.list()?)
        } else {
            None
        };
        let new = cxx::New {
            global,
            placement,
            ty,
            count,
            init,
        };
        Ok(tree(cxx::Expr::New(new), loc))
    }

    pub(super) fn type_in_parentheses(&mut self) -> Option<TypeName> {
        if !self.is("(") {
            return None;
        }
        self.attempt(|p| {
            p.parenthesised(|p| match p.type_ahead() {
                true => p.type_name(),
                false => p.fail("expected a type"),
            })
        })
    }

    /// A name in a class that is not known yet is a type here, where `typename` may be left out as in C++20.
    fn member_of_unknown(&mut self) -> bool {
        let at = self.at;
        let read = self.attempt(|p| p.qualified_name());
        self.at = at;
        matches!(read, Some((name, None)) if name.parts.len() > 1)
    }

    /// A type without parentheses, and the first bound behind it.
    fn new_type(&mut self) -> Parsed<(TypeName, Option<Expr>)> {
        let loc = self.loc();
        if !self.type_ahead() && !self.member_of_unknown() {
            return self.fail("expected a type");
        }
        let specs = self.specifiers()?;
        let pointers = self.pointers()?;
        let mut count = None;
        let mut parts = Vec::new();
        while self.is("[") {
            if parts.is_empty() && count.is_none() && self.eat_brackets() {
                // The initial values say how many.
                parts.push(DeclPart::Array(None, Quals::default()));
                continue;
            }
            self.next();
            let angle = std::mem::replace(&mut self.angle, false);
            let bound = self.expression()?;
            self.angle = angle;
            self.expect("]")?;
            match count {
                None if parts.is_empty() => count = Some(bound),
                _ => {
                    let part = DeclPart::Array(Some(Box::new(bound)), Quals::default());
                    parts.push(part);
                }
            }
        }
        parts.extend(pointers.into_iter().rev());
        let declarator = Declarator {
            parts,
            loc,
            ..Declarator::default()
        };
        let ty = TypeName {
            specs,
            declarator,
            loc,
        };
        Ok((ty, count))
    }
}
