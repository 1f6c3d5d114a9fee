//! Behind a syntax error: mends the text of a chunk where the grammar can go on, as clang does. What is missing is
//! put in; a broken expression becomes one that stands for errors; a broken statement, member or parameter is left
//! out, and what it may have declared is remembered, so that its uses are no errors.

use super::super::pp::TokenKind;
use super::keywords;
use super::marks::Chunk;
use super::messages::Failure;
use super::{BROKEN, Rule};

/// What a bracket is closed with.
fn closing(open: u8) -> Option<u8> {
    match open {
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        b'{' => Some(b'}'),
        _ => None,
    }
}

/// The keyword that a text begins with.
fn keyword(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_lowercase() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

fn begins_declaration(text: &str) -> bool {
    let word = keyword(text);
    text.starts_with(['B', 'T'])
        || keywords::specifier(word).is_some()
        || matches!(
            word,
            "struct" | "union" | "enum" | "typeof" | "alignas" | "attribute"
        )
}

impl Chunk<'_> {
    /// Mends the text where matching failed; false if nothing more can be said about it.
    pub fn mend(&mut self, failure: &Failure) -> bool {
        let at = failure.at;
        let next = self.text.as_bytes().get(at).copied();
        match failure.missing {
            Some(
                Rule::expression_end
                | Rule::return_end
                | Rule::break_end
                | Rule::continue_end
                | Rule::goto_end
                | Rule::do_end
                | Rule::assert_end,
            ) => match next {
                Some(b')' | b']') if self.text[at + 1..].starts_with(';') => {
                    self.replace(at, at + 1, "")
                }
                _ => self.replace(at, at, ";"),
            },
            Some(Rule::declaration_end | Rule::member_end | Rule::external_end) => {
                match next.is_none() || begins_declaration(&self.text[at..]) {
                    true => self.replace(at, at, ";"),
                    false => self.leave_out(at, at),
                }
            }
            Some(Rule::case_colon | Rule::default_colon) => self.replace(at, at, ":"),
            Some(Rule::for_test | Rule::for_end) if next == Some(b')') => self.replace(at, at, ";"),
            Some(Rule::block_end) if next.is_none() => {
                // Behind it another kernel begins, or nothing, where each brace is missed.
                let ended = self.tokens.last().is_some_and(|t| t.kind == TokenKind::Eof);
                let missing = if ended { 1 } else { self.open(0, at).len() };
                self.replace(at, at, &"}".repeat(missing))
            }
            Some(Rule::do_while) => {
                let end = self.end(at, Vec::new(), b";");
                self.replace(at, end, &format!("while({BROKEN})"))
            }
            _ => match self.statements.iter().rfind(|&&start| start <= at) {
                Some(&start) => self.statement(start, at),
                None => self.outside(at, failure.missing),
            },
        }
    }

    /// A statement from `start` that fails at `at`.
    fn statement(&mut self, start: usize, at: usize) -> bool {
        let text = &self.text[start..];
        let word = keyword(text);
        let open = self.open(start, at);
        let is_head = matches!(word, "if" | "for" | "while" | "switch")
            && open.first() == Some(&(start + word.len()));
        if is_head {
            return self.head(start, open[0], at);
        }
        if begins_declaration(text) {
            return self.declaration(start, at);
        }
        match word {
            "return" => self.expression(start + word.len(), at),
            "case" => {
                let end = self.end(at, Vec::new(), b":;{");
                match self.text[end..].starts_with(':') {
                    true => self.replace(start, end + 1, ""),
                    false => self.leave_out(start, at),
                }
            }
            _ => self.leave_out(start, at),
        }
    }

    /// The parentheses, opened at `open`, behind `if` and the like.
    fn head(&mut self, start: usize, open: usize, at: usize) -> bool {
        let inside = &self.text.as_bytes()[open + 1..at];
        let mut from = open + 1;
        let mut parts = 0;
        for (i, _) in inside.iter().enumerate().filter(|(_, b)| **b == b';') {
            from = open + 2 + i;
            parts += 1;
        }
        let brackets = self.brackets(from, at);
        let end = self.end(at, brackets, b");{");
        let closed = match self.text.as_bytes().get(end) {
            Some(b')') => true,
            Some(b';') => self.text[start..].starts_with("for") && parts < 2,
            _ => false,
        };
        if !closed {
            return match self.text[at..].starts_with('{') {
                true => self.replace(at, at, ")"),
                false => self.leave_out(start, at),
            };
        }
        match begins_declaration(&self.text[from..]) {
            true => self.declaration(from, at),
            false => self.replace(from, end, BROKEN),
        }
    }

    /// The initialiser that `at` is in, or else the whole declaration.
    fn declaration(&mut self, start: usize, at: usize) -> bool {
        let bytes = self.text.as_bytes();
        let mut depth = 0;
        let mut value = None;
        for (i, byte) in bytes.iter().enumerate().take(at).skip(start) {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth -= 1,
                b',' if depth == 0 => value = None,
                b'=' if depth == 0 && value.is_none() => value = Some(i + 1),
                _ => {}
            }
        }
        match value {
            Some(value) => self.expression(value, at),
            None => {
                let end = self.end(at, Vec::new(), b";");
                self.forget(start, end);
                self.leave_out(start, at)
            }
        }
    }

    /// An expression from `start` up to a comma or semicolon.
    fn expression(&mut self, start: usize, at: usize) -> bool {
        let end = self.end(at, self.brackets(start, at), b",;");
        let tail = match self.text[end..].starts_with([',', ';', ')']) {
            true => "",
            false => ";",
        };
        self.replace(start, end, &format!("{BROKEN}{tail}"))
    }

    /// Leaves out what begins at `start` and fails at `at`, but for its semicolon.
    fn leave_out(&mut self, start: usize, at: usize) -> bool {
        let end = self.end(at, Vec::new(), b";");
        let semicolon = match self.text[end..].starts_with(';') {
            true => "",
            false => ";",
        };
        self.replace(start, end, semicolon)
    }

    /// A failure in no function's body.
    fn outside(&mut self, at: usize, missing: Option<Rule>) -> bool {
        let bytes = self.text.as_bytes();
        let open = self.open(0, at);
        let is_value = |i: usize| bytes[i] == b'=';
        let outermost = open.first().copied().unwrap_or(at);
        if (0..outermost).any(is_value) {
            return self.declaration(0, at);
        }
        let Some(&open) = open.last() else {
            return false;
        };
        match bytes[open] {
            b'(' if self.body.is_some_and(|body| at < body) => {
                if missing == Some(Rule::close_paren) {
                    let end = self.end(at, Vec::new(), b");{");
                    return self.text[end..].starts_with(')') && self.replace(at, end, "");
                }
                let before = bytes[..at].iter().rposition(|b| matches!(b, b',' | b'('));
                let start = before.filter(|&i| i >= open).unwrap_or(open);
                let end = self.end(at, Vec::new(), b",);{");
                let next = bytes.get(end).copied();
                if !matches!(next, Some(b',' | b')')) {
                    return false;
                }
                let first = bytes[start];
                self.forget(start, end);
                // With one of the commas beside it.
                match (first, next) {
                    (b'(', Some(b',')) => self.replace(start + 1, end + 1, ""),
                    (b'(', _) => self.replace(start + 1, end, ""),
                    _ => self.replace(start, end, ""),
                }
            }
            b'{' if self.holds_members(open) => {
                let before = bytes[..at]
                    .iter()
                    .rposition(|b| matches!(b, b';' | b'{' | b'}'));
                let start = before.map_or(0, |i| i + 1);
                self.forget(start, self.end(at, Vec::new(), b";"));
                self.leave_out(start, at)
            }
            _ => false,
        }
    }

    /// The brace belongs to a structure or union.
    fn holds_members(&self, open: usize) -> bool {
        let before = &self.text[..open];
        let from = before.rfind([';', '{', '}', '(']).map_or(0, |i| i + 1);
        before[from..].contains("struct") || before[from..].contains("union")
    }

    /// The brackets that are open between two places.
    fn open(&self, start: usize, at: usize) -> Vec<usize> {
        let bytes = self.text.as_bytes();
        let mut open = Vec::new();
        for (i, &byte) in bytes.iter().enumerate().take(at).skip(start) {
            if closing(byte).is_some() {
                open.push(i);
            } else if let b')' | b']' | b'}' = byte {
                open.pop();
            }
        }
        open
    }

    /// What these are closed with.
    fn brackets(&self, start: usize, at: usize) -> Vec<u8> {
        let open = self.open(start, at).into_iter();
        open.filter_map(|i| closing(self.text.as_bytes()[i]))
            .collect()
    }

    /// Where what fails at `at` ends: before one of these that is in no bracket, a semicolon or the brace that
    /// closes what is around. `open` are the brackets that it has opened already.
    fn end(&self, at: usize, mut open: Vec<u8>, stops: &[u8]) -> usize {
        let before = open.len();
        let bytes = self.text.as_bytes();
        for (i, &byte) in bytes.iter().enumerate().skip(at) {
            if open.is_empty() && stops.contains(&byte) {
                return i;
            }
            // A block in it has semicolons of its own.
            if byte == b';' && !open.iter().skip(before).any(|&close| close == b'}') {
                return i;
            }
            if let Some(close) = closing(byte) {
                open.push(close);
            } else if let Some(found) = open.iter().rposition(|&close| close == byte) {
                open.truncate(found);
            } else if byte == b'}' {
                return i;
            }
        }
        bytes.len()
    }

    /// What is left out may have declared the names in it.
    fn forget(&mut self, start: usize, end: usize) {
        let text = self.text.as_bytes()[start..end].iter();
        let names = text.enumerate().filter(|(_, byte)| **byte == b'$');
        let indices: Vec<usize> = names.map(|(i, _)| self.index(start + i)).collect();
        let names = indices.into_iter().map(|i| self.tokens[i].text.clone());
        self.lost.extend(names);
    }

    /// Leaves only what the rest of the program needs to know of a function with a broken body.
    pub fn give_up(&mut self) {
        let body = self.body.take();
        self.forget(0, body.unwrap_or(self.text.len()));
        self.text.truncate(body.unwrap_or(0));
        self.text.push(';');
    }

    /// Puts another text in the place of a part; false if that changes nothing.
    fn replace(&mut self, start: usize, end: usize, new: &str) -> bool {
        if start == end && new.is_empty() {
            return false;
        }
        let token = self.token_at[start];
        self.text.replace_range(start..end, new);
        let tokens = std::iter::repeat_n(token, new.len());
        self.token_at.splice(start..end, tokens);
        let moved = |place: usize| match place {
            _ if place <= start => Some(place),
            _ if place < end => None,
            _ => Some(place - end + start + new.len()),
        };
        self.body = self.body.and_then(moved);
        let places = std::mem::take(&mut self.statements).into_iter();
        self.statements = places.filter_map(moved).collect();
        // What is put in where a statement begins ends the one before.
        if start == end && new == ";" {
            self.statements.push(start + 1);
            self.statements.sort_unstable();
            self.statements.dedup();
        }
        true
    }
}
