//! One function: parameters, locals, return.

use super::jumps;
use super::stmt::Loops;
use super::unit::{Lowering, is_aggregate, value_type};
use crate::front::clc::sema::tree::{self, LocalId};
use crate::front::clc::sema::types::{Prim, Ty, TypeKind, Types};
use crate::ir::builder::Builder;
use crate::ir::{Function, Inst, Op, Space, Type, Value};
use smallvec::smallvec;

/// How a local is represented.
#[derive(Debug, Clone, Copy)]
pub enum Slot {
    /// ptr<private>.
    Memory(Value),
    /// Images and samplers have no place in memory.
    Handle(Option<Value>),
}

/// The state of lowering one function.
pub struct FunctionLowering<'a, 'u, 'b> {
    pub unit: &'a mut Lowering<'u>,
    pub func: &'u tree::Function,
    pub b: Builder<'b>,
    pub slots: Vec<Slot>,
    pub loops: Loops<'u>,
    /// The pointer to which an aggregate result is written.
    sret: Option<Value>,
    /// Allocas of locals and temporaries, which are placed in front of everything else.
    allocas: Vec<Inst>,
    /// With structured jumps: the variable with the label that is being jumped to.
    pub jump_target: Option<Value>,
}

impl<'a, 'u> FunctionLowering<'a, 'u, '_> {
    /// Lowers the body of `func` into `shell`, which has the parameters.
    pub fn lower(
        unit: &'a mut Lowering<'u>,
        func: &'u tree::Function,
        mut shell: Function,
    ) -> Function {
        let Some(body) = &func.body else {
            return shell;
        };
        let params = shell.params.clone();
        let mut b = Builder::new(&mut shell);
        b.fast = func.math;
        b.loc = func.loc;
        let mut f = FunctionLowering {
            unit,
            func,
            b,
            slots: Vec::new(),
            loops: Loops::default(),
            sret: None,
            allocas: Vec::new(),
            jump_target: None,
        };
        f.enter(&params);
        match func.has_goto {
            false => f.stmts(body),
            true if jumps::are_structured(body) => f.structured(body),
            true => f.dispatch(body),
        }
        f.leave();
        let FunctionLowering { b, mut allocas, .. } = f;
        b.finish();
        if let Some(body) = &mut shell.body {
            allocas.append(&mut body.insts);
            body.insts = allocas;
        }
        shell
    }

    fn enter(&mut self, params: &[Value]) {
        let func = self.func;
        let mut params = params.iter().copied();
        if is_aggregate(self.types(), func.ret) {
            self.sret = params.next();
        }
        let mut given = vec![None; func.locals.len()];
        for number in func.params() {
            given[number] = params.next();
        }
        for (local, given) in func.locals.iter().zip(given) {
            self.b.loc = local.loc;
            let is_handle = matches!(
                self.types().kind(local.ty),
                TypeKind::Image(_) | TypeKind::Sampler
            );
            let slot = match given {
                _ if is_handle => Slot::Handle(given),
                // The caller has made a copy for this function.
                Some(value) if is_aggregate(self.types(), local.ty) => Slot::Memory(value),
                _ => {
                    let size = self.types().size(local.ty).max(1) as u32;
                    let ptr = self.temp(size, local.align.max(1) as u32);
                    if let Some(value) = given {
                        self.store_value(ptr, value, local.align as u32, local.is_volatile);
                    }
                    Slot::Memory(ptr)
                }
            };
            self.slots.push(slot);
        }
    }

    pub fn types(&self) -> &'u Types {
        &self.unit.unit.types
    }

    /// The scalar type of an arithmetic type.
    pub fn prim(&self, ty: Ty) -> Option<Prim> {
        match self.types().kind(ty) {
            TypeKind::Scalar(prim)
            | TypeKind::Vector(prim, _)
            | TypeKind::Atomic(prim)
            | TypeKind::Enum(_, prim) => Some(*prim),
            _ => None,
        }
    }

    pub fn value_type(&self, ty: Ty) -> Option<Type> {
        value_type(self.types(), ty)
    }

    pub fn is_aggregate(&self, ty: Ty) -> bool {
        is_aggregate(self.types(), ty)
    }

    /// A private object.
    pub fn temp(&mut self, size: u32, align: u32) -> Value {
        let ptr = self.b.func.new_value(Type::ptr(Space::Private));
        self.allocas.push(Inst {
            results: smallvec![ptr],
            op: Op::Alloca { size, align },
            fast: Default::default(),
            loc: self.b.loc,
        });
        ptr
    }

    pub fn slot(&self, id: LocalId) -> Slot {
        self.slots[id.0 as usize]
    }

    /// Reports a tree that sema should not have made.
    #[track_caller]
    pub fn defect(&mut self, what: &str) {
        self.unit.sink.internal(format!("lowering: {what}"));
    }

    /// The end of the body, or `return;`. Where a value is expected, any will do: only a
    /// caller that ignores it may come here.
    pub fn leave(&mut self) {
        let any = self.b.func.ret.map(|ty| self.b.undef(ty));
        self.b.return_(any);
    }

    /// `return e;`
    pub fn return_stmt(&mut self, value: Option<&'u tree::Expr>) {
        match (value, self.sret) {
            (None, _) => self.leave(),
            (Some(e), Some(to)) => {
                self.copy_aggregate(to, self.types().align(e.ty) as u32, e);
                self.b.return_(None);
            }
            (Some(e), None) => {
                let value = self.expr_opt(e);
                let value = if self.b.func.ret.is_some() {
                    value
                } else {
                    None
                };
                self.b.return_(value);
            }
        }
    }
}
