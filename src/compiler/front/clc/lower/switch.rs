//! Switch statements.
//!
//! The body is cut at its labels into sections. Sections that fall into the next one form a
//! chain; each chain is one case of an IR switch, so that `break` is an IR break. Within a
//! chain of several sections a number says where it is entered: `if (entry <= k) section k`.

use super::function::FunctionLowering;
use crate::front::clc::sema::tree::{Expr, Stmt, StmtKind};
use crate::ir::{BinOp, CmpOp, Op, Region, Type, Value};

/// Ranges of more values than this are compared, not listed.
const LISTED: u64 = 64;

#[derive(Default)]
struct Section<'u> {
    /// First and last value, both included.
    ranges: Vec<(u64, u64)>,
    is_default: bool,
    body: &'u [Stmt],
}

impl<'u> FunctionLowering<'_, 'u, '_> {
    pub fn switch_stmt(&mut self, selector: &'u Expr, body: &'u [Stmt]) {
        let signed = self.prim(selector.ty).is_some_and(|p| p.is_signed());
        let value = self.expr(selector);
        let chains = chains(sections(body));
        // Long ranges: computes the number of the chain first, then switches on that.
        let listed = chains.iter().flatten().all(Section::is_listed);
        let (selector, numbered) = if listed {
            (value, false)
        } else {
            (self.number(value, signed, &chains), true)
        };
        let mut cases = Vec::new();
        let mut default = None;
        for (i, chain) in chains.iter().enumerate() {
            let region = self.chain(value, signed, chain);
            let mut values = if numbered {
                vec![i as u64]
            } else {
                chain.iter().flat_map(Section::values).collect()
            };
            if chain.iter().any(|s| s.is_default) {
                values.clear();
                default = Some(region);
            } else if !values.is_empty() {
                cases.push((values, region));
            }
        }
        let default = default.unwrap_or_else(|| self.branch(|_| vec![]));
        self.b.switch(selector, cases, default, &[]);
    }

    /// The region of a chain.
    fn chain(&mut self, selector: Value, signed: bool, chain: &[Section<'u>]) -> Box<Region> {
        self.branch(|f| {
            let entry = (chain.len() > 1).then(|| f.entry(selector, signed, chain));
            for (k, section) in chain.iter().enumerate() {
                match entry {
                    // The last section runs wherever the chain is entered.
                    Some(entry) if k + 1 < chain.len() => {
                        let k = f.b.const_int(Type::I32, k as i64);
                        let entered = f.b.compare(CmpOp::Sle, entry, k);
                        let then = f.block(section.body);
                        let skip = f.branch(|_| vec![]);
                        f.b.insert0(Op::If(entered, then, skip));
                    }
                    _ => f.stmts(section.body),
                }
            }
            vec![]
        })
    }

    /// The index of the section at which the selector enters the chain.
    fn entry(&mut self, selector: Value, signed: bool, chain: &[Section]) -> Value {
        let other = chain.iter().position(|s| s.is_default);
        let last = other.unwrap_or(chain.len() - 1);
        let mut entry = self.b.const_int(Type::I32, last as i64);
        for (k, section) in chain.iter().enumerate().filter(|(k, _)| *k != last) {
            let inside = self.inside(selector, signed, &section.ranges);
            let k = self.b.const_int(Type::I32, k as i64);
            entry = self.b.select(inside, k, entry);
        }
        // The default's section may also have cases.
        entry
    }

    /// The number of the chain that the selector enters; one more than all if none.
    fn number(&mut self, selector: Value, signed: bool, chains: &[Vec<Section>]) -> Value {
        let mut number = self.b.const_int(Type::I32, chains.len() as i64);
        for (i, chain) in chains.iter().enumerate() {
            let ranges: Vec<_> = chain.iter().flat_map(|s| s.ranges.clone()).collect();
            let inside = self.inside(selector, signed, &ranges);
            let i = self.b.const_int(Type::I32, i as i64);
            number = self.b.select(inside, i, number);
        }
        number
    }

    /// Is the selector in one of the ranges?
    pub fn inside(&mut self, selector: Value, signed: bool, ranges: &[(u64, u64)]) -> Value {
        let ty = self.b.ty(selector);
        let (ge, le) = if signed {
            (CmpOp::Sge, CmpOp::Sle)
        } else {
            (CmpOp::Uge, CmpOp::Ule)
        };
        let mut any = None;
        for &(lo, hi) in ranges {
            let low = self.b.const_int(ty, lo as i64);
            let inside = if lo == hi {
                self.b.compare(CmpOp::Eq, selector, low)
            } else {
                let high = self.b.const_int(ty, hi as i64);
                let above = self.b.compare(ge, selector, low);
                let below = self.b.compare(le, selector, high);
                self.b.binary(BinOp::And, above, below)
            };
            any = Some(match any {
                Some(any) => self.b.binary(BinOp::Or, any, inside),
                None => inside,
            });
        }
        any.unwrap_or_else(|| self.b.const_bool(false))
    }
}

impl Section<'_> {
    fn is_listed(&self) -> bool {
        self.ranges
            .iter()
            .all(|(lo, hi)| hi.wrapping_sub(*lo) < LISTED)
    }

    fn values(&self) -> Vec<u64> {
        let range =
            |&(lo, hi): &(u64, u64)| (0..=hi.wrapping_sub(lo)).map(move |i| lo.wrapping_add(i));
        self.ranges.iter().flat_map(range).collect()
    }
}

/// Cuts the body at its labels. Labels without statements between them share a section.
/// What stands before the first label never runs.
fn sections(body: &[Stmt]) -> Vec<Section<'_>> {
    let mut out: Vec<Section> = Vec::new();
    let mut start = 0;
    for (i, stmt) in body.iter().enumerate() {
        let (range, is_default) = match stmt.kind {
            StmtKind::Case(lo, hi) => (Some((lo, hi)), false),
            StmtKind::Default => (None, true),
            _ => continue,
        };
        let fresh = match out.last_mut() {
            Some(last) => {
                last.body = &body[start..i];
                !last.body.is_empty()
            }
            None => true,
        };
        if fresh {
            out.push(Section::default());
        }
        if let Some(section) = out.last_mut() {
            section.ranges.extend(range);
            section.is_default |= is_default;
        }
        start = i + 1;
    }
    if let Some(last) = out.last_mut() {
        last.body = &body[start..];
    }
    out
}

/// Joins sections that fall through.
fn chains(sections: Vec<Section<'_>>) -> Vec<Vec<Section<'_>>> {
    let mut out: Vec<Vec<Section>> = Vec::new();
    let mut open = false;
    for section in sections {
        let falls = falls_through(section.body);
        match out.last_mut() {
            Some(chain) if open => chain.push(section),
            _ => out.push(vec![section]),
        }
        open = falls;
    }
    out
}

/// Whether control may reach the end. True if not known.
fn falls_through(body: &[Stmt]) -> bool {
    !body.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) => true,
        StmtKind::Block(inner) => !falls_through(inner),
        StmtKind::If(_, a, b) => !falls_through(a) && !falls_through(b),
        _ => false,
    })
}
