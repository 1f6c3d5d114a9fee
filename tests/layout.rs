//! Layout: sizes of types and offsets of members are those that the host's C compiler gives the
//! types of cl_platform.h. Random structs and unions, nested, packed and aligned, go through both.

mod common;

use std::fmt::Write;

use caldera_compiler::options::Options;
use caldera_compiler::target::Target;
use common::compile::lowered;
use common::process::{command, run, scratch};
use common::rng::Rng;
use common::run_line;

const RECORDS: usize = 120;
const SCALARS: &[&str] = &[
    "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half",
];
const LANES: &[&str] = &["", "", "", "2", "3", "4", "8", "16"];

/// A record's declaration and what is asked about it: expressions, the same for both compilers.
struct Record {
    text: String,
    questions: Vec<String>,
}

fn attributes(rng: &mut Rng, packed: bool) -> &'static str {
    const ALIGNED: &[&str] = &[
        " __attribute__((aligned(8)))",
        " __attribute__((aligned(64)))",
    ];
    const PACKED: &[&str] = &[
        " __attribute__((packed))",
        " __attribute__((packed, aligned(4)))",
    ];
    match rng.below(5) {
        0 => rng.pick(ALIGNED),
        1 if packed => rng.pick(PACKED),
        _ => "",
    }
}

/// A type of the device's language, which the host program spells alike by macros.
fn member_type(rng: &mut Rng, records: usize) -> String {
    match rng.below(8) {
        0 if records > 0 => format!("R{}", rng.below(records)),
        1 => "GLOBAL int *".into(),
        2 => "size_t".into(),
        _ => {
            let scalar = rng.pick(SCALARS);
            // cl_platform.h has no vectors of half for every version of it.
            let lanes = if scalar == "half" {
                ""
            } else {
                rng.pick(LANES)
            };
            format!("T({scalar}{lanes})")
        }
    }
}

fn record(rng: &mut Rng, index: usize) -> Record {
    let keyword = if rng.below(4) == 0 { "union" } else { "struct" };
    let name = format!("R{index}");
    let mut text = format!("typedef {keyword}{} {{\n", attributes(rng, true));
    let mut questions = vec![format!("sizeof({name})"), format!("ALIGN({name})")];
    for member in 0..1 + rng.below(6) {
        let ty = member_type(rng, index);
        let array = ["", "", "[3]", "[2][5]"][rng.below(4)];
        let aligned = attributes(rng, false);
        if rng.below(8) == 0 {
            let kind = if rng.below(2) == 0 { "union" } else { "struct" };
            let _ = writeln!(
                text,
                "  {kind} {{ {ty} m{member}{array}; T(char) n{member}; }};"
            );
            questions.push(format!("OFFSET({name}, n{member})"));
        } else {
            let _ = writeln!(text, "  {ty} m{member}{array}{aligned};");
        }
        questions.push(format!("OFFSET({name}, m{member})"));
    }
    let _ = writeln!(text, "}} {name};");
    Record { text, questions }
}

fn host(declarations: &str, questions: &[String]) -> Vec<u32> {
    let mut text = String::from(
        "#define CL_TARGET_OPENCL_VERSION 300\n#include <CL/cl_platform.h>\n#include <stddef.h>\n\
         #include <stdio.h>\n#define GLOBAL\n#define T(name) cl_##name\n\
         #define OFFSET(r, m) offsetof(r, m)\n#define ALIGN(r) _Alignof(r)\n",
    );
    text.push_str(declarations);
    text.push_str("int main(void) {\n");
    for question in questions {
        let _ = writeln!(text, "  printf(\"%u\\n\", (unsigned)({question}));");
    }
    text.push_str("}\n");
    let folder = scratch("layout");
    let (source, program) = (folder.join("layout.c"), folder.join("layout"));
    std::fs::write(&source, text).expect("the source is written");
    let args = [
        "-w".as_ref(),
        source.as_os_str(),
        "-o".as_ref(),
        program.as_os_str(),
    ];
    let built = run(&mut command("cc", &args), 120);
    assert_eq!(built.code(), Some(0), "{}", built.text());
    let out = run(&mut command::<&str>(&program, &[]), 60);
    let numbers = out.stdout.lines().map(|l| l.parse().expect("a number"));
    numbers.collect()
}

#[test]
fn sizes_alignments_and_offsets_are_the_hosts() {
    let mut rng = Rng::new(1);
    let records: Vec<Record> = (0..RECORDS).map(|i| record(&mut rng, i)).collect();
    let declarations: String = records.iter().map(|r| r.text.as_str()).collect();
    let mut questions: Vec<String> = Vec::new();
    for scalar in SCALARS {
        let lanes = if *scalar == "half" {
            &LANES[..1]
        } else {
            &LANES[2..]
        };
        for lanes in lanes {
            questions.push(format!("sizeof(T({scalar}{lanes}))"));
            questions.push(format!("ALIGN(T({scalar}{lanes}))"));
        }
    }
    questions.extend(records.into_iter().flat_map(|r| r.questions));
    let wanted = host(&declarations, &questions);
    assert_eq!(wanted.len(), questions.len(), "an answer to each question");

    let mut text = String::from(
        "#define GLOBAL global\n#define T(name) name\n\
         #define OFFSET(r, m) ((size_t)&((global r *)0)->m)\n\
         #define ALIGN(r) ((size_t)&((global struct { char c; r x; } *)0)->x)\n",
    );
    text.push_str(&declarations);
    text.push_str("kernel void k(global uint *out) {\n");
    for (i, question) in questions.iter().enumerate() {
        let _ = writeln!(text, "  out[{i}] = (uint)({question});");
    }
    text.push_str("}\n");
    let options = Options::parse("").expect("no options");
    let target = Target::profile("nvidia").expect("the profile is known");
    let module = lowered(&text, &options, &target).unwrap_or_else(|log| panic!("{log}"));
    let mut failures = Vec::new();
    let zeros = format!("kernel=k global=1 local=1 arg=zeros:i32:{}", wanted.len());
    let values: Vec<String> = wanted.iter().map(u32::to_string).collect();
    let lines = format!("// run: {zeros}\n// expect: 0 i32:{}\n", values.join(","));
    for launch in run_line::parse(&lines) {
        failures.extend(launch.interpret(&module).err());
    }
    let questions = questions.join("\n");
    assert!(
        failures.is_empty(),
        "{}\nof\n{questions}\n{declarations}",
        failures.join("\n")
    );
}
