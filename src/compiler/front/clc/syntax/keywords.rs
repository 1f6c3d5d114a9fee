//! The words of OpenCL C: keywords with all their spellings, and the builtin type names
//! (OpenCL C specification, sections 6.1.9 and 6.3).

use super::ast::{AccessQual, FunctionSpec, SpaceQual, Storage};

/// What an identifier token is before any scope is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    Name,
    /// A builtin type: `reserved` ones (`int`) cannot be declared again, the others (`float4`) can.
    Type {
        reserved: bool,
    },
    Keyword {
        /// The spelling that the grammar uses.
        text: &'static str,
        role: Role,
    },
}

/// What a keyword does to the reading of names around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Specifier(Specifier),
    /// `struct`, `union`, `enum`
    Tag,
    /// A specifier with an operand in parentheses.
    TypeOperator,
    /// `__attribute__`, `asm`: something in parentheses that ends nothing.
    Aside,
    /// `if`, `while`, `switch`, `for`: a head in parentheses, then a statement.
    Head,
    /// `else`, `do`: a statement follows.
    Lead,
    /// `case`, `default`: a colon, then a statement.
    Label,
    /// `__extension__` changes nothing.
    Nothing,
    /// Any other, as in an expression.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Specifier {
    Storage(Storage),
    Function(FunctionSpec),
    Space(SpaceQual),
    Access(AccessQual),
    Const,
    Volatile,
    Restrict,
    Atomic,
    Pipe,
}

/// Spellings (the first is the grammar's) and role.
type Row = (&'static [&'static str], Role);

const fn spec(specifier: Specifier) -> Role {
    Role::Specifier(specifier)
}

const KEYWORDS: &[Row] = &[
    (&["const", "__const", "__const__"], spec(Specifier::Const)),
    (
        &["volatile", "__volatile", "__volatile__"],
        spec(Specifier::Volatile),
    ),
    (
        &["restrict", "__restrict", "__restrict__"],
        spec(Specifier::Restrict),
    ),
    (&["atomic", "_Atomic"], spec(Specifier::Atomic)),
    (
        &["private", "__private"],
        spec(Specifier::Space(SpaceQual::Private)),
    ),
    (
        &["local", "__local"],
        spec(Specifier::Space(SpaceQual::Local)),
    ),
    (
        &["global", "__global"],
        spec(Specifier::Space(SpaceQual::Global)),
    ),
    (
        &["constant", "__constant"],
        spec(Specifier::Space(SpaceQual::Constant)),
    ),
    (
        &["generic", "__generic"],
        spec(Specifier::Space(SpaceQual::Generic)),
    ),
    (
        &["read_only", "__read_only"],
        spec(Specifier::Access(AccessQual::ReadOnly)),
    ),
    (
        &["write_only", "__write_only"],
        spec(Specifier::Access(AccessQual::WriteOnly)),
    ),
    (
        &["read_write", "__read_write"],
        spec(Specifier::Access(AccessQual::ReadWrite)),
    ),
    (&["typedef"], spec(Specifier::Storage(Storage::Typedef))),
    (&["extern"], spec(Specifier::Storage(Storage::Extern))),
    (&["static"], spec(Specifier::Storage(Storage::Static))),
    (&["auto"], spec(Specifier::Storage(Storage::Auto))),
    (&["register"], spec(Specifier::Storage(Storage::Register))),
    (
        &["kernel", "__kernel"],
        spec(Specifier::Function(FunctionSpec::Kernel)),
    ),
    (
        &["inline", "__inline", "__inline__"],
        spec(Specifier::Function(FunctionSpec::Inline)),
    ),
    // The second, and not the first, in OpenCL C++.
    (&["pipe", "__pipe"], spec(Specifier::Pipe)),
    (&["struct"], Role::Tag),
    (&["union"], Role::Tag),
    (&["enum"], Role::Tag),
    (&["typeof", "__typeof", "__typeof__"], Role::TypeOperator),
    (&["alignas", "_Alignas"], Role::TypeOperator),
    (&["attribute", "__attribute__", "__attribute"], Role::Aside),
    (&["asm", "__asm", "__asm__"], Role::Aside),
    (&["extension", "__extension__"], Role::Nothing),
    (&["assert", "_Static_assert"], Role::Other),
    (&["if"], Role::Head),
    (&["while"], Role::Head),
    (&["switch"], Role::Head),
    (&["for"], Role::Head),
    (&["else"], Role::Lead),
    (&["do"], Role::Lead),
    (&["case"], Role::Label),
    (&["default"], Role::Label),
    (&["goto"], Role::Other),
    (&["return"], Role::Other),
    (&["break"], Role::Other),
    (&["continue"], Role::Other),
    (&["sizeof"], Role::Other),
    (
        &["alignof", "_Alignof", "__alignof", "__alignof__"],
        Role::Other,
    ),
    (&["vec_step"], Role::Other),
    (&["offsetof", "__builtin_offsetof"], Role::Other),
    (&["astype", "__builtin_astype"], Role::Other),
    (&["convertvector", "__builtin_convertvector"], Role::Other),
    (
        &["typescompatible", "__builtin_types_compatible_p"],
        Role::Other,
    ),
    (&["selection", "_Generic"], Role::Other),
];

/// Grammar spellings that are no words of the language: a program may use them as names.
const INVENTED: &[&str] = &[
    "alignas",
    "alignof",
    "atomic",
    "attribute",
    "extension",
    "assert",
    "astype",
    "convertvector",
    "typescompatible",
    "selection",
];

/// C's own type words, which are keywords.
const RESERVED_TYPES: &[&str] = &[
    "void",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "half",
    "signed",
    "__signed",
    "__signed__",
    "unsigned",
    "bool",
    "_Bool",
    AUTO_TYPE,
];

/// GNU's type that an initialiser tells.
pub const AUTO_TYPE: &str = "__auto_type";

const TYPE_NAMES: &[&str] = &[
    "uchar",
    "ushort",
    "uint",
    "ulong",
    "size_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
    "image1d_t",
    "image1d_buffer_t",
    "image1d_array_t",
    "image2d_t",
    "image2d_array_t",
    "image2d_depth_t",
    "image2d_array_depth_t",
    "image2d_msaa_t",
    "image2d_array_msaa_t",
    "image2d_msaa_depth_t",
    "image2d_array_msaa_depth_t",
    "image3d_t",
    "sampler_t",
    "event_t",
    "queue_t",
    "ndrange_t",
    "clk_event_t",
    "reserve_id_t",
    "cl_mem_fence_flags",
    "memory_order",
    "memory_scope",
    "clk_profiling_info",
    "atomic_int",
    "atomic_uint",
    "atomic_long",
    "atomic_ulong",
    "atomic_half",
    "atomic_float",
    "atomic_double",
    "atomic_flag",
    "atomic_intptr_t",
    "atomic_uintptr_t",
    "atomic_size_t",
    "atomic_ptrdiff_t",
];

/// C++'s other types of characters, which are integers of the same size here.
pub const CHARACTERS: &[&str] = &["wchar_t", "char16_t", "char32_t"];

/// Types that have vectors.
const ELEMENT_TYPES: &[&str] = &[
    "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half",
];

/// The word that an identifier spells.
pub fn lookup(text: &str) -> Word {
    if RESERVED_TYPES.contains(&text) {
        return Word::Type { reserved: true };
    }
    if TYPE_NAMES.contains(&text) || is_vector(text) {
        return Word::Type { reserved: false };
    }
    let row = KEYWORDS.iter().find(|row| row.0.contains(&text));
    match row {
        Some(&(spellings, role)) if !INVENTED.contains(&text) => Word::Keyword {
            text: spellings[0],
            role,
        },
        _ => Word::Name,
    }
}

fn is_vector(text: &str) -> bool {
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    matches!(digits, "2" | "3" | "4" | "8" | "16")
        && ELEMENT_TYPES.contains(&&text[..text.len() - digits.len()])
}

/// The specifier that a word in the grammar's spelling is.
pub fn specifier(text: &str) -> Option<Specifier> {
    match KEYWORDS.iter().find(|row| row.0[0] == text)?.1 {
        Role::Specifier(specifier) => Some(specifier),
        _ => None,
    }
}

/// A builtin type's name without its alternative spellings.
pub fn canonical_type(text: &str) -> &str {
    match text {
        "_Bool" => "bool",
        "__signed" | "__signed__" => "signed",
        _ => text,
    }
}
