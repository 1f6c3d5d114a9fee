//! Predefined macros: which there are, and when (OpenCL C sections 6.10, 6.13.2, 6.13.3,
//! 6.2.1 and the tables of features and extensions). Each is defined when its name is first seen:
//! there are hundreds, and a program has few of them.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::macros::Builtin;
use crate::features::{EXTENSIONS, FEATURES, Feature};
use crate::front::clc::builtins::conditions::has;
use crate::options::{Cxx, Options, Standard};
use crate::target::Target;

/// Name of the file that predefined macros come from.
pub const FILE: &str = "<built-in>";

pub(super) const BUILTIN: &[(&str, Builtin)] = &[
    ("__LINE__", Builtin::Line),
    ("__FILE__", Builtin::File),
    ("__COUNTER__", Builtin::Counter),
    ("__INCLUDE_LEVEL__", Builtin::IncludeLevel),
    ("__has_attribute", Builtin::Has),
    ("__has_builtin", Builtin::Has),
    ("__has_cpp_attribute", Builtin::Has),
    ("__has_declspec_attribute", Builtin::Has),
    ("__has_extension", Builtin::Has),
    ("__has_feature", Builtin::Has),
    ("__has_include", Builtin::Has),
    ("__has_warning", Builtin::Has),
];

/// What a [`Predicate`] may ask.
struct Env<'a> {
    opts: &'a Options,
    target: &'a Target,
}

type Predicate = fn(&Env) -> bool;

const ALWAYS: Predicate = |_| true;
const CL10_ONLY: Predicate = |e| e.opts.standard == Standard::Cl10;
const C: Predicate = |e| e.opts.cxx.is_none();
const OPENCL_CXX: Predicate = |e| e.opts.is_opencl_cxx();
const CXX: Predicate = |e| !C(e) && !OPENCL_CXX(e);
const SINCE_CL20: Predicate = |e| e.opts.standard >= Standard::Cl20;
const PIPES: Predicate = |e| SINCE_CL20(e) && has("__opencl_c_pipes", e.target);
const BLOCKS: Predicate = |e| SINCE_CL20(e) && has("__opencl_c_device_enqueue", e.target);
const EMBEDDED: Predicate = |e| e.target.is_embedded();
// In OpenCL C++ an option turns them on.
const FP16: Predicate = |e| has("cl_khr_fp16", e.target) && (e.opts.fp16_enable || !OPENCL_CXX(e));
const FP64: Predicate = |e| has("cl_khr_fp64", e.target) && (e.opts.fp64_enable || !OPENCL_CXX(e));
const FAST_RELAXED: Predicate = |e| e.opts.fast_relaxed_math;
const FUSED: Predicate = |e| e.target.fused_fma;
const FUSED16: Predicate = |e| FUSED(e) && FP16(e);
const FUSED64: Predicate = |e| FUSED(e) && FP64(e);

/// Name with parameters, body, condition.
const MACROS: &[(&str, &str, Predicate)] = &[
    ("__STDC__", "1", ALWAYS),
    ("__STDC_HOSTED__", "0", ALWAYS),
    ("__STDC_VERSION__", "199901L", C),
    ("__cplusplus", "201703L", CXX),
    ("__opencl_cpp_destructor_with_address_spaces", "1", CXX),
    ("__opencl_cpp_global_destructor", "1", CXX),
    // For both versions, as CL_VERSION_1_0 and its kin.
    ("__CL_CPP_VERSION_1_0__", "100", CXX),
    ("__CL_CPP_VERSION_2021__", "202100", CXX),
    // The same input gives the same output, whenever it is compiled.
    ("__DATE__", "\"Jan  1 1970\"", ALWAYS),
    ("__TIME__", "\"00:00:00\"", ALWAYS),
    // For all versions: a comparison with one that is not defined would be true.
    ("CL_VERSION_1_0", "100", ALWAYS),
    ("CL_VERSION_1_1", "110", ALWAYS),
    ("CL_VERSION_1_2", "120", ALWAYS),
    ("CL_VERSION_2_0", "200", ALWAYS),
    ("CL_VERSION_3_0", "300", ALWAYS),
    ("CL_VERSION_3_1", "310", ALWAYS),
    ("__ENDIAN_LITTLE__", "1", ALWAYS),
    ("__IMAGE_SUPPORT__", "1", ALWAYS),
    ("__EMBEDDED_PROFILE__", "1", EMBEDDED),
    ("__ROUNDING_MODE__", "rte", CL10_ONLY),
    ("__FAST_RELAXED_MATH__", "1", FAST_RELAXED),
    (
        "__kernel_exec(X, typen)",
        "__kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))",
        ALWAYS,
    ),
    ("kernel_exec(X, typen)", "__kernel_exec(X, typen)", ALWAYS),
    ("NULL", "((void*)0)", ALWAYS),
    ("true", "1", C),
    ("false", "0", C),
    // What C compilers agree on; headers for several of them ask, and 0 == 0 would be true.
    ("__ORDER_LITTLE_ENDIAN__", "1234", ALWAYS),
    ("__ORDER_BIG_ENDIAN__", "4321", ALWAYS),
    ("__BYTE_ORDER__", "__ORDER_LITTLE_ENDIAN__", ALWAYS),
    ("__CHAR_BIT__", "8", ALWAYS),
    ("__SIZE_TYPE__", "unsigned long", ALWAYS),
    ("__SIZE_MAX__", "0xffffffffffffffffUL", ALWAYS),
    ("__PTRDIFF_TYPE__", "long", ALWAYS),
    ("__INTPTR_TYPE__", "long", ALWAYS),
    ("__UINTPTR_TYPE__", "unsigned long", ALWAYS),
    ("__INT8_TYPE__", "signed char", ALWAYS),
    ("__INT16_TYPE__", "short", ALWAYS),
    ("__INT32_TYPE__", "int", ALWAYS),
    ("__INT64_TYPE__", "long", ALWAYS),
    ("__UINT8_TYPE__", "unsigned char", ALWAYS),
    ("__UINT16_TYPE__", "unsigned short", ALWAYS),
    ("__UINT32_TYPE__", "unsigned int", ALWAYS),
    ("__UINT64_TYPE__", "unsigned long", ALWAYS),
    ("__LITTLE_ENDIAN__", "1", ALWAYS),
    ("_LP64", "1", ALWAYS),
    ("__LP64__", "1", ALWAYS),
    ("__POINTER_WIDTH__", "64", ALWAYS),
    ("__SIZEOF_SHORT__", "2", ALWAYS),
    ("__SIZEOF_INT__", "4", ALWAYS),
    ("__SIZEOF_LONG__", "8", ALWAYS),
    ("__SIZEOF_FLOAT__", "4", ALWAYS),
    ("__SIZEOF_DOUBLE__", "8", ALWAYS),
    ("__SIZEOF_POINTER__", "8", ALWAYS),
    ("__SIZEOF_SIZE_T__", "8", ALWAYS),
    ("__SIZEOF_PTRDIFF_T__", "8", ALWAYS),
    ("__INT8_MAX__", "SCHAR_MAX", ALWAYS),
    ("__INT16_MAX__", "SHRT_MAX", ALWAYS),
    ("__INT32_MAX__", "INT_MAX", ALWAYS),
    ("__INT64_MAX__", "LONG_MAX", ALWAYS),
    ("__UINT8_MAX__", "UCHAR_MAX", ALWAYS),
    ("__UINT16_MAX__", "USHRT_MAX", ALWAYS),
    ("__UINT32_MAX__", "UINT_MAX", ALWAYS),
    ("__UINT64_MAX__", "ULONG_MAX", ALWAYS),
    ("__INTPTR_MAX__", "LONG_MAX", ALWAYS),
    ("__UINTPTR_MAX__", "ULONG_MAX", ALWAYS),
    ("__PTRDIFF_MAX__", "LONG_MAX", ALWAYS),
    ("__ATOMIC_RELAXED", "0", ALWAYS),
    ("__ATOMIC_CONSUME", "1", ALWAYS),
    ("__ATOMIC_ACQUIRE", "2", ALWAYS),
    ("__ATOMIC_RELEASE", "3", ALWAYS),
    ("__ATOMIC_ACQ_REL", "4", ALWAYS),
    ("__ATOMIC_SEQ_CST", "5", ALWAYS),
    // Integer limits (6.13.3).
    ("CHAR_BIT", "8", ALWAYS),
    ("CHAR_MAX", "SCHAR_MAX", ALWAYS),
    ("CHAR_MIN", "SCHAR_MIN", ALWAYS),
    ("INT_MAX", "2147483647", ALWAYS),
    ("INT_MIN", "(-2147483647 - 1)", ALWAYS),
    ("LONG_MAX", "0x7fffffffffffffffL", ALWAYS),
    ("LONG_MIN", "(-0x7fffffffffffffffL - 1)", ALWAYS),
    ("SCHAR_MAX", "127", ALWAYS),
    ("SCHAR_MIN", "(-127 - 1)", ALWAYS),
    ("SHRT_MAX", "32767", ALWAYS),
    ("SHRT_MIN", "(-32767 - 1)", ALWAYS),
    ("UCHAR_MAX", "255", ALWAYS),
    ("USHRT_MAX", "65535", ALWAYS),
    ("UINT_MAX", "0xffffffff", ALWAYS),
    ("ULONG_MAX", "0xffffffffffffffffUL", ALWAYS),
    // Floating-point limits (6.13.2).
    ("FLT_DIG", "6", ALWAYS),
    ("FLT_MANT_DIG", "24", ALWAYS),
    ("FLT_MAX_10_EXP", "+38", ALWAYS),
    ("FLT_MAX_EXP", "+128", ALWAYS),
    ("FLT_MIN_10_EXP", "-37", ALWAYS),
    ("FLT_MIN_EXP", "-125", ALWAYS),
    ("FLT_RADIX", "2", ALWAYS),
    ("FLT_MAX", "0x1.fffffep127f", ALWAYS),
    ("FLT_MIN", "0x1.0p-126f", ALWAYS),
    ("FLT_EPSILON", "0x1.0p-23f", ALWAYS),
    ("DBL_DIG", "15", FP64),
    ("DBL_MANT_DIG", "53", FP64),
    ("DBL_MAX_10_EXP", "+308", FP64),
    ("DBL_MAX_EXP", "+1024", FP64),
    ("DBL_MIN_10_EXP", "-307", FP64),
    ("DBL_MIN_EXP", "-1021", FP64),
    ("DBL_RADIX", "2", FP64),
    ("DBL_MAX", "0x1.fffffffffffffp1023", FP64),
    ("DBL_MIN", "0x1.0p-1022", FP64),
    ("DBL_EPSILON", "0x1.0p-52", FP64),
    ("HALF_DIG", "3", FP16),
    ("HALF_MANT_DIG", "11", FP16),
    ("HALF_MAX_10_EXP", "+4", FP16),
    ("HALF_MAX_EXP", "+16", FP16),
    ("HALF_MIN_10_EXP", "-4", FP16),
    ("HALF_MIN_EXP", "-13", FP16),
    ("HALF_RADIX", "2", FP16),
    ("HALF_MAX", "0x1.ffcp15h", FP16),
    ("HALF_MIN", "0x1.0p-14h", FP16),
    ("HALF_EPSILON", "0x1.0p-10h", FP16),
    ("MAXFLOAT", "0x1.fffffep127f", ALWAYS),
    ("HUGE_VALF", "(1.0f / 0.0f)", ALWAYS),
    ("INFINITY", "(1.0f / 0.0f)", ALWAYS),
    ("NAN", "(0.0f / 0.0f)", ALWAYS),
    ("HUGE_VAL", "(1.0 / 0.0)", FP64),
    ("FP_ILOGB0", "(-2147483647 - 1)", ALWAYS),
    ("FP_ILOGBNAN", "2147483647", ALWAYS),
    ("FP_FAST_FMAF", "1", FUSED),
    ("FP_FAST_FMA", "1", FUSED64),
    ("FP_FAST_FMA_HALF", "1", FUSED16),
    // Flags of cl_mem_fence_flags.
    ("CLK_LOCAL_MEM_FENCE", "0x1", ALWAYS),
    ("CLK_GLOBAL_MEM_FENCE", "0x2", ALWAYS),
    ("CLK_IMAGE_MEM_FENCE", "0x4", ALWAYS),
    (
        "CLK_NULL_RESERVE_ID",
        "(__builtin_astype(0UL, reserve_id_t))",
        PIPES,
    ),
    ("CLK_NULL_QUEUE", "(__builtin_astype(0UL, queue_t))", BLOCKS),
    (
        "CLK_NULL_EVENT",
        "(__builtin_astype(0UL, clk_event_t))",
        BLOCKS,
    ),
    ("CLK_ENQUEUE_FLAGS_NO_WAIT", "0x0", BLOCKS),
    ("CLK_ENQUEUE_FLAGS_WAIT_KERNEL", "0x1", BLOCKS),
    ("CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP", "0x2", BLOCKS),
    ("CLK_PROFILING_COMMAND_EXEC_TIME", "0x1", BLOCKS),
    ("CLK_SUCCESS", "0", BLOCKS),
    ("CLK_ENQUEUE_FAILURE", "-101", BLOCKS),
    ("CLK_INVALID_QUEUE", "-102", BLOCKS),
    ("CLK_INVALID_NDRANGE", "-160", BLOCKS),
    ("CLK_INVALID_EVENT_WAIT_LIST", "-57", BLOCKS),
    ("CLK_DEVICE_QUEUE_FULL", "-161", BLOCKS),
    ("CLK_INVALID_ARG_SIZE", "-51", BLOCKS),
    ("CLK_EVENT_ALLOCATION_FAILURE", "-100", BLOCKS),
    ("CLK_OUT_OF_RESOURCES", "-5", BLOCKS),
    ("CL_COMPLETE", "0x0", BLOCKS),
    ("CL_RUNNING", "0x1", BLOCKS),
    ("CL_SUBMITTED", "0x2", BLOCKS),
    ("CL_QUEUED", "0x3", BLOCKS),
    ("ATOMIC_VAR_INIT(X)", "(X)", SINCE_CL20),
    ("ATOMIC_FLAG_INIT", "0", SINCE_CL20),
    // Samplers: bit 0 coordinates, bits 1 to 3 addressing, bits 4 and 5 filter.
    ("CLK_NORMALIZED_COORDS_FALSE", "0x00", ALWAYS),
    ("CLK_NORMALIZED_COORDS_TRUE", "0x01", ALWAYS),
    ("CLK_ADDRESS_NONE", "0x00", ALWAYS),
    ("CLK_ADDRESS_CLAMP_TO_EDGE", "0x02", ALWAYS),
    ("CLK_ADDRESS_CLAMP", "0x04", ALWAYS),
    ("CLK_ADDRESS_REPEAT", "0x06", ALWAYS),
    ("CLK_ADDRESS_MIRRORED_REPEAT", "0x08", ALWAYS),
    ("CLK_FILTER_NEAREST", "0x10", ALWAYS),
    ("CLK_FILTER_LINEAR", "0x20", ALWAYS),
    // Image channel orders and types: the values of their CL_ counterparts. For all versions:
    // a kernel of any is given images of these formats, and the library is of version 1.2.
    ("CLK_R", "0x10B0", ALWAYS),
    ("CLK_A", "0x10B1", ALWAYS),
    ("CLK_RG", "0x10B2", ALWAYS),
    ("CLK_RA", "0x10B3", ALWAYS),
    ("CLK_RGB", "0x10B4", ALWAYS),
    ("CLK_RGBA", "0x10B5", ALWAYS),
    ("CLK_BGRA", "0x10B6", ALWAYS),
    ("CLK_ARGB", "0x10B7", ALWAYS),
    ("CLK_INTENSITY", "0x10B8", ALWAYS),
    ("CLK_LUMINANCE", "0x10B9", ALWAYS),
    ("CLK_Rx", "0x10BA", ALWAYS),
    ("CLK_RGx", "0x10BB", ALWAYS),
    ("CLK_RGBx", "0x10BC", ALWAYS),
    ("CLK_DEPTH", "0x10BD", ALWAYS),
    ("CLK_sRGB", "0x10BF", ALWAYS),
    ("CLK_sRGBx", "0x10C0", ALWAYS),
    ("CLK_sRGBA", "0x10C1", ALWAYS),
    ("CLK_sBGRA", "0x10C2", ALWAYS),
    ("CLK_ABGR", "0x10C3", ALWAYS),
    ("CLK_SNORM_INT8", "0x10D0", ALWAYS),
    ("CLK_SNORM_INT16", "0x10D1", ALWAYS),
    ("CLK_UNORM_INT8", "0x10D2", ALWAYS),
    ("CLK_UNORM_INT16", "0x10D3", ALWAYS),
    ("CLK_UNORM_SHORT_565", "0x10D4", ALWAYS),
    ("CLK_UNORM_SHORT_555", "0x10D5", ALWAYS),
    ("CLK_UNORM_INT_101010", "0x10D6", ALWAYS),
    ("CLK_SIGNED_INT8", "0x10D7", ALWAYS),
    ("CLK_SIGNED_INT16", "0x10D8", ALWAYS),
    ("CLK_SIGNED_INT32", "0x10D9", ALWAYS),
    ("CLK_UNSIGNED_INT8", "0x10DA", ALWAYS),
    ("CLK_UNSIGNED_INT16", "0x10DB", ALWAYS),
    ("CLK_UNSIGNED_INT32", "0x10DC", ALWAYS),
    ("CLK_HALF_FLOAT", "0x10DD", ALWAYS),
    ("CLK_FLOAT", "0x10DE", ALWAYS),
    ("CLK_UNORM_INT_101010_2", "0x10E0", ALWAYS),
    ("CLK_UNORM_INT10X6_EXT", "0x10E1", ALWAYS),
    ("CLK_UNSIGNED_INT_RAW10_EXT", "0x10E3", ALWAYS),
    ("CLK_UNSIGNED_INT_RAW12_EXT", "0x10E4", ALWAYS),
    ("CLK_UNORM_INT_2_101010_EXT", "0x10E5", ALWAYS),
    ("CLK_UNSIGNED_INT10X6_EXT", "0x10E6", ALWAYS),
    ("CLK_UNSIGNED_INT12X4_EXT", "0x10E7", ALWAYS),
    ("CLK_UNSIGNED_INT14X2_EXT", "0x10E8", ALWAYS),
    ("CLK_UNORM_INT12X4_EXT", "0x10E9", ALWAYS),
    ("CLK_UNORM_INT14X2_EXT", "0x10EA", ALWAYS),
    // The specification has both names.
    ("CLK_UNORM_10X6_EXT", "0x10E1", ALWAYS),
    ("CLK_UNORM_12X4_EXT", "0x10E9", ALWAYS),
    ("CLK_UNORM_14X2_EXT", "0x10EA", ALWAYS),
];

/// Constants `M_x` (double), `M_x_F` (float) and `M_x_H` (half).
const MATH: &[(&str, &str)] = &[
    ("M_E", "2.718281828459045235360287"),
    ("M_LOG2E", "1.442695040888963407359925"),
    ("M_LOG10E", "0.434294481903251827651129"),
    ("M_LN2", "0.693147180559945309417232"),
    ("M_LN10", "2.302585092994045684017991"),
    ("M_PI", "3.141592653589793238462643"),
    ("M_PI_2", "1.570796326794896619231322"),
    ("M_PI_4", "0.785398163397448309615661"),
    ("M_1_PI", "0.318309886183790671537768"),
    ("M_2_PI", "0.636619772367581343075535"),
    ("M_2_SQRTPI", "1.128379167095512573896159"),
    ("M_SQRT2", "1.414213562373095048801689"),
    ("M_SQRT1_2", "0.707106781186547524400844"),
];

/// What a row of [`TABLE`] depends on.
enum Condition {
    If(Predicate),
    /// Earlier versions than 3.0 need not have the feature macros.
    Feature(&'static Feature),
    Extension(&'static Feature),
}

impl Condition {
    fn holds(&self, env: &Env) -> bool {
        match self {
            Condition::If(predicate) => predicate(env),
            Condition::Feature(row) => env.opts.standard >= Standard::Cl30 && row.is_on(env.target),
            Condition::Extension(row) => match row.name {
                "cl_khr_fp16" => FP16(env),
                "cl_khr_fp64" => FP64(env),
                _ => row.is_on(env.target),
            },
        }
    }
}

/// What stands behind `#define` for each name but those of versions.
static TABLE: LazyLock<HashMap<String, (String, Condition)>> = LazyLock::new(|| {
    let row = |head: &str, body: &str, condition| {
        let name = head.split('(').next().unwrap_or(head);
        (name.to_owned(), (format!("{head} {body}\n"), condition))
    };
    let macros = MACROS
        .iter()
        .map(|(head, body, predicate)| row(head, body, Condition::If(*predicate)));
    let math = MATH.iter().flat_map(|(name, value)| {
        [("", "", FP64), ("_F", "f", ALWAYS), ("_H", "h", FP16)].map(|(kind, suffix, predicate)| {
            let (head, body) = (format!("{name}{kind}"), format!("{value}{suffix}"));
            row(&head, &body, Condition::If(predicate))
        })
    });
    let features = FEATURES
        .iter()
        .map(|feature| row(feature.name, "1", Condition::Feature(feature)));
    let extensions = EXTENSIONS
        .iter()
        .map(|extension| row(extension.name, "1", Condition::Extension(extension)));
    macros
        .chain(math)
        .chain(features)
        .chain(extensions)
        .collect()
});

/// What stands behind `#define` in the definition of a name, with its line's end; `None` if
/// the name is not predefined.
pub(super) fn definition(name: &str, opts: &Options, target: &Target) -> Option<String> {
    match (name, opts.cxx) {
        ("__OPENCL_C_VERSION__", None) => {
            return Some(format!("{name} {}\n", opts.standard.number()));
        }
        ("NULL", Some(_)) => return Some(format!("{name} nullptr\n")),
        ("__cplusplus", Some(Cxx::OpenclCxx)) => return Some(format!("{name} 201402L\n")),
        ("__OPENCL_CPP_VERSION__", Some(version)) => {
            return Some(format!("{name} {}\n", version.number()));
        }
        _ => {}
    }
    if name == "__OPENCL_VERSION__" {
        let (major, minor) = target.opencl_version();
        return Some(format!("{name} {}\n", major * 100 + minor * 10));
    }
    if let Some(limit) = compiler_limit(name) {
        let condition = &TABLE.get(limit)?.1;
        return condition
            .holds(&Env { opts, target })
            .then(|| format!("{name} {limit}\n"));
    }
    let (text, condition) = TABLE.get(name)?;
    condition.holds(&Env { opts, target }).then(|| text.clone())
}

/// The limit that compilers of C have as `__FLT_MAX__` and its kin, from which headers make their own.
fn compiler_limit(name: &str) -> Option<&str> {
    const INTEGERS: &[&str] = &["SCHAR_MAX", "SHRT_MAX", "INT_MAX", "LONG_MAX"];
    let inner = name.strip_prefix("__")?.strip_suffix("__")?;
    let is_float = inner.starts_with("FLT_") || inner.starts_with("DBL_");
    (is_float || INTEGERS.contains(&inner)).then_some(inner)
}
