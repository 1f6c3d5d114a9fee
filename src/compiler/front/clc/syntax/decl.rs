//! Declarations: specifiers, declarators, records, initialisers, attributes.

use super::ast::*;
use super::keywords::{self, Specifier, Word};
use super::{Builder, Node, Rule};

impl Builder<'_> {
    pub fn external(&mut self, node: Node) -> Option<External> {
        let loc = self.loc(&node);
        let mut specs = DeclSpecs {
            loc,
            ..DeclSpecs::default()
        };
        let mut declarators = Vec::new();
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::static_assertion => {
                    return Some(External::StaticAssert(self.static_assertion(child)));
                }
                Rule::file_asm => {
                    self.sink.error(loc, "'asm' is not supported in OpenCL C");
                    return None;
                }
                Rule::specifiers => specs = self.specifiers(child),
                Rule::init_declarator => declarators.push(self.init_declarator(child)),
                Rule::block => {
                    let at = self.index(&child);
                    let body = self.block(child);
                    let InitDeclarator { declarator, init } = declarators.pop()?;
                    if init.is_some() {
                        let loc = self.chunk.behind(at);
                        self.sink
                            .error(loc, "expected ';' after top level declarator");
                        return None;
                    }
                    return Some(External::Function(FunctionDef {
                        specs,
                        declarator,
                        body,
                    }));
                }
                Rule::external_end => {}
                _ => self.unexpected(&child),
            }
        }
        deduce(&mut specs, &declarators);
        let is_empty = declarators.is_empty() && specs.types.is_empty();
        (!is_empty).then_some(External::Declaration(Declaration {
            specs,
            declarators,
            loc,
        }))
    }

    pub fn static_assertion(&mut self, node: Node) -> StaticAssert {
        let loc = self.loc(&node);
        let mut condition = None;
        let mut message = Vec::new();
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::assignment => condition = Some(self.assignment(child)),
                Rule::string => message = self.string(&child),
                _ => {}
            }
        }
        StaticAssert {
            condition: self.required(condition, loc),
            message,
            loc,
        }
    }

    pub fn declaration(&mut self, node: Node) -> Declaration {
        let loc = self.loc(&node);
        let mut specs = DeclSpecs::default();
        let mut declarators = Vec::new();
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::specifiers => specs = self.specifiers(child),
                Rule::init_declarator => declarators.push(self.init_declarator(child)),
                Rule::declaration_end => {}
                _ => self.unexpected(&child),
            }
        }
        deduce(&mut specs, &declarators);
        Declaration {
            specs,
            declarators,
            loc,
        }
    }

    fn init_declarator(&mut self, node: Node) -> InitDeclarator {
        let mut declarator = Declarator::default();
        let mut init = None;
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::declarator => declarator = self.declarator(child),
                Rule::attribute => self.attributes(child, &mut declarator.attributes),
                Rule::asm_label => {
                    let loc = self.loc(&child);
                    self.sink.error(loc, "'asm' is not supported in OpenCL C");
                }
                Rule::initializer_list | Rule::assignment => init = Some(self.initializer(child)),
                _ => self.unexpected(&child),
            }
        }
        InitDeclarator { declarator, init }
    }

    // ------------------------------------------------------------ specifiers

    pub fn specifiers(&mut self, node: Node) -> DeclSpecs {
        let mut specs = DeclSpecs {
            loc: self.loc(&node),
            ..DeclSpecs::default()
        };
        for child in node.into_inner() {
            let loc = self.loc(&child);
            let index = self.index(&child);
            let ty = match child.as_rule() {
                Rule::word => {
                    self.specifier_word(&child, &mut specs);
                    continue;
                }
                Rule::attribute => {
                    self.attributes(child, &mut specs.attributes);
                    continue;
                }
                Rule::alignas => {
                    let aligned = self.alignas(child);
                    specs.attributes.push(aligned);
                    continue;
                }
                Rule::extension => continue,
                Rule::builtin_type => self.builtin_type(&child),
                Rule::typedef_name => TypeSpec::Typedef(self.name(&child)),
                Rule::record => TypeSpec::Record(self.record(child)),
                Rule::enumeration => TypeSpec::Enum(self.enumeration(child)),
                Rule::atomic_type | Rule::type_of => self.type_operator(child),
                _ => {
                    self.unexpected(&child);
                    continue;
                }
            };
            let word = match specs.types.last() {
                Some((TypeSpec::Record(r), _)) if r.fields.is_some() => match r.is_union {
                    true => "union",
                    false => "struct",
                },
                Some((TypeSpec::Enum(e), _)) if e.items.is_some() => "enum",
                _ => "",
            };
            if !word.is_empty() {
                let loc = self.chunk.behind(index);
                self.sink.error(loc, format!("expected ';' after {word}"));
                specs.types.pop();
            }
            specs.types.push((ty, loc));
        }
        specs
    }

    /// A name that `marks` took for a type without knowing it stands for `int`.
    fn builtin_type(&self, node: &Node) -> TypeSpec {
        let name = self.name(node);
        TypeSpec::Builtin(match keywords::lookup(&name) {
            Word::Type { .. } => match keywords::canonical_type(&name) {
                canonical if canonical == &*name => name,
                canonical => Name::from(canonical),
            },
            _ => Name::from("int"),
        })
    }

    fn specifier_word(&mut self, node: &Node, specs: &mut DeclSpecs) {
        let loc = self.loc(node);
        match keywords::specifier(node.as_str()) {
            Some(Specifier::Storage(storage)) => specs.storage.push((storage, loc)),
            Some(Specifier::Function(function)) => specs.functions.push((function, loc)),
            Some(Specifier::Pipe) => {
                specs.types.push((TypeSpec::Builtin(self.name(node)), loc));
            }
            Some(_) => {
                self.qualifier(node, &mut specs.quals);
            }
            None => self.unexpected(node),
        }
    }

    /// Adds a qualifier; `false` if the word is none.
    fn qualifier(&mut self, node: &Node, quals: &mut Quals) -> bool {
        let loc = self.loc(node);
        match keywords::specifier(node.as_str()) {
            Some(Specifier::Const) => quals.is_const = true,
            Some(Specifier::Volatile) => quals.is_volatile = true,
            Some(Specifier::Restrict) => quals.is_restrict = true,
            Some(Specifier::Atomic) => quals.is_atomic = true,
            Some(Specifier::Space(space)) => quals.spaces.push((space, loc)),
            Some(Specifier::Access(access)) => {
                if quals.access.is_some_and(|(other, _)| other != access) {
                    self.sink.error(loc, "multiple access qualifiers");
                }
                quals.access = Some((access, loc));
            }
            _ => return false,
        }
        true
    }

    /// `_Atomic(type)`, `typeof(type)`, `typeof(expression)`
    fn type_operator(&mut self, node: Node) -> TypeSpec {
        let is_atomic = node.as_rule() == Rule::atomic_type;
        let loc = self.loc(&node);
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::type_name if is_atomic => {
                    return TypeSpec::Atomic(Box::new(self.type_name(child)));
                }
                Rule::type_name => return TypeSpec::TypeofType(Box::new(self.type_name(child))),
                Rule::expression => {
                    return TypeSpec::TypeofExpr(Box::new(self.expression(child)));
                }
                _ => {}
            }
        }
        TypeSpec::TypeofExpr(Box::new(self.required(None, loc)))
    }

    /// `_Alignas` is the attribute under another name.
    fn alignas(&mut self, node: Node) -> Attribute {
        let loc = self.loc(&node);
        let text = self.source(&node);
        let args = node.into_inner().filter_map(|c| self.attribute_arg(c));
        Attribute {
            name: Name::from("aligned"),
            args: args.collect(),
            text,
            loc,
        }
    }

    fn record(&mut self, node: Node) -> Record {
        let mut record = Record {
            is_union: false,
            tag: None,
            fields: None,
            attributes: Vec::new(),
            loc: self.loc(&node),
        };
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::record_word => record.is_union = child.as_str() == "union",
                Rule::attribute => self.attributes(child, &mut record.attributes),
                Rule::record_tag => record.tag = Some(self.name(&child)),
                Rule::member_list => {
                    let mut fields = Vec::new();
                    for item in child.into_inner() {
                        match item.as_rule() {
                            Rule::member => fields.push(self.member(item)),
                            Rule::attribute => self.attributes(item, &mut record.attributes),
                            _ => {}
                        }
                    }
                    record.fields = Some(fields);
                }
                _ => self.unexpected(&child),
            }
        }
        record
    }

    fn member(&mut self, node: Node) -> MemberDecl {
        let loc = self.loc(&node);
        let mut specs = DeclSpecs::default();
        let mut declarators = Vec::new();
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::specifiers => specs = self.specifiers(child),
                Rule::member_item => declarators.push(self.member_item(child)),
                Rule::member_end => {}
                _ => self.unexpected(&child),
            }
        }
        MemberDecl {
            specs,
            declarators,
            loc,
        }
    }

    fn member_item(&mut self, node: Node) -> (Declarator, Option<Expr>) {
        let mut declarator = Declarator {
            loc: self.loc(&node),
            ..Declarator::default()
        };
        let mut width = None;
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::declarator => declarator = self.declarator(child),
                Rule::attribute => self.attributes(child, &mut declarator.attributes),
                Rule::bit_width => width = child.into_inner().next().map(|e| self.assignment(e)),
                _ => self.unexpected(&child),
            }
        }
        (declarator, width)
    }

    fn enumeration(&mut self, node: Node) -> Enum {
        let mut result = Enum {
            tag: None,
            items: None,
            attributes: Vec::new(),
            loc: self.loc(&node),
        };
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::attribute => self.attributes(child, &mut result.attributes),
                Rule::record_tag => result.tag = Some(self.name(&child)),
                Rule::enumerator_list => {
                    let mut items = Vec::new();
                    for item in child.into_inner() {
                        match item.as_rule() {
                            Rule::enumerator => {
                                let (name, loc) = (self.name(&item), self.loc(&item));
                                let value = item
                                    .into_inner()
                                    .find(|c| c.as_rule() == Rule::assignment)
                                    .map(|e| self.assignment(e));
                                items.push((name, value, loc));
                            }
                            Rule::attribute => self.attributes(item, &mut result.attributes),
                            _ => {}
                        }
                    }
                    result.items = Some(items);
                }
                _ => self.unexpected(&child),
            }
        }
        result
    }

    // ------------------------------------------------------------ declarators

    /// Any of the three declarator rules.
    fn declarator(&mut self, node: Node) -> Declarator {
        let mut result = Declarator {
            loc: self.loc(&node),
            ..Declarator::default()
        };
        let mut pointers = Vec::new();
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::pointer => pointers.push(self.pointer(child)),
                Rule::attribute => self.attributes(child, &mut result.attributes),
                Rule::name => {
                    result.name = Some(self.name(&child));
                    result.loc = self.loc(&child);
                }
                Rule::declarator | Rule::parameter_declarator | Rule::abstract_declarator => {
                    let inner = self.declarator(child);
                    result.name = inner.name;
                    result.loc = inner.loc;
                    result.parts = inner.parts;
                    result.attributes.extend(inner.attributes);
                }
                Rule::array => result.parts.push(self.array(child)),
                Rule::parameters => {
                    let (params, variadic) = self.parameters(child);
                    result.parts.push(DeclPart::Function {
                        params,
                        variadic,
                        tail: None,
                    });
                }
                Rule::close_paren => {}
                _ => self.unexpected(&child),
            }
        }
        result.parts.extend(pointers.into_iter().rev());
        if self
            .deeper(result.parts.len(), result.loc, |_| ())
            .is_none()
        {
            result.parts.clear();
        }
        result
    }

    fn pointer(&mut self, node: Node) -> DeclPart {
        let mut quals = Quals::default();
        let mut attributes = Vec::new();
        let mut is_block = false;
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::pointer_sign => is_block = child.as_str() == "^",
                Rule::word => self.declarator_word(&child, &mut quals),
                Rule::attribute => self.attributes(child, &mut attributes),
                _ => self.unexpected(&child),
            }
        }
        match is_block {
            true => DeclPart::Block(quals),
            false => DeclPart::Pointer(quals, attributes),
        }
    }

    fn declarator_word(&mut self, node: &Node, quals: &mut Quals) {
        if !self.qualifier(node, quals) {
            let loc = self.loc(node);
            self.sink.error(loc, "expected identifier or '('");
        }
    }

    fn array(&mut self, node: Node) -> DeclPart {
        let mut quals = Quals::default();
        let mut size = None;
        for child in node.into_inner() {
            match child.as_rule() {
                // `static` promises a length to the callee: nothing that a program can observe.
                Rule::word if child.as_str() == "static" => {}
                Rule::word => self.declarator_word(&child, &mut quals),
                Rule::assignment => size = Some(Box::new(self.assignment(child))),
                Rule::close_bracket => {}
                _ => self.unexpected(&child),
            }
        }
        DeclPart::Array(size, quals)
    }

    pub fn parameters(&mut self, node: Node) -> (Vec<Param>, bool) {
        let mut params = Vec::new();
        let mut variadic = false;
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::parameter => params.push(self.parameter(child)),
                Rule::ellipsis => variadic = true,
                Rule::close_paren => {}
                _ => self.unexpected(&child),
            }
        }
        (params, variadic)
    }

    fn parameter(&mut self, node: Node) -> Param {
        let mut specs = DeclSpecs::default();
        let mut declarator = Declarator::default();
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::specifiers => specs = self.specifiers(child),
                Rule::parameter_declarator => declarator = self.declarator(child),
                Rule::attribute => self.attributes(child, &mut declarator.attributes),
                _ => self.unexpected(&child),
            }
        }
        Param {
            specs,
            declarator,
            default: None,
            is_pack: false,
        }
    }

    pub fn type_name(&mut self, node: Node) -> TypeName {
        let loc = self.loc(&node);
        let mut specs = DeclSpecs::default();
        let mut declarator = Declarator::default();
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::specifiers => specs = self.specifiers(child),
                Rule::abstract_declarator => declarator = self.declarator(child),
                _ => self.unexpected(&child),
            }
        }
        TypeName {
            specs,
            declarator,
            loc,
        }
    }

    // ------------------------------------------------------------ attributes

    /// Appends what one `__attribute__((a, b))` lists.
    pub fn attributes(&mut self, node: Node, out: &mut Vec<Attribute>) {
        for item in node.into_inner() {
            if item.as_rule() != Rule::attribute_item {
                continue;
            }
            let loc = self.loc(&item);
            let text = self.source(&item);
            let mut name = None;
            let mut args = Vec::new();
            for child in item.into_inner() {
                match child.as_rule() {
                    Rule::name => name = Some(self.name(&child)),
                    _ => args.extend(self.attribute_arg(child)),
                }
            }
            let name = name.unwrap_or_default();
            let bare = name
                .strip_prefix("__")
                .and_then(|n| n.strip_suffix("__"))
                .map(Name::from);
            out.push(Attribute {
                name: bare.unwrap_or(name),
                args,
                text,
                loc,
            });
        }
    }

    fn attribute_arg(&mut self, node: Node) -> Option<AttrArg> {
        match node.as_rule() {
            Rule::assignment => Some(AttrArg::Expr(self.assignment(node))),
            Rule::type_name => Some(AttrArg::Type(self.type_name(node))),
            _ => None,
        }
    }

    /// A node's tokens as written, with one blank for white space.
    fn source(&self, node: &Node) -> String {
        let span = node.as_span();
        let tokens = &self.chunk.tokens[self.index(node)..self.chunk.index(span.end())];
        let mut text = String::new();
        for (i, token) in tokens.iter().enumerate() {
            if i > 0 && token.space_before {
                text.push(' ');
            }
            text.push_str(&token.text);
        }
        text
    }

    // ------------------------------------------------------------ initialisers

    pub fn initializer(&mut self, node: Node) -> Initializer {
        if node.as_rule() != Rule::initializer_list {
            return Initializer::Expr(self.assignment(node));
        }
        let loc = self.loc(&node);
        let mut items = Vec::new();
        for child in node.into_inner() {
            if child.as_rule() == Rule::initializer_end {
                continue;
            }
            let mut designators = Vec::new();
            for part in child.into_inner() {
                match part.as_rule() {
                    Rule::field_label => {
                        designators.push(Designator::Field(self.name(&part), self.loc(&part)));
                    }
                    Rule::field_designator | Rule::index_designator => {
                        designators.extend(self.designator(part));
                    }
                    Rule::designator_end => {}
                    _ => {
                        let value = self.initializer(part);
                        items.push((std::mem::take(&mut designators), value));
                    }
                }
            }
        }
        Initializer::List(items, loc)
    }

    pub fn designator(&mut self, node: Node) -> Option<Designator> {
        let mut parts = node.into_inner();
        let first = parts.next()?;
        if first.as_rule() == Rule::member_name {
            return Some(Designator::Field(self.name(&first), self.loc(&first)));
        }
        let first = self.assignment(first);
        Some(match parts.find(|p| p.as_rule() == Rule::assignment) {
            Some(last) => Designator::Range(first, self.assignment(last)),
            None => Designator::Index(first),
        })
    }
}

/// Puts the initialiser whose type it is in the place of `__auto_type`.
fn deduce(specs: &mut DeclSpecs, declarators: &[InitDeclarator]) {
    let init = declarators.first().and_then(|d| d.init.as_ref());
    for (spec, _) in &mut specs.types {
        if let (TypeSpec::Builtin(name), Some(Initializer::Expr(e))) = (&*spec, init)
            && &**name == keywords::AUTO_TYPE
        {
            *spec = TypeSpec::TypeofValue(Box::new(e.clone()));
        }
    }
}
