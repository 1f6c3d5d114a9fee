//! Directives (C99 6.10): dispatch, conditional inclusion, `#line`, `#error`, pragmas.

use crate::source::SourceLoc;

use super::lexer::{Kind, LINE_START, Lexer, SPACE, Tok};
use super::names::sym;
use super::token::{Token, TokenKind};
use super::{Pp, cond};

/// An `#if` whose `#endif` has not come.
pub(super) struct Conditional {
    loc: SourceLoc,
    /// One of its groups has been chosen.
    taken: bool,
    seen_else: bool,
}

impl Pp<'_> {
    /// Handles the directive whose `#` has been read.
    pub(super) fn directive(&mut self) {
        let depth = self.files.len();
        self.file().lexer.in_directive = true;
        let name = self.lex();
        let word = self.names.text(name.sym).clone();
        match &*word {
            _ if name.kind == Kind::Eod => {}
            // GNU line marker.
            _ if name.kind == Kind::Number => self.line(name),
            "define" => self.define(),
            "undef" => {
                self.undef();
                self.expect_eod("undef");
            }
            "include" => self.include(name),
            "if" | "ifdef" | "ifndef" => self.begin_conditional(&word, name),
            "elif" | "else" | "endif" => {
                self.next_group(&word, name);
            }
            "line" => {
                let digits = self.next_expanded();
                self.line(digits);
            }
            // For object files, which there are none of.
            "ident" => {
                self.file().lexer.rest_of_line();
            }
            "error" | "warning" => {
                let message = self.file().lexer.rest_of_line();
                match &*word {
                    "error" => self.error(name.loc, message),
                    _ => self.sink.warning(name.loc, message),
                }
            }
            "pragma" => self.pragma(name),
            _ => self.error(name.loc, "invalid preprocessing directive"),
        }
        // An included file goes on top of the one with the directive.
        self.close_directive(depth - 1);
    }

    /// Drops the rest of the directive in file `index`.
    fn close_directive(&mut self, index: usize) {
        self.drop_frames();
        let file = &mut self.files[index];
        if file.lexer.in_directive {
            file.peeked = None;
            file.lexer.skip_line(self.sink);
            file.lexer.in_directive = false;
        }
    }

    /// Warns of tokens left in the directive.
    pub(super) fn expect_eod(&mut self, directive: &str) {
        let tok = self.lex();
        if !tok.is_end() {
            let message = format!("extra tokens at end of #{directive} directive");
            self.sink.warning(tok.loc, message);
        }
        self.file().peeked = Some(tok);
    }

    fn begin_conditional(&mut self, word: &str, name: Tok) {
        let live = self.condition(word);
        self.file().conditionals.push(Conditional {
            loc: name.loc,
            taken: live,
            seen_else: false,
        });
        if !live {
            self.skip_groups();
        }
    }

    /// The condition of `#if`, `#elif`, `#ifdef` or `#ifndef`; false after an error.
    fn condition(&mut self, word: &str) -> bool {
        if matches!(word, "if" | "elif") {
            return cond::evaluate(self);
        }
        let Some(name) = self.macro_name(false) else {
            return false;
        };
        self.expect_eod(word);
        self.macro_of(name.sym).is_some() == (word == "ifdef")
    }

    /// `#elif`, `#else`, `#endif` behind a group that was chosen.
    fn next_group(&mut self, word: &str, name: Tok) {
        if self.group_begins(word, name) == Some(false) {
            self.skip_groups();
        }
    }

    /// Enters the group that `#elif` or `#else` begins: is it chosen? `None` for `#endif` and
    /// after an error.
    fn group_begins(&mut self, word: &str, name: Tok) -> Option<bool> {
        let Some(open) = self.file().conditionals.last_mut() else {
            self.error(name.loc, format!("#{word} without #if"));
            return None;
        };
        if word == "endif" {
            self.file().conditionals.pop();
            self.expect_eod(word);
            return None;
        }
        if open.seen_else {
            self.error(name.loc, format!("#{word} after #else"));
            return Some(false);
        }
        let chosen = !open.taken;
        open.taken = true;
        if word == "else" {
            open.seen_else = true;
            self.expect_eod(word);
            return Some(chosen);
        }
        if !chosen {
            return Some(false);
        }
        let live = self.condition(word);
        if let Some(open) = self.file().conditionals.last_mut() {
            open.taken = live;
        }
        Some(live)
    }

    /// Moves over groups that are not chosen, up to one that is or behind the `#endif`.
    fn skip_groups(&mut self) {
        let index = self.files.len() - 1;
        let base = self.files[index].conditionals.len();
        loop {
            self.close_directive(index);
            if !self.files[index].lexer.skip_to_directive(self.sink) || self.fatal {
                return;
            }
            self.file().lexer.in_directive = true;
            let name = self.lex();
            let word = self.names.text(name.sym).clone();
            match &*word {
                // A group inside of a skipped one is never chosen.
                "if" | "ifdef" | "ifndef" => self.file().conditionals.push(Conditional {
                    loc: name.loc,
                    taken: true,
                    seen_else: false,
                }),
                "elif" | "else" | "endif" => {
                    let chosen = self.group_begins(&word, name);
                    if chosen == Some(true) || self.file().conditionals.len() < base {
                        return;
                    }
                }
                _ => {}
            }
        }
    }

    /// At the end of a file.
    pub(super) fn report_open_conditionals(&mut self) {
        for open in std::mem::take(&mut self.file().conditionals) {
            self.error(open.loc, "unterminated conditional directive");
        }
    }

    /// `#line digits ["name"]` from its digits on.
    fn line(&mut self, digits: Tok) {
        let text = self.names.text(digits.sym).clone();
        let number = match digits.kind {
            Kind::Number if text.bytes().all(|b| b.is_ascii_digit()) => text.parse::<u32>().ok(),
            _ => None,
        };
        let Some(number) = number else {
            let message = "#line directive requires a positive integer argument";
            return self.error(digits.loc, message);
        };
        let name = self.next_expanded();
        match name.kind {
            Kind::Str => {
                let text = destringize(self.names.text(name.sym));
                self.file().name = Some(text);
            }
            Kind::Eod | Kind::Eof => {}
            _ => return self.error(name.loc, "invalid filename for #line directive"),
        }
        let (physical, _) = self.map.line_col(digits.loc);
        self.file().line_offset = i64::from(number) - i64::from(physical) - 1;
    }

    fn pragma(&mut self, name: Tok) {
        let first = self.lex();
        if first.is_end() {
            return;
        }
        let mut tokens = vec![first];
        let expands = !matches!(first.sym, sym::OPENCL | sym::STDC);
        loop {
            let tok = if expands {
                self.next_expanded()
            } else {
                self.lex()
            };
            if tok.is_end() {
                break;
            }
            tokens.push(tok);
        }
        if first.sym == sym::ONCE {
            return self.include_once();
        }
        self.push_pragma(&tokens, name.loc);
    }

    fn push_pragma(&mut self, tokens: &[Tok], loc: SourceLoc) {
        let words: Vec<&str> = tokens.iter().map(|t| &**self.names.text(t.sym)).collect();
        self.out.push(Token {
            kind: TokenKind::Pragma,
            text: words.join(" ").into(),
            loc,
            space_before: true,
        });
    }

    /// `_Pragma ( "text" )` (C99 6.10.9).
    pub(super) fn pragma_operator(&mut self, name: Tok) {
        let open = self.next_expanded();
        let text = self.next_expanded();
        let close = self.next_expanded();
        if !open.is(sym::LPAREN) || text.kind != Kind::Str || !close.is(sym::RPAREN) {
            let message = "_Pragma takes a parenthesized string literal";
            return self.error(name.loc, message);
        }
        let text = destringize(self.names.text(text.sym)).replace('\n', " ");
        let mut lexer = Lexer::new(text.into(), name.loc.file);
        lexer.in_directive = true;
        let mut tokens = Vec::new();
        loop {
            let mut tok = lexer.next(&mut self.names, self.sink);
            if tok.is_end() {
                break;
            }
            tok.loc = name.loc;
            tok.set(LINE_START | SPACE, false);
            tokens.push(tok);
        }
        self.push_pragma(&tokens, name.loc);
    }
}

/// The text of a string literal, with `\"` and `\\` undone.
pub(super) fn destringize(literal: &str) -> String {
    let inner = literal.trim_start_matches('L');
    let inner = inner.strip_prefix('"').unwrap_or(inner);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut text = String::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&next @ ('"' | '\\'))) => {
                text.push(next);
                chars.next();
            }
            _ => text.push(c),
        }
    }
    text
}
