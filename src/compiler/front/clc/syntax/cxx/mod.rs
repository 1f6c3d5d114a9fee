//! The syntax of C++ for OpenCL (C++17 as its specification restricts it), by recursive descent: what a
//! name means decides how what follows it is read, templates' angle brackets above all, so that the
//! declarations before it are kept in tables of names ([`names`]). Functions in classes are read when the
//! class ends, because they see all of it.
//!
//! A syntax error ends the declaration or statement that it is in; reading goes on behind that.

mod allocate;
pub mod ast;
mod class;
mod decl;
mod declarator;
mod expr;
pub use expr::{operator_text, unary_text};
mod lambda;
mod names;
mod operand;
mod specifiers;
pub use specifiers::defines;
mod stmt;
mod template;

use super::ast::{External, Name, Pragma, Storage};
use super::keywords::{self, AUTO_TYPE, Role, Specifier, Word};
use crate::diag::Sink;
use crate::front::clc::pp::{Token, TokenKind, TokenStream};
use crate::options::Options;
use crate::source::SourceLoc;
use names::Tables;

/// Deepest nesting of what is read recursively.
const MAX_DEPTH: usize = 320;
/// Most operators in a chain, which make a tree of that depth.
const MAX_CHAIN: usize = 4000;

/// A syntax error.
struct Failure {
    loc: SourceLoc,
    message: String,
}

type Parsed<T> = Result<T, Box<Failure>>;

/// A function body that is read later: where it is, what was in scope, and the function.
struct Delayed {
    at: usize,
    scopes: Vec<usize>,
    function: std::sync::Arc<ast::Function>,
}

struct Parser<'s> {
    tokens: Vec<Token>,
    at: usize,
    sink: &'s mut Sink,
    names: Tables,
    depth: usize,
    /// Within so many classes.
    classes: usize,
    delayed: Vec<Delayed>,
    /// `>` ends template arguments, is no operator.
    angle: bool,
    /// The names of the classes that are being read.
    in_class: Vec<Name>,
    /// `...` stands in the declarator of the parameter being read.
    param_is_pack: bool,
    /// The scope around the template whose declaration is being read.
    template: Option<usize>,
    /// A `:` ends the declaration, that of a range-based `for`.
    in_range: bool,
    /// Types for which `auto` stands in parameters of the lambda being read.
    autos: Option<Vec<ast::TemplateParam>>,
    /// Tokens that name packs which no `...` has expanded yet.
    unexpanded: Vec<usize>,
    /// Within bodies of lambdas, whose packs may be expanded around them.
    in_lambda: usize,
    /// Errors of what is being read, which may have to be read in another way.
    found: Vec<(SourceLoc, String)>,
    /// Names that nothing declares, for which there has been an error.
    lost: Vec<Name>,
    /// Within the body of a function.
    in_block: bool,
    /// Within `sizeof`, `decltype` or `noexcept`.
    unevaluated: bool,
    /// Tokens that were looked at twice: bounds the cost of ambiguous sources.
    tries: usize,
    /// The language is OpenCL C++.
    opencl_cxx: bool,
}

/// Parses a translation unit of C++ for OpenCL, or of OpenCL C++. Syntax errors go to `sink`.
pub fn parse(tokens: &TokenStream, options: &Options, sink: &mut Sink) -> Vec<External> {
    let mut given = joined(&tokens.tokens);
    if given.iter().any(|t| &*t.text == REMOVE_SPACE) {
        given.splice(0..0, remove_address_space(&given));
    }
    let mut parser = Parser {
        tokens: given,
        at: 0,
        sink,
        names: Tables::default(),
        depth: 0,
        classes: 0,
        delayed: Vec::new(),
        angle: false,
        in_class: Vec::new(),
        param_is_pack: false,
        template: None,
        in_range: false,
        autos: None,
        unexpanded: Vec::new(),
        in_lambda: 0,
        in_block: false,
        found: Vec::new(),
        lost: Vec::new(),
        unevaluated: false,
        tries: 0,
        opencl_cxx: options.is_opencl_cxx(),
    };
    let mut out = Vec::new();
    while !parser.ended() && !parser.sink.stopped() {
        if let Some(pragma) = parser.pragma() {
            out.push(External::Pragma(pragma));
            continue;
        }
        let start = parser.at;
        parser.unexpanded.clear();
        match parser.declaration() {
            Ok(decl) => out.push(External::Cxx(decl)),
            Err(failure) => {
                parser.report(*failure);
                parser.reset();
                parser.recover(start, true);
            }
        }
        parser.read_delayed();
        for (loc, text) in std::mem::take(&mut parser.found) {
            parser.sink.error(loc, text);
        }
    }
    // Instances would tell it again.
    out.insert(0, External::Lost(parser.lost));
    out
}

/// A template that clang predefines, and headers of traits use.
const REMOVE_SPACE: &str = "__remove_address_space";

/// Its declaration, for programs that name it.
fn remove_address_space(tokens: &[Token]) -> Vec<Token> {
    let head = format!("template < class T > struct {REMOVE_SPACE} ");
    let body = "{ using type = T ; } ; ";
    let mut text = format!("{head}{body}");
    for space in ["global", "local", "constant", "private", "generic"] {
        // Not every device has the generic one, which then cannot be written.
        let named = |t: &Token| t.text.trim_start_matches("__") == space;
        if space != "generic" || tokens.iter().any(named) {
            text += &format!("{head}< __{space} T > {body}");
        }
    }
    let token = |word: &str| Token {
        kind: match word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            true => TokenKind::Ident,
            false => TokenKind::Punct,
        },
        text: word.into(),
        loc: tokens.first().map(|t| t.loc).unwrap_or_default(),
        space_before: true,
    };
    text.split_whitespace().map(token).collect()
}

/// `::` as one token, `>>` as two: where template arguments end is not known yet.
fn joined(tokens: &[Token]) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len() + 1);
    let named = |token: &Token, text: &str, offset: u32, space| Token {
        text: text.into(),
        loc: SourceLoc {
            offset: token.loc.offset + offset,
            ..token.loc
        },
        space_before: space,
        ..token.clone()
    };
    for token in tokens {
        let is_punct = token.kind == TokenKind::Punct;
        match &*token.text {
            ":" if is_punct
                && !token.space_before
                && out.last().is_some_and(|t| t.is(TokenKind::Punct, ":")) =>
            {
                if let Some(first) = out.pop() {
                    let space = first.space_before;
                    out.push(named(&first, "::", 0, space));
                }
            }
            ">>" | ">>=" if is_punct => {
                out.push(named(token, ">", 0, token.space_before));
                out.push(named(token, &token.text[1..], 1, false));
            }
            _ => out.push(token.clone()),
        }
    }
    out
}

impl Parser<'_> {
    /// Forgets what a declaration with an error has left open.
    fn reset(&mut self) {
        self.angle = false;
        self.template = None;
        self.autos = None;
        self.in_lambda = 0;
        self.in_block = false;
        self.unevaluated = false;
        self.in_class.clear();
        self.classes = 0;
        self.names.leave_to(1);
    }

    fn ended(&self) -> bool {
        self.peek().kind == TokenKind::Eof
    }

    fn peek(&self) -> &Token {
        self.ahead(0)
    }

    /// The token `n` further on, or the last.
    fn ahead(&self, n: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + n).min(last)]
    }

    fn loc(&self) -> SourceLoc {
        self.peek().loc
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        if !self.ended() {
            self.at += 1;
        }
        token
    }

    fn is(&self, text: &str) -> bool {
        self.nth_is(0, text)
    }

    /// A punctuator or word.
    fn nth_is(&self, n: usize, text: &str) -> bool {
        let token = self.ahead(n);
        matches!(token.kind, TokenKind::Punct | TokenKind::Ident) && &*token.text == text
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        if found {
            self.at += 1;
        }
        found
    }

    fn fail<T>(&self, message: impl Into<String>) -> Parsed<T> {
        self.fail_at(self.loc(), message)
    }

    fn fail_at<T>(&self, loc: SourceLoc, message: impl Into<String>) -> Parsed<T> {
        let message = message.into();
        Err(Box::new(Failure { loc, message }))
    }

    /// Behind the token before.
    fn behind(&self) -> SourceLoc {
        match self.at.checked_sub(1).map(|i| &self.tokens[i]) {
            Some(before) => SourceLoc {
                file: before.loc.file,
                offset: before.loc.offset + before.text.len() as u32,
            },
            None => self.loc(),
        }
    }

    /// Takes a word that has been refused out of the source, so that this is said once however often it is read.
    fn forget(&mut self) {
        self.tokens.remove(self.at);
    }

    fn expect(&mut self, text: &str) -> Parsed<SourceLoc> {
        let loc = self.loc();
        match self.eat(text) {
            true => Ok(loc),
            false => self.fail(format!("expected '{text}'")),
        }
    }

    /// `;`, with what it ends.
    fn expect_semicolon(&mut self, what: &str) -> Parsed<()> {
        if self.eat(";") {
            return Ok(());
        }
        let loc = self.behind();
        self.fail_at(loc, format!("expected ';' {what}"))
    }

    fn is_name(&self) -> bool {
        self.nth_is_name(0)
    }

    /// The name of a type that programs may declare again.
    fn is_type_again(&self) -> bool {
        let token = self.peek();
        token.kind == TokenKind::Ident
            && keywords::lookup(&token.text) == Word::Type { reserved: false }
            && self.word(&token.text) == CxxWord::Type
    }

    /// A type that the language has by a word.
    fn nth_is_type(&self, n: usize) -> bool {
        let token = self.ahead(n);
        token.kind == TokenKind::Ident && self.word(&token.text) == CxxWord::Type
    }

    /// An identifier that is no keyword.
    fn nth_is_name(&self, n: usize) -> bool {
        let token = self.ahead(n);
        token.kind == TokenKind::Ident && self.word(&token.text) == CxxWord::Name
    }

    fn word(&self, text: &str) -> CxxWord {
        match self.opencl_cxx {
            true if NAMES.contains(&text) || text.starts_with("atomic_") => CxxWord::Name,
            true if BOOL_VECTORS.contains(&text) => CxxWord::Type,
            true if text == "private" => CxxWord::Keyword,
            _ => word(text),
        }
    }

    fn name(&mut self) -> Parsed<Name> {
        match self.is_name() {
            true => Ok(self.next().text),
            false => self.fail("expected identifier"),
        }
    }

    fn report(&mut self, failure: Failure) {
        self.sink.error(failure.loc, failure.message);
    }

    /// Reads something one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail(format!("nesting level exceeded maximum of {MAX_DEPTH}"));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// An error behind which reading goes on.
    fn find(&mut self, loc: SourceLoc, text: String) {
        // What is read twice is wrong once.
        let known = |row: &(SourceLoc, String)| row.0 == loc && row.1 == text;
        if !self.found.iter().any(known) {
            self.found.push((loc, text));
        }
    }

    /// Reads something, or goes back if it is not that or not followed as it must be.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Option<T> {
        let (at, angle, delayed) = (self.at, self.angle, self.delayed.len());
        let found = self.found.len();
        let (in_lambda, unevaluated) = (self.in_lambda, self.unevaluated);
        let mark = self.names.mark();
        if self.tries > 64 * self.tokens.len() + 4096 {
            return None;
        }
        let read = read(self).ok();
        self.tries += self.at.abs_diff(at);
        if read.is_none() {
            self.at = at;
            self.angle = angle;
            self.names.leave_to(mark);
            self.delayed.truncate(delayed);
            self.found.truncate(found);
            self.unexpanded.retain(|&token| token < at);
            (self.in_lambda, self.unevaluated) = (in_lambda, unevaluated);
        }
        read
    }

    fn pragma(&mut self) -> Option<Pragma> {
        if self.peek().kind != TokenKind::Pragma {
            return None;
        }
        let token = self.next();
        Some(Pragma {
            words: token.text.split_whitespace().map(Name::from).collect(),
            loc: token.loc,
        })
    }

    /// Skips what is in brackets, or one token.
    fn skip(&mut self) {
        let close = match &*self.peek().text {
            "(" => ")",
            "[" => "]",
            "{" => "}",
            _ => {
                self.next();
                return;
            }
        };
        let mut stack = vec![close];
        self.next();
        while let Some(close) = stack.last()
            && !self.ended()
        {
            if self.is(close) {
                stack.pop();
            } else if self.peek().kind == TokenKind::Punct {
                match &*self.peek().text {
                    "(" => stack.push(")"),
                    "[" => stack.push("]"),
                    "{" => stack.push("}"),
                    _ => {}
                }
            }
            self.next();
        }
    }

    /// A bracket that has its other one before the block ends, or no bracket.
    fn closes(&self) -> bool {
        let mut open = Vec::new();
        for token in &self.tokens[self.at..] {
            let close = match (token.kind, &*token.text) {
                (TokenKind::Punct, "(") => ")",
                (TokenKind::Punct, "[") => "]",
                (TokenKind::Punct, "{") => "}",
                (TokenKind::Punct, text @ (")" | "]" | "}")) => {
                    if open.pop() != Some(text) {
                        return false;
                    }
                    ""
                }
                _ => "",
            };
            if !close.is_empty() {
                open.push(close);
            }
            if open.is_empty() {
                return true;
            }
        }
        false
    }

    /// Goes behind what had an error: a `;`, or a body in braces.
    fn recover(&mut self, start: usize, outermost: bool) {
        // What was read is skipped from its start, so that brackets are counted.
        let failed = self.at;
        self.at = start;
        loop {
            if self.ended() || (self.is("}") && !outermost) {
                break;
            }
            let (braces, semicolon) = (self.is("{"), self.is(";"));
            match braces || self.closes() {
                true => self.skip(),
                false => {
                    self.next();
                }
            }
            if self.at > failed && (semicolon || braces) {
                self.eat(";");
                break;
            }
        }
    }

    /// Function bodies of the class that has ended.
    fn read_delayed(&mut self) {
        let resume = self.at;
        let mut next = 0;
        while next < self.delayed.len() && !self.sink.stopped() {
            let at = self.delayed[next].at;
            let function = self.delayed[next].function.clone();
            let scopes = std::mem::take(&mut self.delayed[next].scopes);
            next += 1;
            let outside = self.names.enter_all(scopes);
            self.at = at;
            match self.function_body(&function.declarator) {
                Ok(body) => {
                    // A body that is read again is the same.
                    let _ = function.body.set(body);
                }
                Err(failure) => self.report(*failure),
            }
            self.names.enter_all(outside);
        }
        self.delayed.clear();
        self.at = resume;
    }
}

/// What a word is before any name is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CxxWord {
    Name,
    /// A builtin type.
    Type,
    /// A specifier or qualifier, OpenCL C's.
    Specifier(Specifier),
    /// Any other keyword.
    Keyword,
}

/// Keywords that C has not.
const KEYWORDS: &[&str] = &[
    AUTO_TYPE,
    "addrspace_cast",
    "alignas",
    "alignof",
    "catch",
    "class",
    "const_cast",
    "constexpr",
    "decltype",
    "delete",
    "dynamic_cast",
    "explicit",
    "export",
    "false",
    "friend",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "nullptr",
    "operator",
    "private",
    "protected",
    "public",
    "reinterpret_cast",
    "static_assert",
    "static_cast",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typeid",
    "typename",
    "using",
    "virtual",
    "__underlying_type",
];

/// Names functions of OpenCL C in headers of OpenCL C++.
const BUILTINS: &str = "__opencl_c";

/// Keywords of OpenCL C that are names in OpenCL C++.
const NAMES: &[&str] = &[
    "global",
    "local",
    "constant",
    "generic",
    "pipe",
    "memory_order",
    "memory_scope",
    "read_only",
    "write_only",
    "read_write",
];

/// Types that OpenCL C++ has beside OpenCL C's.
const BOOL_VECTORS: &[&str] = &["bool2", "bool3", "bool4", "bool8", "bool16"];

fn word(text: &str) -> CxxWord {
    if KEYWORDS.contains(&text) && text != "private" {
        return CxxWord::Keyword;
    }
    match keywords::lookup(text) {
        Word::Type { .. } => CxxWord::Type,
        // The types are declared by typedefs in C; `auto` is a type here.
        Word::Keyword {
            role: Role::Specifier(Specifier::Storage(Storage::Auto)),
            ..
        } => CxxWord::Keyword,
        Word::Keyword {
            role: Role::Specifier(specifier),
            ..
        } => CxxWord::Specifier(specifier),
        Word::Keyword { .. } => CxxWord::Keyword,
        Word::Name if keywords::CHARACTERS.contains(&text) => CxxWord::Type,
        Word::Name => CxxWord::Name,
    }
}
