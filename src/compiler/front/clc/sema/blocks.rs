//! Blocks (OpenCL C 6.14). A block is a function whose first parameter is a record with what it has captured; which function
//! a block variable means is known where it is used. The messages are clang's.

use std::collections::HashMap;

use super::Sema;
use super::expr_call::Argument;
use super::operand::Operand;
use super::scope::{Entity, FnState, Spec};
use super::tree::{
    Expr, ExprKind, FnId, Init, InitStore, LocalId, Place, PlaceKind, Stmt, StmtKind,
};
use super::types::{Field, FunctionTy, QualTy, RecordDef, RecordId, Ty, TypeKind};
use crate::front::clc::builtins::conditions;
use crate::front::clc::syntax::ast::{self, DeclPart, Initializer, Name, Param, TypeName};
use crate::kernel::Role;
use crate::options::Standard;
use crate::source::SourceLoc;

/// What a block's function knows of itself while its body is analysed.
#[derive(Debug)]
pub struct BlockState {
    /// The function in which the block stands.
    enclosing: Option<Box<FnState>>,
    /// The first scope of its own.
    depth: usize,
    /// The type of what it has captured.
    record: RecordId,
    /// By scope and number in there, the places of variables in `captured`.
    places: HashMap<(usize, LocalId), usize>,
    captured: Vec<Captured>,
    /// The type of the result is not written: it follows from the first return statement.
    pub infers: bool,
    returns: bool,
}

#[derive(Debug)]
struct Captured {
    name: Name,
    offset: u64,
    /// The variable's value, in the enclosing function.
    value: Expr,
}

/// The local variable of a block's function that has what the block has captured.
const CAPTURED: LocalId = LocalId(0);

impl Sema<'_> {
    /// Reports that the program's version has no blocks.
    pub fn lacks_blocks(&mut self, loc: SourceLoc) -> bool {
        let has = conditions::has("__opencl_c_device_enqueue", self.target);
        let lacks = self.opts.standard < Standard::Cl20 || !has;
        if lacks {
            let text = "blocks support disabled - compile for OpenCL C 2.0 or OpenCL C 3.0 with \
                        __opencl_c_device_enqueue feature";
            self.error(loc, text);
        }
        lacks
    }

    /// The type of a block with the type of its function.
    pub fn block_of(&mut self, function: Spec, loc: SourceLoc) -> Spec {
        if self.types.is_error(function.ty) || self.lacks_blocks(loc) {
            return Spec::plain(self.types.error());
        }
        let TypeKind::Function(ty) = self.types.kind(function.ty).clone() else {
            self.error(loc, "block pointer to non-function type is invalid");
            return Spec::plain(self.types.error());
        };
        Spec::plain(self.types.intern(TypeKind::Block(ty)))
    }

    /// `^type(parameters) { ... }`
    pub fn block_literal(
        &mut self,
        ty: Option<&TypeName>,
        params: &[Param],
        body: &ast::Block,
        loc: SourceLoc,
    ) -> Operand {
        if self.lacks_blocks(loc) {
            return self.error_operand(loc);
        }
        let (ret, params, list, scope) = match ty {
            Some(name) => {
                let base = self.specs(&name.specs);
                let (spec, own) = self.function_declarator(base, &name.declarator);
                match (self.types.kind(spec.ty), name.declarator.parts.first()) {
                    (TypeKind::Function(f), Some(DeclPart::Function { params, .. })) => {
                        (Some(f.ret), own.types, &params[..], own.scope)
                    }
                    _ => (Some(spec.ty), Vec::new(), &[][..], own.scope),
                }
            }
            None => {
                self.scopes.push_prototype();
                let real = self.real_params(params);
                let types = real.iter().map(|p| self.param_type(p)).collect();
                (None, types, real, self.scopes.pop())
            }
        };
        let list = self.real_params(list);
        let errors = self.sink.error_count();
        let void = self.types.void();
        let outer = self.current_function().cloned().unwrap_or_default();
        let name = format!("{outer}.block{}", self.functions.len());
        let record = self.types.new_record(RecordDef {
            fields: Some(Vec::new()),
            align: 4,
            ..RecordDef::declared(Some("captured".into()), false)
        });
        let captured = QualTy::plain(self.types.intern(TypeKind::Record(record)));
        let mut ty = FunctionTy {
            ret: ret.unwrap_or(void),
            params: std::iter::once(captured)
                .chain(params.iter().copied())
                .map(|q| q.ty)
                .collect(),
            variadic: false,
        };
        let id = self.add_function(name.into(), ty.clone(), false, loc);
        let contract = self.cur.as_ref().map_or(self.contract, |f| f.contract);
        let mut state = Box::new(FnState::new(id, false, ty.ret, contract));
        state.new_local(".captured".into(), captured, 4, loc);
        state.block = Some(Box::new(BlockState {
            enclosing: self.cur.take(),
            depth: self.scopes.stack.len(),
            record,
            places: HashMap::new(),
            captured: Vec::new(),
            infers: ret.is_none(),
            returns: false,
        }));
        self.cur = Some(state);
        self.scopes.push_body(scope);
        self.declare_params(&params, list, loc);
        let stmts = self.stmts(&body.items);
        self.scopes.pop();
        self.check_labels();
        let Some(mut state) = self.cur.take() else {
            return self.error_operand(loc);
        };
        ty.ret = state.ret;
        let sound = self.sink.error_count() == errors;
        if sound {
            self.check_return(ty.ret, &stmts, body.end);
        }
        let Some(block) = state.block.take() else {
            return self.error_operand(loc);
        };
        self.cur = block.enclosing;
        let align = self.close_record(record, &block.captured);
        state.locals[0].align = align;
        self.finish_function(*state, ty.params.len(), sound.then_some(stmts));
        self.functions[id.0 as usize].ret = ty.ret;
        self.fns[id.0 as usize].ty = ty.clone();
        self.fns[id.0 as usize].defined = true;
        ty.params.remove(0);
        let ty = self.types.intern(TypeKind::Block(ty));
        if !sound {
            return self.error_operand(loc);
        }
        let value = self.captured_object(captured, block.captured, loc);
        Operand::Value(Expr::new(ExprKind::Block(id, Box::new(value)), ty, loc))
    }

    /// Lays out what a block has captured. Returns its alignment.
    fn close_record(&mut self, record: RecordId, captured: &[Captured]) -> u64 {
        let mut fields = Vec::new();
        let (mut size, mut align) = (0, 4);
        for one in captured {
            let ty = one.value.ty;
            align = align.max(self.types.align(ty));
            size = one.offset + self.types.size(ty);
            fields.push(Field {
                name: Some(one.name.clone()),
                ty: QualTy::plain(ty),
                offset: one.offset,
            });
        }
        let def = &mut self.types.records[record.0 as usize];
        def.fields = Some(fields);
        // A kernel takes no argument without a size.
        def.size = size.max(1).next_multiple_of(align);
        def.leaf = def.size;
        def.align = align;
        align
    }

    /// An object that gets what the block captures each time the literal is evaluated.
    fn captured_object(&mut self, quals: QualTy, captured: Vec<Captured>, loc: SourceLoc) -> Expr {
        let align = self.types.align(quals.ty);
        let stores = captured.into_iter().map(|one| InitStore {
            offset: one.offset,
            value: one.value,
            repeats: Vec::new(),
        });
        let init = Init::Aggregate {
            zero: true,
            stores: stores.collect(),
        };
        let in_function = self.current_function().is_some();
        let Some(f) = self.cur.as_mut().filter(|_| in_function) else {
            // At program scope nothing is captured: an object is made where the block is used.
            return Expr::new(ExprKind::Const(0), quals.ty, loc);
        };
        let id = f.new_local("".into(), quals, align, loc);
        self.captured_in(PlaceKind::Literal(id, init), quals.ty, loc)
    }

    fn captured_in(&self, kind: PlaceKind, ty: Ty, loc: SourceLoc) -> Expr {
        let place = Place::private(kind, ty, self.types.align(ty), loc);
        Expr::new(ExprKind::Load(place), ty, loc)
    }

    /// A variable of a function: of the one that is analysed, or of one around it, from which it is captured.
    pub fn local_or_captured(
        &mut self,
        depth: usize,
        id: LocalId,
        loc: SourceLoc,
        name: &Name,
    ) -> Operand {
        let Some(f) = &mut self.cur else {
            return self.error_operand(loc);
        };
        let Some(block) = f.block.as_mut().filter(|block| depth < block.depth) else {
            return self.local_place(id, loc);
        };
        let record = block.record;
        let known = block.places.get(&(depth, id)).copied();
        let index = match known {
            Some(index) => index,
            None => {
                let Some(value) = self.in_enclosing(|s| {
                    let outer = s.local_or_captured(depth, id, loc, name);
                    s.value_of(outer)
                }) else {
                    return self.error_operand(loc);
                };
                if self.is_error(&value) {
                    return self.error_operand(loc);
                }
                let refused = matches!(
                    self.types.kind(value.ty),
                    TypeKind::Image(_) | TypeKind::Sampler | TypeKind::Event
                );
                if refused {
                    let shown = self.types.show(value.ty);
                    let text = format!("a block cannot capture variable '{name}' of type {shown}");
                    self.error(loc, text);
                    return self.error_operand(loc);
                }
                let align = self.types.align(value.ty);
                let size = |e: &Expr| self.types.size(e.ty);
                let Some(block) = self.cur.as_ref().and_then(|f| f.block.as_ref()) else {
                    return self.error_operand(loc);
                };
                let end = block
                    .captured
                    .last()
                    .map_or(0, |last| last.offset + size(&last.value));
                let captured = Captured {
                    name: name.clone(),
                    offset: end.next_multiple_of(align),
                    value,
                };
                let Some(block) = self.cur.as_mut().and_then(|f| f.block.as_mut()) else {
                    return self.error_operand(loc);
                };
                block.captured.push(captured);
                block.places.insert((depth, id), block.captured.len() - 1);
                block.captured.len() - 1
            }
        };
        let block = self.cur.as_ref().and_then(|f| f.block.as_ref());
        let Some(one) = block.and_then(|block| block.captured.get(index)) else {
            return self.error_operand(loc);
        };
        let (ty, offset) = (one.value.ty, one.offset);
        let record = self.types.intern(TypeKind::Record(record));
        let align = self.types.align(ty);
        let place = |kind, ty| Place::private(kind, ty, align, loc);
        let all = place(PlaceKind::Local(CAPTURED), record);
        let quals = QualTy {
            is_const: true,
            ..QualTy::plain(ty)
        };
        Operand::Place(place(PlaceKind::Field(Box::new(all), offset), ty), quals)
    }

    /// Analyses in the function around the block.
    fn in_enclosing<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let mut inner = self.cur.take()?;
        let block = inner.block.as_mut()?;
        self.cur = block.enclosing.take();
        let value = f(self);
        if let Some(block) = &mut inner.block {
            block.enclosing = self.cur.take();
        }
        self.cur = Some(inner);
        Some(value)
    }

    /// A block variable's name.
    pub fn block_variable_value(
        &mut self,
        depth: usize,
        function: FnId,
        captured: Option<LocalId>,
        loc: SourceLoc,
    ) -> Operand {
        let mut ty = self.fns[function.0 as usize].ty.clone();
        let record = ty.params.remove(0);
        let block = self.cur.as_ref().and_then(|f| f.block.as_ref());
        if captured.is_some() && block.is_some_and(|block| depth < block.depth) {
            self.error(loc, "cannot refer to a block inside block");
            return self.error_operand(loc);
        }
        let value = match captured {
            Some(id) => self.captured_in(PlaceKind::Local(id), record, loc),
            None => self.captured_object(QualTy::plain(record), Vec::new(), loc),
        };
        let ty = self.types.intern(TypeKind::Block(ty));
        Operand::Value(Expr::new(
            ExprKind::Block(function, Box::new(value)),
            ty,
            loc,
        ))
    }

    /// The declaration of a block variable, which is what it is initialised with.
    pub fn block_variable(
        &mut self,
        name: Name,
        ty: Ty,
        is_static: bool,
        init: Option<&Initializer>,
        loc: SourceLoc,
    ) -> Option<Stmt> {
        self.check_redefinition(&name, loc);
        let Some(Initializer::Expr(init)) = init else {
            self.error(
                loc,
                "invalid block variable declaration - must be initialized",
            );
            self.scopes.declare(name, Entity::Error, loc);
            return None;
        };
        // In its own initialiser it is not there yet.
        let value = self.expr(init);
        let shown = self.types.show(value.ty);
        let (function, captured) = match value.kind {
            ExprKind::Block(function, captured) if value.ty == ty => (function, captured),
            _ => {
                if !self.types.is_error(value.ty) {
                    let to = self.types.show(ty);
                    let kind = match self.types.kind(value.ty) {
                        TypeKind::Block(_) => "block pointer types",
                        _ => "types",
                    };
                    let text = format!(
                        "incompatible {kind} initializing {to} with an expression of type {shown}"
                    );
                    self.error(loc, text);
                }
                self.scopes.declare(name, Entity::Error, loc);
                return None;
            }
        };
        let (entity, stmt) = match captured.kind {
            ExprKind::Load(Place {
                kind: PlaceKind::Literal(id, init),
                ..
            }) => {
                let captures =
                    matches!(&init, Init::Aggregate { stores, .. } if !stores.is_empty());
                if is_static && captures {
                    self.error(
                        init_loc(&init, loc),
                        "initializer element is not a compile-time constant",
                    );
                }
                let kind = StmtKind::Local(id, Some(init));
                match captures {
                    true => (Entity::Block(function, Some(id)), Some(Stmt { kind, loc })),
                    false => (Entity::Block(function, None), None),
                }
            }
            ExprKind::Load(Place {
                kind: PlaceKind::Local(id),
                ..
            }) => (Entity::Block(function, Some(id)), None),
            _ => (Entity::Block(function, None), None),
        };
        self.scopes.declare(name, entity, loc);
        stmt
    }

    /// A call of a block.
    pub fn block_call(
        &mut self,
        block: Expr,
        mut arguments: Vec<Argument>,
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Expr {
        let ExprKind::Block(function, captured) = block.kind else {
            return self.error_expr(loc);
        };
        let expected = self.fns[function.0 as usize].ty.params.len() - 1;
        if arguments.len() != expected {
            self.wrong_count("block", expected, &arguments, loc);
            return self.error_expr(loc);
        }
        arguments.insert(0, (Operand::Value(*captured), begin));
        self.call_function(function, arguments, begin, loc)
    }

    /// `return` in a block whose result's type is not written: the first says what it is.
    pub fn infer_return(&mut self, ty: Ty, loc: SourceLoc) {
        let Some(f) = &mut self.cur else { return };
        let Some(block) = &mut f.block else { return };
        if !std::mem::replace(&mut block.returns, true) {
            f.ret = ty;
        } else if f.ret != ty && !self.types.is_error(ty) {
            let (shown, first) = (self.types.show(ty), f.ret);
            let first = self.types.show(first);
            let text = format!(
                "return type {shown} must match previous return type {first} when block literal has unspecified explicit return type"
            );
            self.error(loc, text);
        }
    }

    /// Marks the block's function as a kernel.
    pub fn make_kernel(&mut self, function: FnId) {
        let kernel = &mut self.functions[function.0 as usize].kernel;
        kernel.get_or_insert_default().attributes.role = Role::Block;
    }
}

fn init_loc(init: &Init, otherwise: SourceLoc) -> SourceLoc {
    match init {
        Init::Aggregate { stores, .. } => stores.first().map_or(otherwise, |s| s.value.loc),
        _ => otherwise,
    }
}
