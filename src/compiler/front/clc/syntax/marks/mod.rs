//! The pass before the grammar: cuts the tokens into external declarations and writes each as a
//! text in which type names are told from other identifiers, so that the grammar is context-free.
//!
//! A small machine follows declarations: it knows after each token whether specifiers, a declarator
//! or something else is being read ([`Mode`]), and keeps the bracket structure on a stack of
//! [`Frame`]s. A name in a declarator is declared in the innermost scope; any other identifier is
//! marked by what its innermost declaration makes of it. Programs with syntax errors may confuse
//! the machine, never stop it: the grammar finds the error.

mod punct;

use crate::diag::Sink;
use crate::options::Standard;

use super::super::pp::{MAX_NESTING, Token, TokenKind};
use super::ast::{Name, Storage};
use super::keywords::{self, Role, Specifier, Word};
use super::scope::{Meaning, NameId, Scopes};
use punct::would_glue;

/// Deepest nesting of what has no bracket: statements in statements, `?` before its `:`.
const NESTING_LIMIT: usize = MAX_NESTING as usize;

/// One external declaration, ready for the grammar.
#[derive(Debug)]
pub struct Chunk<'t> {
    /// Its tokens and the one after them.
    pub tokens: &'t [Token],
    pub text: String,
    /// For each byte of `text`, and one past it, the index of its token.
    pub token_at: Vec<u32>,
    /// Byte offset in `text` of a function body's `{`.
    pub body: Option<usize>,
    /// Where in `text` the statements of the body begin.
    pub statements: Vec<usize>,
    /// What may have been declared in what `recover` left out.
    pub lost: Vec<Name>,
    /// The nesting limit was exceeded, which has been reported: not to be parsed.
    pub too_deep: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// A statement or declaration may begin.
    Start,
    Specs {
        /// A type specifier has been read: the next name is declared.
        typed: bool,
        meaning: Meaning,
    },
    /// Behind `struct`, `union` or `enum`. `meaning` is that of the specifiers it is one of.
    Tag {
        is_enum: bool,
        named: bool,
        meaning: Option<Meaning>,
    },
    /// Before the name of a declarator.
    Declarator { meaning: Meaning },
    /// Behind it. It is declared when the declarator ends: its own parameters and bounds do not
    /// see it (C99 6.2.1p7).
    Suffix {
        name: Option<NameId>,
        meaning: Meaning,
    },
    /// An initialiser or bit-field width; a comma leads back to declarators.
    Value { meaning: Meaning },
    /// At the name of an enumerator.
    Enumerator,
    /// Between `case` and its colon.
    Label,
    /// Anything that declares nothing.
    Plain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    Plain,
    /// Parentheses of `if`, `while`, `switch`.
    Head,
    For,
    Aside,
    Params,
    /// Parentheses around a declarator.
    Group,
    Block,
    Members,
    Enumerators,
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    kind: FrameKind,
    close: u8,
    /// What goes on behind the closing bracket.
    resume: Mode,
    /// Lengths of `Marker::statements` and `Marker::conditionals` outside of it.
    statements: usize,
    conditionals: usize,
}

/// A statement that waits for its last part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    If,
    Do,
    /// Has a scope.
    For,
    Other,
}

pub struct Marker<'t> {
    tokens: &'t [Token],
    standard: Standard,
    pos: usize,
    scopes: Scopes,
    frames: Vec<Frame>,
    mode: Mode,
    /// What the next parenthesis opens.
    pending: Option<FrameKind>,
    /// What the parameter list of the declarator being read declared.
    params: Option<Vec<NameId>>,
    statements: Vec<Open>,
    /// How many `?` have no colon yet.
    conditionals: usize,
    finished: bool,
}

impl<'t> Marker<'t> {
    /// `tokens` ends with `Eof`.
    pub fn new(tokens: &'t [Token], standard: Standard) -> Self {
        Marker {
            tokens,
            standard,
            pos: 0,
            scopes: Scopes::default(),
            frames: Vec::new(),
            mode: Mode::Start,
            pending: None,
            params: None,
            statements: Vec::new(),
            conditionals: 0,
            finished: false,
        }
    }

    /// The next external declaration; reports names where only a type can stand, and excessive nesting.
    pub fn next_chunk(&mut self, sink: &mut Sink) -> Option<Chunk<'t>> {
        self.reset();
        let first = self.pos;
        let mut text = String::new();
        let mut token_at = Vec::new();
        let mut body = None;
        let mut statements = Vec::new();
        let mut too_deep = false;
        let mut before = "";
        while !self.finished && !self.at_end() {
            let token = &self.tokens[self.pos];
            let starts_body = self.frames.is_empty();
            let starts_statement = self.starts_statement();
            let repr: &str = match token.kind {
                TokenKind::Ident => self.word(token, sink),
                TokenKind::Punct => {
                    self.punct(&token.text);
                    &token.text
                }
                TokenKind::Pragma => self.pragma(token, sink),
                TokenKind::Number => self.operand("#"),
                TokenKind::Char => self.operand("'"),
                TokenKind::Str => self.operand("\""),
                TokenKind::Eof => break,
            };
            if starts_body && repr == "{" && self.mode == Mode::Start {
                body = Some(text.len());
            }
            if token.kind == TokenKind::Punct && would_glue(before, repr) {
                text.push(' ');
            }
            if starts_statement {
                statements.push(text.len());
            }
            text.push_str(repr);
            token_at.resize(text.len(), (self.pos - first) as u32);
            before = if token.kind == TokenKind::Punct {
                repr
            } else {
                ""
            };
            let depth = self.statements.len().max(self.conditionals);
            if depth > NESTING_LIMIT && !too_deep {
                too_deep = true;
                sink.error(
                    token.loc,
                    format!("nesting level exceeded maximum of {NESTING_LIMIT}"),
                );
            }
            self.pos += 1;
        }
        if self.pos == first {
            return None;
        }
        token_at.push((self.pos - first) as u32);
        self.scopes.pop_all();
        Some(Chunk {
            tokens: &self.tokens[first..=self.pos.min(self.tokens.len() - 1)],
            text,
            token_at,
            body,
            statements,
            lost: Vec::new(),
            too_deep,
        })
    }

    fn reset(&mut self) {
        self.frames.clear();
        self.mode = Mode::Start;
        self.pending = None;
        self.params = None;
        self.statements.clear();
        self.conditionals = 0;
        self.finished = false;
    }

    /// At the end of the tokens, where a kernel begins inside of a function, which must then lack a
    /// closing brace, or where specifiers stand behind a declarator, which must lack its semicolon.
    fn at_end(&mut self) -> bool {
        let Some(token) = self.tokens.get(self.pos) else {
            return true;
        };
        let is_kernel =
            token.kind == TokenKind::Ident && matches!(&*token.text, "kernel" | "__kernel");
        match self.mode {
            _ if token.kind == TokenKind::Eof => true,
            Mode::Start => is_kernel && !self.frames.is_empty(),
            Mode::Declarator { .. } => is_kernel && self.frames.is_empty(),
            Mode::Suffix { .. } | Mode::Value { .. }
                if self.frames.is_empty()
                    && token.kind == TokenKind::Ident
                    // The type of a block's result.
                    && !self.previous_is(&["^"]) =>
            {
                let specifies = matches!(
                    keywords::lookup(&token.text),
                    Word::Type { reserved: true }
                        | Word::Keyword {
                            role: Role::Specifier(_) | Role::Tag,
                            ..
                        }
                );
                if specifies {
                    self.end_declarator();
                }
                specifies
            }
            _ => false,
        }
    }

    /// Not so in the braces of initialisers and of expressions.
    fn starts_statement(&self) -> bool {
        let block = |f: &Frame| f.kind == FrameKind::Block && f.resume == Mode::Start;
        self.mode == Mode::Start && !self.frames.is_empty() && self.frames.iter().all(block)
    }

    fn next(&self) -> Option<&'t Token> {
        self.tokens.get(self.pos + 1)
    }

    fn next_is(&self, text: &str) -> bool {
        self.next()
            .is_some_and(|t| t.kind != TokenKind::Str && &*t.text == text)
    }

    fn previous_is(&self, texts: &[&str]) -> bool {
        self.pos > 0 && texts.contains(&&*self.tokens[self.pos - 1].text)
    }

    fn next_is_word(&self) -> bool {
        self.next().is_some_and(|t| t.kind == TokenKind::Ident)
    }

    fn top(&self) -> Option<FrameKind> {
        self.frames.last().map(|f| f.kind)
    }

    /// Something that cannot begin a declaration.
    fn operand(&mut self, repr: &'static str) -> &'static str {
        self.leave_tag();
        if self.mode == Mode::Start {
            self.mode = Mode::Plain;
        }
        repr
    }

    /// A pragma counts where a statement, member or external declaration may begin.
    fn pragma(&mut self, token: &Token, sink: &mut Sink) -> &'static str {
        let at_start = match self.mode {
            Mode::Start => true,
            Mode::Specs { typed: false, .. } => self.top() == Some(FrameKind::Members),
            _ => false,
        };
        if !at_start {
            sink.warning(
                token.loc,
                "pragma inside a declaration or expression ignored",
            );
            return "";
        }
        self.finished = self.frames.is_empty();
        "`"
    }

    fn leave_tag(&mut self) {
        if let Mode::Tag { meaning, .. } = self.mode {
            self.mode = match meaning {
                Some(meaning) => Mode::Specs {
                    typed: true,
                    meaning,
                },
                None => Mode::Plain,
            };
        }
    }

    // ------------------------------------------------------------ words

    fn word(&mut self, token: &'t Token, sink: &mut Sink) -> &'static str {
        let id = self.scopes.intern(&token.text);
        let names_attribute = self.frames.len() >= 2
            && self.frames[self.frames.len() - 2].kind == FrameKind::Aside
            && self.previous_is(&["(", ","]);
        if names_attribute {
            return "$";
        }
        match self.scopes.word(id) {
            Word::Keyword { text, role } if self.acts_as_keyword(&token.text) => {
                self.keyword(text, role);
                text
            }
            Word::Type { reserved: true } => self.reserved_type(),
            word => {
                let class = match (self.scopes.meaning(id), word) {
                    (Some(Meaning::Typedef), _) => Some("T"),
                    (None, Word::Type { .. }) => Some("B"),
                    _ => None,
                };
                self.name(token, id, class, sink)
            }
        }
    }

    /// `generic` and `pipe` are keywords since OpenCL C 2.0 only: older programs use them as names.
    fn acts_as_keyword(&self, text: &str) -> bool {
        match text {
            "pipe" => self.next_is_word(),
            "generic" => self.standard >= Standard::Cl20 || self.next_is_word(),
            _ => true,
        }
    }

    fn keyword(&mut self, text: &'static str, role: Role) {
        if role != Role::Aside {
            self.leave_tag();
        }
        let specs = match self.mode {
            Mode::Start => Some((false, Meaning::Ordinary)),
            Mode::Specs { typed, meaning } => Some((typed, meaning)),
            _ => None,
        };
        match role {
            Role::Specifier(specifier) => {
                let operator = specifier == Specifier::Atomic && self.next_is("(");
                if operator {
                    self.pending = Some(FrameKind::Plain);
                }
                if let Some((typed, meaning)) = specs {
                    self.mode = Mode::Specs {
                        typed: typed || operator,
                        meaning: match specifier {
                            Specifier::Storage(Storage::Typedef) => Meaning::Typedef,
                            _ => meaning,
                        },
                    };
                }
            }
            Role::Tag => {
                self.mode = Mode::Tag {
                    is_enum: text == "enum",
                    named: false,
                    meaning: specs.map(|s| s.1),
                };
            }
            Role::TypeOperator => {
                self.pending = Some(FrameKind::Plain);
                if let Some((typed, meaning)) = specs {
                    self.mode = Mode::Specs {
                        typed: typed || text == "typeof",
                        meaning,
                    };
                }
            }
            Role::Aside => self.pending = Some(FrameKind::Aside),
            Role::Head => {
                self.pending = Some(match text {
                    "for" => FrameKind::For,
                    _ => FrameKind::Head,
                });
                self.mode = Mode::Plain;
                let open = match text {
                    "for" => {
                        self.scopes.push();
                        Open::For
                    }
                    "if" => {
                        if self.previous_is(&["else"]) {
                            self.statements.pop();
                        }
                        Open::If
                    }
                    _ => Open::Other,
                };
                self.statements.push(open);
            }
            Role::Lead => {
                self.statements.push(match text {
                    "do" => Open::Do,
                    _ => Open::Other,
                });
                self.mode = Mode::Start;
            }
            Role::Label => self.mode = Mode::Label,
            Role::Nothing => {}
            Role::Other => {
                if self.mode == Mode::Start {
                    self.mode = Mode::Plain;
                }
            }
        }
    }

    fn reserved_type(&mut self) -> &'static str {
        self.leave_tag();
        if let Mode::Start | Mode::Specs { .. } = self.mode {
            let meaning = match self.mode {
                Mode::Specs { meaning, .. } => meaning,
                _ => Meaning::Ordinary,
            };
            self.mode = Mode::Specs {
                typed: true,
                meaning,
            };
        }
        "B"
    }

    /// An identifier; `class` is its mark if it names a type.
    fn name(
        &mut self,
        token: &'t Token,
        id: NameId,
        class: Option<&'static str>,
        sink: &mut Sink,
    ) -> &'static str {
        if self.previous_is(&[".", "->", "goto"]) {
            return "$";
        }
        if let Mode::Tag { named: true, .. } = self.mode {
            self.leave_tag();
        }
        match self.mode {
            Mode::Tag {
                is_enum, meaning, ..
            } => {
                self.mode = Mode::Tag {
                    is_enum,
                    named: true,
                    meaning,
                };
                "$"
            }
            Mode::Enumerator => {
                self.declare(id, Meaning::Ordinary);
                self.mode = Mode::Plain;
                "$"
            }
            Mode::Start if !self.frames.is_empty() && self.next_is(":") => {
                self.mode = Mode::Label;
                "$"
            }
            Mode::Start | Mode::Specs { typed: false, .. } => {
                let meaning = match self.mode {
                    Mode::Specs { meaning, .. } => meaning,
                    _ => Meaning::Ordinary,
                };
                let unknown = class.is_none() && self.must_be_type(id);
                if unknown {
                    sink.error(token.loc, format!("unknown type name '{}'", token.text));
                }
                if unknown || class.is_some() {
                    self.mode = Mode::Specs {
                        typed: true,
                        meaning,
                    };
                    // decl.rs takes an unknown one for `int`, as clang does.
                    class.unwrap_or("B")
                } else if self.mode == Mode::Start && !self.frames.is_empty() {
                    self.mode = Mode::Plain;
                    "$"
                } else {
                    self.declared_name(id, meaning)
                }
            }
            Mode::Specs { meaning, .. } | Mode::Declarator { meaning } => {
                self.declared_name(id, meaning)
            }
            Mode::Suffix { .. } | Mode::Value { .. } | Mode::Label | Mode::Plain => {
                if class.is_none() && self.must_be_cast(id) {
                    sink.error(token.loc, format!("unknown type name '{}'", token.text));
                    return "B";
                }
                match class {
                    // A designator or label: no type stands before a colon.
                    Some(class) if !self.next_is(":") => class,
                    _ => "$",
                }
            }
        }
    }

    fn declared_name(&mut self, id: NameId, meaning: Meaning) -> &'static str {
        self.mode = Mode::Suffix {
            name: Some(id),
            meaning,
        };
        "$"
    }

    fn end_declarator(&mut self) {
        if let Mode::Suffix {
            name: Some(id),
            meaning,
        } = self.mode
        {
            self.declare(id, meaning);
            self.mode = Mode::Suffix {
                name: None,
                meaning,
            };
        }
    }

    fn declare(&mut self, id: NameId, meaning: Meaning) {
        let around = self
            .frames
            .iter()
            .rev()
            .find(|f| f.kind != FrameKind::Group);
        if around.is_none_or(|f| f.kind != FrameKind::Members) {
            self.scopes.declare(id, meaning);
        }
    }

    /// Whether an unknown identifier is the type of a cast: `(name) operand`, `(name *)`.
    fn must_be_cast(&self, id: NameId) -> bool {
        let in_parens = self.previous_is(&["("]) && self.top() == Some(FrameKind::Plain);
        let operand = || {
            self.tokens.get(self.pos + 2).is_some_and(|t| match t.kind {
                TokenKind::Ident | TokenKind::Number => true,
                _ => self.next_is("*") && &*t.text == ")",
            })
        };
        in_parens
            && (self.next_is(")") || self.next_is("*"))
            && operand()
            && self.scopes.meaning(id).is_none()
    }

    /// Whether an identifier that names no type stands where a declaration was plainly meant.
    fn must_be_type(&self, id: NameId) -> bool {
        match (self.mode, self.top()) {
            (Mode::Start, Some(_)) => self.next_is_word() && self.scopes.meaning(id).is_none(),
            (_, Some(FrameKind::Params)) => {
                self.next_is_word() || self.next_is("*") || self.next_is(",") || self.next_is(")")
            }
            _ => self.next_is_word() || self.next_is("*"),
        }
    }
}
