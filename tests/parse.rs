//! Parser: the files of tests/data/parse.
//!
//! `NAME.cl` must parse to the tree printed in `NAME.ast`; `CALDERA_BLESS=1` writes that file
//! instead of comparing it. `//~ COLUMN LEVEL: MESSAGE` expects a diagnostic on its line, `//~^`
//! on the line above, and so on: a file has exactly those. A file with errors needs no `.ast`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use caldera_compiler::diag::Sink;
use caldera_compiler::front::clc::pp::preprocess;
use caldera_compiler::front::clc::syntax::{dump, parse};
use caldera_compiler::options::Options;
use caldera_compiler::source::{SourceMap, Sources};
use caldera_compiler::target::Target;

/// As much as the compiler's own thread has room for.
const STACK: usize = 256 << 20;

struct Output {
    tree: String,
    diags: Vec<(u32, u32, String)>,
    log: String,
    /// For the parser alone.
    time: Duration,
}

/// Parses on a thread with a large stack, as the compiler does.
fn run(text: &str) -> Output {
    let text = text.to_string();
    let thread = std::thread::Builder::new().stack_size(STACK);
    let thread = thread.spawn(move || run_here(&text));
    thread.expect("a thread starts").join().expect("no panic")
}

fn run_here(text: &str) -> Output {
    let options = Options::parse("-cl-std=CL3.0").expect("the options are right");
    let target = Target::profile("min").expect("the target has a profile");
    let sources = Sources {
        name: "<source>",
        text,
        headers: &[],
        load: &|_| None,
    };
    let (mut map, mut sink) = (SourceMap::default(), Sink::default());
    let stream = preprocess(&sources, &options, &target, &mut map, &mut sink);
    let start = Instant::now();
    let externals = parse(&stream, &options, &mut sink);
    let time = start.elapsed();
    let diags = sink.diags.iter().map(|d| {
        let level = d.level.name();
        // What has no place is not expected anywhere.
        let (line, column) = d.loc.map_or((0, 0), |loc| map.line_col(loc));
        (line, column, format!("{level}: {}", d.message))
    });
    Output {
        diags: diags.collect(),
        tree: dump(&externals),
        log: sink.render(&map),
        time,
    }
}

/// `(line, column, "level: message")` of each `//~`.
fn expected_diags(text: &str) -> Vec<(u32, u32, String)> {
    let mut all = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let Some((_, note)) = line.split_once("//~") else {
            continue;
        };
        let up = note.len() - note.trim_start_matches('^').len();
        let (column, message) = note[up..].trim().split_once(' ').expect("column, message");
        let column = column.parse().expect("a column");
        all.push(((i + 1 - up) as u32, column, message.to_string()));
    }
    all
}

fn files() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/parse");
    let entries = std::fs::read_dir(dir).expect("the data is there");
    let mut all: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    all.retain(|p| p.extension().is_some_and(|e| e == "cl"));
    all.sort();
    assert!(!all.is_empty(), "there are files");
    all
}

#[test]
fn files_parse_as_expected() {
    let bless = std::env::var_os("CALDERA_BLESS").is_some();
    let mut failures = Vec::new();
    for path in files() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(&path).expect("the file is text");
        let output = run(&text);
        let mut expected = expected_diags(&text);
        let has_errors = expected.iter().any(|d| d.2.starts_with("error"));
        let mut diags = output.diags.clone();
        diags.retain(|d| match expected.iter().position(|e| e == d) {
            Some(at) => {
                expected.remove(at);
                false
            }
            None => true,
        });
        if !diags.is_empty() || !expected.is_empty() {
            failures.push(format!(
                "{name}: missing {expected:?}, unexpected {diags:?}"
            ));
        }
        let tree_path = path.with_extension("ast");
        if has_errors && !tree_path.exists() {
            continue;
        }
        if bless {
            std::fs::write(&tree_path, &output.tree).expect("the tree can be written");
        }
        let tree = std::fs::read_to_string(&tree_path).unwrap_or_default();
        if tree != output.tree {
            failures.push(format!("{name}: the tree differs:\n{}", output.tree));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// `text` parses, or is refused, in seconds even unoptimised.
fn check_fast(what: &str, text: &str, is_right: bool) {
    let output = run(text);
    let first = output.diags.first();
    assert_eq!(first.is_none(), is_right, "{what}: {first:?}");
    assert!(
        output.time < Duration::from_secs(5),
        "{what}: {:?}",
        output.time
    );
}

/// Nesting up to the limit of 256 brackets takes time in proportion (a grammar that tries
/// alternatives doubles it at each level).
#[test]
fn nesting_is_linear() {
    type Nest = (
        &'static str,
        &'static str,
        &'static str,
        &'static str,
        &'static str,
    );
    const NESTS: &[Nest] = &[
        ("parentheses", "int f(int a) { return ", "(", "a", ")"),
        ("casts", "int f(int a) { return ", "(int)(", "a", ")"),
        ("calls", "int f(int a) { return ", "f(", "a", ")"),
        ("indices", "int f(int *a) { return ", "a[", "0", "]"),
        (
            "conditionals",
            "int f(int a) { return ",
            "(a ? ",
            "a",
            " : a)",
        ),
        (
            "sums in parentheses",
            "int f(int a) { return ",
            "(a + ",
            "a",
            ")",
        ),
        ("sizes", "int f(int a) { return ", "sizeof(", "a", ")"),
        (
            "measured types",
            "int f(int a) { return ",
            "sizeof(int[",
            "1",
            "])",
        ),
        (
            "compound literals",
            "int f(int a) { return ",
            "(int){",
            "1",
            "}",
        ),
        ("braces", "int f(int a) { ", "{", "a;", "}"),
        ("ifs", "int f(int a) { ", "if (a) {", "a;", "} else { a; }"),
        ("initialisers", "int a[] = ", "{", "1", "}"),
        ("declarators", "int ", "(*", "a", ")"),
        ("functions", "int ", "(*", "a", ")(int)"),
        ("parameters", "int f", "(int ", "a", ")"),
        ("parameter functions", "int f", "(int (*)", "(int)", ")"),
        ("structs", "", "struct {", "int a;", "} b;"),
        ("typeofs", "", "typeof(", "int", ")"),
    ];
    for &(what, before, open, middle, close) in NESTS {
        for depth in [20, 100, 240 / open.matches(['(', '[', '{']).count()] {
            let (open, close) = (open.repeat(depth), close.repeat(depth));
            let end = match before {
                _ if before.contains('{') => "; }",
                _ => " x;",
            };
            let end = match what {
                "braces" | "ifs" => "}",
                "initialisers" | "declarators" | "functions" | "structs" => ";",
                "parameters" | "parameter functions" => ";",
                _ => end,
            };
            let what = format!("{what} {depth}");
            check_fast(&what, &format!("{before}{open}{middle}{close}{end}"), true);
            check_fast(&what, &format!("{before}{open} = {close}{end}"), false);
        }
    }
}

/// What needs no brackets may be long.
#[test]
fn long_chains_are_fast() {
    const CHAINS: &[(&str, &str, usize, &str)] = &[
        ("int f(int a) { return ", "a + ", 10_000, "a; }"),
        ("int f(int a) { return ", "a = ", 10_000, "a; }"),
        ("int f(int a) { return ", "a ? a : ", 10_000, "a; }"),
        ("int f(int a) { return ", "- ", 10_000, "a; }"),
        ("int f(int a) { return ", "(int)", 10_000, "a; }"),
        ("int f(int a) { return a", "[0]", 10_000, "; }"),
        ("int f(int a) { ", "if (a) a; else ", 5_000, "a; }"),
        ("int f(int a) { switch (a) { ", "case 1: ", 5_000, "a; } }"),
        ("int f(int a) { ", "a; ", 50_000, "}"),
        ("int ", "*", 10_000, "f;"),
        ("int a[] = {", "1, ", 50_000, "};"),
        ("", "int a;", 50_000, ""),
    ];
    for (before, link, count, after) in CHAINS {
        check_fast(
            link,
            &format!("{before}{}{after}", link.repeat(*count)),
            true,
        );
    }
}

/// What would make the tree too deep for those that walk it is refused, not a crash.
#[test]
fn depth_is_bounded() {
    const CHAINS: &[(&str, &str, &str)] = &[
        ("int f(int a) { return ", "a + ", "a; }"),
        ("int f(int a) { return ", "a = ", "a; }"),
        ("int f(int a) { ", "a, ", "a; }"),
        ("int f(int a) { return ", "a ? a : ", "a; }"),
        ("int f(int a) { return ", "(int)", "a; }"),
        ("int f(int a) { return a", "[0]", "; }"),
        ("int f(int a) { ", "if (a) a; else ", "a; }"),
        ("int f(int a) { switch (a) { ", "case 1: ", "a; } }"),
        ("int ", "*", "f;"),
        ("int f", "[1]", ";"),
    ];
    for (before, link, after) in CHAINS {
        let output = run(&format!("{before}{}{after}", link.repeat(20_000)));
        let messages: Vec<&str> = output.diags.iter().map(|d| d.2.as_str()).collect();
        let expected = "error: more than 16000 operators or statements in a chain";
        assert_eq!(messages, [expected], "{link}");
    }
    // Nesting adds up: no expression here is long, but the tree is deep.
    let half = "a + ".repeat(100);
    let nested = format!("({half}").repeat(240);
    let close = ")".repeat(240);
    let output = run(&format!("int f(int a) {{ return {nested}a{close}; }}"));
    assert_eq!(output.diags.len(), 1);
}

/// Statements and conditionals without brackets nest no deeper than brackets may.
#[test]
fn unbracketed_nesting_is_bounded() {
    let expected = "error: nesting level exceeded maximum of 256";
    let texts = [
        "while (a) ".repeat(10_000),
        "if (a) ".repeat(10_000),
        "do ".repeat(10_000),
        "for (;;) ".repeat(10_000),
        "if (a) a; else while (a) ".repeat(10_000),
        "a ? ".repeat(10_000),
        "a ? ({ a ? ".repeat(120) + &"a ? ".repeat(100) + &"a; })".repeat(120),
    ];
    for text in texts {
        let output = run(&format!(
            "int f(int a) {{ {text} a; }} int g(int a) {{ a }}"
        ));
        let messages: Vec<&str> = output.diags.iter().map(|d| d.2.as_str()).collect();
        let rest = "error: expected ';' after expression";
        assert_eq!(messages, [expected, rest], "{:.40}", text);
    }
    let enough = "while (a) if (a) ".repeat(120);
    check_fast("enough", &format!("int f(int a) {{ {enough} a; }}"), true);
}

/// Prints the speed of the parser alone; meant for a release build.
#[test]
#[ignore = "a measurement"]
fn speed() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/parse");
    let text = std::fs::read_to_string(dir.join("kernels.cl")).expect("the file is text");
    let names = [
        "Body",
        "weights",
        "attract",
        "nbody",
        "matmul",
        "blur",
        "rotate_left",
        "hash",
    ];
    let mut source = String::new();
    for i in 0.. {
        if source.len() > 500_000 {
            break;
        }
        let copy = names.iter().fold(text.clone(), |t, name| {
            t.replace(name, &format!("{name}_{i}"))
        });
        source += &copy;
    }
    for _ in 0..5 {
        let output = run(&source);
        assert!(output.diags.is_empty(), "{}", output.log);
        let rate = source.len() as f64 / output.time.as_secs_f64() / 1e6;
        println!(
            "{} bytes in {:?}: {rate:.1} MB/s",
            source.len(),
            output.time
        );
    }
}
