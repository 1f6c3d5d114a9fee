//! The compiler's door: from sources and options to a program for one device.
//!
//! `front_end` makes an IR module of one source, [`finish`] makes SPIR-V of a module. A separately
//! compiled object is a module in its text form, so linking is joining modules.

use super::back;
use super::diag::{ERROR_LIMIT, Sink};
use super::features::{self, MAX_PRIVATE_SIZE};
use super::front::clc::lower::{self, Roots};
use super::front::clc::{assembly, pp, sema, syntax};
use super::front::spirv;
use super::ir::data::ModuleData;
use super::ir::verify::Stage;
use super::ir::{self, FuncId, Module};
use super::kernel::DeviceProgram;
use super::link::link as link_modules;
use super::options::{Options, Standard};
use super::parallel;
use super::pass::{self, Ctx};
use super::places;
use super::source::{SourceMap, Sources};
use super::target::Target;

/// The outcome of a build.
pub struct Compiled {
    /// `None` when there were errors.
    pub program: Option<DeviceProgram>,
    /// The build log: diagnostics as clang prints them.
    pub log: String,
}

/// A translation unit compiled but not linked (clCompileProgram), or a library of them
/// (clLinkProgram with -create-library).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Object {
    /// Self-contained and valid for the target that it was compiled for.
    pub bytes: Vec<u8>,
}

/// The outcome of a separate compilation.
pub struct CompiledObject {
    pub object: Option<Object>,
    pub log: String,
}

/// Runs `f` on a thread with a large stack; a panic in it becomes an error in the log.
pub fn on_compiler_thread<T: Send>(f: impl FnOnce() -> T + Send) -> Result<T, String> {
    std::thread::scope(|scope| match parallel::spawn(scope, f) {
        Ok(thread) => thread.join().map_err(|panic| {
            let text = panic.downcast_ref::<&str>().map(|s| s.to_string());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            format!("internal compiler error: {}\n", text.unwrap_or_default())
        }),
        Err(e) => Err(format!("the compiler's thread did not start: {e}\n")),
    })
}

/// Compiles and links one source.
pub fn compile(sources: &Sources, options: &Options, target: &Target) -> Compiled {
    compiled(options, target, |session| {
        session.front_end(sources, Roots::Kernels, options, target)
    })
}

/// Compiles and links one module of SPIR-V.
pub fn compile_spirv(source: spirv::Source, options: &Options, target: &Target) -> Compiled {
    compiled(options, target, |session| {
        session.spirv_front_end(source, options, target)
    })
}

/// A program of the IR that a front end, or the linker, makes.
fn compiled(
    options: &Options,
    target: &Target,
    front: impl FnOnce(&mut Session) -> Option<Module> + Send,
) -> Compiled {
    let outcome = on_compiler_thread(|| {
        let mut session = Session::new(options);
        let module = front(&mut session);
        let program = module.and_then(|m| session.finish(m, options, target));
        Compiled {
            program,
            log: session.log(),
        }
    });
    outcome.unwrap_or_else(|log| Compiled { program: None, log })
}

/// Runs a front end and makes an object of its module.
fn compiled_object(
    options: &Options,
    target: &Target,
    front: impl FnOnce(&mut Session) -> Option<Module> + Send,
) -> CompiledObject {
    let outcome = on_compiler_thread(|| {
        let mut session = Session::new(options);
        let module = front(&mut session);
        CompiledObject {
            object: module.map(|m| session.object(&m, target)),
            log: session.log(),
        }
    });
    outcome.unwrap_or_else(|log| CompiledObject { object: None, log })
}

/// One compilation: its files and diagnostics.
pub struct Session {
    pub map: SourceMap,
    pub sink: Sink,
    /// Modules get source lines: -g, also of an object that is linked.
    debug: bool,
}

impl Session {
    pub fn new(options: &Options) -> Session {
        let mut sink = Sink::default();
        sink.no_warnings = options.no_warnings;
        sink.warnings_are_errors = options.warnings_are_errors;
        sink.error_limit = ERROR_LIMIT;
        Session {
            map: SourceMap::default(),
            sink,
            debug: options.debug,
        }
    }

    pub fn log(&self) -> String {
        self.sink.render(&self.map)
    }

    /// `None` when there were errors.
    fn unless_errors<T>(&self, value: T) -> Option<T> {
        (!self.sink.has_errors()).then_some(value)
    }

    /// Source to syntax tree.
    pub fn parse(
        &mut self,
        sources: &Sources,
        options: &Options,
        target: &Target,
    ) -> Vec<syntax::ast::External> {
        let tokens = pp::preprocess(sources, options, target, &mut self.map, &mut self.sink);
        let tokens = assembly::translate(tokens, &mut self.sink);
        syntax::parse(&tokens, options, &mut self.sink)
    }

    /// Source to IR.
    pub fn front_end(
        &mut self,
        sources: &Sources,
        roots: Roots,
        options: &Options,
        target: &Target,
    ) -> Option<Module> {
        let target = &features::restricted(target, options);
        self.check_options(options, target);
        let externals = self.parse(sources, options, target);
        if self.sink.stopped() {
            return None;
        }
        let unit = sema::analyse(&externals, options, target, &mut self.sink);
        self.unless_errors(())?;
        let module = lower::lower(&unit, roots, options, target, &mut self.sink);
        self.unless_errors(module)
    }

    /// A module of SPIR-V for kernels to IR.
    pub fn spirv_front_end(
        &mut self,
        source: spirv::Source,
        options: &Options,
        target: &Target,
    ) -> Option<Module> {
        self.check_options(options, target);
        self.unless_errors(())?;
        let module = spirv::lower(source, options, target, &mut self.map, &mut self.sink);
        self.unless_errors(module)
    }

    /// Options that the device cannot follow.
    fn check_options(&mut self, options: &Options, target: &Target) {
        if options.correctly_rounded_divide_sqrt && !target.correctly_rounds_divide_sqrt() {
            let text = "-cl-fp32-correctly-rounded-divide-sqrt: the device does not have \
                        CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT";
            self.sink.general_error(text);
        }
        let (errors, warnings) = features::wrong_choice(target, options);
        for text in errors {
            self.sink.general_error(text);
        }
        for text in warnings {
            self.sink.general_warning(text);
        }
        if options.standard == Standard::Cl31 && target.opencl_version() < (3, 1) {
            let text = "-cl-std=CL3.1: the device has no sub-groups, which OpenCL C 3.1 requires";
            self.sink.general_error(text);
        }
        if options.standard == Standard::Cl20 && !options.is_opencl_cxx() {
            let missing = features::missing_in_20(target).join(", ");
            if !missing.is_empty() {
                let text = format!("-cl-std=CL2.0: the device has OpenCL C 2.0 but for {missing}");
                self.sink.general_warning(text);
            }
        }
    }

    /// IR through all passes.
    pub fn optimise(
        &mut self,
        module: &mut Module,
        options: &Options,
        target: &Target,
        after: Option<&str>,
    ) {
        let ctx = Ctx {
            target,
            options,
            after,
        };
        pass::run_pipeline(module, &ctx, &mut self.sink);
        if after.is_none() && !self.sink.has_errors() {
            self.check_private_sizes(module);
        }
    }

    /// Objects may be small, and many.
    fn check_private_sizes(&mut self, module: &Module) {
        for id in kernel_ids(module) {
            if back::private_size(module, id) > MAX_PRIVATE_SIZE {
                let name = &module.funcs[id.index()].name;
                self.sink.general_error(format!(
                    "kernel '{name}' has more than {MAX_PRIVATE_SIZE} bytes in private memory"
                ));
            }
        }
    }

    /// The source lines that modules get, with -g.
    pub fn lines(&self, options: &Options) -> Option<back::Lines<'_>> {
        self.debug.then_some(back::Lines {
            map: &self.map,
            version: options.standard.number(),
        })
    }

    /// IR to a program, each kernel in a SPIR-V module of its own.
    pub fn finish(
        &mut self,
        mut module: Module,
        options: &Options,
        target: &Target,
    ) -> Option<DeviceProgram> {
        let target = &effective(target, options);
        self.unless_errors(())?;
        self.optimise(&mut module, options, target, None);
        self.unless_errors(())?;
        let data = ModuleData::of(&module);
        let kernels = kernel_ids(&module).into_iter();
        let lines = self.lines(options);
        let kernels = kernels.filter_map(|id| back::kernel(&module, target, id, lines));
        let kernels = kernels.collect();
        let globals = module
            .globals
            .iter()
            .filter(|g| g.space == super::ir::Space::Global);
        Some(DeviceProgram {
            kernels,
            global_variable_size: globals.map(|g| g.size as u64).sum(),
            module_data: data.bytes,
            module_relocs: data.relocs,
            printf_formats: module.printf,
            checks: module.checks.placed(&self.map),
        })
    }
}

/// The target as the options leave it.
pub fn effective(target: &Target, options: &Options) -> Target {
    let mut target = features::restricted(target, options);
    if options.denorms_are_zero {
        target.denorm_preserve16 = false;
        target.denorm_preserve32 = false;
        target.denorm_preserve64 = false;
    }
    if options.finite_math || options.fast_relaxed_math {
        target.nan_preserve16 = false;
        target.nan_preserve32 = false;
        target.nan_preserve64 = false;
    }
    // Its table bounds the divisors.
    if options.unsafe_math {
        target.narrow_fdiv = false;
    }
    target
}

/// The kernels of a module, in order.
pub fn kernel_ids(module: &Module) -> Vec<FuncId> {
    let ids = (0..module.funcs.len() as u32).map(FuncId);
    ids.filter(|f| module.funcs[f.index()].kernel.is_some())
        .collect()
}

/// Compiles one source for [`link`].
pub fn compile_object(sources: &Sources, options: &Options, target: &Target) -> CompiledObject {
    compiled_object(options, target, |session| {
        session.front_end(sources, Roots::Externals, options, target)
    })
}

/// Compiles one module of SPIR-V for [`link`].
pub fn compile_spirv_object(
    source: spirv::Source,
    options: &Options,
    target: &Target,
) -> CompiledObject {
    compiled_object(options, target, |session| {
        session.spirv_front_end(source, options, target)
    })
}

/// Links objects to a program.
pub fn link(objects: &[&Object], options: &Options, target: &Target) -> Compiled {
    compiled(options, target, |session| session.link(objects, target))
}

/// Links objects to a library, which [`link`] takes as an object.
pub fn link_library(objects: &[&Object], options: &Options, target: &Target) -> CompiledObject {
    compiled_object(options, target, |session| session.link(objects, target))
}

impl Session {
    fn object(&self, module: &Module, target: &Target) -> Object {
        let mut bytes = module.to_string().into_bytes();
        if places::wanted(self.debug, target) {
            places::append(&mut bytes, module, &self.map, self.debug);
        }
        Object { bytes }
    }

    /// An object's module, checked: the bytes may come from a file.
    fn module(&mut self, object: &Object, target: &Target) -> Result<Module, String> {
        let (text, places) = places::split(&object.bytes);
        let text = std::str::from_utf8(text).map_err(|e| e.to_string())?;
        let mut module = ir::parse::parse(text).map_err(|e| e.to_string())?;
        ir::verify::verify(&module, Stage::Lowered, target).map_err(|e| e.to_string())?;
        if let Some(places) = places {
            let lines = places::read(places, &mut module, &mut self.map);
            self.debug |= lines.ok_or("its places are those of other instructions")?;
        }
        Ok(module)
    }

    fn link(&mut self, objects: &[&Object], target: &Target) -> Option<Module> {
        let mut modules = Vec::new();
        for object in objects {
            match self.module(object, target) {
                Ok(module) => modules.push(module),
                Err(e) => self.sink.general_error(format!("damaged object: {e}")),
            }
        }
        self.unless_errors(())?;
        let module = link_modules(modules, &mut self.sink);
        self.unless_errors(module)
    }
}
