//! Rules about the tree itself: layers, file length, what the library exports and needs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below `folder` whose name ends in one of `endings`.
fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![root().join(folder)];
    while let Some(folder) = todo.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                todo.push(path);
            } else if endings.iter().any(|e| path.to_string_lossy().ends_with(e)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.strip_prefix(root())
        .unwrap_or(path)
        .to_string_lossy()
        .into_owned()
}

/// Code lines (comments cut off) of a file with their numbers.
fn code(path: &Path) -> Vec<(usize, String)> {
    let text = std::fs::read_to_string(path).expect("UTF-8");
    let cut = |l: &str| l.split("//").next().unwrap_or("").to_string();
    text.lines()
        .enumerate()
        .map(|(i, l)| (i + 1, cut(l)))
        .collect()
}

/// What programs and libraries of any system begin with: ELF, Windows, archives, Mach-O.
const BINARIES: &[&[u8]] = &[
    b"\x7fELF",
    b"MZ",
    b"!<arch>",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
];

#[test]
fn no_binary_is_tracked() {
    let tracked = output("git", &["-C", env!("CARGO_MANIFEST_DIR"), "ls-files", "-z"]);
    let binary = |file: &&str| {
        let bytes = std::fs::read(root().join(file)).unwrap_or_default();
        BINARIES.iter().any(|magic| bytes.starts_with(magic))
    };
    let built: Vec<&str> = tracked.split('\0').filter(binary).collect();
    assert!(built.is_empty(), "built files are tracked: {built:?}");
}

/// Where `word` may not stand: (files below, word, allowed below).
const RULES: &[(&str, &str, &[&str])] = &[
    // Paths from the crate's root show who uses whom.
    ("src/runtime", "super::super", &[]),
    (
        "src",
        "rspirv",
        &["src/compiler/back", "src/compiler/front/spirv"],
    ),
    ("src", "ash::", &["src/vk"]),
    ("src", "gpu_allocator", &["src/vk"]),
    ("src", "libc::", &["src/os"]),
    ("src", "windows_sys::", &["src/os"]),
    ("src", "unsafe ", &["src/api", "src/os", "src/vk"]),
    // What C calls.
    ("src", "extern \"C\"", &["src/api", "src/os"]),
    // Cargo tells build scripts by variables.
    (
        "src",
        "env::var",
        &["src/config.rs", "src/compiler/build.rs", "src/icd/build.rs"],
    ),
    ("src", "todo!", &[]),
    ("src", "unimplemented!", &[]),
    ("src", "dbg!", &[]),
];

#[test]
fn layers() {
    let mut broken = Vec::new();
    for (folder, word, allowed) in RULES {
        for path in files(folder, &[".rs"]) {
            let file = name(&path);
            if allowed.iter().any(|a| file.starts_with(a)) {
                continue;
            }
            for (line, text) in code(&path) {
                let words = text.match_indices(word).any(|(at, _)| {
                    let before = text[..at].chars().next_back();
                    !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
                });
                if words {
                    broken.push(format!("{file}:{line}: '{word}' does not belong here"));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Folders (or files) of which each may use those before it: where they lie, the path that names them, and they.
const LAYERS: &[(&str, &str, &[&str])] = &[
    (
        "src",
        "crate",
        &["config", "os", "vk", "compiler", "runtime", "api", "icd"],
    ),
    (
        "src/runtime",
        "crate::runtime",
        &[
            "support", "gpu", "memory", "record", "transfer", "launch", "command", "submit",
            "context", "program", "measure", "platform",
        ],
    ),
];

/// The names that stand behind `path::` in code, also in a list of braces.
fn names_behind<'a>(text: &'a str, path: &str) -> Vec<&'a str> {
    let prefix = format!("{path}::");
    let first = |path: &'a str| {
        let path = path.trim_start();
        let word = |c: char| c.is_alphanumeric() || c == '_';
        &path[..path.find(|c| !word(c)).unwrap_or(path.len())]
    };
    let mut names = Vec::new();
    for (at, _) in text.match_indices(&prefix) {
        let rest = &text[at + prefix.len()..];
        let Some(list) = rest.strip_prefix('{') else {
            names.push(first(rest));
            continue;
        };
        let (mut depth, mut start) = (0, 0);
        for (i, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                '}' | ',' if depth == 0 => {
                    names.push(first(&list[start..i]));
                    start = i + 1;
                }
                _ => {}
            }
            if c == '}' && start == i + 1 {
                break;
            }
        }
    }
    names
}

/// Which of `names` the code of the files in `folder` uses, but their tests: (file, name that it belongs to, name that
/// it uses).
fn uses(folder: &str, path: &str, names: &[&str]) -> Vec<(String, String, String)> {
    let mut uses = Vec::new();
    for file in files(folder, &[".rs"]) {
        let inside = name(&file)[folder.len() + 1..].to_string();
        let unit = inside.split('/').next().unwrap_or_default();
        let unit = unit.trim_end_matches(".rs").to_string();
        // Lists of modules, programs and tests use all; the compiler has a root of its own.
        if ["lib", "mod", "bin", "tests", "compiler"].contains(&&*unit) {
            continue;
        }
        assert!(names.contains(&&*unit), "{folder}: no place for {unit}");
        let lines = code(&file).into_iter().map(|(_, line)| line);
        let code: Vec<String> = lines.collect();
        let code = code.join("\n");
        let code = code.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let mut all = names_behind(code, path);
        // From there `super` is the same as `path`.
        if !inside.contains('/') || inside.ends_with("/mod.rs") {
            all.extend(names_behind(code, "super"));
        }
        for used in all {
            if used != unit && names.contains(&used) {
                uses.push((inside.clone(), unit.clone(), used.to_string()));
            }
        }
    }
    uses
}

/// No folder uses one behind it, so there are no cycles.
#[test]
fn folders_use_those_before() {
    let mut broken = BTreeSet::new();
    for (folder, path, names) in LAYERS {
        let place = |name: &str| names.iter().position(|n| *n == name);
        for (file, unit, used) in uses(folder, path, names) {
            if place(&used) > place(&unit) {
                broken.insert(format!("{folder}/{file} uses {path}::{used}"));
            }
        }
    }
    let broken: Vec<String> = broken.into_iter().collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn names_of_lists_are_found() {
    let text = "use a::b::{c, d::{e, f}, g as h};\nlet x = a::b::i::j(a::b::k);";
    assert_eq!(names_behind(text, "a::b"), ["c", "d", "g", "i", "k"]);
}

/// Lines of a source file; generated tables may be longer.
const MAX_LINES: usize = 720;

#[test]
fn files_stay_readable() {
    let mut long = Vec::new();
    for folder in ["src", "shaders", "tests"] {
        for path in files(folder, &[".rs", ".cl", ".wgsl", ".py", ".sh", ".c"]) {
            let file = name(&path);
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let lines = text.lines().count();
            let generated = file.starts_with("src/api/raw/") || file.starts_with("tests/data/");
            if lines > MAX_LINES && !generated {
                long.push(format!("{file}: {lines} lines"));
            }
        }
    }
    assert!(long.is_empty(), "split these files:\n{}", long.join("\n"));
}

#[test]
fn rust_files_have_headers() {
    let without: Vec<String> = files("src", &[".rs"])
        .iter()
        .filter(|p| {
            !std::fs::read_to_string(p)
                .unwrap_or_default()
                .starts_with("//")
        })
        .map(|p| name(p))
        .collect();
    assert!(
        without.is_empty(),
        "no `//!` header in:\n{}",
        without.join("\n")
    );
}

/// The variables named in `text` between one of `openings` and what ends a word.
fn variables(text: &str, openings: &[&str]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for opening in openings {
        let prefix = format!("{opening}CALDERA_");
        for (at, _) in text.match_indices(&prefix) {
            let word = text[at + opening.len()..].chars();
            let part = |c: &char| c.is_ascii_uppercase() || c.is_ascii_digit() || *c == '_';
            found.insert(word.take_while(part).collect());
        }
    }
    found
}

/// docs/config.md has the environment variables that are read, and no others.
#[test]
fn configuration_is_documented() {
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    let mut used = BTreeSet::new();
    for folder in ["src", "tests"] {
        for path in files(folder, &[".rs", ".py", ".sh"]) {
            // Its words are macros of the builtin library.
            if !name(&path).starts_with("src/compiler/front/clc/builtins") {
                used.extend(variables(&read(&path), &["\"", "${"]));
            }
        }
    }
    let table = read(&root().join("docs/config.md"));
    let rows: Vec<&str> = table
        .lines()
        .filter(|l| l.starts_with("| CALDERA_"))
        .collect();
    let names = rows.iter().filter_map(|row| row.split('|').nth(1));
    let documented: BTreeSet<String> = names.flat_map(|n| variables(n, &[" "])).collect();
    assert_eq!(used, documented);
}

/// The library built with this test.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    test.with_file_name("libcaldera.so")
}

fn output(program: &str, args: &[&str]) -> String {
    let out = Command::new(program).args(args).output();
    let out = out.unwrap_or_else(|e| panic!("{program}: {e} (tests/setup.sh test installs it)"));
    assert!(
        out.status.success(),
        "{program} {args:?}: {}",
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8_lossy(&out.stdout).into_owned()
}

#[test]
fn exports_only_opencl() {
    let library = library();
    let symbols = output(
        "nm",
        &[
            "-D",
            "--defined-only",
            "--format=just-symbols",
            &library.to_string_lossy(),
        ],
    );
    let foreign: Vec<&str> = symbols.lines().filter(|s| !s.starts_with("cl")).collect();
    assert!(foreign.is_empty(), "foreign exports: {foreign:?}");
    // Those that Debian's loader exports for OpenCL 3.0, and the ICD's: one of each kind.
    let wanted = [
        "clGetPlatformIDs",
        "clUnloadCompiler",
        "clEnqueueNDRangeKernel",
        "clCreateImage2D",
        "clSetContextDestructorCallback",
        "clCreateBufferWithProperties",
        "clCreateFromGLBuffer",
        "clIcdGetPlatformIDsKHR",
        "clIcdGetFunctionAddressForPlatformKHR",
        "clIcdSetPlatformDispatchDataKHR",
        "clGetExtensionFunctionAddress",
    ];
    for name in wanted {
        assert!(symbols.lines().any(|s| s == name), "{name} is not exported");
    }
}

#[test]
fn needs_only_the_c_library() {
    let library = library();
    let headers = output("readelf", &["-d", &library.to_string_lossy()]);
    let allowed = ["libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux"];
    let needed = headers.lines().filter(|l| l.contains("(NEEDED)"));
    let foreign: Vec<&str> = needed
        .filter(|l| !allowed.iter().any(|a| l.contains(a)))
        .collect();
    assert!(
        foreign.is_empty(),
        "needs more than the C library: {foreign:?}"
    );
}
