//! The IR by itself: its text, its verifier and its interpreter, driven by tests/data/ir.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use caldera_compiler::ir::names::{OP_WORDS, op_name};
use caldera_compiler::ir::parse::parse;
use caldera_compiler::ir::util::walk;
use caldera_compiler::ir::verify::{Stage, VerifyError, verify};
use caldera_compiler::ir::{
    AtomicOp, BinOp, CastOp, CmpOp, Input, Op, Order, Scope, TernOp, UnOp, WorkItem,
};
use caldera_compiler::options::Options;
use caldera_compiler::target::Target;

mod common;

use common::behind_passes::{WIDTHS, defects, defects_behind_passes, target};
use common::run_line;

/// The files of tests/data/ir/`area`, in order.
fn data(area: &str) -> Vec<(PathBuf, String)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/ir")
        .join(area);
    let entries = std::fs::read_dir(&dir).expect("the test data is there");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no tests in {}", dir.display());
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("the test is readable");
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// A file without its comment lines.
fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|l| !l.trim_start().starts_with("//"));
    lines.map(|l| format!("{l}\n")).collect()
}

/// The first line in which two texts differ.
fn assert_same_lines(path: &Path, got: &str, expected: &str) {
    for (n, (got, expected)) in got.lines().zip(expected.lines()).enumerate() {
        assert_eq!(got, expected, "{}, line {}", path.display(), n + 1);
    }
    assert_eq!(got.len(), expected.len(), "{}: length", path.display());
}

#[test]
fn printed_text_reads_back() {
    for (path, text) in data("text") {
        let module = parse(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert_same_lines(&path, &module.to_string(), &without_comments(&text));
    }
}

/// The value of `// key: value` in the comment lines of a case.
fn directive<'t>(case: &'t str, key: &str) -> Option<&'t str> {
    let lines = case.lines().filter_map(|l| l.strip_prefix("// "));
    let mut values = lines.filter_map(|l| l.strip_prefix(key)?.strip_prefix(": "));
    values.next().map(str::trim)
}

fn stage(name: &str) -> Stage {
    match name {
        "lowered" => Stage::Lowered,
        "ssa" => Stage::Ssa,
        "concrete" => Stage::Concrete,
        "nopointers" => Stage::NoPointers,
        "legal" => Stage::Legal,
        _ => panic!("unknown stage '{name}'"),
    }
}

/// A file holds several modules; each starts with its `// stage:`.
#[test]
fn the_verifier_finds_the_defect() {
    for (path, text) in data("verify") {
        let mut cases = text.split("// stage: ").skip(1).peekable();
        assert!(cases.peek().is_some(), "{}", path.display());
        for case in cases {
            let name = case.lines().next().expect("a stage").trim();
            let at = format!("{}, stage {case}", path.display());
            let target = target(directive(case, "target").unwrap_or("min"));
            // The first line is the rest of the directive.
            let body = case.split_once('\n').expect("a module").1;
            let module = parse(body).unwrap_or_else(|e| panic!("{at}: {e}"));
            let found = verify(&module, stage(name), &target);
            let (reason, inst) = match &found {
                Ok(()) => (None, ""),
                Err(VerifyError { reason, inst, .. }) => (Some(reason.as_str()), inst.as_str()),
            };
            assert_eq!(reason, directive(case, "error"), "{at}");
            assert_eq!(inst, directive(case, "at").unwrap_or(""), "{at}");
        }
    }
}

/// Every launch gives the expected buffers as written, and again behind each pass for each target.
/// `// only: lowered` is for what the passes do not keep.
#[test]
fn launches_give_the_expected_buffers_behind_every_pass() {
    let mut failures = Vec::new();
    for (path, text) in data("run") {
        let runs = run_line::parse(&text);
        assert!(!runs.is_empty(), "{}", path.display());
        let module = parse(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut note = |place: &str, found: Vec<String>| {
            let good = found.is_empty();
            let found = found.iter();
            failures.extend(found.map(|d| format!("{} {place}: {d}", path.display())));
            good
        };
        let as_written = defects(&module, &runs, Stage::Lowered, &Target::MIN);
        let good = note("as written", as_written);
        if !good || directive(&text, "only") == Some("lowered") {
            continue;
        }
        for profile in [WIDTHS, "lavapipe", "nvidia"] {
            let found =
                defects_behind_passes(&module, &runs, &Options::default(), &target(profile));
            note(&format!("for {profile}"), found);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The words between backquotes.
fn named_words(page: &str) -> BTreeSet<&str> {
    let spans = page.split('`').skip(1).step_by(2);
    spans.flat_map(str::split_whitespace).collect()
}

#[test]
fn the_reference_names_every_op() {
    let page = include_str!("../docs/ir.md");
    let named = named_words(page);
    let tables = [
        UnOp::ALL.iter().map(|o| o.name()).collect::<Vec<_>>(),
        BinOp::ALL.iter().map(|o| o.name()).collect(),
        TernOp::ALL.iter().map(|o| o.name()).collect(),
        CmpOp::ALL.iter().map(|o| o.name()).collect(),
        CastOp::ALL.iter().map(|o| o.name()).collect(),
        AtomicOp::ALL.iter().map(|o| o.name()).collect(),
        Order::ALL.iter().map(|o| o.name()).collect(),
        Scope::ALL.iter().map(|o| o.name()).collect(),
        WorkItem::ALL.iter().map(|o| o.name()).collect(),
        Input::ALL.iter().map(|o| o.name()).collect(),
        OP_WORDS.to_vec(),
    ];
    for name in tables.concat() {
        assert!(named.contains(name), "docs/ir.md does not name `{name}`");
    }
}

/// [`OP_WORDS`] is what the reference is checked against, so it has to be complete. The text
/// tests use every variant.
#[test]
fn the_list_of_op_words_is_complete() {
    let mut used = BTreeSet::new();
    for (_, text) in data("text") {
        let module = parse(&text).expect("valid text");
        for body in module.funcs.iter().filter_map(|f| f.body.as_ref()) {
            walk(body, &mut |inst| {
                let table_row = matches!(
                    inst.op,
                    Op::Unary(..)
                        | Op::Binary(..)
                        | Op::Ternary(..)
                        | Op::Compare(..)
                        | Op::Cast(..)
                );
                if !table_row {
                    used.insert(op_name(&inst.op));
                }
            });
        }
    }
    assert_eq!(used, OP_WORDS.iter().copied().collect());
}

/// Each case of a file starts with `// error: line N: message`; lines count from behind that one.
#[test]
fn wrong_text_is_refused_with_its_line() {
    for (path, text) in data("refused") {
        for case in text.split("// error: ").skip(1) {
            let (expected, body) = case.split_once('\n').expect("a case");
            let error = parse(body).err().map(|e| e.to_string());
            assert_eq!(
                error.as_deref(),
                Some(expected),
                "{}:\n{body}",
                path.display()
            );
        }
    }
}

#[test]
fn too_deep_nesting_is_an_error() {
    let nested = |depth: usize| {
        let open = "if v0 {\n".repeat(depth);
        let close = "return\n}\n".repeat(depth);
        format!("func f0 \"f\"(v0: bool) {{\n{open}{close}return\n}}\n")
    };
    let check = move || {
        assert!(parse(&nested(1000)).is_ok());
        let error = parse(&nested(100_000)).expect_err("too deep");
        assert_eq!(error.message, "too deeply nested");
    };
    // As compilers have it.
    let thread = std::thread::Builder::new().stack_size(256 << 20);
    let joined = thread.spawn(check).expect("a thread").join();
    assert!(joined.is_ok());
}

/// Damaged text is an error or a module that the verifier can look at and that prints: no panic.
#[test]
fn damaged_text_does_no_harm() {
    let mut state = 1u64;
    let mut random = |limit: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % limit
    };
    let texts: Vec<String> = ["text", "run", "verify"]
        .into_iter()
        .flat_map(data)
        .map(|d| d.1)
        .collect();
    let words: Vec<&str> = texts.iter().flat_map(|t| t.split_whitespace()).collect();
    let (mut parsed, mut refused) = (0, 0);
    for _ in 0..3000 {
        let text = &texts[random(texts.len())];
        let mut lines: Vec<Vec<&str>> = text.lines().map(|l| l.split(' ').collect()).collect();
        for _ in 0..1 + random(3) {
            let line = random(lines.len());
            match random(4) {
                0 => lines[line].clear(),
                1 => {
                    let other = random(lines.len());
                    lines[line] = lines[other].clone();
                }
                _ if lines[line].is_empty() => {}
                _ => {
                    let word = random(lines[line].len());
                    lines[line][word] = words[random(words.len())];
                }
            }
        }
        let lines: Vec<String> = lines.iter().map(|l| l.join(" ")).collect();
        let Ok(module) = parse(&lines.join("\n")) else {
            refused += 1;
            continue;
        };
        parsed += 1;
        let printed = module.to_string();
        let again = parse(&printed)
            .expect("printed text reads back")
            .to_string();
        assert_eq!(again, printed);
        for stage in [Stage::Lowered, Stage::Ssa, Stage::NoPointers, Stage::Legal] {
            // Only that it comes back; most of this is wrong.
            let _ = verify(&module, stage, &Target::MIN);
        }
    }
    assert!(parsed > 100 && refused > 100, "{parsed} {refused}");
}
