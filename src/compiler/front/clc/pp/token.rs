//! The tokens that the preprocessor hands to the parser.

use std::sync::Arc;

use crate::source::SourceLoc;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Identifier or keyword: the parser tells them apart.
    Ident,
    /// Preprocessing number (C99 6.4.8): a superset of the numeric constants.
    Number,
    /// Character constant with its quotes and escapes as written.
    Char,
    /// One string literal with its quotes and escapes as written; adjacent ones are not joined.
    Str,
    /// Operator or punctuator. Digraphs come as the punctuator they stand for.
    Punct,
    /// `#pragma` or `_Pragma`: `text` holds what follows the word, one space between
    /// tokens (`OPENCL EXTENSION cl_khr_fp64 : enable`).
    Pragma,
    /// The last token of every stream, with empty text.
    Eof,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    /// Spelling, shared by all tokens spelled alike.
    pub text: Arc<str>,
    /// Where it is written. For a token from a macro's body, where the macro was used.
    pub loc: SourceLoc,
    /// White space or a line end comes before it.
    pub space_before: bool,
}

impl Token {
    pub fn is(&self, kind: TokenKind, text: &str) -> bool {
        self.kind == kind && &*self.text == text
    }
}

/// A translation unit after preprocessing; ends with one `Eof`.
#[derive(Debug, Clone, Default)]
pub struct TokenStream {
    pub tokens: Vec<Token>,
}
