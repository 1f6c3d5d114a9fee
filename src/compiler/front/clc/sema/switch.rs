//! switch with its labels; whether control reaches the end of a list of statements.

use std::collections::BTreeMap;

use super::Sema;
use super::scope::SwitchState;
use super::tree::{ExprKind, Stmt, StmtKind};
use super::types::Prim;
use crate::front::clc::syntax::ast;
use crate::source::SourceLoc;

impl Sema<'_> {
    pub fn switch(&mut self, selector: &ast::Expr, body: &ast::Stmt) -> Option<StmtKind> {
        let begin = selector.begin();
        let value = self.expr(selector);
        let is_error = self.is_error(&value);
        if !is_error && !self.types.is_integer(value.ty) {
            let text = self.types.show(value.ty);
            self.error(
                begin,
                format!("statement requires expression of integer type ({text} invalid)"),
            );
        }
        let value = self.promote(value);
        if let Some(f) = &mut self.cur {
            f.breakables.push(false);
            f.switches.push(SwitchState {
                ty: value.ty,
                cases: BTreeMap::new(),
                default: None,
                nesting: 0,
            });
        }
        self.scopes.push();
        let body = match &body.kind {
            ast::StmtKind::Block(block) => self.stmts(&block.items),
            _ => self.stmts(std::slice::from_ref(body)),
        };
        self.scopes.pop();
        if let Some(f) = &mut self.cur {
            f.breakables.pop();
            f.switches.pop();
        }
        (!is_error).then_some(StmtKind::Switch(value, body))
    }

    /// The innermost switch; labels inside nested statements need goto.
    fn enclosing_switch(&mut self, word: &str, loc: SourceLoc) -> Option<&mut SwitchState> {
        let nested = self.cur.as_ref()?.switches.last().map(|s| s.nesting > 0);
        let Some(nested) = nested else {
            self.error(loc, format!("'{word}' statement not in switch statement"));
            return None;
        };
        let f = self.cur.as_mut()?;
        f.has_goto |= nested;
        f.switches.last_mut()
    }

    /// `case lo:` or `case lo ... hi:`
    pub fn case_label(
        &mut self,
        lo: &ast::Expr,
        hi: Option<&ast::Expr>,
        loc: SourceLoc,
    ) -> Option<StmtKind> {
        self.enclosing_switch("case", loc)?;
        let first = self.case_value(lo);
        let last = match hi {
            Some(hi) => self.case_value(hi),
            None => first,
        };
        let (first, last) = (first?, last?);
        let ty = self.enclosing_switch("case", loc)?.ty;
        let signed = self.types.scalar(ty).is_some_and(Prim::is_signed);
        let prim = self.types.scalar(ty).unwrap_or(Prim::Int);
        // Order of the selector's type as unsigned numbers, for comparisons.
        let key = |bits: u64| {
            let wide = super::consts::convert_bits(prim, Prim::Long, bits);
            if signed { wide ^ 1 << 63 } else { bits }
        };
        if key(last) < key(first) {
            self.sink.warning(lo.begin(), "empty case range specified");
            return None;
        }
        let switch = self.enclosing_switch("case", loc)?;
        // They do not overlap: the last one that begins before this one's end.
        let before = switch.cases.range(..=key(last)).next_back();
        let clash = before.map(|(_, &case)| case);
        let clash = clash.filter(|&(_, b, _)| key(first) <= key(b));
        if clash.is_none() {
            switch.cases.insert(key(first), (first, last, loc));
        }
        if let Some((a, b, old)) = clash {
            let text = match signed {
                true => (super::consts::convert_bits(prim, Prim::Long, first) as i64).to_string(),
                false => first.to_string(),
            };
            let message = match a == b && first == last {
                true => format!("duplicate case value '{text}'"),
                false => format!("duplicate case value '{text}' in ranges"),
            };
            self.error(lo.begin(), message);
            self.sink.note(old, "previous case defined here");
            return None;
        }
        Some(StmtKind::Case(first, last))
    }

    /// The value in the selector's type.
    fn case_value(&mut self, e: &ast::Expr) -> Option<u64> {
        let value = match self.cxx.is_some() {
            true => self.constant_expr(e),
            false => self.expr(e),
        };
        let ty = self.cur.as_ref()?.switches.last()?.ty;
        if self.is_error(&value) || self.types.is_error(ty) {
            return None;
        }
        if !self.types.is_integer(value.ty) || self.integer_constant(&value).is_none() {
            self.error(
                e.begin(),
                "expression is not an integer constant expression",
            );
            return None;
        }
        let converted = self.convert(value, ty);
        match self.evaluate(&converted)? {
            super::consts::Value::Lanes(lanes) => lanes.first().copied(),
            super::consts::Value::Address(..) => None,
        }
    }

    pub fn default_label(&mut self, loc: SourceLoc) -> Option<StmtKind> {
        let switch = self.enclosing_switch("default", loc)?;
        if let Some(old) = switch.default.replace(loc) {
            self.error(loc, "multiple default labels in one switch");
            self.sink.note(old, "previous case defined here");
            return None;
        }
        Some(StmtKind::Default)
    }
}

/// Whether control can reach the end of the list. False if not known: only warnings depend on it.
pub fn falls_through(body: &[Stmt]) -> bool {
    let Some(last) = body.last() else {
        return true;
    };
    if body.iter().any(|s| matches!(s.kind, StmtKind::Label(_))) {
        return false;
    }
    match &last.kind {
        StmtKind::Return(_) | StmtKind::Goto(_) => false,
        StmtKind::Block(inner) => falls_through(inner),
        StmtKind::If(_, a, b) => falls_through(a) || falls_through(b),
        StmtKind::While(cond, inner) => {
            !matches!(cond.kind, ExprKind::Const(c) if c != 0) || breaks(inner)
        }
        StmtKind::DoWhile(inner, cond, _) => {
            (falls_through(inner) && !matches!(cond.kind, ExprKind::Const(c) if c != 0))
                || breaks(inner)
        }
        StmtKind::For { cond, body, .. } => {
            let endless = match cond {
                None => true,
                Some(cond) => matches!(cond.kind, ExprKind::Const(c) if c != 0),
            };
            !endless || breaks(body)
        }
        StmtKind::Switch(_, inner) => {
            let has_default = inner.iter().any(|s| matches!(s.kind, StmtKind::Default));
            !has_default || breaks(inner) || falls_through(inner)
        }
        _ => true,
    }
}

/// A break in the list leaves the statement around it.
fn breaks(body: &[Stmt]) -> bool {
    body.iter().any(|s| match &s.kind {
        StmtKind::Break => true,
        StmtKind::Block(inner) => breaks(inner),
        StmtKind::If(_, a, b) => breaks(a) || breaks(b),
        _ => false,
    })
}

/// The function returns somewhere.
pub fn has_return(body: &[Stmt]) -> bool {
    body.iter().any(|s| match &s.kind {
        StmtKind::Return(_) => true,
        StmtKind::Block(b) | StmtKind::While(_, b) | StmtKind::DoWhile(b, ..) => has_return(b),
        StmtKind::If(_, a, b) => has_return(a) || has_return(b),
        StmtKind::For { body, .. } | StmtKind::Switch(_, body) => has_return(body),
        _ => false,
    })
}
