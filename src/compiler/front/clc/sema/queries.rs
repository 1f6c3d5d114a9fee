//! Questions about types, and the ways to make common ones.

use std::collections::HashSet;

use super::types::{Prim, QualTy, RecordId, Ty, TypeKind, Types};
use crate::ir::{Scalar, Space, Type};

/// An arithmetic type: a scalar has one lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arith {
    pub prim: Prim,
    pub lanes: u8,
}

impl Arith {
    pub fn is_vector(self) -> bool {
        self.lanes > 1
    }

    /// What comparisons of this type give: int, or signed lanes of the same width.
    pub fn truth(self) -> Arith {
        let prim = if self.is_vector() {
            Prim::signed_of_size(self.prim.size())
        } else {
            Prim::Int
        };
        Arith { prim, ..self }
    }

    pub fn with_prim(self, prim: Prim) -> Arith {
        Arith { prim, ..self }
    }
}

impl Prim {
    /// Bytes to the signed integer of that size.
    pub fn signed_of_size(size: u64) -> Prim {
        match size {
            1 => Prim::Char,
            2 => Prim::Short,
            4 => Prim::Int,
            _ => Prim::Long,
        }
    }

    /// The integer promotions (C99 6.3.1.1).
    pub fn promoted(self) -> Prim {
        match self {
            Prim::Bool | Prim::Char | Prim::UChar | Prim::Short | Prim::UShort => Prim::Int,
            other => other,
        }
    }

    /// Rank for vector operands (OpenCL C 6.4.6): floats over integers, then size, then unsigned.
    pub fn rank(self) -> u64 {
        match self {
            Prim::Bool => 0,
            p if p.is_float() => 100 + p.size(),
            p => p.size() * 2 + !p.is_signed() as u64,
        }
    }

    /// The scalar of the IR that holds it; bool is one byte of 0 or 1.
    pub fn ir(self) -> Scalar {
        match self {
            Prim::Bool => Scalar::Bool,
            Prim::Half => Scalar::F16,
            Prim::Float => Scalar::F32,
            Prim::Double => Scalar::F64,
            int => Scalar::int(int.size() as u32 * 8),
        }
    }

    pub fn from_name(name: &str) -> Option<Prim> {
        Prim::ALL.into_iter().find(|p| p.name() == name)
    }

    /// `float4`, `uchar`: the primitive and its lanes.
    pub fn split_vector_name(name: &str) -> Option<(Prim, u8)> {
        let digits = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let prim = Prim::from_name(digits)?;
        match &name[digits.len()..] {
            "" => Some((prim, 1)),
            "2" => Some((prim, 2)),
            "3" => Some((prim, 3)),
            "4" => Some((prim, 4)),
            "8" => Some((prim, 8)),
            "16" => Some((prim, 16)),
            _ => None,
        }
    }
}

impl Arith {
    pub fn ir(self) -> Type {
        Type::vector(self.prim.ir(), self.lanes)
    }
}

impl QualTy {
    /// No qualifiers, private.
    pub fn plain(ty: Ty) -> QualTy {
        QualTy {
            ty,
            space: Space::Private,
            is_const: false,
            is_volatile: false,
            is_restrict: false,
            aligned: 0,
        }
    }

    pub fn in_space(self, space: Space) -> QualTy {
        QualTy { space, ..self }
    }

    /// The type of a part (member, element) of an object with these qualifiers.
    pub fn part(self, part: QualTy) -> QualTy {
        QualTy {
            ty: part.ty,
            space: self.space,
            is_const: self.is_const | part.is_const,
            is_volatile: self.is_volatile | part.is_volatile,
            is_restrict: part.is_restrict,
            aligned: part.aligned,
        }
    }
}

impl Types {
    pub fn error(&mut self) -> Ty {
        self.intern(TypeKind::Error)
    }

    pub fn void(&mut self) -> Ty {
        self.intern(TypeKind::Void)
    }

    pub fn prim(&mut self, prim: Prim) -> Ty {
        self.intern(TypeKind::Scalar(prim))
    }

    pub fn int(&mut self) -> Ty {
        self.prim(Prim::Int)
    }

    /// `size_t`
    pub fn size_t(&mut self) -> Ty {
        self.prim(Prim::ULong)
    }

    pub fn of_arith(&mut self, arith: Arith) -> Ty {
        match arith.lanes {
            1 => self.prim(arith.prim),
            n => self.intern(TypeKind::Vector(arith.prim, n)),
        }
    }

    pub fn pointer(&mut self, to: QualTy) -> Ty {
        if let Some(&handle) = self.handles.get(&to.ty) {
            return handle;
        }
        self.intern(TypeKind::Pointer(to))
    }

    pub fn is_error(&self, ty: Ty) -> bool {
        *self.kind(ty) == TypeKind::Error
    }

    pub fn is_void(&self, ty: Ty) -> bool {
        *self.kind(ty) == TypeKind::Void
    }

    /// `std::nullptr_t`
    pub fn is_nullptr(&self, ty: Ty) -> bool {
        self.pointee(ty)
            .is_some_and(|to| *self.kind(to.ty) == TypeKind::Null)
    }

    /// Scalars, vectors and enumerations.
    pub fn arith(&self, ty: Ty) -> Option<Arith> {
        match *self.kind(ty) {
            TypeKind::Scalar(prim) | TypeKind::Enum(_, prim) => Some(Arith { prim, lanes: 1 }),
            TypeKind::Vector(prim, lanes) => Some(Arith { prim, lanes }),
            _ => None,
        }
    }

    /// The primitive of an arithmetic scalar.
    pub fn scalar(&self, ty: Ty) -> Option<Prim> {
        self.arith(ty).filter(|a| a.lanes == 1).map(|a| a.prim)
    }

    /// An integer, bool or enumeration.
    pub fn is_integer(&self, ty: Ty) -> bool {
        self.scalar(ty).is_some_and(|p| !p.is_float())
    }

    pub fn vector(&self, ty: Ty) -> Option<Arith> {
        self.arith(ty).filter(|a| a.is_vector())
    }

    pub fn pointee(&self, ty: Ty) -> Option<QualTy> {
        match *self.kind(ty) {
            TypeKind::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// What a reference refers to.
    pub fn referent(&self, ty: Ty) -> Option<QualTy> {
        match *self.kind(ty) {
            TypeKind::Reference(to, _) => Some(to),
            _ => None,
        }
    }

    pub fn element(&self, ty: Ty) -> Option<(QualTy, Option<u64>)> {
        match *self.kind(ty) {
            TypeKind::Array(elem, len) => Some((elem, len)),
            _ => None,
        }
    }

    pub fn record_id(&self, ty: Ty) -> Option<RecordId> {
        match *self.kind(ty) {
            TypeKind::Record(id) => Some(id),
            _ => None,
        }
    }

    pub fn is_function(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Function(_))
    }

    /// Images and pipes: parameters, which no other value can replace.
    pub fn is_parameter_only(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TypeKind::Image(_) | TypeKind::Pipe(..))
    }

    /// Arithmetic scalars and pointers: what `if` takes.
    pub fn is_scalar(&self, ty: Ty) -> bool {
        self.scalar(ty).is_some() || self.pointee(ty).is_some()
    }

    /// Whether the type's size is known.
    pub fn is_complete(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) | TypeKind::Block(_) => false,
            // Elements are complete: arrays of incomplete types are reported where they are declared.
            TypeKind::Array(_, len) => len.is_some(),
            TypeKind::Record(id) => self.record(*id).fields.is_some(),
            _ => true,
        }
    }

    /// Whether some part of the type, in arrays and records, satisfies `test`.
    pub fn contains(&self, ty: Ty, test: &dyn Fn(&TypeKind) -> bool) -> bool {
        // Visits each type once: nested records may have any number of parts.
        let (mut work, mut seen) = (vec![ty], HashSet::from([ty]));
        while let Some(ty) = work.pop() {
            let kind = self.kind(ty);
            if test(kind) {
                return true;
            }
            match kind {
                TypeKind::Array(elem, _) if seen.insert(elem.ty) => work.push(elem.ty),
                TypeKind::Record(id) => {
                    let fields = self.record(*id).fields.iter().flatten();
                    let parts = fields.map(|f| f.ty.ty).filter(|&ty| seen.insert(ty));
                    work.extend(parts);
                }
                _ => {}
            }
        }
        false
    }
}
