//! Joins modules that were compiled apart (clLinkProgram).
//!
//! Algorithm: the modules are put behind one another, ids shifted. An external name has one
//! definition; what else bears the name is a declaration, and every use of it becomes a use of
//! the definition. Of definitions that may be there several times (`once`) one is taken, rather one
//! that may not. Declarations that nothing defines stay: an error only if the program is
//! finished and a kernel reaches them. A kernel that another module's function calls gets a
//! clone that is an ordinary function, as lowering gives it within a module.

use std::collections::HashMap;

use super::diag::Sink;
use super::ir::util::walk_mut;
use super::ir::{FuncId, GlobalId, Module, Op, StringId};

/// One module of all. Names defined twice are reported.
pub fn link(modules: Vec<Module>, sink: &mut Sink) -> Module {
    let mut all = Module::default();
    for module in modules {
        append(&mut all, module);
    }
    resolve(&mut all, sink);
    clone_called_kernels(&mut all);
    all
}

fn clone_called_kernels(all: &mut Module) {
    let kernels: Vec<bool> = all.funcs.iter().map(|f| f.kernel.is_some()).collect();
    let mut clones: HashMap<FuncId, FuncId> = HashMap::new();
    let mut in_order = Vec::new();
    for_each_op(all, |op| match op {
        Op::Call { callee: f, .. } if kernels[f.index()] => {
            let kernel = *f;
            *f = *clones.entry(kernel).or_insert_with(|| {
                in_order.push(kernel);
                FuncId((kernels.len() + in_order.len() - 1) as u32)
            });
        }
        _ => {}
    });
    // Behind the rewriting: a kernel's own calls are in its clone as well.
    for kernel in in_order {
        let mut clone = all.funcs[kernel.index()].clone();
        clone.kernel = None;
        clone.external = false;
        all.funcs.push(clone);
    }
}

fn append(all: &mut Module, mut module: Module) {
    let funcs = all.funcs.len() as u32;
    let globals = all.globals.len() as u32;
    let strings = all.printf.len() as u32;
    let shift = |op: &mut Op| match op {
        Op::Call { callee: f, .. } | Op::KernelNumber(f) => *f = FuncId(f.0 + funcs),
        Op::GlobalAddr(g) => *g = GlobalId(g.0 + globals),
        Op::Printf(s, _) => *s = StringId(s.0 + strings),
        _ => {}
    };
    for_each_op(&mut module, shift);
    for global in &mut module.globals {
        for (_, target) in &mut global.relocs {
            *target = GlobalId(target.0 + globals);
        }
    }
    all.funcs.append(&mut module.funcs);
    all.globals.append(&mut module.globals);
    all.printf.append(&mut module.printf);
}

fn for_each_op(module: &mut Module, mut f: impl FnMut(&mut Op)) {
    for body in module
        .funcs
        .iter_mut()
        .filter_map(|func| func.body.as_mut())
    {
        walk_mut(body, &mut |inst| f(&mut inst.op));
    }
}

/// For each item, the index of the definition of its name: itself, unless it is a declaration.
fn definitions<'m>(items: impl Iterator<Item = Item<'m>>, what: &str, sink: &mut Sink) -> Vec<u32> {
    let items: Vec<_> = items.collect();
    let mut defined: HashMap<&str, usize> = HashMap::new();
    for (i, item) in items.iter().enumerate() {
        if !item.external || !item.defined {
            continue;
        }
        let earlier = defined.get(item.name).map(|&place| items[place].once);
        match earlier {
            Some(false) if !item.once => {
                let name = item.name;
                sink.general_error(format!("{what} '{name}' is defined more than once"));
            }
            Some(_) if item.once => {}
            _ => drop(defined.insert(item.name, i)),
        }
    }
    let target = |(i, item): (usize, &Item)| match item.external && (!item.defined || item.once) {
        true => defined.get(item.name).copied().unwrap_or(i) as u32,
        false => i as u32,
    };
    items.iter().enumerate().map(target).collect()
}

/// A function or variable.
struct Item<'m> {
    name: &'m str,
    external: bool,
    defined: bool,
    once: bool,
}

fn resolve(all: &mut Module, sink: &mut Sink) {
    let funcs = all.funcs.iter().map(|f| Item {
        name: &f.name,
        external: f.external,
        defined: f.body.is_some(),
        once: f.once,
    });
    let funcs = definitions(funcs, "function", sink);
    let globals = all.globals.iter().map(|g| Item {
        name: &g.name,
        external: g.external,
        defined: g.defined,
        once: g.once,
    });
    let globals = definitions(globals, "variable", sink);
    for (declared, &target) in funcs.iter().enumerate() {
        let (a, b) = (&all.funcs[declared], &all.funcs[target as usize]);
        let types =
            |f: &super::ir::Function| -> Vec<_> { f.params.iter().map(|&p| f.ty(p)).collect() };
        if types(a) != types(b) || a.ret != b.ret {
            sink.general_error(format!("the declarations of function '{}' differ", a.name));
        }
    }
    if sink.has_errors() {
        return;
    }
    for_each_op(all, |op| match op {
        Op::Call { callee: f, .. } | Op::KernelNumber(f) => *f = FuncId(funcs[f.index()]),
        Op::GlobalAddr(g) => *g = GlobalId(globals[g.index()]),
        _ => {}
    });
    for global in &mut all.globals {
        for (_, target) in &mut global.relocs {
            *target = GlobalId(globals[target.index()]);
        }
    }
}
