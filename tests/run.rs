//! tests/data/run: whole kernels from source, run by the interpreter on the lowered IR.

mod common;

use std::path::{Path, PathBuf};

use caldera::compiler::diag::Sink;
use caldera::compiler::front::clc::{lower, pp, sema, syntax};
use caldera::compiler::ir::interp::{ArgValue, Launch, Memory, run};
use caldera::compiler::ir::verify::{Stage, verify};
use caldera::compiler::ir::{FuncId, Module};
use caldera::compiler::options::Options;
use caldera::compiler::source::{SourceMap, Sources};
use caldera::compiler::target::Target;
use common::run_file::{self, Arg, Run};

fn files() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/run");
    let entries = std::fs::read_dir(&dir).expect("the test data is there");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    paths.sort();
    paths
}

/// Source to lowered IR, or the build log.
fn compile(text: &str, options: &Options, target: &Target) -> Result<Module, String> {
    let sources = Sources {
        name: "<source>",
        text,
        headers: &[],
        load: &|_| None,
    };
    let mut map = SourceMap::default();
    let mut sink = Sink::default();
    let tokens = pp::preprocess(&sources, options, target, &mut map, &mut sink);
    let externals = syntax::parse(&tokens, &mut sink);
    let unit = sema::analyse(&externals, options, target, &mut sink);
    let mut module = Module::default();
    if !sink.has_errors() {
        module = lower::lower(&unit, options, target, &mut sink);
    }
    if sink.has_errors() {
        return Err(sink.render(&map));
    }
    Ok(module)
}

fn interpret(module: &Module, test: &Run) -> Result<(), String> {
    let kernel = module
        .funcs
        .iter()
        .position(|f| f.name == test.kernel && f.kernel.is_some())
        .ok_or(format!("no kernel '{}'", test.kernel))?;
    let mut memory = Memory::default();
    let mut addresses = Vec::new();
    let mut args = Vec::new();
    for arg in &test.args {
        let mut address = 0;
        args.push(match arg {
            Arg::Value(bytes) => ArgValue::Bytes(bytes.clone()),
            Arg::Local(size) => ArgValue::Local(*size),
            Arg::Null => ArgValue::Pointer(0),
            Arg::Buffer(bytes) => {
                address = memory.add(bytes.clone());
                ArgValue::Pointer(address)
            }
        });
        addresses.push(address);
    }
    let launch = Launch::new(&test.global, &test.local, args);
    run(module, FuncId(kernel as u32), &launch, &mut memory).map_err(|e| e.to_string())?;
    for expect in &test.expects {
        let address = addresses.get(expect.arg).copied().unwrap_or(0);
        expect.check(memory.bytes(address))?;
    }
    Ok(())
}

fn check(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let file = run_file::parse(&text)?;
    let options = Options::parse(&file.options.join(" ")).map_err(|e| e.to_string())?;
    let profile = file.targets.first().map_or("nvidia", |t| t.as_str());
    let (profile, changes) = profile.split_once(',').unwrap_or((profile, ""));
    let mut target = Target::profile(profile).ok_or("unknown profile")?;
    target.apply(changes)?;
    let module = compile(&text, &options, &target)?;
    verify(&module, Stage::Lowered, &target).map_err(|e| e.to_string())?;
    for run in &file.runs {
        interpret(&module, run).map_err(|e| format!("kernel {}: {e}", run.kernel))?;
    }
    Ok(())
}

#[test]
fn lowered_kernels_give_what_is_expected() {
    let only = std::env::var("CALDERA_TEST").unwrap_or_default();
    let failures: Vec<String> = files()
        .iter()
        .filter(|path| path.to_string_lossy().contains(&only))
        .filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            check(path).err().map(|e| format!("{name}: {e}"))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
