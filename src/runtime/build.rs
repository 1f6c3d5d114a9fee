//! Runs the compiler for a program: reads `#include` files, keeps the results on disk,
//! and stands between the application and a compiler bug.
//!
//! A cached result lists every file that the compiler asked for and what it then was
//! (a hash, or not there). It is used only while all of them are still that.

use std::cell::RefCell;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use super::cache::Cache;
use super::hash::{digest, hash};
use super::platform::VERSION;
use super::wire::{Wire, from_bytes, structs, to_bytes};
use crate::compiler::driver::{self, Object};
use crate::compiler::kernel::DeviceProgram;
use crate::compiler::options::Options;
use crate::compiler::source::Sources;
use crate::compiler::target::Target;

/// Stack of the compiler's thread in bytes. The nesting limit of the lexer bounds what the
/// recursive walks need.
const STACK: usize = 64 << 20;

/// A result of the compiler, if there were no errors, and the build log.
pub type Outcome<T> = (Option<T>, String);

/// Source text with the headers given by name (include name, text).
pub struct Source<'a> {
    pub text: &'a str,
    pub headers: &'a [(String, String)],
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

fn sources<'a>(source: &Source<'a>, load: &'a dyn Fn(&str) -> Option<String>) -> Sources<'a> {
    Sources {
        name: "<source>",
        text: source.text,
        headers: source.headers,
        load,
    }
}

fn key(kind: &str, options: &Options, target: &Target, inputs: Vec<u8>) -> String {
    let mut all = to_bytes(&(VERSION.to_string(), kind.to_string()));
    (format!("{options:?}"), target.to_string()).put(&mut all);
    all.extend(inputs);
    format!("{kind}-{}", digest(&all))
}

fn source_key(kind: &str, source: &Source, options: &Options, target: &Target) -> String {
    let inputs = to_bytes(&(source.text.to_string(), source.headers.to_vec()));
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
fn cached<T: Wire + Send>(
    key: &str,
    run: impl FnOnce(&dyn Fn(&str) -> Option<String>) -> Outcome<T> + Send,
) -> Outcome<T> {
    let cache = Cache::global();
    let entry = cache
        .load(key)
        .and_then(|bytes| from_bytes::<Entry<T>>(&bytes));
    if let Some(entry) = entry {
        let unchanged = |(path, hash): &(String, Option<u64>)| file_hash(&read_file(path)) == *hash;
        if entry.files.iter().all(unchanged) {
            return (Some(entry.output), entry.log);
        }
    }
    let (files, outcome) = on_own_thread(move || {
        let files = RefCell::new(Vec::new());
        let load = |path: &str| {
            let text = read_file(path);
            files
                .borrow_mut()
                .push((path.to_string(), file_hash(&text)));
            text
        };
        let outcome = run(&load);
        (files.into_inner(), outcome)
    });
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

type Traced<T> = (Vec<(String, Option<u64>)>, Outcome<T>);

/// Runs the compiler on a thread with a large stack. A panic in it is a failed build.
fn on_own_thread<T: Send>(run: impl FnOnce() -> Traced<T> + Send) -> Traced<T> {
    let failed = |what: &str| {
        let log = format!("error: internal compiler error: {what}\n1 error generated.\n");
        (Vec::new(), (None, log))
    };
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("caldera compiler".into());
        let guarded = || catch_unwind(AssertUnwindSafe(run));
        match builder.stack_size(STACK).spawn_scoped(scope, guarded) {
            Err(_) => failed("no thread for the compiler"),
            Ok(thread) => match thread.join() {
                Ok(Ok(result)) => result,
                Ok(Err(panic)) | Err(panic) => {
                    let text = (panic.downcast_ref::<String>().map(String::as_str))
                        .or_else(|| panic.downcast_ref::<&str>().copied());
                    failed(text.unwrap_or("panic"))
                }
            },
        }
    })
}
