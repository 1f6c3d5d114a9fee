//! Checked kernels: what they do wrong is reported, and not done (docs/check.md). Nothing where the target does not ask for it.
//!
//! Algorithm: [`mark`] notes, before inlining, what is from the library, and compares the coordinates of images (`texels`) and what is done with pipes (`pipes`). [`run`] gives private memory shadows, which know what was
//! written (`defined`), makes values of scalar variables, whose accesses are right, finds the object of each pointer (`roots`), and walks through each function (`instrument`) to put checks in front of all other accesses and of divisions
//! (`access`, `divide`, `shared`), which call a function that reports (`report`).
//!
//! Needs: Lowered, inlined, arguments read from the argument block; nothing optimised, since that would remove what is wrong.
//! Keeps it; fills in `Module::checks`.

mod access;
mod defined;
mod divide;
mod instrument;
mod pipes;
pub mod report;
mod roots;
mod shared;
mod texels;

use rustc_hash::FxHashMap;

use crate::check::{Checks, Object, REPORT_NAME};
use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::util::{rewrite, walk, walk_mut};
use crate::ir::{FuncId, Global, GlobalId, Inst, Module, Op, Space, Type, Value};
use crate::kernel::ArgAddress;
use crate::pass::Ctx;
use crate::pass::ssa::mem2reg;
use instrument::{Bounds, Instrument, Known, Objects};
use report::{LIBRARY, Reporter, is_library};
use roots::Root;
use shared::{Shared, Use};

/// Marks what is from the library.
pub fn mark(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if !ctx.target.check {
        return;
    }
    for func in module.funcs.iter_mut().filter(|f| is_library(&f.name)) {
        if let Some(body) = &mut func.body {
            walk_mut(body, &mut |inst| inst.loc = LIBRARY);
        }
    }
    let report = FuncId(module.funcs.len() as u32);
    let marked = [texels::mark(module, report), pipes::mark(module, report)];
    if marked.contains(&true) {
        module.funcs.push(report::declaration());
    }
}

/// Has `before` put comparisons in front of the program's calls of functions of the library that `of` knows; whether there are any.
/// It gets what `of` says, and what it keeps from call to call of a function.
fn before_calls<T, S: Default>(
    module: &mut Module,
    of: fn(&str) -> Option<T>,
    before: impl Fn(&mut Builder, &mut S, &Inst, (&T, &[Value])),
) -> bool {
    let calls: FxHashMap<FuncId, T> = (module.funcs.iter().enumerate())
        .filter_map(|(i, func)| Some((FuncId(i as u32), of(&func.name)?)))
        .collect();
    if calls.is_empty() {
        return false;
    }
    for func in module.funcs.iter_mut().filter(|f| !is_library(&f.name)) {
        let mut kept = S::default();
        rewrite(func, |b, inst| {
            if let Op::Call { callee, args, .. } = &inst.op
                && let Some(call) = calls.get(callee)
            {
                before(b, &mut kept, &inst, (call, args));
            }
            b.push(inst);
            Vec::new()
        });
    }
    true
}

pub fn run(module: &mut Module, ctx: &Ctx, sink: &mut Sink) {
    if !ctx.target.check {
        return;
    }
    let args = module.funcs.iter().filter_map(|f| f.kernel.as_ref());
    let checks = Checks {
        args: args.map(|k| k.params.len() as u32).max().unwrap_or(0),
        ..Checks::default()
    };
    // What images ask for is there already.
    let known = module.funcs.iter().position(|f| f.name == REPORT_NAME);
    let function = known.unwrap_or_else(|| {
        module.funcs.push(report::declaration());
        module.funcs.len() - 1
    });
    let search = module.funcs.len();
    let numbers = [function, search].map(|index| FuncId(index as u32));
    let mut reporter = Reporter::new(checks, numbers, ctx.target.storage_buffers > 0);
    for func in module.funcs.iter_mut().filter(|f| !is_library(&f.name)) {
        if known.is_some() {
            texels::run(func, &mut reporter);
        }
        defined::run(func, &mut reporter);
    }
    mem2reg::run(module, ctx, sink);
    let globals = globals(module, &mut reporter);
    let lengths = module.globals.iter().enumerate();
    let lengths = lengths.filter_map(|(i, g)| Some((GlobalId(i as u32), g.spec_len?)));
    let lengths = lengths.collect();
    // Functions that stay calls do not know whose barriers they are.
    let apart = module
        .funcs
        .iter()
        .any(|f| f.kernel.is_none() && has_barrier(f));
    let room = if apart {
        None
    } else {
        Some(ctx.target.max_local_memory)
    };
    let Module {
        funcs,
        globals: variables,
        ..
    } = module;
    for func in funcs {
        if !is_library(&func.name) {
            let tables = (&globals, &lengths);
            check(func, tables, variables, room, &mut reporter);
        }
    }
    module.checks = reporter.checks;
    if module.checks.is_empty() {
        // Nothing calls it.
        module.funcs.pop();
        module.checks = Checks::default();
    } else {
        module.funcs[function] = report::function(&module.checks);
        if module.checks.searches {
            let live = module.checks.live();
            module.funcs.push(report::search(numbers[0], live));
        }
    }
}

/// The variables of the module whose sizes are constants.
fn globals(module: &Module, reporter: &mut Reporter) -> FxHashMap<GlobalId, Known> {
    let mut known = FxHashMap::default();
    for (index, global) in module.globals.iter().enumerate() {
        if global.spec_len.is_some() || is_library(&global.name) {
            continue;
        }
        let readable = u64::from(global.size);
        let writable = match global.space {
            Space::Constant => 0,
            _ => readable,
        };
        let id = reporter.object(Object {
            name: plain_name(global),
            place: LIBRARY,
            space: match global.space {
                Space::Local => ArgAddress::Local,
                Space::Constant => ArgAddress::Constant,
                _ => ArgAddress::Global,
            },
            arg: None,
            readable,
            writable,
        });
        let bounds = Bounds::Constant { readable, writable };
        let align = global.align;
        let known_global = Known {
            id,
            bounds,
            align,
            is_pipe: false,
        };
        known.insert(GlobalId(index as u32), known_global);
    }
    known
}

/// The name in the source: those of variables in functions have the function's in front.
fn plain_name(global: &Global) -> String {
    let name = global.name.rsplit('.').next().unwrap_or_default();
    name.to_string()
}

fn check(
    func: &mut crate::ir::Function,
    (globals, lengths): (&FxHashMap<GlobalId, Known>, &FxHashMap<GlobalId, u32>),
    variables: &mut Vec<Global>,
    room: Option<u32>,
    reporter: &mut Reporter,
) {
    let Some(body) = func.body.take() else { return };
    reporter.begin();
    let found = roots::find(func, &body, lengths);
    let mut objects = Objects {
        roots: found.roots,
        arguments: found.arguments,
        integers: found.integers,
        own: FxHashMap::default(),
        globals: globals.clone(),
    };
    walk(&body, &mut |inst| {
        if let Op::Alloca { size, align } = inst.op {
            let id = reporter.object(Object {
                name: String::new(),
                place: inst.loc,
                space: ArgAddress::Private,
                arg: None,
                readable: size.into(),
                writable: size.into(),
            });
            let bounds = Bounds::Constant {
                readable: size.into(),
                writable: size.into(),
            };
            let known = Known {
                id,
                bounds,
                align,
                is_pipe: false,
            };
            objects.own.insert(inst.results[0], known);
        }
    });
    let room = room.filter(|_| func.kernel.is_some());
    let own = room.map(|room| {
        let found = Use::of(func, &body, &objects.roots, &objects.arguments);
        (found, room.saturating_sub(shared::used(&body, variables)))
    });
    let params = func.kernel.as_ref().map(|kernel| kernel.params.clone());
    let params = params.unwrap_or_default();
    let mut starts = Vec::new();
    let mut shadows = FxHashMap::default();
    let mut of_args: Vec<(Value, u32)> = objects.arguments.iter().map(|(&v, &n)| (v, n)).collect();
    of_args.sort();
    let mut b = Builder::new(func);
    b.loc = LIBRARY;
    if !of_args.is_empty() {
        let buffer = report::buffer(&mut b);
        for (pointer, number) in of_args {
            let words = 4 * i64::from(reporter.checks.arg_word(number));
            let mut word = |at: i64| {
                let place = b.ptradd_const(buffer, words + at);
                b.load(place, Type::I64, 8)
            };
            let [readable, writable, offset] = [0, 8, 16].map(&mut word);
            let param = params.get(number as usize);
            let is_pipe = param.is_some_and(|p| p.info.is_pipe);
            let shadowed = |(found, _): &(Use, _)| !is_pipe && found.is_shadowed(pointer);
            if own.as_ref().is_some_and(shadowed) {
                shadows.insert(Root::Object(pointer), word(24));
                reporter.checks.races = true;
            }
            let id = reporter.object(Object {
                name: param.map_or(String::new(), |p| p.info.name.clone()),
                place: LIBRARY,
                space: param.map_or(ArgAddress::Global, |p| p.info.address),
                arg: Some(number),
                readable: 0,
                writable: 0,
            });
            let bounds = Bounds::Values { readable, writable };
            let known = Known {
                id,
                bounds,
                align: 1,
                is_pipe,
            };
            objects.own.insert(pointer, known);
            starts.push((pointer, offset));
        }
    }
    // The addresses of local arguments are made in the body: shadows do not need them.
    let shared =
        own.and_then(|(found, room)| Shared::begin(&mut b, &found, variables, room, shadows));
    let mut instrument = Instrument::new(b, reporter, &objects, shared);
    for (pointer, offset) in starts {
        instrument.starts_at(pointer, offset);
    }
    instrument.body(body);
    instrument.b.finish();
}

fn has_barrier(func: &crate::ir::Function) -> bool {
    let mut found = false;
    if let Some(body) = &func.body {
        walk(body, &mut |inst| {
            found |= matches!(inst.op, Op::Barrier { .. })
        });
    }
    found
}
