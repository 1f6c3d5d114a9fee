//! Source text to preprocessing tokens (C99 6.4), one at a time.
//!
//! Line splices may stand anywhere, so every byte is read through [`Lexer::at`], which
//! steps over them; a token whose bytes are not contiguous gets a cleaned spelling.
//! Comments are white space. Inside a directive the line end is a token, `Eod`, which
//! stays until the directive is closed.

use std::borrow::Cow;
use std::rc::Rc;

use crate::diag::Sink;
use crate::source::SourceLoc;

use super::names::{Names, Sym, sym};
use super::raw_string;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Ident,
    Number,
    Char,
    Str,
    Punct,
    /// No token of C: a literal without its end, or a foreign character. An error only if it
    /// reaches the parser.
    Unknown,
    /// End of a directive.
    Eod,
    /// End of a file, or of a macro argument.
    Eof,
}

/// White space comes before the token.
pub(super) const SPACE: u8 = 1;
/// First token of a line.
pub(super) const LINE_START: u8 = 2;
/// A macro name that was met inside its own expansion and never expands (C99 6.10.3.4p2).
pub(super) const PAINTED: u8 = 4;

#[derive(Debug, Clone, Copy)]
pub(super) struct Tok {
    pub kind: Kind,
    pub flags: u8,
    pub sym: Sym,
    pub loc: SourceLoc,
}

impl Tok {
    pub fn is(&self, punct: Sym) -> bool {
        self.sym == punct && self.kind == Kind::Punct
    }

    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    pub fn set(&mut self, flag: u8, on: bool) {
        self.flags = self.flags & !flag | if on { flag } else { 0 };
    }

    pub fn is_end(&self) -> bool {
        matches!(self.kind, Kind::Eod | Kind::Eof)
    }
}

pub(super) struct Lexer {
    text: Rc<str>,
    pos: usize,
    file: u32,
    line_start: bool,
    /// The line end is a token.
    pub in_directive: bool,
    /// Strings may be raw.
    pub cxx: bool,
}

/// Last bytes of trigraphs, and what each stands for.
const TRIGRAPHS: (&[u8; 9], &[u8; 9]) = (b"=/'()!<>-", b"#\\^[]|{}~");

fn is_ident_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$'
}

impl Lexer {
    pub fn new(text: Rc<str>, file: u32) -> Lexer {
        let pos = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Lexer {
            text,
            pos,
            file,
            line_start: true,
            in_directive: false,
            cxx: false,
        }
    }

    pub fn loc(&self) -> SourceLoc {
        self.loc_of(self.pos)
    }

    fn loc_of(&self, pos: usize) -> SourceLoc {
        SourceLoc {
            file: self.file,
            offset: pos as u32,
        }
    }

    /// Length of the line splice at `pos`; 0 if there is none. Blanks before the line end
    /// are let pass, as C compilers do.
    fn splice_len(&self, pos: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut end = match bytes.get(pos) {
            Some(b'\\') => pos + 1,
            Some(b'?') if self.trigraph(pos) == Some(b'\\') => pos + 3,
            _ => return 0,
        };
        while matches!(bytes.get(end), Some(b' ' | b'\t' | b'\r')) {
            end += 1;
        }
        if bytes.get(end) == Some(&b'\n') {
            end + 1 - pos
        } else {
            0
        }
    }

    /// What the three bytes at `pos` stand for (C99 5.2.1.1).
    fn trigraph(&self, pos: usize) -> Option<u8> {
        let &[b'?', b'?', last] = self.text.as_bytes().get(pos..pos + 3)? else {
            return None;
        };
        let i = TRIGRAPHS.0.iter().position(|&b| b == last)?;
        Some(TRIGRAPHS.1[i])
    }

    /// The byte at or after `pos` that is no splice, and the position behind it.
    /// 0 at the end of the text.
    fn at(&self, mut pos: usize) -> (u8, usize) {
        loop {
            match self.text.as_bytes().get(pos) {
                None => return (0, pos),
                Some(b'\\') => match self.splice_len(pos) {
                    0 => return (b'\\', pos + 1),
                    len => pos += len,
                },
                Some(b'?') => match (self.splice_len(pos), self.trigraph(pos)) {
                    (0, None) => return (b'?', pos + 1),
                    (0, Some(b)) => return (b, pos + 3),
                    (len, _) => pos += len,
                },
                Some(&b) => return (b, pos + 1),
            }
        }
    }

    fn at_end(&self) -> bool {
        self.pos >= self.text.len()
    }

    /// Text of a range without its splices and trigraphs.
    fn spelling(&self, start: usize, end: usize) -> Cow<'_, str> {
        let raw = &self.text[start..end];
        if !raw.contains('\\') && !raw.contains("??") {
            return raw.into();
        }
        let mut clean = String::with_capacity(raw.len());
        let (mut from, mut pos) = (start, start);
        while pos < end {
            let (other, len) = match (self.splice_len(pos), self.trigraph(pos)) {
                (0, None) => (None, 0),
                (0, other) => (other, 3),
                (len, _) => (None, len),
            };
            if len == 0 {
                pos += 1;
                continue;
            }
            clean.push_str(&self.text[from..pos]);
            clean.extend(other.map(char::from));
            pos += len;
            from = pos;
        }
        clean.push_str(&self.text[from..end.max(from)]);
        clean.into()
    }

    /// Moves over white space and comments, and over line ends outside of a directive.
    fn skip_space(&mut self, sink: &mut Sink) -> bool {
        let start = self.pos;
        loop {
            let (b, next) = self.at(self.pos);
            match b {
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.pos = next,
                b'\n' if !self.in_directive => {
                    self.pos = next;
                    self.line_start = true;
                }
                0 if !self.ends_at(self.pos) => {
                    sink.warning(self.loc(), "null character ignored");
                    self.pos = next;
                }
                b'/' => match self.at(next) {
                    (b'/', after) => self.skip_line_comment(after),
                    (b'*', after) => self.skip_block_comment(after, sink),
                    _ => return self.pos > start,
                },
                _ => return self.pos > start,
            }
        }
    }

    /// Nothing but splices is left from `pos` on.
    fn ends_at(&self, mut pos: usize) -> bool {
        loop {
            match self.splice_len(pos) {
                0 => return pos >= self.text.len(),
                len => pos += len,
            }
        }
    }

    fn skip_line_comment(&mut self, from: usize) {
        self.pos = from;
        loop {
            let rest = &self.text.as_bytes()[self.pos..];
            match rest.iter().position(|&b| matches!(b, b'\n' | b'\\' | b'?')) {
                None => {
                    self.pos = self.text.len();
                    return;
                }
                Some(n) => self.pos += n,
            }
            match self.splice_len(self.pos) {
                0 if self.text.as_bytes()[self.pos] == b'\n' => return,
                0 => self.pos += 1,
                len => self.pos += len,
            }
        }
    }

    fn skip_block_comment(&mut self, from: usize, sink: &mut Sink) {
        let mut pos = from;
        loop {
            let rest = &self.text.as_bytes()[pos..];
            let Some(n) = rest.iter().position(|&b| b == b'*') else {
                sink.error(self.loc(), "unterminated /* comment");
                self.pos = self.text.len();
                return;
            };
            pos += n + 1;
            if let (b'/', after) = self.at(pos) {
                self.pos = after;
                return;
            }
        }
    }

    pub fn next(&mut self, names: &mut Names, sink: &mut Sink) -> Tok {
        let space = self.skip_space(sink);
        let mut flags = if space { SPACE } else { 0 };
        if std::mem::take(&mut self.line_start) {
            flags |= LINE_START;
        }
        // A splice before a token does not belong to it.
        while let len @ 1.. = self.splice_len(self.pos) {
            self.pos += len;
        }
        let start = self.pos;
        let (kind, end) = self.scan(start);
        if kind == Kind::Ident
            && self.cxx
            && self.text.as_bytes().get(end) == Some(&b'"')
            && let Some(text) = self.prefixed(start, end, sink)
        {
            return Tok {
                kind: Kind::Str,
                flags,
                sym: names.intern(&text),
                loc: self.loc_of(start),
            };
        }
        self.pos = end;
        let sym = match kind {
            Kind::Eod | Kind::Eof => {
                // A later call returns the same token.
                self.line_start = flags & LINE_START != 0;
                sym::EMPTY
            }
            _ => match self.spelling(start, end) {
                Cow::Borrowed(text) => names.intern(text),
                Cow::Owned(text) => names.intern(&text),
            },
        };
        Tok {
            kind,
            flags,
            sym,
            loc: self.loc_of(start),
        }
    }

    /// The string behind a prefix that ends at `quote`, as one without R or u8; moves behind it.
    fn prefixed(&mut self, start: usize, quote: usize, sink: &mut Sink) -> Option<String> {
        let prefix = self.text.get(start..quote)?;
        if prefix == "u8" {
            let (kind, end) = self.literal(b'"', quote + 1);
            let text = self.spelling(quote, end).into_owned();
            self.pos = end;
            return (kind == Kind::Str).then_some(text);
        }
        if !raw_string::is_before(&self.text[..quote]) {
            return None;
        }
        let wide = if prefix == "LR" { "L" } else { "" };
        let (text, len) = match raw_string::read(&self.text[quote + 1..]) {
            Ok((text, len)) => (raw_string::escaped(text), len),
            Err((text, at, len)) => {
                let loc = self.loc_of(at.map_or(start, |at| quote + 1 + at));
                sink.error(loc, text);
                (String::new(), len)
            }
        };
        self.pos = quote + 1 + len;
        Some(format!("{wide}\"{text}\""))
    }

    /// Kind and end of the token at `start`.
    fn scan(&self, start: usize) -> (Kind, usize) {
        let (b, next) = self.at(start);
        match b {
            0 if self.ends_at(start) && self.in_directive => (Kind::Eod, start),
            0 if self.ends_at(start) => (Kind::Eof, start),
            b'\n' => (Kind::Eod, start),
            b'L' => match self.at(next) {
                (quote @ (b'"' | b'\''), after) => self.literal(quote, after),
                _ => (Kind::Ident, self.ident(start)),
            },
            b'0'..=b'9' => (Kind::Number, self.number(next)),
            b'.' if self.at(next).0.is_ascii_digit() => (Kind::Number, self.number(next)),
            b'"' | b'\'' => self.literal(b, next),
            _ if is_ident_byte(b) => (Kind::Ident, self.ident(start)),
            0x80.. => match self.ident(start) {
                end if end > start => (Kind::Ident, end),
                _ => (Kind::Unknown, start + self.char_at(start).len_utf8()),
            },
            _ => (Kind::Punct, self.punct(b, next)),
        }
    }

    fn char_at(&self, pos: usize) -> char {
        self.text[pos..].chars().next().unwrap_or('\0')
    }

    fn ident(&self, mut pos: usize) -> usize {
        loop {
            let (b, next) = self.at(pos);
            if is_ident_byte(b) {
                pos = next;
            } else if b >= 0x80 {
                let c = self.char_at(next - 1);
                if !c.is_alphanumeric() {
                    return pos;
                }
                pos = next - 1 + c.len_utf8();
            } else {
                return pos;
            }
        }
    }

    fn number(&self, mut pos: usize) -> usize {
        loop {
            let (b, next) = self.at(pos);
            match b {
                b'e' | b'E' | b'p' | b'P' => match self.at(next) {
                    (b'+' | b'-', after) => pos = after,
                    _ => pos = next,
                },
                b'.' => pos = next,
                // A digit separator of C++.
                b'\'' if is_ident_byte(self.at(next).0) => pos = next,
                _ if is_ident_byte(b) => pos = next,
                _ => return pos,
            }
        }
    }

    fn literal(&self, quote: u8, mut pos: usize) -> (Kind, usize) {
        loop {
            let (b, next) = self.at(pos);
            match b {
                0 if self.ends_at(pos) => return (Kind::Unknown, self.text.len()),
                b'\n' => return (Kind::Unknown, pos),
                b'\\' => match self.at(next) {
                    (b'\n', after) => return (Kind::Unknown, after - 1),
                    (_, after) => pos = after,
                },
                _ if b == quote => {
                    let kind = if quote == b'"' { Kind::Str } else { Kind::Char };
                    return (kind, next);
                }
                _ => pos = next,
            }
        }
    }

    /// End of the longest punctuator that begins with `first`, whose end is `end`.
    fn punct(&self, first: u8, end: usize) -> usize {
        let (second, end2) = self.at(end);
        let (third, end3) = self.at(end2);
        match (first, second) {
            (b'<', b'<') | (b'>', b'>') if third == b'=' => end3,
            (b'.', b'.') if third == b'.' => end3,
            (b'%', b':') => match (third, self.at(end3)) {
                (b'%', (b':', end4)) => end4,
                _ => end2,
            },
            (b'+' | b'-' | b'&' | b'|' | b'<' | b'>' | b'#', _) if first == second => end2,
            (
                b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'<' | b'>' | b'=' | b'!',
                b'=',
            )
            | (b'-', b'>')
            | (b'<', b':' | b'%')
            | (b':' | b'%', b'>') => end2,
            _ => end,
        }
    }

    /// The name in `<name>` that comes next on this line, if one does, without the brackets.
    pub fn header_name(&mut self, sink: &mut Sink) -> Option<String> {
        self.skip_space(sink);
        let rest = self.text[self.pos..].strip_prefix('<')?;
        let line = rest.split('\n').next().unwrap_or("");
        let name = line[..line.find('>')?].to_string();
        self.pos += name.len() + 2;
        Some(name)
    }

    /// What is left of the line, without splices and surrounding white space.
    pub fn rest_of_line(&mut self) -> String {
        let start = self.pos;
        loop {
            match self.at(self.pos) {
                (b'\n', _) => break,
                (0, _) if self.ends_at(self.pos) => break,
                (_, next) => self.pos = next,
            }
        }
        self.spelling(start, self.pos).trim().to_string()
    }

    /// Moves behind the `#` that begins the next directive; false at the end of the text.
    pub fn skip_to_directive(&mut self, sink: &mut Sink) -> bool {
        loop {
            self.skip_line(sink);
            if self.at_end() {
                return false;
            }
            self.pos += 1;
            self.in_directive = true;
            self.skip_space(sink);
            self.in_directive = false;
            match self.at(self.pos) {
                (b'#', next) => {
                    self.pos = next;
                    return true;
                }
                (b'%', next) if self.at(next).0 == b':' => {
                    self.pos = self.at(next).1;
                    return true;
                }
                _ => {}
            }
        }
    }

    /// Moves to the line end that is in no comment.
    pub fn skip_line(&mut self, sink: &mut Sink) {
        loop {
            let (b, next) = self.at(self.pos);
            match b {
                0 if self.ends_at(self.pos) => {
                    self.pos = self.text.len();
                    return;
                }
                b'\n' => {
                    self.pos = next - 1;
                    return;
                }
                b'"' if self.cxx && raw_string::is_before(&self.text[..self.pos]) => {
                    let raw = raw_string::read(&self.text[next..]);
                    self.pos = next + raw.map_or(0, |(_, len)| len);
                }
                b'"' | b'\'' => self.pos = self.literal(b, next).1,
                b'/' => match self.at(next) {
                    (b'/', after) => self.skip_line_comment(after),
                    (b'*', after) => self.skip_block_comment(after, sink),
                    _ => self.pos = next,
                },
                _ => self.pos = next,
            }
        }
    }
}

/// Kind and symbol of `text` if it is exactly one token.
pub(super) fn lex_one(text: &str, names: &mut Names) -> Option<(Kind, Sym)> {
    let lexer = Lexer::new(text.into(), 0);
    let (kind, end) = lexer.scan(0);
    let whole = end == text.len() && !matches!(kind, Kind::Unknown | Kind::Eod | Kind::Eof);
    let comment = text.starts_with("//") || text.starts_with("/*");
    (whole && !comment).then(|| (kind, names.intern(text)))
}
