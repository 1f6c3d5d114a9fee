//! Separate compilation: objects made of sources, joined to programs and libraries.

mod common;

use caldera_compiler::back::disassemble;
use caldera_compiler::driver::{
    Compiled, Object, compile, compile_object, compile_spirv_object, link, link_library,
};
use caldera_compiler::front::spirv::Source;
use caldera_compiler::options::Options;
use caldera_compiler::source::Sources;
use caldera_compiler::target::Target;

fn target() -> Target {
    Target::profile("lavapipe").expect("a profile")
}

fn object(text: &str) -> Object {
    let sources = Sources {
        name: "<source>",
        text,
        headers: &[],
        load: &|_| None,
    };
    let compiled = compile_object(&sources, &Options::default(), &target());
    compiled
        .object
        .unwrap_or_else(|| panic!("{}", compiled.log))
}

fn linked(objects: &[&Object]) -> Compiled {
    link(objects, &Options::default(), &target())
}

const CALLER: &str = "int twice(int); extern constant int table[2];
    kernel void k(global int *a) { a[0] = twice(a[1]) + table[1]; }";
const CALLEE: &str = "constant int table[2] = {3, 4}; int twice(int x) { return 2 * x; }";

#[test]
fn objects_link_to_a_program() {
    let (caller, callee) = (object(CALLER), object(CALLEE));
    let program = linked(&[&caller, &callee]);
    let kernels = program
        .program
        .unwrap_or_else(|| panic!("{}", program.log))
        .kernels;
    assert_eq!(kernels.len(), 1);
    assert_eq!(kernels[0].name, "k");
}

#[test]
fn a_kernel_calls_one_defined_elsewhere() {
    let caller = object(
        "extern kernel void copy(global int *d, global const int *s);
        kernel void k(global int *d, global const int *s) { copy(d, s); }",
    );
    let callee = object(
        "kernel void copy(global int *d, global const int *s)
        { size_t i = get_global_id(0); d[i] = s[i]; }",
    );
    let program = linked(&[&caller, &callee]);
    let program = program.program.unwrap_or_else(|| panic!("{}", program.log));
    let names: Vec<_> = program.kernels.iter().map(|k| k.name.as_str()).collect();
    assert_eq!(names, ["k", "copy"]);
    // The caller has the callee's work in it: it asks for the global offset.
    let field = |k: usize| program.kernels[k].sys.iter().map(|s| s.field);
    assert!(field(0).eq(field(1)));
}

/// gpuowl's barriers are two overloads.
#[test]
fn overloads_link_by_their_parameters() {
    const DECLARED: &str = "#define OVER __attribute__((overloadable))
        int OVER over(int); int OVER over(uint); float OVER over(global float *, float2);
        int over(void);";
    let caller = object(&format!(
        "{DECLARED} kernel void k(global float *a)
        {{ a[0] = over(a, (float2)(1)) + over(1) + over(1u) + over(); }}"
    ));
    let callee = object(&format!(
        "{DECLARED} int OVER over(int x) {{ return x; }}
        int OVER over(uint x) {{ return 2 * x; }} int over() {{ return 5; }}
        float OVER over(global float *p, float2 v) {{ return *p + v.y; }}"
    ));
    let program = linked(&[&caller, &callee]);
    assert!(program.program.is_some(), "{}", program.log);
    let doubled = linked(&[&caller, &callee, &callee]).log;
    for name in ["over(uint)", "over"] {
        let expected = format!("function '{name}' is defined more than once");
        assert!(doubled.contains(&expected), "{doubled}");
    }
}

#[test]
fn a_library_links_like_an_object() {
    let (caller, callee) = (object(CALLER), object(CALLEE));
    let library = link_library(&[&callee], &Options::default(), &target());
    let library = library.object.unwrap_or_else(|| panic!("{}", library.log));
    assert!(linked(&[&library, &caller]).program.is_some());
}

#[test]
fn what_is_missing_or_doubled_is_named() {
    let (caller, callee) = (object(CALLER), object(CALLEE));
    let missing = linked(&[&caller]);
    assert!(missing.program.is_none());
    assert!(missing.log.contains("'twice'"), "{}", missing.log);
    let doubled = linked(&[&caller, &callee, &callee]);
    assert!(
        doubled
            .log
            .contains("function 'twice' is defined more than once"),
        "{}",
        doubled.log
    );
    let other = object("float twice(float x) { return x; } constant int table[2] = {0};");
    let differing = linked(&[&caller, &other]);
    assert!(
        differing
            .log
            .contains("the declarations of function 'twice' differ"),
        "{}",
        differing.log
    );
}

/// Both front ends, and programs as well as objects.
#[test]
fn undefined_symbols_are_errors_where_a_kernel_uses_them() {
    const UNUSED: &str = "extern global int zz; extern constant int cc[]; int f(int);
        int idle(void) { return f(zz) + cc[0]; } kernel void k(global int *a) { a[0] = 1; }";
    let cases = [
        ("a[0] = zz;", "zz"),
        ("global int *p = &zz; *a = *p;", "zz"),
        ("a[0] = *holder;", "zz"),
        ("a[0] = cc[a[1]];", "cc"),
        ("a[0] = f(a[1]);", "f"),
        ("a[0] = through(a[1]);", "f"),
    ];
    let options = Options::parse("-cl-std=CL3.0").expect("known options");
    let outcomes = |text: &str| {
        let sources = Sources {
            name: "<source>",
            text,
            headers: &[],
            load: &|_| None,
        };
        let object = compile_object(&sources, &options, &target());
        let object = object.object.unwrap_or_else(|| panic!("{}", object.log));
        let library = link_library(&[&object], &options, &target());
        let library = library.object.unwrap_or_else(|| panic!("{}", library.log));
        [
            compile(&sources, &options, &target()),
            link(&[&object], &options, &target()),
            link(&[&library], &options, &target()),
        ]
    };
    for built in outcomes(UNUSED) {
        assert!(built.program.is_some(), "{}", built.log);
    }
    for (body, symbol) in cases {
        let text = format!(
            "extern global int zz; extern constant int cc[]; int f(int);
            global int *constant holder = &zz; int through(int x) {{ return f(x); }}
            kernel void k(global int *a) {{ {body} }}"
        );
        for built in outcomes(&text) {
            assert!(built.program.is_none(), "{body}");
            let named = format!("undefined reference to '{symbol}'");
            assert!(built.log.contains(&named), "{body}: {}", built.log);
        }
    }
}

#[test]
fn damaged_objects_are_refused() {
    let caller = object(CALLER);
    for cut in [1, caller.bytes.len() / 2, caller.bytes.len() - 3] {
        let damaged = Object {
            bytes: caller.bytes[..cut].to_vec(),
        };
        let refused = linked(&[&damaged]);
        assert!(refused.program.is_none());
        assert!(refused.log.contains("damaged object"), "{}", refused.log);
    }
}

const SPIRV: &str = r#"
               OpCapability Addresses
               OpCapability Kernel
               OpCapability Linkage
               OpMemoryModel Physical64 OpenCL
       %file = OpString "lib/twice.cl"
               OpDecorate %twice LinkageAttributes "twice" Export
       %uint = OpTypeInt 32 0
          %7 = OpConstant %uint 7
        %ptr = OpTypePointer CrossWorkgroup %uint
         %fn = OpTypeFunction %uint %ptr
      %twice = OpFunction %uint None %fn
          %x = OpFunctionParameter %ptr
      %entry = OpLabel
         %to = OpInBoundsPtrAccessChain %ptr %x %7
               OpLine %file 31 9
      %value = OpLoad %uint %to Aligned 4
        %sum = OpIAdd %uint %value %value
               OpReturnValue %sum
               OpFunctionEnd
"#;

/// Places go with objects, through libraries, too: modules have lines if an object is compiled with -g, and reports of checks have places.
#[test]
fn places_are_linked() {
    let mut target = target();
    target.apply("check,-non_semantic").expect("features");
    let caller = "int twice(global int *);\n\
        kernel void k(global int *a) { a[0] = twice(a + 1); }";
    let callee = "int twice(global int *x) {\n  int i = 7;\n  return 2 * x[i];\n}";
    let spirv = common::spirv::assemble(SPIRV);
    for option in ["", "-g"] {
        let options = Options::parse(option).expect("known options");
        let object = |name, text| {
            let sources = Sources {
                name,
                ..Sources::of(text)
            };
            compile_object(&sources, &options, &target)
        };
        let module = Source {
            module: &spirv,
            constants: &[],
        };
        for (callee, place) in [
            (object("callee.cl", callee), "callee.cl:3:14"),
            (
                compile_spirv_object(module, &options, &target),
                "lib/twice.cl:31:9",
            ),
        ] {
            let callee = callee.object.unwrap_or_else(|| panic!("{}", callee.log));
            let plain = Options::default();
            let library = link_library(&[&callee], &plain, &target).object;
            let caller = object("caller.cl", caller).object.expect("an object");
            let program = link(&[&caller, &library.expect("a library")], &plain, &target);
            let program = program.program.unwrap_or_else(|| panic!("{}", program.log));
            let sites = &program.checks.sites;
            let places: Vec<&str> = sites.iter().map(|site| site.place.as_str()).collect();
            assert!(places.contains(&place), "{places:?}");
            assert!(places.contains(&"caller.cl:2:37"), "{places:?}");
            let assembly = disassemble(&program.kernels[0].spirv).expect("a module");
            assert_eq!(assembly.contains("OpLine"), option == "-g", "{assembly}");
        }
    }
}

/// An object's places are those of its instructions, or it is refused.
#[test]
fn damaged_places() {
    let options = Options::parse("-g").expect("known options");
    let whole = compile_object(&Sources::of(CALLEE), &options, &target());
    let whole = whole.object.expect("an object").bytes;
    let text = whole.iter().position(|&b| b == 0).expect("places");
    for len in text + 1..whole.len() {
        let object = Object {
            bytes: whole[..len].to_vec(),
        };
        let program = linked(&[&object]);
        assert!(program.log.contains("damaged object"), "{}", program.log);
    }
    let more = Object {
        bytes: [&whole[..], &[0]].concat(),
    };
    assert!(linked(&[&more]).log.contains("damaged object"));
    for at in text + 1..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] = !bytes[at];
        linked(&[&Object { bytes }]);
    }
}
