//! Entry points: interface, push constants, work-group size, float modes.

use rspirv::dr::Operand;
use rspirv::spirv::{
    BuiltIn, Capability, Decoration, ExecutionMode, FunctionControl, Op as SpvOp, StorageClass,
};

use super::function::{self, Shared};
use super::reflect::Block;
use super::writer::{TypeKey, Writer, ids};
use crate::ir::util::{reachable, walk};
use crate::ir::{FuncId, Module, Op, Order, Region, Scalar, Space, Type};
use crate::kernel::{BlockMode, SPEC_LOCAL_SIZE};
use rustc_hash::FxHashMap;

/// Emits a kernel as an entry point of its name.
pub fn kernel(w: &mut Writer, module: &Module, id: FuncId, block: &Block) {
    let func = &module.funcs[id.index()];
    let mut shared = Shared {
        mode: Some(block.mode),
        sys: block
            .sys
            .iter()
            .map(|s| (s.field, s.offset))
            .collect::<FxHashMap<_, _>>(),
        synchronises: reachable(module, id)
            .iter()
            .any(|f| synchronises(module, *f)),
        views: sees_several_types(module, id),
        ..Shared::default()
    };
    declare_block(w, block, &mut shared);
    let nested = func
        .body
        .as_ref()
        .is_some_and(|body| returns_in_loop(body, false));
    let body = function::function(w, &mut shared, module, id, nested);
    let entry = if nested { wrapper(w, body) } else { body };
    work_group_size(w);
    let interface = interface(&shared, w.target.spirv_version);
    w.entry_point(entry, &func.name, &interface);
    w.entry_functions.push(entry);
}

fn declare_block(w: &mut Writer, block: &Block, shared: &mut Shared) {
    let words = match block.mode {
        BlockMode::Push => block.size / 4,
        BlockMode::Indirect => 2,
    };
    if words == 0 {
        return;
    }
    let (word, length) = (w.ty(Type::I32), w.word(words));
    let block = w.key(TypeKey::ArrayBlock(word, length, 4));
    let pointer = w.pointer(StorageClass::PushConstant, block);
    shared.push = w.variable(pointer, StorageClass::PushConstant);
    shared.interface.push(shared.push);
}

/// The variables that the entry point lists: from SPIR-V 1.4 on all of module scope, before that only inputs.
fn interface(shared: &Shared, spirv_version: u32) -> Vec<u32> {
    let is_input = |id: &&u32| shared.inputs.values().any(|input| input == *id);
    let all = spirv_version >= 0x10400;
    let listed = shared.interface.iter().filter(|id| all || is_input(id));
    listed.copied().collect()
}

/// `void entry() { body(); }`
fn wrapper(w: &mut Writer, body: u32) -> u32 {
    let void = w.key(TypeKey::Void);
    let fn_type = w.key(TypeKey::Function(void, vec![]));
    let entry = w.id();
    let operands = vec![
        Operand::FunctionControl(FunctionControl::NONE),
        Operand::IdRef(fn_type),
    ];
    w.push(SpvOp::Function, Some(void), Some(entry), operands);
    let label = w.id();
    w.push(SpvOp::Label, None, Some(label), vec![]);
    let dummy = w.ty(Type::I32);
    w.value(SpvOp::FunctionCall, dummy, ids(&[body]));
    w.push(SpvOp::Return, None, None, vec![]);
    w.push(SpvOp::FunctionEnd, None, None, vec![]);
    entry
}

/// Declares the work-group size as three specialization constants, which all entry points share.
fn work_group_size(w: &mut Writer) {
    if w.has_group_size {
        return;
    }
    w.has_group_size = true;
    let parts = SPEC_LOCAL_SIZE.map(|id| w.spec(id));
    let id = w.composite_spec(Type::vector(Scalar::I32, 3), &parts);
    w.decorate(
        id,
        Decoration::BuiltIn,
        vec![Operand::BuiltIn(BuiltIn::WorkgroupSize)],
    );
}

/// Declares execution modes for the float widths that the functions use. Called when all functions are emitted.
pub fn float_modes(w: &mut Writer) {
    let widths: Vec<u32> = w.float_widths.iter().copied().collect();
    for width in widths {
        let t = w.target;
        let (denorm, nan, rte) = match width {
            16 => (t.denorm_preserve16, t.nan_preserve16, t.rte16),
            32 => (t.denorm_preserve32, t.nan_preserve32, t.rte32),
            _ => (t.denorm_preserve64, t.nan_preserve64, t.rte64),
        };
        let modes = [
            (
                denorm,
                Capability::DenormPreserve,
                ExecutionMode::DenormPreserve,
            ),
            (
                nan,
                Capability::SignedZeroInfNanPreserve,
                ExecutionMode::SignedZeroInfNanPreserve,
            ),
            (
                rte,
                Capability::RoundingModeRTE,
                ExecutionMode::RoundingModeRTE,
            ),
        ];
        for (_, capability, mode) in modes.into_iter().filter(|m| m.0) {
            w.capability(capability);
            w.extension("SPV_KHR_float_controls", 0x10400);
            for entry in w.entry_functions.clone() {
                w.execution_mode(entry, mode, vec![Operand::LiteralBit32(width)]);
            }
        }
    }
}

fn synchronises(module: &Module, f: FuncId) -> bool {
    let Some(body) = &module.funcs[f.index()].body else {
        return false;
    };
    let mut found = false;
    walk(body, &mut |inst| {
        found |= match inst.op {
            Op::Barrier { .. } | Op::Fence { .. } => true,
            Op::Atomic { order, .. } => order != Order::Relaxed,
            _ => false,
        };
    });
    found
}

/// Whether the kernel accesses some local memory as several types.
fn sees_several_types(module: &Module, kernel: FuncId) -> bool {
    let mut types = FxHashMap::default();
    let funcs = reachable(module, kernel);
    let mut objects = funcs.iter().flat_map(|f| &module.funcs[f.index()].objects);
    objects.any(|object| {
        let local = object.global.filter(|_| object.space == Space::Local);
        local.is_some_and(|g| *types.entry(g).or_insert(object.elem) != object.elem)
    })
}

fn returns_in_loop(region: &Region, in_loop: bool) -> bool {
    region.insts.iter().any(|inst| match &inst.op {
        Op::Return(_) => in_loop,
        op => {
            let inside = in_loop || matches!(op, Op::Loop { .. });
            op.regions().any(|r| returns_in_loop(r, inside))
        }
    })
}
