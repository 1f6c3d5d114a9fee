//! What operators apply to: names, literals, constructions, casts, calls, members.

use super::super::ast::{
    Association, Designator, Expr, ExprKind, Initializer, Name, TypeName, TypeSpec,
};
use super::ast::{self as cxx, BuiltinPart, CastKind, QName};
use super::expr::tree;
use super::names::Meaning;
use super::{CxxWord, Parsed, Parser};
use crate::front::clc::builtins;
use crate::front::clc::pp::{Token, TokenKind};
use crate::source::SourceLoc;

impl Parser<'_> {
    pub(super) fn postfix(&mut self) -> Parsed<Expr> {
        let base = self.primary()?;
        self.postfixes(base)
    }

    pub(super) fn postfixes(&mut self, mut base: Expr) -> Parsed<Expr> {
        let mut count = 0;
        loop {
            let token = self.peek().clone();
            let loc = token.loc;
            if token.kind != TokenKind::Punct || self.member_operator() {
                return Ok(base);
            }
            let inner = Box::new(base);
            let kind = match &*token.text {
                "(" => ExprKind::Call(inner, self.arguments()?),
                "[" => {
                    self.next();
                    let angle = std::mem::replace(&mut self.angle, false);
                    let index = match self.is("{") {
                        true => self.list_expr()?,
                        false => self.expression()?,
                    };
                    self.angle = angle;
                    self.expect("]")?;
                    ExprKind::Index(inner, Box::new(index))
                }
                "." | "->" => {
                    self.next();
                    let arrow = &*token.text == "->";
                    self.member_access(inner, arrow)?
                }
                "++" => {
                    self.next();
                    ExprKind::PostInc(inner)
                }
                "--" => {
                    self.next();
                    ExprKind::PostDec(inner)
                }
                _ => return Ok(*inner),
            };
            base = Expr { kind, loc };
            count += 1;
            if count > super::MAX_CHAIN {
                return self.fail("too many operators in a chain");
            }
        }
    }

    /// Behind a dot: a class or namespace with `::`, not a member.
    fn begins_scope(&mut self) -> bool {
        let first = self.peek().text.clone();
        if self.nth_is(1, "::") {
            return true;
        }
        let is_class = matches!(self.names.find(&first), Some(Meaning::TypeTemplate(_)));
        let (at, unexpanded) = (self.at, self.unexpanded.len());
        let found = is_class && self.nth_is(1, "<") && {
            self.next();
            self.called_args(false).is_some() && self.is("::")
        };
        self.at = at;
        self.unexpanded.truncate(unexpanded);
        found
    }

    /// The name of a destructor or operator, with arguments of its template or class.
    fn special_name(&mut self, templated: bool) -> Parsed<Option<cxx::NamePart>> {
        let loc = self.loc();
        let name: Name = if self.eat("~") {
            format!("~{}", self.name()?).into()
        } else if self.eat("operator") {
            match self.operator_name() {
                Some(name) => name.into(),
                None => return self.fail("expected an operator"),
            }
        } else {
            return Ok(None);
        };
        let args = match self.is("<") {
            true => self.called_args(templated),
            false => None,
        };
        Ok(Some(cxx::NamePart { name, args, loc }))
    }

    fn member_access(&mut self, base: Box<Expr>, arrow: bool) -> Parsed<ExprKind> {
        let templated = self.eat("template");
        let loc = self.loc();
        let part = |name: Name, args| cxx::NamePart { name, args, loc };
        let special = self.special_name(templated)?;
        let mut name = QName {
            global: false,
            dependent: false,
            parts: Vec::new(),
            loc,
        };
        match special {
            Some(special) => name.parts.push(special),
            None if !templated && self.begins_scope() => {
                name.parts = self.qualified_name()?.0.parts;
            }
            None => {
                let first = self.name()?;
                let is_class = matches!(self.names.find(&first), Some(Meaning::TypeTemplate(_)));
                let is_template =
                    templated || is_class || self.names.member_templates.contains(&first);
                let args = match is_template && self.is("<") {
                    true => self.called_args(templated),
                    false => None,
                };
                name.parts.push(part(first, args));
                if self.is("::") && self.nth_is_name(1) {
                    // `a.B::c`
                    self.next();
                    let (rest, _) = self.qualified_name()?;
                    name.parts.extend(rest.parts);
                }
            }
        }
        if self.is("::") && (self.nth_is(1, "~") || self.nth_is(1, "operator")) {
            self.next();
            name.parts.extend(self.special_name(false)?);
        }
        if let [only] = &name.parts[..]
            && only.args.is_none()
            && !only.name.starts_with(['~'])
        {
            let name = only.name.clone();
            return Ok(match arrow {
                true => ExprKind::Arrow(base, name),
                false => ExprKind::Member(base, name),
            });
        }
        Ok(ExprKind::Cxx(Box::new(cxx::Expr::Member {
            base: *base,
            arrow,
            name,
        })))
    }

    /// Template arguments of a member; without `template` before it they are followed by a call or scope.
    fn called_args(&mut self, templated: bool) -> Option<Vec<cxx::TemplateArg>> {
        self.attempt(|p| {
            let args = p.template_args()?;
            match p.is("(") || p.is("::") || templated {
                true => Ok(args),
                false => p.fail("expected '('"),
            }
        })
    }

    /// `(a, b, c...)`
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.parenthesised(|p| p.argument_list(")"))
    }

    fn argument_list(&mut self, close: &str) -> Parsed<Vec<Expr>> {
        let mut args = Vec::new();
        while !self.is(close) {
            let start = self.at;
            let loc = self.loc();
            let arg = match self.is("{") {
                true => self.list_expr()?,
                false => self.assignment()?,
            };
            args.push(match self.eat("...") {
                true => tree(cxx::Expr::Expand(arg, self.packs_since(start)), loc),
                false => arg,
            });
            if !self.eat(",") {
                break;
            }
        }
        Ok(args)
    }

    /// A list in braces as an expression.
    pub(super) fn list_expr(&mut self) -> Parsed<Expr> {
        let loc = self.loc();
        let list = self.list()?;
        Ok(tree(cxx::Expr::List(list), loc))
    }

    /// `{a, .b = c, {d}}`
    pub(super) fn list(&mut self) -> Parsed<Initializer> {
        let angle = std::mem::replace(&mut self.angle, false);
        let list = self.deeper(Self::list_here);
        self.angle = angle;
        list
    }

    fn list_here(&mut self) -> Parsed<Initializer> {
        let loc = self.expect("{")?;
        let mut items = Vec::new();
        while !self.is("}") {
            let designators = self.designation()?;
            let start = self.at;
            let at = self.loc();
            let item = match self.is("{") {
                true => self.list()?,
                false => Initializer::Expr(self.assignment()?),
            };
            let item = match (item, self.eat("...")) {
                (Initializer::Expr(e), true) => {
                    let packs = self.packs_since(start);
                    Initializer::Expr(tree(cxx::Expr::Expand(e, packs), at))
                }
                (item, _) => item,
            };
            items.push((designators, item));
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(Initializer::List(items, loc))
    }

    /// The designators of an item, and the `=` behind them.
    fn designation(&mut self) -> Parsed<Vec<Designator>> {
        if self.is(".") {
            let designators = self.designators()?;
            if !self.is("{") {
                self.expect("=")?;
            }
            return Ok(designators);
        }
        // GNU's `member: value` and `[0] value`.
        if self.is_name() && self.nth_is(1, ":") {
            let at = self.loc();
            let name = self.name()?;
            self.next();
            return Ok(vec![Designator::Field(name, at)]);
        }
        if !self.is("[") {
            return Ok(Vec::new());
        }
        let is_index = self.ahead(1).kind == TokenKind::Number;
        // Else a lambda begins.
        let read = self.attempt(|p| {
            let designators = p.designators()?;
            if !p.eat("=") && !is_index {
                return p.fail("expected '='");
            }
            Ok(designators)
        });
        Ok(read.unwrap_or_default())
    }

    fn designators(&mut self) -> Parsed<Vec<Designator>> {
        let mut designators = Vec::new();
        loop {
            if self.eat(".") {
                let at = self.loc();
                designators.push(Designator::Field(self.name()?, at));
            } else if self.eat("[") {
                let first = self.conditional()?;
                designators.push(match self.eat("...") {
                    true => Designator::Range(first, self.conditional()?),
                    false => Designator::Index(first),
                });
                self.expect("]")?;
            } else {
                return Ok(designators);
            }
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek().clone();
        let loc = token.loc;
        let kind = match token.kind {
            TokenKind::Number => {
                let text = self.next().text;
                match text.split_once('_') {
                    Some((value, suffix)) => {
                        let kind = ExprKind::Number(value.into());
                        let value = Expr { kind, loc };
                        let literal = cxx::Expr::UserLiteral(value, format!("_{suffix}").into());
                        return Ok(tree(literal, loc));
                    }
                    None => ExprKind::Number(text),
                }
            }
            TokenKind::Char => ExprKind::Char(self.next().text),
            TokenKind::Str => {
                let mut parts = Vec::new();
                while self.peek().kind == TokenKind::Str {
                    parts.push(self.next().text);
                }
                ExprKind::Str(parts)
            }
            TokenKind::Punct => match &*token.text {
                "(" => return self.group(),
                "[" => return self.lambda(),
                "^" => return self.block_literal(),
                "::" => return self.named(),
                _ => return self.fail("expected expression"),
            },
            TokenKind::Ident => match self.word(&token.text) {
                CxxWord::Name => return self.named(),
                CxxWord::Type => return self.constructed(),
                CxxWord::Keyword => return self.keyword(&token.text),
                CxxWord::Specifier(_) => return self.fail("expected expression"),
            },
            _ => return self.fail("expected expression"),
        };
        let value = Expr { kind, loc };
        let suffix = self.peek();
        let has_suffix = suffix.kind == TokenKind::Ident && !suffix.space_before;
        match has_suffix && suffix.text.starts_with('_') {
            true => {
                let suffix = self.next().text;
                Ok(tree(cxx::Expr::UserLiteral(value, suffix), loc))
            }
            false => Ok(value),
        }
    }

    /// In parentheses: a fold, a statement expression or an expression.
    fn group(&mut self) -> Parsed<Expr> {
        let loc = self.loc();
        if let Some(fold) = self.fold() {
            return Ok(fold);
        }
        if self.nth_is(1, "{") {
            self.in_lambda += 1;
            let block = self.parenthesised(Self::block)?;
            self.in_lambda -= 1;
            let kind = ExprKind::StatementExpr(block);
            return Ok(Expr { kind, loc });
        }
        let inner = self.parenthesised(Self::expression)?;
        let kind = ExprKind::Paren(Box::new(inner));
        Ok(Expr { kind, loc })
    }

    /// A name, or a construction of what it names.
    fn named(&mut self) -> Parsed<Expr> {
        let loc = self.loc();
        if self.peek().text.starts_with("__")
            && self.nth_is(1, "(")
            && let Some(e) = self.compiler_builtin()?
        {
            return Ok(e);
        }
        let (mut name, meaning) = self.qualified_name()?;
        let is_type = meaning.is_some_and(Meaning::is_type);
        if self.is("::") && self.nth_is(1, "operator") {
            self.next();
            self.next();
            let at = self.loc();
            let Some(operator) = self.operator_name() else {
                return self.fail("expected an operator");
            };
            name.parts.push(cxx::NamePart {
                name: operator.into(),
                args: None,
                loc: at,
            });
        } else if is_type {
            let ty = type_of(TypeSpec::Cxx(cxx::TypeSpec::Named(name)), loc);
            return self.construction(ty);
        }
        if let [only] = &name.parts[..]
            && only.args.is_none()
            && !name.global
        {
            if meaning.is_none() {
                self.check_declared(&only.name, loc);
            }
            let kind = ExprKind::Ident(only.name.clone());
            return Ok(Expr { kind, loc });
        }
        Ok(tree(cxx::Expr::Name(name), loc))
    }

    /// In a template, names are looked up where it is written, but for functions whose arguments may
    /// depend on the parameters.
    fn check_declared(&mut self, name: &Name, loc: SourceLoc) {
        let known = |p: &Self| {
            let ours = ["__", "memory_", "printf"];
            ours.iter().any(|start| name.starts_with(start))
                || builtins::is_builtin(name)
                || !p.names.in_template()
        };
        let plain = |t: &Token| matches!(t.kind, TokenKind::Punct) && !t.is(TokenKind::Punct, "(");
        let called = self.is("(") && {
            let args = &self.tokens[self.at + 1..];
            let end = args.iter().position(|t| t.is(TokenKind::Punct, ")"));
            !args[..end.unwrap_or(0)]
                .iter()
                .all(|t| t.kind == TokenKind::Number || plain(t))
        };
        if self.in_block && !called && !known(self) {
            self.find(loc, format!("use of undeclared identifier '{name}'"));
            self.lost.push(name.clone());
        }
    }

    /// `type(arguments)` or `type{...}`, from the type on.
    fn construction(&mut self, ty: TypeName) -> Parsed<Expr> {
        let loc = ty.loc;
        if self.is("{") {
            let list = self.list()?;
            return Ok(tree(cxx::Expr::ConstructList(ty, list), loc));
        }
        if !self.is("(") {
            return self.fail("expected '(' for function-style cast or type construction");
        }
        let args = self.arguments()?;
        Ok(tree(cxx::Expr::Construct(ty, args), loc))
    }

    /// The same of a type whose words are no names.
    fn constructed(&mut self) -> Parsed<Expr> {
        let loc = self.loc();
        let specs = self.specifiers()?;
        let declarator = Default::default();
        self.construction(TypeName {
            specs,
            declarator,
            loc,
        })
    }

    fn keyword(&mut self, text: &str) -> Parsed<Expr> {
        let loc = self.loc();
        let simple = match text {
            "true" => Some(cxx::Expr::Bool(true)),
            "false" => Some(cxx::Expr::Bool(false)),
            "nullptr" => Some(cxx::Expr::Nullptr),
            "this" => Some(cxx::Expr::This),
            _ => None,
        };
        if let Some(simple) = simple {
            self.next();
            return Ok(tree(simple, loc));
        }
        let cast = match text {
            "static_cast" => Some(CastKind::Static),
            "const_cast" => Some(CastKind::Const),
            "reinterpret_cast" => Some(CastKind::Reinterpret),
            "addrspace_cast" => Some(CastKind::Space),
            _ => None,
        };
        if let Some(cast) = cast {
            self.next();
            self.expect("<")?;
            let angle = std::mem::replace(&mut self.angle, true);
            let ty = self.type_name();
            self.angle = angle;
            let ty = ty?;
            self.expect(">")?;
            let e = self.parenthesised(Self::expression)?;
            return Ok(tree(cxx::Expr::Cast(cast, ty, e), loc));
        }
        match text {
            "decltype" => match self.attempt(|p| p.qualified_name()) {
                Some((name, _)) => Ok(tree(cxx::Expr::Name(name), loc)),
                None => self.constructed(),
            },
            "typename" => self.constructed(),
            "noexcept" => {
                self.next();
                let e = self.evaluates(false, |p| p.parenthesised(Self::expression))?;
                Ok(tree(cxx::Expr::Noexcept(e), loc))
            }
            "operator" => {
                self.next();
                match self.operator_name() {
                    Some(name) => Ok(Expr {
                        kind: ExprKind::Ident(name.into()),
                        loc,
                    }),
                    None => self.fail("expected an operator"),
                }
            }
            "dynamic_cast" => self.fail("use of dynamic_cast requires -frtti"),
            "typeid" => self.fail("use of typeid requires -frtti"),
            "offsetof" | "__builtin_offsetof" => self.offset_of(),
            "_Generic" => self.selection(),
            "astype" | "__builtin_astype" | "convertvector" | "__builtin_convertvector" => {
                self.as_type()
            }
            _ => self.fail("expected expression"),
        }
    }

    fn offset_of(&mut self) -> Parsed<Expr> {
        let loc = self.next().loc;
        let (ty, path) = self.parenthesised(|p| {
            let ty = p.type_name()?;
            p.expect(",")?;
            let mut path = Vec::new();
            loop {
                let at = p.loc();
                path.push(Designator::Field(p.name()?, at));
                while p.eat("[") {
                    path.push(Designator::Index(p.conditional()?));
                    p.expect("]")?;
                }
                if !p.eat(".") {
                    return Ok((ty, path));
                }
            }
        })?;
        let kind = ExprKind::Offsetof(Box::new(ty), path);
        Ok(Expr { kind, loc })
    }

    fn selection(&mut self) -> Parsed<Expr> {
        let loc = self.next().loc;
        let kind = self.parenthesised(|p| {
            let e = p.assignment()?;
            let mut associations = Vec::new();
            while p.eat(",") {
                let loc = p.loc();
                let ty = match p.eat("default") {
                    true => None,
                    false => Some(p.type_name()?),
                };
                p.expect(":")?;
                let value = p.assignment()?;
                associations.push(Association { ty, value, loc });
            }
            Ok(ExprKind::Selection(Box::new(e), associations))
        })?;
        Ok(Expr { kind, loc })
    }

    fn as_type(&mut self) -> Parsed<Expr> {
        let word = self.next();
        let (loc, is_conversion) = (word.loc, word.text.ends_with("convertvector"));
        let (e, ty) = self.parenthesised(|p| {
            let e = p.assignment()?;
            p.expect(",")?;
            Ok((e, p.type_name()?))
        })?;
        let (e, ty) = (Box::new(e), Box::new(ty));
        let kind = match is_conversion {
            true => ExprKind::ConvertVector(e, ty),
            false => ExprKind::AsType(e, ty),
        };
        Ok(Expr { kind, loc })
    }

    /// `__is_same(a, b)` and its kin.
    fn compiler_builtin(&mut self) -> Parsed<Option<Expr>> {
        let name = self.peek().text.clone();
        if self.opencl_cxx && &*name == super::BUILTINS {
            let loc = self.next().loc;
            let parts = self.parenthesised(Self::builtin_parts)?;
            return Ok(Some(tree(cxx::Expr::Builtin(parts), loc)));
        }
        let asks = ["__is_", "__has_trivial", "__has_virtual_destructor"];
        if !asks.iter().any(|begin| name.starts_with(begin)) {
            return Ok(None);
        }
        let loc = self.next().loc;
        let types = self.parenthesised(|p| p.patterns(Self::type_name))?;
        Ok(Some(tree(cxx::Expr::Trait(name, types), loc)))
    }
}

impl Parser<'_> {
    /// What the name of a function of OpenCL C consists of.
    fn builtin_parts(&mut self) -> Parsed<Vec<BuiltinPart>> {
        let mut parts = Vec::new();
        loop {
            parts.push(if self.peek().kind == TokenKind::Str {
                let mut text = String::new();
                while self.peek().kind == TokenKind::Str {
                    text += self.next().text.trim_matches('"');
                }
                match self.eat("[") {
                    true => {
                        let texts = text.split('|').map(Name::from).collect();
                        let number = self.expression()?;
                        self.expect("]")?;
                        BuiltinPart::Choice(texts, number)
                    }
                    false => BuiltinPart::Text(text.as_str().into()),
                }
            } else if self.type_ahead() {
                BuiltinPart::Type(self.type_name()?)
            } else {
                BuiltinPart::Number(self.assignment()?)
            });
            if !self.eat(",") {
                return Ok(parts);
            }
        }
    }
}

/// A type of one specifier.
pub(super) fn type_of(spec: TypeSpec, loc: SourceLoc) -> TypeName {
    TypeName {
        specs: super::super::ast::DeclSpecs {
            types: vec![(spec, loc)],
            loc,
            ..Default::default()
        },
        declarator: Default::default(),
        loc,
    }
}
