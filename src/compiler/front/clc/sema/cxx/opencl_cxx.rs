//! OpenCL C++ 1.0: what its headers (`pp/headers`) need of the compiler.
//!
//! Functions of OpenCL C are there only where a header has declared them (`__opencl_c a, b;`) or calls
//! them by a name that it composes (`__opencl_c("convert_", T)(x)`). A class of namespace `cl` that
//! consists of one pointer, image or other handle ("wrapper") is that handle as a kernel's parameter.

use super::super::Sema;
use super::super::decl::Variable;
use super::super::operand::Operand;
use super::super::scope::{Entity, SpaceId};
use super::super::tree::{CmpOp, Expr, ExprKind, LocalId, Place, PlaceKind, Stmt, StmtKind};
use super::super::types::{Prim, QualTy, RecordId, Ty, TypeKind};
use super::expr_stmt;
use super::parameters::Given;
use crate::front::clc::builtins;
use crate::front::clc::syntax::ast::{self, Name};
use crate::front::clc::syntax::cxx::ast::{BuiltinPart, QName};
use crate::ir::Space;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// The namespace of the headers.
    fn cl_space(&self) -> Option<SpaceId> {
        match self.scopes.find_own(super::GLOBAL, "cl")?.entity {
            Entity::Namespace(space) => Some(space),
            _ => None,
        }
    }

    /// Within the namespace of the headers.
    pub fn in_cl(&self) -> bool {
        if !self.opts.is_opencl_cxx() {
            return false;
        }
        let mut space = Some(self.here());
        let cl = self.cl_space();
        while let Some(at) = space {
            if Some(at) == cl {
                return true;
            }
            space = self.scopes.spaces[at.0 as usize].parent;
        }
        false
    }

    /// A header declares the name as OpenCL C's. `only`: no other function of the name has been found.
    pub(super) fn imports_builtin(&self, name: &str, only: bool) -> bool {
        if only {
            let found = self.scopes.find(name).map(|s| s.entity);
            if matches!(found, Some(Entity::Function)) {
                return true;
            }
        }
        let Some(space) = self.cl_space() else {
            return false;
        };
        let declared = self.scopes.find_own(space, name).map(|s| s.entity);
        let global = &self.scopes.spaces[super::GLOBAL.0 as usize];
        matches!(declared, Some(Entity::Function)) && !only && global.more.contains(&space)
    }

    /// A name that nothing declares is called.
    pub(super) fn undeclared_builtin(&mut self, name: &Name, loc: SourceLoc) {
        if self.lost.contains(name) {
            return;
        }
        let why = match builtins::is_builtin(name) || &**name == "printf" {
            true => "; it is declared in namespace 'cl' by a header of the standard library".into(),
            false => self.meant(name, self.scopes.names()),
        };
        self.error(loc, format!("use of undeclared identifier '{name}'{why}"));
    }

    /// `__opencl_c("name", parts)(arguments)`
    pub(super) fn call_composed(
        &mut self,
        parts: &[BuiltinPart],
        args: &[ast::Expr],
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Operand {
        let Some(name) = self.composed_name(parts, loc) else {
            return self.error_operand(loc);
        };
        let args = self.stashed_args(args);
        // OpenCL C has no vectors of bool.
        if let Some(to) = name
            .strip_prefix("convert_")
            .and_then(Prim::split_vector_name)
            && let [arg] = &args[..]
        {
            let value = self.expr(arg);
            if let Some(from) = self.types.arith(value.ty)
                && (from.prim == Prim::Bool || to.0 == Prim::Bool)
                && from.lanes == to.1
            {
                let ty = self.types.of_arith(from.with_prim(to.0));
                let kind = ExprKind::Convert(Box::new(value));
                return Operand::Value(Expr::new(kind, ty, loc));
            }
        }
        Operand::Value(self.builtin_call(&name.into(), &args, begin, loc))
    }

    fn composed_name(&mut self, parts: &[BuiltinPart], loc: SourceLoc) -> Option<String> {
        let mut name = String::new();
        for part in parts {
            match part {
                BuiltinPart::Text(text) => name += text,
                BuiltinPart::Choice(texts, number) => {
                    let number = self.part_number(number)?;
                    name += texts.get(number as usize)?;
                }
                BuiltinPart::Number(number) => name += &self.part_number(number)?.to_string(),
                BuiltinPart::Type(ty) => {
                    let ty = self.type_name(ty).ty;
                    let ty = self.types.referent(ty).map_or(ty, |to| to.ty);
                    if self.types.is_error(ty) {
                        return None;
                    }
                    let Some(arith) = self.types.arith(ty) else {
                        let shown = self.types.show(ty);
                        self.error(loc, format!("{shown} is not a scalar or vector type"));
                        return None;
                    };
                    name += arith.prim.name();
                    if arith.is_vector() {
                        name += &arith.lanes.to_string();
                    }
                }
            }
        }
        Some(name)
    }

    fn part_number(&mut self, e: &ast::Expr) -> Option<u64> {
        let value = self.constant_expr(e);
        self.integer_constant(&value)
    }

    /// The object is one of OpenCL C++'s storage classes: `global<T>` is T in that address space.
    pub(super) fn in_space(&self, object: &Operand) -> bool {
        self.opts.is_opencl_cxx()
            && matches!(object, Operand::Place(_, quals) if quals.space != Space::Generic)
    }

    /// `object.ptr()`: a pointer class for the object's space.
    pub(super) fn explicit_pointer(
        &mut self,
        object: Operand,
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Operand {
        let space = self.cl_space();
        let found = space.and_then(|space| self.scopes.find_own(space, "__cl_ptr"));
        let Some(Entity::Functions(set)) = found.map(|s| s.entity) else {
            self.error(begin, "'ptr' needs the header <opencl_memory>");
            return self.error_operand(loc);
        };
        let candidates = self.callees_of(set);
        let args = [self.stash(object, begin)];
        self.call_set(
            &"ptr".into(),
            candidates,
            None,
            None,
            &args,
            false,
            begin,
            loc,
        )
    }

    /// A variable in local memory that has to be given a value.
    pub(super) fn constructs_local(&self, v: &Variable) -> bool {
        let class = self.class_of(self.types.innermost(v.spec.ty));
        self.opts.is_opencl_cxx()
            && v.spec.space == Some(Space::Local)
            && (v.init.is_some() || class.is_some_and(|c| !c.trivial_default || !c.trivial_destroy))
    }

    /// One work-item constructs the object, and the others wait.
    pub(super) fn local_object(&mut self, v: Variable, out: &mut Vec<Stmt>) {
        let loc = v.loc;
        let class = self.class_of(self.types.innermost(v.spec.ty));
        let problem = match (&self.cur, v.init) {
            (None, _) => Some("a local variable at program scope cannot be initialized"),
            _ if class.is_some_and(|c| !c.trivial_destroy) => {
                Some("objects in local memory that have destructors are not supported")
            }
            _ => None,
        };
        if let Some(problem) = problem {
            self.error(loc, problem);
            self.scopes.declare(v.name, Entity::Error, loc);
            return;
        }
        let (name, init) = (v.name.clone(), v.init);
        self.variable(Variable { init: None, ..v });
        let Some(Entity::Global(id)) = self.scopes.find(&name).map(|s| s.entity) else {
            return;
        };
        let quals = self.global_quals[id.0 as usize];
        let Operand::Place(place, _) = self.global_place(id, loc) else {
            return;
        };
        let mut made = Vec::new();
        match (self.types.record_id(quals.ty), init) {
            (Some(class), init) => {
                let args = match init {
                    None => Some(Vec::new()),
                    Some(init) => self.init_arguments(init),
                };
                let Some(args) = args else { return };
                if let Some(e) = self.construct_at(place, class, args, false, init.is_some(), loc) {
                    let e = self.full_expression(e);
                    made.push(expr_stmt(e));
                }
            }
            (None, None) => self.default_construct(place, quals.ty, loc, &mut made),
            (None, Some(init)) if self.types.element(quals.ty).is_some() => {
                self.array_of_objects(place, quals, init, loc, &mut made);
            }
            (None, Some(init)) => {
                let value = self.scalar_init(quals, init, loc);
                let value = self.full_expression(value);
                let assign = ExprKind::Assign(place, Box::new(value));
                made.push(expr_stmt(Expr::new(assign, quals.ty, loc)));
            }
        }
        let item = self.builtin_call(&"get_local_linear_id".into(), &[], loc, loc);
        let zero = self.zero(item.ty, loc);
        let int = self.types.int();
        let is_first = ExprKind::Compare(CmpOp::Eq, Box::new(item), Box::new(zero));
        out.push(Stmt {
            kind: StmtKind::If(Expr::new(is_first, int, loc), made, Vec::new()),
            loc,
        });
        let flags = self.int_const(1, Prim::UInt, loc);
        let flags = [self.stash(Operand::Value(flags), loc)];
        let barrier = self.builtin_call(&"barrier".into(), &flags, loc, loc);
        out.push(expr_stmt(barrier));
    }

    /// The handle that an object of a class of namespace `cl` consists of.
    pub(super) fn wrapped(&mut self, ty: Ty, loc: SourceLoc) -> Option<QualTy> {
        if !self.opts.is_opencl_cxx() {
            return None;
        }
        let parent = self.class_of(ty)?.parent;
        if Some(parent) != self.cl_space() {
            return None;
        }
        self.complete(ty, loc);
        let record = self.types.record(self.types.record_id(ty)?);
        let mut fields = record.fields.as_deref()?.iter();
        let field = fields.find(|f| self.types.leaf_bytes(f.ty.ty) > 0)?;
        if field.offset > 0 || fields.len() > 0 {
            return None;
        }
        let is_handle = matches!(
            self.types.kind(field.ty.ty),
            TypeKind::Pointer(_)
                | TypeKind::Image(_)
                | TypeKind::Sampler
                | TypeKind::Pipe(..)
                | TypeKind::Queue
        );
        is_handle.then_some(field.ty)
    }

    /// Objects that are images have no addresses.
    pub(super) fn note_handle(&mut self, id: RecordId, loc: SourceLoc) {
        if !self.in_cl() {
            return;
        }
        let ty = self.record_type(id);
        let handle = self.wrapped(ty, loc).map(|field| field.ty);
        if let Some(handle) = handle.filter(|&ty| matches!(self.types.kind(ty), TypeKind::Image(_)))
        {
            self.types.handles.insert(ty, handle);
        }
    }

    /// The image that a value of such a class is.
    pub(super) fn handle_of(&self, value: &Expr) -> Option<Expr> {
        self.types.handles.get(&value.ty)?;
        match &value.kind {
            ExprKind::Load(Place {
                kind: PlaceKind::Deref(handle),
                ..
            }) => Some((**handle).clone()),
            _ => None,
        }
    }

    /// `image[coordinates] = color`
    pub(super) fn texel_assigned(
        &mut self,
        to: &ast::Expr,
        from: &ast::Expr,
        loc: SourceLoc,
    ) -> Option<Operand> {
        let ast::ExprKind::Index(base, index) = &to.kind else {
            return None;
        };
        // Only images in variables can be written.
        if self.types.handles.is_empty() || !matches!(base.kind, ast::ExprKind::Ident(_)) {
            return None;
        }
        let image = self.operand(base);
        let ty = self.operand_type(&image).ty;
        self.types.handles.get(&ty)?;
        let base = self.stash(image, base.begin());
        let write = QName::plain("write".into(), to.loc);
        let args = [(**index).clone(), from.clone()];
        Some(self.call_member(&base, false, &write, &args, loc))
    }

    /// What the application sets for a kernel's parameter.
    pub(super) fn kernel_param(&mut self, ty: QualTy, loc: SourceLoc) -> QualTy {
        match self.wrapped(ty.ty, loc) {
            Some(handle) => QualTy {
                is_const: false,
                ..handle
            },
            None => ty,
        }
    }

    /// How a parameter of a function or kernel is passed.
    pub(super) fn passed_type(&mut self, ty: QualTy, is_kernel: bool, loc: SourceLoc) -> QualTy {
        let ty = match is_kernel {
            true => self.kernel_param(ty, loc),
            false => ty,
        };
        self.lowered(ty)
    }

    /// Makes the objects that the body of a kernel has as its parameters.
    pub(super) fn wrap_params(&mut self, given: &[Given], out: &mut Vec<Stmt>) {
        for (number, g) in given.iter().enumerate() {
            let loc = g.tree.declarator.loc;
            let Some(handle) = self.wrapped(g.ty.ty, loc) else {
                continue;
            };
            if self.types.handles.contains_key(&g.ty.ty) {
                continue;
            }
            let from = LocalId(number as u32);
            let name = g.tree.declarator.name.clone().unwrap_or_default();
            let align = self.types.align(g.ty.ty);
            let Some(f) = &mut self.cur else { return };
            f.quals[number] = QualTy::plain(handle.ty);
            let id = f.new_local(name.clone(), g.ty, align, loc);
            let place = |kind, ty| Place::private(kind, ty, align, loc);
            let value = Expr::new(
                ExprKind::Load(place(PlaceKind::Local(from), handle.ty)),
                handle.ty,
                loc,
            );
            let object = place(PlaceKind::Local(id), g.ty.ty);
            let field = place(PlaceKind::Field(Box::new(object), 0), handle.ty);
            out.push(Stmt {
                kind: StmtKind::Local(id, None),
                loc,
            });
            let assign = ExprKind::Assign(field, Box::new(value));
            out.push(expr_stmt(Expr::new(assign, handle.ty, loc)));
            if !name.is_empty() {
                self.scopes.declare(name, Entity::Local(id), loc);
            }
        }
    }
}
