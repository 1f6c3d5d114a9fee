//! From the rules that pest expected to a sentence like clang's.

use pest::error::{Error, ErrorVariant, InputLocation};

use super::super::pp::TokenKind;
use super::Rule;
use super::marks::Chunk;
use crate::diag::Sink;
use crate::source::SourceLoc;

/// Where the caret stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Caret {
    /// Behind the token before the one that did not match.
    Behind,
    /// At the token that did not match.
    Here,
}
use Caret::{Behind, Here};

/// One sentence for each rule that may be missing. When several were expected, the first row
/// decides; at the end of the tokens, the first row of `AT_END`. `{}` is the token before.
const SENTENCES: &[(Rule, &str, Caret)] = &[
    (Rule::head_open, "expected '(' after '{}'", Here),
    (Rule::open_paren, "expected '(' after '{}'", Behind),
    (Rule::do_while, "expected 'while' in do/while loop", Here),
    (Rule::goto_label, "expected identifier", Here),
    (Rule::member_name, "expected identifier", Here),
    (Rule::enumerator, "expected identifier", Here),
    (Rule::attribute_item, "expected identifier", Here),
    (
        Rule::designator_end,
        "expected '=' or another designator",
        Here,
    ),
    (Rule::parameter, "expected parameter declarator", Here),
    (Rule::ellipsis, "expected parameter declarator", Here),
    (Rule::type_name, "expected a type", Here),
    (Rule::number, "expected expression", Here),
    (Rule::string, "expected string literal", Here),
    (Rule::declarator, "expected identifier or '('", Here),
    (Rule::init_declarator, "expected identifier or '('", Here),
    (Rule::member_item, "expected member name or ';'", Here),
    (Rule::external, "expected external declaration", Here),
    (Rule::for_init, "expected expression", Here),
    (Rule::for_test, "expected ';' in 'for'", Here),
    (Rule::for_end, "expected ';' in 'for'", Here),
    (Rule::initializer_item, "expected expression", Here),
    (Rule::operand, "expected expression", Here),
    (Rule::statement, "expected expression", Here),
    (Rule::expression_statement, "expected expression", Here),
    (
        Rule::expression_end,
        "expected ';' after expression",
        Behind,
    ),
    (
        Rule::return_end,
        "expected ';' after return statement",
        Behind,
    ),
    (
        Rule::break_end,
        "expected ';' after break statement",
        Behind,
    ),
    (
        Rule::continue_end,
        "expected ';' after continue statement",
        Behind,
    ),
    (Rule::goto_end, "expected ';' after goto statement", Behind),
    (
        Rule::do_end,
        "expected ';' after do/while statement",
        Behind,
    ),
    (
        Rule::assert_end,
        "expected ';' after '_Static_assert'",
        Behind,
    ),
    (
        Rule::declaration_end,
        "expected ';' at end of declaration",
        Behind,
    ),
    (
        Rule::member_end,
        "expected ';' at end of declaration list",
        Behind,
    ),
    (
        Rule::external_end,
        "expected ';' after top level declarator",
        Behind,
    ),
    (Rule::case_colon, "expected ':' after 'case'", Behind),
    (Rule::default_colon, "expected ':' after 'default'", Behind),
    (Rule::conditional_colon, "expected ':'", Here),
    (Rule::close_paren, "expected ')'", Here),
    (Rule::attribute_end, "expected ')'", Here),
    (Rule::close_bracket, "expected ']'", Here),
    (Rule::block_end, "expected '}'", Here),
    (Rule::initializer_end, "expected '}'", Here),
    (Rule::member_list_end, "expected '}'", Here),
    (Rule::enumerator_end, "expected '}'", Here),
    (Rule::EOI, "expected external declaration", Here),
];

/// What is missing first when the tokens end.
const AT_END: &[Rule] = &[
    Rule::block_end,
    Rule::initializer_end,
    Rule::member_list_end,
    Rule::enumerator_end,
];

/// A failed match.
pub struct Failure {
    /// Byte offset in the chunk's text.
    pub at: usize,
    /// What the message says is missing there.
    pub missing: Option<Rule>,
    pub loc: SourceLoc,
    message: String,
}

/// What is to be said of a failed match.
pub fn failure(chunk: &Chunk, error: &Error<Rule>, sink: &mut Sink) -> Failure {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let index = chunk.index(at);
    let token = &chunk.tokens[index];
    let mut failure = Failure {
        at,
        missing: None,
        loc: token.loc,
        message: String::new(),
    };
    let expected: &[Rule] = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives,
        ErrorVariant::CustomError { message } => {
            sink.internal(format!("grammar: {message}"));
            return failure;
        }
    };
    if at == 0 && token.is(TokenKind::Punct, "}") {
        failure.message = "extraneous closing brace ('}')".into();
        return failure;
    }
    let ended = index + 1 == chunk.tokens.len();
    let closing = AT_END
        .iter()
        .find(|rule| ended && expected.contains(rule))
        .and_then(|rule| SENTENCES.iter().find(|row| row.0 == *rule));
    let row = closing.or_else(|| SENTENCES.iter().find(|row| expected.contains(&row.0)));
    let (sentence, caret) = row.map_or(("expected expression", Here), |row| (row.1, row.2));
    let before = index.checked_sub(1).map(|i| &chunk.tokens[i]);
    failure.missing = row.map(|row| row.0);
    failure.message = sentence.replace("{}", before.map_or("", |t| &t.text));
    if caret == Behind {
        failure.loc = chunk.behind(index);
    }
    failure
}

impl Failure {
    pub fn report(&self, chunk: &Chunk, sink: &mut Sink) {
        sink.error(self.loc, self.message.as_str());
        let quoted = self.message.strip_prefix("expected '");
        if let Some(close) = quoted.and_then(|s| s.chars().next()) {
            note_open(chunk, self.at, close, sink);
        }
    }
}

/// Points at the bracket that a missing `close` would match.
fn note_open(chunk: &Chunk, at: usize, close: char, sink: &mut Sink) {
    let open = match close {
        ')' => b'(',
        ']' => b'[',
        '}' => b'{',
        _ => return,
    };
    let mut depth = 0usize;
    for (i, &byte) in chunk.text.as_bytes()[..at].iter().enumerate().rev() {
        match byte {
            b')' | b']' | b'}' => depth += 1,
            b'(' | b'[' | b'{' if depth > 0 => depth -= 1,
            _ if byte == open => {
                let loc = chunk.tokens[chunk.index(i)].loc;
                return sink.note(loc, format!("to match this '{}'", open as char));
            }
            _ => {}
        }
    }
}

impl Chunk<'_> {
    /// The index of the token at a byte of the text.
    pub fn index(&self, byte: usize) -> usize {
        self.token_at[byte.min(self.token_at.len() - 1)] as usize
    }

    /// The place right behind the token before `index`.
    pub fn behind(&self, index: usize) -> SourceLoc {
        match index.checked_sub(1).map(|i| &self.tokens[i]) {
            Some(before) => SourceLoc {
                file: before.loc.file,
                offset: before.loc.offset + before.text.len() as u32,
            },
            None => self.tokens[index].loc,
        }
    }
}
