//! Classes and enumerations.

use std::sync::Arc;

use super::super::ast::{Declarator, InitDeclarator, TypeName, TypeSpec};
use super::ast::{self as cxx, Access, Base, Class, ClassKey, Decl, Member, QName};
use super::declarator::Naming;
use super::names::Meaning;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// `class`, `struct` or `union` and what follows.
    pub(super) fn class_specifier(&mut self) -> Parsed<TypeSpec> {
        let template = self.template.take();
        let key = match &*self.next().text {
            "class" => ClassKey::Class,
            "struct" => ClassKey::Struct,
            _ => ClassKey::Union,
        };
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let loc = self.loc();
        let name = match self.is_name() || self.is("::") {
            true => Some(self.class_name()?),
            false => None,
        };
        self.attributes(&mut attributes)?;
        let is_final = self.eat("final");
        let defines = self.is("{") || self.is(":") && name.is_some() && self.has_bases();
        if !defines && name.is_none() {
            return self.fail("declaration of anonymous class must be a definition");
        }
        let scope = name.as_ref().map(|name| {
            let declares = defines || self.is(";") || template.is_some();
            self.declare_class(name, template, declares)
        });
        let mut class = Class {
            key,
            name,
            bases: Vec::new(),
            members: None,
            is_final,
            attributes,
            loc,
        };
        if defines {
            let scope = match scope.flatten() {
                Some(scope) => scope,
                None => self.names.new_scope(),
            };
            self.deeper(|p| p.class_body(&mut class, scope))?;
            self.attributes(&mut class.attributes)?;
            if class.name.is_none() && self.is(";") {
                // Its members are those of what is around it.
                self.names.link(self.names.innermost(), scope);
            }
        }
        Ok(TypeSpec::Cxx(cxx::TypeSpec::Class(Arc::new(class))))
    }

    /// The name of a class, which need not be declared.
    fn class_name(&mut self) -> Parsed<QName> {
        let known = self.attempt(|p| {
            let (name, meaning) = p.qualified_name()?;
            match meaning {
                Some(Meaning::Class(_) | Meaning::TypeTemplate(_) | Meaning::Type) => Ok(name),
                _ if name.parts.len() > 1 => Ok(name),
                _ => p.fail("not a class"),
            }
        });
        if let Some(name) = known {
            return Ok(name);
        }
        let loc = self.loc();
        Ok(QName::plain(self.name()?, loc))
    }

    /// A `:` begins bases, not a bit-field or a range.
    fn has_bases(&mut self) -> bool {
        let words = ["public", "private", "protected", "virtual"];
        words.iter().any(|w| self.nth_is(1, w)) || self.nth_is_name(1) || self.nth_is(1, "::")
    }

    /// The scope of the class that a specifier declares or means.
    fn declare_class(
        &mut self,
        name: &QName,
        template: Option<usize>,
        declares: bool,
    ) -> Option<usize> {
        let known = self.scope_named(name);
        let [part] = &name.parts[..] else {
            return known;
        };
        if part.args.is_some() {
            // A specialisation: names of the template are those of all.
            let scope = self.names.new_scope();
            if let Some(primary) = known {
                self.names.link(primary, scope);
            }
            return Some(scope);
        }
        let outer = template.unwrap_or_else(|| self.names.innermost());
        let here = match self.names.find_in(outer, &part.name) {
            Some(Meaning::Class(scope)) => Some(scope),
            Some(Meaning::TypeTemplate(scope)) => scope,
            _ => None,
        };
        if here.is_some() || (!declares && known.is_some()) {
            return here.or(known);
        }
        let scope = self.names.new_scope();
        let meaning = match template {
            Some(_) => Meaning::TypeTemplate(Some(scope)),
            None => Meaning::Class(scope),
        };
        self.names.declare_in(outer, part.name.clone(), meaning);
        Some(scope)
    }

    fn class_body(&mut self, class: &mut Class, scope: usize) -> Parsed<()> {
        let standard = match class.key {
            ClassKey::Class => Access::Private,
            _ => Access::Public,
        };
        if self.eat(":") {
            loop {
                let start = self.at;
                let base = self.base(standard)?;
                // Names are not looked for in one that depends on parameters.
                if !self.depends(start)
                    && let [(TypeSpec::Cxx(cxx::TypeSpec::Named(name)), _)] =
                        &base.name.specs.types[..]
                    && let Some(of) = self.scope_named(name)
                {
                    self.names.link(scope, of);
                }
                class.bases.push(base);
                if !self.eat(",") {
                    break;
                }
            }
        }
        self.expect("{")?;
        let mark = self.names.mark();
        if let Some(mut around) = class.name.clone() {
            around.parts.pop();
            self.enter_scopes(&around);
        }
        self.names.enter(scope);
        let name = class.name.as_ref().and_then(|n| n.parts.last());
        let name = name.map_or_else(|| "".into(), |part| part.name.clone());
        self.in_class.push(name);
        self.classes += 1;
        let outer = std::mem::replace(&mut self.angle, false);
        let members = self.members(standard);
        self.angle = outer;
        self.classes = self.classes.saturating_sub(1);
        self.in_class.pop();
        self.names.leave_to(mark);
        class.members = Some(members?);
        Ok(())
    }

    fn base(&mut self, standard: Access) -> Parsed<Base> {
        let mut access = standard;
        let (start, loc) = (self.at, self.loc());
        loop {
            match &*self.peek().text {
                "public" => access = Access::Public,
                "protected" => access = Access::Protected,
                "private" => access = Access::Private,
                "virtual" => {
                    let text = "virtual base classes are not supported in C++ for OpenCL";
                    self.sink.error(self.loc(), text);
                    self.forget();
                    continue;
                }
                _ => break,
            }
            self.next();
        }
        let name = TypeName {
            specs: self.specifiers()?,
            declarator: Declarator::default(),
            loc,
        };
        if name.specs.types.is_empty() {
            return self.fail("expected class name");
        }
        let expand = self.eat("...").then(|| self.packs_since(start));
        Ok(Base {
            name,
            access,
            expand,
            loc,
        })
    }

    fn members(&mut self, mut access: Access) -> Parsed<Vec<Member>> {
        let mut members = Vec::new();
        let (classes, in_class) = (self.classes, self.in_class.clone());
        let mark = self.names.mark();
        while !self.eat("}") {
            if self.ended() {
                return self.fail("expected '}'");
            }
            if self.sink.stopped() {
                break;
            }
            let label = match &*self.peek().text {
                "public" => Some(Access::Public),
                "protected" => Some(Access::Protected),
                "private" => Some(Access::Private),
                _ => None,
            };
            if let Some(label) = label.filter(|_| self.nth_is(1, ":")) {
                self.next();
                self.next();
                access = label;
                continue;
            }
            let start = self.at;
            let decl = self.member();
            self.names.leave_to(mark);
            match decl {
                Ok(decl) => members.push(Member { access, decl }),
                Err(failure) => {
                    self.report(*failure);
                    self.classes = classes;
                    self.in_class = in_class.clone();
                    self.angle = false;
                    self.template = None;
                    self.recover(start, false);
                }
            }
        }
        Ok(members)
    }

    fn member(&mut self) -> Parsed<Decl> {
        if self.eat(";") || self.pragma().is_some() {
            return Ok(Decl::Nothing);
        }
        match &*self.peek().text.clone() {
            "using" => self.using(),
            "template" => self.template(),
            "static_assert" | "_Static_assert" => self.static_assert().map(Decl::StaticAssert),
            "friend" if self.friend_class_ahead() => self.friend_class(),
            _ => self.simple(),
        }
    }

    pub(super) fn friend_class_ahead(&mut self) -> bool {
        self.is("friend") && (self.nth_is(1, "class") || self.nth_is(1, "struct"))
    }

    pub(super) fn friend_class(&mut self) -> Parsed<Decl> {
        self.next();
        let key = self.next().text;
        let (name, loc) = (self.class_name()?, self.loc());
        self.expect_semicolon("after friend declaration")?;
        Ok(self.friend(name, key == "class".into(), loc))
    }

    /// `friend class a;` is a declaration with that specifier.
    fn friend(&mut self, name: QName, is_class: bool, loc: crate::source::SourceLoc) -> Decl {
        use super::super::ast::{DeclSpecs, Declaration, FunctionSpec};
        let class = Class {
            key: if is_class {
                ClassKey::Class
            } else {
                ClassKey::Struct
            },
            name: Some(name),
            bases: Vec::new(),
            members: None,
            is_final: false,
            attributes: Vec::new(),
            loc,
        };
        let specs = DeclSpecs {
            types: vec![(TypeSpec::Cxx(cxx::TypeSpec::Class(Arc::new(class))), loc)],
            functions: vec![(FunctionSpec::Friend, loc)],
            loc,
            ..DeclSpecs::default()
        };
        Decl::Simple(Arc::new(Declaration {
            specs,
            declarators: Vec::new(),
            loc,
        }))
    }

    /// `enum`, and what follows.
    pub(super) fn enum_specifier(&mut self) -> Parsed<TypeSpec> {
        self.next();
        let scoped = self.eat("class") || self.eat("struct");
        self.attributes(&mut Vec::new())?;
        let loc = self.loc();
        let name = match self.is_name() {
            true => Some(self.class_name()?),
            false => None,
        };
        let mut underlying = None;
        if self.is(":") && !self.in_range {
            self.next();
            let loc = self.loc();
            underlying = Some(TypeName {
                specs: self.specifiers()?,
                declarator: Declarator::default(),
                loc,
            });
        }
        let mut items = None;
        let scope = self.names.new_scope();
        if let Some(QName { parts, .. }) = &name
            && let [only] = &parts[..]
            && (self.is("{") || self.is(";"))
        {
            self.names.declare(only.name.clone(), Meaning::Class(scope));
        }
        if self.eat("{") {
            let outer = std::mem::replace(&mut self.angle, false);
            let mut list = Vec::new();
            while !self.is("}") {
                let at = self.loc();
                let item = self.name()?;
                self.names.declare_in(scope, item.clone(), Meaning::Value);
                if !scoped {
                    self.names.declare(item.clone(), Meaning::Value);
                }
                self.attributes(&mut Vec::new())?;
                let value = match self.eat("=") {
                    true => Some(self.conditional()?),
                    false => None,
                };
                list.push((item, value, at));
                if !self.eat(",") {
                    break;
                }
            }
            self.angle = outer;
            self.expect("}")?;
            items = Some(list);
        }
        Ok(TypeSpec::Cxx(cxx::TypeSpec::Enum(Arc::new(cxx::Enum {
            name,
            scoped,
            underlying,
            items,
            loc,
        }))))
    }

    /// A declaration in a condition: one declarator with an initialiser.
    pub(super) fn condition_declaration(&mut self) -> Parsed<Arc<super::super::ast::Declaration>> {
        let loc = self.loc();
        let specs = self.specifiers()?;
        let declarator = self.declarator(Naming::Named)?;
        if let Some(name) = &declarator.name {
            self.names.declare(name.clone(), Meaning::Value);
        }
        if specs.types.is_empty() || !(self.is("=") || self.is("{")) {
            return self.fail("variable declaration in condition must have an initializer");
        }
        let init = self.initializer()?;
        Ok(Arc::new(super::super::ast::Declaration {
            specs,
            declarators: vec![InitDeclarator { declarator, init }],
            loc,
        }))
    }
}
