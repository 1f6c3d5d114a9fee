//! Mutated sources: whatever the compiler is given, it ends with a program or with errors of the
//! source, soon and without an internal one. The same inputs on every run; CALDERA_FUZZ is how
//! many, CALDERA_FUZZ_SEED the first (docs/testing.md).

mod common;

use std::time::{Duration, Instant};

use caldera_compiler::driver::compile;
use caldera_compiler::options::Options;
use caldera_compiler::source::Sources;
use caldera_compiler::target::Target;
use common::data;
use common::rng::Rng;

/// Mutations that ordinary test runs try.
const FEW: u64 = 150;
/// For one input, in a debug build on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// The words of libFuzzer's dictionary: what texts of this language are made of, with what tends to
/// go wrong.
fn words() -> Vec<String> {
    let lines = include_str!("../fuzz/words.dict").lines();
    let quoted = lines.filter_map(|l| l.strip_prefix('"')?.strip_suffix('"'));
    let plain = |w: &str| {
        w.replace("\\x0A", "\n")
            .replace("\\\"", "\"")
            .replace("\\\\", "\\")
    };
    quoted.map(plain).collect()
}

/// Cuts at a character, not inside one.
fn place(text: &str, rng: &mut Rng) -> usize {
    let mut at = rng.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A place where a word begins, most of the time.
fn word_start(text: &str, rng: &mut Rng) -> usize {
    let at = place(text, rng);
    let rest = &text[at..];
    let skip = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    at + if rng.below(4) == 0 {
        0
    } else {
        skip.unwrap_or(0)
    }
}

fn mutate(text: &mut String, others: &[data::File], words: &[&str], rng: &mut Rng) {
    let at = word_start(text, rng);
    let end = at
        + text[at..]
            .char_indices()
            .nth(1 + rng.below(40))
            .map_or(0, |(i, _)| i);
    match rng.below(6) {
        0 => text.replace_range(at..end, ""),
        1 => text.insert_str(at, rng.pick(words)),
        2 => text.replace_range(at..end, rng.pick(words)),
        3 => {
            let copy = text[at..end].to_string();
            let to = word_start(text, rng);
            text.insert_str(to, &copy);
        }
        4 => {
            let other = &others[rng.below(others.len())].text;
            let from = word_start(other, rng);
            let length = other[from..].char_indices().nth(200).map_or(0, |(i, _)| i);
            text.insert_str(at, &other[from..from + length]);
        }
        _ => text.truncate(if rng.below(8) == 0 { at } else { text.len() }),
    }
}

fn number(variable: &str, otherwise: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.and_then(|t| t.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn no_source_breaks_the_compiler() {
    let folders = ["pp", "parse", "sema", "run", "emit"];
    let files: Vec<data::File> = folders.iter().flat_map(|f| data::files(f, "cl")).collect();
    let words = words();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let parsed = |texts: &[&str]| -> Vec<Options> {
        let options = texts.iter().map(|text| Options::parse(text));
        options.map(|o| o.expect("known options")).collect()
    };
    let c = parsed(&[
        "",
        "-cl-std=CL3.0",
        "-cl-std=CL1.1 -cl-fast-relaxed-math -w",
        "-Werror",
    ]);
    let cxx = parsed(&["-cl-std=CLC++2021", "-cl-std=CLC++1.0"]);
    let opencl_cxx = parsed(&["-cl-std=c++", "-cl-std=c++ -cl-fp16-enable -cl-fp64-enable"]);
    let targets = ["min", "lavapipe", "nvidia"];
    let targets = targets.map(|name| Target::profile(name).expect("the profile is known"));
    let first = number("CALDERA_FUZZ_SEED", 0);
    for seed in first..first + number("CALDERA_FUZZ", FEW) {
        let mut rng = Rng::new(seed);
        let mut text = files[rng.below(files.len())].text.clone();
        // C++ stays C++, and some of C becomes it.
        let is_opencl_cxx = text.contains("-cl-std=c++");
        let is_cxx = text.contains("-cl-std=CLC++") || rng.below(16) == 0;
        for _ in 0..1 + rng.below(6) {
            mutate(&mut text, &files, &words, &mut rng);
        }
        let sources = Sources {
            name: "<source>",
            text: &text,
            headers: &[],
            load: &|_| None,
        };
        let start = Instant::now();
        let options = match (is_opencl_cxx, is_cxx) {
            (true, _) => &opencl_cxx,
            (_, true) => &cxx,
            _ => &c,
        };
        let options = &options[rng.below(options.len())];
        let built = compile(&sources, options, &targets[rng.below(targets.len())]);
        let defect = built.log.contains("internal compiler error") || start.elapsed() > LIMIT;
        assert!(!defect, "seed {seed}:\n{}\n{text}", built.log);
    }
}
