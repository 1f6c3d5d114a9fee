//! Instructions that compute, compare, convert and move.

use std::fmt::Write;

use super::instructions::{
    Gives, ROUNDED_AS_HERE, ROWS, comparison, extracted, logic, permuted_byte,
};
use super::operands::{B32, Class, PREDICATE, Type, U32, U64, converted, integer};
use super::ptx::{Instruction, vector};
use super::writer::{CARRY, Writer, Written};

/// Sums and products that give the carry flag, and with a `c` behind them take it.
const CARRYING: &[&str] = &["add", "sub", "mad"];

impl Writer<'_> {
    pub fn instruction(&mut self, op: &Instruction) -> Written {
        let done = self.memory_instruction(op)?
            || self.special_instruction(op)?
            || self.carrying(op)?
            || self.arithmetic(op)?;
        let why = || format!("the instruction '{}' is not supported", op.opcode);
        done.then_some(()).ok_or_else(why)
    }

    /// One of the table.
    fn arithmetic(&mut self, op: &Instruction) -> Result<bool, String> {
        let (&[ty], [to, sources @ ..]) = (&op.types[..], &op.operands[..]) else {
            return Ok(false);
        };
        let (name, modifiers) = (op.name, &op.modifiers);
        let part = modifiers.iter().find(|m| ["lo", "hi", "wide"].contains(m));
        let opcode = part.map_or(name.to_owned(), |part| format!("{name}.{part}"));
        let Some(row) = ROWS
            .iter()
            .find(|row| row.opcode == opcode && row.types.has(ty))
        else {
            return Ok(false);
        };
        let float = ty.class == Class::Float;
        let known =
            |m: &&str| Some(m) == part || float && (*m == "sat" || ROUNDED_AS_HERE.contains(m));
        let too_wide = row.gives == Gives::Wide && ty.bits > 32;
        if too_wide || !modifiers.iter().all(known) {
            return Ok(false);
        }
        // Those that name the rounding are not contracted.
        self.exact |= float && ["add", "sub", "mul"].contains(&name) && modifiers.contains(&"rn");
        let mut text = self.filled(row.text, ty, sources)?;
        if float && modifiers.contains(&"sat") {
            text = saturated(&text, ty);
        }
        let gives = match row.gives {
            Gives::Same => ty,
            Gives::Wide => ty.wide(),
            Gives::Word => U32,
        };
        self.assign(to, gives, &text)?;
        Ok(true)
    }

    /// A text of the table with its operands.
    fn filled(&mut self, text: &str, ty: Type, sources: &[&str]) -> Result<String, String> {
        let mut words = Vec::new();
        let mut used = 0;
        for word in text.split(' ') {
            words.push(match word {
                "T" => ty.name().to_owned(),
                "W" => ty.wide().name().to_owned(),
                "B" => format!("{}u", ty.bits),
                _ => match word.strip_prefix('$') {
                    None => word.to_owned(),
                    Some(operand) => {
                        let (kind, place) = operand.split_at(operand.len() - 1);
                        let place: usize = place.parse().map_err(|_| "a wrong row of its table")?;
                        let source = sources
                            .get(place - 1)
                            .ok_or("an instruction has too few operands")?;
                        used = used.max(place);
                        let of = match kind {
                            "u" => ty.with(Class::Unsigned),
                            "n" => U32,
                            "w" => ty.wide(),
                            "p" => PREDICATE,
                            _ => ty,
                        };
                        self.value(source, of)?
                    }
                },
            });
        }
        if used < sources.len() {
            return Err("an instruction has too many operands".into());
        }
        Ok(words.join(" "))
    }

    /// Those with `.cc`, `addc`, `subc` and `madc`.
    fn carrying(&mut self, op: &Instruction) -> Result<bool, String> {
        let (&[ty], [to, sources @ ..]) = (&op.types[..], &op.operands[..]) else {
            return Ok(false);
        };
        let (name, takes) = match op.name.strip_suffix('c') {
            Some(name) => (name, true),
            None => (op.name, false),
        };
        let sets = op.modifiers.contains(&"cc");
        if !(sets || takes) || !CARRYING.contains(&name) || !ty.is_integer() {
            return Ok(false);
        }
        if takes && !self.carry {
            return Err(format!(
                "'{}' takes the carry flag, which no instruction before it in these statements sets",
                op.name
            ));
        }
        let (row, last) = match (name, &op.modifiers[..]) {
            ("mad", ["lo"] | ["lo", "cc"]) => ("$u1 * $u2", 2),
            ("mad", ["hi"] | ["hi", "cc"]) => ("mul_hi ( $1 , $2 )", 2),
            ("add" | "sub", [] | ["cc"]) => ("$u1", 1),
            _ => return Ok(false),
        };
        if sources.len() != last + 1 {
            return Ok(false);
        }
        let unsigned = ty.with(Class::Unsigned);
        let word = unsigned.name();
        let left = self.filled(row, ty, &sources[..last])?;
        let right = self.value(sources[last], unsigned)?;
        let (sign, carries) = match name == "sub" {
            true => ("-", ("__asm_left", "__asm_right")),
            false => ("+", ("__asm_sum", "__asm_left")),
        };
        let carry = if takes {
            format!("{sign} {CARRY}")
        } else {
            String::new()
        };
        let _ = write!(
            self.text,
            "{{ {word} __asm_left = ( {word} ) ( {left} ) ; {word} __asm_right = {right} ; \
             {word} __asm_sum = __asm_left {sign} __asm_right {carry} ; "
        );
        if sets {
            let (a, b) = carries;
            let _ = match takes {
                true => write!(self.text, "{CARRY} = {CARRY} ? {a} <= {b} : {a} < {b} ; "),
                false => write!(self.text, "{CARRY} = {a} < {b} ; "),
            };
            self.carry = true;
        }
        self.assign(to, unsigned, "__asm_sum")?;
        self.text.push_str("} ");
        Ok(true)
    }

    /// Those with forms of their own.
    fn special_instruction(&mut self, op: &Instruction) -> Result<bool, String> {
        match (op.name, &op.modifiers[..], &op.types[..], &op.operands[..]) {
            ("mov", [], &[ty], &[to, from]) => self.moved(to, from, ty)?,
            ("lop3", [], &[ty @ B32], &[to, a, b, c, table]) => {
                let Some(table) = integer(table) else {
                    return Ok(false);
                };
                let [a, b, c] = [self.value(a, ty)?, self.value(b, ty)?, self.value(c, ty)?];
                self.assign(to, ty, &logic(table as u32, &a, &b, &c))?;
            }
            ("prmt", [], &[ty @ B32], &[to, a, b, selector]) => {
                let [a, b, selector] = [
                    self.value(a, ty)?,
                    self.value(b, ty)?,
                    self.value(selector, ty)?,
                ];
                let bytes: Vec<String> = (0..4)
                    .map(|place| permuted_byte(place, &a, &b, &selector))
                    .collect();
                self.assign(to, ty, &bytes.join(" | "))?;
            }
            (
                "shf",
                &[way @ ("l" | "r"), mode @ ("wrap" | "clamp")],
                &[ty @ B32],
                &[to, low, high, count],
            ) => {
                let same = low == high && mode == "wrap";
                let [low, high, count] = [
                    self.value(low, ty)?,
                    self.value(high, ty)?,
                    self.value(count, U32)?,
                ];
                let count = match mode {
                    "wrap" => format!("( {count} & 31u )"),
                    _ => format!("min ( {count} , 32u )"),
                };
                let both = format!("( ( ulong ) {high} << 32 | {low} )");
                let text = match (way, same) {
                    ("l", true) => format!("rotate ( {low} , {count} )"),
                    (_, true) => format!("rotate ( {low} , 32u - {count} )"),
                    ("l", false) => format!("( uint ) ( {both} << {count} >> 32 )"),
                    (_, false) => format!("( uint ) ( {both} >> {count} )"),
                };
                self.assign(to, ty, &text)?;
            }
            ("bfe", [], &[ty], &[to, from, at, bits]) if ty.is_integer() && ty.bits >= 32 => {
                // By constants within the word it is two shifts, or one and a mask.
                let (text, sources) = match (integer(at), integer(bits), ty.bits) {
                    (Some(at @ 0..32), Some(bits @ 1..=32), 32) if at + bits <= 32 => {
                        let text = match ty.class {
                            Class::Signed => format!("$1 << {} >> {}", 32 - at - bits, 32 - bits),
                            _ => format!("$1 >> {at} & {}u", u32::MAX >> (32 - bits)),
                        };
                        (text, &[from][..])
                    }
                    _ => (extracted(ty), &[from, at, bits][..]),
                };
                let text = self.filled(&text, ty, sources)?;
                self.assign(to, ty, &text)?;
            }
            ("bfi", [], &[ty], &[to, from, into, at, bits])
                if ty.class == Class::Bits && ty.bits >= 32 =>
            {
                let [from, into] = [self.value(from, ty)?, self.value(into, ty)?];
                let [at, bits] = [self.value(at, U32)?, self.value(bits, U32)?];
                let mask = format!(
                    "( ( {bits} & 0xffu ) == 0 || ( {at} & 0xffu ) > 63u ? 0 : ~ 0ul >> ( 64u - min ( {bits} & 0xffu , 64u ) ) << ( {at} & 63u ) )"
                );
                let text = format!(
                    "( {into} & ~ {mask} ) | ( ( ulong ) {from} << ( {at} & 63u ) & {mask} )"
                );
                let text = converted(&format!("( {text} )"), U64, ty).unwrap_or_default();
                self.assign(to, ty, &text)?;
            }
            ("cvt", _, &[to_type, from_type], &[to, from]) => {
                return self.convert(&op.modifiers, (to, to_type), (from, from_type));
            }
            ("setp", &[compare, ref rest @ ..], &[ty], &[to, ref sources @ ..]) => {
                let Some(text) = self.compared(compare, &rest.join("."), ty, sources)? else {
                    return Ok(false);
                };
                let (to, opposite) = to
                    .split_once('|')
                    .map_or((to, None), |(to, not)| (to.trim(), Some(not.trim())));
                if opposite.is_some() && sources.len() > 2 {
                    return Ok(false);
                }
                let _ = write!(self.text, "{{ bool __asm_holds = {text} ; ");
                self.assign(to, PREDICATE, "__asm_holds")?;
                if let Some(opposite) = opposite {
                    self.assign(opposite, PREDICATE, "! __asm_holds")?;
                }
                self.text.push_str("} ");
            }
            ("set", &[compare, ref rest @ ..], &[to_type, ty], &[to, ref sources @ ..]) => {
                let Some(text) = self.compared(compare, &rest.join("."), ty, sources)? else {
                    return Ok(false);
                };
                let (yes, no) = if to_type.class == Class::Float {
                    ("1.0f", "0.0f")
                } else {
                    ("~ 0u", "0u")
                };
                self.assign(to, to_type, &format!("( {text} ) ? {yes} : {no}"))?;
            }
            ("dp4a", [], &[a_type, b_type], &[to, a, b, c])
                if a_type.is_integer()
                    && b_type.is_integer()
                    && a_type.bits == 32
                    && b_type.bits == 32 =>
            {
                let bytes = |text: String, ty: Type| {
                    let bytes = if ty.class == Class::Signed {
                        "char4"
                    } else {
                        "uchar4"
                    };
                    format!("convert_int4 ( as_{bytes} ( {text} ) )")
                };
                let [a, b] = [
                    bytes(self.value(a, U32)?, a_type),
                    bytes(self.value(b, U32)?, b_type),
                ];
                let c = self.value(c, U32)?;
                let _ = write!(self.text, "{{ int4 __asm_products = {a} * {b} ; ");
                let sum = format!(
                    "{c} + ( uint ) __asm_products . s0 + ( uint ) __asm_products . s1 + ( uint ) __asm_products . s2 + ( uint ) __asm_products . s3"
                );
                self.assign(to, U32, &sum)?;
                self.text.push_str("} ");
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Also between one register and the parts of another, `{low, high}`.
    fn moved(&mut self, to: &str, from: &str, ty: Type) -> Written {
        let whole = ty.with(Class::Unsigned);
        let part = |count: usize| {
            let bits = ty.bits / count.max(1) as u32;
            let fits = [16, 32].contains(&bits) && bits as usize * count == ty.bits as usize;
            let why = || format!("'mov' has {count} parts");
            fits.then_some(whole.of_bits(bits)).ok_or_else(why)
        };
        if let Some(parts) = vector(to) {
            let part = part(parts.len())?;
            let name = whole.name();
            let from = self.value(from, whole)?;
            let _ = write!(self.text, "{{ {name} __asm_whole = {from} ; ");
            for (place, to) in parts.iter().enumerate() {
                let text = format!("__asm_whole >> {}", place as u32 * part.bits);
                self.assign(to, part, &text)?;
            }
            self.text.push_str("} ");
            return Ok(());
        }
        if let Some(parts) = vector(from) {
            let part = part(parts.len())?;
            let mut words = Vec::new();
            for (place, from) in parts.iter().enumerate() {
                let value = self.value(from, part)?;
                words.push(format!(
                    "( {} ) {value} << {}",
                    whole.name(),
                    place as u32 * part.bits
                ));
            }
            return self.assign(to, whole, &words.join(" | "));
        }
        let value = self.value(from, ty)?;
        self.assign(to, ty, &value)
    }

    /// `a CMP b`, and with `.and`, `.or` or `.xor` a predicate behind it.
    fn compared(
        &mut self,
        compare: &str,
        combine: &str,
        ty: Type,
        sources: &[&str],
    ) -> Result<Option<String>, String> {
        let combine = combine.trim_end_matches("ftz").trim_end_matches('.');
        let Some(text) = comparison(compare, ty.class) else {
            return Ok(None);
        };
        let operator = match (combine, sources.len()) {
            ("", 2) => return self.filled(text, ty, sources).map(Some),
            ("and", 3) => "&&",
            ("or", 3) => "||",
            ("xor", 3) => "!=",
            _ => return Ok(None),
        };
        let text = self.filled(text, ty, &sources[..2])?;
        let with = self.value(sources[2], PREDICATE)?;
        Ok(Some(format!("( {text} ) {operator} {with}")))
    }

    fn convert(
        &mut self,
        modifiers: &[&str],
        to: (&str, Type),
        from: (&str, Type),
    ) -> Result<bool, String> {
        let ((to, to_type), (from, from_type)) = (to, from);
        let value = self.value(from, from_type)?;
        let saturates = modifiers.contains(&"sat");
        let rounding: Vec<&str> = modifiers
            .iter()
            .copied()
            .filter(|m| !["sat", "ftz"].contains(m))
            .collect();
        let floats = [to_type, from_type].map(|ty| ty.class == Class::Float);
        let name = to_type.name();
        let text = match (floats, &*rounding) {
            ([false, false], []) if saturates => format!("convert_{name}_sat ( {value} )"),
            ([false, false], []) => converted(&value, from_type, to_type).unwrap_or_default(),
            ([false, true], [mode]) => {
                let Some(mode) = rounded(mode.strip_suffix('i').unwrap_or("")) else {
                    return Ok(false);
                };
                format!("convert_{name}_sat_{mode} ( {value} )")
            }
            ([true, false], [mode]) => {
                let Some(mode) = rounded(mode) else {
                    return Ok(false);
                };
                format!("convert_{name}_{mode} ( {value} )")
            }
            ([true, true], []) if to_type.bits >= from_type.bits => format!("( {name} ) {value}"),
            ([true, true], [mode]) if to_type.bits < from_type.bits => {
                let Some(mode) = rounded(mode) else {
                    return Ok(false);
                };
                format!("convert_{name}_{mode} ( {value} )")
            }
            ([true, true], [mode]) if to_type == from_type => match *mode {
                "rni" => format!("rint ( {value} )"),
                "rzi" => format!("trunc ( {value} )"),
                "rmi" => format!("floor ( {value} )"),
                "rpi" => format!("ceil ( {value} )"),
                _ => return Ok(false),
            },
            _ => return Ok(false),
        };
        let text = match saturates && floats[0] {
            true => saturated(&text, to_type),
            false => text,
        };
        self.assign(to, to_type, &text)?;
        Ok(true)
    }
}

/// Between 0 and 1: NaN and -0 become 0.
fn saturated(text: &str, ty: Type) -> String {
    let name = ty.name();
    format!("fmin ( fmax ( {text} , ( {name} ) 0 ) , ( {name} ) 1 ) + ( {name} ) 0")
}

/// OpenCL C's suffix of a rounding mode.
fn rounded(mode: &str) -> Option<&'static str> {
    Some(match mode {
        "rn" => "rte",
        "rz" => "rtz",
        "rm" => "rtn",
        "rp" => "rtp",
        _ => return None,
    })
}
