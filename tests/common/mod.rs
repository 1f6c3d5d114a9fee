//! What several test programs share. Each uses only a part.
#![allow(dead_code)]

pub mod behind_passes;
pub mod c;
pub mod compile;
pub mod data;
pub mod driver;
pub mod launch;
pub mod opencl_std;
pub mod process;
pub mod rng;
pub mod run_line;
pub mod spirv;
pub mod taken;
