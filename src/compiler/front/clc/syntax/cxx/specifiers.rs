//! Specifiers, names of types, attributes.

use super::super::ast::{
    AttrArg, Attribute, DeclSpecs, Expr, ExprKind, FunctionSpec, Name, Quals, TypeName, TypeSpec,
};
use super::super::keywords::{AUTO_TYPE, Specifier};
use super::ast::{self as cxx, QName};
use super::declarator::Naming;
use super::names::Meaning;
use super::{CxxWord, Parsed, Parser};
use crate::front::clc::pp::{Token, TokenKind};

/// Attributes of OpenCL C++ that OpenCL C has by other names.
const CL_ATTRIBUTES: &[(&str, &str)] = &[
    ("required_work_group_size", "reqd_work_group_size"),
    ("unroll_hint", "opencl_unroll_hint"),
    // Hints that change nothing.
    ("ivdep", "unused"),
    ("max_size", "unused"),
];

/// A type has been read, beside the word `pipe`.
fn has_type(specs: &DeclSpecs) -> bool {
    let is_pipe = |ty: &TypeSpec| matches!(ty, TypeSpec::Builtin(word) if &**word == "pipe");
    specs.types.iter().any(|ty| !is_pipe(&ty.0))
}

/// The dependent name that is the type without `typename` before it.
pub(super) fn untyped(specs: &DeclSpecs) -> Option<&QName> {
    match &specs.types[..] {
        [(TypeSpec::Cxx(cxx::TypeSpec::Named(name)), _)] => Some(name).filter(|n| n.dependent),
        _ => None,
    }
}

impl Parser<'_> {
    /// `typename` must be said here. Elsewhere it is clear that a type comes, and left out as in C++20.
    pub(super) fn check_typename(&mut self, specs: &DeclSpecs) {
        if let Some(name) = untyped(specs) {
            let part = |p: &cxx::NamePart| match p.args {
                Some(_) => format!("{}<...>", p.name),
                None => p.name.to_string(),
            };
            let text = name.parts.iter().map(part).collect::<Vec<_>>().join("::");
            let text = format!("missing 'typename' prior to dependent type name '{text}'");
            self.find(name.loc, text);
        }
    }

    /// Templates that have no instances name types that are declared, too.
    pub(super) fn check_known(&mut self, specs: &DeclSpecs) {
        if let [(TypeSpec::Cxx(cxx::TypeSpec::Named(name)), _)] = &specs.types[..]
            && let [part] = &name.parts[..]
            && self.names.in_template()
            && !self.in_block
            && self.names.find(&part.name).is_none()
        {
            let text = format!("unknown type name '{}'", part.name);
            self.find(name.loc, text);
        }
    }

    /// What begins here is a type, or declares something.
    pub(super) fn type_ahead(&mut self) -> bool {
        let token = self.peek();
        match token.kind {
            TokenKind::Ident => {}
            TokenKind::Punct if &*token.text == "::" => {
                return self.nth_is_type(1) || self.named_type_ahead();
            }
            _ => return false,
        }
        match self.word(&token.text) {
            CxxWord::Type => true,
            CxxWord::Specifier(_) => true,
            CxxWord::Name => self.named_type_ahead(),
            CxxWord::Keyword => matches!(
                &*token.text,
                "auto"
                    | AUTO_TYPE
                    | "class"
                    | "constexpr"
                    | "enum"
                    | "explicit"
                    | "friend"
                    | "mutable"
                    | "struct"
                    | "typename"
                    | "union"
                    | "virtual"
                    | "typeof"
                    | "__typeof__"
                    | "__typeof"
                    | "alignas"
                    | "__attribute__"
                    | "decltype"
                    | "__underlying_type"
                    | "__extension__"
                    | "_Alignas"
                    | "thread_local"
            ),
        }
    }

    pub(super) fn named_type_ahead(&mut self) -> bool {
        let at = self.at;
        let tries = self.tries;
        let read = self.attempt(|p| p.qualified_name());
        let end = self.at;
        let followed_by_name = self.is_name();
        self.at = at;
        self.tries = tries + end.abs_diff(at);
        match read {
            Some((_, Some(meaning))) => meaning.is_type(),
            // `typename` is missing.
            Some((name, None)) => followed_by_name && (name.parts.len() > 1 || end == at + 1),
            None => false,
        }
    }

    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let loc = self.loc();
        let specs = self.specifiers()?;
        let declarator = self.declarator(Naming::Abstract)?;
        Ok(TypeName {
            specs,
            declarator,
            loc,
        })
    }

    /// Declaration specifiers, or those of a type.
    pub(super) fn specifiers(&mut self) -> Parsed<DeclSpecs> {
        let mut specs = DeclSpecs {
            loc: self.loc(),
            ..DeclSpecs::default()
        };
        loop {
            let token = self.peek().clone();
            if token.is(TokenKind::Punct, "[") && self.nth_is(1, "[") {
                self.attributes(&mut specs.attributes)?;
                continue;
            }
            if token.kind != TokenKind::Ident && !self.is("::") {
                break;
            }
            if self.is("::") && self.nth_is_type(1) {
                self.next();
                continue;
            }
            match self.word(&token.text) {
                CxxWord::Specifier(Specifier::Pipe) if self.nth_is(1, "(") => break,
                CxxWord::Specifier(specifier) => {
                    self.next();
                    match specifier {
                        Specifier::Storage(s) => specs.storage.push((s, token.loc)),
                        Specifier::Function(f) => specs.functions.push((f, token.loc)),
                        Specifier::Pipe => {
                            specs
                                .types
                                .push((TypeSpec::Builtin("pipe".into()), token.loc));
                        }
                        other => self.qualifier(other, token.loc, &mut specs.quals)?,
                    }
                }
                // A typedef of a name that OpenCL C has declared.
                CxxWord::Type if has_type(&specs) && self.is_type_again() => break,
                CxxWord::Type => {
                    self.next();
                    specs.types.push((TypeSpec::Builtin(token.text), token.loc));
                }
                CxxWord::Keyword => {
                    if !self.keyword_specifier(&token.text, &mut specs)? {
                        break;
                    }
                }
                CxxWord::Name => {
                    if has_type(&specs) {
                        break;
                    }
                    let start = self.at;
                    let (name, meaning) = self.qualified_name()?;
                    if self.names_constructor(&name) || !self.may_be_type(&name, meaning) {
                        self.at = start;
                        break;
                    }
                    let spec = cxx::TypeSpec::Named(name);
                    specs.types.push((TypeSpec::Cxx(spec), token.loc));
                }
            }
        }
        Ok(specs)
    }

    /// `A(` in class A, or `A::A(`.
    pub(super) fn names_constructor(&self, name: &QName) -> bool {
        if !self.is("(") {
            return false;
        }
        match &name.parts[..] {
            [only] => self.in_class.last() == Some(&only.name) && only.args.is_none(),
            [.., class, last] => class.name == last.name,
            [] => false,
        }
    }

    pub(super) fn may_be_type(&self, name: &QName, meaning: Option<Meaning>) -> bool {
        match meaning {
            Some(meaning) if meaning.is_type() => {
                !(self.is("::") && (self.nth_is(1, "operator") || self.nth_is(1, "~")))
            }
            Some(_) => false,
            None => name.parts.len() > 1 || self.is_name() || self.is("*") || self.is("&"),
        }
    }

    pub(super) fn qualifier(
        &mut self,
        specifier: Specifier,
        loc: crate::source::SourceLoc,
        quals: &mut Quals,
    ) -> Parsed<()> {
        match specifier {
            Specifier::Const => quals.is_const = true,
            Specifier::Volatile => quals.is_volatile = true,
            Specifier::Restrict => quals.is_restrict = true,
            Specifier::Atomic => quals.is_atomic = true,
            Specifier::Space(space) => quals.spaces.push((space, loc)),
            Specifier::Access(access) => {
                if quals.access.is_some_and(|(other, _)| other != access) {
                    self.sink.error(loc, "multiple access qualifiers");
                }
                quals.access = Some((access, loc));
            }
            _ => return self.fail_at(loc, "expected a type qualifier"),
        }
        Ok(())
    }

    /// A specifier that is a keyword of C++; false if it is none.
    pub(super) fn keyword_specifier(&mut self, text: &str, specs: &mut DeclSpecs) -> Parsed<bool> {
        let loc = self.loc();
        let function = match text {
            "constexpr" => Some(FunctionSpec::Constexpr),
            "explicit" => Some(FunctionSpec::Explicit),
            "friend" => Some(FunctionSpec::Friend),
            "mutable" => Some(FunctionSpec::Mutable),
            "virtual" => Some(FunctionSpec::Virtual),
            _ => None,
        };
        if let Some(function) = function {
            self.next();
            specs.functions.push((function, loc));
            return Ok(true);
        }
        let spec = match text {
            "auto" | AUTO_TYPE => {
                self.next();
                TypeSpec::Cxx(cxx::TypeSpec::Auto)
            }
            "typename" => {
                self.next();
                let (mut name, _) = self.qualified_name()?;
                name.dependent = false;
                TypeSpec::Cxx(cxx::TypeSpec::Named(name))
            }
            "class" | "struct" | "union" => self.class_specifier()?,
            "enum" => self.enum_specifier()?,
            "decltype" if self.nth_is(2, "auto") => {
                self.next();
                self.expect("(")?;
                self.next();
                self.expect(")")?;
                TypeSpec::Cxx(cxx::TypeSpec::DecltypeAuto)
            }
            "decltype" => match self.attempt(|p| p.qualified_name()) {
                Some((name, _)) => TypeSpec::Cxx(cxx::TypeSpec::Named(name)),
                None => {
                    self.next();
                    let e = self.evaluates(false, |p| p.parenthesised(Self::expression))?;
                    TypeSpec::Cxx(cxx::TypeSpec::Decltype(Box::new(e)))
                }
            },
            "__underlying_type" => {
                self.next();
                let ty = self.parenthesised(Self::type_name)?;
                TypeSpec::Cxx(cxx::TypeSpec::Underlying(Box::new(ty)))
            }
            "typeof" | "__typeof__" | "__typeof" => {
                self.next();
                self.parenthesised(|p| {
                    // `A() + B()` begins with a type, too.
                    let whole = |p: &mut Self| match p.type_name()? {
                        ty if p.is(")") => Ok(ty),
                        _ => p.fail("expected ')'"),
                    };
                    let ty = match p.type_ahead() {
                        true => p.attempt(whole),
                        false => None,
                    };
                    Ok(match ty {
                        Some(ty) => TypeSpec::TypeofType(Box::new(ty)),
                        None => TypeSpec::TypeofExpr(Box::new(p.expression()?)),
                    })
                })?
            }
            "__attribute__" | "__attribute" | "alignas" | "_Alignas" => {
                self.attributes(&mut specs.attributes)?;
                return Ok(true);
            }
            "__extension__" => {
                self.next();
                return Ok(true);
            }
            "thread_local" => {
                let text = "thread-local storage is not supported for the current target";
                self.sink.error(loc, text);
                self.forget();
                return Ok(true);
            }
            _ => return Ok(false),
        };
        if matches!(spec, TypeSpec::Cxx(_)) && has_type(specs) {
            return self.fail_at(
                loc,
                format!("cannot combine with previous '{text}' declaration specifier"),
            );
        }
        if defines(&spec) && self.declares_next() {
            let loc = self.behind();
            self.sink.error(loc, format!("expected ';' after {text}"));
            let semicolon = Token {
                kind: TokenKind::Punct,
                text: ";".into(),
                loc,
                space_before: false,
            };
            self.tokens.insert(self.at, semicolon);
        }
        specs.types.push((spec, loc));
        Ok(true)
    }

    /// Another declaration begins here: behind the body of a class, where its semicolon is missing.
    fn declares_next(&self) -> bool {
        let words = [
            "class",
            "enum",
            "struct",
            "union",
            "template",
            "namespace",
            "using",
            "kernel",
            "__kernel",
        ];
        self.nth_is_type(0)
            || words.iter().any(|word| self.is(word))
            || self.is_name() && self.nth_is_name(1)
    }

    /// What stands in parentheses.
    pub(super) fn parenthesised<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        self.expect("(")?;
        let outer = std::mem::replace(&mut self.angle, false);
        let inner = read(self);
        self.angle = outer;
        let inner = inner?;
        self.expect(")")?;
        Ok(inner)
    }

    /// `__attribute__((...))`, `[[...]]` and `alignas(...)`, as many as there are.
    pub(super) fn attributes(&mut self, out: &mut Vec<Attribute>) -> Parsed<()> {
        loop {
            let loc = self.loc();
            if self.eat("__attribute__") || self.eat("__attribute") {
                self.expect("(")?;
                self.expect("(")?;
                self.attribute_list(")", out)?;
                self.expect(")")?;
            } else if self.is("[") && self.nth_is(1, "[") {
                self.next();
                self.next();
                self.attribute_list("]", out)?;
                self.expect("]")?;
            } else if self.eat("alignas") || self.eat("_Alignas") {
                let arg = match self.parenthesised(Self::attribute_arg)? {
                    AttrArg::Type(ty) => {
                        let kind = ExprKind::AlignofType(Box::new(ty));
                        AttrArg::Expr(Expr { kind, loc })
                    }
                    arg => arg,
                };
                out.push(Attribute {
                    name: Name::from("aligned"),
                    args: vec![arg],
                    text: "alignas".into(),
                    loc,
                });
            } else {
                return Ok(());
            }
        }
    }

    pub(super) fn attribute_arg(&mut self) -> Parsed<AttrArg> {
        Ok(match self.type_ahead() {
            true => AttrArg::Type(self.type_name()?),
            false => AttrArg::Expr(self.assignment()?),
        })
    }

    pub(super) fn attribute_list(&mut self, close: &str, out: &mut Vec<Attribute>) -> Parsed<()> {
        while !self.eat(close) {
            if self.eat(",") {
                continue;
            }
            let (loc, first) = (self.loc(), self.at);
            if self.peek().kind != TokenKind::Ident {
                return self.fail("expected identifier");
            }
            let mut name = self.next().text;
            if self.eat("::") {
                let own = &*name == "cl";
                name = self.next().text;
                if let Some((_, of_c)) = CL_ATTRIBUTES.iter().find(|row| own && *row.0 == *name) {
                    name = (*of_c).into();
                }
            }
            let mut args = Vec::new();
            if self.eat("(") {
                while !self.is(")") {
                    args.push(self.attribute_arg()?);
                    if !self.eat(",") {
                        break;
                    }
                }
                self.expect(")")?;
            }
            let text: Vec<&str> = self.tokens[first..self.at]
                .iter()
                .map(|t| &*t.text)
                .collect();
            let bare = name.strip_prefix("__").and_then(|n| n.strip_suffix("__"));
            // Standard attributes say nothing that code depends on.
            let standard = [
                "maybe_unused",
                "nodiscard",
                "fallthrough",
                "deprecated",
                "noreturn",
            ];
            if close == "]" && standard.contains(&&*name) {
                continue;
            }
            out.push(Attribute {
                text: text.concat(),
                name: bare.map(Name::from).unwrap_or(name),
                args,
                loc,
            });
        }
        Ok(())
    }
}

/// A class or enumeration with its body.
pub fn defines(spec: &TypeSpec) -> bool {
    match spec {
        TypeSpec::Cxx(cxx::TypeSpec::Class(class)) => class.members.is_some(),
        TypeSpec::Cxx(cxx::TypeSpec::Enum(items)) => items.items.is_some(),
        _ => false,
    }
}
