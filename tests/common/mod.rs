//! What several test programs share.

pub mod run_file;
