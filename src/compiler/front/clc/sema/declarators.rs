//! Declarators and type names: pointers, arrays and functions around a base type.

use super::Sema;
use super::scope::{Entity, Scope, Spec};
use super::types::{FunctionTy, MAX_TYPE_SIZE, Prim, QualTy, Ty, TypeKind};
use crate::front::clc::syntax::ast::{
    DeclPart, DeclSpecs, Declarator, Expr, Param, TypeName, TypeSpec,
};
use crate::ir::Space;
use crate::source::SourceLoc;

/// A function's parameters.
#[derive(Default)]
pub struct Params {
    /// With qualifiers.
    pub types: Vec<QualTy>,
    /// With the tags that the list declares.
    pub scope: Scope,
}

impl Sema<'_> {
    /// The type of a cast, sizeof or compound literal.
    pub fn type_name(&mut self, name: &TypeName) -> Spec {
        let base = self.specs(&name.specs);
        self.declarator(base, &name.declarator)
    }

    /// The type that the declarator makes of `base`.
    pub fn declarator(&mut self, base: Spec, declarator: &Declarator) -> Spec {
        self.function_declarator(base, declarator).0
    }

    /// The same, and the parameters if it declares a function.
    pub fn function_declarator(&mut self, base: Spec, declarator: &Declarator) -> (Spec, Params) {
        let mut spec = self.vector_attributes(base, &declarator.attributes);
        let mut own_params = Params::default();
        // The part next to the name is the outermost part of the type.
        for part in declarator.parts.iter().rev() {
            spec = match part {
                DeclPart::Pointer(quals, _) => {
                    let mut pointer = self.pointer_to(spec, declarator.loc);
                    self.apply_quals(&mut pointer, quals, declarator.loc);
                    pointer
                }
                DeclPart::Array(size, _) => self.array_of(spec, size.as_deref(), declarator),
                DeclPart::Reference(is_rvalue) => {
                    self.reference_to(spec, *is_rvalue, declarator.loc)
                }
                DeclPart::Member(class, quals) => {
                    let mut pointer = self.member_pointer_to(spec, class, declarator.loc);
                    self.apply_quals(&mut pointer, quals, declarator.loc);
                    pointer
                }
                DeclPart::Function {
                    params, variadic, ..
                } => {
                    let real = self.real_params(params);
                    self.scopes.push_prototype();
                    own_params.types = match real.iter().any(|p| p.is_pack) {
                        true => self.given_types(params),
                        false => real.iter().map(|p| self.param_type(p)).collect(),
                    };
                    own_params.scope = self.scopes.pop();
                    // The one function with variable arguments: programs may declare it again.
                    let variadic = *variadic && declarator.name.as_deref() != Some("printf");
                    self.function_returning(spec, &own_params.types, variadic, declarator.loc)
                }
                DeclPart::Block(quals) => {
                    let mut block = self.block_of(spec, declarator.loc);
                    self.apply_quals(&mut block, quals, declarator.loc);
                    block
                }
            };
        }
        (spec, own_params)
    }

    pub fn pointer_to(&mut self, to: Spec, loc: SourceLoc) -> Spec {
        if self.types.is_error(to.ty) {
            return Spec::plain(to.ty);
        }
        let refused = match self.types.kind(to.ty) {
            TypeKind::Function(_) => "pointers to functions are not allowed".to_string(),
            TypeKind::Pipe(..) => "pipes packet types cannot be of reference type".to_string(),
            TypeKind::Image(_) | TypeKind::Sampler | TypeKind::Block(_) => format!(
                "pointer to type {} is invalid in OpenCL",
                self.types.show(to.ty)
            ),
            _ => {
                let to = to.object(self.features.default_pointee());
                return Spec::plain(self.types.pointer(to));
            }
        };
        self.error(loc, refused);
        Spec::plain(self.types.error())
    }

    fn array_of(&mut self, elem: Spec, size: Option<&Expr>, declarator: &Declarator) -> Spec {
        let len = match size {
            Some(size) => match self.array_length(size, declarator) {
                Some(len) => Some(len),
                None => return Spec::plain(self.types.error()),
            },
            None => None,
        };
        if self.types.is_error(elem.ty) {
            return elem;
        }
        self.complete(elem.ty, declarator.loc);
        let name = declarator.name.as_deref().unwrap_or("(unnamed)");
        let refused = match self.types.kind(elem.ty) {
            TypeKind::Function(_) => Some(format!(
                "'{name}' declared as array of functions of type {}",
                self.types.show(elem.ty)
            )),
            TypeKind::Image(_) | TypeKind::Pipe(..) | TypeKind::Sampler | TypeKind::Block(_) => {
                Some(format!(
                    "array of {} type is invalid in OpenCL",
                    self.types.show(elem.ty)
                ))
            }
            _ if !self.types.is_complete(elem.ty) => Some(format!(
                "array has incomplete element type {}",
                self.types.show(elem.ty)
            )),
            _ => None,
        };
        if let Some(message) = refused {
            self.error(declarator.loc, message);
            return Spec::plain(self.types.error());
        }
        if let (Some(len), Some(size)) = (len, size)
            && self
                .types
                .size(elem.ty)
                .checked_mul(len)
                .is_none_or(|n| n > MAX_TYPE_SIZE)
        {
            let message = format!("array is too large ({len} elements)");
            self.error(size.begin(), message);
            return Spec::plain(self.types.error());
        }
        // The space belongs to the array; equal arrays are one type wherever they lie.
        let part = elem.object(Space::Private).in_space(Space::Private);
        let ty = self.types.intern(TypeKind::Array(part, len));
        Spec {
            ty,
            space: elem.space,
            is_const: elem.is_const,
            is_volatile: elem.is_volatile,
            is_restrict: false,
            aligned: 0,
            host_sized: elem.host_sized,
        }
    }

    fn array_length(&mut self, size: &Expr, declarator: &Declarator) -> Option<u64> {
        let value = match self.cxx.is_some() {
            true => self.constant_expr(size),
            false => self.expr(size),
        };
        if self.is_error(&value) {
            return None;
        }
        if !self.types.is_integer(value.ty) {
            let text = self.types.show(value.ty);
            self.error(
                size.begin(),
                format!("size of array has non-integer type {text}"),
            );
            return None;
        }
        let signed = self.types.scalar(value.ty).is_some_and(Prim::is_signed);
        let Some(bits) = self.integer_constant(&value) else {
            self.error(
                size.begin(),
                "variable length arrays are not supported in OpenCL",
            );
            return None;
        };
        if signed && (bits as i64) < 0 {
            let name = declarator.name.as_deref();
            let message = match name {
                Some(name) => format!("'{name}' declared as an array with a negative size"),
                None => "array size is negative".to_string(),
            };
            self.error(size.begin(), message);
            return None;
        }
        Some(bits)
    }

    fn function_returning(
        &mut self,
        ret: Spec,
        params: &[QualTy],
        variadic: bool,
        loc: SourceLoc,
    ) -> Spec {
        let params: Vec<Ty> = params.iter().map(|p| p.ty).collect();
        let mut error =
            self.types.is_error(ret.ty) || params.iter().any(|&p| self.types.is_error(p));
        let message = match self.types.kind(ret.ty) {
            TypeKind::Array(..) => Some(format!(
                "function cannot return array type {}",
                self.types.show(ret.ty)
            )),
            TypeKind::Function(_) => Some(format!(
                "function cannot return function type {}",
                self.types.show(ret.ty)
            )),
            TypeKind::Image(_)
            | TypeKind::Pipe(..)
            | TypeKind::Sampler
            | TypeKind::Block(_) => Some(format!(
                "declaring function return value of type {} is not allowed",
                self.types.show(ret.ty)
            )),
            TypeKind::Scalar(Prim::Half) if !self.features.fp16 => Some(
                "declaring function return value of type 'half' is not allowed without cl_khr_fp16 support"
                    .to_string(),
            ),
            _ if ret.space.is_some() => {
                Some("return value cannot be qualified with address space".to_string())
            }
            _ if variadic => {
                Some("invalid prototype, variadic arguments are not allowed in OpenCL".to_string())
            }
            _ => None,
        };
        if let Some(message) = message {
            self.error(loc, message);
            error = true;
        }
        if error {
            return Spec::plain(self.types.error());
        }
        Spec::plain(self.types.intern(TypeKind::Function(FunctionTy {
            ret: ret.ty,
            params,
            variadic,
        })))
    }

    /// `(void)` is no parameter, under whatever name.
    pub fn real_params<'p>(&self, params: &'p [Param]) -> &'p [Param] {
        let [only] = params else {
            return params;
        };
        let is_void = match only.specs.types.as_slice() {
            [(TypeSpec::Builtin(word), _)] => &**word == "void",
            [(TypeSpec::Typedef(name), _)] => match self.scopes.find(name).map(|s| s.entity) {
                Some(Entity::Typedef(spec)) => self.types.is_void(spec.ty),
                _ => false,
            },
            _ => false,
        };
        let abstract_ = only.declarator.name.is_none() && only.declarator.parts.is_empty();
        if is_void && abstract_ { &[] } else { params }
    }

    /// A parameter's type: arrays are pointers, qualifiers of the parameter itself kept.
    pub fn param_type(&mut self, param: &Param) -> QualTy {
        let loc = declarator_loc(&param.declarator, &param.specs);
        let base = self.specs(&param.specs);
        let spec = self.declarator(base, &param.declarator);
        if let Some((elem, _)) = self.types.element(spec.ty) {
            // Qualifiers of an array are those of its elements, also where a typedef names it.
            let to = spec.object(self.features.default_pointee()).part(elem);
            return QualTy::plain(self.types.pointer(to));
        }
        if self.types.is_error(spec.ty) {
            return QualTy::plain(spec.ty);
        }
        let message = match self.types.kind(spec.ty) {
            TypeKind::Function(_) => "pointers to functions are not allowed".to_string(),
            TypeKind::Block(_) => format!(
                "declaring function parameter of type {} is not allowed",
                self.types.show(spec.ty)
            ),
            TypeKind::Void => "argument may not have 'void' type".to_string(),
            TypeKind::Scalar(Prim::Half) if !self.features.fp16 => {
                "declaring function parameter of type 'half' is not allowed without cl_khr_fp16 support; did you forget * ?"
                    .to_string()
            }
            _ if !self.types.is_complete(spec.ty) => {
                format!("variable has incomplete type {}", self.types.show(spec.ty))
            }
            _ if spec.space.is_some_and(|s| s != Space::Private) => {
                "parameter may not be qualified with an address space".to_string()
            }
            _ => return spec.object(Space::Private),
        };
        self.error(loc, message);
        QualTy::plain(self.types.error())
    }

    /// A type that objects may have; reports and gives the error type otherwise.
    pub fn object_type(&mut self, ty: Ty, loc: SourceLoc) -> Ty {
        if self.types.is_error(ty) || self.types.is_complete(ty) {
            return ty;
        }
        let text = self.types.show(ty);
        self.error(loc, format!("variable has incomplete type {text}"));
        self.types.error()
    }
}

/// The name's place, or that of the specifiers for an abstract declarator.
pub fn declarator_loc(declarator: &Declarator, specs: &DeclSpecs) -> SourceLoc {
    if declarator.name.is_some() {
        declarator.loc
    } else {
        specs.loc
    }
}
