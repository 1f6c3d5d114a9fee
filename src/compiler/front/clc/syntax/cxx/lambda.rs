//! Lambda expressions and blocks.

use std::sync::{Arc, OnceLock};

use super::super::ast::{
    DeclPart, DeclSpecs, Declarator, Expr, ExprKind, Initializer, Name, TypeSpec,
};
use super::ast::{self as cxx, Body, BodyKind, Capture, Function, FunctionTail, Lambda};
use super::expr::tree;
use super::names::{Elements, Meaning};
use super::{Parsed, Parser};
use crate::front::clc::pp::TokenKind;

impl Parser<'_> {
    pub(super) fn lambda(&mut self) -> Parsed<Expr> {
        if self.unevaluated {
            return self.fail("lambda expression in an unevaluated operand");
        }
        let mark = self.names.mark();
        self.names.push();
        let autos = self.autos.replace(Vec::new());
        let angle = std::mem::replace(&mut self.angle, false);
        self.in_lambda += 1;
        let lambda = self.deeper(Self::lambda_here);
        self.in_lambda -= 1;
        self.angle = angle;
        self.autos = autos;
        self.names.leave_to(mark);
        let lambda = lambda?;
        let loc = lambda.loc;
        Ok(tree(cxx::Expr::Lambda(Arc::new(lambda)), loc))
    }

    fn lambda_here(&mut self) -> Parsed<Lambda> {
        let loc = self.loc();
        self.expect("[")?;
        let (default, captures) = self.captures()?;
        self.expect("]")?;
        // C++20's, which clang takes, too.
        let mut template = match self.is("<") {
            true => self.template_params()?,
            false => Vec::new(),
        };
        let mut tail = FunctionTail::default();
        let mut params = Vec::new();
        let mut mutable = false;
        if self.is("(") {
            // `mutable` may stand among the qualifiers.
            let part = self.lambda_params(&mut mutable)?;
            if let DeclPart::Function {
                params: list,
                tail: given,
                ..
            } = part
            {
                params = list;
                tail = given.map(|t| *t).unwrap_or_default();
            }
        }
        template.extend(self.autos.take().unwrap_or_default());
        for param in &params {
            if let Some(name) = &param.declarator.name {
                let meaning = match param.is_pack {
                    true => Meaning::Pack(Elements::Values),
                    false => Meaning::Value,
                };
                self.names.declare(name.clone(), meaning);
            }
        }
        tail.quals.is_const = !mutable;
        let start = self.at;
        let block = self.block()?;
        let mut mentioned: Vec<Name> = Vec::new();
        for token in &self.tokens[start..self.at] {
            if token.kind == TokenKind::Ident && !mentioned.contains(&token.text) {
                mentioned.push(token.text.clone());
            }
        }
        let declarator = Declarator {
            name: Some("operator()".into()),
            loc,
            parts: vec![DeclPart::Function {
                params,
                variadic: false,
                tail: Some(Box::new(tail)),
            }],
            ..Declarator::default()
        };
        let specs = DeclSpecs {
            types: vec![(TypeSpec::Cxx(cxx::TypeSpec::Auto), loc)],
            loc,
            ..DeclSpecs::default()
        };
        let body = OnceLock::new();
        let _ = body.set(Body {
            inits: Vec::new(),
            kind: BodyKind::Block(block),
        });
        let function = Arc::new(Function {
            specs,
            declarator,
            body,
            loc,
        });
        Ok(Lambda {
            default,
            captures,
            function,
            template,
            mutable,
            mentioned,
            loc,
        })
    }

    fn lambda_params(&mut self, mutable: &mut bool) -> Parsed<DeclPart> {
        let mut part = self.function_part()?;
        let mut specified = false;
        let qualified = match &part {
            DeclPart::Function { tail: Some(t), .. } => !t.quals.spaces.is_empty(),
            _ => false,
        };
        while !qualified && (self.is("mutable") || self.is("constexpr")) {
            specified = true;
            *mutable |= self.is("mutable");
            self.next();
        }
        if specified {
            // What follows is as it would be without the words.
            let more = self.function_tail()?;
            if let DeclPart::Function { tail, .. } = &mut part {
                *tail = Some(Box::new(more));
            }
        }
        Ok(part)
    }

    fn captures(&mut self) -> Parsed<(Option<bool>, Vec<Capture>)> {
        let (mut default, mut captures) = (None, Vec::new());
        while !self.is("]") {
            let loc = self.loc();
            let by_reference = self.eat("&");
            if self.is("=") || by_reference && (self.is(",") || self.is("]")) {
                self.eat("=");
                default = Some(by_reference);
            } else if self.is("this") || self.is("*") {
                let by_reference = !self.eat("*");
                self.expect("this")?;
                captures.push(Capture {
                    name: None,
                    by_reference,
                    is_pack: false,
                    init: None,
                    loc,
                });
            } else {
                // C++20's: a pack of captures, each with an element of the initialiser's packs.
                let inits_pack = self.eat("...");
                let name = self.name()?;
                let start = self.at;
                let mut init = match self.is("=") || self.is("{") || self.is("(") {
                    true => self.capture_init()?,
                    false if inits_pack => return self.fail("expected an initializer"),
                    false => None,
                };
                if inits_pack {
                    let packs = self.packs_since(start);
                    init = init.map(|e| tree(cxx::Expr::Expand(e, packs), loc));
                }
                let is_pack = inits_pack || init.is_none() && self.eat("...");
                let meaning = match is_pack {
                    true => Meaning::Pack(Elements::Values),
                    false => Meaning::Value,
                };
                self.names.declare(name.clone(), meaning);
                captures.push(Capture {
                    name: Some(name),
                    by_reference,
                    is_pack,
                    init,
                    loc,
                });
            }
            if !self.eat(",") {
                break;
            }
        }
        Ok((default, captures))
    }

    fn capture_init(&mut self) -> Parsed<Option<Expr>> {
        if self.eat("=") {
            return self.assignment().map(Some);
        }
        if self.is("(") {
            return self.parenthesised(Self::expression).map(Some);
        }
        match self.list()? {
            Initializer::List(mut items, loc) => match items.pop() {
                Some((_, Initializer::Expr(e))) if items.is_empty() => Ok(Some(e)),
                _ => self.fail_at(loc, "initializer of a capture must be one expression"),
            },
            Initializer::Expr(e) => Ok(Some(e)),
        }
    }

    /// `^type(parameters) {...}`
    pub(super) fn block_literal(&mut self) -> Parsed<Expr> {
        let loc = self.expect("^")?;
        let mark = self.names.mark();
        self.names.push();
        let mut params = Vec::new();
        if self.is("(") {
            let part = self.function_part()?;
            if let DeclPart::Function { params: list, .. } = part {
                params = list;
            }
        }
        let ty = match self.is("{") {
            true => None,
            false => Some(Box::new(self.type_name()?)),
        };
        let body = self.block();
        self.names.leave_to(mark);
        let kind = ExprKind::BlockLiteral(ty, params, body?);
        Ok(Expr { kind, loc })
    }
}
