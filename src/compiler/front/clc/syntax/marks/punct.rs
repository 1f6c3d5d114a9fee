//! The machine's moves at punctuators: brackets, separators, operators.

use super::super::super::pp::TokenKind;
use super::super::keywords::Word;
use super::super::scope::Meaning;
use super::{Frame, FrameKind, Marker, Mode, Open};

impl Marker<'_> {
    pub fn punct(&mut self, text: &str) {
        match text {
            "(" => self.open_paren(),
            "[" => {
                self.leave_tag();
                let resume = match self.mode {
                    Mode::Specs { meaning, .. } | Mode::Declarator { meaning } => Mode::Suffix {
                        name: None,
                        meaning,
                    },
                    Mode::Start => Mode::Plain,
                    mode => mode,
                };
                self.open(FrameKind::Plain, b']', resume, Mode::Plain);
            }
            "{" => self.open_brace(),
            ")" | "]" | "}" => self.close(text.as_bytes()[0]),
            ";" => self.semicolon(),
            "," => self.comma(),
            _ => self.operator(text),
        }
    }

    fn operator(&mut self, text: &str) {
        self.leave_tag();
        if let "=" | ":" = text {
            self.end_declarator();
        }
        self.mode = match (text, self.mode) {
            ("=", Mode::Specs { meaning, .. } | Mode::Suffix { meaning, .. }) => {
                Mode::Value { meaning }
            }
            ("*" | "^", Mode::Specs { meaning, .. }) => Mode::Declarator { meaning },
            ("?", mode) => {
                self.conditionals += 1;
                mode
            }
            (":", mode) if self.conditionals > self.base().1 => {
                self.conditionals -= 1;
                mode
            }
            (":", Mode::Label) => Mode::Start,
            (":", Mode::Specs { meaning, .. } | Mode::Suffix { meaning, .. }) => {
                Mode::Value { meaning }
            }
            (_, Mode::Start) => Mode::Plain,
            (_, mode) => mode,
        };
    }

    /// What is open around the innermost bracket: statements and conditionals.
    fn base(&self) -> (usize, usize) {
        self.frames
            .last()
            .map_or((0, 0), |f| (f.statements, f.conditionals))
    }

    fn open(&mut self, kind: FrameKind, close: u8, resume: Mode, inside: Mode) {
        if matches!(kind, FrameKind::Params | FrameKind::Block) {
            self.scopes.push();
        }
        self.frames.push(Frame {
            kind,
            close,
            resume,
            statements: self.statements.len(),
            conditionals: self.conditionals,
        });
        self.mode = inside;
    }

    fn open_paren(&mut self) {
        match self.pending.take() {
            Some(FrameKind::For) => {
                return self.open(FrameKind::For, b')', Mode::Start, Mode::Start);
            }
            Some(FrameKind::Head) => {
                return self.open(FrameKind::Head, b')', Mode::Start, Mode::Plain);
            }
            Some(kind) => return self.open(kind, b')', self.mode, Mode::Plain),
            None => {}
        }
        self.leave_tag();
        let mode = self.mode;
        match mode {
            Mode::Specs { meaning, .. } | Mode::Declarator { meaning } if self.opens_group() => {
                let inside = Mode::Declarator { meaning };
                let resume = Mode::Suffix {
                    name: None,
                    meaning,
                };
                self.open(FrameKind::Group, b')', resume, inside);
            }
            Mode::Specs { meaning, .. }
            | Mode::Declarator { meaning }
            | Mode::Suffix { meaning, .. } => {
                let resume = match mode {
                    Mode::Suffix { .. } => mode,
                    _ => Mode::Suffix {
                        name: None,
                        meaning,
                    },
                };
                let inside = Mode::Specs {
                    typed: false,
                    meaning: Meaning::Ordinary,
                };
                self.open(FrameKind::Params, b')', resume, inside);
            }
            Mode::Start => self.open(FrameKind::Plain, b')', Mode::Plain, Mode::Plain),
            mode => self.open(FrameKind::Plain, b')', mode, Mode::Plain),
        }
    }

    /// Whether the parenthesis before a declarator's name groups it, rather than beginning the
    /// parameters of an abstract one (C99 6.7.5.3p11: a type name in there is a parameter's).
    fn opens_group(&mut self) -> bool {
        let Some(next) = self.next() else {
            return false;
        };
        if next.kind != TokenKind::Ident {
            return matches!(&*next.text, "*" | "^" | "(" | "[");
        }
        let id = self.scopes.intern(&next.text);
        match self.scopes.word(id) {
            Word::Keyword { text, .. } => text == "attribute",
            Word::Type { reserved: true } => false,
            Word::Type { reserved: false } | Word::Name
                if self.top() != Some(FrameKind::Params) =>
            {
                true
            }
            Word::Type { .. } => self.scopes.meaning(id) == Some(Meaning::Ordinary),
            Word::Name => self.scopes.meaning(id) != Some(Meaning::Typedef),
        }
    }

    fn open_brace(&mut self) {
        match self.mode {
            Mode::Tag { is_enum, .. } => {
                self.leave_tag();
                let (kind, inside) = if is_enum {
                    (FrameKind::Enumerators, Mode::Enumerator)
                } else {
                    let specs = Mode::Specs {
                        typed: false,
                        meaning: Meaning::Ordinary,
                    };
                    (FrameKind::Members, specs)
                };
                self.open(kind, b'}', self.mode, inside);
            }
            Mode::Suffix { .. } if self.frames.is_empty() => {
                self.end_declarator();
                self.open(FrameKind::Block, b'}', Mode::Start, Mode::Start);
                for id in self.params.take().unwrap_or_default() {
                    self.scopes.declare(id, Meaning::Ordinary);
                }
            }
            mode => self.open(FrameKind::Block, b'}', mode, Mode::Start),
        }
    }

    /// Closes the innermost bracket of this kind; those inside of it lack theirs. A brace closes
    /// any bracket in it, other brackets none around a brace.
    fn close(&mut self, close: u8) {
        let found = self
            .frames
            .iter()
            .rposition(|f| f.close == close || f.close == b'}');
        let Some(found) = found.filter(|&i| self.frames[i].close == close) else {
            self.finished |= close == b'}' && found.is_none();
            return;
        };
        while self.frames.len() > found + 1 {
            self.pop_frame();
        }
        let inside = self.mode;
        let frame = self.frames[found];
        if frame.kind != FrameKind::Group {
            self.end_declarator();
        }
        self.pop_frame();
        self.mode = frame.resume;
        match frame.kind {
            FrameKind::Group => {
                if let Mode::Suffix { .. } = inside {
                    self.mode = inside;
                }
            }
            FrameKind::Block if frame.resume == Mode::Start => {
                self.end_statement();
                self.finished = self.frames.is_empty();
            }
            // Braces behind something with an error, such as a function's parameters.
            FrameKind::Block if !matches!(frame.resume, Mode::Value { .. }) => {
                self.finished |= self.frames.is_empty();
            }
            _ => {}
        }
    }

    fn pop_frame(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.drop_statements(frame.statements);
        self.conditionals = frame.conditionals;
        match frame.kind {
            FrameKind::Params => {
                let names = self.scopes.pop();
                let outermost = self.frames.iter().all(|f| f.kind == FrameKind::Group);
                if outermost && self.params.is_none() {
                    self.params = Some(names);
                }
            }
            FrameKind::Block => {
                self.scopes.pop();
            }
            _ => {}
        }
    }

    fn semicolon(&mut self) {
        self.end_declarator();
        while self
            .frames
            .last()
            .is_some_and(|f| f.close != b'}' && f.kind != FrameKind::For)
        {
            self.pop_frame();
        }
        self.pending = None;
        match self.top() {
            None => self.finished = true,
            Some(FrameKind::For) => self.mode = Mode::Plain,
            Some(FrameKind::Members) => {
                self.mode = Mode::Specs {
                    typed: false,
                    meaning: Meaning::Ordinary,
                };
            }
            Some(_) => {
                self.mode = Mode::Start;
                self.end_statement();
            }
        }
    }

    /// Forgets the statements that ended with the one before: all in this block, or those up to the
    /// `if` or `do` that the next token continues.
    fn end_statement(&mut self) {
        let (statements, conditionals) = self.base();
        self.conditionals = conditionals;
        let continued = if self.next_is("else") {
            Some(Open::If)
        } else if self.next_is("while") {
            Some(Open::Do)
        } else {
            None
        };
        let at = continued.and_then(|open| self.statements.iter().rposition(|&o| o == open));
        self.drop_statements(at.unwrap_or(0).max(statements));
    }

    fn drop_statements(&mut self, keep: usize) {
        while self.statements.len() > keep {
            if let Some(Open::For) = self.statements.pop() {
                self.scopes.pop();
            }
        }
    }

    fn comma(&mut self) {
        self.leave_tag();
        self.end_declarator();
        self.mode = match (self.mode, self.top()) {
            (
                Mode::Specs { .. } | Mode::Declarator { .. } | Mode::Suffix { .. },
                Some(FrameKind::Params),
            ) => Mode::Specs {
                typed: false,
                meaning: Meaning::Ordinary,
            },
            (
                Mode::Specs { meaning, .. }
                | Mode::Declarator { meaning }
                | Mode::Suffix { meaning, .. }
                | Mode::Value { meaning },
                _,
            ) => {
                self.params = None;
                Mode::Declarator { meaning }
            }
            (_, Some(FrameKind::Enumerators)) => Mode::Enumerator,
            (Mode::Start, _) => Mode::Plain,
            (mode, _) => mode,
        };
    }
}

/// Whether two punctuators, written without a blank, would begin with a longer one than the first.
pub fn would_glue(before: &str, after: &str) -> bool {
    let first = after.as_bytes().first().copied().unwrap_or(0);
    match before {
        "+" => matches!(first, b'+' | b'='),
        "-" => matches!(first, b'-' | b'=' | b'>'),
        "&" => matches!(first, b'&' | b'='),
        "|" => matches!(first, b'|' | b'='),
        "<" => matches!(first, b'<' | b'='),
        ">" => matches!(first, b'>' | b'='),
        "=" | "!" | "*" | "/" | "%" | "^" | "<<" | ">>" => first == b'=',
        "." => first == b'.',
        _ => false,
    }
}
