//! Kernels: what their parameters may be (OpenCL C 6.11) and what the API tells of them.

use super::Sema;
use super::attributes::{Attrs, SUB_GROUP_SIZE};
use super::declarators::declarator_loc;
use super::display::image_type_name;
use super::pipes;
use super::scope::{Entity, Spec};
use super::specs::HOST_SIZED;
use super::tree::{KernelArgType, KernelAttrs};
use super::types::{NDRANGE, Prim, QualTy, Ty, TypeKind};
use crate::features::MAX_OBJECT_SIZE;
use crate::front::clc::syntax::ast::{Param, TypeSpec};
use crate::ir::Space;
use crate::source::SourceLoc;

impl Sema<'_> {
    pub fn kernel_attrs(
        &mut self,
        attrs: &Attrs,
        params: &[Param],
        quals: &[QualTy],
    ) -> KernelAttrs {
        let arg_types = params
            .iter()
            .zip(quals)
            .map(|(param, q)| self.arg_type(param, *q))
            .collect();
        KernelAttrs {
            attributes: attrs.kernel.clone(),
            arg_types,
        }
    }

    /// Names and qualifiers for clGetKernelArgInfo.
    fn arg_type(&self, param: &Param, q: QualTy) -> KernelArgType {
        let mut stars = 0;
        let mut ty = match *self.types.kind(q.ty) {
            TypeKind::Pipe(packet, _) => packet,
            _ => q.ty,
        };
        while let Some(to) = self.types.pointee(ty) {
            stars += 1;
            ty = to.ty;
        }
        let written = match pipes::without_pipe(&param.specs.types) {
            // A typedef of a pointer has stars that do not appear in the parameter.
            [(TypeSpec::Typedef(name), _)] => {
                let own = param.declarator.parts.len();
                Some((name.to_string(), own.min(stars)))
            }
            _ => None,
        };
        let (base, stars) = written.unwrap_or_else(|| (self.api_name(ty), stars));
        let pointee = self.types.pointee(q.ty);
        KernelArgType {
            name: format!("{base}{}", "*".repeat(stars)),
            is_const: pointee.is_some_and(|p| p.is_const || p.space == Space::Constant),
            is_restrict: pointee.is_some() && q.is_restrict,
            is_volatile: pointee.is_some_and(|p| p.is_volatile),
        }
    }

    fn api_name(&self, ty: Ty) -> String {
        match self.types.kind(ty) {
            TypeKind::Image(kind) => image_type_name(*kind),
            _ => self.types.spell(ty),
        }
    }

    pub fn check_kernel(
        &mut self,
        ret: Ty,
        params: &[Param],
        quals: &[QualTy],
        specs_loc: SourceLoc,
        _loc: SourceLoc,
    ) {
        if !self.types.is_void(ret) {
            self.error(specs_loc, "kernel must have void return type");
        }
        for (param, q) in params.iter().zip(quals) {
            let loc = declarator_loc(&param.declarator, &param.specs);
            if let Some(message) = self.kernel_param_problem(param, q.ty) {
                self.error(loc, message);
            }
        }
    }

    fn kernel_param_problem(&self, param: &Param, ty: Ty) -> Option<String> {
        let types = &self.types;
        if let Some(to) = types.pointee(ty) {
            if !matches!(to.space, Space::Global | Space::Constant | Space::Local) {
                return Some(
                    "pointer arguments to kernel functions must reside in '__global', \
                     '__constant' or '__local' address space"
                        .into(),
                );
            }
            if types.pointee(to.ty).is_some() && !self.features.nested_kernel_pointers {
                return Some(
                    "kernel parameter cannot be declared as a pointer to a pointer".into(),
                );
            }
            if to.space == Space::Local && types.size(to.ty) > MAX_OBJECT_SIZE {
                return Some(format!(
                    "kernel parameter points to local memory of more than {MAX_OBJECT_SIZE} bytes"
                ));
            }
            return None;
        }
        let (written, host_sized) = match param.specs.types.as_slice() {
            [(TypeSpec::Builtin(word), _)] => (word.to_string(), HOST_SIZED.contains(&&**word)),
            [(TypeSpec::Typedef(name), _)] => {
                let spec = match self.scopes.find(name).map(|s| s.entity) {
                    Some(Entity::Typedef(spec)) => spec,
                    _ => Spec::plain(ty),
                };
                (name.to_string(), spec.host_sized)
            }
            _ => (types.spell(ty), false),
        };
        // Pointers into these spaces have no meaning outside of the kernel.
        let own = |k: &TypeKind| match k {
            TypeKind::Pointer(to) => matches!(to.space, Space::Private | Space::Local),
            _ => false,
        };
        let bad = |k: &TypeKind| match k {
            TypeKind::Scalar(Prim::Half) => !self.features.fp16,
            TypeKind::Scalar(Prim::Bool)
            | TypeKind::Event
            | TypeKind::ReserveId
            | TypeKind::DeviceEvent => true,
            TypeKind::Record(NDRANGE) => true,
            TypeKind::Record(id) => types.record(*id).host_sized,
            _ => false,
        };
        let refused = match types.kind(ty) {
            // The type may only be pointed to (6.15.12).
            TypeKind::Atomic(_) => !self.features.any_params,
            TypeKind::Record(_) => {
                let pointers = |k: &TypeKind| matches!(k, TypeKind::Pointer(_));
                if types.contains(ty, &pointers) && !self.features.nested_kernel_pointers {
                    return Some("struct kernel parameters may not contain pointers".into());
                }
                if types.contains(ty, &own) {
                    return Some(
                        "struct kernel parameters may not contain pointers to '__private' or \
                         '__local' address space"
                            .into(),
                    );
                }
                let most = self.target.max_parameter_size;
                if types.size(ty) > most.into() {
                    return Some(format!(
                        "kernel parameter is larger than {most} bytes \
                         (CL_DEVICE_MAX_PARAMETER_SIZE)"
                    ));
                }
                types.contains(ty, &bad)
            }
            kind => host_sized || bad(kind),
        };
        refused.then(|| format!("'{written}' cannot be used as the type of a kernel parameter"))
    }

    pub fn check_not_kernel(&mut self, attrs: &Attrs, loc: SourceLoc) {
        let kernel = &attrs.kernel;
        let written = [
            (
                "reqd_work_group_size",
                kernel.reqd_work_group_size.is_some(),
            ),
            (SUB_GROUP_SIZE, kernel.reqd_sub_group_size.is_some()),
            (
                "work_group_size_hint",
                kernel.work_group_size_hint.is_some(),
            ),
            ("vec_type_hint", kernel.vec_type_hint.is_some()),
        ];
        for (name, _) in written.into_iter().filter(|(_, present)| *present) {
            self.error(
                loc,
                format!("attribute '{name}' can only be applied to an OpenCL kernel function"),
            );
        }
    }
}
