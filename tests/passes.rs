//! Passes one by one, on IR text: tests/data/ir-pass.
//!
//! A file holds several cases. Each starts with `// case: what it shows`, then `// pass: NAME` and
//! perhaps `// target: PROFILE,feature,-feature` and `// stage: NAME` of the input, then a module, then `// becomes:` with the
//! expected module, or `// error: MESSAGE`. CALDERA_BLESS=1 writes what came out into the files.

mod common;
#[path = "passes/fuzz.rs"]
mod fuzz;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use caldera_compiler::diag::Sink;
use caldera_compiler::ir::Module;
use caldera_compiler::ir::parse::parse;
use caldera_compiler::ir::verify::{Stage, verify};
use caldera_compiler::options::Options;
use caldera_compiler::pass::{self, Ctx};
use caldera_compiler::target::Target;
use common::rng::Rng;

const BECOMES: &str = "// becomes:\n";

fn files() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/ir-pass");
    let entries = std::fs::read_dir(&dir).expect("the test data is there");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no tests in {}", dir.display());
    paths
}

/// The value of `// key: value` in the comment lines of a case.
fn directive<'t>(case: &'t str, key: &str) -> Option<&'t str> {
    let lines = case.lines().filter_map(|l| l.strip_prefix("// "));
    let mut values = lines.filter_map(|l| l.strip_prefix(key)?.strip_prefix(": "));
    values.next().map(str::trim)
}

/// A profile's name, then changes to it.
fn target(text: &str) -> Target {
    let (profile, changes) = text.split_once(',').unwrap_or((text, ""));
    let mut target = Target::profile(profile).expect("a known profile");
    target.apply(changes).expect("known features");
    target
}

/// Runs the case's pass: the module behind it, or the first error.
fn run(case: &str, mut module: Module) -> Result<Module, String> {
    let name = directive(case, "pass").expect("a pass");
    let pass = pass::find(name).unwrap_or_else(|| panic!("no pass '{name}'"));
    let target = target(directive(case, "target").unwrap_or("min"));
    let options = Options::default();
    let ctx = Ctx {
        target: &target,
        options: &options,
        after: Some(name),
    };
    let mut sink = Sink::default();
    (pass.run)(&mut module, &ctx, &mut sink);
    match sink.diags.first() {
        Some(diag) => Err(diag.message.clone()),
        None => Ok(module),
    }
}

/// A case with what came out in the place of what was expected.
fn check(case: &str, path: &Path) -> String {
    let title = case.lines().next().unwrap_or_default();
    let at = format!("{}: {title}", path.display());
    let end = ["// becomes:", "// error:"].map(|mark| case.find(mark));
    let end = end.into_iter().flatten().min().unwrap_or(case.len());
    let input = &case[case.find('\n').unwrap_or(0)..end];
    let module = parse(input).unwrap_or_else(|e| panic!("{at}: {e}"));
    let stage = match directive(case, "stage") {
        None | Some("lowered") => Stage::Lowered,
        Some("ssa") => Stage::Ssa,
        Some("concrete") => Stage::Concrete,
        Some("nopointers") => Stage::NoPointers,
        Some(other) => panic!("{at}: no stage '{other}'"),
    };
    if let Err(defect) = verify(&module, stage, &Target::MIN) {
        panic!("{at}: input {defect}");
    }
    let mut out = case[..end].trim_end().to_string() + "\n\n";
    match run(case, module) {
        Err(message) => {
            let _ = writeln!(out, "// error: {message}");
        }
        Ok(module) => {
            let _ = write!(out, "{BECOMES}{module}");
            if let Err(defect) = verify(&module, stage, &Target::MIN) {
                panic!("{at}: output {defect}\n{module}");
            }
        }
    }
    out
}

#[test]
fn passes() {
    let bless = std::env::var_os("CALDERA_BLESS").is_some();
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("the test is readable");
        let mut cases = text.split("// case: ");
        let mut out = cases.next().unwrap_or_default().to_string();
        for case in cases {
            let new = check(case.trim_end(), &path);
            if !bless {
                let (new, old) = (new.trim_end(), case.trim_end());
                assert!(
                    new == old,
                    "{}: expected {old}\n\ngot {new}",
                    path.display()
                );
            }
            let _ = write!(out, "// case: {}\n\n", new.trim_end());
        }
        if bless {
            std::fs::write(&path, out.trim_end().to_string() + "\n").expect("the test is writable");
        }
    }
}

/// Runs passes one behind the other on random programs; what they compute stays the same.
fn fuzz(
    seeds: std::ops::Range<u64>,
    check: fn(Module, &[&str], &Target, &str),
    passes: &[&str],
    target: &Target,
) {
    for seed in seeds {
        let module = fuzz::module(&mut Rng::new(seed));
        check(module, passes, target, &format!("seed {seed}"));
    }
}

#[test]
fn random_programs_keep_their_results() {
    let names: Vec<&str> = pass::PIPELINE.iter().map(|p| p.name).collect();
    let nvidia = Target::profile("nvidia").expect("a profile");
    fuzz(0..120, fuzz::check, &names, &nvidia);
    let keeps_calls = target("nvidia,max_inlined=0");
    fuzz(3000..3060, fuzz::check_end, &names, &keeps_calls);
    let in_words = target("nvidia,-int8,-int16,-storage8,-storage16");
    fuzz(6000..6060, fuzz::check_end, &names, &in_words);
    let few_exits = target("nvidia,max_exits=1,max_nesting=5");
    fuzz(7000..7060, fuzz::check_end, &names, &few_exits);
    for (levels, first) in [(4, 4000), (5, 5000)] {
        let flat = target(&format!("nvidia,max_nesting={levels}"));
        fuzz(first..first + 60, fuzz::check_end, &names, &flat);
    }
}

#[test]
fn passes_work_in_other_orders() {
    let names = [
        "cleanup",
        "sroa",
        "cleanup",
        "single_exit",
        "inline",
        "mem2reg",
        "cleanup",
        "sroa",
    ];
    fuzz(1000..1060, fuzz::check_end, &names, &Target::MIN);
    fuzz(
        2000..2060,
        fuzz::check_end,
        &[
            "mem2reg",
            "cleanup",
            "single_exit",
            "cleanup",
            "inline",
            "sroa",
        ],
        &Target::MIN,
    );
}

#[test]
fn no_pass_stands_twice() {
    let mut names: Vec<&str> = pass::PIPELINE.iter().map(|p| p.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), pass::PIPELINE.len());
    // The same function under two names.
    let other = |p: &&pass::Pass| !p.name.starts_with("cleanup");
    let mut runs: Vec<usize> = pass::PIPELINE
        .iter()
        .filter(other)
        .map(|p| p.run as usize)
        .collect();
    let all = runs.len();
    runs.sort();
    runs.dedup();
    assert_eq!(runs.len(), all);
}
