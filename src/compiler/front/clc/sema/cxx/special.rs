//! Special member functions: which a class has, and the bodies of those that are not written.

use super::super::Sema;
use super::super::operand::Operand;
use super::super::scope::Entity;
use super::super::tree::{Expr, ExprKind, FnId, Place, PlaceKind, Stmt, StmtKind};
use super::super::types::{Field, QualTy, RecordId, Ty, TypeKind};
use super::overload::Argument;
use super::{Body, Callee, Class, CxxFn, FnKind, Implicit, Method, Param, expr_stmt};
use crate::front::clc::syntax::ast::Name;
use crate::front::clc::syntax::cxx::ast::Access;
use crate::source::SourceLoc;

/// Elements of an array that are copied one by one.
const MAX_COPIED: u64 = 256;

impl Sema<'_> {
    /// Objects of a type, or arrays of them, need no constructor to begin.
    pub(super) fn begins_trivially(&self, ty: Ty) -> bool {
        let inner = self.types.innermost(ty);
        self.class_of(inner).is_none_or(|c| c.trivial_default)
    }

    /// Which special member function a defaulted one is.
    pub(super) fn defaulted(
        &self,
        kind: FnKind,
        name: &str,
        params: &[Param],
        class: Option<RecordId>,
    ) -> Option<Implicit> {
        let class = class?;
        let own = |q: QualTy| match *self.types.kind(q.ty) {
            TypeKind::Reference(to, is_rvalue) => {
                (self.types.record_id(to.ty) == Some(class)).then_some(is_rvalue)
            }
            _ => None,
        };
        match (kind, params) {
            (FnKind::Constructor, []) => Some(Implicit::Default),
            (FnKind::Constructor, [only]) => own(only.ty).map(Implicit::Copy),
            (FnKind::Destructor, []) => Some(Implicit::Destroy),
            (FnKind::Plain, [only]) if name == "operator=" => own(only.ty).map(Implicit::Assign),
            _ => None,
        }
    }

    /// Finds out what a class is, and declares the functions that it has without saying so.
    pub(super) fn finish_class(&mut self, id: RecordId, loc: SourceLoc) {
        let Some(class) = self.class(id).cloned() else {
            return;
        };
        let constructors = class
            .constructors
            .map(|s| self.callees_of(s))
            .unwrap_or_default();
        let mut has = [false; 5];
        const DEFAULT: usize = 0;
        const COPY: usize = 1;
        const MOVE: usize = 2;
        const ASSIGN: usize = 3;
        const MOVE_ASSIGN: usize = 4;
        let mut user_copy = false;
        let mut deleted_copy = false;
        for callee in &constructors {
            let Callee::Fn(f) = callee else { continue };
            let Some(f) = self.cxx_fn(*f).cloned() else {
                continue;
            };
            let written = !matches!(f.body, Body::Implicit(_));
            let least = f.params.iter().filter(|p| p.default.is_none()).count();
            if least == 0 {
                has[DEFAULT] = true;
            }
            if let Some(Implicit::Copy(is_move)) = self.defaulted(
                FnKind::Constructor,
                "",
                &f.params[..f.params.len().min(1)],
                Some(id),
            ) && least <= 1
            {
                has[if is_move { MOVE } else { COPY }] = true;
                user_copy |= written;
                deleted_copy |= f.is_deleted;
            }
        }
        let assignments = match self
            .scopes
            .find_own(class.space, "operator=")
            .map(|s| s.entity)
        {
            Some(Entity::Functions(set)) => self.callees_of(set),
            _ => Vec::new(),
        };
        for callee in &assignments {
            let Callee::Fn(f) = callee else { continue };
            let Some(f) = self.cxx_fn(*f).cloned() else {
                continue;
            };
            let written = !matches!(f.body, Body::Implicit(_));
            let by_value =
                f.params.len() == 1 && self.types.record_id(f.params[0].ty.ty) == Some(id);
            match self.defaulted(FnKind::Plain, "operator=", &f.params, Some(id)) {
                Some(Implicit::Assign(is_move)) => {
                    has[if is_move { MOVE_ASSIGN } else { ASSIGN }] = true;
                    user_copy |= written;
                }
                _ if by_value => {
                    has[ASSIGN] = true;
                    user_copy |= written;
                }
                _ => {}
            }
        }
        let fields: Vec<Field> = self.types.record(id).fields.clone().unwrap_or_default();
        let is_union = self.types.record(id).is_union;
        let (mut copies, mut destroys, mut defaults) = (true, true, class.inits.is_empty());
        // Of C++ 2003, but for what is defaulted: layouts go by it.
        let mut is_pod = defaults && class.bases.is_empty() && !user_copy;
        for field in &fields {
            let inner = self.types.innermost(field.ty.ty);
            if let Some(of) = self.class_of(inner) {
                copies &= of.trivial_copy;
                destroys &= of.trivial_destroy;
                defaults &= of.trivial_default;
                is_pod &= of.is_pod;
            }
            if self.types.referent(field.ty.ty).is_some() {
                (defaults, is_pod) = (false, false);
            }
        }
        if !is_union && self.x().depth == 0 {
            self.check_default(&class, &constructors, &fields);
        }
        let no_constructors = constructors.is_empty();
        // C++17: constructors that are deleted or defaulted in the class leave it an aggregate.
        let no_provided = constructors.iter().all(|c| match c {
            Callee::Fn(f) => self.cxx_fn(*f).is_some_and(|f| {
                !f.is_explicit && (f.is_deleted || matches!(f.body, Body::Implicit(_)))
            }),
            Callee::Template(_) => false,
        });
        let written_destructor = class.destructors.iter().any(|callee| match callee {
            Callee::Fn(id) => {
                let f = self.cxx_fn(*id);
                f.is_some_and(|f| !matches!(f.body, Body::Implicit(_)))
            }
            Callee::Template(_) => false,
        });
        if is_union && !(copies && destroys) {
            self.error(
                loc,
                "members of unions with constructors or destructors are not supported",
            );
        }
        let trivial_default_written = constructors.iter().any(|c| match c {
            Callee::Fn(f) => self
                .cxx_fn(*f)
                .is_some_and(|f| matches!(f.body, Body::Implicit(Implicit::Default))),
            Callee::Template(_) => false,
        });
        is_pod &= class.is_aggregate && !written_destructor;
        is_pod &= constructors.iter().all(|c| match c {
            Callee::Fn(f) => {
                let f = self.cxx_fn(*f);
                f.is_some_and(|f| matches!(f.body, Body::Implicit(_)))
            }
            Callee::Template(_) => false,
        });
        if is_pod {
            self.types.records[id.0 as usize].tail = 0;
        }
        let this = self.class_mut(id);
        this.is_pod = is_pod;
        this.is_aggregate &= no_provided && this.inherits.is_empty();
        this.trivial_default = defaults && (no_constructors || trivial_default_written);
        this.trivial_copy = copies && !user_copy && !deleted_copy;
        this.trivial_destroy = destroys && !written_destructor;
        this.complete = true;
        this.running = false;
        let trivial_copy = this.trivial_copy;
        if !destroys && class.destructors.is_empty() {
            let name = format!("~{}", self.short_name(id).unwrap_or_default());
            let f = self.implicit_function(id, &name, FnKind::Destructor, Implicit::Destroy, loc);
            self.class_mut(id).destructors.push(Callee::Fn(f));
        }
        let add = |s: &mut Self, kind: Implicit| {
            let name = s.short_name(id).unwrap_or_default();
            let f = s.implicit_function(id, &name, FnKind::Constructor, kind, loc);
            let set = match s.class_mut(id).constructors {
                Some(set) => set,
                None => {
                    let set = s.new_set();
                    s.class_mut(id).constructors = Some(set);
                    set
                }
            };
            s.x().sets[set as usize].members.push(Callee::Fn(f));
            f
        };
        if no_constructors && !(defaults) {
            let made = add(self, Implicit::Default);
            // No member of a union begins by itself.
            let named = self.types.record(id).name.is_some();
            if let Some(f) = self.x().fns.get_mut(&made) {
                f.is_deleted = is_union && named && class.inits.is_empty();
            }
        }
        self.add_inherited(id, loc);
        if !trivial_copy {
            // What is declared of these keeps others from being there.
            let moves = has[MOVE] || has[MOVE_ASSIGN];
            let any = moves || has[COPY] || has[ASSIGN] || !class.destructors.is_empty();
            for (is_move, missing) in [(false, !has[COPY] && !moves), (true, !any)] {
                if missing {
                    add(self, Implicit::Copy(is_move));
                }
            }
            for (is_move, missing) in [(false, !has[ASSIGN] && !moves), (true, !any)] {
                if !missing {
                    continue;
                }
                let kind = Implicit::Assign(is_move);
                let f = self.implicit_function(id, "operator=", FnKind::Plain, kind, loc);
                let name: Name = "operator=".into();
                if let Some(set) = self.set_in(class.space, &name, loc) {
                    self.x().sets[set as usize].members.push(Callee::Fn(f));
                }
            }
        }
    }

    pub(super) fn implicit_function(
        &mut self,
        class: RecordId,
        name: &str,
        kind: FnKind,
        implicit: Implicit,
        loc: SourceLoc,
    ) -> FnId {
        let ty = self.record_type(class);
        let generic = self.features.default_pointee();
        let this = QualTy {
            space: generic,
            ..QualTy::plain(ty)
        };
        let (params, ret) = match implicit {
            Implicit::Copy(is_move) | Implicit::Assign(is_move) => {
                let from = QualTy {
                    is_const: !is_move,
                    ..this
                };
                let from = self.types.intern(TypeKind::Reference(from, is_move));
                let param = Param {
                    ty: QualTy::plain(from),
                    default: None,
                };
                let ret = match implicit {
                    Implicit::Assign(_) => self.types.intern(TypeKind::Reference(this, false)),
                    _ => self.types.void(),
                };
                (vec![param], ret)
            }
            _ => (Vec::new(), self.types.void()),
        };
        let (space, env) = match self.class(class) {
            Some(c) => (c.space, c.env.clone()),
            None => (super::GLOBAL, self.env()),
        };
        let full = self.full_name(space, name);
        let text = format!("{full}({} {implicit:?})", self.types.spell(ty));
        let fn_ty = super::super::types::FunctionTy {
            ret,
            params: Vec::new(),
            variadic: false,
        };
        let id = self.add_function(text.into(), fn_ty, false, loc);
        let f = CxxFn {
            access: Access::Public,
            name: name.into(),
            full_name: full,
            params,
            ret,
            kind,
            method: Some(Method {
                this,
                reference: None,
            }),
            class: Some(class),
            slot: false,
            infers: false,
            is_explicit: false,
            is_deleted: false,
            is_constexpr: true,
            gives_null: false,
            is_noexcept: true,
            variadic: false,
            template: None,
            body: Body::Implicit(implicit),
            env,
            asked: None,
            parent: space,
            ready: false,
            is_static: false,
            loc,
        };
        self.x().fns.insert(id, f);
        id
    }

    /// The body of a function that is not written.
    pub(super) fn implicit_body(&mut self, id: FnId, f: &CxxFn, kind: Implicit) {
        let errors = self.sink.error_count();
        let loc = f.loc;
        self.begin_body(id, f);
        let mut out = Vec::new();
        match kind {
            Implicit::Default => self.member_inits(f, &[], None, &mut out),
            Implicit::Inherited(from) => self.inherited_body(f, from, &mut out),
            Implicit::Destroy => self.destroy_members(f, &mut out),
            Implicit::Copy(is_move) => self.copy_members(f, is_move, false, &mut out),
            Implicit::Assign(is_move) => {
                self.copy_members(f, is_move, true, &mut out);
                if let Some(this) = self.this_pointer(loc) {
                    let kind = StmtKind::Return(Some(this));
                    out.push(Stmt { kind, loc });
                }
            }
        }
        let sound = self.sink.error_count() == errors;
        self.end_body(id, out, sound, loc);
    }

    /// Copies, moves or assigns each member from the parameter's.
    pub(super) fn copy_members(
        &mut self,
        f: &CxxFn,
        is_move: bool,
        assigns: bool,
        out: &mut Vec<Stmt>,
    ) {
        let loc = f.loc;
        let Some(class) = f.class else { return };
        let Some(param) = f.params.first().cloned() else {
            return;
        };
        let lowered = self.lowered(param.ty);
        let Some(state) = &mut self.cur else { return };
        let other = state.new_local("other".into(), lowered, 8, loc);
        state.quals[other.0 as usize] = param.ty;
        let ty = self.record_type(class);
        if self.types.record(class).is_union || self.copies_members_as_bytes(class) {
            let (to, from) = (self.this_object(loc), self.referred(other, loc));
            if let (Some((to, _)), from) = (to, from) {
                let value = self.value_of(from);
                out.push(expr_stmt(Expr::new(
                    ExprKind::Assign(to, Box::new(value)),
                    ty,
                    loc,
                )));
            }
            return;
        }
        let fields = self.types.record(class).fields.clone().unwrap_or_default();
        for field in fields {
            let Some((whole, quals)) = self.this_object(loc) else {
                return;
            };
            let Operand::Place(source, source_quals) = self.referred(other, loc) else {
                return;
            };
            let (to, to_quals) = self.part_of(whole, quals, field.offset, field.ty, loc);
            let (from, from_quals) =
                self.part_of(source, source_quals, field.offset, field.ty, loc);
            let pair = ((to, to_quals), (from, from_quals));
            self.copy_object(pair, is_move, assigns, loc, out);
        }
    }

    /// Copies, moves or assigns a member, or each element of one that is an array.
    fn copy_object(
        &mut self,
        ((to, to_quals), (from, from_quals)): ((Place, QualTy), (Place, QualTy)),
        is_move: bool,
        assigns: bool,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
    ) {
        let stored = self.stored(to_quals).ty;
        if self.types.element(stored).is_some() && !self.copies_as_bytes(stored) {
            let count = self.types.element(stored).and_then(|e| e.1).unwrap_or(0);
            if count > MAX_COPIED {
                let text = format!(
                    "copies of arrays of more than {MAX_COPIED} objects that cannot be copied as bytes are not supported"
                );
                self.error(loc, text);
                return;
            }
            let targets = self.elements_of(&to, to_quals, count, loc);
            let sources = self.elements_of(&from, from_quals, count, loc);
            for pair in targets.into_iter().zip(sources) {
                self.copy_object(pair, is_move, assigns, loc, out);
            }
            return;
        }
        let class = self.types.record_id(stored);
        let source = match class.is_none() || is_move {
            true => Operand::Value(Expr::new(ExprKind::Load(from), stored, loc)),
            false => Operand::Place(from, from_quals),
        };
        match class {
            Some(_) if assigns => {
                let a = self.stash(Operand::Place(to, to_quals), loc);
                let b = self.stash(source, loc);
                let done = self.cxx_assign(&a, &b, loc);
                let e = self.discarded(done);
                out.push(expr_stmt(e));
            }
            Some(inner) => {
                let args = vec![Argument::Operand(source, loc)];
                let made = self.construct_at(to, inner, args, false, false, loc);
                out.extend(made.map(expr_stmt));
            }
            None => {
                let value = self.value_of(source);
                let kind = ExprKind::Assign(to, Box::new(value));
                out.push(expr_stmt(Expr::new(kind, stored, loc)));
            }
        }
    }

    pub(super) fn copies_members_as_bytes(&self, class: RecordId) -> bool {
        let fields = self.types.record(class).fields.iter().flatten();
        fields.into_iter().all(|f| self.copies_as_bytes(f.ty.ty))
    }

    // ------------------------------------------------------------ this

    /// `this`, in a member function.
    pub(super) fn this_pointer(&mut self, loc: SourceLoc) -> Option<Expr> {
        let f = self.cur.as_ref()?;
        if let (Some(place), Some(quals)) = (f.cxx.object.clone(), f.cxx.this) {
            return Some(self.address(place, quals, loc));
        }
        let id = self.this_local()?;
        let f = self.cur.as_ref()?;
        let ty = f.local(id)?.0.ty;
        let place = Place::private(PlaceKind::Local(id), ty, 8, loc);
        Some(Expr::new(ExprKind::Load(place), ty, loc))
    }

    /// `*this`
    pub(super) fn this_object(&mut self, loc: SourceLoc) -> Option<(Place, QualTy)> {
        let quals = self.cur.as_ref()?.cxx.this?;
        let pointer = self.this_pointer(loc)?;
        match self.deref(pointer, quals, loc) {
            Operand::Place(place, quals) => Some((place, quals)),
            _ => None,
        }
    }

    // ------------------------------------------------------------ constructors

    /// No constructor is written that needs no arguments, and a member or base has to be given a value.
    pub(super) fn default_is_deleted(&self, id: RecordId) -> bool {
        let Some(class) = self.class(id) else {
            return false;
        };
        let record = self.types.record(id);
        if record.is_union || class.is_lambda || !class.inherits.is_empty() || !class.complete {
            return false;
        }
        if self.written_constructors(class).next().is_some() {
            return false;
        }
        let fields = record.fields.iter().flatten().enumerate();
        let mut open = fields.filter(|(i, _)| !class.inits.contains_key(i));
        open.any(|(_, field)| {
            let inner = self.types.innermost(field.ty.ty);
            match self.types.record_id(inner) {
                _ if self.types.referent(field.ty.ty).is_some() => true,
                Some(of) => self.lacks_default(of),
                None => field.ty.is_const && field.name.is_some(),
            }
        })
    }

    /// A constant object may begin without a value: a constructor is written for that, or nothing of it is left open.
    pub(super) fn begins_constant(&self, id: RecordId) -> bool {
        let Some(class) = self.class(id) else {
            return true;
        };
        let by_itself = self.written_constructors(class).any(|c| match c {
            Callee::Fn(f) => self
                .cxx_fn(f)
                .is_some_and(|f| f.params.iter().all(|p| p.default.is_some())),
            Callee::Template(_) => true,
        });
        let record = self.types.record(id);
        let mut fields = record.fields.iter().flatten().enumerate();
        by_itself
            || fields.all(|(index, field)| {
                let member = field.name.as_ref().and_then(|n| record.members.get(n));
                let inner = self.types.record_id(self.types.innermost(field.ty.ty));
                class.inits.contains_key(&index)
                    || member.is_some_and(|m| m.is_mutable)
                    || inner.is_some_and(|of| self.begins_constant(of))
            })
    }

    /// Reports a constant object that nothing gives a value.
    pub(super) fn check_constant_begins(&mut self, quals: QualTy, loc: SourceLoc) {
        let class = self.types.record_id(self.types.innermost(quals.ty));
        if !quals.is_const || class.is_some_and(|class| self.begins_constant(class)) {
            return;
        }
        let shown = self.types.show_object(quals);
        let is_array = self.types.element(quals.ty).is_some();
        let without = match class {
            Some(_) if !is_array => " without a user-provided default constructor",
            _ => "",
        };
        let text = format!("default initialization of an object of const type {shown}{without}");
        self.error(loc, text);
    }

    /// The constructors that have bodies, or are templates.
    pub(super) fn written_constructors(&self, class: &Class) -> impl Iterator<Item = Callee> {
        let set = class.constructors;
        let members = set.map(|set| self.callees_of(set)).unwrap_or_default();
        let implicit = |c: &Callee| match c {
            Callee::Fn(f) => self
                .cxx_fn(*f)
                .is_some_and(|f| matches!(f.body, Body::Implicit(_))),
            Callee::Template(_) => false,
        };
        let written: Vec<Callee> = members.into_iter().filter(|c| !implicit(c)).collect();
        written.into_iter()
    }

    /// Its objects cannot be constructed without arguments.
    fn lacks_default(&self, id: RecordId) -> bool {
        let Some(class) = self.class(id) else {
            return false;
        };
        let mut written = self.written_constructors(class).peekable();
        if written.peek().is_none() {
            return self.default_is_deleted(id);
        }
        let set = class.constructors;
        let members = set.map(|set| self.callees_of(set)).unwrap_or_default();
        !class.inherits.is_empty()
            || !members.into_iter().any(|c| match c {
                Callee::Fn(f) => self
                    .cxx_fn(f)
                    .is_some_and(|f| !f.is_deleted && f.params.iter().all(|p| p.default.is_some())),
                Callee::Template(_) => true,
            })
    }

    /// What a destructor does behind its body.
    pub(super) fn destroy_members(&mut self, f: &CxxFn, out: &mut Vec<Stmt>) {
        let Some(class) = f.class else { return };
        let loc = f.loc;
        let fields = self.types.record(class).fields.clone().unwrap_or_default();
        for field in fields.iter().rev() {
            let Some((whole, quals)) = self.this_object(loc) else {
                return;
            };
            let (place, _) = self.part_of(whole, quals, field.offset, field.ty, loc);
            if let Some(destructor) = self.destructor_of(field.ty.ty, place.space, loc) {
                self.destroy(place, field.ty.ty, destructor, loc, out);
            }
        }
    }
}
