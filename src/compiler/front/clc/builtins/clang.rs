//! Builtins of clang that are no rows of `tables/clang.txt`: functions of mathematics under other names, and forms whose
//! types no row can say, which sema knows.

use super::table::TABLE;
use crate::front::clc::sema::types::Prim;

const PREFIX: &str = "__builtin_";

/// What sema knows, without the prefix.
const FORMS: &[&str] = &[
    "assume_aligned",
    "choose_expr",
    "constant_p",
    "expect",
    "expect_with_probability",
    "huge_val",
    "huge_valf",
    "inf",
    "inff",
    "nan",
    "nanf",
    "nans",
    "nansf",
    "prefetch",
    "shufflevector",
];

/// Forms that take types and so have a syntax of their own.
const SYNTAX: &[&str] = &["astype", "convertvector", "offsetof", "types_compatible_p"];

/// Functions of OpenCL C whose names are those of C's.
const MATHEMATICS: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
];

/// Others, and what they are in OpenCL C, whose rounding is always to nearest even.
const ROUNDING: &[(&str, &str)] = &[("nearbyint", "rint"), ("roundeven", "rint")];

/// Suffixes of C's functions, and what their arguments are converted to.
const SUFFIXES: &[(&str, Prim)] = &[("", Prim::Double), ("f", Prim::Float), ("f16", Prim::Half)];

/// The function of OpenCL C that a builtin of mathematics is, and the type of its arguments: `__builtin_sinf`; any type for
/// `__builtin_elementwise_sin`.
pub fn mathematics(name: &str) -> Option<(&'static str, Option<Prim>)> {
    let name = name.strip_prefix(PREFIX)?;
    if let Some(name) = name.strip_prefix("elementwise_") {
        return Some((function(name)?, None));
    }
    SUFFIXES.iter().find_map(|&(suffix, prim)| {
        let found = function(name.strip_suffix(suffix)?)?;
        Some((found, Some(prim)))
    })
}

fn function(name: &str) -> Option<&'static str> {
    let own = MATHEMATICS.iter().find(|own| **own == name).copied();
    let other = || ROUNDING.iter().find(|(other, _)| *other == name);
    own.or_else(|| other().map(|other| other.1))
}

/// The function of OpenCL C that clang makes of one of its own, whose order and scope are always given.
pub fn atomic(name: &str) -> Option<String> {
    let rest = name.strip_prefix("__opencl_atomic_")?;
    let explicit = if rest == "init" { "" } else { "_explicit" };
    Some(format!("atomic_{rest}{explicit}"))
}

/// The form of this name that sema knows.
pub fn form(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix(PREFIX)?;
    FORMS.iter().find(|form| **form == name).copied()
}

/// What `__has_builtin` tells.
pub fn has(name: &str) -> bool {
    let is_row = |name: &str| !TABLE.named(name).is_empty();
    match name.strip_prefix(PREFIX) {
        Some(rest) => {
            SYNTAX.contains(&rest)
                || form(name).is_some()
                || mathematics(name).is_some()
                || is_row(name)
        }
        None if name.starts_with("__sync_") || name.starts_with("__atomic_") => is_row(name),
        None => atomic(name).is_some_and(|name| is_row(&name)),
    }
}
