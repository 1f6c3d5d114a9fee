//! As much of JSON as manifests need: objects and texts are read, other values only checked for their form.

use std::iter::Peekable;
use std::str::Chars;

pub enum Value {
    Object(Vec<(String, Value)>),
    Text(String),
    Other,
}

impl Value {
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Object(members) => members.iter().find(|(n, _)| n == name).map(|(_, v)| v),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Deeper than manifests are nested.
const MOST_LEVELS: u32 = 64;

/// An error is what is wrong, and where.
pub fn parse(text: &str) -> Result<Value, String> {
    let mut parser = Parser {
        rest: text.chars().peekable(),
        line: 1,
        levels: 0,
    };
    let value = parser.value().and_then(|value| match parser.next() {
        None => Ok(value),
        Some(c) => Err(format!("'{c}' behind its end")),
    });
    value.map_err(|what| format!("line {}: {what}", parser.line))
}

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
    line: u32,
    levels: u32,
}

impl Parser<'_> {
    fn skip(&mut self) {
        while let Some(c) = self.rest.next_if(|c| " \t\r\n".contains(*c)) {
            self.line += u32::from(c == '\n');
        }
    }

    /// The next character but white space.
    fn next(&mut self) -> Option<char> {
        self.skip();
        self.rest.next()
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        match self.next() {
            Some(c) if c == wanted => Ok(()),
            Some(c) => Err(format!("'{c}' instead of '{wanted}'")),
            None => Err(format!("it ends where '{wanted}' is missing")),
        }
    }

    fn value(&mut self) -> Result<Value, String> {
        match self.next() {
            Some('"') => self.text().map(Value::Text),
            Some(open @ ('{' | '[')) => {
                self.levels += 1;
                if self.levels > MOST_LEVELS {
                    return Err("it is nested too deeply".into());
                }
                let value = self.members(open == '{');
                self.levels -= 1;
                value
            }
            Some(c) if c.is_ascii_alphanumeric() || c == '-' => {
                let part = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
                while self.rest.next_if(part).is_some() {}
                Ok(Value::Other)
            }
            Some(c) => Err(format!("'{c}' instead of a value")),
            None => Err("it ends where a value is missing".into()),
        }
    }

    fn members(&mut self, object: bool) -> Result<Value, String> {
        let close = if object { '}' } else { ']' };
        let mut members = Vec::new();
        self.skip();
        if self.rest.next_if_eq(&close).is_none() {
            loop {
                let mut name = String::new();
                if object {
                    self.expect('"')?;
                    name = self.text()?;
                    self.expect(':')?;
                }
                let value = self.value()?;
                members.push((name, value));
                match self.next() {
                    Some(',') => {}
                    Some(c) if c == close => break,
                    Some(c) => return Err(format!("'{c}' instead of ',' or '{close}'")),
                    None => return Err(format!("it ends where '{close}' is missing")),
                }
            }
        }
        Ok(match object {
            true => Value::Object(members),
            false => Value::Other,
        })
    }

    /// What is behind a quotation mark, to the next.
    fn text(&mut self) -> Result<String, String> {
        let mut text = String::new();
        loop {
            match self.rest.next() {
                Some('"') => return Ok(text),
                Some('\\') => match self.rest.next() {
                    Some(c @ ('"' | '\\' | '/')) => text.push(c),
                    Some('n') => text.push('\n'),
                    Some('r') => text.push('\r'),
                    Some('t') => text.push('\t'),
                    Some('b') => text.push('\u{8}'),
                    Some('f') => text.push('\u{c}'),
                    Some('u') => {
                        let digits: String = self.rest.by_ref().take(4).collect();
                        let code = u32::from_str_radix(&digits, 16);
                        let code = code.map_err(|_| format!("'\\u{digits}'"))?;
                        // Halves of pairs do not stand in names of files.
                        text.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                    }
                    _ => return Err("a '\\' that means nothing".into()),
                },
                Some(c) if c >= ' ' => text.push(c),
                Some(_) => return Err("a text that goes on in the next line".into()),
                None => return Err("it ends in a text".into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests() {
        let text = r#"
            { "ICD": { "api_version": "1.3.0", "library_path": "/a\/b\u002e so", "x": [1, -2.5e+3, [], {}, null] },
              "file_format_version": "1.0.0" }
        "#;
        let value = parse(text).unwrap_or_else(|e| panic!("{e}"));
        let path = value.get("ICD").and_then(|icd| icd.get("library_path"));
        assert_eq!(path.and_then(Value::text), Some("/a/b. so"));
        assert!(value.get("layer").is_none());
    }

    #[test]
    fn damage_is_said() {
        for (text, what) in [
            ("", "line 1: it ends where a value is missing"),
            ("{\n\n\"a\" 1}", "line 3: '1' instead of ':'"),
            ("{\"a\": 1,}", "line 1: '}' instead of '\"'"),
            ("{\"a\": 1", "line 1: it ends where '}' is missing"),
            ("{\"a\": \"b", "line 1: it ends in a text"),
            ("{} x", "line 1: 'x' behind its end"),
            ("\u{1}ELF", "line 1: '\u{1}' instead of a value"),
        ] {
            assert_eq!(parse(text).err().as_deref(), Some(what), "{text}");
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
    }
}
