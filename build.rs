//! Compiles shaders/*.wgsl, the kernels that the runtime launches by itself, to SPIR-V, a constant
//! `FILE: [(u32, &[u32]); 2]` each in `$OUT_DIR/internal_kernels.rs`: the rows of a work-group and the module, of each of
//! [`VARIANTS`]; and names the build.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use naga::back::spv;
use naga::front::wgsl;
use naga::valid::{Capabilities, ValidationFlags, Validator};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=Cargo.lock");
    println!("cargo:rustc-env=BUILD_DIGEST={}", build()?);
    internal_kernels()
}

/// Tells builds of different sources apart: what one has cached is nothing to the other.
fn build() -> std::io::Result<blake3::Hash> {
    let mut files = vec![PathBuf::from("Cargo.lock")];
    for folder in ["src", "shaders"] {
        println!("cargo:rerun-if-changed={folder}");
        find(Path::new(folder), &mut files)?;
    }
    files.sort();
    let mut digest = blake3::Hasher::new();
    for file in files {
        for part in [file.as_os_str().as_encoded_bytes(), &std::fs::read(&file)?] {
            digest.update(&(part.len() as u64).to_le_bytes());
            digest.update(part);
        }
    }
    Ok(digest.finalize())
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => find(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

fn internal_kernels() -> Result<(), Box<dyn Error>> {
    let mut files = Vec::new();
    find(Path::new("shaders"), &mut files)?;
    files.retain(|path| path.extension().is_some_and(|e| e == "wgsl"));
    files.sort();
    let mut table = String::new();
    for path in files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let words = |variant: &Variant| {
            spirv(&path, variant).map_err(|e| format!("{}: {e}", path.display()))
        };
        let [large, small] = &VARIANTS;
        let modules = [(large.rows, words(large)?), (small.rows, words(small)?)];
        let name = name.to_uppercase();
        let [(rows, words), (small_rows, small_words)] = modules;
        writeln!(
            table,
            "pub const {name}: [(u32, &[u32]); 2] = [({rows}, &{words:?}), ({small_rows}, &{small_words:?})];"
        )?;
    }
    let out = PathBuf::from(std::env::var("OUT_DIR")?).join("internal_kernels.rs");
    Ok(std::fs::write(out, table)?)
}

/// A kind of device.
struct Variant {
    /// Major and minor version of SPIR-V.
    version: (u8, u8),
    /// Rows of a work-group, which has 64 work-items in a row.
    rows: u32,
}

/// What most devices take, and what all do: Vulkan 1.0 takes SPIR-V 1.0 and promises work-groups of 128.
const VARIANTS: [Variant; 2] = [
    Variant {
        version: (1, 3),
        rows: 4,
    },
    Variant {
        version: (1, 0),
        rows: 2,
    },
];

/// A module with all entry points of the file.
fn spirv(path: &Path, variant: &Variant) -> Result<Vec<u32>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let height = |rows: u32| format!("const HEIGHT = {rows}u;");
    let own = height(VARIANTS[0].rows);
    if !text.contains(&own) {
        return Err(format!("'{own}' is missing").into());
    }
    let text = text.replace(&own, &height(variant.rows));
    let module = wgsl::parse_str(&text).map_err(|e| e.emit_to_string(&text))?;
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::IMMEDIATES);
    let info = (validator.validate(&module)).map_err(|e| e.emit_to_string(&text))?;
    let options = spv::Options {
        lang_version: variant.version,
        flags: spv::WriterFlags::empty(),
        // Loops and indices are what the kernels say.
        force_loop_bounding: false,
        ..spv::Options::default()
    };
    Ok(spv::write_vec(&module, &info, &options, None)?)
}
