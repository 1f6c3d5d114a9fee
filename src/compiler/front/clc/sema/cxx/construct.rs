//! Objects that begin to live: constructors, lists in braces, results in their place.

use super::super::Sema;
use super::super::convert::Context;
use super::super::operand::Operand;
use super::super::tree::{Expr, ExprKind, FnId, Init, LocalId, Place, PlaceKind};
use super::super::types::{Prim, QualTy, RecordId, Ty, TypeKind};
use super::overload::{Argument, Call, Choice};
use super::{Callee, Cleanup};
use crate::front::clc::syntax::ast::{Initializer, Name};
use crate::ir::Space;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// An expression without a value that does nothing.
    pub(super) fn nothing(&mut self, loc: SourceLoc) -> Expr {
        let zero = self.int_const(0, Prim::Int, loc);
        let void = self.types.void();
        Expr::new(ExprKind::Convert(Box::new(zero)), void, loc)
    }

    /// A new object of a class, constructed with arguments.
    pub(super) fn constructed_value(
        &mut self,
        class: RecordId,
        args: Vec<Argument>,
        implicit: bool,
        loc: SourceLoc,
    ) -> Operand {
        let ty = self.record_type(class);
        self.complete(ty, loc);
        if self.types.record(class).fields.is_none() {
            let text = format!("initialization of incomplete type {}", self.types.show(ty));
            self.error(loc, text);
            return self.error_operand(loc);
        }
        let Some(temporary) = self.new_temporary(ty, loc) else {
            self.error(
                loc,
                "construction of a temporary object is not supported here",
            );
            return self.error_operand(loc);
        };
        let Some(construction) =
            self.construct_at(temporary.clone(), class, args, implicit, true, loc)
        else {
            return self.error_operand(loc);
        };
        self.temporary_value(construction, temporary, loc)
    }

    /// The value of a temporary that an expression makes. It ends with the full expression.
    pub(super) fn temporary_value(
        &mut self,
        construction: Expr,
        temporary: Place,
        loc: SourceLoc,
    ) -> Operand {
        let ty = temporary.ty;
        let construction = self.ends_with_expression(construction, &temporary, loc);
        let place = self.place_behind(construction, temporary);
        Operand::Value(Expr::new(ExprKind::Load(place), ty, loc))
    }

    /// Has the temporary destroyed at the end of the full expression.
    fn ends_with_expression(&mut self, construction: Expr, object: &Place, loc: SourceLoc) -> Expr {
        let Some(destructor) = self.destructor_of(object.ty, object.space, loc) else {
            return construction;
        };
        let conditional = self.cur.as_ref().is_some_and(|f| f.cxx.conditional > 0);
        let mut flag = None;
        let mut construction = construction;
        if conditional {
            // Whether it has been constructed is known when the expression ends.
            let bool = self.types.prim(Prim::Bool);
            if let Some(place) = self.new_temporary(bool, loc)
                && let PlaceKind::Local(id) = place.kind
            {
                flag = Some(id);
                let one = self.int_const(1, Prim::Bool, loc);
                let set = Expr::new(ExprKind::Assign(place, Box::new(one)), bool, loc);
                let void = self.types.void();
                let kind = ExprKind::Comma(Box::new(set), Box::new(construction));
                construction = Expr::new(kind, void, loc);
            }
        }
        if let Some(f) = &mut self.cur {
            f.cxx.temporaries.push(Cleanup {
                object: object.clone(),
                destructor,
                flag,
            });
        }
        construction
    }

    /// The construction of an object at a place, an expression without a value; `None` after an error.
    /// `zero`: without arguments and constructors of its own, the object is zero.
    pub(super) fn construct_at(
        &mut self,
        place: Place,
        class: RecordId,
        args: Vec<Argument>,
        implicit: bool,
        zero: bool,
        loc: SourceLoc,
    ) -> Option<Expr> {
        let ty = self.record_type(class);
        self.complete(ty, loc);
        let Some(info) = self.class(class).cloned() else {
            // `ndrange_t`, which is no class.
            let [Argument::Operand(operand, _)] = &args[..] else {
                return Some(self.nothing(loc));
            };
            let value = self.value_of(operand.clone());
            let fits = value.ty == ty;
            let assign = Expr::new(ExprKind::Assign(place, Box::new(value)), ty, loc);
            let void = self.types.void();
            return fits.then(|| self.as_void(assign, void));
        };
        if let [Argument::List(init, at)] = &args[..] {
            let (init, at) = (init.clone(), *at);
            return self.construct_from_list(place, class, &init, implicit, at);
        }
        if let [Argument::Operand(operand, _)] = &args[..] {
            let from = self.operand_type(operand).ty;
            if self.types.is_error(from) {
                return None;
            }
            if from == ty {
                let emplaced = match operand {
                    Operand::Value(e) => self.emplace(e, &place),
                    _ => None,
                };
                if emplaced.is_some() {
                    return emplaced;
                }
                if info.trivial_copy {
                    let value = self.value_of(operand.clone());
                    let kind = ExprKind::Assign(place, Box::new(value));
                    let assign = Expr::new(kind, ty, loc);
                    let void = self.types.void();
                    return Some(self.as_void(assign, void));
                }
            }
        }
        if args.is_empty() && !zero && !self.default_allowed(class, loc) {
            return None;
        }
        let info = self.class(class)?;
        if args.is_empty() && info.trivial_default {
            if !zero {
                return Some(self.nothing(loc));
            }
            return Some(self.zeroed(place, loc));
        }
        self.constructor_called(place, class, args, implicit, false, loc)
    }

    /// Reports a default constructor that is deleted.
    pub(super) fn default_allowed(&mut self, class: RecordId, loc: SourceLoc) -> bool {
        let deleted = self.default_is_deleted(class);
        if deleted {
            let ty = self.record_type(class);
            let shown = self.types.show(ty);
            let text = format!("call to implicitly-deleted default constructor of {shown}");
            self.error(loc, text);
        }
        !deleted
    }

    /// Calls the constructor that fits the arguments best; those in `braces` may not be narrowed.
    fn constructor_called(
        &mut self,
        place: Place,
        class: RecordId,
        args: Vec<Argument>,
        implicit: bool,
        braces: bool,
        loc: SourceLoc,
    ) -> Option<Expr> {
        let constructors = self.class(class)?.constructors;
        let members = constructors.map(|set| self.callees_of(set));
        let members = members.unwrap_or_default();
        let name: Name = self.types.record(class).name.clone().unwrap_or_default();
        let quals = QualTy::plain(self.record_type(class)).in_space(place.space);
        let call = Call {
            object: Some(Operand::Place(place.clone(), quals)),
            implicit,
            ..Call::of(&name, members, &args, loc)
        };
        // What no constructor is written for: the conversion of an object, and the copy of a part of one.
        if let [Argument::Operand(operand, _)] = &args[..]
            && {
                let from = self.operand_type(operand).ty;
                from != quals.ty && self.related(from, quals.ty).is_some()
                    || self
                        .direct_conversion(operand, quals.ty, implicit)
                        .is_some()
            }
            && self.quietly_chosen(&call).is_none()
        {
            return self.construct_without(place, class, &args, implicit, loc);
        }
        match self.choose(&call) {
            Choice::Function(id) => {
                if braces {
                    self.check_narrowing(id, &args);
                }
                let object = Operand::Place(place, quals);
                let called = self.call_cxx(id, Some(object), args, loc);
                let e = self.value_of(called);
                (!self.is_error(&e)).then_some(e)
            }
            Choice::None => self.construct_without(place, class, &args, implicit, loc),
            _ => None,
        }
    }

    fn check_narrowing(&mut self, id: FnId, args: &[Argument]) {
        let params = self.cxx_fn(id).map(|f| f.params.clone());
        for (arg, param) in args.iter().zip(params.unwrap_or_default()) {
            if let Argument::Operand(operand, at) = arg {
                let to = self.types.referent(param.ty.ty);
                self.narrowing(operand, to.map_or(param.ty.ty, |to| to.ty), *at);
            }
        }
    }

    /// A class without constructors: one argument may be an object of a class derived from it.
    fn construct_without(
        &mut self,
        place: Place,
        class: RecordId,
        args: &[Argument],
        implicit: bool,
        loc: SourceLoc,
    ) -> Option<Expr> {
        let ty = self.record_type(class);
        if let [Argument::Operand(operand, _)] = args {
            let from = self.operand_type(operand).ty;
            if self.related(from, ty).is_some() && self.copies_as_bytes(ty) {
                let to = QualTy {
                    is_const: true,
                    space: self.features.default_pointee(),
                    ..QualTy::plain(ty)
                };
                let reference = self.types.intern(TypeKind::Reference(to, false));
                let pointer = self.cxx_convert(
                    operand.clone(),
                    QualTy::plain(reference),
                    Context::Init,
                    loc,
                );
                if self.is_error(&pointer) {
                    return None;
                }
                let source = self.deref(pointer, to, loc);
                let value = self.value_of(source);
                let assign = Expr::new(ExprKind::Assign(place, Box::new(value)), ty, loc);
                let void = self.types.void();
                return Some(self.as_void(assign, void));
            }
            if let Some((function, _)) = self.direct_conversion(operand, ty, implicit) {
                let value = self.call_cxx(function, Some(operand.clone()), Vec::new(), loc);
                let args = vec![Argument::Operand(value, loc)];
                return self.construct_at(place, class, args, false, false, loc);
            }
        }
        let text = format!(
            "no matching constructor for initialization of {}",
            self.types.show(ty)
        );
        self.error(loc, text);
        None
    }

    /// All bytes zero.
    pub(super) fn zeroed(&mut self, place: Place, loc: SourceLoc) -> Expr {
        let ty = place.ty;
        let init = Init::Aggregate {
            zero: true,
            stores: Vec::new(),
        };
        let Some(value) = self.literal_value(ty, init, loc) else {
            return self.nothing(loc);
        };
        let assign = Expr::new(ExprKind::Assign(place, Box::new(value)), ty, loc);
        let void = self.types.void();
        self.as_void(assign, void)
    }

    fn construct_from_list(
        &mut self,
        place: Place,
        class: RecordId,
        init: &Initializer,
        implicit: bool,
        loc: SourceLoc,
    ) -> Option<Expr> {
        let ty = self.record_type(class);
        let Initializer::List(items, _) = init else {
            return None;
        };
        let is_aggregate = self.class(class).is_some_and(|c| c.is_aggregate);
        // A list with one object of the class is that object.
        if let [(designators, Initializer::Expr(e))] = &items[..]
            && designators.is_empty()
        {
            let operand = self.operand(e);
            let from = self.operand_type(&operand).ty;
            let e = self.stash(operand.clone(), e.begin());
            if self.related(from, ty).is_some() {
                let args = vec![Argument::Operand(operand, e.loc)];
                return self.construct_at(place, class, args, implicit, false, loc);
            }
            if is_aggregate {
                let list = Initializer::List(vec![(Vec::new(), Initializer::Expr(e))], loc);
                return self.aggregate_at(place, &list, loc);
            }
            let args = vec![Argument::Operand(operand, e.loc)];
            return self.constructor_called(place, class, args, implicit, true, loc);
        }
        if items.is_empty() && !is_aggregate {
            return self.construct_at(place, class, Vec::new(), implicit, true, loc);
        }
        if is_aggregate {
            return self.aggregate_at(place, init, loc);
        }
        if items.iter().any(|(designators, _)| !designators.is_empty()) {
            let shown = self.types.show(ty);
            let text = format!(
                "initialization of non-aggregate type {shown} with a designated initializer list"
            );
            self.error(loc, text);
            return None;
        }
        let args = self.list_arguments(items)?;
        match &args[..] {
            // Braces within braces.
            [Argument::List(..)] => self.construct_at(place, class, args, implicit, false, loc),
            _ => self.constructor_called(place, class, args, implicit, true, loc),
        }
    }

    pub(super) fn list_arguments(
        &mut self,
        items: &[(Vec<crate::front::clc::syntax::ast::Designator>, Initializer)],
    ) -> Option<Vec<Argument>> {
        let mut args = Vec::new();
        for (designators, item) in items {
            if !designators.is_empty() {
                return None;
            }
            match item {
                Initializer::Expr(e) => args.extend(self.analysed(std::slice::from_ref(e))?),
                Initializer::List(_, loc) => args.push(Argument::List(item.clone(), *loc)),
            }
        }
        Some(args)
    }

    fn aggregate_at(&mut self, place: Place, init: &Initializer, loc: SourceLoc) -> Option<Expr> {
        if !self.copies_as_bytes(place.ty) {
            return self.members_at(place, init, loc);
        }
        let value = self.aggregate_value(place.ty, init, loc)?;
        let ty = place.ty;
        let assign = Expr::new(ExprKind::Assign(place, Box::new(value)), ty, loc);
        let void = self.types.void();
        Some(self.as_void(assign, void))
    }

    /// A value whose members a list initialises.
    fn aggregate_value(&mut self, ty: Ty, init: &Initializer, loc: SourceLoc) -> Option<Expr> {
        if !self.copies_as_bytes(ty) {
            let text = format!(
                "a list as the value of {}, which cannot be copied as bytes, is not supported here",
                self.types.show(ty)
            );
            self.error(loc, text);
            return None;
        }
        let init = self.expanded_list(init);
        self.filled_value(ty, &init, loc)
    }

    /// An array that a list initialises, a temporary.
    fn array_value(&mut self, ty: Ty, init: &Initializer, loc: SourceLoc) -> Option<Operand> {
        if self.begins_trivially(ty) && self.copies_as_bytes(ty) {
            return self.aggregate_value(ty, init, loc).map(Operand::Value);
        }
        let array = self.new_temporary(ty, loc)?;
        let init = self.expanded_list(init);
        let mut made = Vec::new();
        self.array_of_objects(array.clone(), QualTy::plain(ty), &init, loc, &mut made);
        let kind = ExprKind::StmtExpr(made, None);
        let made = Expr::new(kind, self.types.void(), loc);
        Some(self.temporary_value(made, array, loc))
    }

    /// A list whose packs are expanded.
    pub(super) fn expanded_list(&mut self, init: &Initializer) -> Initializer {
        use crate::front::clc::syntax::ast::ExprKind as Tree;
        use crate::front::clc::syntax::cxx::ast as cxx;
        let Initializer::List(items, loc) = init else {
            return init.clone();
        };
        let mut out = Vec::new();
        for (designators, item) in items {
            if let Initializer::Expr(e) = item
                && let Tree::Cxx(inner) = &e.kind
                && let cxx::Expr::Expand(pattern, packs) = &**inner
            {
                let at = e.loc;
                self.expand(packs, at, |s| {
                    let operand = s.operand(pattern);
                    let e = s.stash(operand, at);
                    out.push((Vec::new(), Initializer::Expr(e)));
                });
                continue;
            }
            out.push((designators.clone(), item.clone()));
        }
        Initializer::List(out, *loc)
    }

    /// An initialiser whose expressions are analysed: each lambda in them is a class of its own.
    pub(super) fn analysed_init(&mut self, init: &Initializer) -> Option<Initializer> {
        use crate::front::clc::syntax::ast::{Expr, ExprKind as Tree};
        use crate::front::clc::syntax::cxx::ast as cxx;
        let Initializer::Expr(e) = init else {
            let Initializer::List(items, loc) = self.expanded_list(init) else {
                return None;
            };
            let mut out = Vec::new();
            for (designators, item) in items {
                let item = match item {
                    Initializer::Expr(_) => self.analysed_init(&item)?,
                    list => list,
                };
                out.push((designators, item));
            }
            return Some(Initializer::List(out, loc));
        };
        let Some(args) = self.paren_arguments(e) else {
            let operand = self.operand(e);
            return Some(Initializer::Expr(self.stash(operand, e.begin())));
        };
        let mut stashed = Vec::new();
        for arg in self.analysed(&args)? {
            stashed.push(match arg {
                Argument::Operand(operand, at) => self.stash(operand, at),
                Argument::List(list, loc) => {
                    let kind = Tree::Cxx(Box::new(cxx::Expr::List(list)));
                    Expr { kind, loc }
                }
            });
        }
        let args = cxx::Expr::Arguments(stashed);
        let kind = Tree::Cxx(Box::new(args));
        Some(Initializer::Expr(Expr { kind, loc: e.loc }))
    }

    /// The value of a type that a list in braces makes.
    pub fn list_value(&mut self, ty: Ty, init: &Initializer, loc: SourceLoc) -> Expr {
        let ty = self.types.referent(ty).map_or(ty, |r| r.ty);
        self.complete(ty, loc);
        let Initializer::List(items, _) = init else {
            return self.error_expr(loc);
        };
        if let Some(class) = self.types.record_id(ty) {
            let args = vec![Argument::List(init.clone(), loc)];
            let operand = self.constructed_value(class, args, true, loc);
            return self.value_of(operand);
        }
        if self.types.element(ty).is_some() {
            return match self.array_value(ty, init, loc) {
                Some(value) => self.value_of(value),
                None => self.error_expr(loc),
            };
        }
        if items.is_empty() {
            return match self.types.arith(ty).is_some() || self.types.pointee(ty).is_some() {
                true => self.zero(ty, loc),
                false => self.error_expr(loc),
            };
        }
        if let [(_, Initializer::Expr(e))] = &items[..]
            && self.types.vector(ty).is_none()
        {
            let operand = self.operand(e);
            self.narrowing(&operand, ty, e.begin());
            let operand = self.directly(operand, ty, loc);
            return self.cxx_convert(operand, QualTy::plain(ty), Context::Init, e.begin());
        }
        let value = self.aggregate_value(ty, init, loc);
        value.unwrap_or_else(|| self.error_expr(loc))
    }

    pub(super) fn zero(&mut self, ty: Ty, loc: SourceLoc) -> Expr {
        Expr::new(ExprKind::Const(0), ty, loc)
    }

    /// Lets the expression that makes a temporary make another object instead; `None` if it makes none.
    pub(super) fn emplace(&mut self, value: &Expr, place: &Place) -> Option<Expr> {
        let ExprKind::Load(made) = &value.kind else {
            return None;
        };
        let temporary = self.temporary_of(made)?;
        let PlaceKind::Deref(pair) = &made.kind else {
            return None;
        };
        let ExprKind::Comma(construction, _) = &pair.kind else {
            return None;
        };
        let mut construction = (**construction).clone();
        if !self.replaced(&mut construction, temporary, place) {
            return None;
        }
        if let Some(f) = &mut self.cur {
            f.cxx
                .temporaries
                .retain(|c| !matches!(c.object.kind, PlaceKind::Local(id) if id == temporary));
        }
        let void = self.types.void();
        Some(self.as_void(construction, void))
    }

    /// The destructor that has to be called for objects of the type in an address space.
    pub(super) fn destructor_of(&mut self, ty: Ty, space: Space, loc: SourceLoc) -> Option<FnId> {
        let ty = self.types.innermost(ty);
        let class = self.types.record_id(ty)?;
        let info = self.class(class)?;
        if info.trivial_destroy {
            return None;
        }
        let spaces = info.destructors.iter().filter_map(|callee| match callee {
            Callee::Fn(id) => Some((*id, self.cxx_fn(*id)?.method?.this)),
            Callee::Template(_) => None,
        });
        let spaces: Vec<(FnId, QualTy)> = spaces.collect();
        let exact = spaces.iter().find(|(_, this)| this.space == space);
        let fits = |row: &&(FnId, QualTy)| Sema::space_fits(space, row.1.space);
        let Some(&(id, _)) = exact.or_else(|| spaces.iter().find(fits)) else {
            if let Some((_, this)) = spaces.first() {
                let of = QualTy::plain(ty).in_space(space);
                let text = format!(
                    "cannot initialize object parameter of type {} with an expression of type {}",
                    self.types.show_object(*this),
                    self.types.show_object(of)
                );
                self.error(loc, text);
            }
            return None;
        };
        let access = self.cxx_fn(id).map(|f| f.name.clone());
        if let Some(name) = access {
            let space = self.class(class)?.space;
            self.check_access(space, &name, loc);
        }
        if self.cxx_fn(id).is_some_and(|f| f.is_deleted) {
            self.error(loc, "attempt to use a deleted function");
            return None;
        }
        self.use_function(id, loc);
        Some(id)
    }

    /// Puts an object in the place of a temporary in the expression that makes it; false if that is not seen to.
    fn replaced(&mut self, e: &mut Expr, temporary: LocalId, place: &Place) -> bool {
        match &mut e.kind {
            ExprKind::Call(_, args) => args
                .first_mut()
                .is_some_and(|first| self.replaced_address(first, temporary, place)),
            // The members of a closure, one after the other.
            ExprKind::Comma(first, last) => {
                let starts = matches!(first.kind, ExprKind::Comma(..));
                (!starts || !mentions(first, temporary) || self.replaced(first, temporary, place))
                    && self.replaced(last, temporary, place)
            }
            ExprKind::Convert(inner) => self.replaced(inner, temporary, place),
            ExprKind::Cond(_, a, b) => {
                self.replaced(a, temporary, place) && self.replaced(b, temporary, place)
            }
            ExprKind::Assign(to, _) => replaced_base(to, temporary, place),
            _ => false,
        }
    }

    fn replaced_address(&mut self, e: &mut Expr, temporary: LocalId, place: &Place) -> bool {
        let to = self.types.pointee(e.ty).map(|to| to.space);
        match &mut e.kind {
            ExprKind::AddrOf(at) => {
                // The pointer's type says where the object is.
                to == Some(place.space) && replaced_base(at, temporary, place)
            }
            ExprKind::Convert(inner) | ExprKind::Reinterpret(inner) => {
                if self.replaced_address(inner, temporary, place) {
                    return true;
                }
                let ExprKind::AddrOf(at) = &inner.kind else {
                    return false;
                };
                let mut at = at.clone();
                let generic = to == Some(Space::Generic) && place.space != Space::Constant;
                let fits = (generic || to == Some(place.space))
                    && replaced_base(&mut at, temporary, place);
                if fits && generic {
                    let quals = QualTy::plain(at.ty).in_space(at.space);
                    let ty = self.types.pointer(quals);
                    let address = Expr::new(ExprKind::AddrOf(at), ty, inner.loc);
                    e.kind = ExprKind::Convert(Box::new(address));
                } else if fits {
                    e.kind = ExprKind::AddrOf(at);
                }
                fits
            }
            _ => false,
        }
    }
}

/// Puts an object in the place of a temporary that a place is, or is a part of.
fn replaced_base(at: &mut Place, temporary: LocalId, place: &Place) -> bool {
    match &mut at.kind {
        PlaceKind::Local(id) if *id == temporary => {
            *at = place.clone();
            true
        }
        PlaceKind::Field(whole, _) => {
            let is_part = replaced_base(whole, temporary, place);
            if is_part {
                at.space = place.space;
            }
            is_part
        }
        _ => false,
    }
}

/// Whether a construction has a part for a temporary.
fn mentions(e: &Expr, temporary: LocalId) -> bool {
    let base = |mut at: &Place| {
        while let PlaceKind::Field(whole, _) = &at.kind {
            at = whole;
        }
        matches!(at.kind, PlaceKind::Local(id) if id == temporary)
    };
    match &e.kind {
        ExprKind::Comma(a, b) | ExprKind::Cond(_, a, b) => {
            mentions(a, temporary) || mentions(b, temporary)
        }
        ExprKind::Call(_, args) => args.first().is_some_and(|e| mentions(e, temporary)),
        ExprKind::Convert(e) | ExprKind::Reinterpret(e) => mentions(e, temporary),
        ExprKind::AddrOf(at) | ExprKind::Assign(at, _) => base(at),
        _ => false,
    }
}
