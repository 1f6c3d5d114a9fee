//! What constructors do before their bodies: bases and members in their order.

use super::super::Sema;
use super::super::convert::Context;
use super::super::operand::Operand;
use super::super::tree::{Expr, ExprKind, FnId, Place, Stmt};
use super::super::types::{Field, Prim, QualTy, RecordId, Ty, TypeKind};
use super::overload::Argument;
use super::{CxxFn, expr_stmt};
use crate::diag::Diag;
use crate::front::clc::syntax::ast::{Initializer, Name};
use crate::front::clc::syntax::cxx::ast as cxx;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// Constructors that delegate to each other in a cycle would never end.
    fn note_delegation(&mut self, class: RecordId, to: FnId, loc: SourceLoc) {
        let Some(from) = self.cur.as_ref().map(|f| f.id) else {
            return;
        };
        let delegations = &mut self.x().delegations;
        delegations.insert(from, to);
        // As many steps as there are may end in a cycle of others.
        let mut at = Some(to);
        for _ in 0..delegations.len() {
            if at == Some(from) {
                break;
            }
            at = at.and_then(|id| delegations.get(&id).copied());
        }
        if at != Some(from) {
            return;
        }
        // It is not said once more as recursion.
        self.calls.retain(|c| (c.0, c.1) != (from, to));
        let name = self.short_name(class).unwrap_or_default();
        let text = format!("constructor for '{name}' creates a delegation cycle");
        self.error(loc, text);
    }

    /// What a constructor does before its body.
    pub(super) fn member_inits(
        &mut self,
        f: &CxxFn,
        inits: &[cxx::MemberInit],
        base: Option<(RecordId, Vec<Argument>, SourceLoc)>,
        out: &mut Vec<Stmt>,
    ) {
        let Some(class) = f.class else { return };
        let loc = f.loc;
        let mut by_base: Vec<(RecordId, Vec<Argument>, SourceLoc)> = Vec::from_iter(base);
        let mut by_field: Vec<(Name, &cxx::MemberInit)> = Vec::new();
        for init in inits {
            let is_field = init.name.parts.len() == 1 && init.name.parts[0].args.is_none() && {
                let name = &init.name.parts[0].name;
                let fields = self.types.record(class).fields.iter().flatten();
                fields.into_iter().any(|f| f.name.as_ref() == Some(name))
                    || self.types.record(class).members.contains_key(name)
            };
            if is_field {
                let name = init.name.parts[0].name.clone();
                if by_field.iter().any(|(n, _)| *n == name) {
                    let text =
                        format!("multiple initializations given for non-static member '{name}'");
                    self.error(init.loc, text);
                }
                by_field.push((name, init));
                continue;
            }
            let mut found = Vec::new();
            match &init.expand {
                Some(packs) => self.expand(packs, init.loc, |s| {
                    let ty = s.named_type(&init.name).ty;
                    // The packs mean other things later.
                    let init = s.analysed_init(&init.init);
                    let args = init.and_then(|init| s.init_arguments(&init));
                    found.push((ty, args));
                }),
                None => {
                    let ty = self.named_type(&init.name).ty;
                    let args = self.init_arguments(&init.init);
                    found.push((ty, args));
                }
            }
            for (ty, args) in found {
                let Some(args) = args else { return };
                match self.types.record_id(ty) {
                    Some(id) => by_base.push((id, args, init.loc)),
                    None if self.types.is_error(ty) => return,
                    None => {
                        let text = format!(
                            "member initializer '{}' does not name a non-static data member or base class",
                            super::types::spell_name(&init.name)
                        );
                        self.error(init.loc, text);
                        return;
                    }
                }
            }
        }
        if let Some((_, args, at)) = by_base.iter().find(|(id, ..)| *id == class) {
            if inits.len() > 1 {
                let text = "an initializer for a delegating constructor must appear alone";
                self.error(*at, text);
            }
            // The other constructor does all.
            let (args, at) = (args.clone(), *at);
            if let Some((place, _)) = self.this_object(loc) {
                let made = self.construct_at(place, class, args, false, false, at);
                if let Some(ExprKind::Call(to, _)) = made.as_ref().map(|e| &e.kind) {
                    self.note_delegation(class, *to, at);
                }
                out.extend(made.map(|e| expr_stmt(self.full_expression(e))));
            }
            return;
        }
        let fields = self.types.record(class).fields.clone().unwrap_or_default();
        let bases = self
            .class(class)
            .map(|c| c.bases.clone())
            .unwrap_or_default();
        for (base, _) in bases.iter().zip(&fields) {
            let given = by_base.iter().position(|b| b.0 == base.class);
            let (args, at) = match given.map(|i| by_base.swap_remove(i)) {
                Some((_, args, at)) => (args, at),
                None => (Vec::new(), loc),
            };
            let ty = self.record_type(base.class);
            let Some((whole, quals)) = self.this_object(at) else {
                return;
            };
            let (place, _) = self.part_of(whole, quals, base.offset, QualTy::plain(ty), at);
            let zero = given.is_some();
            let made = self.construct_at(place, base.class, args, false, zero, at);
            out.extend(made.map(|e| expr_stmt(self.full_expression(e))));
        }
        if let Some((id, _, at)) = by_base.first() {
            let ty = self.record_type(*id);
            let text = format!(
                "type {} is not a direct or virtual base of {}",
                self.types.show(ty),
                self.types.spell(ty)
            );
            self.error(*at, text);
        }
        let is_union = self.types.record(class).is_union;
        let inits = self
            .class(class)
            .map(|c| c.inits.clone())
            .unwrap_or_default();
        for (index, field) in fields.iter().enumerate().skip(bases.len()) {
            let given = by_field
                .iter()
                .find(|(n, _)| field.name.as_ref() == Some(n));
            let Some((whole, quals)) = self.this_object(loc) else {
                return;
            };
            match (given, inits.get(&index)) {
                (Some((_, init)), _) => {
                    self.init_member(whole, quals, field, &init.init, init_loc(given, loc), out);
                }
                (None, Some(init)) => self.init_in_class((class, index), whole, quals, init, out),
                (None, None) if is_union => {}
                (None, None) => self.default_member(whole, quals, field, loc, out),
            }
        }
        // Members of anonymous unions and structures.
        for (name, init) in &by_field {
            if fields.iter().any(|f| f.name.as_ref() == Some(name)) {
                continue;
            }
            if let Some(member) = self.types.record(class).members.get(name).copied()
                && let Some((whole, quals)) = self.this_object(loc)
            {
                let field = Field {
                    name: Some(name.clone()),
                    ty: member.ty,
                    offset: member.offset,
                };
                self.init_member(whole, quals, &field, &init.init, init.loc, out);
            }
        }
    }

    /// Says what is wrong with initialisers of members in a class, but for what a constructor has said.
    pub(super) fn check_member_inits(&mut self, class: RecordId) {
        let Some(info) = self.class(class) else {
            return;
        };
        let (inits, loc) = (info.inits.clone(), info.loc);
        let ty = self.record_type(class);
        let quiet = self.sink.like();
        let outer = std::mem::replace(self.sink, quiet);
        self.class_mut(class).wrong_inits.clear();
        self.with_function(|s| {
            let Some(place) = s.new_temporary(ty, loc) else {
                return;
            };
            let quals = QualTy::plain(ty).in_space(place.space);
            let mut inits: Vec<_> = inits.iter().collect();
            inits.sort_unstable_by_key(|(index, _)| **index);
            for (&index, init) in inits {
                s.init_in_class((class, index), place.clone(), quals, init, &mut Vec::new());
            }
        });
        let mut said = std::mem::replace(self.sink, outer).diags;
        let same = |a: &Diag, b: &Diag| (a.loc, &a.message) == (b.loc, &b.message);
        said.retain(|new| !self.sink.diags.iter().any(|old| same(old, new)));
        self.sink.append(said);
    }

    /// Initialises the member that has a number, as its class says. What is wrong with that is said once.
    fn init_in_class(
        &mut self,
        (class, index): (RecordId, usize),
        whole: Place,
        quals: QualTy,
        init: &Initializer,
        out: &mut Vec<Stmt>,
    ) {
        let fields = self.types.record(class).fields.as_ref();
        let Some((info, field)) = self.class(class).zip(fields.and_then(|f| f.get(index))) else {
            return;
        };
        if info.wrong_inits.contains(&index) {
            return;
        }
        let (loc, field) = (begin_of(init), field.clone());
        let errors = self.sink.error_count();
        let object = Some((whole.clone(), quals));
        self.in_class_of(class, object, |s| {
            s.init_member(whole, quals, &field, init, loc, out);
        });
        // A trial says nothing.
        let is_heard = !self.sink.no_warnings && self.x().trial == 0;
        if is_heard && self.sink.error_count() > errors {
            self.class_mut(class).wrong_inits.push(index);
        }
    }

    /// Initialises an aggregate, of which some members cannot be copied as bytes, member by member.
    pub(super) fn members_at(
        &mut self,
        place: Place,
        init: &Initializer,
        loc: SourceLoc,
    ) -> Option<Expr> {
        let class = self.types.record_id(place.ty)?;
        let Initializer::List(items, _) = self.expanded_list(init) else {
            return None;
        };
        let fields = self.types.record(class).fields.clone()?;
        let quals = QualTy::plain(place.ty).in_space(place.space);
        let count = match self.types.record(class).is_union {
            true => 0,
            false => fields.len() as u64,
        };
        let given = self.list_by_parts(&items, quals, count, loc)?;
        let errors = self.sink.error_count();
        // Temporaries of the expression around it live on.
        let outer = self.temporaries_set_aside(Vec::new());
        let inits = self.class(class)?.inits.clone();
        let mut out = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            let whole = place.clone();
            let item = given.get(index).and_then(Option::as_ref);
            match (item, inits.get(&index)) {
                (Some(item), _) => self.init_member(whole, quals, field, item, loc, &mut out),
                (None, Some(init)) => {
                    self.init_in_class((class, index), whole, quals, init, &mut out);
                }
                (None, None) => {
                    let empty = Initializer::List(Vec::new(), loc);
                    self.init_member(whole, quals, field, &empty, loc, &mut out);
                }
            }
        }
        self.temporaries_set_aside(outer);
        let void = self.types.void();
        let all = Expr::new(ExprKind::StmtExpr(out, None), void, loc);
        (self.sink.error_count() == errors).then_some(all)
    }

    fn temporaries_set_aside(&mut self, others: Vec<super::Cleanup>) -> Vec<super::Cleanup> {
        match &mut self.cur {
            Some(f) => std::mem::replace(&mut f.cxx.temporaries, others),
            None => others,
        }
    }

    pub(super) fn init_arguments(&mut self, init: &Initializer) -> Option<Vec<Argument>> {
        match init {
            Initializer::List(_, loc) => Some(vec![Argument::List(self.expanded_list(init), *loc)]),
            Initializer::Expr(e) => match self.paren_arguments(e) {
                Some(args) => self.analysed(&args),
                None => self.analysed(std::slice::from_ref(e)),
            },
        }
    }

    /// Initialises a member that an initialiser is given for.
    pub(super) fn init_member(
        &mut self,
        whole: Place,
        quals: QualTy,
        field: &Field,
        init: &Initializer,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
    ) {
        let (mut place, _) = self.part_of(whole, quals, field.offset, field.ty, loc);
        place.is_volatile = false;
        if let TypeKind::Reference(..) = self.types.kind(field.ty.ty) {
            let Some(args) = self.init_arguments(init) else {
                return;
            };
            let [Argument::Operand(operand, at)] = &args[..] else {
                self.error(loc, "a reference is initialized with one object");
                return;
            };
            let value = self.cxx_convert(operand.clone(), field.ty, Context::Init, *at);
            return self.store_member(place, value, loc, out);
        }
        if let Some(class) = self.types.record_id(field.ty.ty) {
            let Some(args) = self.init_arguments(init) else {
                return;
            };
            let zero = args.is_empty();
            let made = self.construct_at(place, class, args, false, zero, loc);
            out.extend(made.map(|e| expr_stmt(self.full_expression(e))));
            return;
        }
        if self.types.element(field.ty.ty).is_some() {
            let init = match init {
                Initializer::Expr(e) if self.paren_arguments(e).is_some_and(|a| a.is_empty()) => {
                    Initializer::List(Vec::new(), loc)
                }
                other => self.expanded_list(other),
            };
            let ty = field.ty.ty;
            let trivial = self.begins_trivially(ty);
            let is_empty = matches!(&init, Initializer::List(items, _) if items.is_empty());
            match (is_empty, trivial) {
                (true, true) => {
                    let made = self.zeroed(place, loc);
                    out.push(expr_stmt(made));
                }
                (true, false) => self.default_construct(place, ty, loc, out),
                (false, _) => self.array_of_objects(place, QualTy::plain(ty), &init, loc, out),
            }
            return;
        }
        let value = self.scalar_init(field.ty, init, loc);
        self.store_member(place, value, loc, out);
    }

    pub(super) fn store_member(
        &mut self,
        place: Place,
        value: Expr,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
    ) {
        if self.is_error(&value) {
            return;
        }
        let ty = place.ty;
        let e = Expr::new(ExprKind::Assign(place, Box::new(value)), ty, loc);
        let e = self.full_expression(e);
        out.push(expr_stmt(e));
    }

    /// What direct-initialisation alone converts: `nullptr` to bool.
    pub(super) fn directly(&mut self, operand: Operand, to: Ty, loc: SourceLoc) -> Operand {
        let from = self.operand_type(&operand).ty;
        let bool = self.types.scalar(to) == Some(Prim::Bool);
        match bool && self.types.is_nullptr(from) {
            true => Operand::Value(self.zero(to, loc)),
            false => operand,
        }
    }

    /// The value that `(e)`, `{e}`, `()` or `= e` gives an object that is no class or array.
    pub(super) fn scalar_init(&mut self, to: QualTy, init: &Initializer, loc: SourceLoc) -> Expr {
        match init {
            Initializer::List(..) => self.list_value(to.ty, init, loc),
            Initializer::Expr(e) => {
                let given = self.paren_arguments(e);
                match given.as_deref() {
                    Some([]) => self.zero(to.ty, loc),
                    Some([only]) => {
                        let mut operand = self.operand(only);
                        if self.types.arith(to.ty).is_some()
                            && let Some((id, _)) = self.direct_conversion(&operand, to.ty, false)
                        {
                            operand = self.call_cxx(id, Some(operand), Vec::new(), loc);
                        }
                        let operand = self.directly(operand, to.ty, loc);
                        self.cxx_convert(operand, to, Context::Init, only.begin())
                    }
                    Some(parts) if self.types.vector(to.ty).is_some() => {
                        let args = self.analysed(parts);
                        match args.map(|args| self.functional_cast(to.ty, args, loc)) {
                            Some(operand) => self.value_of(operand),
                            None => self.error_expr(loc),
                        }
                    }
                    Some(_) => {
                        self.error(loc, "excess elements in scalar initializer");
                        self.error_expr(loc)
                    }
                    None => {
                        let operand = self.operand(e);
                        self.cxx_convert(operand, to, Context::Init, e.begin())
                    }
                }
            }
        }
    }

    pub(super) fn default_member(
        &mut self,
        whole: Place,
        quals: QualTy,
        field: &Field,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
    ) {
        if self.types.referent(field.ty.ty).is_some() {
            let name = field.name.as_deref().unwrap_or_default();
            let text =
                format!("constructor must explicitly initialize the reference member '{name}'");
            self.error(loc, text);
            return;
        }
        let inner = self.types.innermost(field.ty.ty);
        let Some(class) = self.types.record_id(inner) else {
            if field.ty.is_const {
                let name = field.name.as_deref().unwrap_or_default();
                let text =
                    format!("constructor must explicitly initialize the const member '{name}'");
                self.error(loc, text);
            }
            return;
        };
        if self.class(class).is_none_or(|c| c.trivial_default) {
            return;
        }
        let (place, _) = self.part_of(whole, quals, field.offset, field.ty, loc);
        self.default_construct(place, field.ty.ty, loc, out);
    }
}

pub(super) fn init_loc(given: Option<&(Name, &cxx::MemberInit)>, loc: SourceLoc) -> SourceLoc {
    given.map_or(loc, |g| g.1.loc)
}

fn begin_of(init: &Initializer) -> SourceLoc {
    match init {
        Initializer::Expr(e) => e.begin(),
        Initializer::List(_, loc) => *loc,
    }
}
