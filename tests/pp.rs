//! Preprocessor: the files of tests/data/pp.
//!
//! Header lines: `// options:`, `// target:` as everywhere; `// expect: LINE` for each line of
//! the output; `// oracle: gcc` compares the output with that of gcc's preprocessor. Anywhere,
//! `//~ COLUMN LEVEL: MESSAGE` expects a diagnostic on its line, `//~^` on the line above, and
//! so on: a file has exactly those in its own lines.

use std::path::{Path, PathBuf};
use std::process::Command;

use caldera::compiler::diag::{Level, Sink};
use caldera::compiler::front::clc::pp::{TokenKind, TokenStream, preprocess, to_text};
use caldera::compiler::options::Options;
use caldera::compiler::source::{SourceMap, Sources};
use caldera::compiler::target::Target;

fn dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pp")
}

struct Output {
    stream: TokenStream,
    text: String,
    diags: Vec<(u32, u32, String)>,
    log: String,
}

fn run_with(
    text: &str,
    options: &str,
    target: &str,
    headers: &[(String, String)],
    load: &dyn Fn(&str) -> Option<String>,
) -> Output {
    let opts = Options::parse(options).expect("the options are right");
    let (profile, changes) = target.split_once(',').unwrap_or((target, ""));
    let mut target = Target::profile(profile).expect("the target has a profile");
    target.apply(changes).expect("the target's features exist");
    let src = Sources {
        name: "<source>",
        text,
        headers,
        load,
    };
    let (mut map, mut sink) = (SourceMap::default(), Sink::default());
    let stream = preprocess(&src, &opts, &target, &mut map, &mut sink);
    assert_eq!(
        stream.tokens.last().map(|t| t.kind),
        Some(TokenKind::Eof),
        "a stream ends with Eof"
    );
    let in_main = sink.diags.iter().filter_map(|d| {
        let level = match d.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        };
        let loc = d.loc.filter(|l| l.file == 0)?;
        let (line, column) = map.line_col(loc);
        Some((line, column, format!("{level}: {}", d.message)))
    });
    Output {
        diags: in_main.collect(),
        text: to_text(&stream, &map),
        log: sink.render(&map),
        stream,
    }
}

fn run(text: &str, options: &str) -> Output {
    run_with(text, options, "min", &[], &|_| None)
}

fn header<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let prefix = format!("// {key}: ");
    text.lines()
        .filter_map(|l| l.strip_prefix(&prefix))
        .collect()
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

/// The tokens of preprocessed text, one to a line. Digraphs as what they stand for.
fn tokens_of(text: &str) -> String {
    const OPERATORS: &[&str] = &[
        "%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
        "||", "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>", "%:",
    ];
    const DIGRAPHS: &[(&str, &str)] = &[
        ("%:%:", "##"),
        ("%:", "#"),
        ("<:", "["),
        (":>", "]"),
        ("<%", "{"),
        ("%>", "}"),
    ];
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut out = String::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let digit = |i: usize| rest[i..].starts_with(|c: char| c.is_ascii_digit());
        let len = if first == '"' || first == '\'' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == first && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |i| i + 2)
        } else if digit(0) || first == '.' && digit(1) {
            let mut exponent = false;
            let end = rest.find(|c: char| {
                let inside = word(c) || c == '.' || exponent && "+-".contains(c);
                exponent = "eEpP".contains(c);
                !inside
            });
            end.unwrap_or(rest.len())
        } else if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            let operator = OPERATORS.iter().find(|o| rest.starts_with(**o));
            operator.map_or(first.len_utf8(), |o| o.len())
        };
        let token = &rest[..len];
        let digraph = DIGRAPHS.iter().find(|(d, _)| *d == token);
        out += digraph.map_or(token, |(_, plain)| plain);
        out.push('\n');
        rest = rest[len..].trim_start();
    }
    out
}

fn gcc(path: &Path) -> Option<String> {
    let out = Command::new("gcc")
        .args(["-E", "-P", "-undef", "-x", "c", "-I", "include"])
        .arg(path.file_name()?)
        .current_dir(dir())
        .output()
        .ok()?;
    assert!(
        out.status.success(),
        "gcc: {}",
        String::from_utf8_lossy(&out.stderr)
    );
    Some(String::from_utf8_lossy(&out.stdout).into_owned())
}

#[test]
fn data() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir())
        .expect("tests/data/pp is there")
        .map(|e| e.expect("it is readable").path())
        .filter(|p| p.extension().is_some_and(|e| e == "cl"))
        .collect();
    files.sort();
    assert!(files.len() > 8);
    let has_gcc = Command::new("gcc").arg("--version").output().is_ok();
    let mut failures = String::new();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(&path).expect("test files are text");
        let options = header(&text, "options").join(" ");
        let target = header(&text, "target").first().copied().unwrap_or("min");
        let load = |p: &str| std::fs::read_to_string(dir().join(p)).ok();
        let out = run_with(&text, &options, target, &[], &load);
        let mut fail = |what: &str, expected: &str, found: &str| {
            failures += &format!("== {name}: {what}\nexpected:\n{expected}\nfound:\n{found}\n");
        };
        let (mut diags, mut wanted) = (out.diags, expected_diags(&text));
        diags.sort();
        wanted.sort();
        if diags != wanted {
            fail(
                "diagnostics",
                &format!("{wanted:#?}"),
                &format!("{diags:#?}"),
            );
        }
        let lines = header(&text, "expect");
        if !lines.is_empty() && !lines.iter().copied().eq(out.text.lines()) {
            fail("output", &lines.join("\n"), &out.text);
        }
        if has_gcc && !header(&text, "oracle").is_empty() {
            let expected = tokens_of(&gcc(&path).expect("gcc runs"));
            let found = tokens_of(&out.text);
            if expected != found {
                let first = expected.lines().zip(found.lines());
                let same = first.take_while(|(a, b)| a == b).count();
                fail(&format!("gcc, from token {same}"), &expected, &found);
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
