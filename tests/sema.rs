//! Sema: the files of tests/data/sema.
//!
//! `//~ COLUMN LEVEL: MESSAGE` expects a diagnostic on its line, `//~^` on the line above, and so
//! on: a file has exactly those. `// options:` and `// target:` at the top say how it is compiled.

use std::path::{Path, PathBuf};

use caldera_compiler::driver::{Session, effective, on_compiler_thread};
use caldera_compiler::front::clc::sema;
use caldera_compiler::options::Options;
use caldera_compiler::source::Sources;
use caldera_compiler::target::Target;

type Diag = (u32, u32, String);

/// The value of a header line.
fn header<'t>(text: &'t str, key: &str) -> &'t str {
    let prefix = format!("// {key}:");
    let line = text.lines().find_map(|l| l.strip_prefix(prefix.as_str()));
    line.unwrap_or("").trim()
}

/// `default`: the profile of a file that names none.
fn target(words: &str, default: &str) -> Target {
    let (profile, rest) = words.split_once(',').unwrap_or((words, ""));
    let profile = if profile.is_empty() { default } else { profile };
    let mut target = Target::profile(profile).expect("the target has a profile");
    target.apply(rest).expect("the features are known");
    target
}

/// Diagnostics of a source, in order, and the log.
fn analyse(text: &str, profile: &str) -> (Vec<Diag>, String) {
    let options = Options::parse(header(text, "options")).expect("the options are right");
    let target = target(header(text, "target"), profile);
    let target = effective(&target, &options);
    let run = || {
        let sources = Sources {
            name: "<source>",
            text,
            headers: &[],
            load: &|_| None,
        };
        let mut session = Session::new(&options);
        session.sink.error_limit = 0;
        let externals = session.parse(&sources, &options, &target);
        sema::analyse(&externals, &options, &target, &mut session.sink);
        let diags = session.sink.diags.iter().map(|d| {
            let level = d.level.name();
            let (line, column) = d.loc.map_or((0, 0), |loc| session.map.line_col(loc));
            (line, column, format!("{level}: {}", d.message))
        });
        (diags.collect(), session.log())
    };
    on_compiler_thread(run).expect("no panic")
}

/// `(line, column, "level: message")` of each `//~`.
fn expected(text: &str) -> Vec<Diag> {
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

fn files(folder: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(dir).expect("the data is there");
    let mut all: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    all.retain(|p| p.extension().is_some_and(|e| e == "cl"));
    all.sort();
    assert!(!all.is_empty(), "there are files");
    all
}

#[test]
fn files_have_exactly_the_expected_diagnostics() {
    let mut failures = Vec::new();
    for path in files("tests/data/sema") {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(&path).expect("the file is text");
        let (mut diags, _) = analyse(&text, "min");
        let mut missing = expected(&text);
        diags.retain(|d| match missing.iter().position(|e| e == d) {
            Some(at) => {
                missing.remove(at);
                false
            }
            None => true,
        });
        for (what, list) in [("missing", missing), ("unexpected", diags)] {
            for (line, column, message) in list {
                failures.push(format!("{name}:{line}: {what} {column} {message}"));
            }
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// What the other tests run is right, so it has no error.
#[test]
fn kernels_that_run_have_no_errors() {
    for path in files("tests/data/run") {
        let text = std::fs::read_to_string(&path).expect("the file is text");
        let (diags, log) = analyse(&text, "lavapipe");
        let errors = diags.iter().any(|d| d.2.starts_with("error"));
        assert!(!errors, "{}:\n{log}", path.display());
    }
}

#[test]
fn notes_and_carets_are_rendered() {
    let text = "kernel void f(global int *p) {\n\tconst int n = 1;\n\tn = p;\n}\n";
    let (_, log) = analyse(text, "min");
    let expected = "\
<source>:3:4: error: cannot assign to variable 'n' with const-qualified type 'const int'
\tn = p;
\t  ^
<source>:2:12: note: variable 'n' declared const here
\tconst int n = 1;
\t          ^
1 error generated.
";
    assert_eq!(log, expected);
}
