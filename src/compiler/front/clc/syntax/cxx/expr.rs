//! Expressions: operators by precedence.

use super::super::ast::{BinaryOp, DeclPart, Expr, ExprKind, UnaryOp};
use super::super::expr::{BINARY, UNARY};
use super::ast::{self as cxx, FoldOp};
use super::{MAX_CHAIN, Parsed, Parser};
use crate::front::clc::pp::TokenKind;
use crate::source::SourceLoc;

pub(super) fn tree(kind: cxx::Expr, loc: SourceLoc) -> Expr {
    let kind = ExprKind::Cxx(Box::new(kind));
    Expr { kind, loc }
}

impl Parser<'_> {
    /// With comma operators.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let mut left = self.assignment()?;
        let mut count = 0;
        while self.is(",") {
            let loc = self.next().loc;
            let right = self.assignment()?;
            let kind = ExprKind::Comma(Box::new(left), Box::new(right));
            left = Expr { kind, loc };
            count += 1;
            self.check_chain(count)?;
        }
        Ok(left)
    }

    fn check_chain(&self, count: usize) -> Parsed<()> {
        match count > MAX_CHAIN {
            true => self.fail(format!("more than {MAX_CHAIN} operators in a chain")),
            false => Ok(()),
        }
    }

    /// The operator that begins here, and of how many tokens it is.
    fn operator_ahead(&self) -> Option<(&'static str, usize)> {
        let token = self.peek();
        if token.kind != TokenKind::Punct {
            return None;
        }
        if &*token.text == ">" || &*token.text == ">=" {
            if self.angle {
                return None;
            }
            let next = self.ahead(1);
            if &*token.text == ">" && !next.space_before && next.kind == TokenKind::Punct {
                match &*next.text {
                    ">" => return Some((">>", 2)),
                    ">=" => return Some((">>=", 2)),
                    _ => {}
                }
            }
        }
        const OTHERS: &[&str] = &[
            "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=",
        ];
        let binary = BINARY.iter().map(|row| row.0);
        let mut all = binary.chain(OTHERS.iter().copied());
        Some((all.find(|op| *op == &*token.text)?, 1))
    }

    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        self.deeper(|p| {
            if p.is("throw") {
                return p.fail("cannot use 'throw' with exceptions disabled");
            }
            let left = p.conditional()?;
            let Some((text, tokens)) = p.operator_ahead() else {
                return Ok(left);
            };
            let Some(op) = assignment_of(text) else {
                return Ok(left);
            };
            let loc = p.loc();
            p.at += tokens;
            let right = match p.is("{") {
                true => p.list_expr()?,
                false => p.assignment()?,
            };
            let kind = ExprKind::Assign(op, Box::new(left), Box::new(right));
            Ok(Expr { kind, loc })
        })
    }

    /// Anything but assignments.
    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        self.deeper(|p| {
            let cond = p.binary(0)?;
            if !p.is("?") {
                return Ok(cond);
            }
            let loc = p.next().loc;
            let angle = std::mem::replace(&mut p.angle, false);
            let middle = match p.is(":") {
                true => None,
                false => Some(Box::new(p.expression()?)),
            };
            p.angle = angle;
            p.expect(":")?;
            let other = p.assignment()?;
            let kind = ExprKind::Conditional(Box::new(cond), middle, Box::new(other));
            Ok(Expr { kind, loc })
        })
    }

    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.pointed_member()?;
        let mut count = 0;
        while let Some((text, tokens)) = self.operator_ahead() {
            let Some(&(_, op, strength)) = BINARY.iter().find(|row| row.0 == text) else {
                break;
            };
            let is_fold = self.ahead(tokens).is(TokenKind::Punct, "...");
            if strength < least || is_fold {
                break;
            }
            let loc = self.loc();
            self.at += tokens;
            let right = self.binary(strength + 1)?;
            let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
            left = Expr { kind, loc };
            count += 1;
            self.check_chain(count)?;
        }
        Ok(left)
    }

    /// Operands of `.*` and `->*`, which bind stronger than other operators with two.
    fn pointed_member(&mut self) -> Parsed<Expr> {
        let mut base = self.unary()?;
        let mut count = 0;
        while self.member_operator() {
            let word = self.next();
            self.next();
            let member = self.unary()?;
            let arrow = &*word.text == "->";
            base = tree(
                cxx::Expr::PointedMember {
                    base,
                    arrow,
                    member,
                },
                word.loc,
            );
            count += 1;
            self.check_chain(count)?;
        }
        Ok(base)
    }

    pub(super) fn member_operator(&self) -> bool {
        (self.is(".") || self.is("->")) && self.nth_is(1, "*")
    }

    pub(super) fn unary(&mut self) -> Parsed<Expr> {
        self.deeper(Self::unary_here)
    }

    fn unary_here(&mut self) -> Parsed<Expr> {
        if let Some(e) = self.allocation()? {
            return Ok(e);
        }
        let token = self.peek().clone();
        let loc = token.loc;
        if token.kind == TokenKind::Punct {
            if let Some(&(_, op)) = UNARY.iter().find(|row| row.0 == &*token.text) {
                self.next();
                let operand = Box::new(self.unary()?);
                return Ok(Expr {
                    kind: ExprKind::Unary(op, operand),
                    loc,
                });
            }
            if self.is("(")
                && let Some(cast) = self.cast()?
            {
                return Ok(cast);
            }
            return self.postfix();
        }
        if token.kind != TokenKind::Ident {
            return self.postfix();
        }
        match &*token.text {
            "sizeof" | "alignof" | "__alignof__" | "_Alignof" | "vec_step" => {
                self.evaluates(false, Self::measure)
            }
            "__extension__" => {
                self.next();
                self.unary()
            }
            _ => self.postfix(),
        }
    }

    /// `sizeof` and its kin.
    fn measure(&mut self) -> Parsed<Expr> {
        let word = self.next();
        let loc = word.loc;
        if &*word.text == "sizeof" && self.eat("...") {
            let name = self.parenthesised(Self::name)?;
            return Ok(tree(cxx::Expr::SizeofPack(name), loc));
        }
        let ty = self.type_in_parentheses();
        if let Some(ty) = ty {
            let ty = Box::new(ty);
            let kind = match &*word.text {
                "sizeof" => ExprKind::SizeofType(ty),
                "vec_step" => ExprKind::VecStepType(ty),
                _ => ExprKind::AlignofType(ty),
            };
            return Ok(Expr { kind, loc });
        }
        let operand = self.unary()?;
        Ok(match &*word.text {
            "sizeof" => Expr {
                kind: ExprKind::SizeofExpr(Box::new(operand)),
                loc,
            },
            "vec_step" => Expr {
                kind: ExprKind::Call(
                    Box::new(Expr {
                        kind: ExprKind::Ident("vec_step".into()),
                        loc,
                    }),
                    vec![operand],
                ),
                loc,
            },
            _ => Expr {
                kind: ExprKind::AlignofExpr(Box::new(operand)),
                loc,
            },
        })
    }

    /// `(type) operand`, a vector or compound literal.
    fn cast(&mut self) -> Parsed<Option<Expr>> {
        let loc = self.loc();
        let at = self.at;
        self.next();
        let is_type = self.type_ahead();
        self.at = at;
        if !is_type {
            return Ok(None);
        }
        let Some(ty) = self.attempt(|p| p.parenthesised(Self::type_name)) else {
            return Ok(None);
        };
        if let Some(DeclPart::Function { .. }) = ty.declarator.parts.first() {
            // `(T())` is an object in parentheses.
            self.at = at;
            return Ok(None);
        }
        self.check_typename(&ty.specs);
        let ty = Box::new(ty);
        if self.is("{") {
            let list = Box::new(self.list()?);
            let kind = ExprKind::CompoundLiteral(ty, list);
            return self.postfixes(Expr { kind, loc }).map(Some);
        }
        if self.is("(") {
            let start = self.at;
            let list = self.attempt(|p| {
                let args = p.parenthesised(|p| {
                    let mut args = vec![p.assignment()?];
                    while p.eat(",") {
                        args.push(p.assignment()?);
                    }
                    Ok(args)
                })?;
                match args.len() {
                    1 => p.fail("no list"),
                    _ => Ok(args),
                }
            });
            if let Some(list) = list {
                let kind = ExprKind::VectorLiteral(ty, list);
                return self.postfixes(Expr { kind, loc }).map(Some);
            }
            self.at = start;
        }
        let operand = Box::new(self.unary()?);
        let kind = ExprKind::Cast(ty, operand);
        Ok(Some(Expr { kind, loc }))
    }

    /// `(... op e)`, `(e op ...)` or `(a op ... op b)`; `None` if it is none.
    pub(super) fn fold(&mut self) -> Option<Expr> {
        let mut depth = 0usize;
        let mut has_dots = false;
        for n in 0..self.tokens.len() - self.at {
            let token = self.ahead(n);
            // Those in a lambda's body do not count.
            if token.kind == TokenKind::Eof || depth <= 1 && token.is(TokenKind::Punct, ";") {
                break;
            }
            if token.kind != TokenKind::Punct {
                continue;
            }
            match &*token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        break;
                    }
                }
                "..." if depth == 1 => has_dots = true,
                _ => {}
            }
        }
        match has_dots {
            true => self.attempt(Self::fold_here),
            false => None,
        }
    }

    fn fold_here(&mut self) -> Parsed<Expr> {
        let loc = self.loc();
        let start = self.at;
        let angle = std::mem::replace(&mut self.angle, false);
        self.expect("(")?;
        let mut left = None;
        let mut op = None;
        let mut packs_left = false;
        if !self.is("...") {
            left = Some(self.unary()?);
            packs_left = !self.packs_since(start).is_empty();
            op = Some(self.fold_operator()?);
        }
        self.expect("...")?;
        let mut right = None;
        if !self.is(")") {
            let again = self.fold_operator()?;
            if op.is_some_and(|op| op != again) {
                return self.fail("operators in fold expression must be the same");
            }
            op = Some(again);
            right = Some(self.unary()?);
        }
        self.angle = angle;
        self.expect(")")?;
        let packs = self.packs_since(start);
        let Some(op) = op.filter(|_| !packs.is_empty()) else {
            return self.fail("expected a pack");
        };
        let fold = cxx::Expr::Fold {
            op,
            left,
            right,
            packs_left,
            packs,
        };
        Ok(tree(fold, loc))
    }

    fn fold_operator(&mut self) -> Parsed<FoldOp> {
        if self.eat(",") {
            return Ok(FoldOp::Comma);
        }
        let Some((text, tokens)) = self.operator_ahead() else {
            return self.fail("expected an operator");
        };
        self.at += tokens;
        match BINARY.iter().find(|row| row.0 == text) {
            Some(row) => Ok(FoldOp::Binary(row.1)),
            None => Ok(FoldOp::Assign(assignment_of(text).flatten())),
        }
    }
}

/// What an assignment operator applies before; `None` for others.
fn assignment_of(text: &str) -> Option<Option<BinaryOp>> {
    if text == "=" {
        return Some(None);
    }
    if BINARY.iter().any(|row| row.0 == text) {
        return None;
    }
    let op = text.strip_suffix('=')?;
    let row = BINARY.iter().find(|row| row.0 == op)?;
    Some(Some(row.1))
}

/// Operators by their spelling behind `operator`.
pub fn operator_text(op: BinaryOp) -> &'static str {
    BINARY
        .iter()
        .find(|row| row.1 == op)
        .map_or("", |row| row.0)
}

pub fn unary_text(op: UnaryOp) -> &'static str {
    UNARY.iter().find(|row| row.1 == op).map_or("", |row| row.0)
}
