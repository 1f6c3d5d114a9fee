//! Overloads and their types, as clang chooses them; the tables themselves.

use super::conditions::Language;
use super::*;
use crate::options::{Options, Standard};

fn check(call: &str, expect: &str) {
    let mut types = Types::default();
    let target = Target::profile("nvidia").unwrap();
    let options = Options {
        standard: Standard::Cl30,
        ..Options::default()
    };
    let language = Language {
        options: &options,
        target: &target,
        atomics: true,
    };
    let (name, args) = call.split_once(' ').unwrap_or((call, ""));
    let args: Vec<Ty> = args
        .split_whitespace()
        .map(|text| parse_type(&mut types, text))
        .collect();
    let got = match resolve(&mut types, language, name, &args) {
        Ok(r) => {
            let list: Vec<String> = r.params.iter().map(|&t| print_type(&types, t)).collect();
            format!("{} -> {}", list.join(" "), print_type(&types, r.ret))
        }
        Err(ResolveError::Unknown) => "unknown".to_owned(),
        Err(ResolveError::Disabled(what)) => format!("needs {what}"),
        Err(ResolveError::NoMatch(list)) => format!("no match of {}", list.len()),
        Err(ResolveError::Ambiguous(list)) => format!("ambiguous: {}", list.join("; ")),
    };
    assert_eq!(got, expect, "{call}");
}

/// `float4`, `int`, `global:uint`.
fn parse_type(types: &mut Types, text: &str) -> Ty {
    if let Some((space, pointee)) = text.split_once(':') {
        let ty = parse_type(types, pointee);
        let space = match space {
            "global" => Space::Global,
            "local" => Space::Local,
            _ => Space::Private,
        };
        return types.intern(TypeKind::Pointer(QualTy {
            ty,
            space,
            is_const: false,
            is_volatile: false,
            is_restrict: false,
            aligned: 0,
        }));
    }
    let base = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let prim = Prim::ALL.into_iter().find(|p| p.name() == base).unwrap();
    types.intern(match text[base.len()..].parse() {
        Ok(n) => TypeKind::Vector(prim, n),
        Err(_) => TypeKind::Scalar(prim),
    })
}

fn print_type(types: &Types, ty: Ty) -> String {
    match types.kind(ty) {
        TypeKind::Void => "void".to_owned(),
        TypeKind::Scalar(prim) => prim.name().to_owned(),
        TypeKind::Vector(prim, n) => format!("{}{n}", prim.name()),
        TypeKind::Pointer(q) => format!("{:?}:{}", q.space, print_type(types, q.ty)).to_lowercase(),
        other => format!("{other:?}"),
    }
}

/// Expected results follow clang's declarations and overload ranking.
#[test]
fn overloads() {
    check("sin float", "float -> float");
    check("sin float4", "float4 -> float4");
    check(
        "sin int",
        "ambiguous: half sin(half); float sin(float); double sin(double)",
    );
    check("pow float int", "float float -> float");
    check("pow float4 float", "float4 float4 -> float4");
    check("max float4 float", "float4 float -> float4");
    check("max float4 int", "float4 float -> float4");
    check("max int int", "int int -> int");
    check(
        "max int uint",
        "ambiguous: int max(int, int); uint max(uint, uint)",
    );
    check("max float4 float8", "no match of 4");
    check("clamp uchar4 uchar uchar", "uchar4 uchar uchar -> uchar4");
    check("abs short", "short -> ushort");
    check("get_global_id int", "uint -> ulong");
    check("upsample char uchar", "char uchar -> short");
    check("isequal float float", "float float -> int");
    check("isequal double2 double2", "double2 double2 -> long2");
    check("select float4 float4 int4", "float4 float4 int4 -> float4");
    check("select float float int", "float float int -> float");
    check("shuffle float2 uint4", "float2 uint4 -> float4");
    check("vload4 int global:float", "ulong global:float -> float4");
    check(
        "vload3 ulong private:uchar",
        "ulong private:uchar -> uchar3",
    );
    check(
        "vstore_half4_rtz float4 int global:half",
        "float4 ulong global:half -> void",
    );
    check("convert_uchar4_sat_rte float4", "float4 -> uchar4");
    check("convert_float int", "int -> float");
    check("convert_float_sat int", "unknown");
    check("atomic_add global:int int", "global:int int -> int");
    check("atomic_add local:uint int", "local:uint uint -> uint");
    check("atomic_add global:float float", "no match of 1");
    check("no_such_function float", "unknown");
    check("popcount", "no match of 1");
    check("ldexp float4 int", "float4 int -> float4");
    check("mad24 int int int", "int int int -> int");
    check("dot float4 float4", "float4 float4 -> float");
}
