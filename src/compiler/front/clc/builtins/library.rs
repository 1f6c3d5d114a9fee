//! The library under shaders/: ordinary OpenCL C, compiled by ourselves, each file on first
//! use and then kept for the life of the process.
//!
//! A function `name` of the tables is `name_T` there, with T of its `gentype` (`i8` to `u64`,
//! `f16`, `f32`, `f64`): the body for one lane, applied lane by lane. Where lanes belong
//! together it is `name_TxN`. Without a body for f16 that for f32 is used. A file must not
//! use builtins that are implemented in itself other than by these names.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use crate::compiler::diag::Sink;
use crate::compiler::front::clc::lower::{self, Roots};
use crate::compiler::front::clc::{pp, sema, syntax};
use crate::compiler::ir::Module;
use crate::compiler::options::{Options, Standard};
use crate::compiler::source::{SourceMap, Sources};
use crate::compiler::target::Target;

macro_rules! files {
    ($($name:literal)*) => {
        /// All files: name and text. Headers end in `.h`.
        pub const FILES: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../../../../shaders/", $name))),)*
        ];
    };
}

files! {
    "atrig.cl" "common.cl" "erf.cl" "exp.cl" "fma.cl" "gamma.cl" "geometric.cl"
    "group.cl" "hyperbolic.cl" "image.cl" "integer.cl" "log.cl" "native.cl" "number.cl" "pow.cl"
    "relaxed.cl" "remainder.cl" "root.cl" "subgroup.cl" "trig.cl"
    "atrig.h" "constants.h" "erf.h" "exact.h" "exp.h" "fma.h" "format.h" "gamma.h" "hyperbolic.h"
    "image_address.h" "image_format.h"
    "number.h" "pow.h" "powers.h" "remainder.h" "root.h" "trig.h"
}

/// The text of a file.
fn text(file: &str) -> Option<&'static str> {
    FILES
        .iter()
        .find_map(|&(name, text)| (name == file).then_some(text))
}

/// Items of a sub-group where their number varies: no device has smaller ones.
const SMALLEST_SUB_GROUP: u32 = 4;

/// What a compiled file depends on: its name and the target it is compiled for.
type Key = (String, Target);

static CACHE: LazyLock<Mutex<HashMap<Key, Arc<Module>>>> = LazyLock::new(Mutex::default);

/// The compiled file; a message if there is no such file or it does not compile, which is
/// a defect of Caldera.
pub fn module(file: &str, target: &Target) -> Result<Arc<Module>, String> {
    let key = (format!("{file}.cl"), reduced(target));
    let cached = || CACHE.lock().unwrap_or_else(|poison| poison.into_inner());
    if let Some(module) = cached().get(&key) {
        return Ok(module.clone());
    }
    // Not under the lock: this file may need another one.
    let module = Arc::new(compile(&key.0, &key.1)?);
    cached().insert(key, module.clone());
    Ok(module)
}

/// All types, whatever the device has: what it lacks is not called. Of the rest what the library
/// depends on.
fn reduced(target: &Target) -> Target {
    Target {
        int8: true,
        int16: true,
        int64: true,
        float16: true,
        float64: true,
        fused_fma: target.fused_fma,
        precise_exp2: target.precise_exp2,
        texel_buffers: target.texel_buffers,
        subgroups: target.subgroups,
        max_work_group_size: target.max_work_group_size,
        subgroup_size: target.subgroup_size,
        ..Target::MIN
    }
}

fn compile(file: &str, target: &Target) -> Result<Module, String> {
    let text = text(file).ok_or_else(|| format!("there is no library file '{file}'"))?;
    let mut options = Options {
        // Its pointers are private ones.
        standard: Standard::Cl12,
        library: true,
        ..Options::default()
    };
    let mut define = |name: &str, value: u32| {
        let defined = (name.to_owned(), Some(value.to_string()));
        options.macros.push(defined);
    };
    if target.fused_fma {
        define("CALDERA_FUSED_FMA", 1);
    }
    if target.precise_exp2 {
        define("CALDERA_PRECISE_EXP2", 1);
    }
    if target.texel_buffers {
        define("CALDERA_TEXEL_BUFFERS", 1);
    }
    define("CALDERA_GROUP_SIZE", target.max_work_group_size);
    if target.subgroups {
        let smallest = target.subgroup_size.max(SMALLEST_SUB_GROUP);
        let most = target.max_work_group_size.div_ceil(smallest);
        define("CALDERA_SUB_GROUPS", most);
    }
    let sources = Sources {
        name: file,
        text,
        headers: &[],
        load: &|path| self::text(path).map(str::to_owned),
    };
    let mut map = SourceMap::default();
    let mut sink = Sink::default();
    let tokens = pp::preprocess(&sources, &options, target, &mut map, &mut sink);
    let externals = syntax::parse(&tokens, options.standard, &mut sink);
    let unit = sema::analyse(&externals, &options, target, &mut sink);
    let module = if sink.has_errors() {
        Module::default()
    } else {
        lower::lower(&unit, Roots::Externals, &options, target, &mut sink)
    };
    if sink.has_errors() {
        return Err(format!("library file '{file}':\n{}", sink.render(&map)));
    }
    Ok(module)
}
