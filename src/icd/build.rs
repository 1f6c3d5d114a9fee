//! Says how the shared library is linked.

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    if matches!(&*std::env::var("CARGO_CFG_TARGET_OS")?, "linux" | "android") {
        // Calls inside the library stay inside it, whatever other OpenCL libraries a process
        // has loaded.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic");
        // Its threads run code of it: dlclose must not take that away.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
        if std::env::var("PROFILE")? == "release" && links_with(FOLD_FUNCTIONS)? {
            println!("cargo:rustc-cdylib-link-arg={FOLD_FUNCTIONS}");
        }
    }
    Ok(())
}

/// Functions with the same code become one. Rust promises no function an address of its own.
const FOLD_FUNCTIONS: &str = "-Wl,--icf=all";

/// Whether the linker takes an argument: GNU's lacks some that LLVM's has.
fn links_with(argument: &str) -> Result<bool, Box<dyn Error>> {
    let folder = PathBuf::from(std::env::var("OUT_DIR")?);
    let source = folder.join("empty.rs");
    std::fs::write(&source, "")?;
    let mut rustc = std::process::Command::new(std::env::var("RUSTC")?);
    rustc.arg(source).arg("--crate-type=cdylib");
    rustc.arg(format!("--out-dir={}", folder.display()));
    rustc.arg(format!("--target={}", std::env::var("TARGET")?));
    rustc.arg(format!("-Clink-arg={argument}"));
    if let Ok(linker) = std::env::var("RUSTC_LINKER") {
        rustc.arg(format!("-Clinker={linker}"));
    }
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS")?;
    rustc.args(flags.split('\x1f').filter(|flag| !flag.is_empty()));
    Ok(rustc.output()?.status.success())
}
