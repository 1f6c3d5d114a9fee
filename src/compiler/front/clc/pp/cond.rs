//! Conditions of `#if` and `#elif` (C99 6.10.1): precedence climbing over 64-bit values, each
//! of which is signed or unsigned.

use super::lexer::{Kind, Tok};
use super::names::sym;
use super::{MAX_NESTING, Pp};

#[derive(Debug, Clone, Copy)]
struct Value {
    bits: i64,
    unsigned: bool,
}

impl Value {
    fn signed(bits: i64) -> Value {
        Value {
            bits,
            unsigned: false,
        }
    }

    fn truth(b: bool) -> Value {
        Value::signed(i64::from(b))
    }
}

/// The error has been reported.
struct Failed;
type Result<T> = std::result::Result<T, Failed>;

/// Binary operators with their precedence, the weakest being 1; `?` is 0.
const BINARY: &[(&str, u8)] = &[
    ("||", 1),
    ("&&", 2),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("==", 6),
    ("!=", 6),
    ("<", 7),
    (">", 7),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

/// Reads the rest of the directive as a condition; false after an error.
pub(super) fn evaluate(pp: &mut Pp) -> bool {
    let tok = pp.next_expanded();
    let tok = pp.without_alternative(tok);
    let mut parser = Parser {
        pp,
        tok,
        depth: 0,
        live: true,
    };
    parser.whole().is_ok_and(|v| v.bits != 0)
}

struct Parser<'p, 'a> {
    pp: &'p mut Pp<'a>,
    tok: Tok,
    depth: u32,
    /// Whether the value matters: no `&&`, `||` or `?:` discards it.
    live: bool,
}

impl Parser<'_, '_> {
    fn advance(&mut self) {
        let tok = self.pp.next_expanded();
        self.tok = self.pp.without_alternative(tok);
    }

    fn text(&self) -> &str {
        match self.tok.kind {
            Kind::Punct => self.pp.names.text(self.tok.sym),
            _ => "",
        }
    }

    fn fail<T>(&mut self, message: impl Into<String>) -> Result<T> {
        let loc = self.tok.loc;
        self.pp.error(loc, message);
        Err(Failed)
    }

    fn whole(&mut self) -> Result<Value> {
        let value = self.conditional()?;
        if self.tok.is_end() {
            return Ok(value);
        }
        match self.text() {
            ":" => self.fail("':' without preceding '?'"),
            ")" => self.fail("missing '(' in preprocessor expression"),
            _ => self.fail("token is not a valid binary operator in a preprocessor subexpression"),
        }
    }

    fn nest<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_NESTING {
            let loc = self.tok.loc;
            self.pp.too_deep(loc);
            return Err(Failed);
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// Evaluates a part whose value matters only if `live`.
    fn part<T>(&mut self, live: bool, f: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let saved = self.live;
        self.live &= live;
        let result = f(self);
        self.live = saved;
        result
    }

    /// C99 6.6: a comma may stand where nothing is evaluated.
    fn expression(&mut self) -> Result<Value> {
        let mut value = self.conditional()?;
        while self.text() == "," {
            if self.live {
                return self.fail("comma operator in operand of #if");
            }
            self.advance();
            value = self.conditional()?;
        }
        Ok(value)
    }

    fn conditional(&mut self) -> Result<Value> {
        self.nest(|p| {
            let first = p.unary()?;
            let cond = p.binary(first, 1)?;
            if p.text() != "?" {
                return Ok(cond);
            }
            let chosen = cond.bits != 0;
            p.advance();
            let a = p.part(chosen, Self::expression)?;
            if p.text() != ":" {
                return p.fail("expected ':' in preprocessor expression");
            }
            p.advance();
            let b = p.part(!chosen, Self::conditional)?;
            Ok(Value {
                bits: if chosen { a.bits } else { b.bits },
                unsigned: a.unsigned || b.unsigned,
            })
        })
    }

    fn binary(&mut self, mut left: Value, min: u8) -> Result<Value> {
        loop {
            let text = self.text();
            let Some(&(op, level)) = BINARY.iter().find(|&&(op, _)| op == text) else {
                return Ok(left);
            };
            if level < min {
                return Ok(left);
            }
            let op_tok = self.tok;
            self.advance();
            let needed = match op {
                "&&" => left.bits != 0,
                "||" => left.bits == 0,
                _ => true,
            };
            let right = self.part(needed, |p| {
                let first = p.unary()?;
                p.binary(first, level + 1)
            })?;
            left = self.apply(op, op_tok, left, right)?;
        }
    }

    fn apply(&mut self, op: &str, op_tok: Tok, left: Value, right: Value) -> Result<Value> {
        let (a, b) = (left.bits, right.bits);
        let (ua, ub) = (a as u64, b as u64);
        let unsigned = left.unsigned || right.unsigned;
        let less = |a: i64, b: i64| {
            if unsigned {
                (a as u64) < b as u64
            } else {
                a < b
            }
        };
        // Arithmetic wraps. Overflow of signed arithmetic gets a warning.
        let arithmetic = |(bits, overflow): (i64, bool)| (Value { bits, unsigned }, overflow);
        let (value, overflow) = match op {
            "||" => return Ok(Value::truth(a != 0 || b != 0)),
            "&&" => return Ok(Value::truth(a != 0 && b != 0)),
            "==" => return Ok(Value::truth(a == b)),
            "!=" => return Ok(Value::truth(a != b)),
            "<" => return Ok(Value::truth(less(a, b))),
            ">" => return Ok(Value::truth(less(b, a))),
            "<=" => return Ok(Value::truth(!less(b, a))),
            ">=" => return Ok(Value::truth(!less(a, b))),
            "<<" | ">>" => return Ok(shift(op == "<<", left, right)),
            "|" => arithmetic((a | b, false)),
            "^" => arithmetic((a ^ b, false)),
            "&" => arithmetic((a & b, false)),
            "+" => arithmetic(a.overflowing_add(b)),
            "-" => arithmetic(a.overflowing_sub(b)),
            "*" => arithmetic(a.overflowing_mul(b)),
            _ if b == 0 => {
                if self.live {
                    let what = if op == "/" { "division" } else { "remainder" };
                    let message = format!("{what} by zero in preprocessor expression");
                    self.pp.error(op_tok.loc, message);
                    return Err(Failed);
                }
                arithmetic((0, false))
            }
            "/" if unsigned => arithmetic(((ua / ub) as i64, false)),
            "/" => arithmetic(a.overflowing_div(b)),
            _ if unsigned => arithmetic(((ua % ub) as i64, false)),
            _ => arithmetic((a.wrapping_rem(b), false)),
        };
        if overflow && !unsigned && self.live {
            self.pp
                .sink
                .warning(op_tok.loc, "integer overflow in preprocessor expression");
        }
        Ok(value)
    }

    fn unary(&mut self) -> Result<Value> {
        match self.tok.kind {
            Kind::Number => {
                let value = self.number()?;
                self.advance();
                Ok(value)
            }
            Kind::Char => {
                let value = self.character()?;
                self.advance();
                Ok(value)
            }
            Kind::Ident if self.tok.sym == sym::DEFINED => self.defined(),
            Kind::Ident => self.identifier(),
            Kind::Punct => self.nest(Self::operator),
            Kind::Eod | Kind::Eof => self.fail("expected value in expression"),
            Kind::Str | Kind::Unknown => {
                self.fail("invalid token at start of a preprocessor expression")
            }
        }
    }

    fn operator(&mut self) -> Result<Value> {
        let op = self.text().to_string();
        if !matches!(&*op, "(" | "+" | "-" | "~" | "!") {
            let message = match &*op {
                ")" => "expected value in expression",
                _ => "invalid token at start of a preprocessor expression",
            };
            return self.fail(message);
        }
        let open = self.tok.loc;
        self.advance();
        if op == "(" {
            let value = self.conditional()?;
            if self.text() != ")" {
                let result = self.fail("expected ')' in preprocessor expression");
                self.pp.sink.note(open, "to match this '('");
                return result;
            }
            self.advance();
            return Ok(value);
        }
        let value = self.unary()?;
        Ok(match &*op {
            "-" => Value {
                bits: value.bits.wrapping_neg(),
                ..value
            },
            "~" => Value {
                bits: !value.bits,
                ..value
            },
            "!" => Value::truth(value.bits == 0),
            _ => value,
        })
    }

    /// An identifier that is no macro is 0; `true` is a keyword of OpenCL C.
    fn identifier(&mut self) -> Result<Value> {
        let name = self.tok;
        self.advance();
        if self.text() == "(" {
            let text = self.pp.names.text(name.sym);
            let message = format!("function-like macro '{text}' is not defined");
            self.pp.error(name.loc, message);
            return Err(Failed);
        }
        Ok(Value::truth(name.sym == sym::TRUE))
    }

    fn defined(&mut self) -> Result<Value> {
        self.tok = self.pp.raw_next();
        let parenthesis = self.tok.is(sym::LPAREN);
        if parenthesis {
            self.tok = self.pp.raw_next();
        }
        if self.tok.kind != Kind::Ident {
            return self.fail("operator 'defined' requires an identifier");
        }
        let value = Value::truth(self.pp.macro_of(self.tok.sym).is_some());
        if parenthesis {
            self.tok = self.pp.raw_next();
            if !self.tok.is(sym::RPAREN) {
                return self.fail("missing ')' after 'defined'");
            }
        }
        self.advance();
        Ok(value)
    }

    fn number(&mut self) -> Result<Value> {
        let text = self.pp.digits(self.tok);
        match parse_integer(&text) {
            Ok((value, too_large)) => {
                if too_large {
                    let message = "integer literal is too large to be represented in a signed \
                                   integer type, interpreting as unsigned";
                    self.pp.sink.warning(self.tok.loc, message);
                }
                Ok(value)
            }
            Err(message) => self.fail(message),
        }
    }

    /// The value of a character constant; several characters count as base 256.
    fn character(&mut self) -> Result<Value> {
        let text = self.pp.names.text(self.tok.sym).clone();
        let inner = text.trim_start_matches('L').trim_matches('\'').as_bytes();
        // The lexer has ended `'\''` one character early.
        let inner = if inner == b"\\" { b"\\'" } else { inner };
        let mut values = Vec::new();
        let mut pos = 0;
        while pos < inner.len() {
            let (value, len) = match inner[pos..] {
                [b'\\', b'x', ..] => radix(&inner[pos + 2..], 16, usize::MAX, 2),
                [b'\\', b'0'..=b'7', ..] => radix(&inner[pos + 1..], 8, 3, 1),
                [b'\\', c, ..] => (escape(c), 2),
                [c, ..] => (i64::from(c), 1),
                [] => (0, 1),
            };
            values.push(value);
            pos += len;
        }
        match *values {
            [] => self.fail("empty character constant"),
            [one] => Ok(Value::signed(i64::from(one as i8))),
            _ => {
                let all = values.iter().fold(0i32, |v, &c| v << 8 | (c as i32 & 0xff));
                Ok(Value::signed(i64::from(all)))
            }
        }
    }
}

fn shift(left: bool, value: Value, by: Value) -> Value {
    // A negative count shifts the other way, as in other C preprocessors.
    let reverse = !by.unsigned && by.bits < 0;
    let count = if reverse {
        by.bits.unsigned_abs()
    } else {
        by.bits as u64
    };
    let bits = match (left != reverse, value.unsigned) {
        (true, _) if count > 63 => 0,
        (true, _) => value.bits << count,
        (false, true) if count > 63 => 0,
        (false, true) => (value.bits as u64 >> count) as i64,
        (false, false) => value.bits >> count.min(63),
    };
    Value { bits, ..value }
}

/// Digits at the start of `text`: their value, and their count plus `prefix`.
fn radix(text: &[u8], base: u32, most: usize, prefix: usize) -> (i64, usize) {
    let digits = text.iter().map_while(|&b| (b as char).to_digit(base));
    let (value, count) = digits.take(most).fold((0i64, 0), |(v, n), d| {
        (v.wrapping_mul(i64::from(base)) + i64::from(d), n + 1)
    });
    (value, count + prefix)
}

fn escape(c: u8) -> i64 {
    i64::from(match c {
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        other => other,
    })
}

/// Value of an integer constant, and whether it is a decimal one that only fits an unsigned
/// type without saying so.
fn parse_integer(text: &str) -> std::result::Result<(Value, bool), String> {
    let lower = text.to_ascii_lowercase();
    let (base, digits) = match lower.strip_prefix("0x") {
        Some(hex) => (16, hex),
        None => match lower.strip_prefix("0b") {
            Some(binary) => (2, binary),
            None if lower.starts_with('0') => (8, &*lower),
            None => (10, &*lower),
        },
    };
    let floating = lower.contains('.')
        || (base == 16 && lower.contains('p'))
        || (base != 16 && base != 2 && lower.contains('e'));
    if floating {
        return Err("floating point literal in preprocessor expression".into());
    }
    let end = digits
        .find(|c: char| !c.is_digit(if base == 16 { 16 } else { 10 }))
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let original = &text[text.len() - suffix.len()..];
    let unsigned = match suffix {
        "" | "l" => false,
        "u" | "ul" | "lu" => true,
        "ll" if matches!(original, "ll" | "LL") => false,
        "ull" | "llu" if original.contains("ll") || original.contains("LL") => true,
        _ => return Err(format!("invalid suffix '{original}' on integer constant")),
    };
    if digits.is_empty() {
        return Err(format!(
            "invalid suffix '{}' on integer constant",
            &text[1..]
        ));
    }
    if let Some(bad) = digits.chars().find(|c| !c.is_digit(base)) {
        let kind = if base == 8 { "octal" } else { "binary" };
        return Err(format!("invalid digit '{bad}' in {kind} constant"));
    }
    let Ok(bits) = u64::from_str_radix(digits, base) else {
        return Err("integer literal is too large to be represented in any integer type".into());
    };
    let large = bits > i64::MAX as u64;
    let value = Value {
        bits: bits as i64,
        unsigned: unsigned || large,
    };
    Ok((value, large && !unsigned && base == 10))
}
