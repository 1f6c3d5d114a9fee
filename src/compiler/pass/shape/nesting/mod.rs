//! Flattens what nests more deeply than the driver can follow, and refuses it where that cannot be. Gathers the exits of
//! loops that have more of them than the driver can count.
//!
//! llvmpipe computes wrong results from 80 levels on, or crashes; other drivers take time that is quadratic in the levels.
//! Both count what follows an exit of a switch or of the function as one level more. Exits of loops add no level, and
//! loops count their own levels.
//!
//! Algorithm, for functions that have such a thing and no others: loops get one exit of each kind (`crowds`), returns and exits of
//! switches become ends of branches (`single_exit`, `exits`), then the inner parts of deep trees are put behind them (`split`).
//!
//! Needs: Legal. Keeps it.

mod crowds;
mod exits;
mod split;

use super::prelude::Prelude;
use super::single_exit;
use crate::diag::Sink;
use crate::ir::{Function, Module, Op, Region};
use crate::pass::ssa::dce;
use crate::pass::{Ctx, each_function};

pub fn run(module: &mut Module, ctx: &Ctx, sink: &mut Sink) {
    let most = ctx.target.max_nesting;
    if most == 0 {
        return;
    }
    let most_exits = match ctx.target.max_exits {
        0 => u32::MAX,
        most => most,
    };
    each_function(module, |func, _| {
        let crowded = |body| crowds::any(body, most_exits);
        if levels_of(func) > most || func.body.as_ref().is_some_and(crowded) {
            flatten(func, most, most_exits);
        }
    });
    for func in &module.funcs {
        let levels = levels_of(func);
        if levels > most {
            sink.general_error(format!(
                "'{}' nests {levels} levels of control flow, the device's driver can follow {most}",
                func.name
            ));
        }
    }
}

fn flatten(func: &mut Function, most: u32, most_exits: u32) {
    let mut prelude = Prelude::default();
    if let Some(mut body) = func.body.take() {
        if !single_exit::ends_in_its_only_return(&body) {
            single_exit::close(func, &mut body);
        }
        crowds::run(func, &mut body, &mut prelude, most_exits);
        exits::run(func, &mut body, &mut prelude);
        func.body = Some(body);
    }
    split::run(func, &mut prelude, most);
    if let Some(body) = &mut func.body {
        prelude.install(body);
    }
    dce::remove_dead(func);
}

fn levels_of(func: &Function) -> u32 {
    func.body
        .as_ref()
        .map_or(0, |body| measure(body, false).levels)
}

/// How deeply a region nests and how control leaves it.
#[derive(Default)]
struct Measure {
    /// Levels of nesting, including those that drivers add for what follows an exit.
    levels: u32,
    returns: bool,
    /// The region has a break that leaves the enclosing construct.
    breaks: bool,
}

/// Measures a region. `leaves_switch`: its breaks leave a switch.
fn measure(region: &Region, leaves_switch: bool) -> Measure {
    let (mut level, mut all) = (0, Measure::default());
    for inst in &region.insts {
        let (own, switch) = match inst.op {
            Op::Loop { .. } => (0, false),
            Op::Switch { .. } => (1, true),
            _ => (1, leaves_switch),
        };
        let mut inside = Measure::default();
        for nested in inst.op.regions() {
            let one = measure(nested, switch);
            inside.levels = inside.levels.max(own + one.levels);
            inside.returns |= one.returns;
            inside.breaks |= one.breaks;
        }
        all.levels = all.levels.max(level + inside.levels);
        all.returns |= inside.returns || matches!(inst.op, Op::Return(_));
        all.breaks |= matches!(inst.op, Op::Break(_));
        if matches!(inst.op, Op::If(..)) {
            all.breaks |= inside.breaks;
            level += u32::from(inside.returns || leaves_switch && inside.breaks);
        }
    }
    all.levels = all.levels.max(level);
    all
}
