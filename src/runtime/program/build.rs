//! Runs the compiler for a program: reads `#include` files and keeps the results on disk.
//!
//! A cached result lists every file that the compiler asked for, with a digest or that it did not exist. The result is used
//! only if all of them are unchanged.

use std::sync::Mutex;
use std::time::Instant;

use crate::compiler::driver::{self, Object};
use crate::compiler::front::spirv;
use crate::compiler::kernel::DeviceProgram;
use crate::compiler::options::Options;
use crate::compiler::source::{Loaded, Sources};
use crate::compiler::target::Target;
use crate::os::sync::Unpoisoned;
use crate::runtime::support::cache::{Cache, Key, Kind};
use crate::runtime::support::files;
use crate::runtime::support::hash::Digest;
use crate::runtime::support::threads;
use crate::runtime::support::version::{BUILD, VERSION};
use crate::runtime::support::wire::{Wire, from_bytes, structs, to_bytes};
use crate::runtime::support::{profile, progress, trace};

/// The target of log lines about builds.
const BUILDS: &str = "caldera::runtime::build";

/// Reads a file for `#include`.
type Load<'a> = dyn Fn(&str) -> Loaded + Sync + 'a;

/// A result of the compiler, if there were no errors, and the build log.
pub type Outcome<T> = (Option<T>, String);

/// Source text with the headers given by name (include name, text).
pub struct Source<'a> {
    pub text: &'a str,
    pub headers: &'a [(String, String)],
}

/// Compiles a kernel on another thread, so that the compiler's one-time initialisation is done when the first program is built.
pub fn warm_up(target: &Target) {
    let target = target.clone();
    let work = move || {
        let source = Source {
            text: "kernel void k(global float4 *x) { x[get_global_id(0)] = fma(x[0], x[1], dot(x[2], x[3])); }",
            headers: &[],
        };
        driver::compile(&sources(&source, &|_| None), &Options::default(), &target);
    };
    if let Err(error) = threads::start(work) {
        tracing::debug!(target: BUILDS, "the compiler does not warm up: {error}");
    }
}

/// clBuildProgram.
pub fn compile(source: &Source, options: &Options, target: &Target) -> Outcome<DeviceProgram> {
    let key = |kind| source_key(kind, source, options, target);
    cached(Kind::Program, key, |load| {
        let built = driver::compile(&sources(source, load), options, target);
        (built.program, built.log)
    })
}

/// clCompileProgram.
pub fn compile_object(source: &Source, options: &Options, target: &Target) -> Outcome<Object> {
    let key = |kind| source_key(kind, source, options, target);
    cached(Kind::Object, key, |load| {
        let built = driver::compile_object(&sources(source, load), options, target);
        (built.object, built.log)
    })
}

/// clBuildProgram of a module of SPIR-V.
pub fn compile_spirv(
    source: spirv::Source,
    options: &Options,
    target: &Target,
) -> Outcome<DeviceProgram> {
    let key = |kind| spirv_key(kind, source, options, target);
    cached(Kind::Program, key, |_| {
        let built = driver::compile_spirv(source, options, target);
        (built.program, built.log)
    })
}

/// clCompileProgram of a module of SPIR-V.
pub fn compile_spirv_object(
    source: spirv::Source,
    options: &Options,
    target: &Target,
) -> Outcome<Object> {
    let key = |kind| spirv_key(kind, source, options, target);
    cached(Kind::Object, key, |_| {
        let built = driver::compile_spirv_object(source, options, target);
        (built.object, built.log)
    })
}

/// clLinkProgram, and the second half of building a program of objects.
pub fn link(objects: &[&Object], options: &Options, target: &Target) -> Outcome<DeviceProgram> {
    let key = |kind| link_key(kind, objects, options, target);
    cached(Kind::Linked, key, |_| {
        let built = driver::link(objects, options, target);
        (built.program, built.log)
    })
}

/// clLinkProgram with -create-library.
pub fn link_library(objects: &[&Object], options: &Options, target: &Target) -> Outcome<Object> {
    let key = |kind| link_key(kind, objects, options, target);
    cached(Kind::Library, key, |_| {
        let built = driver::link_library(objects, options, target);
        (built.object, built.log)
    })
}

fn sources<'a>(source: &Source<'a>, load: &'a Load<'a>) -> Sources<'a> {
    Sources {
        name: "<source>",
        text: source.text,
        headers: source.headers,
        load,
    }
}

/// `form` says what the inputs are.
fn key(kind: Kind, options: &Options, target: &Target, form: &str, inputs: Vec<u8>) -> Key {
    let device = (format!("{options:?}"), target.to_string());
    let mut all = to_bytes(&(VERSION.to_string(), BUILD.to_string()));
    (kind.name().to_string(), device).put(&mut all);
    form.to_string().put(&mut all);
    all.extend(inputs);
    Key::new(kind, &all)
}

fn source_key(kind: Kind, source: &Source, options: &Options, target: &Target) -> Key {
    let inputs = to_bytes(&(source.text.to_string(), source.headers.to_vec()));
    key(kind, options, target, "OpenCL C", inputs)
}

fn spirv_key(kind: Kind, source: spirv::Source, options: &Options, target: &Target) -> Key {
    let inputs = to_bytes(&(source.module.to_vec(), source.constants.to_vec()));
    key(kind, options, target, "SPIR-V", inputs)
}

fn link_key(kind: Kind, objects: &[&Object], options: &Options, target: &Target) -> Key {
    let inputs: Vec<Vec<u8>> = objects.iter().map(|o| o.bytes.clone()).collect();
    key(kind, options, target, "objects", to_bytes(&inputs))
}

/// A successful build as it is stored in the cache.
struct Entry<T> {
    /// Paths that the compiler asked for, and the digest of what was there.
    files: Vec<(String, Option<Digest>)>,
    log: String,
    output: T,
}

impl<T: Wire> Wire for Entry<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.files.put(out);
        self.log.put(out);
        self.output.put(out);
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        Some(Entry {
            files: Wire::get(input)?,
            log: Wire::get(input)?,
            output: Wire::get(input)?,
        })
    }
}

structs! {
    Object { bytes }
}

/// A file's identity: the digest of its text, or that it does not exist. `None` for a file that cannot be included, with which
/// no build succeeds.
fn identity(loaded: &Loaded) -> Option<Option<Digest>> {
    match loaded {
        None => Some(None),
        Some(Ok(text)) => Some(Some(Digest::of(text.as_bytes()))),
        Some(Err(_)) => None,
    }
}

/// Takes the result from the cache, or runs the compiler and stores it.
fn cached<T: Wire>(
    kind: Kind,
    key: impl FnOnce(Kind) -> Key,
    run: impl FnOnce(&Load) -> Outcome<T>,
) -> Outcome<T> {
    let _traced = trace::span("build", || kind.name().to_string());
    let start = Instant::now();
    let began = profile::start();
    let done = |from: &str| {
        profile::built(began, kind.name(), from == "cache");
        tracing::debug!(
            target: BUILDS,
            kind = kind.name(),
            from,
            ms = start.elapsed().as_secs_f64() * 1e3,
            "build"
        );
    };
    let cache = Cache::global();
    let key = cache.is_on().then(|| key(kind));
    let entry = { key.as_ref() }
        .and_then(|key| cache.load(key))
        .and_then(|bytes| from_bytes::<Entry<T>>(&bytes));
    if let Some(entry) = entry {
        let unchanged =
            |(path, then): &(String, Option<Digest>)| identity(&files::load(path)) == Some(*then);
        if entry.files.iter().all(unchanged) {
            done("cache");
            return (Some(entry.output), entry.log);
        }
    }
    let files = Mutex::new(Vec::new());
    let load = |path: &str| {
        let loaded = files::load(path);
        let mut files = files.lock().unpoisoned();
        files.push((path.to_string(), identity(&loaded).flatten()));
        loaded
    };
    let building = progress::begin();
    let outcome = run(&load);
    drop(building);
    done("compiler");
    let files = files.into_inner().unpoisoned();
    match outcome {
        (Some(output), log) => {
            let entry = Entry { files, log, output };
            if let Some(key) = &key {
                cache.store(key, &to_bytes(&entry));
            }
            (Some(entry.output), entry.log)
        }
        failed => failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::options::Standard;

    /// No two programs have the same key, even if they differ in few bits or have the same bytes in other places.
    #[test]
    fn keys_tell_all_inputs_apart() {
        let source = |text: &str| (text.to_string(), Vec::new());
        let header = |name: &str, text: &str| (name.to_string(), text.to_string());
        // A weaker hash gave these two the same key.
        let alike = |last: &str| {
            source(&format!(
                "/*00000038    */kernel void k(global int*o){{int x=1,X=2;o[0]={last}*/}}\n"
            ))
        };
        let sources = [
            alike("x;/*1   1"),
            alike("X;/*Q   Q"),
            source(""),
            source("SPIR-V"),
            source("ab"),
            ("ab".into(), vec![header("", "")]),
            ("ab".into(), vec![header("c", "d")]),
            ("ab".into(), vec![header("cd", "")]),
            ("a".into(), vec![header("bc", "d")]),
            ("ab".into(), vec![header("c", "d"), header("c", "d")]),
        ];
        let all_options = [
            Options::default(),
            Options::parse("-DA=1").unwrap(),
            Options::parse("-D A -D B").unwrap(),
            Options::parse("-D B -D A").unwrap(),
            Options::parse("-I A").unwrap(),
            Options {
                standard: Standard::Cl30,
                ..Options::default()
            },
        ];
        let targets = [Target::MIN, Target::profile("nvidia").unwrap()];
        let module = |module, constants| spirv::Source { module, constants };
        let modules = [
            module(b"ab", &[]),
            module(b"", &[]),
            module(b"ab", &[(1, 2)]),
            module(b"ab", &[(2, 1)]),
            module(b"ab", &[(1, 2), (1, 2)]),
        ];
        let objects = [&b""[..], b"ab", b"a", b"b"].map(|bytes| Object {
            bytes: bytes.to_vec(),
        });
        let lists: [&[usize]; 6] = [&[], &[0], &[1], &[2, 3], &[3, 2], &[0, 1]];
        let mut keys = Vec::new();
        for kind in [Kind::Program, Kind::Object, Kind::Linked, Kind::Library] {
            for options in &all_options {
                for target in &targets {
                    for (text, headers) in &sources {
                        let source = Source { text, headers };
                        keys.push(source_key(kind, &source, options, target));
                    }
                    for module in modules {
                        keys.push(spirv_key(kind, module, options, target));
                    }
                    for list in lists {
                        let list: Vec<&Object> = list.iter().map(|&i| &objects[i]).collect();
                        keys.push(link_key(kind, &list, options, target));
                    }
                }
            }
        }
        let names: std::collections::HashSet<String> = keys.iter().map(Key::to_string).collect();
        assert_eq!(names.len(), keys.len());
    }
}
