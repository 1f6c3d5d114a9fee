//! The text of PTX: instructions, scopes and declarations of registers, with operands as they are written
//! (PTX ISA, "Syntax" and "Instruction Statements").

use super::operands::Type;

/// One statement.
#[derive(Debug, PartialEq)]
pub enum Line<'t> {
    Open,
    Close,
    /// `.reg TYPE names`.
    Registers(&'t str, Vec<&'t str>),
    Instruction(Instruction<'t>),
}

/// `@guard opcode.modifiers operands`.
#[derive(Debug, PartialEq)]
pub struct Instruction<'t> {
    /// A predicate, and whether it is to be false.
    pub guard: Option<(&'t str, bool)>,
    /// The whole of `name.modifiers.types`.
    pub opcode: &'t str,
    pub name: &'t str,
    pub modifiers: Vec<&'t str>,
    pub types: Vec<Type>,
    pub operands: Vec<&'t str>,
}

/// The statements of a text without comments, or what is wrong with it.
pub fn lines(text: &str) -> Result<Vec<Line<'_>>, String> {
    let mut lines = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let mut length = 1;
        match first {
            ';' => {}
            '{' => lines.push(Line::Open),
            '}' => lines.push(Line::Close),
            _ => {
                // A missing semicolon at the end is forgiven, as ptxas has one line a string.
                let end = rest.find(';').unwrap_or(rest.len());
                lines.push(line(rest[..end].trim())?);
                length = end;
            }
        }
        rest = rest[length..].trim_start();
    }
    Ok(lines)
}

/// Comments are white space.
pub fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        out.push_str(&rest[..at]);
        out.push(' ');
        let end = if rest[at..].starts_with("//") {
            "\n"
        } else {
            "*/"
        };
        let behind = rest[at + 2..].find(end);
        rest = behind.map_or("", |behind| &rest[at + 2 + behind + end.len()..]);
    }
    out + rest
}

fn line(text: &str) -> Result<Line<'_>, String> {
    let (head, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if head == ".reg" {
        let (kind, names) = rest
            .trim_start()
            .split_once(char::is_whitespace)
            .ok_or_else(|| format!("'{text}' declares nothing"))?;
        let kind = kind.trim_start_matches('.');
        return Ok(Line::Registers(kind, separated(names)));
    }
    if let Some(guard) = head.strip_prefix('@') {
        let negated = guard.starts_with('!');
        let guard = guard.trim_start_matches('!');
        return match line(rest.trim_start())? {
            Line::Instruction(guarded) if guarded.guard.is_none() && !guard.is_empty() => {
                Ok(Line::Instruction(Instruction {
                    guard: Some((guard, negated)),
                    ..guarded
                }))
            }
            _ => Err(format!("'{text}' guards no instruction")),
        };
    }
    let mut parts = head.split('.');
    let name = parts.next().unwrap_or_default();
    let mut modifiers: Vec<&str> = parts.collect();
    let types = modifiers
        .iter()
        .rev()
        .map_while(|part| Type::of(part))
        .count();
    let types = modifiers.split_off(modifiers.len() - types);
    Ok(Line::Instruction(Instruction {
        guard: None,
        opcode: head,
        name,
        modifiers,
        types: types.into_iter().filter_map(Type::of).collect(),
        operands: separated(rest),
    }))
}

/// Cuts at commas outside of braces and brackets.
fn separated(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let cut = text.split(|c: char| {
        depth += i32::from("{[(".contains(c)) - i32::from("}])".contains(c));
        c == ',' && depth == 0
    });
    cut.map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// The operands in `{a, b}`.
pub fn vector(operand: &str) -> Option<Vec<&str>> {
    let inner = operand.strip_prefix('{')?.strip_suffix('}')?;
    Some(separated(inner))
}
