//! `caldera info`: the Vulkan devices.
use std::process::ExitCode;

use super::Failure;

pub const HELP: &str = "Shows the Vulkan devices found.\n";

pub fn run(_args: &[String]) -> Result<ExitCode, Failure> {
    Err(Failure::Failed("not yet".into()))
}
