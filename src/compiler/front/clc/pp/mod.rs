//! The preprocessor: OpenCL C source to a stream of tokens (C99 6.10, OpenCL C section 6.10).
//!
//! Tokens flow on demand: [`lexer`] reads a file, [`directive`] takes out the directives,
//! [`expand`] replaces macros, and [`Pp::run`] collects what is left. All spellings are
//! interned ([`names`]), and macros are found by the number of their name.

mod cond;
mod directive;
mod expand;
mod include;
mod lexer;
mod macros;
mod names;
pub mod predefined;
mod raw_string;
mod text;
mod token;

pub use text::to_text;
pub use token::{Token, TokenKind, TokenStream};

use std::rc::Rc;
use std::sync::Arc;

use crate::diag::Sink;
use crate::options::Options;
use crate::source::{SourceLoc, SourceMap, Sources};
use crate::target::Target;

use directive::Conditional;
use expand::Expansion;
use include::Includes;
use lexer::{Kind, LINE_START, Lexer, SPACE, Tok};
use macros::Macro;
use names::{Names, alternative, sym, without_digraph};

/// Depth to which brackets may nest: it bounds every recursive walk over the program.
pub const MAX_NESTING: u32 = 256;
/// File name of the `-D` and `-U` options.
const COMMAND_LINE: &str = "<command line>";

/// Preprocesses the main file of `src`, which becomes file 0 of an empty `map`. Errors go to
/// `sink`; the stream holds what could be made of the source even then.
pub fn preprocess(
    src: &Sources,
    opts: &Options,
    target: &Target,
    map: &mut SourceMap,
    sink: &mut Sink,
) -> TokenStream {
    let main = map.add(src.name.to_string(), src.text.to_string());
    let mut pp = Pp {
        src,
        opts,
        target,
        map,
        sink,
        names: Names::new(),
        macros: Vec::new(),
        files: Vec::new(),
        includes: Includes::default(),
        expansion: Expansion::default(),
        fatal: false,
        brackets: 0,
        out: Vec::with_capacity(src.text.len() / 4),
    };
    for (name, builtin) in predefined::BUILTIN {
        let name = pp.names.intern(name);
        pp.set_macro(name, Some(Macro::builtin(name, *builtin)));
    }
    pp.run_command_line();
    pp.enter(main, src.text.into(), include::directory(src.name));
    pp.run();
    TokenStream { tokens: pp.out }
}

/// `-D` and `-U` as directives. A definition ends with its line.
fn command_line(opts: &Options) -> String {
    let mut text = String::new();
    for (name, body) in &opts.macros {
        let first_line = |s: &str| s.lines().next().unwrap_or("").to_string();
        text += &match body {
            Some(body) => format!("#define {} {}\n", first_line(name), first_line(body)),
            None => format!("#undef {}\n", first_line(name)),
        };
    }
    text
}

struct Pp<'a> {
    src: &'a Sources<'a>,
    opts: &'a Options,
    target: &'a Target,
    map: &'a mut SourceMap,
    sink: &'a mut Sink,
    names: Names,
    /// By name; names behind the end were not asked for.
    macros: Vec<Option<Rc<Macro>>>,
    /// The main file and the files being included, the innermost last.
    files: Vec<OpenFile>,
    includes: Includes,
    expansion: Expansion,
    /// No more tokens are read.
    fatal: bool,
    /// Open brackets of the output.
    brackets: u32,
    out: Vec<Token>,
}

/// A file being read.
struct OpenFile {
    id: u32,
    lexer: Lexer,
    /// A token read too early.
    peeked: Option<Tok>,
    conditionals: Vec<Conditional>,
    /// The folder, with a slash at its end, or empty.
    directory: String,
    /// What `#line` adds to the line number.
    line_offset: i64,
    /// Name by `#line`.
    name: Option<String>,
}

impl Pp<'_> {
    fn run(&mut self) {
        loop {
            let tok = self.next_expanded();
            let tok = self.without_alternative(tok);
            match tok.kind {
                Kind::Eof | Kind::Eod => {
                    let eof = Tok {
                        sym: sym::EMPTY,
                        ..tok
                    };
                    return self.push(TokenKind::Eof, eof);
                }
                Kind::Ident if tok.sym == sym::PRAGMA => self.pragma_operator(tok),
                Kind::Ident => self.push(TokenKind::Ident, tok),
                Kind::Number => self.push(TokenKind::Number, tok),
                Kind::Char => self.push(TokenKind::Char, tok),
                Kind::Str => self.push(TokenKind::Str, tok),
                Kind::Punct => self.punct(tok),
                Kind::Unknown => self.unknown(tok),
            }
        }
    }

    fn push(&mut self, kind: TokenKind, tok: Tok) {
        let text = match kind {
            TokenKind::Number => self.digits(tok),
            _ => self.names.text(tok.sym).clone(),
        };
        self.out.push(Token {
            kind,
            text,
            loc: tok.loc,
            space_before: tok.has(SPACE),
        });
    }

    /// A number without the digit separators of C++.
    fn digits(&self, tok: Tok) -> Arc<str> {
        let text = self.names.text(tok.sym);
        match self.opts.cxx.is_some() && text.contains('\'') {
            true => text.replace('\'', "").into(),
            false => text.clone(),
        }
    }

    /// The token that a word like `and` is in C++.
    fn without_alternative(&mut self, tok: Tok) -> Tok {
        if tok.kind == Kind::Ident
            && self.opts.cxx.is_some()
            && let Some(text) = alternative(self.names.text(tok.sym))
        {
            let (kind, sym) = (Kind::Punct, self.names.intern(text));
            return Tok { kind, sym, ..tok };
        }
        tok
    }

    fn punct(&mut self, mut tok: Tok) {
        tok.sym = without_digraph(tok.sym);
        match tok.sym {
            sym::LPAREN | sym::LBRACKET | sym::LBRACE => {
                self.brackets += 1;
                if self.brackets > MAX_NESTING {
                    return self.too_deep(tok.loc);
                }
            }
            sym::RPAREN | sym::RBRACKET | sym::RBRACE => {
                self.brackets = self.brackets.saturating_sub(1);
            }
            _ => {}
        }
        self.push(TokenKind::Punct, tok);
    }

    fn unknown(&mut self, tok: Tok) {
        let text = self.names.text(tok.sym).clone();
        match text.trim_start_matches('L').chars().next() {
            Some('"') => self.error(tok.loc, "missing terminating '\"' character"),
            Some('\'') => self.error(tok.loc, "missing terminating ' character"),
            Some(c) => {
                let code = u32::from(c);
                self.error(tok.loc, format!("unexpected character <U+{code:04X}>"));
            }
            None => {}
        }
    }

    /// The next token of the file that is in no directive, or of the directive being read.
    fn file_next(&mut self) -> Tok {
        loop {
            let mut tok = self.peek_file();
            self.take_peeked();
            let starts_line = tok.has(LINE_START);
            if starts_line {
                tok.flags = tok.flags & !LINE_START | SPACE;
            }
            match tok.kind {
                Kind::Punct if starts_line && without_digraph(tok.sym) == sym::HASH => {
                    if self.file().lexer.in_directive {
                        return tok;
                    }
                    self.directive();
                    if self.fatal {
                        return Tok {
                            kind: Kind::Eof,
                            ..tok
                        };
                    }
                }
                Kind::Eof => {
                    self.report_open_conditionals();
                    if self.files.len() == 1 {
                        return tok;
                    }
                    self.files.pop();
                }
                _ => return tok,
            }
        }
    }

    /// The next token of the innermost file, which stays to be read.
    fn peek_file(&mut self) -> Tok {
        match self.file().peeked {
            Some(tok) => tok,
            None => {
                let tok = self.lex();
                self.file().peeked = Some(tok);
                tok
            }
        }
    }

    fn take_peeked(&mut self) {
        self.file().peeked = None;
    }

    /// Reads a token past expansion and directives.
    fn lex(&mut self) -> Tok {
        let file = self.files.last_mut().expect("a file is open");
        match file.peeked.take() {
            Some(tok) => tok,
            None => file.lexer.next(&mut self.names, self.sink),
        }
    }

    /// The innermost open file; the main file stays open to the end.
    fn file(&mut self) -> &mut OpenFile {
        self.files.last_mut().expect("a file is open")
    }

    fn enter(&mut self, id: u32, text: Rc<str>, directory: String) {
        let mut lexer = Lexer::new(text, id);
        lexer.cxx = self.opts.cxx.is_some();
        self.files.push(OpenFile {
            id,
            lexer,
            peeked: None,
            conditionals: Vec::new(),
            directory,
            line_offset: 0,
            name: None,
        });
    }

    /// Opens a text that is no file.
    fn enter_text(&mut self, name: &str, text: String) {
        let rc = text.as_str().into();
        let id = self.map.add(name.to_string(), text);
        self.enter(id, rc, String::new());
    }

    /// Runs the options' directives, before the main file.
    fn run_command_line(&mut self) {
        self.enter_text(COMMAND_LINE, command_line(self.opts));
        while !self.file_next().is_end() {}
        self.files.clear();
    }

    fn is_file(&self, loc: SourceLoc, name: &str) -> bool {
        let file = self.map.files.get(loc.file as usize);
        file.is_some_and(|f| f.name == name)
    }

    /// Line number of a place of the innermost file, as `#line` has set it.
    fn line_of(&mut self, loc: SourceLoc) -> i64 {
        i64::from(self.map.line_col(loc).0) + self.file().line_offset
    }

    /// Name of the innermost file, as `#line` has set it.
    fn presumed_name(&mut self) -> String {
        let file = self.files.last().expect("a file is open");
        match &file.name {
            Some(name) => name.clone(),
            None => self.map.files[file.id as usize].name.clone(),
        }
    }

    fn error(&mut self, loc: SourceLoc, message: impl Into<String>) {
        if self.fatal {
            return;
        }
        self.sink.error(loc, message);
        self.fatal |= self.sink.stopped();
    }

    /// An error that ends preprocessing.
    fn fatal_error(&mut self, loc: SourceLoc, message: impl Into<String>) {
        self.error(loc, message);
        self.fatal = true;
    }

    fn too_deep(&mut self, loc: SourceLoc) {
        let message = format!("bracket nesting level exceeded maximum of {MAX_NESTING}");
        self.fatal_error(loc, message);
    }
}
