//! Parser: the files of tests/data/parse.
//!
//! `NAME.cl` must parse to the tree printed in `NAME.ast`; `CALDERA_BLESS=1` writes that file
//! instead of comparing it. `//~ COLUMN LEVEL: MESSAGE` expects a diagnostic on its line, `//~^`
//! on the line above, and so on: a file has exactly those. A file with errors needs no `.ast`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use caldera::compiler::diag::{Level, Sink};
use caldera::compiler::front::clc::pp::preprocess;
use caldera::compiler::front::clc::syntax::{dump, parse};
use caldera::compiler::options::Options;
use caldera::compiler::source::{SourceMap, Sources};
use caldera::compiler::target::Target;

/// As much as the compiler's own thread has room for.
const STACK: usize = 256 << 20;

#[allow(dead_code)]
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
    let externals = parse(&stream, &mut sink);
    let time = start.elapsed();
    let diags = sink.diags.iter().map(|d| {
        let level = match d.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        };
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
