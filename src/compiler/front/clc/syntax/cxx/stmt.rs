//! Statements.

use super::super::ast::{Block, Declaration, Expr, ExprKind, InitDeclarator, Stmt, StmtKind};
use super::ast::{self as cxx, Condition, Decl};
use super::declarator::Naming;
use super::names::Meaning;
use super::{Parsed, Parser};
use crate::front::clc::pp::TokenKind;

impl Parser<'_> {
    /// `{ ... }`
    pub(super) fn block(&mut self) -> Parsed<Block> {
        let loc = self.expect("{")?;
        let mark = self.names.mark();
        self.names.push();
        let angle = std::mem::replace(&mut self.angle, false);
        let in_block = std::mem::replace(&mut self.in_block, true);
        let items = self.deeper(|p| p.statements(mark + 1));
        (self.angle, self.in_block) = (angle, in_block);
        self.names.leave_to(mark);
        let items = items?;
        let end = self.tokens[self.at - 1].loc;
        Ok(Block { items, loc, end })
    }

    /// Up to the closing brace, which is eaten.
    fn statements(&mut self, mark: usize) -> Parsed<Vec<Stmt>> {
        let mut items = Vec::new();
        while !self.eat("}") {
            if self.ended() {
                return self.fail("expected '}'");
            }
            let start = self.at;
            match self.statement() {
                Ok(stmt) => items.push(stmt),
                Err(failure) => {
                    self.report(*failure);
                    if self.sink.stopped() {
                        self.at = self.tokens.len() - 1;
                        break;
                    }
                    self.names.leave_to(mark);
                    self.angle = false;
                    self.unevaluated = false;
                    self.recover(start, false);
                }
            }
        }
        Ok(items)
    }

    pub(super) fn statement(&mut self) -> Parsed<Stmt> {
        let start = self.at;
        let statement = self.deeper(Self::statement_here)?;
        self.check_expanded(start)?;
        Ok(statement)
    }

    fn boxed(&mut self) -> Parsed<Box<Stmt>> {
        self.statement().map(Box::new)
    }

    fn statement_here(&mut self) -> Parsed<Stmt> {
        let loc = self.loc();
        if let Some(pragma) = self.pragma() {
            return Ok(Stmt {
                kind: StmtKind::Pragma(pragma),
                attributes: Vec::new(),
                loc,
            });
        }
        let mut attributes = Vec::new();
        let at = self.at;
        self.attributes(&mut attributes)?;
        if !attributes.is_empty() && self.type_ahead() {
            // They belong to the declaration.
            self.at = at;
            attributes.clear();
        }
        let loc = self.loc();
        let kind = self.statement_kind()?;
        Ok(Stmt {
            kind,
            attributes,
            loc,
        })
    }

    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        let token = self.peek().clone();
        if token.kind == TokenKind::Punct {
            match &*token.text {
                "{" => return self.block().map(StmtKind::Block),
                ";" => {
                    self.next();
                    return Ok(StmtKind::Expr(None));
                }
                _ => {}
            }
        }
        if token.kind == TokenKind::Ident
            && let Some(kind) = self.worded(&token.text)?
        {
            return Ok(kind);
        }
        if self.is_name() && self.nth_is(1, ":") {
            let label = self.name()?;
            self.next();
            return Ok(StmtKind::Label(label, self.labelled()?));
        }
        if self.declares() {
            let decl = self.block_declaration()?;
            return Ok(StmtKind::Cxx(Box::new(cxx::Stmt::Decl(decl))));
        }
        let e = self.expression()?;
        self.expect_semicolon("after expression")?;
        Ok(StmtKind::Expr(Some(e)))
    }

    /// The statement behind a label; none before a closing brace.
    fn labelled(&mut self) -> Parsed<Box<Stmt>> {
        if self.is("}") {
            let loc = self.loc();
            return Ok(Box::new(Stmt {
                kind: StmtKind::Expr(None),
                attributes: Vec::new(),
                loc,
            }));
        }
        self.boxed()
    }

    /// A declaration begins here, not an expression of a type's name.
    fn declares(&mut self) -> bool {
        if [
            "using",
            "static_assert",
            "_Static_assert",
            "namespace",
            "template",
        ]
        .iter()
        .any(|w| self.is(w))
        {
            return true;
        }
        if !self.type_ahead() {
            return false;
        }
        // `type(...)` and `type{...}` are constructions.
        let (at, tries) = (self.at, self.tries);
        let specs = self.attempt(|p| {
            let specs = p.specifiers()?;
            // As `class::operator=(value)` it has no specifiers at all.
            let is_expression = p.at == at || p.is("{") || p.is("(") && !p.group_declares();
            Ok((specs.types.len(), is_expression))
        });
        self.at = at;
        self.tries = tries + 1;
        !matches!(specs, Some((_, true)))
    }

    /// `(*name)`, `(&name)` or `(class::*name)`, also with parameters behind it; or just `(name)` with nothing or a value behind
    /// it, which could be an expression but is none.
    fn group_declares(&self) -> bool {
        if self.nth_is_name(1) && self.nth_is(2, ")") {
            return self.nth_is(3, ";") || self.nth_is(3, "=");
        }
        // A block variable.
        if self.nth_is(1, "^") {
            return self.nth_is_name(2) && self.nth_is(3, ")") || self.nth_is(2, "const");
        }
        let mut at = 1;
        while self.nth_is_name(at) && self.nth_is(at + 1, "::") {
            at += 2;
        }
        let parameters =
            self.nth_is(at + 3, "(") && (self.nth_is(at + 4, ")") || self.nth_is_type(at + 4));
        let behind = ["[", "=", ";"];
        (self.nth_is(at, "*") || self.nth_is(at, "&"))
            && self.nth_is_name(at + 1)
            && self.nth_is(at + 2, ")")
            && (parameters || behind.iter().any(|sign| self.nth_is(at + 3, sign)))
    }

    /// `try` and its handlers, an error for which the block is read.
    fn try_block(&mut self) -> Parsed<Block> {
        let loc = self.next().loc;
        let text = "cannot use 'try' with exceptions disabled";
        self.sink.error(loc, text);
        let block = self.block()?;
        while self.eat("catch") {
            self.skip();
            self.skip();
        }
        Ok(block)
    }

    /// A statement that begins with a keyword.
    fn worded(&mut self, text: &str) -> Parsed<Option<StmtKind>> {
        let kind = match text {
            "if" => self.scoped(Self::if_statement)?,
            "while" => self.scoped(|p| {
                p.next();
                let cond = p.head(Self::condition)?;
                let body = p.boxed()?;
                Ok(cxx::Stmt::While(cond, body))
            })?,
            "switch" => self.scoped(|p| {
                p.next();
                p.expect("(")?;
                let init = p.init_statement()?;
                let cond = p.condition()?;
                p.expect(")")?;
                let body = p.boxed()?;
                Ok(cxx::Stmt::Switch { init, cond, body })
            })?,
            "for" => self.scoped(Self::for_statement)?,
            "do" => {
                self.next();
                let body = self.boxed()?;
                if !self.eat("while") {
                    return self.fail("expected 'while' in do/while loop");
                }
                let cond = self.head(Self::expression)?;
                self.expect_semicolon("after do/while statement")?;
                StmtKind::DoWhile(body, cond)
            }
            "return" => {
                self.next();
                let e = match self.is(";") {
                    true => None,
                    false if self.is("{") => Some(self.list_expr()?),
                    false => Some(self.expression()?),
                };
                self.expect_semicolon("after return statement")?;
                StmtKind::Return(e)
            }
            "break" | "continue" => {
                self.next();
                self.expect_semicolon(&format!("after {text} statement"))?;
                match text {
                    "break" => StmtKind::Break,
                    _ => StmtKind::Continue,
                }
            }
            "goto" => {
                self.next();
                let label = self.name()?;
                self.expect_semicolon("after goto statement")?;
                StmtKind::Goto(label)
            }
            "case" => {
                self.next();
                let first = self.conditional()?;
                let last = match self.eat("...") {
                    true => Some(self.conditional()?),
                    false => None,
                };
                self.expect(":")?;
                StmtKind::Case(first, last, self.labelled()?)
            }
            "default" => {
                self.next();
                self.expect(":")?;
                StmtKind::Default(self.labelled()?)
            }
            "try" => StmtKind::Block(self.try_block()?),
            "throw" => return self.fail("cannot use 'throw' with exceptions disabled"),
            "asm" | "__asm__" | "__asm" => {
                return self.fail("inline assembly is not supported in OpenCL");
            }
            _ => return Ok(None),
        };
        Ok(Some(kind))
    }

    fn scoped(&mut self, read: impl FnOnce(&mut Self) -> Parsed<cxx::Stmt>) -> Parsed<StmtKind> {
        let mark = self.names.mark();
        self.names.push();
        let stmt = read(self);
        self.names.leave_to(mark);
        Ok(StmtKind::Cxx(Box::new(stmt?)))
    }

    fn head<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.parenthesised(read)
    }

    fn condition(&mut self) -> Parsed<Condition> {
        if self.declares() {
            let decl = self.attempt(|p| p.condition_declaration());
            if let Some(decl) = decl {
                self.check_typename(&decl.specs);
                return Ok(Condition::Decl(decl));
            }
        }
        self.expression().map(Condition::Expr)
    }

    /// `init;` before a condition, if one is there.
    fn init_statement(&mut self) -> Parsed<Option<Box<Stmt>>> {
        let loc = self.loc();
        if !self.semicolon_ahead() {
            return Ok(None);
        }
        let kind = if self.eat(";") {
            StmtKind::Expr(None)
        } else if self.declares() {
            let decl = self.block_declaration()?;
            StmtKind::Cxx(Box::new(cxx::Stmt::Decl(decl)))
        } else {
            let e = self.expression()?;
            self.expect_semicolon("after expression")?;
            StmtKind::Expr(Some(e))
        };
        Ok(Some(Box::new(Stmt {
            kind,
            attributes: Vec::new(),
            loc,
        })))
    }

    /// The parentheses that are open have a `;`.
    fn semicolon_ahead(&self) -> bool {
        let mut depth = 0usize;
        for n in 0.. {
            let token = self.ahead(n);
            if token.kind == TokenKind::Eof {
                return false;
            }
            if token.kind != TokenKind::Punct {
                continue;
            }
            match &*token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return false,
                },
                ";" if depth == 0 => return true,
                _ => {}
            }
        }
        false
    }

    fn if_statement(&mut self) -> Parsed<cxx::Stmt> {
        self.next();
        let is_constexpr = self.eat("constexpr");
        if !self.is("(") {
            return self.fail("expected '(' after 'if'");
        }
        self.next();
        let init = self.init_statement()?;
        let cond = self.condition()?;
        self.expect(")")?;
        let then = self.boxed()?;
        let otherwise = match self.eat("else") {
            true => Some(self.boxed()?),
            false => None,
        };
        Ok(cxx::Stmt::If {
            is_constexpr,
            init,
            cond,
            then,
            otherwise,
        })
    }

    fn for_statement(&mut self) -> Parsed<cxx::Stmt> {
        self.next();
        self.expect("(")?;
        if let Some((init, decl)) = self.attempt(Self::range) {
            if let Decl::Simple(decl) = &decl {
                self.check_typename(&decl.specs);
            }
            self.expect(")")?;
            let body = self.boxed()?;
            return Ok(cxx::Stmt::ForRange { init, decl, body });
        }
        let init = match self.semicolon_ahead() {
            true => self.init_statement()?,
            false => return self.fail("expected ';' in 'for' statement specifier"),
        };
        let cond = match self.is(";") {
            true => None,
            false => Some(self.condition()?),
        };
        if !self.eat(";") {
            return self.fail("expected ';' in 'for' statement specifier");
        }
        let step = match self.is(")") {
            true => None,
            false => Some(self.expression()?),
        };
        self.expect(")")?;
        let body = self.boxed()?;
        Ok(cxx::Stmt::For {
            init,
            cond,
            step,
            body,
        })
    }

    /// `init; declaration : range`
    fn range(&mut self) -> Parsed<(Option<Box<Stmt>>, Decl)> {
        let init = match self.semicolon_ahead() {
            true => {
                let init = self.init_statement()?;
                if self.semicolon_ahead() {
                    return self.fail("no range");
                }
                init
            }
            false => None,
        };
        let outer = std::mem::replace(&mut self.in_range, true);
        let decl = self.range_declaration();
        self.in_range = outer;
        Ok((init, decl?))
    }

    fn range_declaration(&mut self) -> Parsed<Decl> {
        let loc = self.loc();
        let mut specs = self.specifiers()?;
        if specs.types.is_empty() {
            return self.fail("expected a declaration");
        }
        let at = usize::from(self.is("&") || self.is("&&"));
        if self.nth_is(at, "[") {
            let reference = match at {
                0 => None,
                _ => Some(&*self.next().text == "&&"),
            };
            self.expect("[")?;
            let mut names = Vec::new();
            while !self.is("]") {
                let at = self.loc();
                let name = self.name()?;
                self.names.declare(name.clone(), Meaning::Value);
                names.push((name, at));
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("]")?;
            self.expect(":")?;
            let init = self.range_value()?;
            return Ok(Decl::Bindings(std::sync::Arc::new(cxx::Bindings {
                specs: std::mem::take(&mut specs),
                reference,
                names,
                init,
                loc,
            })));
        }
        let declarator = self.declarator(Naming::Named)?;
        self.expect(":")?;
        let init = self.range_value()?;
        if let Some(name) = &declarator.name {
            self.names.declare(name.clone(), Meaning::Value);
        }
        let init = Some(super::super::ast::Initializer::Expr(init));
        Ok(Decl::Simple(std::sync::Arc::new(Declaration {
            specs,
            declarators: vec![InitDeclarator { declarator, init }],
            loc,
        })))
    }

    fn range_value(&mut self) -> Parsed<Expr> {
        match self.is("{") {
            true => {
                let loc = self.loc();
                let list = self.list()?;
                let kind = ExprKind::Cxx(Box::new(cxx::Expr::List(list)));
                Ok(Expr { kind, loc })
            }
            false => self.expression(),
        }
    }
}
