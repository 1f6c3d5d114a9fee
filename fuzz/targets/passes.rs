//! Each pass against the interpreter: the input is the generator's decisions.
#![no_main]

use caldera_compiler::pass::PIPELINE;
use caldera_compiler::target::Target;
use common::rng::Rng;

#[path = "../../tests/common/rng.rs"]
pub mod rng;
mod common {
    pub use crate::rng;
}
#[path = "../../tests/passes/fuzz.rs"]
mod fuzz;

/// Profiles, with what changes in them.
const TARGETS: &[&str] = &["nvidia", "lavapipe", "nvidia,max_inlined=0"];

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut rng = Rng::given(data);
    let name = rng.pick(TARGETS);
    let (profile, changes) = name.split_once(',').unwrap_or((name, ""));
    let mut target = Target::profile(profile).expect("a known profile");
    target.apply(changes).expect("known features");
    let names: Vec<&str> = PIPELINE.iter().map(|p| p.name).collect();
    // Up to a pass that the input picks: looking behind each takes ten times as long.
    let passes = &names[..1 + rng.below(names.len())];
    fuzz::check_end(fuzz::module(&mut rng), passes, &target, "program");
});
