//! What instructions of PTX compute, as expressions of OpenCL C (PTX ISA, "Instruction Set").

use super::operands::{Class, Type};

/// Types that a row is for.
pub enum For {
    Integers,
    /// And those of bits.
    Words,
    Unsigned,
    Signed,
    Floats,
    Predicates,
}

impl For {
    pub fn has(&self, ty: Type) -> bool {
        match self {
            For::Integers => ty.is_integer(),
            For::Words => ty.is_integer() || ty.class == Class::Bits,
            For::Unsigned => matches!(ty.class, Class::Unsigned | Class::Bits),
            For::Signed => ty.class == Class::Signed,
            For::Floats => ty.class == Class::Float,
            For::Predicates => ty.class == Class::Predicate,
        }
    }
}

/// The type of a result beside that of the operands.
#[derive(Clone, Copy, PartialEq)]
pub enum Gives {
    Same,
    Wide,
    Word,
}

pub struct Row {
    pub opcode: &'static str,
    pub types: For,
    pub gives: Gives,
    /// Words: `$1` to `$3` are operands of the type, `$u1` the same without a sign, `$n1` numbers of 32 bits,
    /// `$w1` of twice the width, `$p1` predicates; `T` and `W` are the type and the one of twice the width, `B` its bits.
    pub text: &'static str,
}

const fn row(opcode: &'static str, types: For, text: &'static str) -> Row {
    Row {
        opcode,
        types,
        gives: Gives::Same,
        text,
    }
}

const fn giving(gives: Gives, row: Row) -> Row {
    Row { gives, ..row }
}

/// Sums and products are those of numbers without a sign, which do not overflow. Shifts by more than the width leave nothing but the sign.
pub const ROWS: &[Row] = &[
    row("add", For::Integers, "$u1 + $u2"),
    row("sub", For::Integers, "$u1 - $u2"),
    row("neg", For::Signed, "0 - $u1"),
    row("mul.lo", For::Integers, "$u1 * $u2"),
    row("mul.hi", For::Integers, "mul_hi ( $1 , $2 )"),
    giving(
        Gives::Wide,
        row("mul.wide", For::Integers, "( W ) $1 * ( W ) $2"),
    ),
    row("mad.lo", For::Integers, "$u1 * $u2 + $u3"),
    row("mad.hi", For::Integers, "mul_hi ( $1 , $2 ) + $3"),
    giving(
        Gives::Wide,
        row("mad.wide", For::Integers, "( W ) $1 * ( W ) $2 + $w3"),
    ),
    row(
        "mul24.lo",
        For::Unsigned,
        "( $1 & 0xffffffu ) * ( $2 & 0xffffffu )",
    ),
    row(
        "mul24.lo",
        For::Signed,
        "( $1 << 8 >> 8 ) * ( $2 << 8 >> 8 )",
    ),
    row(
        "mad24.lo",
        For::Unsigned,
        "( $1 & 0xffffffu ) * ( $2 & 0xffffffu ) + $3",
    ),
    row(
        "mad24.lo",
        For::Signed,
        "( $1 << 8 >> 8 ) * ( $2 << 8 >> 8 ) + $3",
    ),
    row("sad", For::Integers, "$u3 + abs_diff ( $1 , $2 )"),
    row("div", For::Integers, "$1 / $2"),
    row("rem", For::Integers, "$1 % $2"),
    row("abs", For::Signed, "abs ( $1 )"),
    row("min", For::Integers, "min ( $1 , $2 )"),
    row("max", For::Integers, "max ( $1 , $2 )"),
    row("and", For::Words, "$1 & $2"),
    row("or", For::Words, "$1 | $2"),
    row("xor", For::Words, "$1 ^ $2"),
    row("not", For::Words, "~ $1"),
    row("cnot", For::Words, "$1 == 0 ? 1 : 0"),
    row("and", For::Predicates, "$1 && $2"),
    row("or", For::Predicates, "$1 || $2"),
    row("xor", For::Predicates, "$1 != $2"),
    row("not", For::Predicates, "! $1"),
    row("shl", For::Words, "$n2 < B ? $u1 << $n2 : 0"),
    row("shr", For::Unsigned, "$n2 < B ? $1 >> $n2 : 0"),
    row("shr", For::Signed, "$1 >> min ( $n2 , B - 1u )"),
    giving(Gives::Word, row("popc", For::Words, "popcount ( $1 )")),
    giving(Gives::Word, row("clz", For::Words, "clz ( $1 )")),
    giving(
        Gives::Word,
        row("bfind", For::Unsigned, "B - 1u - ( uint ) clz ( $1 )"),
    ),
    giving(
        Gives::Word,
        row(
            "bfind",
            For::Signed,
            "B - 1u - ( uint ) clz ( $1 < 0 ? ~ $1 : $1 )",
        ),
    ),
    row("brev", For::Words, "bit_reverse ( $1 )"),
    row("selp", For::Words, "$p3 ? $1 : $2"),
    row("selp", For::Floats, "$p3 ? $1 : $2"),
    row("add", For::Floats, "$1 + $2"),
    row("sub", For::Floats, "$1 - $2"),
    row("mul", For::Floats, "$1 * $2"),
    row("fma", For::Floats, "fma ( $1 , $2 , $3 )"),
    row("mad", For::Floats, "fma ( $1 , $2 , $3 )"),
    row("div", For::Floats, "$1 / $2"),
    row("rcp", For::Floats, "( T ) 1 / $1"),
    row("sqrt", For::Floats, "sqrt ( $1 )"),
    row("rsqrt", For::Floats, "rsqrt ( $1 )"),
    row("sin", For::Floats, "native_sin ( $1 )"),
    row("cos", For::Floats, "native_cos ( $1 )"),
    row("ex2", For::Floats, "native_exp2 ( $1 )"),
    row("lg2", For::Floats, "native_log2 ( $1 )"),
    row("tanh", For::Floats, "tanh ( $1 )"),
    row("neg", For::Floats, "- $1"),
    row("abs", For::Floats, "fabs ( $1 )"),
    row("min", For::Floats, "fmin ( $1 , $2 )"),
    row("max", For::Floats, "fmax ( $1 , $2 )"),
    row("copysign", For::Floats, "copysign ( $2 , $1 )"),
];

/// Instructions that only tell the device what comes.
pub const WITHOUT_EFFECT: &[&str] = &["prefetch", "prefetchu", "nanosleep", "pmevent"];

/// Modifiers of arithmetic whose results are those that OpenCL C has. Others change results, or are not known.
pub const ROUNDED_AS_HERE: &[&str] = &["rn", "ftz", "approx", "full"];

/// Modifiers of loads and stores that say how caches are used.
pub const CACHED_ANYHOW: &[&str] = &["weak", "ca", "cg", "cs", "lu", "cv", "nc", "wb", "wt"];

/// Does `$1 CMP $2` hold? Those of floats that hold for NaN are the others' opposites.
pub fn comparison(name: &str, class: Class) -> Option<&'static str> {
    let float = class == Class::Float;
    Some(match name {
        "eq" => "$1 == $2",
        // It does not hold for NaN.
        "ne" if float => "( $1 < $2 || $1 > $2 )",
        "ne" => "$1 != $2",
        "lt" => "$1 < $2",
        "le" => "$1 <= $2",
        "gt" => "$1 > $2",
        "ge" => "$1 >= $2",
        "lo" if !float => "$u1 < $u2",
        "ls" if !float => "$u1 <= $u2",
        "hi" if !float => "$u1 > $u2",
        "hs" if !float => "$u1 >= $u2",
        "equ" if float => "! ( $1 < $2 || $1 > $2 )",
        "neu" if float => "$1 != $2",
        "ltu" if float => "! ( $1 >= $2 )",
        "leu" if float => "! ( $1 > $2 )",
        "gtu" if float => "! ( $1 <= $2 )",
        "geu" if float => "! ( $1 < $2 )",
        "num" if float => "( $1 == $1 && $2 == $2 )",
        "nan" if float => "( $1 != $1 || $2 != $2 )",
        _ => return None,
    })
}

/// What `lop3` computes of `a`, `b` and `c`: bit `4 a + 2 b + c` of its table.
pub fn logic(table: u32, a: &str, b: &str, c: &str) -> String {
    // For each table of two, by b and c.
    const TWO: [&str; 16] = [
        "0u",
        "~ ( b | c )",
        "~ b & c",
        "~ b",
        "b & ~ c",
        "~ c",
        "b ^ c",
        "~ ( b & c )",
        "b & c",
        "~ ( b ^ c )",
        "c",
        "~ b | c",
        "b",
        "b | ~ c",
        "b | c",
        "~ 0u",
    ];
    let two = |table: u32| {
        let word = |word| match word {
            "b" => b.to_owned(),
            "c" => c.to_owned(),
            other => other.to_owned(),
        };
        let words: Vec<String> = TWO[table as usize & 15].split(' ').map(word).collect();
        format!("( {} )", words.join(" "))
    };
    let (without, with) = (table & 15, table >> 4 & 15);
    let (zero, one) = (two(without), two(with));
    match (without, with) {
        _ if without == with => zero,
        _ if without ^ with == 15 => format!("{a} ^ {zero}"),
        (0, _) => format!("{a} & {one}"),
        (_, 0) => format!("~ {a} & {zero}"),
        (15, _) => format!("~ {a} | {one}"),
        (_, 15) => format!("{a} | {zero}"),
        _ => format!("bitselect ( {zero} , {one} , {a} )"),
    }
}

/// A byte of `prmt`, where `selector` is a text: its low three bits choose among those of both words, its fourth repeats the sign.
pub fn permuted_byte(place: u32, a: &str, b: &str, selector: &str) -> String {
    let chosen = format!("( {selector} >> {}u & 7u )", 4 * place);
    let word = format!("( {chosen} < 4u ? {a} : {b} )");
    let byte = format!("( {word} >> ( {chosen} & 3u ) * 8u & 0xffu )");
    let sign = format!("( {byte} >> 7u ) * 0xffu");
    let repeats = format!("( {selector} >> {}u & 8u )", 4 * place);
    format!("( {repeats} ? {sign} : {byte} ) << {}u", 8 * place)
}

/// `bfe`: bits from a place on. Behind the highest are copies of the sign, or zeros.
pub fn extracted(ty: Type) -> String {
    let at = "min ( $n2 & 0xffu , 63u )";
    let bits = "( $n3 & 0xffu )";
    match (ty.class, ty.bits) {
        (Class::Signed, 32) => format!(
            "( {bits} == 0 ? 0 : ( int ) ( ( long ) $1 >> {at} << ( 64u - min ( {bits} , 64u ) ) >> ( 64u - min ( {bits} , 64u ) ) ) )"
        ),
        (_, 32) => {
            format!("( uint ) ( ( ulong ) $1 >> {at} & ( 1ul << min ( {bits} , 32u ) ) - 1ul )")
        }
        (Class::Signed, _) => format!(
            "( {bits} == 0 ? 0 : $1 >> {at} << ( 64u - min ( {bits} , 64u ) ) >> ( 64u - min ( {bits} , 64u ) ) )"
        ),
        (_, _) => format!(
            "( {bits} == 0 || ( $n2 & 0xffu ) > 63u ? 0 : $1 >> {at} & ~ 0ul >> ( 64u - min ( {bits} , 64u ) ) )"
        ),
    }
}
