//! printf (OpenCL C 6.15.14): the format is a literal, or a choice of literals; the arguments are promoted.

use super::Sema;
use super::consts::Value;
use super::operand::Operand;
use super::tree::{Expr, ExprKind, PrintfArg, Text};
use super::types::Prim;
use crate::front::clc::syntax::ast;
use crate::options::Standard;
use crate::printf::{Piece, pieces};
use crate::source::SourceLoc;

/// The conversion letters of a format, in order.
fn conversions(format: &str) -> Vec<char> {
    let letter = |piece| match piece {
        Piece::Directive(d) => Some(d.letter),
        Piece::Text(_) => None,
    };
    pieces(format).into_iter().filter_map(letter).collect()
}

impl Sema<'_> {
    pub fn printf(&mut self, args: &[ast::Expr], begin: SourceLoc, loc: SourceLoc) -> Expr {
        if self.opts.standard < Standard::Cl12 {
            let text = "use of function 'printf' requires OpenCL C 1.2 or later";
            self.error(begin, text);
            return self.error_expr(loc);
        }
        let Some((format, rest)) = args.split_first() else {
            self.error(
                loc,
                "too few arguments to function call, expected at least 1, have 0",
            );
            return self.error_expr(loc);
        };
        let Some(text) = self.text(format) else {
            self.error(format.begin(), "format string is not a string literal");
            return self.error_expr(loc);
        };
        self.printf_of(text, format, rest, loc)
    }

    /// A choice of formats is one of calls: each format takes the arguments in its own way.
    fn printf_of(
        &mut self,
        text: Text,
        format: &ast::Expr,
        rest: &[ast::Expr],
        loc: SourceLoc,
    ) -> Expr {
        let ty = self.types.int();
        let format_text = match text {
            Text::Literal(text) => text,
            Text::Choice(cond, a, b) => {
                let a = self.printf_of(*a, format, rest, loc);
                let b = self.printf_of(*b, format, rest, loc);
                let kind = ExprKind::Cond(cond, Box::new(a), Box::new(b));
                return Expr::new(kind, ty, loc);
            }
        };
        let mut bad = false;
        let letters = conversions(&format_text);
        if letters.len() > rest.len() {
            self.sink
                .warning(format.begin(), "more '%' conversions than data arguments");
        }
        let mut out = Vec::new();
        for (i, arg) in rest.iter().enumerate() {
            if i == letters.len() {
                self.sink
                    .warning(arg.begin(), "data argument not used by format string");
            }
            match self.printf_argument(arg, letters.get(i).copied()) {
                Some(arg) => out.push(arg),
                None => bad = true,
            }
        }
        if bad {
            return self.error_expr(loc);
        }
        let kind = ExprKind::Printf {
            format: format_text,
            args: out,
        };
        Expr::new(kind, ty, loc)
    }

    /// The text that an expression points to.
    fn text(&mut self, e: &ast::Expr) -> Option<Text> {
        let operand = self.operand(e);
        let value = self.value_of(operand);
        self.text_of(&value)
    }

    fn text_of(&self, e: &Expr) -> Option<Text> {
        let Some(Value::Address(var, offset)) = self.evaluate(e) else {
            return match &e.kind {
                ExprKind::Cond(cond, a, b) => Some(Text::Choice(
                    cond.clone(),
                    Box::new(self.text_of(a)?),
                    Box::new(self.text_of(b)?),
                )),
                ExprKind::Convert(inner) => self.text_of(inner),
                _ => None,
            };
        };
        let global = &self.globals[var.0 as usize];
        let init = global.init.as_ref()?;
        let (start, end) = (u64::try_from(offset).ok()?, self.types.size(global.ty));
        if start >= end {
            return None;
        }
        let text = String::from_utf8_lossy(&init.bytes.string(start, end)).into_owned();
        Some(Text::Literal(text))
    }

    /// Small integers become int, half becomes float; vectors and the rest stay.
    fn printf_argument(&mut self, arg: &ast::Expr, letter: Option<char>) -> Option<PrintfArg> {
        let operand: Operand = self.operand(arg);
        let shown = self.show_operand(&operand);
        let e = self.value_of(operand);
        if self.is_error(&e) {
            return None;
        }
        if letter == Some('s') {
            if let Some(text) = self.text_of(&e) {
                return Some(PrintfArg::Str(text));
            }
            let pointee = self.types.pointee(e.ty);
            // void has size 0.
            if pointee.is_none_or(|to| self.types.size(to.ty) > 1) {
                let text = "argument of the '%s' conversion must be a pointer to char";
                self.error(arg.begin(), text);
                return None;
            }
            return Some(PrintfArg::Chars(e));
        }
        let e = match self.types.scalar(e.ty) {
            Some(Prim::Half) => {
                let ty = self.types.prim(Prim::Float);
                self.convert(e, ty)
            }
            _ => self.promote(e),
        };
        if self.types.arith(e.ty).is_none() && self.types.pointee(e.ty).is_none() {
            self.error(
                arg.begin(),
                format!("cannot pass object of type {shown} to variadic function"),
            );
            return None;
        }
        Some(PrintfArg::Value(e))
    }
}
