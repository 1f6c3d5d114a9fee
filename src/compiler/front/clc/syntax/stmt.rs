//! Statements.

use super::ast::*;
use super::{Builder, Node, Rule, pragma};
use crate::source::SourceLoc;

impl Builder<'_> {
    pub fn block(&mut self, node: Node) -> Block {
        let mut block = Block {
            loc: self.loc(&node),
            ..Block::default()
        };
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::statement => block.items.push(self.statement(child)),
                Rule::pragma => block.items.push(self.pragma_statement(&child)),
                Rule::block_end => block.end = self.loc(&child),
                _ => self.unexpected(&child),
            }
        }
        block
    }

    fn pragma_statement(&mut self, node: &Node) -> Stmt {
        Stmt {
            kind: StmtKind::Pragma(pragma(self.token(node))),
            attributes: Vec::new(),
            loc: self.loc(node),
        }
    }

    fn statement(&mut self, node: Node) -> Stmt {
        let loc = self.loc(&node);
        let labels = node.clone().into_inner().len().saturating_sub(1);
        self.deeper(labels, loc, |b| b.labelled(node))
            .unwrap_or_else(|| Self::nothing(loc))
    }

    /// `;`
    fn nothing(loc: SourceLoc) -> Stmt {
        Stmt {
            kind: StmtKind::Expr(None),
            attributes: Vec::new(),
            loc,
        }
    }

    fn labelled(&mut self, node: Node) -> Stmt {
        /// A label and where it stands.
        enum Label {
            Name(Name),
            Default,
            Case(Expr, Option<Expr>),
        }
        let end = node.as_span().end();
        let mut labels = Vec::new();
        let mut attributes = Vec::new();
        let mut bare = None;
        // Between `if (a)` or a label and the statement: only a block can hold both.
        let mut pragmas = Vec::new();
        for child in node.into_inner() {
            let loc = self.loc(&child);
            let label = match child.as_rule() {
                Rule::attribute => {
                    self.attributes(child, &mut attributes);
                    continue;
                }
                Rule::pragma => {
                    pragmas.push(self.pragma_statement(&child));
                    continue;
                }
                Rule::name_label => Label::Name(self.name(&child)),
                Rule::default_label => Label::Default,
                Rule::case_label => {
                    let mut values = Vec::new();
                    for value in child.into_inner() {
                        if value.as_rule() == Rule::assignment {
                            values.push(self.assignment(value));
                        }
                    }
                    let last = if values.len() > 1 { values.pop() } else { None };
                    Label::Case(self.required(values.pop(), loc), last)
                }
                _ => {
                    bare = Some((self.bare_statement(child), loc));
                    continue;
                }
            };
            labels.push((label, std::mem::take(&mut attributes), loc));
        }
        let here = self.chunk.tokens[self.chunk.index(end)].loc;
        let (mut kind, loc) = bare.unwrap_or((StmtKind::Expr(None), here));
        if let StmtKind::Declaration(declaration) = &mut kind {
            declaration.specs.attributes.append(&mut attributes);
        }
        let mut statement = Stmt {
            kind,
            attributes,
            loc,
        };
        if !pragmas.is_empty() {
            pragmas.push(statement);
            let items = pragmas;
            statement = Stmt {
                kind: StmtKind::Block(Block {
                    items,
                    loc,
                    end: loc,
                }),
                attributes: Vec::new(),
                loc,
            };
        }
        for (label, attributes, loc) in labels.into_iter().rev() {
            let inner = Box::new(statement);
            let kind = match label {
                Label::Name(name) => StmtKind::Label(name, inner),
                Label::Default => StmtKind::Default(inner),
                Label::Case(first, last) => StmtKind::Case(first, last, inner),
            };
            statement = Stmt {
                kind,
                attributes,
                loc,
            };
        }
        statement
    }

    fn bare_statement(&mut self, node: Node) -> StmtKind {
        match node.as_rule() {
            Rule::declaration => StmtKind::Declaration(self.declaration(node)),
            Rule::block => StmtKind::Block(self.block(node)),
            Rule::empty => StmtKind::Expr(None),
            Rule::expression_statement => StmtKind::Expr(self.only_expression(node)),
            Rule::asm_statement => StmtKind::Asm,
            Rule::static_assertion => StmtKind::StaticAssert(self.static_assertion(node)),
            Rule::return_statement => StmtKind::Return(self.only_expression(node)),
            Rule::break_statement => StmtKind::Break,
            Rule::continue_statement => StmtKind::Continue,
            Rule::goto => {
                let label = node.into_inner().next();
                StmtKind::Goto(label.map(|l| self.name(&l)).unwrap_or_default())
            }
            Rule::if_chain => {
                let loc = self.loc(&node);
                let length = node.clone().into_inner().len() / 2;
                self.deeper(length, loc, |b| b.if_chain(node))
                    .unwrap_or(StmtKind::Expr(None))
            }
            Rule::switch => {
                let (test, body) = self.test_and_body(node);
                StmtKind::Switch(test, body)
            }
            Rule::while_loop => {
                let (test, body) = self.test_and_body(node);
                StmtKind::While(test, body)
            }
            Rule::do_loop => {
                let (test, body) = self.test_and_body(node);
                StmtKind::DoWhile(body, test)
            }
            Rule::for_loop => self.for_loop(node),
            _ => {
                self.unexpected(&node);
                StmtKind::Expr(None)
            }
        }
    }

    /// The expression among the children of a node.
    fn only_expression(&mut self, node: Node) -> Option<Expr> {
        let child = node
            .into_inner()
            .find(|c| c.as_rule() == Rule::expression)?;
        Some(self.expression(child))
    }

    fn test_and_body(&mut self, node: Node) -> (Expr, Box<Stmt>) {
        let loc = self.loc(&node);
        let mut test = None;
        let mut body = None;
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::expression => test = Some(self.expression(child)),
                Rule::statement => body = Some(self.statement(child)),
                _ => {}
            }
        }
        let body = body.unwrap_or_else(|| Self::nothing(loc));
        (self.required(test, loc), Box::new(body))
    }

    /// Links the flat list `if (a) x else if (b) y else z` from its end.
    fn if_chain(&mut self, node: Node) -> StmtKind {
        let loc = self.loc(&node);
        let mut tests = Vec::new();
        let mut bodies = Vec::new();
        for child in node.into_inner() {
            if child.as_rule() == Rule::if_head {
                let loc = self.loc(&child);
                let test = self.only_expression(child);
                tests.push((self.required(test, loc), loc));
            } else {
                bodies.push(Box::new(self.statement(child)));
            }
        }
        let mut tail = if bodies.len() > tests.len() {
            bodies.pop()
        } else {
            None
        };
        while let (Some((test, loc)), Some(body)) = (tests.pop(), bodies.pop()) {
            let kind = StmtKind::If(test, body, tail);
            if tests.is_empty() {
                return kind;
            }
            tail = Some(Box::new(Stmt {
                kind,
                attributes: Vec::new(),
                loc,
            }));
        }
        self.sink
            .internal(format!("an if without a condition at {loc:?}"));
        StmtKind::Expr(None)
    }

    fn for_loop(&mut self, node: Node) -> StmtKind {
        let loc = self.loc(&node);
        let (mut init, mut test, mut step) = (None, None, None);
        let mut body = Self::nothing(loc);
        for child in node.into_inner() {
            match child.as_rule() {
                Rule::for_init => init = self.for_init(child),
                Rule::for_test => test = self.only_expression(child),
                Rule::for_step => step = self.only_expression(child),
                Rule::statement => body = self.statement(child),
                _ => {}
            }
        }
        StmtKind::For(init, test, step, Box::new(body))
    }

    fn for_init(&mut self, node: Node) -> Option<Box<Stmt>> {
        let child = node.into_inner().next()?;
        let loc = self.loc(&child);
        let kind = match child.as_rule() {
            Rule::declaration => StmtKind::Declaration(self.declaration(child)),
            Rule::expression => StmtKind::Expr(Some(self.expression(child))),
            _ => return None,
        };
        Some(Box::new(Stmt {
            kind,
            attributes: Vec::new(),
            loc,
        }))
    }
}
