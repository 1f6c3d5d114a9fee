//! Entry points: what a kernel has beyond its function.

use std::collections::HashMap;

use rspirv::spirv::{
    AccessQualifier, Capability, Decoration, ExecutionMode, FunctionParameterAttribute,
};

use super::binary::{Id, Res};
use super::module::Func;
use super::shim::c_name;
use super::types::Ty;
use super::unit::Unit;
use crate::features::MAX_OBJECT_SIZE;
use crate::ir::{Kernel, KernelParam, Space};
use crate::kernel::{ArgAccess, ArgAddress, KernelAttributes, ParamInfo, Role};
use rustc_hash::FxHashMap;

/// Hints, and promises about how a kernel is launched.
const HINTS: &[ExecutionMode] = &[
    ExecutionMode::VecTypeHint,
    ExecutionMode::MaxWorkDimINTEL,
    ExecutionMode::NoGlobalOffsetINTEL,
    ExecutionMode::NumSIMDWorkitemsINTEL,
    ExecutionMode::SchedulerTargetFmaxMhzINTEL,
    ExecutionMode::MaximumRegistersINTEL,
    ExecutionMode::MaximumRegistersIdINTEL,
    ExecutionMode::NamedMaximumRegistersINTEL,
];

/// Turns the functions that are entry points into kernels. A function with several entry points is cloned.
pub fn describe(unit: &mut Unit) -> Res<()> {
    let parsed = unit.parsed;
    let functions = parsed.functions.iter().map(|f| (f.inst.id, f));
    let functions: FxHashMap<Id, &Func> = functions.collect();
    let written = written_types(&parsed.strings);
    for (id, name) in &parsed.entries {
        let func = functions.get(id).copied();
        let func = func.filter(|f| !f.blocks.is_empty());
        let func = func.ok_or_else(|| format!("kernel '{name}' has no function"))?;
        if is_block(unit, func) {
            continue;
        }
        let written = written.get(name.as_str()).copied().unwrap_or("");
        let kernel = kernel(unit, func, written).map_err(|e| format!("kernel '{name}': {e}"))?;
        let place = unit.funcs[id].index();
        let known = unit.module.funcs[place].kernel.as_ref();
        // Modes are the function's: with other names for it, it still runs once.
        if known.is_some_and(|known| known.attributes.role.is_automatic()) {
            continue;
        }
        for role in roles(unit, func) {
            let mut kernel = kernel.clone();
            kernel.attributes.role = role;
            if role.is_automatic() {
                check_automatic(&kernel).map_err(|e| format!("kernel '{name}': {e}"))?;
            }
            if unit.module.funcs[place].kernel.is_none() {
                unit.module.funcs[place].kernel = Some(kernel);
                continue;
            }
            let mut clone = unit.module.funcs[place].clone();
            clone.name = name.clone();
            clone.kernel = Some(kernel);
            unit.module.funcs.push(clone);
        }
    }
    Ok(())
}

/// As what a function runs: one that initialises and finalises runs twice.
fn roles(unit: &Unit, func: &Func) -> Vec<Role> {
    let modes = unit.parsed.modes.get(&func.inst.id);
    let has = |mode: ExecutionMode| {
        let mut modes = modes.into_iter().flatten();
        modes.any(|&(other, _)| other == mode as u32)
    };
    let mut roles = Vec::new();
    roles.extend(has(ExecutionMode::Initializer).then_some(Role::Initializer));
    roles.extend(has(ExecutionMode::Finalizer).then_some(Role::Finalizer));
    if roles.is_empty() {
        roles.push(Role::Named);
    }
    roles
}

/// The runtime launches one work-item, without arguments.
fn check_automatic(kernel: &Kernel) -> Res<()> {
    let attributes = &kernel.attributes;
    let size = attributes.reqd_work_group_size.unwrap_or([1; 3]);
    let groups = attributes.reqd_sub_groups.unwrap_or(1);
    match kernel.params.is_empty() && size == [1; 3] && groups == 1 {
        true => Ok(()),
        false => Err("an initializer or finalizer has parameters or several work-items".into()),
    }
}

/// Whether only kernels launch it: LLVM's translator has blocks among the entry points. A host has no pointer for the first parameter.
fn is_block(unit: &Unit, func: &Func) -> bool {
    let first = func.params.first().map(|param| unit.types.get(param.ty));
    let generic = |ty: &Ty| {
        matches!(
            ty,
            Ty::Pointer {
                space: Space::Generic,
                ..
            }
        )
    };
    unit.parsed
        .capabilities
        .contains(&(Capability::DeviceEnqueue as u32))
        && matches!(first, Some(Ok(ty)) if generic(ty))
}

/// `written`: the types of the parameters as the source had them.
fn kernel(unit: &Unit, func: &Func, written: &str) -> Res<Kernel> {
    let parsed = unit.parsed;
    if *unit.types.get(func.inst.ty)? != Ty::Void {
        return Err("it returns a value".into());
    }
    let modes = parsed.modes.get(&func.inst.id).into_iter().flatten();
    let mut attributes = KernelAttributes::default();
    for &(mode, words) in modes {
        let three = |value: &dyn Fn(u32) -> Res<u64>| -> Res<[u32; 3]> {
            match words {
                &[x, y, z] => Ok([value(x)? as u32, value(y)? as u32, value(z)? as u32]),
                _ => Err("an execution mode has too few operands".into()),
            }
        };
        let one = |value: &dyn Fn(u32) -> Res<u64>| match words {
            &[word] => value(word),
            _ => Err("an execution mode has another number of operands".into()),
        };
        let literal = |word| Ok(u64::from(word));
        let constant = |id| unit.integer(id);
        match ExecutionMode::from_u32(mode) {
            Some(ExecutionMode::LocalSize) => {
                attributes.reqd_work_group_size = Some(three(&literal)?);
            }
            Some(ExecutionMode::LocalSizeId) => {
                attributes.reqd_work_group_size = Some(three(&constant)?);
            }
            Some(ExecutionMode::LocalSizeHint) => {
                attributes.work_group_size_hint = Some(three(&literal)?);
            }
            Some(ExecutionMode::LocalSizeHintId) => {
                attributes.work_group_size_hint = Some(three(&constant)?);
            }
            Some(ExecutionMode::MaxWorkgroupSizeINTEL) => {
                attributes.max_work_group_size = Some(three(&literal)?);
            }
            Some(ExecutionMode::SubgroupsPerWorkgroup) => {
                attributes.reqd_sub_groups = Some(sub_groups(one(&literal)?)?);
            }
            Some(ExecutionMode::SubgroupsPerWorkgroupId) => {
                attributes.reqd_sub_groups = Some(sub_groups(one(&constant)?)?);
            }
            Some(ExecutionMode::SubgroupSize) => {
                let size = words.first().copied().unwrap_or(0);
                if !unit.target.sub_group_sizes().contains(&size) {
                    return Err(format!("the device has no sub-groups of {size} items"));
                }
                attributes.reqd_sub_group_size = Some(size);
            }
            // Functions are lowered with these; rounding is to the nearest anyway.
            Some(
                ExecutionMode::ContractionOff
                | ExecutionMode::FPFastMathDefault
                | ExecutionMode::RoundingModeRTE
                | ExecutionMode::SignedZeroInfNanPreserve,
            ) => {}
            Some(ExecutionMode::DenormPreserve) => {
                let width = words.first().copied().unwrap_or(0);
                let t = unit.target;
                let keeps = match width {
                    16 => t.denorm_preserve16 || t.keeps_denorms16,
                    32 => t.denorm_preserve32 || t.keeps_denorms32,
                    64 => t.denorm_preserve64 || t.keeps_denorms64,
                    _ => false,
                };
                if !keeps {
                    return Err(format!(
                        "the device does not keep denormals of {width} bits"
                    ));
                }
            }
            // Those are roles.
            Some(ExecutionMode::Initializer | ExecutionMode::Finalizer) => {}
            Some(mode) if HINTS.contains(&mode) => {}
            Some(mode) => return Err(format!("execution mode {mode:?} is not supported")),
            None => return Err(format!("there is no execution mode {mode}")),
        }
    }
    let written: Vec<&str> = written.split_terminator(',').collect();
    let params = func.params.iter().enumerate().map(|(i, p)| {
        let mut param = param(unit, p.id, p.ty)?;
        if let Some(name) = written.get(i) {
            param.info.type_name = name.to_string();
        }
        Ok(param)
    });
    Ok(Kernel {
        params: params.collect::<Res<_>>()?,
        attributes,
        layout: None,
    })
}

/// A number of sub-groups that a work-group can have.
fn sub_groups(count: u64) -> Res<u32> {
    let fits = u32::try_from(count).ok().filter(|&count| count > 0);
    fits.ok_or_else(|| format!("no work-group has {count} sub-groups"))
}

/// The types of the parameters as the source had them, by kernel: LLVM's translator keeps them in an OpString.
fn written_types(strings: &[String]) -> HashMap<&str, &str> {
    let texts = strings.iter().rev();
    let of_kernels = texts.filter_map(|text| text.strip_prefix("kernel_arg_type."));
    of_kernels
        .filter_map(|text| text.rsplit_once('.'))
        .collect()
}

/// The name of a parameter's type, as far as SPIR-V tells it: integers have no sign.
fn type_name(unit: &Unit, ty: Id) -> Res<String> {
    Ok(match unit.types.get(ty)? {
        Ty::Value(ty) => c_name(*ty, true),
        Ty::Pointer { pointee, .. } => match unit.types.get(*pointee)? {
            Ty::Value(ty) => format!("{}*", c_name(*ty, true)),
            _ => "void*".into(),
        },
        Ty::Image { name, .. } => name.split(' ').next_back().unwrap_or_default().to_owned(),
        Ty::Sampler => "sampler_t".into(),
        Ty::Queue => "queue_t".into(),
        _ => String::new(),
    })
}

fn param(unit: &Unit, id: Id, ty: Id) -> Res<KernelParam> {
    let types = &unit.types;
    let mut address = ArgAddress::Private;
    let mut access = ArgAccess::None;
    let mut layout = types.layout(ty)?;
    let (mut elem_size, mut pieces) = (0, Vec::new());
    // The aggregate that is passed by value, itself or by a pointer to a copy.
    let mut aggregate = types.is_aggregate(ty).then_some(ty);
    match types.get(ty)? {
        Ty::Pointer { space, pointee } => match space {
            Space::Private if unit.is_by_value(id) => aggregate = Some(*pointee),
            Space::Local => {
                address = ArgAddress::Local;
                elem_size = types.layout(*pointee)?.size.max(1);
                if u64::from(elem_size) > MAX_OBJECT_SIZE {
                    return Err("a parameter points to more local memory than there is".into());
                }
            }
            Space::Constant => address = ArgAddress::Constant,
            Space::Global => address = ArgAddress::Global,
            Space::Private | Space::Generic => {
                return Err("a parameter points into a space where no argument is".into());
            }
        },
        Ty::Image { access: of, .. } | Ty::Pipe(of) => {
            address = ArgAddress::Global;
            access = match of {
                AccessQualifier::ReadOnly => ArgAccess::ReadOnly,
                AccessQualifier::WriteOnly => ArgAccess::WriteOnly,
                AccessQualifier::ReadWrite => ArgAccess::ReadWrite,
            };
        }
        _ => {}
    }
    if let Some(ty) = aggregate {
        layout = types.layout(ty)?;
        if layout.size > unit.target.max_parameter_size {
            return Err("an argument is too large".into());
        }
        types.flatten(ty, 0, &mut pieces)?;
    }
    let is_sampler = matches!(types.get(ty)?, Ty::Sampler);
    if is_sampler {
        layout.size = 8;
        layout.align = 8;
    }
    let decorations = unit.parsed.decorations.get(&id).into_iter().flatten();
    let has = |kind: Decoration| decorations.clone().any(|note| note.0 == kind as u32);
    let attribute = |attribute: FunctionParameterAttribute| {
        decorations.clone().any(|&(kind, words)| {
            kind == Decoration::FuncParamAttr as u32 && words.first() == Some(&(attribute as u32))
        })
    };
    Ok(KernelParam {
        info: ParamInfo {
            name: unit.parsed.name(id),
            type_name: type_name(unit, ty)?,
            address,
            access,
            is_const: attribute(FunctionParameterAttribute::NoWrite),
            is_restrict: has(Decoration::Restrict),
            is_volatile: has(Decoration::Volatile),
            is_pipe: matches!(types.get(ty)?, Ty::Pipe(_)),
            is_queue: matches!(types.get(ty)?, Ty::Queue),
        },
        is_sampler,
        size: layout.size,
        align: layout.align,
        elem_size,
        pointee_align: match address {
            ArgAddress::Global | ArgAddress::Constant => unit.alignment(id, 1)?,
            _ => 1,
        },
        pieces,
    })
}
