//! Types as clang prints them in diagnostics.

use super::types::{ImageAccess, ImageDim, ImageKind, NDRANGE, QualTy, Ty, TypeKind, Types};
use crate::ir::Space;

/// The qualifier as written.
pub fn space_name(space: Space) -> &'static str {
    match space {
        Space::Private => "__private",
        Space::Local => "__local",
        Space::Global => "__global",
        Space::Constant => "__constant",
        Space::Generic => "__generic",
    }
}

impl Types {
    /// A value's type in quotes, with clang's explanation of vectors.
    pub fn show(&self, ty: Ty) -> String {
        self.quote(ty, self.spell(ty))
    }

    /// An object's type in quotes, its qualifiers and address space included.
    pub fn show_object(&self, q: QualTy) -> String {
        self.quote(q.ty, self.spell_qualified(q))
    }

    fn quote(&self, ty: Ty, text: String) -> String {
        match self.kind(ty) {
            TypeKind::Vector(prim, n) => {
                format!("'{text}' (vector of {n} '{}' values)", prim.name())
            }
            _ => format!("'{text}'"),
        }
    }

    /// A type as OpenCL C spells it, without quotes or top-level qualifiers.
    pub fn spell(&self, ty: Ty) -> String {
        self.declare(ty, String::new())
    }

    /// What units know an overload by.
    pub fn with_params(&self, name: &str, params: &[Ty]) -> String {
        let params: Vec<_> = params.iter().map(|&ty| self.spell(ty)).collect();
        format!("{name}({})", params.join(", "))
    }

    fn spell_qualified(&self, q: QualTy) -> String {
        self.declare_qualified(q, String::new())
    }

    /// `name` declared with the type: C's declarators grow around the name.
    fn declare(&self, ty: Ty, name: String) -> String {
        match self.kind(ty) {
            TypeKind::Pointer(to) if !self.is_nullptr(ty) => self.declare_pointer(*to, "", name),
            TypeKind::Reference(to, is_rvalue) => {
                let sign = if *is_rvalue { "&&" } else { "&" };
                self.declare_qualified(*to, format!("{sign}{name}"))
            }
            TypeKind::Array(elem, len) => {
                let len = len.map_or(String::new(), |n| n.to_string());
                // Only const and volatile: the element is where the array is.
                let elem_text = self.declare(elem.ty, format!("{name}[{len}]"));
                format!("{}{elem_text}", qualifiers(*elem))
            }
            TypeKind::Function(f) | TypeKind::Block(f) => {
                let name = match self.kind(ty) {
                    TypeKind::Block(_) => format!("(^{name})"),
                    _ => name,
                };
                let params: Vec<String> = f.params.iter().map(|&p| self.spell(p)).collect();
                let params = if params.is_empty() {
                    "void".to_string()
                } else {
                    params.join(", ")
                };
                let dots = if f.variadic { ", ..." } else { "" };
                self.declare(f.ret, format!("{name}({params}{dots})"))
            }
            simple => {
                let base = self.base_name(simple);
                match name.as_str() {
                    "" => base,
                    n if n.starts_with('[') => format!("{base}{n}"),
                    _ => format!("{base} {name}"),
                }
            }
        }
    }

    /// `own`: the qualifiers of the pointer itself.
    fn declare_pointer(&self, to: QualTy, own: &str, name: String) -> String {
        let mut inner = format!("*{own}");
        if !name.is_empty() {
            if !own.is_empty() {
                inner.push(' ');
            }
            inner.push_str(&name);
        }
        if self.element(to.ty).is_some() || self.is_function(to.ty) {
            inner = format!("({inner})");
        }
        self.declare_qualified(to, inner)
    }

    fn declare_qualified(&self, q: QualTy, name: String) -> String {
        let space = space_name(q.space);
        if let Some(to) = self.pointee(q.ty)
            && !self.is_nullptr(q.ty)
        {
            let mut own = qualifiers(q);
            own.push_str(space);
            if q.is_restrict {
                own.push_str(" restrict");
            }
            return self.declare_pointer(to, &own, name);
        }
        if self.is_function(q.ty) {
            return self.declare(q.ty, name);
        }
        // An array's qualifiers are those of its elements.
        let bare = self.without_element_qualifiers(q.ty, name);
        format!("{}{space} {bare}", qualifiers(self.innermost_part(q)))
    }

    /// The element of arrays in arrays, with the qualifiers that count.
    fn innermost_part(&self, q: QualTy) -> QualTy {
        match self.element(q.ty) {
            Some((elem, _)) => self.innermost_part(q.part(elem)),
            None => q,
        }
    }

    fn without_element_qualifiers(&self, ty: Ty, name: String) -> String {
        match self.element(ty) {
            Some((elem, len)) => {
                let len = len.map_or(String::new(), |n| n.to_string());
                self.without_element_qualifiers(elem.ty, format!("{name}[{len}]"))
            }
            None => self.declare(ty, name),
        }
    }

    fn base_name(&self, kind: &TypeKind) -> String {
        match kind {
            TypeKind::Void => "void".into(),
            TypeKind::Scalar(p) => p.name().into(),
            TypeKind::Vector(p, n) => format!("{}{n}", p.name()),
            TypeKind::Record(NDRANGE) => "ndrange_t".into(),
            TypeKind::Record(id) => {
                let record = self.record(*id);
                let word = if record.is_union { "union" } else { "struct" };
                match &record.name {
                    Some(name) if self.cxx => name.to_string(),
                    Some(name) => format!("{word} {name}"),
                    None => format!("{word} (unnamed)"),
                }
            }
            // Declarators are built around what they refer to.
            TypeKind::Reference(..) => String::new(),
            TypeKind::Enum(name, _) if self.cxx => name.to_string(),
            TypeKind::Enum(name, _) if name.is_empty() => "enum (unnamed)".into(),
            TypeKind::Enum(name, _) => format!("enum {name}"),
            TypeKind::Image(kind) => image_name(*kind),
            TypeKind::Sampler => "sampler_t".into(),
            TypeKind::Event => "event_t".into(),
            TypeKind::Pipe(packet, access) => pipe_name(*access, &self.spell(*packet)),
            TypeKind::ReserveId => "reserve_id_t".into(),
            TypeKind::Queue => "queue_t".into(),
            TypeKind::DeviceEvent => "clk_event_t".into(),
            TypeKind::Atomic(p) => format!("atomic_{}", p.name()),
            TypeKind::Error => "<error>".into(),
            // Other pointers' declarators are built around what they point to.
            TypeKind::Pointer(_) => "std::nullptr_t".into(),
            TypeKind::Null | TypeKind::Array(..) | TypeKind::Function(_) | TypeKind::Block(_) => {
                String::new()
            }
        }
    }
}

/// `const ` and `volatile ` as they apply.
fn qualifiers(q: QualTy) -> String {
    let mut out = String::new();
    if q.is_const {
        out.push_str("const ");
    }
    if q.is_volatile {
        out.push_str("volatile ");
    }
    out
}

/// `__read_only image2d_array_depth_t`
fn image_name(kind: ImageKind) -> String {
    format!("__{} {}", access_name(kind.access), image_type_name(kind))
}

/// `read_only pipe int`
fn pipe_name(access: ImageAccess, packet: &str) -> String {
    format!("{} pipe {packet}", access_name(access))
}

fn access_name(access: ImageAccess) -> &'static str {
    match access {
        ImageAccess::Read => "read_only",
        ImageAccess::Write => "write_only",
        ImageAccess::ReadWrite => "read_write",
    }
}

/// `image2d_array_depth_t`
pub fn image_type_name(kind: ImageKind) -> String {
    let dim = match kind.dim {
        ImageDim::D1 | ImageDim::D1Buffer => "1d",
        ImageDim::D2 => "2d",
        ImageDim::D3 => "3d",
    };
    let buffer = if kind.dim == ImageDim::D1Buffer {
        "_buffer"
    } else {
        ""
    };
    let array = if kind.arrayed { "_array" } else { "" };
    let depth = if kind.depth { "_depth" } else { "" };
    format!("image{dim}{buffer}{array}{depth}_t")
}
