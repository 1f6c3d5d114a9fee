//! `asm` statements as GNU C has them: `asm volatile (text : outputs : inputs : clobbers);`.

use super::super::pp::{Token, TokenKind};

/// What stands between `asm` and `;`, both with it.
pub struct Statement<'t> {
    /// The string literals of the assembly.
    pub text: &'t [Token],
    /// Those before `outputs` are written.
    pub operands: Vec<Operand<'t>>,
    pub outputs: usize,
    /// Without colons: the text has no operands.
    pub is_basic: bool,
    /// In tokens.
    pub length: usize,
}

/// `[name] "constraint" (expression)`.
pub struct Operand<'t> {
    pub name: Option<&'t str>,
    /// Without quotes.
    pub constraint: &'t str,
    pub expression: &'t [Token],
}

/// The statement at the beginning of these tokens. Whatever is not of that form is left to the parser.
pub fn read(tokens: &[Token]) -> Option<Statement<'_>> {
    let qualifiers = tokens[1..].iter().take_while(|t| is_qualifier(t)).count();
    let open = 1 + qualifiers;
    let close = open + closing(&tokens[open..])?;
    if !tokens.get(close + 1)?.is(TokenKind::Punct, ";") {
        return None;
    }
    let parts = separated(&tokens[open + 1..close], ":");
    let (&text, lists) = parts.split_first()?;
    let strings = text.iter().all(|t| t.kind == TokenKind::Str);
    if text.is_empty() || !strings || lists.len() > 3 {
        return None;
    }
    let mut operands = Vec::new();
    let mut outputs = 0;
    for (place, list) in lists.iter().take(2).enumerate() {
        for item in separated(list, ",").into_iter().filter(|i| !i.is_empty()) {
            operands.push(operand(item)?);
        }
        if place == 0 {
            outputs = operands.len();
        }
    }
    Some(Statement {
        text,
        operands,
        outputs,
        is_basic: lists.is_empty(),
        length: close + 2,
    })
}

fn is_qualifier(token: &Token) -> bool {
    let qualifiers = ["volatile", "__volatile__", "__volatile", "inline"];
    token.kind == TokenKind::Ident && qualifiers.contains(&&*token.text)
}

fn operand(tokens: &[Token]) -> Option<Operand<'_>> {
    let punct = |at: usize, text| tokens.get(at).is_some_and(|t| t.is(TokenKind::Punct, text));
    let named = punct(0, "[") && punct(2, "]");
    let name = named.then(|| &*tokens[1].text);
    let tokens = if named { &tokens[3..] } else { tokens };
    let (constraint, rest) = tokens.split_first()?;
    let quoted = constraint.kind == TokenKind::Str;
    let closed = closing(rest).is_some_and(|close| close + 1 == rest.len());
    (quoted && closed).then(|| Operand {
        name,
        constraint: constraint.text.trim_matches('"'),
        expression: &rest[1..rest.len() - 1],
    })
}

/// Where the parenthesis closes that these tokens begin with.
fn closing(tokens: &[Token]) -> Option<usize> {
    if !tokens.first()?.is(TokenKind::Punct, "(") {
        return None;
    }
    let mut depth = 0;
    tokens.iter().position(|token| {
        depth += nesting(token);
        depth == 0
    })
}

fn nesting(token: &Token) -> i32 {
    match &*token.text {
        _ if token.kind != TokenKind::Punct => 0,
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

/// Cuts at a separator outside of parentheses. C++ has `::` as one token, which is two of `:` here.
fn separated<'t>(tokens: &'t [Token], separator: &str) -> Vec<&'t [Token]> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, token) in tokens.iter().enumerate() {
        depth += nesting(token);
        let twice = separator == ":" && token.is(TokenKind::Punct, "::");
        if depth == 0 && (twice || token.is(TokenKind::Punct, separator)) {
            parts.push(&tokens[start..at]);
            start = at + 1;
            if twice {
                parts.push(&tokens[start..start]);
            }
        }
    }
    parts.push(&tokens[start..]);
    parts
}
