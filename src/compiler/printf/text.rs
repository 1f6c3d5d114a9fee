//! The text of one printf. Numbers are converted exactly and rounded to nearest even.

use super::directive::{Directive, Length, Piece, pieces};
use super::{Record, STRING};
use crate::kernel::PrintfFormat;

/// What C's printf prints for `record`. An argument of `%s` is the id of another format, or [`STRING`] bytes.
/// Missing arguments are zeros.
pub fn text(record: &Record, formats: &[PrintfFormat]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut args = record.args.iter();
    let format = formats.get(record.format as usize);
    for piece in pieces(format.map_or("", |f| &f.format)) {
        let d = match piece {
            Piece::Text(text) => {
                out.extend_from_slice(text.as_bytes());
                continue;
            }
            Piece::Directive(d) => d,
        };
        let bytes = args.next().map_or(&[][..], Vec::as_slice);
        if d.letter == 's' && bytes.len() == STRING as usize {
            let length = bytes.iter().position(|&c| c == 0);
            string(&d, &bytes[..length.unwrap_or(bytes.len())], &mut out);
            continue;
        }
        let width = if bytes.len() >= 8 * d.lanes { 8 } else { 4 };
        for lane in 0..d.lanes {
            if lane > 0 {
                out.push(b',');
            }
            let bytes = bytes.get(lane * width..(lane + 1) * width);
            let mut word = [0; 8];
            word[..width].copy_from_slice(bytes.unwrap_or(&[0; 8][..width]));
            let bits = u64::from_le_bytes(word);
            convert(&d, bits, width, formats, &mut out);
        }
    }
    out
}

/// Appends one value of `width` bytes.
fn convert(d: &Directive, bits: u64, width: usize, formats: &[PrintfFormat], out: &mut Vec<u8>) {
    match d.letter {
        'd' | 'i' => signed(d, bits, width).put(d, out),
        'o' | 'u' | 'x' | 'X' => unsigned(d, bits, width).put(d, out),
        'c' => Field::of(vec![bits as u8]).put(d, out),
        's' => {
            let text = formats.get(bits as usize).map_or("", |f| &f.format);
            string(d, text.as_bytes(), out);
        }
        'p' => Field::of(format!("{bits:#x}").into_bytes()).put(d, out),
        _ if width == 8 => float(d, f64::from_bits(bits)).put(d, out),
        _ => float(d, f32::from_bits(bits as u32).into()).put(d, out),
    }
}

fn string(d: &Directive, text: &[u8], out: &mut Vec<u8>) {
    let length = d.precision.unwrap_or(usize::MAX).min(text.len());
    Field::of(text[..length].to_vec()).put(d, out);
}

/// A converted value before it is padded.
struct Field {
    /// Sign and `0x`, before which there are spaces and behind which zeros.
    prefix: String,
    body: Vec<u8>,
    /// The `0` flag counts.
    zeros: bool,
}

impl Field {
    fn of(body: Vec<u8>) -> Field {
        Field {
            prefix: String::new(),
            body,
            zeros: false,
        }
    }

    fn put(self, d: &Directive, out: &mut Vec<u8>) {
        let padding = d.width.saturating_sub(self.prefix.len() + self.body.len());
        let zeros = d.zero && !d.left && self.zeros;
        let spaces = |n: usize| std::iter::repeat_n(b' ', n);
        if !d.left && !zeros {
            out.extend(spaces(padding));
        }
        out.extend(self.prefix.bytes());
        if zeros {
            out.extend(std::iter::repeat_n(b'0', padding));
        }
        out.extend(self.body);
        if d.left {
            out.extend(spaces(padding));
        }
    }
}

fn sign(d: &Directive, negative: bool) -> String {
    let sign = match (negative, d.plus, d.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    };
    sign.to_owned()
}

/// The digits with at least as many as the precision says.
fn integer(d: &Directive, prefix: String, digits: String) -> Field {
    let wanted = d.precision.unwrap_or(1);
    let digits = if digits == "0" { String::new() } else { digits };
    let zeros = wanted.saturating_sub(digits.len());
    Field {
        prefix,
        body: ("0".repeat(zeros) + &digits).into_bytes(),
        zeros: d.precision.is_none(),
    }
}

fn signed(d: &Directive, bits: u64, width: usize) -> Field {
    let value = match (d.length, width) {
        (Length::Char, _) => i64::from(bits as i8),
        (Length::Short, _) => i64::from(bits as i16),
        (Length::Long, 8) => bits as i64,
        _ => i64::from(bits as i32),
    };
    integer(d, sign(d, value < 0), value.unsigned_abs().to_string())
}

fn unsigned(d: &Directive, bits: u64, width: usize) -> Field {
    let value = match (d.length, width) {
        (Length::Char, _) => bits & 0xff,
        (Length::Short, _) => bits & 0xffff,
        (Length::Long, 8) => bits,
        _ => bits & 0xffff_ffff,
    };
    let digits = match d.letter {
        'o' => format!("{value:o}"),
        'x' => format!("{value:x}"),
        'X' => format!("{value:X}"),
        _ => value.to_string(),
    };
    let prefix = match d.letter {
        'x' | 'X' if d.alternative && value != 0 => format!("0{}", d.letter),
        _ => String::new(),
    };
    let mut field = integer(d, prefix, digits);
    if d.letter == 'o' && d.alternative && field.body.first() != Some(&b'0') {
        field.body.insert(0, b'0');
    }
    field
}

fn float(d: &Directive, value: f64) -> Field {
    let mut prefix = sign(d, value.is_sign_negative());
    let magnitude = value.abs();
    let mut body = match d.letter.to_ascii_lowercase() {
        _ if value.is_nan() => "nan".to_owned(),
        _ if value.is_infinite() => "inf".to_owned(),
        'f' => fixed(magnitude, d.precision.unwrap_or(6), d.alternative),
        'e' => scientific(magnitude, d.precision.unwrap_or(6), d.alternative),
        'g' => shorter(magnitude, d.precision.unwrap_or(6).max(1), d.alternative),
        _ => {
            prefix += "0x";
            hexadecimal(magnitude, d.precision, d.alternative)
        }
    };
    if d.letter.is_ascii_uppercase() {
        prefix.make_ascii_uppercase();
        body.make_ascii_uppercase();
    }
    Field {
        prefix,
        body: body.into_bytes(),
        zeros: value.is_finite(),
    }
}

/// Style f.
fn fixed(value: f64, precision: usize, point: bool) -> String {
    let dot = if point && precision == 0 { "." } else { "" };
    format!("{value:.precision$}{dot}")
}

/// The digits and the decimal exponent of style e.
fn decimal(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (digits.to_owned(), exponent.parse().unwrap_or(0))
}

/// Style e.
fn scientific(value: f64, precision: usize, point: bool) -> String {
    let (digits, exponent) = decimal(value, precision);
    let dot = if point && precision == 0 { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}{dot}e{sign}{:02}", exponent.abs())
}

/// Style g with `precision` significant digits.
fn shorter(value: f64, precision: usize, alternative: bool) -> String {
    let (_, exponent) = decimal(value, precision - 1);
    let places = precision as i64 - 1 - i64::from(exponent);
    let text = if exponent >= -4 && places >= 0 {
        fixed(value, places as usize, alternative)
    } else {
        scientific(value, precision - 1, alternative)
    };
    if alternative {
        return text;
    }
    let (digits, power) = match text.find('e') {
        Some(at) => text.split_at(at),
        None => (&text[..], ""),
    };
    let digits = match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    };
    format!("{digits}{power}")
}

/// Style a without `0x`: one bit before the point, none for denormals, as glibc has it.
fn hexadecimal(value: f64, precision: Option<usize>, point: bool) -> String {
    const DIGITS: u32 = 13;
    let bits = value.to_bits();
    let biased = (bits >> 52) as i32;
    let mut mantissa = bits & ((1 << 52) - 1);
    if biased > 0 {
        mantissa |= 1 << 52;
    }
    let exponent = match (biased, mantissa) {
        (0, 0) => 0,
        (0, _) => -1022,
        _ => biased - 1023,
    };
    let mut digits = match precision {
        Some(p) if (p as u32) < DIGITS => {
            // To nearest even; a carry ends in the digit before the point.
            let shift = 4 * (DIGITS - p as u32);
            let half = (1u64 << (shift - 1)) - 1 + (mantissa >> shift & 1);
            mantissa = (mantissa + half) >> shift;
            let digits = format!("{mantissa:0width$x}", width = p + 1);
            digits.into_bytes()
        }
        _ => format!("{mantissa:014x}").into_bytes(),
    };
    match precision {
        Some(p) => digits.resize(p + 1, b'0'),
        None => {
            let kept = digits.iter().rposition(|&c| c != b'0').unwrap_or(0);
            digits.truncate(kept + 1);
        }
    }
    let digits = String::from_utf8_lossy(&digits);
    let (whole, fraction) = digits.split_at(1);
    let dot = if point || !fraction.is_empty() {
        "."
    } else {
        ""
    };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{whole}{dot}{fraction}p{sign}{}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(format: &str, args: &[&[u8]]) -> String {
        let formats = [
            PrintfFormat {
                format: format.to_owned(),
                arg_sizes: args.iter().map(|a| a.len() as u32).collect(),
            },
            PrintfFormat {
                format: "string".to_owned(),
                arg_sizes: Vec::new(),
            },
        ];
        let record = Record {
            format: 0,
            args: args.iter().map(|a| a.to_vec()).collect(),
        };
        String::from_utf8(text(&record, &formats)).expect("text")
    }

    /// Expected: what the C library of Debian 12 prints.
    #[test]
    fn integers_as_in_c() {
        let cases: &[(&str, i64, &str)] = &[
            ("%d", -7, "-7"),
            ("%5d|", 10, "   10|"),
            ("%-5d|", 10, "10   |"),
            ("%+05d", 10, "+0010"),
            ("% d", 42, " 42"),
            ("%6.5i", 100, " 00100"),
            ("%06.5i", 100, " 00100"),
            ("%.0d|", 0, "|"),
            ("%+.0d", 0, "+"),
            ("%hhd", 200, "-56"),
            ("%hx", -32767, "8001"),
            ("%lx", -1, "ffffffffffffffff"),
            ("%u", -1, "4294967295"),
            ("%#x", 0, "0"),
            ("%#X", 0xabc, "0XABC"),
            ("%#010x", 255, "0x000000ff"),
            ("%#o", 8, "010"),
            ("%#.0o", 0, "0"),
            ("%#.5o", 8, "00010"),
            ("%4c|", 66, "   B|"),
            ("%-8s|", 1, "string  |"),
            ("%.3s", 1, "str"),
            ("%p", 0x1000, "0x1000"),
            ("100%%", 0, "100%"),
        ];
        for (format, value, expected) in cases {
            assert_eq!(
                shown(format, &[&value.to_le_bytes()]),
                *expected,
                "{format}"
            );
        }
    }

    #[test]
    fn floats_as_in_c() {
        let cases: &[(&str, f64, &str)] = &[
            ("%f", 10.3456, "10.345600"),
            ("%.0f", 0.5, "0"),
            ("%.0f", 1.5, "2"),
            ("%.0f", 2.5, "2"),
            ("%#.0f", 3.0, "3."),
            ("%.1f", 0.25, "0.2"),
            ("%08.2f", -2.56789, "-0002.57"),
            ("%e", 0.0, "0.000000e+00"),
            ("%-#20.15e|", 789456123.0, "7.894561230000000e+08|"),
            ("%.3E", 1e-300, "1.000E-300"),
            ("%g", 100000.0, "100000"),
            ("%g", 1e6, "1e+06"),
            ("%g", 999999.5, "1e+06"),
            ("%g", 0.0001, "0.0001"),
            ("%g", 0.00001, "1e-05"),
            ("%#g", 1.0, "1.00000"),
            ("%.0g", 15.0, "2e+01"),
            ("%4.2g", 12345.6789, "1.2e+04"),
            ("%G", 2.3e-6, "2.3E-06"),
            ("%a", 1.0, "0x1p+0"),
            ("%a", 0.0, "0x0p+0"),
            ("%a", -0.15625, "-0x1.4p-3"),
            ("%.6a", 0.5, "0x1.000000p-1"),
            ("%10.2a|", 1.5, " 0x1.80p+0|"),
            ("%.0a", 1.5, "0x2p+0"),
            ("%.1a", 1.96875, "0x2.0p+0"),
            ("%A", 1e300, "0X1.7E43C8800759CP+996"),
            ("%a", 5e-324, "0x0.0000000000001p-1022"),
            ("%010f", f64::INFINITY, "       inf"),
            ("%+E", f64::INFINITY, "+INF"),
            ("%f", f64::NAN, "nan"),
        ];
        for (format, value, expected) in cases {
            assert_eq!(
                shown(format, &[&value.to_le_bytes()]),
                *expected,
                "{format}"
            );
        }
        assert_eq!(shown("%.9g", &[&0.1f32.to_le_bytes()]), "0.100000001");
    }

    #[test]
    fn vectors_lane_by_lane() {
        let floats: Vec<u8> = [1.0f32, 2.0, 3.0, 4.0]
            .iter()
            .flat_map(|f| f.to_le_bytes())
            .collect();
        assert_eq!(
            shown("f4 = %2.2v4hlf", &[&floats]),
            "f4 = 1.00,2.00,3.00,4.00"
        );
        let words = [0xfau32, 0xfb].map(u32::to_le_bytes).concat();
        assert_eq!(shown("%#v2hhx", &[&words]), "0xfa,0xfb");
        let longs = [-1i64, 7].map(i64::to_le_bytes).concat();
        assert_eq!(shown("%+v2ld", &[&longs]), "-1,+7");
    }
}
