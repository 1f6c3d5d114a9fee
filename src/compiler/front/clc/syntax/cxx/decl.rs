//! Declarations: namespaces, using, templates, linkage, functions, variables.

use super::super::ast::{
    DeclPart, DeclSpecs, Declaration, Declarator, Expr, ExprKind, FunctionSpec, InitDeclarator,
    Initializer, StaticAssert, Storage, TypeSpec,
};
use super::ast::{self as cxx, Bindings, Body, BodyKind, Decl, Function, MemberInit, QName};
use super::declarator::Naming;
use super::names::{Elements, Meaning};
use super::{Delayed, Parsed, Parser};
use crate::front::clc::pp::TokenKind;
use crate::source::SourceLoc;
use std::sync::{Arc, OnceLock};

impl Parser<'_> {
    /// A declaration at namespace scope.
    pub(super) fn declaration(&mut self) -> Parsed<Decl> {
        self.deeper(|p| {
            let mark = p.names.mark();
            let decl = p.declaration_here();
            p.names.leave_to(mark);
            decl
        })
    }

    pub(super) fn declaration_here(&mut self) -> Parsed<Decl> {
        if self.eat(";") {
            return Ok(Decl::Nothing);
        }
        if self.pragma().is_some() {
            return Ok(Decl::Nothing);
        }
        if self.is("}") {
            return self.fail("extraneous closing brace ('}')");
        }
        while self.eat("__extension__") {}
        if self.is("extern") && self.ahead(1).kind == TokenKind::Str {
            return self.linkage();
        }
        if self.is("extern") && self.nth_is(1, "template") {
            // What is used is instantiated anyway.
            self.next();
            return self.template().map(|_| Decl::Nothing);
        }
        if self.is("inline") && self.nth_is(1, "namespace") {
            self.next();
            return self.namespace(true);
        }
        if self.peek().kind == TokenKind::Ident {
            match &*self.peek().text.clone() {
                "namespace" => return self.namespace(false),
                "template" => return self.template(),
                _ => {}
            }
        }
        self.block_declaration()
    }

    /// A declaration that may stand in a function, too.
    pub(super) fn block_declaration(&mut self) -> Parsed<Decl> {
        let mark = self.names.mark();
        let decl = self.block_declaration_here();
        self.names.leave_to(mark);
        decl
    }

    pub(super) fn block_declaration_here(&mut self) -> Parsed<Decl> {
        match &*self.peek().text.clone() {
            "using" => self.using(),
            "static_assert" | "_Static_assert" => {
                let assert = self.static_assert()?;
                Ok(Decl::StaticAssert(assert))
            }
            "namespace" => self.namespace(false),
            super::BUILTINS if self.nth_is_name(1) => self.builtins(),
            "template" => self.fail("templates can only be declared in namespace or class scope"),
            _ => self.simple(),
        }
    }

    /// `__opencl_c a, b;`
    fn builtins(&mut self) -> Parsed<Decl> {
        self.next();
        let mut names = Vec::new();
        loop {
            let loc = self.loc();
            names.push((self.name()?, loc));
            if !self.eat(",") {
                break;
            }
        }
        self.expect_semicolon("after names of functions")?;
        Ok(Decl::Builtins(names))
    }

    pub(super) fn linkage(&mut self) -> Parsed<Decl> {
        self.next();
        let token = self.next();
        let is_c = match &*token.text {
            "\"C\"" => true,
            "\"C++\"" => false,
            _ => return self.fail_at(token.loc, "unknown linkage language"),
        };
        let items = match self.eat("{") {
            true => self.declarations()?,
            false => vec![self.declaration()?],
        };
        Ok(Decl::Linkage(items, is_c))
    }

    /// Declarations up to a closing brace, which is eaten.
    pub(super) fn declarations(&mut self) -> Parsed<Vec<Decl>> {
        let mut items = Vec::new();
        let mark = self.names.mark();
        while !self.eat("}") {
            if self.ended() {
                return self.fail("expected '}'");
            }
            if self.sink.stopped() {
                break;
            }
            let start = self.at;
            match self.declaration() {
                Ok(decl) => items.push(decl),
                Err(failure) => {
                    self.report(*failure);
                    self.angle = false;
                    self.template = None;
                    self.in_class.clear();
                    self.classes = 0;
                    self.names.leave_to(mark);
                    self.recover(start, false);
                }
            }
            self.read_delayed();
        }
        Ok(items)
    }

    pub(super) fn namespace(&mut self, inline: bool) -> Parsed<Decl> {
        let loc = self.expect("namespace")?;
        let mut names = Vec::new();
        self.attributes(&mut Vec::new())?;
        while self.is_name() {
            names.push(self.name()?);
            if !self.eat("::") {
                break;
            }
            self.eat("inline");
        }
        self.attributes(&mut Vec::new())?;
        if let [name] = &names[..]
            && self.eat("=")
        {
            let (target, meaning) = self.qualified_name()?;
            if let Some(meaning) = meaning {
                self.names.declare(name.clone(), meaning);
            }
            self.expect_semicolon("after namespace name")?;
            return Ok(Decl::NamespaceAlias(name.clone(), target));
        }
        self.expect("{")?;
        let mark = self.names.mark();
        if names.is_empty() {
            self.open_namespace(None, true);
        }
        for name in &names {
            self.open_namespace(Some(name), inline);
        }
        let items = self.declarations();
        self.names.leave_to(mark);
        let mut items = items?;
        let mut decl = None;
        for name in names.into_iter().rev() {
            items = match decl.take() {
                Some(inner) => vec![inner],
                None => std::mem::take(&mut items),
            };
            decl = Some(Decl::Namespace {
                name: Some(name),
                inline,
                items: std::mem::take(&mut items),
                loc,
            });
        }
        Ok(decl.unwrap_or(Decl::Namespace {
            name: None,
            inline: true,
            items,
            loc,
        }))
    }

    pub(super) fn open_namespace(&mut self, name: Option<&super::Name>, inline: bool) {
        let outer = self.names.innermost();
        let known = name.and_then(|name| self.names.find_in(outer, name));
        let scope = match (known, name) {
            (Some(Meaning::Namespace(scope)), _) => scope,
            (_, name) => {
                let scope = self.names.new_scope();
                if let Some(name) = name {
                    self.names.declare(name.clone(), Meaning::Namespace(scope));
                }
                scope
            }
        };
        if inline {
            self.names.link(outer, scope);
        }
        self.names.enter(scope);
    }

    pub(super) fn using(&mut self) -> Parsed<Decl> {
        self.expect("using")?;
        if self.eat("namespace") {
            let (name, meaning) = self.qualified_name()?;
            if let Some(Meaning::Namespace(scope)) = meaning {
                let here = self.names.innermost();
                self.names.link(here, scope);
            }
            self.expect_semicolon("after namespace name")?;
            return Ok(Decl::UsingNamespace(name));
        }
        let again = self.is_type_again();
        if (self.is_name() || again) && (self.nth_is(1, "=") || self.nth_is(1, "[")) {
            let name = match again {
                true => self.next().text,
                false => self.name()?,
            };
            self.attributes(&mut Vec::new())?;
            self.expect("=")?;
            let start = self.at;
            let ty = self.type_name()?;
            self.expect_semicolon("after alias declaration")?;
            let scope = self.class_of(&ty);
            match self.template.take() {
                Some(outer) => {
                    let meaning = Meaning::TypeTemplate(scope);
                    self.names.declare_in(outer, name.clone(), meaning);
                }
                None => {
                    let meaning = scope.map_or(Meaning::Type, Meaning::Class);
                    match self.depends(start) {
                        true => self.names.declare_dependent(name.clone(), meaning),
                        false => self.names.declare(name.clone(), meaning),
                    }
                }
            }
            return Ok(Decl::Alias(name, ty));
        }
        if self.is("::") && self.nth_is_type(1) {
            // `using ::size_t;`
            let ty = self.type_name()?;
            let word = self.tokens[self.at - 1].text.clone();
            self.expect_semicolon("after using declaration")?;
            return Ok(Decl::Alias(word, ty));
        }
        let names = self.patterns(Self::used_name)?;
        self.expect_semicolon("after using declaration")?;
        Ok(Decl::Using(names))
    }

    /// A name that a using-declaration takes over.
    fn used_name(&mut self) -> Parsed<QName> {
        self.eat("typename");
        let mark = self.names.mark();
        let (mut name, meaning) = self.qualified_name()?;
        if self.eat("::") {
            // An operator.
            let loc = self.loc();
            self.expect("operator")?;
            match self.operator_name() {
                Some(operator) => name.parts.push(cxx::NamePart {
                    name: operator.into(),
                    args: None,
                    loc,
                }),
                None => return self.fail("expected an operator"),
            }
        }
        self.names.leave_to(mark);
        if let (Some(meaning), Some(last)) = (meaning, name.parts.last()) {
            self.names.declare(last.name.clone(), meaning);
        }
        Ok(name)
    }

    /// The scope of the class that a type is, if that is known.
    pub(super) fn class_of(&self, ty: &super::super::ast::TypeName) -> Option<usize> {
        if !ty.declarator.parts.is_empty() {
            return None;
        }
        match &ty.specs.types[..] {
            [(TypeSpec::Cxx(cxx::TypeSpec::Named(name)), _)] => self.scope_named(name),
            _ => None,
        }
    }

    pub(super) fn scope_named(&self, name: &QName) -> Option<usize> {
        match self.meaning_of(name)? {
            Meaning::Class(scope) => Some(scope),
            Meaning::TypeTemplate(scope) => scope,
            _ => None,
        }
    }

    pub(super) fn static_assert(&mut self) -> Parsed<StaticAssert> {
        let loc = self.loc();
        self.next();
        self.expect("(")?;
        let condition = self.conditional()?;
        let mut message = Vec::new();
        if self.eat(",") {
            while self.peek().kind == TokenKind::Str {
                message.push(self.next().text);
            }
            if message.is_empty() {
                return self.fail("expected string literal");
            }
        }
        self.expect(")")?;
        self.expect_semicolon("after 'static_assert'")?;
        Ok(StaticAssert {
            condition,
            message,
            loc,
        })
    }

    // ------------------------------------------------------------ templates

    // ------------------------------------------------------------ functions and variables

    /// Specifiers and declarators, or a function with its body.
    pub(super) fn simple(&mut self) -> Parsed<Decl> {
        let template = self.template.take();
        let (loc, start) = (self.loc(), self.at);
        let mut specs = {
            self.template = template;
            let specs = self.specifiers();
            self.template = None;
            specs?
        };
        if self.in_block && self.in_class.is_empty() {
            self.check_typename(&specs);
        }
        self.check_known(&specs);
        if self.is(";") {
            self.next();
            return Ok(Decl::Simple(Arc::new(Declaration {
                specs,
                declarators: Vec::new(),
                loc,
            })));
        }
        if let Some(bindings) = self.bindings(&mut specs, loc)? {
            return Ok(bindings);
        }
        let is_friend = specs.functions.iter().any(|f| f.0 == FunctionSpec::Friend);
        let mut declarators = Vec::new();
        loop {
            let mark = self.names.mark();
            let declarator = self.declarator(Naming::Named)?;
            if specs.types.is_empty() && !self.needs_no_type(&declarator) {
                return match self.in_class.is_empty() {
                    _ if self.is_name() => {
                        let name = declarator.name.as_deref().unwrap_or_default();
                        self.fail_at(declarator.loc, format!("unknown type name '{name}'"))
                    }
                    _ => self.fail_at(loc, "a type specifier is required for all declarations"),
                };
            }
            let is_function = matches!(declarator.parts.first(), Some(DeclPart::Function { .. }));
            if let Some(DeclPart::Function { params, .. }) = declarator.parts.first()
                && self.in_class.is_empty()
                && declarator.cxx.as_ref().is_none_or(|c| c.scope.is_none())
            {
                params
                    .iter()
                    .for_each(|param| self.check_typename(&param.specs));
            }
            self.declare_name(&specs, &declarator, template, is_function, mark, is_friend);
            if is_function && declarators.is_empty() && self.begins_body() {
                self.check_expanded(start)?;
                return self.function(specs, declarator, loc);
            }
            if self.is("asm") || self.is("__asm__") {
                return self.fail("inline assembly is not supported in OpenCL");
            }
            let init = self.initializer()?;
            // The body of a class sees names of the class that a declarator names; what follows does not.
            self.names.leave_to(mark);
            declarators.push(InitDeclarator { declarator, init });
            if !self.eat(",") {
                break;
            }
        }
        let what = match self.in_class.is_empty() {
            true if self.names.mark() > 1 => "at end of declaration",
            true => "after top level declarator",
            false => "at end of declaration list",
        };
        self.expect_semicolon(what)?;
        self.check_expanded(start)?;
        Ok(Decl::Simple(Arc::new(Declaration {
            specs,
            declarators,
            loc,
        })))
    }

    /// Constructors, destructors and conversions.
    pub(super) fn needs_no_type(&self, declarator: &Declarator) -> bool {
        let name = declarator.name.as_deref().unwrap_or_default();
        let cxx = declarator.cxx.as_deref();
        let of = cxx.and_then(|c| c.scope.as_ref()?.parts.last().map(|p| &*p.name));
        name.starts_with('~')
            || cxx.is_some_and(|c| c.conversion.is_some())
            || of == Some(name)
            || self.in_class.last().is_some_and(|class| &**class == name)
    }

    pub(super) fn declare_name(
        &mut self,
        specs: &DeclSpecs,
        declarator: &Declarator,
        template: Option<usize>,
        is_function: bool,
        mark: usize,
        is_friend: bool,
    ) {
        let qualified = declarator.cxx.as_deref().is_some_and(|c| c.scope.is_some());
        // A constructor does not hide its class.
        let constructs =
            declarator.name.is_some() && declarator.name.as_ref() == self.in_class.last();
        let Some(name) = declarator
            .name
            .clone()
            .filter(|_| !qualified && !constructs)
        else {
            return;
        };
        let meaning = match template {
            _ if Self::has_storage(specs, Storage::Typedef) => Meaning::Type,
            Some(_) if is_function || declarator.cxx.is_none() => Meaning::FunctionTemplate,
            _ => Meaning::Value,
        };
        if template.is_some() && !self.in_class.is_empty() {
            self.names.member_templates.insert(name.clone());
        }
        let scope = match (template, is_friend) {
            (Some(outer), _) => outer,
            _ => {
                // Not into the scope that the declarator has opened.
                let open = self.names.open_scopes();
                open[mark - 1]
            }
        };
        let meaning = match (meaning, &specs.types[..]) {
            (Meaning::Type, [(TypeSpec::Cxx(cxx::TypeSpec::Named(named)), _)])
                if declarator.parts.is_empty() =>
            {
                self.scope_named(named).map_or(meaning, Meaning::Class)
            }
            _ => meaning,
        };
        self.names.declare_in(scope, name, meaning);
    }

    pub(super) fn begins_body(&self) -> bool {
        self.is("{")
            || self.is(":")
            || self.is("try")
            || self.is("=") && (self.nth_is(1, "default") || self.nth_is(1, "delete"))
    }

    pub(super) fn function(
        &mut self,
        specs: DeclSpecs,
        declarator: Declarator,
        loc: SourceLoc,
    ) -> Parsed<Decl> {
        let function = Arc::new(Function {
            specs,
            declarator,
            body: OnceLock::new(),
            loc,
        });
        if self.classes > 0 {
            self.delayed.push(Delayed {
                at: self.at,
                scopes: self.names.open_scopes(),
                function: function.clone(),
            });
            self.skip_body()?;
        } else {
            let body = self.function_body(&function.declarator)?;
            let _ = function.body.set(body);
        }
        Ok(Decl::Function(function))
    }

    /// Goes behind a function's body, and what stands before it.
    pub(super) fn skip_body(&mut self) -> Parsed<()> {
        if self.is("=") {
            while !self.ended() && !self.is(";") {
                self.next();
            }
            self.next();
            return Ok(());
        }
        if self.eat(":") {
            loop {
                while !self.ended() && !self.is("(") && !self.is("{") {
                    match self.is("<") && self.attempt(|p| p.template_args()).is_some() {
                        true => {}
                        false => {
                            self.next();
                        }
                    }
                }
                self.skip();
                self.eat("...");
                if !self.eat(",") {
                    break;
                }
            }
        }
        if !self.is("{") {
            return self.fail("expected '{'");
        }
        self.skip();
        Ok(())
    }

    /// Initialisers of a constructor, and a body.
    pub(super) fn function_body(&mut self, declarator: &Declarator) -> Parsed<Body> {
        let mark = self.names.mark();
        self.names.push();
        let classes = std::mem::replace(&mut self.classes, 0);
        let in_class = std::mem::take(&mut self.in_class);
        if let Some(DeclPart::Function { params, .. }) = declarator.parts.first() {
            for param in params {
                if let Some(name) = &param.declarator.name {
                    let meaning = match param.is_pack {
                        true => Meaning::Pack(Elements::Values),
                        false => Meaning::Value,
                    };
                    self.names.declare(name.clone(), meaning);
                }
            }
        }
        let body = self.function_body_here();
        self.classes = classes;
        self.in_class = in_class;
        self.names.leave_to(mark);
        body
    }

    pub(super) fn function_body_here(&mut self) -> Parsed<Body> {
        let mut inits = Vec::new();
        let start = self.at;
        if self.eat("=") {
            let kind = match &*self.next().text {
                "default" => BodyKind::Default,
                _ => BodyKind::Delete,
            };
            self.expect_semicolon("after function definition")?;
            return Ok(Body { inits, kind });
        }
        if self.is("try") {
            return self.fail("cannot use 'try' with exceptions disabled");
        }
        if self.eat(":") {
            loop {
                inits.push(self.member_init()?);
                if !self.eat(",") {
                    break;
                }
            }
        }
        self.check_expanded(start)?;
        let kind = BodyKind::Block(self.block()?);
        Ok(Body { inits, kind })
    }

    pub(super) fn member_init(&mut self) -> Parsed<MemberInit> {
        let (loc, start) = (self.loc(), self.at);
        let (name, _) = self.qualified_name()?;
        let init = match self.is("{") {
            true => self.list()?,
            false => {
                let at = self.loc();
                let args = self.arguments()?;
                Initializer::Expr(Expr {
                    kind: ExprKind::Cxx(Box::new(cxx::Expr::Arguments(args))),
                    loc: at,
                })
            }
        };
        let expand = self.eat("...").then(|| self.packs_since(start));
        Ok(MemberInit {
            name,
            init,
            expand,
            loc,
        })
    }

    /// What initialises a variable, if anything does.
    pub(super) fn initializer(&mut self) -> Parsed<Option<Initializer>> {
        let loc = self.loc();
        if self.is("(") {
            let args = self.arguments()?;
            let kind = ExprKind::Cxx(Box::new(cxx::Expr::Arguments(args)));
            return Ok(Some(Initializer::Expr(Expr { kind, loc })));
        }
        if self.is("{") {
            return Ok(Some(self.list()?));
        }
        if !self.eat("=") {
            return Ok(None);
        }
        Ok(Some(match self.is("{") {
            true => self.list()?,
            false => Initializer::Expr(self.assignment()?),
        }))
    }

    /// `auto [a, b] = e;`
    pub(super) fn bindings(
        &mut self,
        specs: &mut DeclSpecs,
        loc: SourceLoc,
    ) -> Parsed<Option<Decl>> {
        let is_auto = matches!(specs.types[..], [(TypeSpec::Cxx(cxx::TypeSpec::Auto), _)]);
        let at = usize::from(self.is("&") || self.is("&&"));
        if !is_auto || !self.nth_is(at, "[") {
            return Ok(None);
        }
        let reference = match at {
            0 => None,
            _ => Some(&*self.next().text == "&&"),
        };
        self.expect("[")?;
        let mut names = Vec::new();
        loop {
            let at = self.loc();
            let name = self.name()?;
            self.names.declare(name.clone(), Meaning::Value);
            names.push((name, at));
            if !self.eat(",") {
                break;
            }
        }
        self.expect("]")?;
        let init = if self.is(":") {
            // Of a range-based for: the loop supplies it.
            Expr {
                kind: ExprKind::Error,
                loc,
            }
        } else if self.is("=") {
            self.next();
            let e = self.assignment()?;
            self.expect_semicolon("at end of declaration")?;
            e
        } else {
            let mut list = match self.is("(") {
                true => self.arguments()?,
                false => {
                    self.expect("{")?;
                    let e = self.assignment()?;
                    self.expect("}")?;
                    vec![e]
                }
            };
            self.expect_semicolon("at end of declaration")?;
            match list.pop() {
                Some(e) if list.is_empty() => e,
                _ => return self.fail_at(loc, "initializer for a structured binding declaration must contain a single expression"),
            }
        };
        Ok(Some(Decl::Bindings(Arc::new(Bindings {
            specs: std::mem::take(specs),
            reference,
            names,
            init,
            loc,
        }))))
    }
}
