//! Runs the launches of a test in the interpreter: on the module as it is, and again behind each
//! pass for each target.

use caldera_compiler::diag::Sink;
use caldera_compiler::ir::Module;
use caldera_compiler::ir::verify::{Stage, verify};
use caldera_compiler::options::Options;
use caldera_compiler::pass::{Ctx, PIPELINE};
use caldera_compiler::target::Target;

use super::data::directive;
use super::run_line::Run;

/// Little but the widths that legalization does not take apart, and no private memory.
pub const WIDTHS: &str =
    "min,int8,int16,int64,float16,float64,storage8,storage16,divides_by_words,max_private=0";

/// A device with 64-bit integers in memory only.
pub const PAIRS: &str = "lavapipe,-int64";

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
        let mut found = defects(&module, runs, Stage::Lowered, &target);
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
    for pass in PIPELINE {
        let mut sink = Sink::default();
        (pass.run)(&mut module, &ctx, &mut sink);
        stage = pass.establishes.unwrap_or(stage);
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
