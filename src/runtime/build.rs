//! Runs the compiler for a program: reads `#include` files and keeps the results on disk.
//!
//! A cached result lists every file that the compiler asked for and what it then was
//! (a hash, or not there). It is used only while all of them are still that.

use std::fs;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::cache::Cache;
use super::hash::{digest, hash};
use super::platform::{BUILD, VERSION};
use super::threads;
use super::trace;
use super::wire::{Wire, from_bytes, structs, to_bytes};
use crate::compiler::driver::{self, Object};
use crate::compiler::front::spirv;
use crate::compiler::kernel::DeviceProgram;
use crate::compiler::options::Options;
use crate::compiler::source::Sources;
use crate::compiler::target::Target;

/// Reads a file for `#include`.
type Load<'a> = dyn Fn(&str) -> Option<String> + Sync + 'a;

/// A result of the compiler, if there were no errors, and the build log.
pub type Outcome<T> = (Option<T>, String);

/// Source text with the headers given by name (include name, text).
pub struct Source<'a> {
    pub text: &'a str,
    pub headers: &'a [(String, String)],
}

/// Has a kernel compiled on another thread: what the compiler does once in a process is done by
/// the time that the first program comes.
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
        tracing::debug!("the compiler does not warm up: {error}");
    }
}

/// clBuildProgram.
pub fn compile(source: &Source, options: &Options, target: &Target) -> Outcome<DeviceProgram> {
    let key = source_key("program", source, options, target);
    cached(&key, |load| {
        let built = driver::compile(&sources(source, load), options, target);
        (built.program, built.log)
    })
}

/// clCompileProgram.
pub fn compile_object(source: &Source, options: &Options, target: &Target) -> Outcome<Object> {
    let key = source_key("object", source, options, target);
    cached(&key, |load| {
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
    cached(&spirv_key("program", source, options, target), |_| {
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
    cached(&spirv_key("object", source, options, target), |_| {
        let built = driver::compile_spirv_object(source, options, target);
        (built.object, built.log)
    })
}

/// clLinkProgram, and the second half of building a program of objects.
pub fn link(objects: &[&Object], options: &Options, target: &Target) -> Outcome<DeviceProgram> {
    cached(&link_key("linked", objects, options, target), |_| {
        let built = driver::link(objects, options, target);
        (built.program, built.log)
    })
}

/// clLinkProgram with -create-library.
pub fn link_library(objects: &[&Object], options: &Options, target: &Target) -> Outcome<Object> {
    cached(&link_key("library", objects, options, target), |_| {
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

fn key(kind: &str, options: &Options, target: &Target, inputs: Vec<u8>) -> String {
    let mut all = to_bytes(&([VERSION, BUILD].concat(), kind.to_string()));
    (format!("{options:?}"), target.to_string()).put(&mut all);
    all.extend(inputs);
    format!("{kind}-{}", digest(&all))
}

fn source_key(kind: &str, source: &Source, options: &Options, target: &Target) -> String {
    let inputs = to_bytes(&(source.text.to_string(), source.headers.to_vec()));
    key(kind, options, target, inputs)
}

fn spirv_key(kind: &str, source: spirv::Source, options: &Options, target: &Target) -> String {
    let inputs = to_bytes(&("SPIR-V".to_string(), source.module.to_vec()));
    let inputs = [inputs, to_bytes(&source.constants.to_vec())].concat();
    key(kind, options, target, inputs)
}

fn link_key(kind: &str, objects: &[&Object], options: &Options, target: &Target) -> String {
    let inputs: Vec<Vec<u8>> = objects.iter().map(|o| o.bytes.clone()).collect();
    key(kind, options, target, to_bytes(&inputs))
}

/// A successful build as it lies in the cache.
struct Entry<T> {
    /// Path asked for, and the hash of what was there.
    files: Vec<(String, Option<u64>)>,
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

fn read_file(path: &str) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn file_hash(text: &Option<String>) -> Option<u64> {
    text.as_ref().map(|text| hash(0, text.as_bytes()))
}

/// Takes the result from the cache, or runs the compiler and stores it.
fn cached<T: Wire>(key: &str, run: impl FnOnce(&Load) -> Outcome<T>) -> Outcome<T> {
    let kind = key.split('-').next().unwrap_or_default();
    let _traced = trace::span("build", || kind.to_string());
    let start = Instant::now();
    let done = |from: &str| {
        tracing::debug!(
            kind,
            from,
            ms = start.elapsed().as_secs_f64() * 1e3,
            "build"
        );
    };
    let cache = Cache::global();
    let entry = cache
        .load(key)
        .and_then(|bytes| from_bytes::<Entry<T>>(&bytes));
    if let Some(entry) = entry {
        let unchanged = |(path, hash): &(String, Option<u64>)| file_hash(&read_file(path)) == *hash;
        if entry.files.iter().all(unchanged) {
            done("cache");
            return (Some(entry.output), entry.log);
        }
    }
    let files = Mutex::new(Vec::new());
    let load = |path: &str| {
        let text = read_file(path);
        let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
        files.push((path.to_string(), file_hash(&text)));
        text
    };
    let outcome = run(&load);
    done("compiler");
    let files = files.into_inner().unwrap_or_else(PoisonError::into_inner);
    match outcome {
        (Some(output), log) => {
            let entry = Entry { files, log, output };
            if cache.is_on() {
                cache.store(key, to_bytes(&entry));
            }
            (Some(entry.output), entry.log)
        }
        failed => failed,
    }
}
