//! Raw strings of C++ (C++17 5.13.5). Behind the lexer they are strings like others.

/// Characters of what stands before the bracket.
const MAX_DELIMITER: usize = 16;

/// What is wrong, where if not at its begin, and the bytes to leave out.
type Wrong = (String, Option<usize>, usize);

/// A text ends with the prefix of a raw string.
pub(super) fn is_before(text: &str) -> bool {
    let of_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let name = text.len() - text.trim_end_matches(of_name).len();
    matches!(&text[text.len() - name..], "R" | "LR" | "u8R")
}

/// The content of the raw string whose first quote is before `text`, and the bytes up to its end.
pub(super) fn read(text: &str) -> Result<(&str, usize), Wrong> {
    let ends =
        |c: char| c == '(' || c == ')' || c == '\\' || c.is_ascii_whitespace() || c == '\x0b';
    let open = text.find(ends).unwrap_or(text.len());
    let hint = "use PREFIX( )PREFIX to delimit raw string";
    let wrong = match text[open..].chars().next() {
        _ if open > MAX_DELIMITER => Some((
            format!("raw string delimiter longer than {MAX_DELIMITER} characters; {hint}"),
            MAX_DELIMITER,
        )),
        Some('(') => None,
        Some(c) => Some((
            format!("invalid character '{c}' in raw string delimiter; {hint}"),
            open,
        )),
        None => Some(("unexpected end of a raw string".into(), open)),
    };
    if let Some((message, at)) = wrong {
        let next = text.find('"').map_or(text.len(), |quote| quote + 1);
        return Err((message, Some(at), next));
    }
    let delimiter = &text[..open];
    let close = format!("){delimiter}\"");
    let content = &text[open + 1..];
    match content.find(&close) {
        Some(len) => Ok((&content[..len], open + 1 + len + close.len())),
        None => {
            let message = format!("raw string missing terminating delimiter ){delimiter}\"");
            Err((message, None, text.len()))
        }
    }
}

/// The content with escape sequences.
pub(super) fn escaped(content: &str) -> String {
    let plain = content.replace("\r\n", "\n").replace('\\', "\\\\");
    plain.replace('"', "\\\"").replace('\n', "\\n")
}
