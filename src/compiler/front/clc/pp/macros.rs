//! Macro definitions (C99 6.10.3): `#define` and `#undef`.
//!
//! A body with parameters, `#` or `##` is compiled into [`Item`]s once, so that every
//! expansion is one walk over them.

use std::cell::Cell;
use std::rc::Rc;

use crate::source::SourceLoc;

use super::lexer::{Kind, SPACE, Tok};
use super::names::{Sym, sym, without_digraph};
use super::{Pp, predefined};

/// Macros whose text depends on where they are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Builtin {
    Line,
    File,
    Counter,
    IncludeLevel,
    /// `__has_attribute(x)` and similar.
    Has,
}

pub(super) struct Macro {
    pub name: Sym,
    pub loc: SourceLoc,
    pub builtin: Option<Builtin>,
    /// `None` for an object-like macro.
    pub params: Option<Params>,
    pub body: Rc<[Tok]>,
    /// The body to walk; empty when `body` can be taken as it is.
    pub items: Vec<Item>,
    /// The macro's expansion is being rescanned.
    pub active: Cell<bool>,
}

#[derive(Default)]
pub(super) struct Params {
    pub names: Vec<Sym>,
    /// The last name takes all remaining arguments.
    pub variadic: bool,
}

/// A token of a macro's body.
#[derive(Clone)]
pub(super) struct Item {
    pub tok: Tok,
    /// Index of the parameter that stands here.
    pub param: Option<usize>,
    /// `#` stood before the parameter.
    pub stringify: bool,
    /// `##` follows.
    pub paste_next: bool,
}

impl Macro {
    pub fn builtin(name: Sym, builtin: Builtin) -> Macro {
        Macro {
            name,
            loc: SourceLoc::default(),
            builtin: Some(builtin),
            params: None,
            body: Rc::new([]),
            items: Vec::new(),
            active: Cell::new(false),
        }
    }

    /// Whether one may redefine the other (C99 6.10.3p2).
    fn same_as(&self, other: &Macro) -> bool {
        let params = match (&self.params, &other.params) {
            (None, None) => true,
            (Some(a), Some(b)) => a.names == b.names && a.variadic == b.variadic,
            _ => false,
        };
        let same_tok = |(i, (a, b)): (usize, (&Tok, &Tok))| {
            a.sym == b.sym && a.kind == b.kind && (i == 0 || a.has(SPACE) == b.has(SPACE))
        };
        params
            && self.body.len() == other.body.len()
            && self.body.iter().zip(&*other.body).enumerate().all(same_tok)
    }
}

/// Compiles a body; `Err` has the place and the text of the error.
fn compile_body(
    body: &[Tok],
    params: Option<&Params>,
) -> Result<Vec<Item>, (SourceLoc, &'static str)> {
    let is_paste = |t: &Tok| t.kind == Kind::Punct && without_digraph(t.sym) == sym::HASH_HASH;
    let is_hash = |t: &Tok| t.kind == Kind::Punct && without_digraph(t.sym) == sym::HASH;
    if params.is_none() && !body.iter().any(is_paste) {
        return Ok(Vec::new());
    }
    if let (Some(first), Some(last)) = (body.first(), body.last()) {
        if is_paste(first) {
            return Err((first.loc, "'##' cannot appear at start of macro expansion"));
        }
        if is_paste(last) {
            return Err((last.loc, "'##' cannot appear at end of macro expansion"));
        }
    }
    let param_of = |t: &Tok| match t.kind {
        Kind::Ident => params?.names.iter().position(|&p| p == t.sym),
        _ => None,
    };
    let mut items: Vec<Item> = Vec::with_capacity(body.len());
    let mut tokens = body.iter();
    while let Some(&tok) = tokens.next() {
        if is_paste(&tok) {
            // Several `##` in a row paste once.
            if let Some(item) = items.last_mut() {
                item.paste_next = true;
            }
            continue;
        }
        let mut item = Item {
            tok,
            param: param_of(&tok),
            stringify: false,
            paste_next: false,
        };
        if params.is_some() && is_hash(&tok) {
            item.param = tokens.next().and_then(param_of);
            item.stringify = true;
            if item.param.is_none() {
                return Err((tok.loc, "'#' is not followed by a macro parameter"));
            }
        }
        items.push(item);
    }
    Ok(items)
}

impl Pp<'_> {
    pub(super) fn macro_of(&mut self, name: Sym) -> Option<&Rc<Macro>> {
        self.define_predefined();
        self.macros.get(name.0 as usize)?.as_ref()
    }

    /// Defines what is predefined of the names that were seen since the last call.
    fn define_predefined(&mut self) {
        while self.macros.len() < self.names.len() {
            let name = self.names.text(Sym(self.macros.len() as u32));
            let definition = predefined::definition(name, self.opts, self.target);
            self.macros.push(None);
            if let Some(text) = definition {
                self.enter_text(predefined::FILE, text);
                self.file().lexer.in_directive = true;
                self.define();
                self.files.pop();
            }
        }
    }

    pub(super) fn set_macro(&mut self, name: Sym, new: Option<Macro>) {
        self.define_predefined();
        self.macros[name.0 as usize] = new.map(Rc::new);
    }

    /// The name after `#define`, `#undef`, `#ifdef` or `#ifndef`.
    pub(super) fn macro_name(&mut self, may_change: bool) -> Option<Tok> {
        let tok = self.lex();
        let problem = match tok.kind {
            Kind::Eod => "macro name missing",
            Kind::Ident if may_change && tok.sym == sym::DEFINED => {
                "'defined' cannot be used as a macro name"
            }
            Kind::Ident => return Some(tok),
            _ => "macro name must be an identifier",
        };
        self.error(tok.loc, problem);
        None
    }

    pub(super) fn define(&mut self) {
        let Some(name) = self.macro_name(true) else {
            return;
        };
        let mut tok = self.lex();
        let mut params = None;
        if tok.is(sym::LPAREN) && !tok.has(SPACE) {
            let Some(p) = self.parameters() else {
                return;
            };
            params = Some(p);
            tok = self.lex();
        } else if !tok.has(SPACE) && tok.kind != Kind::Eod {
            self.sink
                .warning(tok.loc, "ISO C99 requires whitespace after the macro name");
        }
        let variadic = params.as_ref().is_some_and(|p| p.variadic);
        let mut body = Vec::new();
        while tok.kind != Kind::Eod {
            if tok.sym == sym::VA_ARGS && !variadic {
                let message =
                    "__VA_ARGS__ can only appear in the expansion of a C99 variadic macro";
                self.sink.warning(tok.loc, message);
            }
            tok.flags &= SPACE;
            body.push(tok);
            tok = self.lex();
        }
        if let Some(first) = body.first_mut() {
            first.set(SPACE, false);
        }
        let items = match compile_body(&body, params.as_ref()) {
            Ok(items) => items,
            Err((loc, message)) => return self.error(loc, message),
        };
        let new = Macro {
            name: name.sym,
            loc: name.loc,
            builtin: None,
            params,
            body: body.into(),
            items,
            active: Cell::new(false),
        };
        self.warn_of_redefinition(&new);
        self.set_macro(name.sym, Some(new));
    }

    fn warn_of_redefinition(&mut self, new: &Macro) {
        let Some(old) = self.macro_of(new.name) else {
            return;
        };
        let (old_loc, same, builtin) = (old.loc, old.same_as(new), old.builtin.is_some());
        // Options may override what is predefined.
        let overrides =
            self.is_file(old_loc, predefined::FILE) && self.is_file(new.loc, super::COMMAND_LINE);
        if builtin {
            self.sink.warning(new.loc, "redefining builtin macro");
        } else if !same && !overrides {
            let message = format!("'{}' macro redefined", self.names.text(new.name));
            self.sink.warning(new.loc, message);
            self.sink.note(old_loc, "previous definition is here");
        }
    }

    /// Parses `a, b, ...)`.
    fn parameters(&mut self) -> Option<Params> {
        let mut params = Params::default();
        let mut tok = self.lex();
        if tok.is(sym::RPAREN) {
            return Some(params);
        }
        loop {
            if tok.is(sym::ELLIPSIS) {
                params.names.push(sym::VA_ARGS);
                params.variadic = true;
                tok = self.lex();
            } else if tok.kind == Kind::Ident && tok.sym != sym::VA_ARGS {
                if params.names.contains(&tok.sym) {
                    let name = self.names.text(tok.sym);
                    self.error(tok.loc, format!("duplicate macro parameter name '{name}'"));
                    return None;
                }
                params.names.push(tok.sym);
                tok = self.lex();
                if tok.is(sym::ELLIPSIS) {
                    params.variadic = true;
                    tok = self.lex();
                }
            } else {
                let message = match tok.kind {
                    Kind::Eod => "missing ')' in macro parameter list",
                    _ if tok.is(sym::RPAREN) => "expected identifier in macro parameter list",
                    _ => "invalid token in macro parameter list",
                };
                self.error(tok.loc, message);
                return None;
            }
            if tok.is(sym::RPAREN) {
                return Some(params);
            }
            if params.variadic || !tok.is(sym::COMMA) {
                let message = if params.variadic || tok.kind == Kind::Eod {
                    "missing ')' in macro parameter list"
                } else {
                    "expected comma in macro parameter list"
                };
                self.error(tok.loc, message);
                return None;
            }
            tok = self.lex();
        }
    }

    pub(super) fn undef(&mut self) {
        let Some(name) = self.macro_name(true) else {
            return;
        };
        if self.macro_of(name.sym).is_some_and(|m| m.builtin.is_some()) {
            self.sink.warning(name.loc, "undefining builtin macro");
        }
        self.set_macro(name.sym, None);
        self.expect_eod("undef");
    }
}
