//! Modules that call each instruction of OpenCL.std.

use std::collections::BTreeSet;
use std::fmt::Write;

/// Operands and results by kind, and the instructions that have them. `F` is a float, `I` an integer of its width, `J`
/// one of 32 bits, `W` one of twice the width, `S` one lane, `*` a pointer to it; with `f` floats of 32 bits only.
const FLOATS: &[(&str, &str)] = &[
    (
        "F = F",
        "acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt ceil cos cosh cospi erfc erf exp exp2 exp10 expm1 \
         fabs floor lgamma log log2 log10 log1p logb rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma trunc \
         degrees radians sign normalize",
    ),
    (
        "F = F F",
        "atan2 atan2pi copysign fdim fmax fmin fmod hypot maxmag minmag nextafter pow powr remainder fmax_common \
         fmin_common step",
    ),
    ("F = F F F", "fma mad fclamp mix smoothstep bitselect"),
    ("F = F F I", "select"),
    ("F = F *F", "fract modf sincos"),
    ("F = F *J", "frexp lgamma_r"),
    ("F = F F *J", "remquo"),
    ("F = F J", "ldexp pown rootn"),
    ("J = F", "ilogb"),
    ("F = I", "nan"),
    ("S = F", "length"),
    ("S = F F", "distance"),
    (
        "f = f",
        "half_cos half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_recip half_rsqrt half_sin half_sqrt \
         half_tan native_cos native_exp native_exp2 native_exp10 native_log native_log2 native_log10 native_recip \
         native_rsqrt native_sin native_sqrt native_tan fast_normalize",
    ),
    ("f = f f", "half_divide half_powr native_divide native_powr"),
    ("s = f", "fast_length"),
    ("s = f f", "fast_distance"),
];

const INTEGERS: &[(&str, &str)] = &[
    ("I = I", "s_abs u_abs clz ctz popcount"),
    (
        "I = I I",
        "s_abs_diff u_abs_diff s_add_sat u_add_sat s_hadd u_hadd s_rhadd u_rhadd s_max u_max s_min u_min s_mul_hi u_mul_hi \
         rotate s_sub_sat u_sub_sat",
    ),
    (
        "I = I I I",
        "s_clamp u_clamp s_mad_hi u_mad_hi s_mad_sat u_mad_sat bitselect select",
    ),
    ("W = I I", "s_upsample u_upsample"),
    ("j = j j", "s_mul24 u_mul24"),
    ("j = j j j", "s_mad24 u_mad24"),
];

/// What is not of one of these forms: its lines in a function with `%p` (pointer to float), `%h` (to half), `%o`
/// (an offset), `%x` (a float), `%v` and `%m` (vectors of four floats and integers).
const OTHERS: &[&str] = &[
    "%v4f32 vloadn %o %p 4",
    "%void vstoren %v %o %p",
    "%f32 vload_half %o %h",
    "%v4f32 vload_halfn %o %h 4",
    "%void vstore_half %x %o %h",
    "%void vstore_half_r %x %o %h RTZ",
    "%void vstore_halfn %v %o %h",
    "%void vstore_halfn_r %v %o %h RTP",
    "%v4f32 vloada_halfn %o %h 4",
    "%void vstorea_halfn %v %o %h",
    "%void vstorea_halfn_r %v %o %h RTN",
    "%v4f32 shuffle %v %m",
    "%v4f32 shuffle2 %v %v %m",
    "%v4f32 cross %v %v",
    "%void prefetch %p %o",
];

/// The instructions of all forms.
pub fn names() -> BTreeSet<&'static str> {
    let formed = FLOATS.iter().chain(INTEGERS);
    let formed = formed.flat_map(|(_, names)| names.split_whitespace());
    let others = OTHERS.iter().filter_map(|line| line.split(' ').nth(1));
    formed.chain(others).collect()
}

fn ty(scalar: char, bits: u32, lanes: u32) -> String {
    match lanes {
        1 => format!("{scalar}{bits}"),
        n => format!("v{n}{scalar}{bits}"),
    }
}

/// The type that a letter means; `None` if there is none for these bits.
fn meant(letter: char, bits: u32, lanes: u32) -> Option<String> {
    Some(match letter {
        'F' => ty('f', bits, lanes),
        'f' if bits == 32 => ty('f', 32, lanes),
        'S' => ty('f', bits, 1),
        's' if bits == 32 => ty('f', 32, 1),
        'I' => ty('i', bits, lanes),
        'J' => ty('i', 32, lanes),
        'j' if bits == 32 => ty('i', 32, lanes),
        'W' if bits < 64 => ty('i', 2 * bits, lanes),
        _ => return None,
    })
}

/// The text of a module that calls them all: floats of 16 to 64 bits, integers of 8 to 64, one and four lanes.
pub fn module() -> String {
    let mut body = String::new();
    for (table, widths) in [
        (FLOATS, [16, 32, 64].as_slice()),
        (INTEGERS, &[8, 16, 32, 64]),
    ] {
        for (form, names) in table {
            for (&bits, lanes) in widths.iter().flat_map(|bits| [(bits, 1), (bits, 4)]) {
                call(&mut body, form, names, bits, lanes);
            }
        }
    }
    for line in OTHERS {
        let (result, rest) = line.split_once(' ').unwrap_or((line, ""));
        let _ = writeln!(body, "%r{} = OpExtInst {result} %std {rest}", body.len());
    }
    HEAD.replace("BODY", &body)
}

fn call(body: &mut String, form: &str, names: &str, bits: u32, lanes: u32) {
    let (result, operands) = form.split_once(" = ").unwrap_or((form, ""));
    let first = |text: &str| text.chars().next().unwrap_or(' ');
    let Some(result) = meant(first(result), bits, lanes) else {
        return;
    };
    let operand = |word: &str| match word.strip_prefix('*') {
        Some(word) => meant(first(word), bits, lanes).map(|ty| format!("%at_{ty}")),
        None => meant(first(word), bits, lanes).map(|ty| format!("%zero_{ty}")),
    };
    let operands: Option<Vec<String>> = operands.split(' ').map(operand).collect();
    let Some(operands) = operands else { return };
    for name in names.split_whitespace() {
        let place = body.len();
        let operands = operands.join(" ");
        let _ = writeln!(
            body,
            "%r{place} = OpExtInst %{result} %std {name} {operands}"
        );
    }
}

const HEAD: &str = "
OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability Int16
OpCapability Int8
OpCapability Float16
OpCapability Float64
%std = OpExtInstImport \"OpenCL.std\"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %kernel \"all\"
%void = OpTypeVoid
%i8 = OpTypeInt 8 0
%i16 = OpTypeInt 16 0
%i32 = OpTypeInt 32 0
%i64 = OpTypeInt 64 0
%f16 = OpTypeFloat 16
%f32 = OpTypeFloat 32
%f64 = OpTypeFloat 64
%v4i8 = OpTypeVector %i8 4
%v4i16 = OpTypeVector %i16 4
%v4i32 = OpTypeVector %i32 4
%v4i64 = OpTypeVector %i64 4
%v4f16 = OpTypeVector %f16 4
%v4f32 = OpTypeVector %f32 4
%v4f64 = OpTypeVector %f64 4
%p_i32 = OpTypePointer Function %i32
%p_f16 = OpTypePointer Function %f16
%p_f32 = OpTypePointer Function %f32
%p_f64 = OpTypePointer Function %f64
%p_v4i32 = OpTypePointer Function %v4i32
%p_v4f16 = OpTypePointer Function %v4f16
%p_v4f32 = OpTypePointer Function %v4f32
%p_v4f64 = OpTypePointer Function %v4f64
%global = OpTypePointer CrossWorkgroup %f32
%halves = OpTypePointer CrossWorkgroup %f16
%zero_i8 = OpConstantNull %i8
%zero_i16 = OpConstantNull %i16
%zero_i32 = OpConstantNull %i32
%zero_i64 = OpConstantNull %i64
%zero_f16 = OpConstantNull %f16
%zero_f32 = OpConstantNull %f32
%zero_f64 = OpConstantNull %f64
%zero_v4i8 = OpConstantNull %v4i8
%zero_v4i16 = OpConstantNull %v4i16
%zero_v4i32 = OpConstantNull %v4i32
%zero_v4i64 = OpConstantNull %v4i64
%zero_v4f16 = OpConstantNull %v4f16
%zero_v4f32 = OpConstantNull %v4f32
%zero_v4f64 = OpConstantNull %v4f64
%fn = OpTypeFunction %void %global %halves %i64 %f32 %v4f32 %v4i32
%kernel = OpFunction %void None %fn
%p = OpFunctionParameter %global
%h = OpFunctionParameter %halves
%o = OpFunctionParameter %i64
%x = OpFunctionParameter %f32
%v = OpFunctionParameter %v4f32
%m = OpFunctionParameter %v4i32
%entry = OpLabel
%at_i32 = OpVariable %p_i32 Function
%at_f16 = OpVariable %p_f16 Function
%at_f32 = OpVariable %p_f32 Function
%at_f64 = OpVariable %p_f64 Function
%at_v4i32 = OpVariable %p_v4i32 Function
%at_v4f16 = OpVariable %p_v4f16 Function
%at_v4f32 = OpVariable %p_v4f32 Function
%at_v4f64 = OpVariable %p_v4f64 Function
BODYOpReturn
OpFunctionEnd
";
