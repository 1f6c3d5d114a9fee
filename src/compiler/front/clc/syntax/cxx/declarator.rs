//! Specifiers, declarators, parameters, type names, attributes.

use super::super::ast::{
    Attribute, DeclPart, DeclSpecs, Declarator, Name, Param, Quals, Storage, TypeName, TypeSpec,
};
use super::super::keywords::Specifier;
use super::ast::{self as cxx, DeclaratorName, FunctionTail, NamePart, QName};
use super::names::{Elements, Meaning, Tables};
use super::specifiers::untyped;
use super::{CxxWord, Parsed, Parser};
use crate::front::clc::pp::TokenKind;

/// Whether a declarator has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    Named,
    Abstract,
    /// A parameter's.
    Either,
}

impl Parser<'_> {
    /// A name with what stands before it, and what it means; `None` where that depends on parameters
    /// of templates or is not known. Stops before `~`, `operator` and `*` behind `::`.
    pub(super) fn qualified_name(&mut self) -> Parsed<(QName, Option<Meaning>)> {
        let loc = self.loc();
        let mut name = QName {
            global: self.eat("::"),
            dependent: false,
            parts: Vec::new(),
            loc,
        };
        let mut scope = name.global.then_some(0);
        let start = self.at;
        // Parts behind one that depends on parameters.
        let mut unknown = false;
        if self.is("decltype") {
            self.next();
            let e = self.evaluates(false, |p| p.parenthesised(Self::expression))?;
            name.parts.push(NamePart {
                name: "decltype".into(),
                args: Some(vec![cxx::TemplateArg::Expr(e)]),
                loc,
            });
            self.expect("::")?;
            unknown = true;
        }
        loop {
            let templated = !name.parts.is_empty() && self.eat("template");
            let loc = self.loc();
            let part = match !name.parts.is_empty() && self.is_type_again() {
                true => self.next().text,
                false => self.name()?,
            };
            let mut meaning = match (scope, unknown) {
                (_, true) => None,
                (Some(scope), _) => self.names.find_in(scope, &part),
                (None, _) => self.names.find(&part),
            };
            if name.parts.is_empty() && matches!(meaning, Some(Meaning::Pack(_))) {
                self.unexpanded.push(self.at - 1);
            }
            // A class's name within it means the class.
            if name.parts.last().is_some_and(|p: &NamePart| p.name == part) && meaning.is_none() {
                meaning = Some(Meaning::Type);
            }
            let is_template = templated
                || matches!(
                    meaning,
                    Some(
                        Meaning::TypeTemplate(_)
                            | Meaning::FunctionTemplate
                            | Meaning::Pack(Elements::Templates)
                    )
                );
            let mut args = None;
            if self.is("<") && is_template {
                if name.dependent && !templated && (self.in_block || !self.in_class.is_empty()) {
                    let text = format!(
                        "use 'template' keyword to treat '{part}' as a dependent template name"
                    );
                    return self.fail_at(loc, text);
                }
                args = match meaning {
                    // The name of the class that is being read, in a comparison, is none.
                    Some(Meaning::FunctionTemplate) => self.attempt(|p| p.template_args()),
                    _ => Some(self.template_args()?),
                };
            }
            name.parts.push(NamePart {
                name: part,
                args,
                loc,
            });
            let goes_on = self.is("::")
                && (self.nth_is_name(1) || self.nth_is_type(1) || self.nth_is(1, "template"))
                && !matches!(meaning, Some(Meaning::Value | Meaning::FunctionTemplate));
            if !goes_on {
                return Ok((name, meaning));
            }
            self.next();
            scope = Tables::scope_of(meaning);
            unknown = scope.is_none();
            // The class that is being read is known.
            let known = scope.is_some_and(|scope| self.names.is_open(scope));
            name.dependent = !known && (name.dependent || self.depends(start));
        }
    }

    /// What has been read since `start` names parameters of templates.
    pub(super) fn depends(&self, start: usize) -> bool {
        let read = &self.tokens[start..self.at];
        let names = read.iter().filter(|t| t.kind == TokenKind::Ident);
        names.into_iter().any(|t| self.names.is_dependent(&t.text))
    }

    /// `<...>`
    pub(super) fn template_args(&mut self) -> Parsed<Vec<cxx::TemplateArg>> {
        self.expect("<")?;
        let outer = std::mem::replace(&mut self.angle, true);
        let args = self.deeper(|p| p.template_arg_list());
        self.angle = outer;
        let args = args?;
        if self.is(">=") {
            return self.fail("expected '>'");
        }
        self.expect(">")?;
        Ok(args)
    }

    pub(super) fn template_arg_list(&mut self) -> Parsed<Vec<cxx::TemplateArg>> {
        let mut args = Vec::new();
        while !self.is(">") {
            let start = self.at;
            let arg = self.template_arg()?;
            args.push(match self.eat("...") {
                true => {
                    let packs = self.packs_since(start);
                    cxx::TemplateArg::Expand(Box::new(arg), packs)
                }
                false => arg,
            });
            if !self.eat(",") {
                break;
            }
        }
        Ok(args)
    }

    pub(super) fn template_arg(&mut self) -> Parsed<cxx::TemplateArg> {
        let ends = |p: &Self| p.is(">") || p.is(",") || p.is("...") || p.is(">=");
        if self.type_ahead() {
            let ty = self.attempt(|p| {
                let ty = p.type_name()?;
                let is_template = p.tokens[p.at.saturating_sub(2)].text.as_ref() == "template";
                match ends(p) {
                    // Without `typename` it is an expression.
                    true if untyped(&ty.specs).is_none() || is_template => Ok(ty),
                    true => p.fail("expected 'typename'"),
                    false => p.fail("expected '>'"),
                }
            });
            if let Some(ty) = ty {
                return Ok(cxx::TemplateArg::Type(ty));
            }
        }
        let outer = std::mem::replace(&mut self.angle, true);
        let e = self.conditional();
        self.angle = outer;
        Ok(cxx::TemplateArg::Expr(e?))
    }

    /// What stands between commas, each with the packs that `...` behind it expands.
    pub(super) fn patterns<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<(T, Vec<Name>)>> {
        let mut patterns = Vec::new();
        loop {
            let start = self.at;
            let pattern = read(self)?;
            let packs = match self.eat("...") {
                true => self.packs_since(start),
                false => Vec::new(),
            };
            patterns.push((pattern, packs));
            if !self.eat(",") {
                return Ok(patterns);
            }
        }
    }

    /// The packs that tokens since `start` name, which are expanded.
    pub(super) fn packs_since(&mut self, start: usize) -> Vec<Name> {
        self.unexpanded.retain(|&token| token < start);
        let mut packs: Vec<Name> = Vec::new();
        for token in &self.tokens[start..self.at] {
            let is_pack = token.kind == TokenKind::Ident
                && matches!(self.names.find(&token.text), Some(Meaning::Pack(_)));
            if is_pack && !packs.contains(&token.text) {
                packs.push(token.text.clone());
            }
        }
        packs
    }

    // ------------------------------------------------------------ attributes

    // ------------------------------------------------------------ declarators

    pub(super) fn declarator(&mut self, naming: Naming) -> Parsed<Declarator> {
        self.deeper(|p| p.declarator_here(naming))
    }

    pub(super) fn declarator_here(&mut self, naming: Naming) -> Parsed<Declarator> {
        let mut result = Declarator {
            loc: self.loc(),
            ..Declarator::default()
        };
        let pointers = self.pointers()?;
        self.attributes(&mut result.attributes)?;
        if naming == Naming::Either && self.is("...") {
            self.next();
            self.param_is_pack = true;
        }
        let group = self.is("(")
            && match naming {
                Naming::Named => true,
                // `int (x)`: a parameter's name, unless it is a type.
                Naming::Either if self.nth_is_name(1) => {
                    let meaning = self.names.find(&self.ahead(1).text);
                    !meaning.is_some_and(Meaning::is_type)
                        && [")", "[", "("].iter().any(|t| self.nth_is(2, t))
                }
                _ => ["*", "&", "&&", "^", "("].iter().any(|t| self.nth_is(1, t)),
            };
        if group {
            let inner = self.parenthesised(|p| p.declarator(naming))?;
            result.name = inner.name;
            result.cxx = inner.cxx;
            result.loc = inner.loc;
            result.parts = inner.parts;
            result.attributes.extend(inner.attributes);
        } else {
            self.declarator_name(naming, &mut result)?;
        }
        self.suffixes(naming, &mut result)?;
        result.parts.extend(pointers.into_iter().rev());
        Ok(result)
    }

    /// `*`, `&` and their kin before a declarator's name, from the left.
    pub(super) fn pointers(&mut self) -> Parsed<Vec<DeclPart>> {
        let mut pointers = Vec::new();
        loop {
            if let Some(class) = self.pointed_class() {
                let (quals, _) = self.pointer_quals()?;
                pointers.push(DeclPart::Member(Box::new(class), quals));
                continue;
            }
            let sign = self.peek().clone();
            if sign.kind != TokenKind::Punct {
                break;
            }
            let part = match &*sign.text {
                "&" => DeclPart::Reference(false),
                "&&" => DeclPart::Reference(true),
                "*" | "^" => {
                    self.next();
                    let (quals, attributes) = self.pointer_quals()?;
                    pointers.push(match &*sign.text {
                        "^" => DeclPart::Block(quals),
                        _ => DeclPart::Pointer(quals, attributes),
                    });
                    continue;
                }
                _ => break,
            };
            self.next();
            pointers.push(part);
            if pointers.len() > super::MAX_DEPTH {
                return self.fail("too many pointers in a declarator");
            }
        }
        Ok(pointers)
    }

    /// The class of `class::*`, which is eaten.
    fn pointed_class(&mut self) -> Option<QName> {
        let begins =
            self.is("::") || self.is_name() && (self.nth_is(1, "::") || self.nth_is(1, "<"));
        if !begins {
            return None;
        }
        self.attempt(|p| {
            let (name, _) = p.qualified_name()?;
            p.expect("::")?;
            p.expect("*")?;
            Ok(name)
        })
    }

    /// What stands behind the `*` of a pointer.
    fn pointer_quals(&mut self) -> Parsed<(Quals, Vec<Attribute>)> {
        let mut quals = Quals::default();
        let mut attributes = Vec::new();
        loop {
            let token = self.peek().clone();
            if token.kind != TokenKind::Ident {
                break;
            }
            match self.word(&token.text) {
                CxxWord::Specifier(s)
                    if !matches!(
                        s,
                        Specifier::Storage(_) | Specifier::Function(_) | Specifier::Pipe
                    ) =>
                {
                    self.next();
                    self.qualifier(s, token.loc, &mut quals)?;
                }
                _ if self.is("__attribute__") || self.is("__attribute") => {
                    self.attributes(&mut attributes)?
                }
                _ => break,
            }
        }
        Ok((quals, attributes))
    }

    pub(super) fn declarator_name(&mut self, naming: Naming, out: &mut Declarator) -> Parsed<()> {
        let is_special = |p: &Self| p.is("operator") || p.is("~");
        if naming != Naming::Abstract && self.is_type_again() {
            out.loc = self.loc();
            out.name = Some(self.next().text);
            return Ok(());
        }
        let named = self.is_name() || is_special(self) || self.is("::");
        if naming == Naming::Abstract || !named {
            return match naming {
                Naming::Named => self.fail("expected unqualified-id"),
                _ => Ok(()),
            };
        }
        out.loc = self.loc();
        let mut scope = None;
        if !is_special(self) {
            let (mut name, _) = self.qualified_name()?;
            let more = self.is("::");
            if more {
                // The class of an operator or destructor.
                self.next();
                self.enter_scopes(&name);
                scope = Some(name);
            } else if let Some(last) = name.parts.pop() {
                if !name.parts.is_empty() {
                    self.enter_scopes(&name);
                    out.loc = last.loc;
                    scope = Some(name);
                }
                out.name = Some(last.name);
                if scope.is_some() || last.args.is_some() {
                    out.cxx = Some(Box::new(DeclaratorName {
                        scope,
                        conversion: None,
                        args: last.args,
                    }));
                }
                return Ok(());
            }
        }
        let mut conversion = None;
        out.loc = self.loc();
        let name = match self.eat("~") {
            true => format!("~{}", self.name()?),
            false => {
                self.expect("operator")?;
                match self.operator_name() {
                    Some(name) => name,
                    None => {
                        let loc = self.loc();
                        let specs = self.specifiers()?;
                        self.check_typename(&specs);
                        let mut declarator = Declarator::default();
                        while self.is("*") || self.is("&") {
                            let part = match self.next().text.as_ref() {
                                "*" => DeclPart::Pointer(Quals::default(), Vec::new()),
                                _ => DeclPart::Reference(false),
                            };
                            declarator.parts.insert(0, part);
                        }
                        conversion = Some(TypeName {
                            specs,
                            declarator,
                            loc,
                        });
                        "operator ".to_string()
                    }
                }
            }
        };
        out.name = Some(name.into());
        out.cxx = Some(Box::new(DeclaratorName {
            scope,
            conversion,
            args: None,
        }));
        Ok(())
    }

    /// `operator+` and so on, behind the word; `None` for conversions.
    pub(super) fn operator_name(&mut self) -> Option<String> {
        const OPERATORS: &[&str] = &[
            "+", "-", "*", "/", "%", "^", "&", "|", "~", "!", "=", "<", "+=", "-=", "*=", "/=",
            "%=", "^=", "&=", "|=", "<<", "<<=", "==", "!=", "<=", ">=", "&&", "||", "++", "--",
            ",", "->", ">",
        ];
        let text = self.peek().text.clone();
        if self.peek().kind == TokenKind::Ident && matches!(&*text, "new" | "delete") {
            self.next();
            let brackets = self.eat_brackets();
            return Some(format!(
                "operator {text}{}",
                if brackets { "[]" } else { "" }
            ));
        }
        if self.peek().kind == TokenKind::Str && &*text == "\"\"" && self.nth_is_name(1) {
            self.next();
            return Some(format!("operator\"\"{}", self.next().text));
        }
        if self.peek().kind != TokenKind::Punct {
            return None;
        }
        if &*text == "->" && self.nth_is(1, "*") {
            self.next();
            self.next();
            return Some("operator->*".into());
        }
        let pair = match &*text {
            "(" => Some(")"),
            "[" => Some("]"),
            _ => None,
        };
        if let Some(close) = pair {
            if !self.nth_is(1, close) {
                return None;
            }
            self.next();
            self.next();
            return Some(format!("operator{text}{close}"));
        }
        if &*text == ">" && !self.ahead(1).space_before {
            for (second, whole) in [(">", "operator>>"), (">=", "operator>>=")] {
                if self.nth_is(1, second) {
                    self.next();
                    self.next();
                    return Some(whole.into());
                }
            }
        }
        if !OPERATORS.contains(&&*text) {
            return None;
        }
        self.next();
        Some(format!("operator{text}"))
    }

    pub(super) fn meaning_of(&self, name: &QName) -> Option<Meaning> {
        let mut meaning = None;
        for (i, part) in name.parts.iter().enumerate() {
            meaning = self.meaning_in(meaning, i, name.global, &part.name);
        }
        meaning
    }

    /// What the part of this number of a name means, behind one with a meaning.
    fn meaning_in(
        &self,
        before: Option<Meaning>,
        number: usize,
        global: bool,
        part: &str,
    ) -> Option<Meaning> {
        match number {
            0 if !global => self.names.find(part),
            0 => self.names.find_in(0, part),
            _ => self.names.find_in(Tables::scope_of(before)?, part),
        }
    }

    /// Opens the scopes that stand before a name.
    pub(super) fn enter_scopes(&mut self, name: &QName) {
        let mut meaning = None;
        for (i, part) in name.parts.iter().enumerate() {
            meaning = self.meaning_in(meaning, i, name.global, &part.name);
            if let Some(scope) = Tables::scope_of(meaning) {
                self.names.enter(scope);
            }
        }
    }

    pub(super) fn suffixes(&mut self, naming: Naming, out: &mut Declarator) -> Parsed<()> {
        loop {
            if self.is("[") && !self.nth_is(1, "[") {
                self.next();
                let outer = std::mem::replace(&mut self.angle, false);
                let size = match self.is("]") {
                    true => None,
                    false => Some(Box::new(self.assignment()?)),
                };
                self.angle = outer;
                self.expect("]")?;
                out.parts.push(DeclPart::Array(size, Quals::default()));
            } else if self.is("(") {
                let part = match naming {
                    Naming::Named => self.attempt(|p| p.function_part()),
                    _ => Some(self.function_part()?),
                };
                match part {
                    Some(part) => out.parts.push(part),
                    None => return Ok(()),
                }
            } else if self.is("__attribute__") || self.is("__attribute") || self.is("[") {
                self.attributes(&mut out.attributes)?;
            } else {
                return Ok(());
            }
            if out.parts.len() > super::MAX_DEPTH {
                return self.fail("too many parts in a declarator");
            }
        }
    }

    /// `(parameters)` and what follows.
    pub(super) fn function_part(&mut self) -> Parsed<DeclPart> {
        let mark = self.names.mark();
        self.names.push();
        let part = self.function_part_here();
        self.names.leave_to(mark);
        part
    }

    pub(super) fn function_part_here(&mut self) -> Parsed<DeclPart> {
        let (params, variadic) = self.parameters()?;
        let tail = self.function_tail()?;
        Ok(DeclPart::Function {
            params,
            variadic,
            tail: Some(Box::new(tail)),
        })
    }

    pub(super) fn parameters(&mut self) -> Parsed<(Vec<Param>, bool)> {
        let (mut params, mut variadic) = (Vec::new(), false);
        self.expect("(")?;
        let outer = std::mem::replace(&mut self.angle, false);
        while !self.is(")") {
            if self.eat("...") {
                variadic = true;
                break;
            }
            if !(self.type_ahead() || self.is("[") && self.nth_is(1, "[")) {
                return self.fail("unknown type name");
            }
            params.push(self.parameter()?);
            if !self.eat(",") {
                break;
            }
        }
        self.angle = outer;
        self.expect(")")?;
        Ok((params, variadic))
    }

    pub(super) fn parameter(&mut self) -> Parsed<Param> {
        let start = self.at;
        let mut specs = self.specifiers()?;
        if specs.types.is_empty() {
            return self.fail("expected parameter declarator");
        }
        let autos = self.autos.as_ref().map_or(0, Vec::len);
        self.name_auto(&mut specs);
        let outer = std::mem::replace(&mut self.param_is_pack, false);
        let declarator = self.declarator(Naming::Either);
        let is_pack = std::mem::replace(&mut self.param_is_pack, outer);
        let declarator = declarator?;
        if is_pack {
            self.unexpanded.retain(|&token| token < start);
        }
        // `auto... name`: the parameter of the template is a pack, too.
        for auto in self.autos.iter_mut().flatten().skip(autos) {
            auto.is_pack = is_pack;
        }
        if let Some(name) = &declarator.name {
            let meaning = match is_pack {
                true => Meaning::Pack(Elements::Values),
                false => Meaning::Value,
            };
            self.names.declare(name.clone(), meaning);
        }
        let default = match self.eat("=") {
            true => Some(Box::new(match self.is("{") {
                true => self.list_expr()?,
                false => self.assignment()?,
            })),
            false => None,
        };
        Ok(Param {
            specs,
            declarator,
            default,
            is_pack,
        })
    }

    /// Gives the type of a generic lambda's parameter a name.
    pub(super) fn name_auto(&mut self, specs: &mut DeclSpecs) {
        let Some(autos) = &mut self.autos else {
            return;
        };
        for (ty, loc) in &mut specs.types {
            if !matches!(ty, TypeSpec::Cxx(cxx::TypeSpec::Auto)) {
                continue;
            }
            let name: Name = format!("auto:{}", autos.len()).into();
            autos.push(cxx::TemplateParam {
                name: Some(name.clone()),
                kind: cxx::ParamKind::Type,
                default: None,
                is_pack: false,
                loc: *loc,
            });
            *ty = TypeSpec::Cxx(cxx::TypeSpec::Named(QName::plain(name, *loc)));
        }
    }

    pub(super) fn function_tail(&mut self) -> Parsed<FunctionTail> {
        let mut tail = FunctionTail::default();
        loop {
            let token = self.peek().clone();
            match (token.kind, self.word(&token.text)) {
                (TokenKind::Ident, CxxWord::Specifier(s))
                    if !matches!(
                        s,
                        Specifier::Storage(_) | Specifier::Function(_) | Specifier::Pipe
                    ) =>
                {
                    self.next();
                    self.qualifier(s, token.loc, &mut tail.quals)?;
                    continue;
                }
                _ => {}
            }
            match &*token.text {
                "&" | "&&" => {
                    self.next();
                    tail.reference = Some(&*token.text == "&&");
                }
                "noexcept" => {
                    self.next();
                    let condition = match self.is("(") {
                        true => Some(self.parenthesised(Self::conditional)?),
                        false => None,
                    };
                    tail.noexcept = Some(condition);
                }
                "throw" if self.nth_is(1, "(") && self.nth_is(2, ")") => {
                    self.next();
                    self.next();
                    self.next();
                    tail.noexcept = Some(None);
                }
                "override" | "final" => {
                    self.next();
                }
                "->" => {
                    self.next();
                    tail.result = Some(self.type_name()?);
                }
                "=" if self.nth_is(1, "0") || self.ahead(1).text.as_ref() == "0" => {
                    self.next();
                    self.next();
                    tail.is_pure = true;
                }
                _ => return Ok(tail),
            }
        }
    }

    /// Whether a specifier is there.
    pub(super) fn has_storage(specs: &DeclSpecs, storage: Storage) -> bool {
        specs.storage.iter().any(|s| s.0 == storage)
    }
}
