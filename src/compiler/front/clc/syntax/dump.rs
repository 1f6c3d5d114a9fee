//! The tree as indented text, for `--emit=ast` and the tests: a line for each declaration and
//! statement, types read out from the name, expressions with the operator first.

use super::ast::*;

/// The text of a translation unit.
pub fn dump(externals: &[External]) -> String {
    let mut d = Dump::default();
    for external in externals {
        d.external(external);
    }
    d.out
}

#[derive(Default)]
struct Dump {
    out: String,
    depth: usize,
}

impl Dump {
    fn line(&mut self, text: &str) {
        self.begin(text);
        self.end();
    }

    fn begin(&mut self, text: &str) {
        self.out.extend(std::iter::repeat_n("  ", self.depth));
        self.out.push_str(text);
    }

    fn end(&mut self) {
        self.out.push('\n');
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn list<T>(&mut self, items: &[T], separator: &str, mut each: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.put(separator);
            }
            each(self, item);
        }
    }

    // ------------------------------------------------------------ declarations

    fn external(&mut self, external: &External) {
        match external {
            External::Function(f) => {
                self.begin("function ");
                self.declared(&f.specs, &f.declarator);
                self.end();
                self.block(&f.body);
            }
            External::Declaration(d) => self.declaration(d),
            External::StaticAssert(a) => self.static_assert(a),
            External::Pragma(p) => self.pragma(p),
            // Trees of C++ are not printed.
            External::Cxx(_) => self.put("C++"),
            External::Lost(names) => names.iter().for_each(|name| self.put(name)),
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        if declaration.declarators.is_empty() {
            self.begin("declare ");
            self.specs(&declaration.specs);
            self.end();
        }
        for d in &declaration.declarators {
            self.begin("declare ");
            self.declared(&declaration.specs, &d.declarator);
            if let Some(init) = &d.init {
                self.put(" = ");
                self.initializer(init);
            }
            self.end();
        }
    }

    fn static_assert(&mut self, assertion: &StaticAssert) {
        self.begin("assert ");
        self.expr(&assertion.condition);
        self.put(&format!(" {}", assertion.message.join(" ")));
        self.end();
    }

    fn pragma(&mut self, pragma: &Pragma) {
        self.line(&format!("pragma {}", pragma.words.join(" ")));
    }

    /// `name: type`
    fn declared(&mut self, specs: &DeclSpecs, declarator: &Declarator) {
        if let Some(name) = &declarator.name {
            self.put(&format!("{name}: "));
        }
        self.list(&declarator.parts, "", Self::part);
        self.specs(specs);
        self.attributes(&declarator.attributes);
    }

    fn part(&mut self, part: &DeclPart) {
        match part {
            DeclPart::Pointer(quals, attributes) => {
                self.quals(quals);
                self.put("pointer");
                self.attributes(attributes);
                self.put(" to ");
            }
            DeclPart::Block(quals) => {
                self.quals(quals);
                self.put("block of ");
            }
            DeclPart::Array(size, quals) => {
                self.quals(quals);
                self.put("array [");
                if let Some(size) = size {
                    self.expr(size);
                }
                self.put("] of ");
            }
            DeclPart::Reference(_) => self.put("reference to "),
            DeclPart::Member(..) => self.put("pointer to member "),
            DeclPart::Function {
                params, variadic, ..
            } => {
                self.params(params);
                self.put(if *variadic {
                    " and more giving "
                } else {
                    " giving "
                });
            }
        }
    }

    fn params(&mut self, params: &[Param]) {
        self.put("function (");
        self.list(params, ", ", |d, p| d.declared(&p.specs, &p.declarator));
        self.put(")");
    }

    fn specs(&mut self, specs: &DeclSpecs) {
        for (storage, _) in &specs.storage {
            self.put(&format!("{storage:?} ").to_lowercase());
        }
        for (function, _) in &specs.functions {
            self.put(&format!("{function:?} ").to_lowercase());
        }
        self.quals(&specs.quals);
        self.list(&specs.types, " ", |d, t| d.type_spec(&t.0));
        if specs.types.is_empty() {
            self.put("no-type");
        }
        self.attributes(&specs.attributes);
    }

    fn quals(&mut self, quals: &Quals) {
        for (space, _) in &quals.spaces {
            self.put(&format!("{space:?} ").to_lowercase());
        }
        let access = quals.access.map(|a| match a.0 {
            AccessQual::ReadOnly => "read_only ",
            AccessQual::WriteOnly => "write_only ",
            AccessQual::ReadWrite => "read_write ",
        });
        self.put(access.unwrap_or(""));
        for (is_set, word) in [
            (quals.is_const, "const "),
            (quals.is_volatile, "volatile "),
            (quals.is_restrict, "restrict "),
            (quals.is_atomic, "_Atomic "),
        ] {
            self.put(if is_set { word } else { "" });
        }
    }

    fn type_spec(&mut self, ty: &TypeSpec) {
        match ty {
            TypeSpec::Builtin(name) => self.put(name),
            TypeSpec::Cxx(_) => self.put("C++"),
            TypeSpec::Typedef(name) => self.put(&format!("typedef-name {name}")),
            TypeSpec::Record(record) => self.record(record),
            TypeSpec::Enum(e) => {
                self.put(&format!("enum{}", tag(&e.tag)));
                self.attributes(&e.attributes);
                if let Some(items) = &e.items {
                    self.put(" { ");
                    self.list(items, ", ", |d, (name, value, _)| {
                        d.put(name);
                        if let Some(value) = value {
                            d.put(" = ");
                            d.expr(value);
                        }
                    });
                    self.put(" }");
                }
            }
            TypeSpec::Atomic(ty) => self.enclosed("_Atomic", |d| d.type_name(ty)),
            TypeSpec::TypeofExpr(e) => self.enclosed("typeof", |d| d.expr(e)),
            TypeSpec::TypeofValue(e) => self.enclosed("auto_type", |d| d.expr(e)),
            TypeSpec::TypeofType(ty) => self.enclosed("typeof-type", |d| d.type_name(ty)),
        }
    }

    fn record(&mut self, record: &Record) {
        self.put(if record.is_union { "union" } else { "struct" });
        self.put(&tag(&record.tag));
        self.attributes(&record.attributes);
        let Some(fields) = &record.fields else {
            return;
        };
        self.put(" {");
        for field in fields {
            if field.declarators.is_empty() {
                self.put(" ");
                self.specs(&field.specs);
                self.put(";");
            }
            for (declarator, width) in &field.declarators {
                self.put(" ");
                self.declared(&field.specs, declarator);
                if let Some(width) = width {
                    self.put(" : ");
                    self.expr(width);
                }
                self.put(";");
            }
        }
        self.put(" }");
    }

    fn type_name(&mut self, ty: &TypeName) {
        self.declared(&ty.specs, &ty.declarator);
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for a in attributes {
            self.put(&format!(" <{}", a.name));
            for arg in &a.args {
                self.put(" ");
                match arg {
                    AttrArg::Expr(e) => self.expr(e),
                    AttrArg::Type(ty) => self.type_name(ty),
                }
            }
            self.put(&format!(" | {}>", a.text));
        }
    }

    fn initializer(&mut self, init: &Initializer) {
        let items = match init {
            Initializer::Expr(e) => return self.expr(e),
            Initializer::List(items, _) => items,
        };
        self.put("{");
        self.list(items, ", ", |d, (designators, value)| {
            for designator in designators {
                d.designator(designator);
            }
            if !designators.is_empty() {
                d.put(" = ");
            }
            d.initializer(value);
        });
        self.put("}");
    }

    fn designator(&mut self, designator: &Designator) {
        match designator {
            Designator::Field(name, _) => self.put(&format!(".{name}")),
            Designator::Index(index) => {
                self.put("[");
                self.expr(index);
                self.put("]");
            }
            Designator::Range(first, last) => {
                self.put("[");
                self.expr(first);
                self.put(" ... ");
                self.expr(last);
                self.put("]");
            }
        }
    }

    // ------------------------------------------------------------ statements

    fn block(&mut self, block: &Block) {
        self.depth += 1;
        for item in &block.items {
            self.statement(item);
        }
        self.depth -= 1;
    }

    fn inner(&mut self, statement: &Stmt) {
        self.depth += 1;
        self.statement(statement);
        self.depth -= 1;
    }

    /// A line with expressions behind a word.
    fn headed<'e>(&mut self, word: &str, exprs: impl IntoIterator<Item = &'e Expr>) {
        self.begin(word);
        for e in exprs {
            self.put(" ");
            self.expr(e);
        }
        self.end();
    }

    fn statement(&mut self, statement: &Stmt) {
        if !statement.attributes.is_empty() {
            self.begin("attributes");
            self.attributes(&statement.attributes);
            self.end();
        }
        match &statement.kind {
            StmtKind::Expr(e) => self.headed("do", e),
            StmtKind::Cxx(_) => self.put("C++"),
            StmtKind::Declaration(d) => self.declaration(d),
            StmtKind::StaticAssert(a) => self.static_assert(a),
            StmtKind::Block(b) => {
                self.line("block");
                self.block(b);
            }
            StmtKind::If(test, then, other) => {
                self.headed("if", [test]);
                self.inner(then);
                if let Some(other) = other {
                    self.line("else");
                    self.inner(other);
                }
            }
            StmtKind::Switch(value, body) => {
                self.headed("switch", [value]);
                self.inner(body);
            }
            StmtKind::Case(first, last, body) => {
                self.headed("case", std::iter::once(first).chain(last));
                self.inner(body);
            }
            StmtKind::Default(body) => {
                self.line("default");
                self.inner(body);
            }
            StmtKind::While(test, body) => {
                self.headed("while", [test]);
                self.inner(body);
            }
            StmtKind::DoWhile(body, test) => {
                self.line("repeat");
                self.inner(body);
                self.headed("while", [test]);
            }
            StmtKind::For(init, test, step, body) => {
                self.line("for");
                self.depth += 1;
                if let Some(init) = init {
                    self.statement(init);
                }
                self.headed("test", test);
                self.headed("step", step);
                self.statement(body);
                self.depth -= 1;
            }
            StmtKind::Goto(name) => self.line(&format!("goto {name}")),
            StmtKind::Label(name, body) => {
                self.line(&format!("label {name}"));
                self.inner(body);
            }
            StmtKind::Break => self.line("break"),
            StmtKind::Continue => self.line("continue"),
            StmtKind::Return(e) => self.headed("return", e),
            StmtKind::Pragma(p) => self.pragma(p),
            StmtKind::Asm => self.line("asm"),
        }
    }

    // ------------------------------------------------------------ expressions

    fn enclosed(&mut self, word: &str, inside: impl FnOnce(&mut Self)) {
        self.put(&format!("({word} "));
        inside(self);
        self.put(")");
    }

    fn operator<'e>(&mut self, word: &str, operands: impl IntoIterator<Item = &'e Expr>) {
        self.put(&format!("({word}"));
        for operand in operands {
            self.put(" ");
            self.expr(operand);
        }
        self.put(")");
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Error => self.put("error"),
            ExprKind::Cxx(_) | ExprKind::Analysed(_) => self.put("C++"),
            ExprKind::Ident(text) | ExprKind::Number(text) | ExprKind::Char(text) => self.put(text),
            ExprKind::Str(parts) => self.put(&parts.join(" ")),
            ExprKind::Paren(e) => self.operator("paren", [&**e]),
            ExprKind::Unary(op, e) => self.operator(unary(*op), [&**e]),
            ExprKind::PostInc(e) => self.operator("post++", [&**e]),
            ExprKind::PostDec(e) => self.operator("post--", [&**e]),
            ExprKind::Binary(op, a, b) => self.operator(binary(*op), [&**a, b]),
            ExprKind::Assign(op, a, b) => {
                let word = format!("{}=", op.map_or("", binary));
                self.operator(&word, [&**a, b]);
            }
            ExprKind::Conditional(a, b, c) => {
                self.operator(
                    "?:",
                    [Some(a), b.as_ref(), Some(c)]
                        .into_iter()
                        .flatten()
                        .map(|e| &**e),
                );
            }
            ExprKind::Comma(a, b) => self.operator(",", [&**a, b]),
            ExprKind::Index(a, b) => self.operator("index", [&**a, b]),
            ExprKind::Call(f, args) => {
                self.operator("call", std::iter::once(&**f).chain(args));
            }
            ExprKind::Member(e, name) => self.operator(&format!(".{name}"), [&**e]),
            ExprKind::Arrow(e, name) => self.operator(&format!("->{name}"), [&**e]),
            ExprKind::Cast(ty, e) => self.typed("cast", ty, |d| d.expr(e)),
            ExprKind::VectorLiteral(ty, items) => {
                self.typed("vector", ty, |d| d.list(items, " ", Self::expr));
            }
            ExprKind::CompoundLiteral(ty, init) => {
                self.typed("literal", ty, |d| d.initializer(init));
            }
            ExprKind::SizeofExpr(e) => self.operator("sizeof", [&**e]),
            ExprKind::SizeofType(ty) => self.enclosed("sizeof-type", |d| d.type_name(ty)),
            ExprKind::AlignofType(ty) => self.enclosed("alignof-type", |d| d.type_name(ty)),
            ExprKind::AlignofExpr(e) => self.operator("alignof", [&**e]),
            ExprKind::VecStepType(ty) => self.enclosed("vec_step", |d| d.type_name(ty)),
            ExprKind::Offsetof(ty, path) => {
                self.typed("offsetof", ty, |d| d.list(path, "", Self::designator));
            }
            ExprKind::AsType(e, ty) => self.typed("astype", ty, |d| d.expr(e)),
            ExprKind::ConvertVector(e, ty) => self.typed("convertvector", ty, |d| d.expr(e)),
            ExprKind::TypesCompatible(a, b) => {
                self.typed("types_compatible", a, |d| d.type_name(b));
            }
            ExprKind::Selection(e, associations) => {
                self.enclosed("selection", |d| {
                    d.expr(e);
                    for association in associations {
                        d.put(" ");
                        match &association.ty {
                            Some(ty) => d.type_name(ty),
                            None => d.put("default"),
                        }
                        d.put(": ");
                        d.expr(&association.value);
                    }
                });
            }
            ExprKind::StatementExpr(block) => self.nested("statements", block),
            ExprKind::BlockLiteral(ty, params, block) => {
                match ty {
                    Some(ty) => self.type_name(ty),
                    None => self.params(params),
                }
                self.put(" ");
                self.nested("block", block);
            }
        }
    }

    fn typed(&mut self, word: &str, ty: &TypeName, operands: impl FnOnce(&mut Self)) {
        self.enclosed(word, |d| {
            d.put("[");
            d.type_name(ty);
            d.put("] ");
            operands(d);
        });
    }

    /// Statements inside of an expression.
    fn nested(&mut self, word: &str, block: &Block) {
        self.put(&format!("({word}\n"));
        self.depth += 1;
        self.block(block);
        self.depth -= 1;
        self.begin("  )");
    }
}

fn tag(tag: &Option<Name>) -> String {
    tag.as_ref().map_or(String::new(), |t| format!(" {t}"))
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::Not => "!",
        UnaryOp::BitNot => "~",
        UnaryOp::Deref => "deref",
        UnaryOp::AddrOf => "address",
        UnaryOp::PreInc => "++",
        UnaryOp::PreDec => "--",
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::LogAnd => "&&",
        BinaryOp::LogOr => "||",
    }
}
