//! Tokens of the IR text. Lines do not matter but for messages; `//` starts a comment.

/// A defect in IR text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// From 1.
    pub line: u32,
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    /// Names, types, numbers: letters, digits and `_ . < > + -`.
    Word(String),
    /// The unescaped text.
    Quoted(String),
    Punct(char),
}

/// Tokens with their lines.
pub fn tokens(text: &str) -> Result<Vec<(Token, u32)>, ParseError> {
    let mut out = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        line_tokens(text, line, &mut out)?;
    }
    Ok(out)
}

fn line_tokens(text: &str, line: u32, out: &mut Vec<(Token, u32)>) -> Result<(), ParseError> {
    let error = |message: String| Err(ParseError { line, message });
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            break;
        }
        let word_len = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && !"_.<>+-".contains(c))
            .unwrap_or(rest.len());
        let (token, len) = if word_len > 0 {
            (Token::Word(rest[..word_len].to_string()), word_len)
        } else if "(){}[],:=".contains(first) {
            (Token::Punct(first), 1)
        } else if first == '"' {
            match quoted(rest) {
                Some((text, len)) => (Token::Quoted(text), len),
                None => return error("bad string".into()),
            }
        } else {
            return error(format!("unexpected '{first}'"));
        };
        out.push((token, line));
        rest = rest[len..].trim_start();
    }
    Ok(())
}

/// The text between the quotes at the start of `text`, and the length with both quotes.
fn quoted(text: &str) -> Option<(String, usize)> {
    let mut out = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((out, at + 1)),
            '\\' => match chars.next()?.1 {
                'u' => {
                    let digits = text[at..].strip_prefix("\\u{")?.split('}').next()?;
                    let code = u32::from_str_radix(digits, 16).ok()?;
                    out.push(char::from_u32(code)?);
                    // The braces and the digits.
                    chars.nth(digits.len() + 1)?;
                }
                other => out.push(other),
            },
            _ => out.push(c),
        }
    }
    None
}
