//! Macro expansion (C99 6.10.3.1 to 6.10.3.4).
//!
//! A stack of frames holds token lists that wait to be rescanned, the file below them. A
//! macro is active while its frame is on the stack; its name met then is painted and never
//! expands again: the hide set of a token is the set of active macros, kept implicitly.
//! Arguments are expanded on their own: the stack is closed off at its height (`floor`),
//! and what lies below counts as the end.

use std::rc::Rc;

use crate::source::SourceLoc;

use super::lexer::{Kind, PAINTED, SPACE, Tok, lex_one};
use super::macros::{Builtin, Item, Macro};
use super::names::sym;
use super::{MAX_NESTING, Pp};
use crate::front::clc::builtins::clang;
use crate::front::clc::sema::attributes::is_attribute;

/// The most tokens that all expansions of a translation unit may produce.
const MAX_EXPANSION: usize = 4 << 20;
/// Depth to which the expansion of an argument may need the expansion of another.
const MAX_ARGUMENT_DEPTH: u32 = 512;

/// A token list being rescanned.
struct Frame {
    tokens: Rc<[Tok]>,
    pos: usize,
    /// Place of the expansion, where the tokens do not have it themselves.
    loc: Option<SourceLoc>,
    /// Is there white space before the first token?
    space: bool,
    /// The macro whose expansion this is.
    from: Option<Rc<Macro>>,
}

#[derive(Default)]
pub(super) struct Expansion {
    frames: Vec<Frame>,
    /// Frames below this index are out of reach.
    floor: usize,
    /// Below the floor is the end of the argument, not the file.
    isolated: bool,
    depth: u32,
    /// White space came before a macro that expanded to nothing.
    carry_space: bool,
    /// End of the outermost invocation: the place of `__LINE__` in it.
    end: SourceLoc,
    made: usize,
    counter: u64,
}

impl Pp<'_> {
    /// The next token, not expanded.
    pub(super) fn raw_next(&mut self) -> Tok {
        let x = &mut self.expansion;
        if self.fatal {
            return x.end_token();
        }
        while let Some(frame) = x.top() {
            if let Some(&(mut tok)) = frame.tokens.get(frame.pos) {
                if let Some(loc) = frame.loc {
                    tok.loc = loc;
                    if frame.pos == 0 {
                        tok.set(SPACE, frame.space);
                    }
                }
                frame.pos += 1;
                return tok;
            }
            x.pop();
        }
        if x.isolated {
            return x.end_token();
        }
        self.file_next()
    }

    /// The next token after expansion.
    pub(super) fn next_expanded(&mut self) -> Tok {
        loop {
            let mut tok = self.raw_next();
            if tok.kind == Kind::Ident && self.expand(&mut tok) {
                continue;
            }
            if std::mem::take(&mut self.expansion.carry_space) {
                tok.set(SPACE, true);
            }
            return tok;
        }
    }

    /// Drops what is left of expansions, at the end of a directive.
    pub(super) fn drop_frames(&mut self) {
        while self.expansion.top().is_some() {
            self.expansion.pop();
        }
        self.expansion.carry_space = false;
    }

    /// Starts the expansion of `tok` if it is a macro's name; then the token is used up.
    fn expand(&mut self, tok: &mut Tok) -> bool {
        if tok.has(PAINTED) || self.fatal {
            return false;
        }
        let Some(mac) = self.macro_of(tok.sym) else {
            return false;
        };
        if mac.active.get() {
            tok.flags |= PAINTED;
            return false;
        }
        let mac = mac.clone();
        let from_file = self.expansion.frames.is_empty();
        if from_file {
            self.expansion.end = tok.loc;
        }
        if let Some(builtin) = mac.builtin {
            return self.expand_builtin(builtin, tok);
        }
        let mut args = Vec::new();
        if mac.params.is_some() {
            let Some(rparen) = self.arguments(&mac, tok, &mut args) else {
                return false;
            };
            if from_file {
                self.expansion.end = rparen;
            }
        }
        let frame = if mac.items.is_empty() {
            Frame {
                tokens: mac.body.clone(),
                pos: 0,
                loc: Some(tok.loc),
                space: tok.has(SPACE),
                from: Some(mac),
            }
        } else {
            let chosen = chosen_parts(&mac, &args);
            let items = chosen.as_ref().unwrap_or(&mac.items);
            let mut tokens = self.substitute(items, args, tok.loc);
            if let Some(first) = tokens.first_mut() {
                first.set(SPACE, tok.has(SPACE));
            }
            Frame {
                tokens: tokens.into(),
                pos: 0,
                loc: None,
                space: false,
                from: Some(mac),
            }
        };
        if frame.tokens.is_empty() {
            self.expansion.carry_space |= tok.has(SPACE);
        }
        self.count(frame.tokens.len(), tok.loc);
        if let Some(mac) = &frame.from {
            mac.active.set(true);
        }
        self.expansion.frames.push(frame);
        true
    }

    /// Bounds the memory that macros can ask for.
    fn count(&mut self, tokens: usize, loc: SourceLoc) {
        self.expansion.made += tokens;
        if self.expansion.made > MAX_EXPANSION {
            self.fatal_error(
                loc,
                format!("macro expansion exceeds the limit of {MAX_EXPANSION} tokens"),
            );
        }
    }

    fn expand_builtin(&mut self, builtin: Builtin, name: &Tok) -> bool {
        let (kind, text) = match builtin {
            Builtin::Line => (Kind::Number, self.line_of(self.expansion.end).to_string()),
            Builtin::File => (Kind::Str, quote(&self.presumed_name())),
            Builtin::IncludeLevel => (Kind::Number, (self.files.len() - 1).to_string()),
            Builtin::Counter => {
                self.expansion.counter += 1;
                (Kind::Number, (self.expansion.counter - 1).to_string())
            }
            Builtin::Has => {
                if !self.take_lparen() {
                    let name = self.names.text(name.sym);
                    self.error(self.expansion.end, format!("missing '(' after '{name}'"));
                    return false;
                }
                let Some((_, args)) = self.balanced(name, |_, _| {}) else {
                    return false;
                };
                let asked = match &args[0][..] {
                    [only] => self.names.text(only.sym),
                    _ => "",
                };
                let known = match &**self.names.text(name.sym) {
                    "__has_builtin" => clang::has(asked),
                    "__has_attribute" => is_attribute(asked),
                    "__has_include" => {
                        let text = args[0].iter().map(|tok| &**self.names.text(tok.sym));
                        let text: String = text.collect();
                        let quoted = text.starts_with('"');
                        let name = text.trim_matches(['"', '<', '>']);
                        self.find(name, quoted).is_ok()
                    }
                    _ => false,
                };
                (Kind::Number, u8::from(known).to_string())
            }
        };
        let tok = Tok {
            kind,
            sym: self.names.intern(&text),
            ..*name
        };
        self.count(1, name.loc);
        self.expansion.frames.push(Frame {
            tokens: Rc::new([tok]),
            pos: 0,
            loc: None,
            space: false,
            from: None,
        });
        true
    }

    /// Takes the next token if it is `(`.
    fn take_lparen(&mut self) -> bool {
        let x = &mut self.expansion;
        // Macros whose frames are used up end here: the tail of one may name the next.
        while let Some(frame) = x.top() {
            if let Some(tok) = frame.tokens.get(frame.pos) {
                let found = tok.is(sym::LPAREN);
                frame.pos += usize::from(found);
                return found;
            }
            x.pop();
        }
        if x.isolated {
            return false;
        }
        let tok = self.peek_file();
        let found = tok.is(sym::LPAREN);
        if found {
            self.take_peeked();
        }
        found
    }

    /// Gives every token up to the `)` of an opened invocation, and the depth of parentheses
    /// around it, to `each`. The place of the `)`, or `None` after an error.
    fn balanced(
        &mut self,
        name: &Tok,
        mut each: impl FnMut(&mut Vec<Vec<Tok>>, Option<Tok>),
    ) -> Option<(SourceLoc, Vec<Vec<Tok>>)> {
        let mut args = vec![Vec::new()];
        let mut depth = 0;
        let mut taken = 0;
        loop {
            let mut tok = self.raw_next();
            if tok.is_end() {
                if !self.fatal {
                    self.error(name.loc, "unterminated function-like macro invocation");
                }
                return None;
            }
            if tok.is(sym::LPAREN) {
                depth += 1;
                if depth > MAX_NESTING {
                    self.too_deep(tok.loc);
                    return None;
                }
            } else if tok.is(sym::RPAREN) {
                if depth == 0 {
                    self.count(taken, name.loc);
                    return Some((tok.loc, args));
                }
                depth -= 1;
            } else if tok.kind == Kind::Ident
                && self.macro_of(tok.sym).is_some_and(|m| m.active.get())
            {
                tok.flags |= PAINTED;
            }
            taken += 1;
            if depth == 0 && tok.is(sym::COMMA) {
                each(&mut args, Some(tok));
            } else if let Some(arg) = args.last_mut() {
                arg.push(tok);
            }
        }
    }

    /// Reads the arguments of an invocation whose `(` may come next. The place of its `)`,
    /// or `None` if there is no invocation.
    fn arguments(&mut self, mac: &Macro, name: &Tok, out: &mut Vec<Vec<Tok>>) -> Option<SourceLoc> {
        let params = mac.params.as_ref()?;
        if !self.take_lparen() {
            return None;
        }
        let count = params.names.len();
        let (rparen, mut args) = self.balanced(name, |args, comma| {
            if params.variadic && args.len() == count {
                if let Some(arg) = args.last_mut() {
                    arg.extend(comma);
                }
            } else {
                args.push(Vec::new());
            }
        })?;
        if count == 0 && args.len() == 1 && args[0].is_empty() {
            args.clear();
        }
        if params.variadic && args.len() + 1 == count {
            args.push(Vec::new());
        }
        if args.len() != count {
            let few = if args.len() < count { "few" } else { "many" };
            let message = format!("too {few} arguments provided to function-like macro invocation");
            let loc = if args.len() < count { rparen } else { name.loc };
            self.error(loc, message);
            let message = format!("macro '{}' defined here", self.names.text(mac.name));
            self.sink.note(mac.loc, message);
            return None;
        }
        *out = args;
        Some(rparen)
    }

    /// The body with arguments in place of parameters, `#` and `##` done.
    fn substitute(&mut self, items: &[Item], args: Vec<Vec<Tok>>, loc: SourceLoc) -> Vec<Tok> {
        let variadic_last = args.len().checked_sub(1);
        let mut expanded: Vec<Option<Vec<Tok>>> = vec![None; args.len()];
        let mut out: Vec<Tok> = Vec::with_capacity(items.len());
        let mut pasting = false;
        // The left operand of a pending `##` is empty (a placemarker).
        let mut left_empty = false;
        // White space that belongs to the next token.
        let mut space = false;
        // What the last token of `out` is pasted of so far: a chain makes one name at its end.
        let mut pasted: Option<Pasted> = None;
        for (index, item) in items.iter().enumerate() {
            if self.fatal {
                return Vec::new();
            }
            let single;
            let operand: &[Tok] = match item.param {
                Some(p) if item.stringify => {
                    single = [self.stringify(&args[p], item.tok, loc)];
                    &single
                }
                Some(p) if pasting || item.paste_next => &args[p],
                Some(p) => {
                    if expanded[p].is_none() {
                        expanded[p] = Some(self.expand_argument(&args[p], loc));
                    }
                    expanded[p].as_deref().unwrap_or_default()
                }
                None => {
                    single = [Tok { loc, ..item.tok }];
                    &single
                }
            };
            // GNU: `, ## __VA_ARGS__` drops the comma before nothing, and pastes never.
            let swallows_comma = pasting
                && item.param.is_some()
                && item.param == variadic_last
                && items[index - 1].param.is_none()
                && items[index - 1].tok.is(sym::COMMA);
            space |= !pasting && item.tok.has(SPACE);
            if !pasting {
                self.settle(&mut pasted, &mut out);
            }
            let mut rest = operand;
            if swallows_comma {
                if operand.is_empty() {
                    out.pop();
                    left_empty = true;
                }
            } else if let (true, false, Some((&first, tail))) =
                (pasting, left_empty, operand.split_first())
                && let Some(left) = out.pop()
            {
                self.paste(left, first, loc, &mut pasted, &mut out);
                rest = tail;
                space = false;
            }
            if !rest.is_empty() {
                self.settle(&mut pasted, &mut out);
            }
            let from = out.len();
            out.extend_from_slice(rest);
            if let Some(first) = out.get_mut(from)
                && rest.len() == operand.len()
            {
                let own = swallows_comma && first.has(SPACE);
                first.set(SPACE, space || own);
                space = false;
            }
            let empty = operand.is_empty();
            left_empty = empty && (!pasting || left_empty);
            pasting = item.paste_next;
        }
        self.settle(&mut pasted, &mut out);
        out
    }

    fn expand_argument(&mut self, arg: &[Tok], loc: SourceLoc) -> Vec<Tok> {
        let mut may_expand = |t: &Tok| t.kind == Kind::Ident && self.macro_of(t.sym).is_some();
        if !arg.iter().any(&mut may_expand) {
            return arg.to_vec();
        }
        if self.expansion.depth == MAX_ARGUMENT_DEPTH {
            self.fatal_error(loc, "macro arguments are nested too deeply");
            return Vec::new();
        }
        let x = &mut self.expansion;
        let saved = (x.floor, x.isolated, x.carry_space);
        (x.floor, x.isolated, x.carry_space) = (x.frames.len(), true, false);
        x.depth += 1;
        x.frames.push(Frame {
            tokens: arg.into(),
            pos: 0,
            loc: None,
            space: false,
            from: None,
        });
        let mut out = Vec::new();
        loop {
            let tok = self.next_expanded();
            if tok.kind == Kind::Eof {
                break;
            }
            out.push(tok);
        }
        let x = &mut self.expansion;
        x.depth -= 1;
        (x.floor, x.isolated, x.carry_space) = saved;
        self.count(out.len(), loc);
        out
    }

    /// `#` (C99 6.10.3.2).
    fn stringify(&mut self, arg: &[Tok], hash: Tok, loc: SourceLoc) -> Tok {
        let mut text = String::from("\"");
        for (i, tok) in arg.iter().enumerate() {
            if i > 0 && tok.has(SPACE) {
                text.push(' ');
            }
            let spelling = self.names.text(tok.sym);
            if matches!(tok.kind, Kind::Str | Kind::Char) {
                for c in spelling.chars() {
                    if matches!(c, '"' | '\\') {
                        text.push('\\');
                    }
                    text.push(c);
                }
            } else {
                text.push_str(spelling);
            }
        }
        text.push('"');
        self.count(1 + text.len() / 16, loc);
        let sym = self.names.intern(&text);
        Tok {
            kind: Kind::Str,
            sym,
            loc,
            ..hash
        }
    }

    /// `##` (C99 6.10.3.3).
    fn paste(
        &mut self,
        left: Tok,
        right: Tok,
        loc: SourceLoc,
        pasted: &mut Option<Pasted>,
        out: &mut Vec<Tok>,
    ) {
        let before = pasted.take().unwrap_or_else(|| Pasted {
            kind: left.kind,
            text: self.names.text(left.sym).to_string(),
        });
        let behind = self.names.text(right.sym);
        self.expansion.made += behind.len() / 16;
        let joined = before.text.len();
        let mut text = before.text;
        text.push_str(behind);
        let kind = match goes_on(before.kind, &text[..joined], right.kind, &text[joined..]) {
            true => Some(before.kind),
            false => lex_one(&text, &mut self.names).map(|(kind, _)| kind),
        };
        self.count(1, loc);
        let Some(kind) = kind else {
            let message = format!("pasting formed '{text}', an invalid preprocessing token");
            self.error(loc, message);
            text.truncate(joined);
            out.push(left);
            *pasted = Some(Pasted {
                kind: before.kind,
                text,
            });
            self.settle(pasted, out);
            out.push(right);
            return;
        };
        out.push(Tok {
            kind,
            sym: sym::EMPTY,
            flags: left.flags & SPACE,
            loc,
        });
        *pasted = Some(Pasted { kind, text });
    }

    /// Names the last token, if it has been pasted.
    fn settle(&mut self, pasted: &mut Option<Pasted>, out: &mut [Tok]) {
        if let (Some(pasted), Some(last)) = (pasted.take(), out.last_mut()) {
            last.kind = pasted.kind;
            last.sym = self.names.intern(&pasted.text);
        }
    }
}

/// A token that `##` makes.
struct Pasted {
    kind: Kind,
    text: String,
}

/// A name or number goes on with another one, which needs no look at what is before.
fn goes_on(left: Kind, text: &str, right: Kind, behind: &str) -> bool {
    let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let ends_plain = text
        .bytes()
        .last()
        .is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_');
    matches!(left, Kind::Ident | Kind::Number)
        && matches!(right, Kind::Ident | Kind::Number)
        && ends_plain
        && plain(behind)
}

impl Expansion {
    fn end_token(&self) -> Tok {
        Tok {
            kind: Kind::Eof,
            flags: 0,
            sym: sym::EMPTY,
            loc: self.end,
        }
    }

    /// The frame to read from; `None` at the floor.
    fn top(&mut self) -> Option<&mut Frame> {
        self.frames[self.floor..].last_mut()
    }

    fn pop(&mut self) {
        if let Some(Frame {
            from: Some(mac), ..
        }) = self.frames.pop()
        {
            mac.active.set(false);
        }
    }
}

/// `text` as a string literal.
pub(super) fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The body of a macro with `__VA_OPT__(tokens)` (C23 6.10.4.1): the tokens if there are variable arguments, else nothing.
fn chosen_parts(mac: &Macro, args: &[Vec<Tok>]) -> Option<Vec<Item>> {
    let is_optional = |item: &Item| item.tok.sym == sym::VA_OPT && item.tok.kind == Kind::Ident;
    let variadic = mac.params.as_ref().is_some_and(|p| p.variadic);
    if !variadic || !mac.items.iter().any(is_optional) {
        return None;
    }
    let keeps = args.last().is_some_and(|last| !last.is_empty());
    let mut out: Vec<Item> = Vec::new();
    let mut items = mac.items.iter().peekable();
    while let Some(item) = items.next() {
        let opens = items.peek().is_some_and(|next| next.tok.is(sym::LPAREN));
        if !is_optional(item) || !opens {
            out.push(item.clone());
            continue;
        }
        items.next();
        let first = out.len();
        let mut depth = 1;
        for inner in items.by_ref() {
            depth += i32::from(inner.tok.is(sym::LPAREN)) - i32::from(inner.tok.is(sym::RPAREN));
            if depth == 0 {
                // What is pasted to the closing parenthesis is pasted to what stands before it.
                if let Some(last) = out.last_mut() {
                    last.paste_next = inner.paste_next;
                }
                break;
            }
            if keeps {
                out.push(inner.clone());
            }
        }
        if let Some(inner) = out.get_mut(first) {
            inner.tok.set(SPACE, item.tok.has(SPACE));
        }
    }
    Some(out)
}
