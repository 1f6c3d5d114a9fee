//! Runs the launches of a test in the interpreter: on the module as it is, and again behind each
//! pass for each target.

use caldera_compiler::diag::Sink;
use caldera_compiler::ir::Module;
use caldera_compiler::ir::verify::{Stage, verify};
use caldera_compiler::options::Options;
use caldera_compiler::pass::{Ctx, PIPELINE, run_pipeline};
use caldera_compiler::target::Target;

use super::data::directive;
use super::run_line::Run;

/// Little but the widths that legalization does not take apart, and no private memory.
pub const WIDTHS: &str = "min,int8,int16,int64,float16,float64,storage8,storage16,divides_by_words,max_private=0,max_local_accesses=0,quick_doubles";

/// A device with 64-bit integers in memory only.
pub const PAIRS: &str = "lavapipe,-int64";

/// Devices without device addresses: with an index for each work-item, with one for all, with constants alone
/// (as many as kernels of the tests have arguments: each is in a storage buffer of its own).
pub const IN_STORAGE_BUFFERS: &[&str] = &[
    "lavapipe,storage_buffers=64,dynamic_storage_buffers,nonuniform_storage_buffers",
    "lavapipe,storage_buffers=9,dynamic_storage_buffers",
    "lavapipe,storage_buffers=9,dynamic_storage_buffers,-int64,-int8,-int16,-float16",
    "nvidia,storage_buffers=64,dynamic_storage_buffers,nonuniform_storage_buffers,max_private=0,max_push_constants=16",
    "nvidia,storage_buffers=9,dynamic_storage_buffers,max_inlined=0,-vulkan_memory_model,-device_scope",
    "lavapipe,storage_buffers=12",
    "nvidia,storage_buffers=12,max_inlined=0,max_push_constants=16,-int64,-storage8",
];

/// Changes of a target: without all of the integers of 8 and 16 bits.
pub const NO_NARROW: &str = "-int8,-int16,-storage8,-storage16";

/// Devices without some or all of the integers of 8 and 16 bits and their storage.
pub const WITHOUT_NARROW: &[&str] = &[
    "lavapipe,-int8",
    "lavapipe,-int16",
    "lavapipe,-storage8",
    "lavapipe,-storage16",
    "lavapipe,-int8,-int16,-storage8,-storage16",
    "lavapipe,-int8,-int16,-storage8,-storage16,-float16,max_private=0",
    "lavapipe,-storage8,-storage16,max_private=0",
    "lavapipe,-float16,-int16",
    "lavapipe,-float16,-storage16",
    "nvidia,-int8,-int16,-storage8,-storage16",
    "nvidia,-int8,-int16,-storage8,-storage16,-explicit_layout8,-explicit_layout16,max_push_constants=16",
    "nvidia,-storage8,max_inlined=0",
];

/// Devices whose drivers take few exits of a loop.
pub const FEW_EXITS: &[&str] = &["lavapipe,max_exits=1", "nvidia,max_exits=2,max_nesting=4"];

/// A profile's name, then changes to it.
pub fn target(text: &str) -> Target {
    let (profile, changes) = text.split_once(',').unwrap_or((text, ""));
    let mut target = Target::profile(profile).expect("a known profile");
    target.apply(changes).expect("known features");
    target
}

/// What does not hold of a module: verifier and launches.
pub fn defects(module: &Module, runs: &[Run], stage: Stage, target: &Target) -> Vec<String> {
    if let Err(defect) = verify(module, stage, target) {
        return vec![defect.to_string()];
    }
    let failed = |run: &Run| Some(format!("{}\n  {}", run.line, run.interpret(module).err()?));
    runs.iter().filter_map(failed).collect()
}

/// Kernels may read what they have not written, behind the pass that writes it.
fn initializes(options: &Options, target: &Target) -> bool {
    target.initialize_private || target.initialize_local || options.zero_local
}

/// The defects of a test for the first of its targets that has any: those of its header, or the usual ones.
/// `lower` gives the module, nothing where there is none to run, or the build log.
pub fn defects_for_targets(
    text: &str,
    runs: &[Run],
    lower: impl Fn(&Options, &Target) -> Result<Option<Module>, String>,
) -> Vec<String> {
    let directive = |key| directive(text, key);
    let options = Options::parse(directive("options").unwrap_or("")).expect("known options");
    let own = directive("target").map(|t| vec![t]);
    for profile in own.unwrap_or(vec![WIDTHS, "lavapipe", "nvidia", PAIRS]) {
        let target = target(profile);
        if !target.has(directive("needs").unwrap_or("")) {
            continue;
        }
        let module = match lower(&options, &target) {
            Ok(Some(module)) => module,
            Ok(None) => continue,
            Err(log) => return vec![log],
        };
        let first = if initializes(&options, &target) {
            &[]
        } else {
            runs
        };
        let mut found = defects(&module, first, Stage::Lowered, &target);
        if found.is_empty() {
            found = defects_behind_passes(&module, runs, &options, &target);
        }
        if !found.is_empty() {
            let place = |defect| format!("for {profile}: {defect}");
            return found.into_iter().map(place).collect();
        }
    }
    Vec::new()
}

/// The defects behind the last pass for the first of these targets that has any.
pub fn defects_at_the_end(
    text: &str,
    runs: &[Run],
    targets: &[String],
    lower: impl Fn(&Options, &Target) -> Result<Option<Module>, String>,
) -> Vec<String> {
    let options = Options::parse(directive(text, "options").unwrap_or("")).expect("known options");
    for name in targets {
        let target = target(name);
        if !target.has(directive(text, "needs").unwrap_or("")) {
            continue;
        }
        let mut module = match lower(&options, &target) {
            Ok(Some(module)) => module,
            Ok(None) => continue,
            Err(log) => return vec![log],
        };
        let ctx = Ctx {
            target: &target,
            options: &options,
            after: None,
        };
        let mut sink = Sink::default();
        run_pipeline(&mut module, &ctx, &mut sink);
        let found = match sink.diags.first() {
            Some(diag) => vec![diag.message.clone()],
            None => defects(&module, runs, Stage::Legal, &target),
        };
        if !found.is_empty() {
            let place = |defect| format!("for {name}: {defect}");
            return found.into_iter().map(place).collect();
        }
    }
    Vec::new()
}

/// The defects behind the first pass that leaves any, with its name.
pub fn defects_behind_passes(
    module: &Module,
    runs: &[Run],
    options: &Options,
    target: &Target,
) -> Vec<String> {
    let mut module = module.clone();
    let mut stage = Stage::Lowered;
    let ctx = Ctx {
        target,
        options,
        after: None,
    };
    let mut undefined = initializes(options, target);
    for pass in PIPELINE {
        let mut sink = Sink::default();
        let before = module.clone();
        let state = (stage, undefined);
        (pass.run)(&mut module, &ctx, &mut sink);
        stage = pass.establishes.unwrap_or(stage);
        undefined &= pass.name != "initialize";
        // Most passes leave most modules as they are.
        if sink.diags.is_empty() && state == (stage, undefined) && before == module {
            continue;
        }
        let runs = if undefined { &[] } else { runs };
        let found = match sink.diags.first() {
            Some(diag) => vec![diag.message.clone()],
            None => defects(&module, runs, stage, target),
        };
        if !found.is_empty() {
            let place = |defect| format!("after {}: {defect}", pass.name);
            return found.into_iter().map(place).collect();
        }
    }
    Vec::new()
}
