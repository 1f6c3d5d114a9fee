//! The specification's functions (tests/data/builtins/functions.txt): calls with every type,
//! vector size and address space compile and have the type that the specification says; where a version,
//! an extension or a feature that they need is missing, they are refused with its name.

mod common;

use std::collections::BTreeMap;

use caldera_compiler::driver::{Session, on_compiler_thread};
use caldera_compiler::features::{EXTENSIONS, FEATURES, supported};
use caldera_compiler::front::clc::lower::Roots;
use caldera_compiler::options::Options;
use caldera_compiler::source::Sources;
use caldera_compiler::target::Target;
use common::behind_passes::target;

/// Functions in one source.
const CHUNK: usize = 500;

/// What the letters of a row stand for.
type Variables = BTreeMap<String, Vec<String>>;

/// A function as the specification has it, without alternatives in braces.
struct Row {
    result: String,
    name: String,
    params: Vec<String>,
    needs: Vec<String>,
    variables: Variables,
}

/// `a{b|c}d` is `abd` and `acd`.
fn alternatives(line: &str) -> Vec<String> {
    let Some((before, rest)) = line.split_once('{') else {
        return vec![line.to_owned()];
    };
    let (choices, after) = rest.split_once('}').expect("a closing brace");
    let lines = choices.split('|').map(|c| format!("{before}{c}{after}"));
    lines.flat_map(|line| alternatives(&line)).collect()
}

/// Words behind `:` or `=`.
fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn row(line: &str, needs: &[String], variables: &Variables) -> Row {
    let (call, own) = line.split_once(" : ").unwrap_or((line, ""));
    let (head, params) = call.trim_end_matches(')').split_once('(').expect("a call");
    let at = head.rfind([' ', '*']).expect("a result and a name") + 1;
    let params = params.split(", ").filter(|p| !p.is_empty());
    Row {
        result: head[..at].trim().to_owned(),
        name: head[at..].to_owned(),
        params: params.map(str::to_owned).collect(),
        needs: needs.iter().cloned().chain(words(own)).collect(),
        variables: variables.clone(),
    }
}

fn rows() -> Vec<Row> {
    let text = include_str!("data/builtins/functions.txt");
    let (mut rows, mut variables, mut needs) = (Vec::new(), Variables::new(), Vec::new());
    let lines = text.lines().map(str::trim);
    for line in lines.filter(|l| !l.is_empty() && !l.starts_with('#')) {
        if line.starts_with('[') {
            variables.clear();
            needs.clear();
        } else if let Some((name, list)) = line.split_once(" = ") {
            match name {
                "needs" => needs = words(list),
                _ => drop(variables.insert(name.to_owned(), words(list))),
            }
        } else {
            let lines = alternatives(line);
            rows.extend(lines.iter().map(|line| row(line, &needs, &variables)));
        }
    }
    rows
}

/// `text` once for each value of the variable, where it has it.
fn each(text: &str, values: &[String], apply: impl Fn(&str, &str) -> String) -> Vec<String> {
    let mut all: Vec<String> = values.iter().map(|v| apply(text, v)).collect();
    all.dedup();
    if all.is_empty() {
        all.push(text.to_owned());
    }
    all
}

/// The integer type as wide as `elem`.
fn integer(elem: &str, signed: bool) -> String {
    let name = match elem {
        "half" => "short",
        "float" => "int",
        "double" => "long",
        _ => elem.trim_start_matches('u'),
    };
    let sign = if signed { "" } else { "u" };
    format!("{sign}{name}")
}

/// All functions that a row stands for: `result|name|parameters`.
fn signatures(row: &Row) -> Vec<String> {
    let none = Vec::new();
    let values = |name: &str| row.variables.get(name).unwrap_or(&none);
    let size = |n: &str| if n == "1" { "" } else { n }.to_owned();
    let generic = format!("{}|{}|{}", row.result, row.name, row.params.join(", "));
    let mut all = each(&generic, values("n"), |text, n| {
        let text = text.replace("<n>", &size(n)).replace("sgentype", "<s>");
        let vector = format!("gentype{}", size(n));
        text.replace("gentype", &vector).replace("<s>", "gentype")
    });
    for (name, key) in [("m", "<m>"), ("t", "<t>")] {
        let list = values(name);
        let one = |t: String| each(&t, list, |text, v| text.replace(key, &size(v)));
        all = all.into_iter().flat_map(one).collect();
    }
    let elements = |t: String| {
        each(&t, values("gentype"), |text, elem| {
            text.replace("ugentype", &integer(elem, false))
                .replace("igentype", &integer(elem, true))
                .replace("gentype", elem)
        })
    };
    all = all.into_iter().flat_map(elements).collect();
    let spaces = [
        ("shared", &["global", "local", "generic"][..]),
        ("writable", &["global", "local", "private", "generic"]),
        (
            "readable",
            &["global", "constant", "local", "private", "generic"],
        ),
    ];
    for (word, list) in spaces {
        let list: Vec<String> = list.iter().map(|s| s.to_string()).collect();
        let key = format!("{word} ");
        let one = |t: String| each(&t, &list, |text, s| text.replace(&key, &format!("{s} ")));
        all = all.into_iter().flat_map(one).collect();
    }
    all
}

/// A function that makes the call and holds its type against the expected one, on one line.
fn caller(signature: &str, id: usize) -> String {
    let mut parts = signature.split('|');
    let mut next = || parts.next().unwrap_or_default();
    let (result, name, list) = (next(), next(), next());
    let (mut params, mut args) = (Vec::new(), Vec::new());
    for (i, param) in list.split(", ").filter(|p| !p.is_empty()).enumerate() {
        match param.split_once('=') {
            Some((_, value)) => args.push(value.to_owned()),
            None => {
                params.push(format!("{param} a{i}"));
                args.push(format!("a{i}"));
            }
        }
    }
    let (params, call) = (params.join(", "), format!("{name}({})", args.join(", ")));
    match result {
        "void" => format!("void f{id}({params}) {{ {call}; }}\n"),
        _ => format!(
            "{result} f{id}({params}) {{ {result} *t = (__typeof__({call}) *)0; return {call}; }}\n"
        ),
    }
}

/// The messages for each line of a source, counted from 0.
fn messages(text: &str, options: &str, target: &Target) -> Result<Vec<(usize, String)>, String> {
    let options = &Options::parse(options).expect("known options");
    let sources = Sources {
        name: "<source>",
        text,
        headers: &[],
        load: &|_| None,
    };
    on_compiler_thread(|| {
        let mut session = Session::new(options);
        session.sink.error_limit = 0;
        session.front_end(&sources, Roots::Externals, options, target);
        let diags = session.sink.diags.iter().map(|d| {
            let line = d.loc.map_or(0, |loc| session.map.line_col(loc).0 as usize);
            (line.saturating_sub(1), d.message.clone())
        });
        diags.collect()
    })
}

#[test]
fn every_call_of_the_specification_compiles() {
    let target = &target("nvidia");
    let rows = rows();
    let offered = rows.iter().filter(|r| !r.variables.contains_key("offered"));
    let all: Vec<String> = offered.flat_map(signatures).collect();
    let chunk_defects = |lines: &[String]| {
        let callers = lines.iter().enumerate().map(|(i, s)| caller(s, i));
        let callers: Vec<String> = callers.collect();
        let found = messages(&callers.concat(), "-cl-std=CL3.0", target);
        let found = found.expect("no internal error");
        let show = |(line, text): &(usize, String)| format!("{text}: {}", callers[*line]);
        found.iter().map(show).collect::<Vec<_>>()
    };
    let half = |first: usize| {
        let chunks = all.chunks(CHUNK).skip(first).step_by(2);
        chunks.flat_map(chunk_defects).collect::<Vec<_>>()
    };
    let defects = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        let mut defects = half(0);
        defects.extend(other.join().expect("no panic"));
        defects
    });
    let count = defects.len();
    let first: String = defects.into_iter().take(40).collect();
    assert!(count == 0, "{count} of {} calls:\n{first}", all.len());
}

/// A device that lacks this extension or feature and little else, if there can be one.
fn without(name: &str) -> Option<String> {
    let lacks = |target: &Target| {
        let mut known = supported(EXTENSIONS, target).chain(supported(FEATURES, target));
        known.all(|row| row.name != name)
    };
    let changed = Target::FLAGS.iter().map(|flag| format!("nvidia,-{flag}"));
    let mut all = std::iter::once("nvidia".to_owned()).chain(changed);
    all.find(|text| lacks(&target(text)))
}

#[test]
fn what_is_missing_is_named() {
    // Functions by the options and the device that lack something, with its name.
    let mut lacking: BTreeMap<(String, String), Vec<(String, String)>> = BTreeMap::new();
    for row in rows() {
        let all = signatures(&row);
        let mut add = |std: &str, target: String, name: &str, signature: &String| {
            let place = lacking.entry((format!("-cl-std={std}"), target));
            let missing = (signature.clone(), name.to_owned());
            place.or_default().push(missing);
        };
        for need in &row.needs {
            let before = match need.as_str() {
                "1.1" => Some("CL1.0"),
                "1.2" => Some("CL1.1"),
                "2.0" => Some("CL1.2"),
                _ => None,
            };
            if let Some(std) = before {
                // Access qualifiers and atomic types are refused themselves.
                if all[0].contains("read_write") && need != "2.0" {
                    continue;
                }
                let text = format!("OpenCL C {need} or later");
                add(std, "nvidia".to_owned(), &text, &all[0]);
            } else if let Some(target) = without(need) {
                add("CL3.0", target, need, &all[0]);
            }
        }
        for (element, need) in [("half", "cl_khr_fp16"), ("double", "cl_khr_fp64")] {
            let value = |s: &&String| {
                let types = s.replace(&row.name, "");
                let mut words = types.split(['|', ',']).map(str::trim);
                words.any(|w| w.trim_end_matches(|c: char| c.is_ascii_digit()) == element)
            };
            if let (Some(signature), Some(target)) = (all.iter().find(value), without(need)) {
                add("CL3.0", target, need, signature);
            }
        }
    }
    let mut wrong = Vec::new();
    for ((options, device), calls) in &lacking {
        let lines = calls.iter().enumerate().map(|(i, c)| caller(&c.0, i));
        let lines: Vec<String> = lines.collect();
        let found = messages(&lines.concat(), options, &target(device));
        let found = found.expect("no internal error");
        for (i, (line, (_, name))) in lines.iter().zip(calls).enumerate() {
            let here = found.iter().filter(|m| m.0 == i);
            let texts: Vec<&str> = here.map(|m| m.1.as_str()).collect();
            if !texts.iter().any(|text| text.contains(name.as_str())) {
                wrong.push(format!("{options} {device} {name}: {texts:?}\n  {line}"));
            }
        }
    }
    let count = wrong.len();
    let first: String = wrong.into_iter().take(40).collect();
    assert!(count == 0, "{count} without the name:\n{first}");
}
