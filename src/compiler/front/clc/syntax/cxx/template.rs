//! Templates and their parameters.

use super::super::ast::TypeSpec;
use super::ast::{self as cxx, Decl, ParamKind, Template, TemplateParam};
use super::declarator::Naming;
use super::names::{Elements, Meaning};
use super::{Parsed, Parser};
use crate::source::SourceLoc;
use std::sync::Arc;

impl Parser<'_> {
    pub(super) fn template(&mut self) -> Parsed<Decl> {
        let loc = self.expect("template")?;
        if !self.is("<") {
            // An instantiation.
            let specs = self.specifiers()?;
            let name = match &specs.types[..] {
                [(TypeSpec::Cxx(cxx::TypeSpec::Class(class)), _)] if class.members.is_none() => {
                    class.name.clone()
                }
                _ => None,
            };
            if name.is_none() {
                self.declarator(Naming::Named)?;
            }
            self.expect_semicolon("after explicit instantiation")?;
            return Ok(name.map_or(Decl::Nothing, Decl::Instantiate));
        }
        let outer = self.names.innermost();
        self.names.push();
        let params = self.template_params()?;
        if self.classes > 0 && self.friend_class_ahead() {
            return self.friend_class();
        }
        let above = self.template.replace(outer);
        let decl = match self.is("template") {
            true => self.template(),
            false if self.is("using") => self.using(),
            false if self.guide_ahead() => self.guide(),
            false => self.simple(),
        };
        self.template = above;
        Ok(Decl::Template(Arc::new(Template {
            params,
            decl: decl?,
            loc,
        })))
    }

    /// A deduction guide: the name of a class template with parameters, outside of classes.
    fn guide_ahead(&mut self) -> bool {
        let at = usize::from(self.is("explicit"));
        let meaning = match self.nth_is_name(at) && self.nth_is(at + 1, "(") {
            true => self.names.find(&self.ahead(at).text),
            false => None,
        };
        self.classes == 0 && matches!(meaning, Some(Meaning::TypeTemplate(_)))
    }

    fn guide(&mut self) -> Parsed<Decl> {
        self.eat("explicit");
        let name = self.name()?;
        let (params, _) = self.parameters()?;
        self.expect("->")?;
        let result = self.type_name()?;
        self.expect_semicolon("after deduction guide")?;
        Ok(Decl::Guide(name, params, result))
    }

    pub(super) fn template_params(&mut self) -> Parsed<Vec<TemplateParam>> {
        self.expect("<")?;
        let mut params = Vec::new();
        while !self.is(">") {
            params.push(self.template_param()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(">")?;
        Ok(params)
    }

    pub(super) fn template_param(&mut self) -> Parsed<TemplateParam> {
        let loc = self.loc();
        // `typename T::type value` is a value.
        let ends = |n| [",", ">", "=", "..."].iter().any(|t| self.nth_is(n, t));
        let is_type =
            self.is("class") || self.is("typename") && (ends(1) || self.nth_is_name(1) && ends(2));
        let outer = std::mem::replace(&mut self.angle, true);
        let param = if self.is("template") {
            self.next();
            self.names.push();
            let inner = self.template_params();
            self.names.pop();
            let inner = inner?;
            if !self.eat("class") {
                self.expect("typename")?;
            }
            self.type_param(ParamKind::Template(inner), loc)
        } else if is_type {
            self.next();
            self.type_param(ParamKind::Type, loc)
        } else {
            self.value_param(loc)
        };
        self.angle = outer;
        param
    }

    pub(super) fn type_param(&mut self, kind: ParamKind, loc: SourceLoc) -> Parsed<TemplateParam> {
        let is_pack = self.eat("...");
        let name = match self.is_name() {
            true => Some(self.name()?),
            false => None,
        };
        let is_template = matches!(kind, ParamKind::Template(_));
        if let Some(name) = &name {
            let meaning = match (is_pack, is_template) {
                (true, true) => Meaning::Pack(Elements::Templates),
                (true, false) => Meaning::Pack(Elements::Types),
                (false, true) => Meaning::TypeTemplate(None),
                (false, false) => Meaning::Type,
            };
            self.names.declare_dependent(name.clone(), meaning);
        }
        let default = match self.eat("=") {
            true => Some(cxx::TemplateArg::Type(self.type_name()?)),
            false => None,
        };
        Ok(TemplateParam {
            name,
            kind,
            default,
            is_pack,
            loc,
        })
    }

    pub(super) fn value_param(&mut self, loc: SourceLoc) -> Parsed<TemplateParam> {
        if !self.type_ahead() {
            return self.fail("expected template parameter");
        }
        let start = self.at;
        let specs = self.specifiers()?;
        let outer = std::mem::replace(&mut self.param_is_pack, false);
        let declarator = self.declarator(Naming::Either);
        let is_pack = std::mem::replace(&mut self.param_is_pack, outer);
        self.unexpanded.retain(|&token| !is_pack || token < start);
        let mut declarator = declarator?;
        let name = declarator.name.take();
        if let Some(name) = &name {
            let meaning = match is_pack {
                true => Meaning::Pack(Elements::Values),
                false => Meaning::Value,
            };
            self.names.declare_dependent(name.clone(), meaning);
        }
        let default = match self.eat("=") {
            true => {
                let e = self.conditional()?;
                Some(cxx::TemplateArg::Expr(e))
            }
            false => None,
        };
        let ty = super::super::ast::TypeName {
            specs,
            declarator,
            loc,
        };
        Ok(TemplateParam {
            name,
            kind: ParamKind::Value(Box::new(ty)),
            default,
            is_pack,
            loc,
        })
    }

    /// What has been read since `start` leaves no pack unexpanded.
    pub(super) fn check_expanded(&mut self, start: usize) -> Parsed<()> {
        let read = start..self.at;
        let found = self.unexpanded.iter().find(|&token| read.contains(token));
        let Some(&found) = found.filter(|_| self.in_lambda == 0) else {
            return Ok(());
        };
        let (name, loc) = (self.tokens[found].text.clone(), self.tokens[found].loc);
        let what = match self.names.find(&name) {
            Some(Meaning::Pack(Elements::Types)) => "type",
            _ => "expression",
        };
        // Reading goes on behind the last token.
        self.at -= 1;
        self.fail_at(
            loc,
            format!("{what} contains unexpanded parameter pack '{name}'"),
        )
    }

    /// Reads an operand that is not evaluated, or a body in it that is.
    pub(super) fn evaluates<T>(
        &mut self,
        evaluated: bool,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let outer = std::mem::replace(&mut self.unevaluated, !evaluated);
        let read = read(self);
        self.unevaluated = outer;
        read
    }
}
