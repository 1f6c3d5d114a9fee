//! Types, registers and constants of PTX as OpenCL C (PTX ISA, "State Spaces, Types, and Variables" and "Special Registers").

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Bits,
    Unsigned,
    Signed,
    Float,
    Predicate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Type {
    pub class: Class,
    pub bits: u32,
}

const fn ty(class: Class, bits: u32) -> Type {
    Type { class, bits }
}

pub const B32: Type = ty(Class::Bits, 32);
pub const U32: Type = ty(Class::Unsigned, 32);
pub const U64: Type = ty(Class::Unsigned, 64);
pub const S64: Type = ty(Class::Signed, 64);
pub const PREDICATE: Type = ty(Class::Predicate, 1);

impl Type {
    pub fn of(name: &str) -> Option<Type> {
        if name == "pred" {
            return Some(PREDICATE);
        }
        let class = match name.as_bytes().first()? {
            b'b' => Class::Bits,
            b'u' => Class::Unsigned,
            b's' => Class::Signed,
            b'f' => Class::Float,
            _ => return None,
        };
        let bits = match &name[1..] {
            "8" if class != Class::Float => 8,
            "16" if class != Class::Float => 16,
            "32" => 32,
            "64" => 64,
            _ => return None,
        };
        Some(Type { class, bits })
    }

    pub fn is_integer(self) -> bool {
        matches!(self.class, Class::Unsigned | Class::Signed)
    }

    pub fn with(self, class: Class) -> Type {
        Type { class, ..self }
    }

    pub fn of_bits(self, bits: u32) -> Type {
        Type { bits, ..self }
    }

    pub fn wide(self) -> Type {
        self.of_bits(self.bits * 2)
    }

    /// In OpenCL C.
    pub fn name(self) -> &'static str {
        match (self.class, self.bits) {
            (Class::Predicate, _) => "bool",
            (Class::Float, 32) => "float",
            (Class::Float, _) => "double",
            (Class::Signed, 8) => "char",
            (Class::Signed, 16) => "short",
            (Class::Signed, 32) => "int",
            (Class::Signed, _) => "long",
            (_, 8) => "uchar",
            (_, 16) => "ushort",
            (_, 32) => "uint",
            (_, _) => "ulong",
        }
    }

    /// What registers of this type are: their bits, but for floats and predicates.
    pub fn register(self) -> Type {
        match self.class {
            Class::Float | Class::Predicate => self,
            _ => self.with(Class::Unsigned),
        }
    }

    /// The register that a constraint of an operand stands for.
    pub fn of_constraint(letter: char) -> Option<Type> {
        Type::of(match letter {
            'h' => "u16",
            'r' => "u32",
            'l' => "u64",
            'f' => "f32",
            'd' => "f64",
            _ => return None,
        })
    }
}

/// A value of one type as another: the same bits where both have as many, else the low ones, or extended by the sign of the first.
pub fn converted(text: &str, from: Type, to: Type) -> Option<String> {
    if from == to {
        return Some(text.to_owned());
    }
    let floats = [from, to].map(|ty| ty.class == Class::Float);
    if from.class == Class::Predicate || to.class == Class::Predicate {
        return None;
    }
    if from.bits == to.bits {
        let how = if floats == [false; 2] { "" } else { "as_" };
        return Some(match how {
            "" => format!("( ( {} ) {text} )", to.name()),
            _ => format!("as_{} ( {text} )", to.name()),
        });
    }
    (floats == [false; 2]).then(|| format!("( ( {} ) {text} )", to.name()))
}

/// A constant: decimal, hexadecimal, octal and binary integers, and floats by their bits (`0f3F800000`).
pub fn constant(text: &str, ty: Type) -> Option<String> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |d| (true, d));
    let float = |prefix: [char; 2], digits: usize| {
        let bits = digits + 2 == text.len();
        let hex = text.strip_prefix('0')?.strip_prefix(prefix)?;
        bits.then(|| u64::from_str_radix(hex, 16).ok())?
    };
    if ty.class == Class::Float {
        if let Some(bits) = float(['f', 'F'], 8) {
            let single = format!("as_float ( 0x{bits:x}u )");
            return Some(if ty.bits == 32 {
                single
            } else {
                format!("( ( double ) {single} )")
            });
        }
        if let Some(bits) = float(['d', 'D'], 16) {
            return (ty.bits == 64).then(|| format!("as_double ( 0x{bits:x}ul )"));
        }
        return None;
    }
    let value = integer(digits)?;
    if ty.class == Class::Predicate {
        return Some(if value != 0 { "true" } else { "false" }.into());
    }
    let value = if negative {
        value.wrapping_neg()
    } else {
        value
    };
    let kept = value & (u64::MAX >> (64 - ty.bits));
    Some(format!("( ( {} ) 0x{kept:x}ul )", ty.name()))
}

/// The value of an integer without a sign.
pub fn integer(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(['u', 'U']);
    let lower = digits.to_ascii_lowercase();
    let (digits, radix) = match &*lower {
        hex if hex.starts_with("0x") => (&hex[2..], 16),
        binary if binary.starts_with("0b") => (&binary[2..], 2),
        octal if octal.len() > 1 && octal.starts_with('0') => (&octal[1..], 8),
        decimal => (decimal, 10),
    };
    u64::from_str_radix(digits, radix).ok()
}

/// A special register, of 32 bits.
pub fn special(name: &str) -> Option<String> {
    let (register, dimension) = name.strip_prefix('%')?.split_once('.')?;
    let function = match register {
        "tid" => "get_local_id",
        "ntid" => "get_local_size",
        "ctaid" => "get_group_id",
        "nctaid" => "get_num_groups",
        _ => return None,
    };
    let dimension = "xyz".find(dimension).filter(|_| dimension.len() == 1)?;
    Some(format!("( ( uint ) {function} ( {dimension} ) )"))
}
