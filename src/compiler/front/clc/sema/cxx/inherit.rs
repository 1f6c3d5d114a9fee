//! Inherited constructors: `using base::base;` gives a class a constructor for each of its base's, which
//! constructs the base with the same arguments and everything else by default.

use super::super::Sema;
use super::super::operand::Operand;
use super::super::scope::SpaceId;
use super::super::tree::{Expr, ExprKind, FnId, Stmt};
use super::super::types::{RecordId, TypeKind};
use super::overload::Argument;
use super::{Callee, CxxFn, FnKind, Implicit};
use crate::source::SourceLoc;

impl Sema<'_> {
    /// Notes what the class at `here` inherits from a base; the constructors are made when the class is complete.
    pub(super) fn inherit_constructors(&mut self, here: SpaceId, base: RecordId, loc: SourceLoc) {
        let Some(class) = self.scopes.spaces[here.0 as usize].class else {
            return;
        };
        let is_direct = self
            .class(class)
            .is_some_and(|c| c.bases.iter().any(|b| b.class == base));
        if is_direct {
            self.class_mut(class).inherits.push(base);
            return;
        }
        let ty = self.record_type(base);
        let text = format!("{} is not a direct base class", self.types.show(ty));
        self.error(loc, text);
    }

    fn constructors_of(&self, class: RecordId) -> Vec<Callee> {
        let set = self.class(class).and_then(|c| c.constructors);
        set.map_or(Vec::new(), |set| self.callees_of(set))
    }

    /// Makes the constructors that a class inherits, but for those that it has itself.
    pub(super) fn add_inherited(&mut self, class: RecordId, loc: SourceLoc) {
        let bases = self.class_mut(class).inherits.clone();
        for base in bases {
            for callee in self.constructors_of(base) {
                let own = match callee {
                    Callee::Fn(from) => self.inherited(class, from, loc).map(Callee::Fn),
                    Callee::Template(of) => {
                        let template = self.x().templates[of as usize].inherited_by(class, of);
                        self.x().templates.push(template);
                        let number = self.x().templates.len() as u32 - 1;
                        Some(Callee::Template(number))
                    }
                };
                let set = match self.class_mut(class).constructors {
                    Some(set) => set,
                    None => self.new_set(),
                };
                self.class_mut(class).constructors = Some(set);
                self.x().sets[set as usize].members.extend(own);
            }
        }
    }

    /// The constructor that a class inherits for one of its base's; `None` if it copies or the class has its own.
    pub(super) fn inherited(
        &mut self,
        class: RecordId,
        from: FnId,
        loc: SourceLoc,
    ) -> Option<FnId> {
        let f = self.cxx_fn(from)?.clone();
        let copied = match &f.params[..] {
            [only] => self.types.referent(only.ty.ty),
            _ => None,
        };
        let copied = copied.and_then(|to| self.types.record_id(to.ty));
        let types = |f: &CxxFn| f.params.iter().map(|p| p.ty.ty).collect::<Vec<_>>();
        let own = self.constructors_of(class);
        let hidden = own.iter().any(|callee| match callee {
            Callee::Fn(id) => self.cxx_fn(*id).is_some_and(|o| types(o) == types(&f)),
            Callee::Template(_) => false,
        });
        if hidden || copied.is_some() && (copied == f.class || copied == Some(class)) {
            return None;
        }
        let name = self.short_name(class).unwrap_or_default();
        let kind = Implicit::Inherited(from);
        let id = self.implicit_function(class, &name, FnKind::Constructor, kind, loc);
        if let Some(made) = self.x().fns.get_mut(&id) {
            made.params = f.params;
            made.is_explicit = f.is_explicit;
            made.is_deleted = f.is_deleted;
            made.is_constexpr = f.is_constexpr;
            // Default arguments are those of the base.
            made.env = f.env;
        }
        Some(id)
    }

    pub(super) fn inherited_body(&mut self, f: &CxxFn, from: FnId, out: &mut Vec<Stmt>) {
        let loc = f.loc;
        let mut args = Vec::new();
        for param in &f.params {
            let lowered = self.lowered(param.ty);
            let align = self.types.align_of(lowered);
            let Some(state) = &mut self.cur else { return };
            let id = state.new_local("".into(), lowered, align, loc);
            state.quals[id.0 as usize] = param.ty;
            let operand = self.local_place(id, loc);
            // What was passed as a value or an rvalue goes on as one.
            let by_lvalue = matches!(self.types.kind(param.ty.ty), TypeKind::Reference(_, false));
            let operand = match operand {
                Operand::Place(place, _) if !by_lvalue => {
                    let ty = place.ty;
                    Operand::Value(Expr::new(ExprKind::Load(place), ty, loc))
                }
                other => other,
            };
            args.push(Argument::Operand(operand, loc));
        }
        let base = self.cxx_fn(from).and_then(|f| f.class);
        let base = base.map(|base| (base, args, loc));
        self.member_inits(f, &[], base, out);
    }
}
