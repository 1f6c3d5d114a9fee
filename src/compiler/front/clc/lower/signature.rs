//! What a kernel has beyond a function: parameters for the ABI and clGetKernelArgInfo, attributes.

use super::unit::{is_aggregate, value_type};
use crate::front::clc::sema::tree::Function;
use crate::front::clc::sema::types::{ImageAccess, ImageKind, Ty, TypeKind, Types};
use crate::ir::{Kernel, KernelParam, Scalar, Space, Type};
use crate::kernel::{ArgAccess, ArgAddress, ParamInfo};

/// What a kernel has beyond a function; `None` for an ordinary function.
pub fn describe(types: &Types, func: &Function) -> Option<Kernel> {
    let attrs = func.kernel.as_ref()?;
    let params = func.locals[..func.param_count]
        .iter()
        .enumerate()
        .map(|(i, local)| {
            let written = attrs.arg_types.get(i).cloned().unwrap_or_default();
            let (mut address, mut access) = (ArgAddress::Private, ArgAccess::None);
            let (mut elem_size, mut pointee_align) = (0, 1);
            let size = types.size(local.ty) as u32;
            match types.kind(local.ty) {
                TypeKind::Pointer(pointee) => {
                    address = match pointee.space {
                        Space::Local => ArgAddress::Local,
                        Space::Constant => ArgAddress::Constant,
                        _ => ArgAddress::Global,
                    };
                    match address {
                        ArgAddress::Local => elem_size = types.size(pointee.ty).max(1) as u32,
                        _ => pointee_align = types.align(pointee.ty).max(1) as u32,
                    }
                }
                TypeKind::Image(ImageKind { access: given, .. }) | TypeKind::Pipe(_, given) => {
                    address = ArgAddress::Global;
                    access = match given {
                        ImageAccess::Read => ArgAccess::ReadOnly,
                        ImageAccess::Write => ArgAccess::WriteOnly,
                        ImageAccess::ReadWrite => ArgAccess::ReadWrite,
                    };
                }
                _ => {}
            }
            let mut pieces = Vec::new();
            if is_aggregate(types, local.ty) {
                flatten(types, local.ty, 0, &mut pieces);
            }
            KernelParam {
                info: ParamInfo {
                    name: local.name.to_string(),
                    type_name: written.name,
                    address,
                    access,
                    is_const: written.is_const,
                    is_restrict: written.is_restrict,
                    is_volatile: written.is_volatile,
                    is_pipe: matches!(types.kind(local.ty), TypeKind::Pipe(..)),
                    is_queue: matches!(types.kind(local.ty), TypeKind::Queue),
                },
                is_sampler: matches!(types.kind(local.ty), TypeKind::Sampler),
                size,
                align: types.align(local.ty) as u32,
                elem_size,
                pointee_align,
                pieces,
            }
        })
        .collect();
    Some(Kernel {
        params,
        attributes: attrs.attributes.clone(),
        layout: None,
    })
}

/// The scalar and vector members of an aggregate; a union is its first member, then bytes.
fn flatten(types: &Types, ty: Ty, offset: u64, out: &mut Vec<(u32, Type)>) {
    match types.kind(ty) {
        // Parts without a size are skipped: there may be any number of them.
        _ if types.size(ty) == 0 => {}
        TypeKind::Array(elem, len) => {
            let size = types.size(elem.ty);
            for i in 0..len.unwrap_or(0) {
                flatten(types, elem.ty, offset + i * size, out);
            }
        }
        TypeKind::Record(id) => {
            let def = types.record(*id);
            let fields = def.fields.as_deref().unwrap_or(&[]);
            if def.is_union {
                let mut covered = 0;
                if let Some(first) = fields.first() {
                    flatten(types, first.ty.ty, offset, out);
                    covered = types.size(first.ty.ty);
                }
                out.extend((covered..def.size).map(|i| ((offset + i) as u32, Type::I8)));
            } else {
                for field in fields {
                    flatten(types, field.ty.ty, offset + field.offset, out);
                }
            }
        }
        _ => {
            if let Some(ty) = value_type(types, ty) {
                // In memory a bool is a byte.
                let ty = match ty.scalar {
                    Scalar::Bool => Type::vector(Scalar::I8, ty.lanes),
                    _ => ty,
                };
                out.push((offset as u32, ty));
            }
        }
    }
}
