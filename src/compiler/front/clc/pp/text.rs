//! Tokens back to text that reads as the same tokens.

use super::token::{Token, TokenKind, TokenStream};
use crate::source::SourceMap;

/// The preprocessed text, as `caldera compile -E` prints it: the lines of the source without
/// the empty ones.
pub fn to_text(stream: &TokenStream, map: &SourceMap) -> String {
    let mut out = String::new();
    let mut last: Option<(&Token, (u32, u32))> = None;
    for tok in &stream.tokens {
        let place = (tok.loc.file, map.line_col(tok.loc).0);
        if let Some((before, at)) = last {
            if at != place || [before.kind, tok.kind].contains(&TokenKind::Pragma) {
                out.push('\n');
            } else if tok.space_before || would_merge(&before.text, &tok.text) {
                out.push(' ');
            }
        }
        if tok.kind == TokenKind::Eof {
            break;
        }
        if tok.kind == TokenKind::Pragma {
            out.push_str("#pragma ");
        }
        out.push_str(&tok.text);
        last = Some((tok, place));
    }
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

/// Would two tokens without white space between them read as something else?
fn would_merge(left: &str, right: &str) -> bool {
    let (Some(a), Some(b)) = (left.chars().last(), right.chars().next()) else {
        return false;
    };
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let number = left.starts_with(|c: char| c.is_ascii_digit())
        || (left.starts_with('.') && left.len() > 1 && left != "...");
    match (a, b) {
        _ if number && (word(b) || b == '.') => true,
        ('e' | 'E' | 'p' | 'P', '+' | '-') => number,
        ('L', '"' | '\'') => left == "L",
        _ if word(a) && word(b) => true,
        ('.', '0'..='9') => left == ".",
        ('+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '<' | '>' | '=' | '!', '=') => true,
        ('-', '>') | ('/', '/' | '*') | ('<', ':' | '%') | (':' | '%', '>') | ('%', ':') => true,
        ('+' | '-' | '&' | '|' | '<' | '>' | '#' | '.', _) => a == b,
        _ => false,
    }
}
