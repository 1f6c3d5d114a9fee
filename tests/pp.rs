//! Preprocessor: the files of tests/data/pp.
//!
//! Header lines: `// options:`, `// target:` as everywhere; `// expect: LINE` for each line of
//! the output; `// oracle: gcc` compares the output with that of gcc's preprocessor. Anywhere,
//! `//~ COLUMN LEVEL: MESSAGE` expects a diagnostic on its line, `//~^` on the line above, and
//! so on: a file has exactly those in its own lines.

use std::path::{Path, PathBuf};
use std::process::Command;

use caldera_compiler::diag::{ERROR_LIMIT, Sink};
use caldera_compiler::front::clc::pp::{TokenKind, TokenStream, preprocess, to_text};
use caldera_compiler::options::Options;
use caldera_compiler::source::{Loaded, SourceMap, Sources};
use caldera_compiler::target::Target;

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
    load: &(dyn Fn(&str) -> Loaded + Sync),
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
    sink.error_limit = ERROR_LIMIT;
    let stream = preprocess(&src, &opts, &target, &mut map, &mut sink);
    assert_eq!(
        stream.tokens.last().map(|t| t.kind),
        Some(TokenKind::Eof),
        "a stream ends with Eof"
    );
    let in_main = sink.diags.iter().filter_map(|d| {
        let level = d.level.name();
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
        .args([
            "-E",
            "-P",
            "-undef",
            "-trigraphs",
            "-x",
            "c",
            "-I",
            "include",
        ])
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
        let load = |p: &str| std::fs::read_to_string(dir().join(p)).ok().map(Ok);
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

fn texts(out: &Output) -> Vec<&str> {
    out.stream.tokens.iter().map(|t| &*t.text).collect()
}

#[test]
fn headers_of_compile_program_come_first() {
    let headers = [
        ("a.h".to_string(), "#include \"b.h\"\n".to_string()),
        ("dir/a.h".to_string(), "#include \"b.h\"\n".to_string()),
        ("dir/b.h".to_string(), "beside\n".to_string()),
    ];
    let load = |p: &str| (p == "b.h" || p == "a.h").then(|| Ok(format!("file_{}\n", &p[..1])));
    let text = "#include <a.h>\n#include \"dir/a.h\"";
    let out = run_with(text, "", "min", &headers, &load);
    assert_eq!(texts(&out), ["file_b", "beside", ""]);
}

#[test]
fn a_missing_header_ends_the_run() {
    let out = run("a\n#include \"x/y.h\"\nb", "");
    let missing = "<source>:2:10: error: 'x/y.h' file not found\n#include \"x/y.h\"\n         ^\n1 error generated.\n";
    assert_eq!(out.log, missing);
    assert_eq!(texts(&out), ["a", ""]);
}

#[test]
fn options_define() {
    let out = run("A B C(5) D", "-D A -DB=2 -D C(x)=<x> -D D=1 -UD");
    assert_eq!(texts(&out), ["1", "2", "<", "5", ">", "D", ""]);
    let out = run("x", "-DF(x)=#y");
    let log = "<command line>:1:14: error: '#' is not followed by a macro parameter\n#define F(x) #y\n             ^\n1 error generated.\n";
    assert_eq!(out.log, log);
}

#[test]
fn tokens_have_places() {
    let text = "#define F(x) x + one\n  F(a\n) b";
    let out = run(text, "");
    let offsets: Vec<u32> = out.stream.tokens.iter().map(|t| t.loc.offset).collect();
    let at = |s: &str| text.rfind(s).expect("it is there") as u32;
    // What the body gives has the place of the macro's name, an argument its own.
    let name = at("F(a");
    assert_eq!(texts(&out), ["a", "+", "one", "b", ""]);
    assert_eq!(offsets, [at("a\n"), name, name, at("b"), text.len() as u32]);
}

/// First line of the log of a source that must not be followed to its end.
fn refused(text: &str, load: &(dyn Fn(&str) -> Loaded + Sync)) -> String {
    let out = run_with(text, "", "min", &[], load);
    out.log.lines().next().unwrap_or("no error").to_string()
}

#[test]
fn nesting_is_limited() {
    let deep = |n: usize| format!("{}x{}", "([{".repeat(n), "}])".repeat(n));
    assert_eq!(run(&deep(85), "").log, "");
    let error = "<source>:1:257: error: bracket nesting level exceeded maximum of 256";
    let none = |_: &str| None;
    assert_eq!(refused(&deep(86), &none), error);
    let text = format!("#if {}1", "(".repeat(300));
    assert!(refused(&text, &none).ends_with("maximum of 256"));
    let text = format!("#if {}1", "!".repeat(100_000));
    assert!(refused(&text, &none).ends_with("maximum of 256"));
    let text = format!("#if {}1", "1 ? 1 : ".repeat(100_000));
    assert!(refused(&text, &none).ends_with("maximum of 256"));
    let text = format!("#define f(x) x\n{}", "f(".repeat(100_000));
    assert!(refused(&text, &none).ends_with("maximum of 256"));
    let arguments: String = (0..2000)
        .map(|i| format!("#define A{i}(x) B(A{}(x))\n", i + 1))
        .collect();
    let text = format!("{arguments}#define B(x) x\nA0(1)");
    assert!(refused(&text, &none).ends_with("macro arguments are nested too deeply"));
}

#[test]
fn expansion_is_limited() {
    let none = |_: &str| None;
    let mut bomb = "#define X0 x x x x x x x x\n".to_string();
    for i in 0..20 {
        bomb += &format!("#define X{} {}\n", i + 1, format!("X{i} ").repeat(8));
    }
    let limit = "macro expansion exceeds the limit of 4194304 tokens";
    assert!(refused(&format!("{bomb}X20"), &none).ends_with(limit));
    let text = "#define d(x) x x\n".to_string() + &"d(".repeat(40) + "1" + &")".repeat(40);
    assert!(refused(&text, &none).ends_with(limit));
    let itself = |_: &str| Some(Ok("#include \"a.h\"".to_string()));
    assert!(refused("#include \"a.h\"", &itself).contains("#include nested too deeply"));
    let twice = |p: &str| {
        Some(Ok(
            format!("#include \"{p}x\"\n").repeat(usize::from(p.len() < 60) * 2)
        ))
    };
    assert!(refused("#include \"a\"", &twice).contains("included files exceed the limit"));
    assert_eq!(run(&"#error e\n".repeat(50), "").diags.len(), 20);
}

/// A long chain of macros is neither deep nor slow.
#[test]
fn chains_are_linear() {
    let chain: String = (0..20_000)
        .map(|i| format!("#define A{i} A{}\n#define F{i}(x) F{}(x)\n", i + 1, i + 1))
        .collect();
    let out = run(&format!("{chain}A0 F0(1)"), "");
    assert_eq!(texts(&out), ["A20000", "F20000", "(", "1", ")", ""]);
}

/// Nothing stops the preprocessor but the end of its input: every prefix of the test files,
/// and every file with one byte changed in many places.
#[test]
fn broken_sources_end() {
    const BREAKERS: &[u8] = b"#\\\"'()\n,\0/*<%:_L.";
    let mut random = 1u32;
    for entry in std::fs::read_dir(dir()).expect("tests/data/pp is there") {
        let path = entry.expect("it is readable").path();
        if path.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(path).expect("test files are text");
        let step = text.len() / 60 + 1;
        for end in (0..text.len())
            .step_by(step)
            .filter(|&i| text.is_char_boundary(i))
        {
            run(&text[..end], "");
        }
        for _ in 0..60 {
            let bytes: Vec<u8> = text
                .bytes()
                .map(|b| {
                    random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    match random >> 24 {
                        0 => BREAKERS[(random >> 16) as usize % BREAKERS.len()],
                        _ => b,
                    }
                })
                .collect();
            run(&String::from_utf8_lossy(&bytes), "");
        }
    }
}
