//! tests/data/spirv: kernels given as SPIR-V, assembled by spirv-as, run by the interpreter on the lowered
//! IR and behind each pass; tests/device.rs runs them on devices. The header is that of other test data, with
//! `;` for `//`. Damaged modules end with errors or programs.
//!
//! CALDERA_SPIRV names a folder with more: NAME.spv with NAME.cl beside it, whose header is meant.

mod common;

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::{Duration, Instant};

use caldera_compiler::driver::compile_spirv;
use caldera_compiler::front::spirv;
use caldera_compiler::options::Options;
use common::behind_passes::{defects_for_targets, target};
use common::c::compile;
use common::compile::lowered_spirv;
use common::data::{directive, files, root};
use common::driver::drivers;
use common::opencl_std;
use common::process::{Outcome, library, run, scratch};
use common::rng::Rng;
use common::run_line;
use common::spirv::{assemble, invalid, specialized};
use rspirv::grammar::OPENCL_STD_100_INSTRUCTION_TABLE;

/// A module and the text whose header says what it does.
struct Case {
    name: String,
    module: Vec<u8>,
    text: String,
}

fn cases() -> Vec<Case> {
    let own = files("spirv", "spvasm").into_iter().map(|file| Case {
        name: file.name(),
        module: assemble(&file.text),
        text: file.text,
    });
    let mut cases: Vec<Case> = own.collect();
    if let Ok(more) = std::env::var("CALDERA_SPIRV") {
        let only = std::env::var("CALDERA_TEST").unwrap_or_default();
        let entries = std::fs::read_dir(more).expect("the folder is there");
        let mut paths: Vec<_> = entries.map(|e| e.expect("readable").path()).collect();
        paths.retain(|path| {
            path.extension().is_some_and(|e| e == "spv") && path.to_string_lossy().contains(&only)
        });
        paths.sort();
        cases.extend(paths.into_iter().map(|path| Case {
            name: path.display().to_string(),
            module: std::fs::read(&path).expect("the module is readable"),
            text: std::fs::read_to_string(path.with_extension("cl")).expect("its source is there"),
        }));
    }
    cases
}

fn check(case: &Case) -> Vec<String> {
    let specs = specialized(&case.text);
    let runs = run_line::parse(&case.text);
    defects_for_targets(&case.text, &runs, |options, target| {
        let Some(why) = directive(&case.text, "refused") else {
            return lowered_spirv(&case.module, &specs, options, target).map(Some);
        };
        let source = spirv::Source {
            module: &case.module,
            constants: &specs,
        };
        let built = compile_spirv(source, options, target);
        match built.program {
            Some(_) => Err("is not refused".into()),
            None if built.log.contains(why) => Ok(None),
            None => Err(built.log),
        }
    })
}

/// CALDERA_TEST is part of a file's name: only these run.
#[test]
fn modules_give_the_expected_buffers_behind_every_pass() {
    let cases = cases();
    let (mut failures, count) = (Vec::new(), cases.len());
    for case in &cases {
        let found = check(case);
        if let Some(first) = found.first() {
            failures.push(format!("{} {first}", case.name));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {count}:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// Bits, words and lengths changed: an error or a program, soon, and no defect of ours. CALDERA_FUZZ is how
/// many of each module, CALDERA_FUZZ_SEED the first.
#[test]
fn damaged_modules_end_with_errors_or_programs() {
    let (count, seed): (u64, u64) = (number("CALDERA_FUZZ", 40), number("CALDERA_FUZZ_SEED", 1));
    let (options, target) = (Options::default(), target("nvidia"));
    let mut failures = Vec::new();
    for case in cases() {
        for seed in seed..seed + count {
            let mut rng = Rng::new(seed);
            let module = damaged(&case.module, &mut rng);
            let _ = spirv::read(&module);
            let start = Instant::now();
            let constants = &[];
            let source = spirv::Source {
                module: &module,
                constants,
            };
            let built = compile_spirv(source, &options, &target);
            let log = built.log;
            if log.contains("internal compiler error") || built.program.is_none() && log.is_empty()
            {
                failures.push(format!("{} seed {seed}: {log}", case.name));
            }
            if start.elapsed() > Duration::from_secs(20) {
                failures.push(format!("{} seed {seed}: {:?}", case.name, start.elapsed()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn number(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().expect("a number"),
        Err(_) => default,
    }
}

/// A module with one to four places changed, or cut off.
fn damaged(module: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut module = module.to_vec();
    for _ in 0..1 + rng.below(4) {
        let words = module.len() / 4;
        let word = 4 * rng.below(words);
        // A word of another place is an id or a literal that means something.
        let other = 4 * rng.below(words);
        match rng.below(5) {
            0 => module[word + rng.below(4)] ^= 1 << rng.below(8),
            1 | 2 => module.copy_within(other..other + 4, word),
            3 => {
                module[word] = module[word]
                    .wrapping_add(rng.below(5) as u8)
                    .wrapping_sub(2)
            }
            _ if rng.below(8) == 0 => module.truncate(word.max(20)),
            _ => module[word + 2] ^= 1,
        }
    }
    module
}

/// How tests/c/mutants.c ends: codes of its own.
const OUR_CODES: std::ops::RangeInclusive<i32> = 10..=11;
const DRIVER_CRASH: i32 = 12;
const KERNEL_CODES: std::ops::RangeInclusive<i32> = 13..=14;

/// Linux's SIGBUS, which some wild addresses raise: llvmpipe's threads block it, so that no handler is called.
const BUS_ERROR: i32 = 7;

/// How the program ended: by its exit code, or by a kernel's code without a report.
fn ended(outcome: &Outcome, last: &str) -> Option<i32> {
    let signal = outcome.status.and_then(|status| status.signal());
    let in_kernel = signal == Some(BUS_ERROR) && last.ends_with(" launch");
    outcome
        .code()
        .or(in_kernel.then_some(*KERNEL_CODES.start()))
}

/// Mutants are built and launched on each driver, in processes that may crash in a kernel's code and nowhere else.
/// CALDERA_FUZZ is how many, CALDERA_FUZZ_SEED the first.
#[test]
fn mutants_are_launched() {
    let (count, first) = (number("CALDERA_FUZZ", 600), number("CALDERA_FUZZ_SEED", 1));
    let folder = scratch("mutants");
    let program = folder.join("mutants");
    compile("mutants", &program, &["-lOpenCL", "-ldl"]);
    let mut modules = Vec::new();
    for (index, case) in cases().iter().enumerate() {
        modules.push(folder.join(format!("{index}.spv")));
        std::fs::write(&modules[index], &case.module).expect("a scratch file");
    }
    let mut failures = Vec::new();
    for driver in drivers() {
        let launch = |from: u64, count: u64, keep: Option<&Path>| {
            let mut command = driver.command(&program);
            command.env("CALDERA_CACHE", "0");
            command.env("OCL_ICD_VENDORS", library());
            command.envs(keep.map(|file| ("MUTANT_FILE", file)));
            command.args([from.to_string(), count.to_string()]);
            run(command.args(&modules), 600)
        };
        let mut at = first;
        while at < first + count {
            let outcome = launch(at, first + count - at, None);
            let last = outcome.stderr.lines().last().unwrap_or_default();
            let number = last.split(' ').next().and_then(|word| word.parse().ok());
            let (Some(code), Some(mutant)) = (ended(&outcome, last), number) else {
                failures.push(format!("{}: from {at}: {}", driver.name, outcome.text()));
                break;
            };
            if code == DRIVER_CRASH {
                let file = folder.join("crash.spv");
                launch(mutant, 1, Some(&file));
                failures.extend(invalid_output(&file).map(|why| format!("{last}: {why}")));
            } else if code != 0 && !KERNEL_CODES.contains(&code) {
                let said = outcome.text();
                let what = if OUR_CODES.contains(&code) {
                    last
                } else {
                    &said
                };
                failures.push(format!("{}: {what}", driver.name));
            }
            at = if code == 0 { first + count } else { mutant + 1 };
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What spirv-val has against what comes of a module for the drivers at hand.
fn invalid_output(module: &Path) -> Option<String> {
    let module = std::fs::read(module).expect("the mutant");
    let target = target("lavapipe");
    let source = spirv::Source {
        module: &module,
        constants: &[],
    };
    let program = compile_spirv(source, &Options::default(), &target).program?;
    let modules = program.kernels.iter().map(|kernel| &kernel.spirv);
    modules.filter_map(|words| invalid(words, &target)).next()
}

/// The modules of tests/c/spirv.c, below tests/data.
const API_MODULES: &[&str] = &[
    "spirv/clang-globals",
    "spirv/enqueue",
    "spirv/image-blocks",
    "spirv/image-numbers",
    "spirv/initializer",
    "spirv/launch-sizes",
    "spirv-linked/once-first",
    "spirv-linked/once-second",
    "spirv-linked/once-third",
];

/// tests/c/spirv.c with its modules on each driver.
#[test]
fn modules_through_the_api() {
    let folder = scratch("spirv-api");
    let program = folder.join("spirv");
    compile("spirv", &program, &["-lOpenCL"]);
    // CALDERA_TEST is not about these.
    for name in API_MODULES {
        let text = root()
            .join("tests/data")
            .join(name)
            .with_extension("spvasm");
        let text = std::fs::read_to_string(text).expect("the module");
        let file = Path::new(name).with_extension("spv");
        let file = folder.join(file.file_name().expect("a name"));
        std::fs::write(file, assemble(&text)).expect("a scratch file");
    }
    on_drivers(&program, &folder);
}

/// tests/c/device_queue.c with what a translator makes of its kernels.
#[test]
fn blocks_through_the_api() {
    let folder = scratch("spirv-blocks");
    let program = folder.join("device_queue");
    compile("device_queue", &program, &["-lOpenCL"]);
    let text = root().join("tests/data/spirv/blocks.spvasm");
    let text = std::fs::read_to_string(text).expect("the module");
    let module = folder.join("blocks.spv");
    std::fs::write(&module, assemble(&text)).expect("a scratch file");
    on_drivers(&program, &module);
}

/// Runs a program with an argument on each driver. It prints nothing.
fn on_drivers(program: &Path, argument: &Path) {
    for driver in drivers() {
        let mut command = driver.command(program);
        command.arg(argument).env("OCL_ICD_VENDORS", library());
        let outcome = run(&mut command, 300);
        let good = outcome.code() == Some(0) && outcome.stdout.is_empty();
        assert!(good, "{}: {}", driver.name, outcome.text());
    }
}

/// Capabilities that the environment requires of OpenCL 3.0 and 3.1 (sections 6.1 to 6.8) on a device with all that is optional there.
#[test]
fn required_capabilities_are_listed() {
    use rspirv::spirv::Capability::*;
    let required = [
        Addresses,
        Float16Buffer,
        Int64,
        Int16,
        Int8,
        Kernel,
        Linkage,
        Vector16,
        DeviceEnqueue,
        GenericPointer,
        Groups,
        Pipes,
        ImageBasic,
        Float64,
        LiteralSampler,
        Sampled1D,
        Image1D,
        SampledBuffer,
        ImageBuffer,
        ImageReadWrite,
        SubgroupDispatch,
        GroupNonUniformShuffle,
        GroupNonUniformShuffleRelative,
        DotProduct,
        DotProductInput4x8Bit,
        DotProductInput4x8BitPacked,
        BitInstructions,
        GroupNonUniformRotateKHR,
    ];
    let listed = spirv::capabilities(&target("nvidia"));
    let missing = required.iter().filter(|&&c| !listed.contains(&(c as u32)));
    assert_eq!(
        missing.collect::<Vec<_>>(),
        Vec::<&rspirv::spirv::Capability>::new()
    );
}

/// Every instruction of OpenCL.std is a builtin function of OpenCL C: printf alone is not tested here.
#[test]
fn instructions_of_opencl_std_are_builtins() {
    let known = OPENCL_STD_100_INSTRUCTION_TABLE
        .iter()
        .map(|row| row.opname);
    let known: BTreeSet<&str> = known.filter(|name| *name != "printf").collect();
    assert_eq!(opencl_std::names(), known);
    let module = assemble(&opencl_std::module());
    let built = lowered_spirv(&module, &[], &Options::default(), &target("nvidia"));
    assert!(built.is_ok(), "{}", built.unwrap_err());
}
