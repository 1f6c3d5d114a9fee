//! Numbers, characters and strings as spelled, to values (C99 6.4.4, 6.4.5).

use super::Sema;
use super::operand::Operand;
use super::tree::{ConstInit, Expr, ExprKind, GlobalVar, Place, PlaceKind, VarId};
use super::types::{Prim, QualTy, TypeKind};
use crate::front::clc::syntax::ast::Name;
use crate::ir::{Scalar, Space, eval};
use crate::source::SourceLoc;

/// Digits and suffix of an integer constant.
fn split_integer(text: &str) -> Option<(u128, u32, &str)> {
    let lower = text.as_bytes();
    let (radix, digits) = match lower {
        // Without a digit behind it, the letter is a suffix.
        [b'0', b'x' | b'X', d, ..] if d.is_ascii_hexdigit() => (16, &text[2..]),
        [b'0', b'b' | b'B', b'0' | b'1', ..] => (2, &text[2..]),
        [b'0', _, ..] => (8, &text[1..]),
        _ => (10, text),
    };
    let end = digits
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(digits.len());
    let (number, suffix) = digits.split_at(end);
    // In `0u` the zero is the whole number.
    if number.is_empty() && radix != 8 {
        return None;
    }
    let mut value = 0u128;
    for digit in number.chars().filter_map(|c| c.to_digit(radix)) {
        value = value
            .checked_mul(radix as u128)?
            .checked_add(digit as u128)?;
        value = value.min(1 << 70);
    }
    Some((value, radix, suffix))
}

/// Whether an integer with this behind its digits is unsigned, and whether it is long.
fn integer_suffix(suffix: &str) -> Option<(bool, bool)> {
    match suffix.to_ascii_lowercase().as_str() {
        "" => Some((false, false)),
        "u" => Some((true, false)),
        "l" | "ll" => Some((false, true)),
        "ul" | "lu" | "ull" | "llu" => Some((true, true)),
        _ => None,
    }
}

/// Rounds `mantissa * 2^exponent` (plus a bit of no weight if `sticky`) to a f64 that later
/// rounds to any narrower type as the exact value would: round to odd.
fn scale_to_odd(mut mantissa: u64, mut sticky: bool, exponent: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let mut exponent = exponent;
    while mantissa >= 1 << 53 {
        sticky |= mantissa & 1 == 1;
        mantissa >>= 1;
        exponent += 1;
    }
    if sticky {
        mantissa |= 1;
    }
    let clamped = exponent.clamp(-2000, 2000) as i32;
    // Two steps, so that no power of two leaves the range before the product does.
    let half = clamped / 2;
    mantissa as f64 * 2f64.powi(half) * 2f64.powi(clamped - half)
}

/// `0x1.8p3` without its suffix.
fn parse_hex_float(text: &str) -> Option<f64> {
    let body = text.get(2..)?;
    let (digits, exponent) = body.split_once(['p', 'P'])?;
    let exponent: i64 = exponent.parse().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (mut mantissa, mut sticky, mut scale) = (0u64, false, 0i64);
    for (i, c) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = c.to_digit(16)? as u64;
        let in_fraction = i >= whole.len();
        if mantissa >> 60 == 0 {
            mantissa = mantissa << 4 | digit;
            scale -= 4 * in_fraction as i64;
        } else {
            sticky |= digit != 0;
            scale += 4 * !in_fraction as i64;
        }
    }
    Some(scale_to_odd(mantissa, sticky, exponent + scale))
}

/// The bits of a floating constant in `prim`, rounded once.
fn float_bits(digits: &str, prim: Prim) -> Option<u64> {
    let hex = digits.starts_with("0x") || digits.starts_with("0X");
    if hex {
        return Some(eval::from_f64(prim.ir(), parse_hex_float(digits)?));
    }
    Some(match prim.ir() {
        Scalar::F32 => digits.parse::<f32>().ok()?.to_bits() as u64,
        ty => eval::from_f64(ty, digits.parse::<f64>().ok()?),
    })
}

/// One character or escape of a literal; `None` at its end. Errors give the replacement 0.
fn next_char(
    chars: &mut std::iter::Peekable<std::str::Chars>,
    out: &mut Vec<u8>,
) -> Result<bool, String> {
    let Some(c) = chars.next() else {
        return Ok(false);
    };
    if c != '\\' {
        out.extend(c.to_string().bytes());
        return Ok(true);
    }
    let Some(escape) = chars.next() else {
        return Ok(false);
    };
    let simple = match escape {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' => 27,
        '\\' | '\'' | '"' | '?' => escape as u8,
        'x' => {
            let mut value = 0u32;
            let mut any = false;
            while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) {
                value = value << 4 & 0xfff | digit;
                any = true;
                chars.next();
            }
            if !any {
                return Err("\\x used with no following hex digits".into());
            }
            if value > 255 {
                return Err("hex escape sequence out of range".into());
            }
            value as u8
        }
        '0'..='7' => {
            let mut value = escape as u32 - '0' as u32;
            for _ in 0..2 {
                let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else {
                    break;
                };
                value = value * 8 + digit;
                chars.next();
            }
            value as u8
        }
        'u' | 'U' => {
            let digits = if escape == 'u' { 4 } else { 8 };
            let code: String = chars.by_ref().take(digits).collect();
            let hex = code.len() == digits && code.bytes().all(|b| b.is_ascii_hexdigit());
            let code = u32::from_str_radix(&code, 16).ok().filter(|_| hex);
            let Some(c) = code.and_then(char::from_u32) else {
                return Err("invalid universal character name".into());
            };
            out.extend(c.to_string().bytes());
            return Ok(true);
        }
        other => return Err(format!("unknown escape sequence '\\{other}'")),
    };
    out.push(simple);
    Ok(true)
}

/// The bytes of a literal in quotes.
fn unquote(text: &str, quote: char) -> Result<Vec<u8>, String> {
    let inner = text.trim_start_matches(|c| c != quote);
    let inner = inner.strip_prefix(quote).unwrap_or(inner);
    let inner = inner.strip_suffix(quote).unwrap_or(inner);
    let mut chars = inner.chars().peekable();
    let mut out = Vec::new();
    while next_char(&mut chars, &mut out)? {}
    Ok(out)
}

impl Sema<'_> {
    pub fn number(&mut self, text: &str, loc: SourceLoc) -> Expr {
        let hex = text.starts_with("0x") || text.starts_with("0X");
        let floating = text.contains('.')
            || text.contains(['p', 'P'])
            || !hex && text.contains(['e', 'E'])
            || !hex && !text.starts_with("0b") && text.ends_with(['f', 'F', 'h', 'H']);
        if floating {
            self.float_literal(text, hex, loc)
        } else {
            self.integer_literal(text, loc)
        }
    }

    /// `-9223372036854775808`, whose literal no signed type of 64 bits holds. Compilers made of clang give it their
    /// 128-bit `long long`; of that, negated, the long of the same value is what programs see.
    pub fn least_long(&mut self, text: &str, loc: SourceLoc) -> Option<Expr> {
        let (value, 10, suffix) = split_integer(text)? else {
            return None;
        };
        // What follows the digits may also be a fraction or an exponent.
        let (unsigned, _) = integer_suffix(suffix)?;
        let ty = self.types.prim(Prim::Long);
        (value == 1 << 63 && !unsigned).then(|| self.constant(1 << 63, ty, loc))
    }

    fn integer_literal(&mut self, text: &str, loc: SourceLoc) -> Expr {
        let Some((value, radix, suffix)) = split_integer(text) else {
            return self.bad_number(text, loc, "integer");
        };
        let (unsigned, long) = match integer_suffix(suffix) {
            Some(found) => found,
            None => {
                if radix == 8 && suffix.starts_with(['8', '9']) {
                    let digit = &suffix[..1];
                    self.error(loc, format!("invalid digit '{digit}' in octal constant"));
                } else {
                    self.error(
                        loc,
                        format!("invalid suffix '{suffix}' on integer constant"),
                    );
                }
                return self.error_expr(loc);
            }
        };
        let signed_allowed = !unsigned;
        let unsigned_allowed = unsigned || radix != 10;
        let candidates = [
            (Prim::Int, 31, signed_allowed && !long),
            (Prim::UInt, 32, unsigned_allowed && !long),
            (Prim::Long, 63, signed_allowed),
            (Prim::ULong, 64, unsigned_allowed),
        ];
        let fits = |bits: u32| value >> bits == 0;
        let found = candidates
            .iter()
            .find(|(_, bits, allowed)| *allowed && fits(*bits));
        let prim = match found {
            Some(&(prim, ..)) => prim,
            None if fits(64) => {
                self.sink.warning(
                    loc,
                    "integer literal is too large to be represented in a signed integer type, \
                     interpreting as unsigned",
                );
                Prim::ULong
            }
            None => {
                self.error(
                    loc,
                    "integer literal is too large to be represented in any integer type",
                );
                return self.error_expr(loc);
            }
        };
        let ty = self.types.prim(prim);
        self.constant(value as u64, ty, loc)
    }

    fn float_literal(&mut self, text: &str, hex: bool, loc: SourceLoc) -> Expr {
        let split = match hex && !text.contains(['p', 'P']) {
            true => {
                self.error(loc, "hexadecimal floating constant requires an exponent");
                return self.error_expr(loc);
            }
            // In hexadecimal, `f` after the exponent's sign and digits is a suffix too.
            false => text
                .trim_end_matches(|c: char| c.is_ascii_alphabetic())
                .len(),
        };
        let (digits, suffix) = text.split_at(split);
        let prim = match suffix {
            "f" | "F" => Prim::Float,
            "h" | "H" => Prim::Half,
            "" | "l" | "L" => Prim::Double,
            _ => {
                self.error(
                    loc,
                    format!("invalid suffix '{suffix}' on floating constant"),
                );
                return self.error_expr(loc);
            }
        };
        let prim = match prim {
            Prim::Half if !self.features.fp16 => {
                self.error(loc, "half precision constant requires cl_khr_fp16");
                return self.error_expr(loc);
            }
            Prim::Double if self.opts.single_precision_constant => Prim::Float,
            Prim::Double if !self.features.fp64 => {
                self.sink.warning(
                    loc,
                    "double precision constant requires cl_khr_fp64, casting to single precision",
                );
                Prim::Float
            }
            other => other,
        };
        // C allows a constant to end in its point.
        match float_bits(digits, prim) {
            Some(bits) => {
                let ty = self.types.prim(prim);
                self.constant(bits, ty, loc)
            }
            None => self.bad_number(text, loc, "floating"),
        }
    }

    fn bad_number(&mut self, text: &str, loc: SourceLoc, what: &str) -> Expr {
        self.error(loc, format!("invalid {what} constant '{text}'"));
        self.error_expr(loc)
    }

    /// A character constant: an int.
    pub fn character(&mut self, text: &str, loc: SourceLoc) -> Expr {
        let bytes = match unquote(text, '\'') {
            Ok(bytes) => bytes,
            Err(message) => {
                self.error(loc, message);
                return self.error_expr(loc);
            }
        };
        // C's have the type int, of whatever length.
        let is_char = self.cxx.is_some() && bytes.len() == 1;
        let value = match bytes.as_slice() {
            [] => {
                self.error(loc, "empty character constant");
                return self.error_expr(loc);
            }
            [one] => *one as i8 as i64,
            several => {
                self.sink.warning(loc, "multi-character character constant");
                let word = several.iter().fold(0u32, |w, &b| w << 8 | b as u32);
                word as i32 as i64
            }
        };
        let prim = if is_char { Prim::Char } else { Prim::Int };
        self.int_const(value, prim, loc)
    }

    /// The bytes of adjacent string literals, without a final zero.
    pub fn string_bytes(&mut self, parts: &[Name], loc: SourceLoc) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        for part in parts {
            match unquote(part, '"') {
                Ok(bytes) => out.extend(bytes),
                Err(message) => {
                    self.error(loc, message);
                    return None;
                }
            }
        }
        Some(out)
    }

    /// A string literal: a constant array of char.
    pub fn string_literal(&mut self, parts: &[Name], loc: SourceLoc) -> Operand {
        match self.string_bytes(parts, loc) {
            Some(mut bytes) => {
                bytes.push(0);
                self.string_object(bytes, loc)
            }
            None => self.error_operand(loc),
        }
    }

    /// The constant array with these bytes.
    pub fn string_object(&mut self, bytes: Vec<u8>, loc: SourceLoc) -> Operand {
        let elem = QualTy {
            is_const: true,
            ..QualTy::plain(self.types.prim(Prim::Char))
        };
        let ty = self
            .types
            .intern(TypeKind::Array(elem, Some(bytes.len() as u64)));
        let quals = QualTy {
            is_const: true,
            ..QualTy::plain(ty).in_space(Space::Constant)
        };
        let id = match self.strings.get(&bytes) {
            Some(&id) => id,
            None => {
                let id = VarId(self.globals.len() as u32);
                self.strings.insert(bytes.clone(), id);
                self.global_quals.push(quals);
                self.globals.push(GlobalVar {
                    name: format!(".str{}", id.0).into(),
                    ty,
                    space: Space::Constant,
                    align: 1,
                    init: Some(ConstInit {
                        bytes: bytes[..].into(),
                        ..ConstInit::default()
                    }),
                    external: false,
                    once: false,
                    defined: true,
                    loc,
                });
                id
            }
        };
        let place = Place {
            kind: PlaceKind::Global(id),
            ty,
            space: Space::Constant,
            align: 1,
            is_volatile: false,
            loc,
        };
        Operand::Place(place, quals)
    }

    /// `__func__` and kin: the function's name.
    pub fn function_name(&mut self, loc: SourceLoc) -> Operand {
        let name = self.current_function().cloned().unwrap_or_default();
        let mut bytes = name.as_bytes().to_vec();
        bytes.push(0);
        self.string_object(bytes, loc)
    }

    /// A floating constant by value.
    pub fn float_const(&mut self, value: f64, prim: Prim, loc: SourceLoc) -> Expr {
        let bits = eval::from_f64(prim.ir(), value);
        let ty = self.types.prim(prim);
        Expr::new(ExprKind::Const(bits), ty, loc)
    }
}
