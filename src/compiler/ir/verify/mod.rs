//! The verifier: what must hold at each stage (docs/ir.md). This file walks the regions: values
//! are defined once, before their uses, and visible there; regions end with one terminator
//! that fits what is around them. [`ops`] checks operand and result types, [`stage`] what the
//! stage allows.
//!
//! Objects and addresses in their place may come one stage before pointers must be gone, so that
//! several passes can do that together.

mod ops;
mod stage;
mod sub_group;

use std::fmt;

use super::print::inst_text;
use super::scopes::Scopes;
use super::{Bytes, Function, Inst, Module, Op, Region, Type, Value};
use crate::target::Target;

/// A set of allowed ops and types; a later stage allows less of what is lowered away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Allocas, any pointer, any width; needed library functions linked in.
    Lowered,
    /// No alloca is left that could be a value.
    Ssa,
    /// No generic pointer, printf or work-item function.
    Concrete,
    /// No pointer type.
    NoPointers,
    /// Only widths, lanes and ops that the target has.
    Legal,
}

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct VerifyError {
    pub function: String,
    /// The instruction's text; empty if the defect is the function's own.
    pub inst: String,
    pub reason: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "in {}: {}", self.function, self.reason)?;
        if !self.inst.is_empty() {
            write!(f, "\n  {}", self.inst)?;
        }
        Ok(())
    }
}

/// Checks the module against `stage`; the first defect found, in text order. `target` counts at
/// [`Stage::Legal`] only.
pub fn verify(module: &Module, stage: Stage, target: &Target) -> Result<(), VerifyError> {
    for (index, global) in module.globals.iter().enumerate() {
        global_defect(module, global).map_err(|reason| VerifyError {
            function: format!("g{index} \"{}\"", global.name),
            inst: String::new(),
            reason,
        })?;
    }
    for func in &module.funcs {
        let mut verifier = Verifier {
            module,
            func,
            stage,
            target,
            state: vec![State::Undefined; func.values.len()],
            defined: Vec::new(),
            scopes: Scopes::default(),
            at: None,
        };
        verifier.function().map_err(|reason| VerifyError {
            function: func.name.clone(),
            inst: verifier.at.map_or(String::new(), |i| inst_text(func, i)),
            reason,
        })?;
    }
    Ok(())
}

/// Ok, or the reason.
type Check = Result<(), String>;

/// Fails with the message unless the condition holds.
macro_rules! ensure {
    ($cond:expr, $($message:tt)*) => {
        if !$cond {
            return Err(format!($($message)*));
        }
    };
}
use ensure;

fn global_defect(module: &Module, global: &super::Global) -> Check {
    ensure!(
        global.align.is_power_of_two(),
        "align is not a power of two"
    );
    let end = global.init.as_ref().map_or(0, Bytes::end);
    ensure!(
        end <= global.size.into(),
        "init has {end} bytes of {}",
        global.size
    );
    let local = global.space == super::Space::Local;
    ensure!(
        !local || global.init.is_none(),
        "a local variable has no initial value"
    );
    for &(offset, target) in &global.relocs {
        let inside = u64::from(offset) + 8 <= global.size.into() && global.init.is_some();
        ensure!(inside, "reloc {offset} is outside init");
        ensure!(
            target.index() < module.globals.len(),
            "{target} does not exist"
        );
    }
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Undefined,
    Visible,
    /// Its region has ended.
    Gone,
}

struct Verifier<'m> {
    module: &'m Module,
    func: &'m Function,
    stage: Stage,
    target: &'m Target,
    /// By value.
    state: Vec<State>,
    /// Visible values in the order of their definition.
    defined: Vec<Value>,
    /// Of the region being checked.
    scopes: Scopes<&'m Inst>,
    /// The instruction being checked.
    at: Option<&'m Inst>,
}

impl<'m> Verifier<'m> {
    fn function(&mut self) -> Check {
        let func = self.func;
        for &v in &func.params {
            self.define(v)?;
        }
        if let Some(kernel) = &func.kernel {
            ensure!(func.ret.is_none(), "a kernel returns a value");
            let automatic = kernel.attributes.role.is_automatic();
            ensure!(
                !automatic || kernel.params.is_empty(),
                "the runtime has no arguments for it"
            );
            // The parameters may be gone once the argument block is laid out.
            let (have, want) = (func.params.len(), kernel.params.len());
            let laid_out = kernel.layout.is_some() && have == 0;
            ensure!(
                have == want || laid_out,
                "{have} parameters, {want} described"
            );
        }
        self.objects()?;
        let Some(body) = &func.body else {
            return Ok(());
        };
        ensure!(body.params.is_empty(), "the body has region parameters");
        self.region(body)?;
        if self.stage >= Stage::Ssa {
            self.no_promotable_alloca(body)?;
        }
        Ok(())
    }

    fn define(&mut self, v: Value) -> Check {
        let state = self.state.get(v.index()).copied();
        ensure!(state.is_some(), "{v} has no type");
        ensure!(state == Some(State::Undefined), "{v} is defined twice");
        self.state[v.index()] = State::Visible;
        self.defined.push(v);
        let ty = self.func.ty(v);
        ensure!((1..=16).contains(&ty.lanes), "{v} has {} lanes", ty.lanes);
        let vector_element =
            ty.scalar == super::Scalar::Bool || ty.scalar.is_int() || ty.scalar.is_float();
        ensure!(
            ty.lanes == 1 || vector_element,
            "no vectors of {}",
            ty.element()
        );
        self.type_allowed(ty)
    }

    fn region(&mut self, region: &'m Region) -> Check {
        let visible_outside = self.defined.len();
        for &v in &region.params {
            self.define(v)?;
        }
        let last = region.insts.len().saturating_sub(1);
        for (i, inst) in region.insts.iter().enumerate() {
            self.at = Some(inst);
            self.inst(inst)?;
            self.at = Some(inst);
            if i == last {
                ensure!(
                    inst.op.is_terminator(),
                    "the region does not end with a terminator"
                );
            } else {
                ensure!(!inst.op.is_terminator(), "a terminator inside a region");
            }
        }
        ensure!(!region.insts.is_empty(), "an empty region");
        for v in self.defined.drain(visible_outside..) {
            self.state[v.index()] = State::Gone;
        }
        Ok(())
    }

    fn inst(&mut self, inst: &'m Inst) -> Check {
        let mut hidden = Ok(());
        inst.op.for_each_operand(|v| {
            if hidden.is_ok() {
                hidden = self.usable(v);
            }
        });
        hidden?;
        self.operands(inst)?;
        self.allowed(inst)?;
        let results = &inst.results[..];
        match &inst.op {
            op @ (Op::If(..) | Op::Switch { .. } | Op::Loop { .. }) => {
                for region in op.regions() {
                    self.nested(inst, region)?;
                }
            }
            op if op.is_terminator() => self.terminator(op)?,
            _ => {}
        }
        self.at = Some(inst);
        self.results(inst)?;
        results.iter().try_for_each(|v| self.define(*v))
    }

    fn usable(&self, v: Value) -> Check {
        match self.state.get(v.index()) {
            Some(State::Visible) => Ok(()),
            Some(State::Gone) => Err(format!("{v} is not visible here")),
            _ => Err(format!("{v} is not defined yet")),
        }
    }

    fn nested(&mut self, inst: &'m Inst, region: &'m Region) -> Check {
        let is_loop = matches!(inst.op, Op::Loop { .. });
        ensure!(
            is_loop || region.params.is_empty(),
            "only loops have parameters"
        );
        let outside = self.scopes;
        self.scopes = outside.inside(&inst.op, inst);
        self.region(region)?;
        self.scopes = outside;
        Ok(())
    }

    fn terminator(&self, op: &Op) -> Check {
        let receivers = self.scopes.receivers(op);
        match op {
            Op::Yield(vs) => self.gives(vs, receivers.ok_or("yield outside if and switch")?),
            Op::Break(vs) => self.gives(vs, receivers.ok_or("break outside loop and switch")?),
            Op::Continue(vs) => self.gives(vs, receivers.ok_or("continue outside a loop")?),
            Op::Return(v) => {
                let ty = v.map(|v| self.ty(v));
                let text = |ty: Option<Type>| ty.map_or("nothing".to_string(), |t| t.to_string());
                let (got, want) = (text(ty), text(self.func.ret));
                ensure!(ty == self.func.ret, "returns {got}, not {want}");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// `values` have the number and types of `places`.
    fn gives(&self, values: &[Value], places: &[Value]) -> Check {
        let (got, want) = (values.len(), places.len());
        ensure!(got == want, "{got} values where {want} are wanted");
        for (&v, &place) in values.iter().zip(places) {
            // Results are defined only behind the instruction, but have their types already.
            let want = self.func.values.get(place.index());
            let want = want.ok_or(format!("{place} has no type"))?;
            let got = self.ty(v);
            ensure!(got == *want, "{v} is {got}, not {want}");
        }
        Ok(())
    }

    fn ty(&self, v: Value) -> Type {
        self.func.ty(v)
    }
}
