//! `__attribute__((...))`: the known ones as data, the others warned of.

use super::scope::Spec;
use super::types::Prim;
use super::{Arith, Sema};
use crate::front::clc::syntax::ast::{AttrArg, Attribute};
use crate::ir::{Inline, Unroll};
use crate::kernel::KernelAttributes;

/// The attributes of a declaration.
#[derive(Debug, Default, Clone)]
pub struct Attrs {
    /// Bytes; the largest value of several attributes.
    pub aligned: Option<u64>,
    pub packed: bool,
    pub overloadable: bool,
    pub inline: Inline,
    pub kernel: KernelAttributes,
    pub unroll: Unroll,
}

/// The attribute is accepted and has no effect.
const IGNORED: &[&str] = &[
    "unused",
    "used",
    "const",
    "pure",
    "nosvm",
    "deprecated",
    "maybe_unused",
    "may_alias",
    "endian",
    "nonnull",
    "hot",
    "cold",
    "flatten",
    "nothrow",
    "noreturn",
    "convergent",
    "leaf",
    "artificial",
    "gnu_inline",
    "malloc",
    "visibility",
    "weak",
    "warn_unused_result",
    "opencl_global",
    "fallthrough",
];

/// Of cl_intel_required_subgroup_size.
pub const SUB_GROUP_SIZE: &str = "intel_reqd_sub_group_size";

/// Make vectors of scalar types, see [`Sema::vector_attributes`].
const VECTORS: &[&str] = &["ext_vector_type", "vector_size"];

/// Those with an effect on every device.
const EFFECTIVE: &[&str] = &[
    "aligned",
    "always_inline",
    "noinline",
    "opencl_unroll_hint",
    "overloadable",
    "packed",
    "reqd_work_group_size",
    "vec_type_hint",
    "work_group_size_hint",
];

/// What `__has_attribute` tells, with or without underscores around the name.
pub fn is_attribute(name: &str) -> bool {
    let bare = name.strip_prefix("__").and_then(|n| n.strip_suffix("__"));
    let name = bare.unwrap_or(name);
    [EFFECTIVE, VECTORS, IGNORED]
        .iter()
        .any(|list| list.contains(&name))
}

impl Sema<'_> {
    pub fn attributes<'t>(&mut self, lists: impl IntoIterator<Item = &'t Attribute>) -> Attrs {
        let mut out = Attrs::default();
        self.add_attributes(&mut out, lists);
        out
    }

    /// Adds the attributes of further lists.
    pub fn add_attributes<'t>(
        &mut self,
        out: &mut Attrs,
        list: impl IntoIterator<Item = &'t Attribute>,
    ) {
        for attr in list {
            self.attribute(attr, out);
        }
    }

    fn attribute(&mut self, attr: &Attribute, out: &mut Attrs) {
        match &*attr.name {
            "packed" => out.packed = true,
            "aligned" => {
                let align = match attr.args.is_empty() {
                    // The largest alignment that any type needs.
                    true => Some(16),
                    false => self.attribute_integers::<1>(attr).map(|[n]| n as u64),
                };
                match align {
                    Some(n) if n.is_power_of_two() => out.aligned = out.aligned.max(Some(n)),
                    Some(_) => self.error(attr.loc, "requested alignment is not a power of 2"),
                    None => {}
                }
            }
            "overloadable" => out.overloadable = true,
            "always_inline" => out.inline = Inline::Always,
            "noinline" => out.inline = Inline::Never,
            "reqd_work_group_size" => {
                out.kernel.reqd_work_group_size = self.work_group_size(attr);
                add_text(&mut out.kernel, attr);
            }
            SUB_GROUP_SIZE => {
                out.kernel.reqd_sub_group_size = self.sub_group_size(attr);
                add_text(&mut out.kernel, attr);
            }
            "work_group_size_hint" => {
                out.kernel.work_group_size_hint = self.work_group_size(attr);
                add_text(&mut out.kernel, attr);
            }
            "vec_type_hint" => {
                out.kernel.vec_type_hint = self.vec_type_hint(attr);
                add_text(&mut out.kernel, attr);
            }
            "opencl_unroll_hint" => out.unroll = self.unroll_hint(attr),
            // A number means a space of the compiler's own, not one of the language: without it the object would be elsewhere.
            "address_space" => self.error(attr.loc, "attribute 'address_space' is not supported"),
            name if VECTORS.contains(&name) || IGNORED.contains(&name) => {}
            name => self
                .sink
                .warning(attr.loc, format!("unknown attribute '{name}' ignored")),
        }
    }

    /// A size of sub-groups that the device has.
    fn sub_group_size(&mut self, attr: &Attribute) -> Option<u32> {
        let [size] = self.attribute_integers::<1>(attr)?;
        let sizes = self.target.sub_group_sizes();
        if sizes.contains(&size) {
            return Some(size);
        }
        let text = match sizes[..] {
            [] => "requires support for 'cl_intel_required_subgroup_size'".to_owned(),
            _ => format!("has size {size}, of which the device has {sizes:?}"),
        };
        self.error(attr.loc, format!("attribute '{SUB_GROUP_SIZE}' {text}"));
        None
    }

    /// The type with what `ext_vector_type(lanes)` and `vector_size(bytes)` make of it.
    pub fn vector_attributes(&mut self, mut spec: Spec, list: &[Attribute]) -> Spec {
        for attr in list.iter().filter(|a| VECTORS.contains(&&*a.name)) {
            let Some([n]) = self.attribute_integers::<1>(attr) else {
                continue;
            };
            let Some(prim) = self
                .types
                .scalar(spec.ty)
                .filter(|p| *p != Prim::Bool || self.opts.is_opencl_cxx())
            else {
                if !self.types.is_error(spec.ty) {
                    let text = self.types.show(spec.ty);
                    self.error(attr.loc, format!("invalid vector element type {text}"));
                }
                continue;
            };
            let lanes = match &*attr.name {
                "vector_size" => n / prim.size() as u32,
                _ => n,
            };
            if ![1, 2, 3, 4, 8, 16].contains(&lanes) {
                let text = format!("vectors of {lanes} elements are not supported in OpenCL");
                self.error(attr.loc, text);
                continue;
            }
            let lanes = lanes as u8;
            spec.ty = self.types.of_arith(Arith { prim, lanes });
        }
        spec
    }

    fn work_group_size(&mut self, attr: &Attribute) -> Option<[u32; 3]> {
        let sizes = self.attribute_integers::<3>(attr)?;
        if sizes.contains(&0) {
            let name = &attr.name;
            self.error(
                attr.loc,
                format!("'{name}' attribute must be greater than 0"),
            );
            return None;
        }
        Some(sizes)
    }

    fn vec_type_hint(&mut self, attr: &Attribute) -> Option<String> {
        let ty = match attr.args.as_slice() {
            [AttrArg::Type(name)] => self.type_name(name).ty,
            _ => {
                self.error(attr.loc, "'vec_type_hint' attribute requires a type");
                return None;
            }
        };
        if self.types.is_error(ty) {
            return None;
        }
        if self.types.arith(ty).is_none() {
            let text = self.types.show(ty);
            self.error(
                attr.loc,
                format!("invalid attribute argument {text} - expecting a vector or vectorizable scalar type"),
            );
            return None;
        }
        Some(self.types.spell(ty))
    }

    fn unroll_hint(&mut self, attr: &Attribute) -> Unroll {
        if attr.args.is_empty() {
            return Unroll::Hint(0);
        }
        match self.attribute_integers::<1>(attr) {
            Some([0]) => {
                let text = "'opencl_unroll_hint' attribute requires a positive integral compile time constant expression";
                self.error(attr.loc, text);
                Unroll::Auto
            }
            Some([1]) => Unroll::Never,
            Some([n]) => Unroll::Hint(n),
            None => Unroll::Auto,
        }
    }

    /// Exactly `N` constant integers, none of them negative.
    fn attribute_integers<const N: usize>(&mut self, attr: &Attribute) -> Option<[u32; N]> {
        let name = &attr.name;
        if attr.args.len() != N {
            let plural = if N == 1 { "" } else { "s" };
            let message = match N {
                1 => format!("'{name}' attribute takes one argument"),
                _ => format!("'{name}' attribute requires exactly {N} argument{plural}"),
            };
            self.error(attr.loc, message);
            return None;
        }
        let mut out = [0; N];
        for (slot, arg) in out.iter_mut().zip(&attr.args) {
            let value = match arg {
                AttrArg::Expr(e) => {
                    let e = self.expr(e);
                    if self.is_error(&e) {
                        return None;
                    }
                    self.integer_constant(&e)
                        .and_then(|v| u32::try_from(v).ok())
                }
                AttrArg::Type(_) => None,
            };
            let Some(value) = value else {
                self.error(
                    attr.loc,
                    format!("'{name}' attribute requires an integer constant"),
                );
                return None;
            };
            *slot = value;
        }
        Some(out)
    }
}

/// As CL_KERNEL_ATTRIBUTES wants it: without white space around commas and brackets.
fn add_text(kernel: &mut KernelAttributes, attr: &Attribute) {
    if !kernel.text.is_empty() {
        kernel.text.push(' ');
    }
    match attr.text.trim() {
        "" => kernel.text += &attr.name,
        text => kernel.text.extend(text.split_whitespace()),
    }
}
