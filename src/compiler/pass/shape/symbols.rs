//! Reports the functions and variables that a kernel reaches and nothing defines.
//!
//! Algorithm: from each kernel along calls, addresses of variables and the addresses in their initial
//! values. What no kernel reaches may stay undefined, as in an object or a library.
//!
//! Variables that together exceed the limit of a program are reported as well, before later passes lay them out.
//!
//! Needs: Lowered. Establishes: all that a kernel reaches is defined.

use crate::diag::Sink;
use crate::features::MAX_MODULE_DATA;
use crate::ir::data::ModuleData;
use crate::ir::util::walk;
use crate::ir::{FuncId, GlobalId, Module, Op};
use crate::pass::Ctx;

pub fn run(module: &mut Module, _: &Ctx, sink: &mut Sink) {
    let mut search = Search {
        module,
        funcs: vec![false; module.funcs.len()],
        globals: vec![false; module.globals.len()],
        work: Vec::new(),
        sink,
    };
    for (i, func) in module.funcs.iter().enumerate() {
        if func.kernel.is_some() {
            search.function(FuncId(i as u32), "");
        }
    }
    while let Some(item) = search.work.pop() {
        search.visit(item);
    }
    if ModuleData::size(module) > MAX_MODULE_DATA {
        let text = format!("the program's variables are larger than {MAX_MODULE_DATA} bytes");
        sink.general_error(text);
    }
}

/// A function or variable, which may refer to others.
enum Item {
    Function(FuncId),
    Global(GlobalId),
}

struct Search<'a> {
    module: &'a Module,
    /// By number: whether it has been reached.
    funcs: Vec<bool>,
    globals: Vec<bool>,
    /// Items that have been reached but not visited.
    work: Vec<Item>,
    sink: &'a mut Sink,
}

impl Search<'_> {
    fn visit(&mut self, item: Item) {
        let module = self.module;
        match item {
            Item::Function(id) => {
                let func = &module.funcs[id.index()];
                let Some(body) = &func.body else { return };
                let user = format!("function '{}'", func.name);
                walk(body, &mut |inst| match inst.op {
                    Op::Call { callee, .. } => self.function(callee, &user),
                    Op::GlobalAddr(global) => self.global(global, &user),
                    _ => {}
                });
            }
            Item::Global(id) => {
                let global = &module.globals[id.index()];
                let user = format!("variable '{}'", global.name);
                for &(_, target) in &global.relocs {
                    self.global(target, &user);
                }
            }
        }
    }

    fn function(&mut self, id: FuncId, user: &str) {
        if std::mem::replace(&mut self.funcs[id.index()], true) {
            return;
        }
        let func = &self.module.funcs[id.index()];
        match func.body {
            Some(_) => self.work.push(Item::Function(id)),
            None => self.missing(&func.name, user),
        }
    }

    fn global(&mut self, id: GlobalId, user: &str) {
        if std::mem::replace(&mut self.globals[id.index()], true) {
            return;
        }
        let global = &self.module.globals[id.index()];
        match global.defined {
            true => self.work.push(Item::Global(id)),
            false => self.missing(&global.name, user),
        }
    }

    fn missing(&mut self, name: &str, user: &str) {
        let text = format!("undefined reference to '{name}' in {user}");
        self.sink.general_error(text);
    }
}
