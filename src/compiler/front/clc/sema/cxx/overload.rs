//! Overload resolution: how well arguments fit parameters, and which candidate is best.

use super::super::Sema;
use super::super::convert::Fit;
use super::super::operand::Operand;
use super::super::tree::{Expr, FnId};
use super::super::types::{Prim, QualTy, RecordId, Ty, TypeKind};
use super::{Body, Callee, FnKind};
use crate::front::clc::builtins;
use crate::front::clc::syntax::ast::{Initializer, Name};
use crate::front::clc::syntax::cxx::ast::TemplateArg;
use crate::ir::Space;
use crate::source::SourceLoc;

/// What is passed for a parameter.
#[derive(Debug, Clone)]
pub(super) enum Argument {
    Operand(Operand, SourceLoc),
    List(Initializer, SourceLoc),
}

/// Costs of conversions: smaller is better, and of one kind about the same. What qualifiers cost is below `STEP`.
const STEP: u32 = 8;
const PROMOTION: u32 = 13 * STEP;
const CONVERSION: u32 = 25 * STEP;
const SPLAT: u32 = 38 * STEP;
const USER: u32 = 125 * STEP;
const ELLIPSIS: u32 = 1000 * STEP;
/// The parameter is a reference.
const REFERENCE: u32 = 1 << 31;

/// Candidates named in notes.
const MAX_NOTES: usize = 8;

/// A call to resolve.
pub(super) struct Call<'c> {
    pub name: &'c Name,
    pub candidates: Vec<Callee>,
    /// The object of a member function.
    pub object: Option<Operand>,
    pub explicit: Option<&'c [TemplateArg]>,
    pub args: &'c [Argument],
    /// Functions of OpenCL C of the name take part.
    pub builtins: bool,
    /// Explicit constructors and conversions do not.
    pub implicit: bool,
    pub loc: SourceLoc,
}

impl<'c> Call<'c> {
    /// Of functions that are no members, without template arguments.
    pub(super) fn of(
        name: &'c Name,
        candidates: Vec<Callee>,
        args: &'c [Argument],
        loc: SourceLoc,
    ) -> Call<'c> {
        Call {
            name,
            candidates,
            object: None,
            explicit: None,
            args,
            builtins: false,
            implicit: false,
            loc,
        }
    }
}

pub(super) enum Choice {
    Function(FnId),
    Builtin,
    Error,
    /// No candidate fits, which has not been reported.
    None,
}

struct Viable {
    id: Option<FnId>,
    costs: Vec<u32>,
    template: Option<u32>,
}

impl Sema<'_> {
    /// The cost of passing an argument; `None`: it does not fit. `user`: conversions of classes count.
    pub(super) fn cost(&mut self, arg: &Argument, to: Ty, user: bool) -> Option<u32> {
        match arg {
            Argument::Operand(operand, _) => {
                let operand = operand.clone();
                self.operand_cost(&operand, to, user)
            }
            Argument::List(init, loc) => self.list_cost(init, to, user, *loc),
        }
    }

    fn list_cost(&mut self, init: &Initializer, to: Ty, user: bool, loc: SourceLoc) -> Option<u32> {
        if let TypeKind::Reference(of, is_rvalue) = *self.types.kind(to) {
            let element = self.types.element(of.ty);
            let is_const = of.is_const || element.is_some_and(|(elem, _)| elem.is_const);
            let binds = is_rvalue || is_const;
            return self.list_cost(init, of.ty, user, loc).filter(|_| binds);
        }
        let Initializer::List(items, _) = init else {
            return None;
        };
        if self.types.record_id(to).is_some() {
            self.complete(to, loc);
            let made = |s: &mut Self| s.tried(|s| s.list_value(to, init, loc));
            let outer = std::mem::replace(&mut self.x().ranking, true);
            let fits = user && self.without_temporaries(made).is_some();
            self.x().ranking = outer;
            return fits.then_some(USER);
        }
        if let Some((elem, count)) = self.types.element(to) {
            let fits = count.is_some_and(|n| items.len() as u64 <= n);
            let mut most = fits.then_some(0)?;
            for (_, item) in items {
                most = most.max(self.item_cost(item, elem.ty, user, loc)?);
            }
            return Some(most);
        }
        match &items[..] {
            [] => Some(0),
            [(_, item @ Initializer::Expr(_))] => self.item_cost(item, to, user, loc),
            _ => self.types.vector(to).map(|_| 0),
        }
    }

    fn item_cost(&mut self, item: &Initializer, to: Ty, user: bool, loc: SourceLoc) -> Option<u32> {
        let Initializer::Expr(e) = item else {
            return self.list_cost(item, to, user, loc);
        };
        let operand = self.without_temporaries(|s| s.tried(|s| s.operand(e)))?;
        self.operand_cost(&operand, to, user)
    }

    /// The type of an operand with its qualifiers, and whether it is an object with a name.
    fn category(&mut self, operand: &Operand) -> (QualTy, bool) {
        match operand {
            Operand::Place(_, quals) => (*quals, true),
            Operand::Value(e) => (self.xvalue(e).unwrap_or(QualTy::plain(e.ty)), false),
            Operand::Function(..) => (QualTy::plain(self.types.error()), false),
        }
    }

    fn operand_cost(&mut self, operand: &Operand, to: Ty, user: bool) -> Option<u32> {
        let (from, is_lvalue) = self.category(operand);
        if self.types.is_error(from.ty) || self.types.is_error(to) {
            return Some(0);
        }
        let loc = SourceLoc::default();
        self.complete(from.ty, loc);
        if let TypeKind::Reference(of, is_rvalue) = *self.types.kind(to) {
            self.complete(of.ty, loc);
            if let Some(steps) = self.related(from.ty, of.ty) {
                let space = match is_lvalue {
                    true => Sema::space_fits(from.space, of.space),
                    false => {
                        let temporary = matches!(of.space, Space::Private | Space::Generic);
                        temporary || Sema::space_fits(from.space, of.space)
                    }
                };
                let drops = from.is_const && !of.is_const || from.is_volatile && !of.is_volatile;
                let binds = match (is_lvalue, is_rvalue) {
                    (true, true) => false,
                    (true, false) | (false, true) => true,
                    (false, false) => of.is_const && !of.is_volatile,
                };
                let lanes = matches!(operand, Operand::Place(place, _) if is_lanes(place));
                let binds = binds && (!lanes || of.is_const);
                if !space || drops || !binds {
                    return None;
                }
                let mut cost = u32::from(of.is_const != from.is_const)
                    + u32::from(of.is_volatile != from.is_volatile)
                    + u32::from(of.space != from.space);
                if !is_lvalue && !is_rvalue {
                    cost += 4;
                }
                if steps > 0 {
                    cost += CONVERSION + steps * STEP;
                }
                return Some(cost);
            }
            let binds = is_rvalue || of.is_const && !of.is_volatile;
            let temporary = matches!(of.space, Space::Private | Space::Generic);
            if !binds || !temporary {
                return None;
            }
            return self.value_cost(operand, from, of.ty, user).map(|c| c + 4);
        }
        self.complete(to, loc);
        self.value_cost(operand, from, to, user)
    }

    /// How many steps a class is away from its base; 0 for one type.
    pub(super) fn related(&self, from: Ty, to: Ty) -> Option<u32> {
        if from == to {
            return Some(0);
        }
        // Arrays whose elements differ in qualifiers.
        if let (Some((a, m)), Some((b, n))) = (self.types.element(from), self.types.element(to)) {
            let fits = m == n && (b.is_const || !a.is_const);
            let inner = a.ty == b.ty
                || self.types.element(a.ty).is_some() && self.related(a.ty, b.ty) == Some(0);
            return (fits && inner).then_some(0);
        }
        let (from, to) = (self.types.record_id(from)?, self.types.record_id(to)?);
        self.base_at(from, to).map(|found| found.0)
    }

    fn value_cost(&mut self, operand: &Operand, from: QualTy, to: Ty, user: bool) -> Option<u32> {
        if let Some(class) = self.types.record_id(to) {
            if let Some(steps) = self.related(from.ty, to) {
                return Some(if steps > 0 {
                    CONVERSION + steps * STEP
                } else {
                    0
                });
            }
            if !user {
                return None;
            }
            let arg = [Argument::Operand(operand.clone(), SourceLoc::default())];
            if let Some((_, cost)) = self.converting_constructor(class, &arg) {
                return Some(USER + cost);
            }
            return self.conversion(operand, to).map(|found| USER + found.1);
        }
        if self.types.record_id(from.ty).is_some() {
            let found = if user {
                self.conversion(operand, to)
            } else {
                None
            };
            return found.map(|found| USER + found.1);
        }
        let e = self.tried(|s| s.value_of(operand.clone()))?;
        self.scalar_cost(&e, to)
    }

    fn scalar_cost(&mut self, e: &Expr, to: Ty) -> Option<u32> {
        let from = e.ty;
        if from == to {
            return Some(0);
        }
        if self.member_pointer_converted(e, to).is_some() {
            return Some(CONVERSION);
        }
        if self.is_scoped(from) || self.is_enum(to) {
            return None;
        }
        match (self.types.kind(from).clone(), self.types.kind(to).clone()) {
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => {
                if self.types.is_nullptr(to) {
                    return None;
                }
                if self.is_null_constant(e) {
                    return Some(CONVERSION);
                }
                return self.pointer_cost(a, b);
            }
            (TypeKind::Pointer(_), TypeKind::Scalar(Prim::Bool)) => {
                let pointer = !self.types.is_nullptr(from);
                return pointer.then_some(CONVERSION + 6 * STEP);
            }
            (_, TypeKind::Pointer(_)) => {
                let null = matches!(e.kind, super::super::tree::ExprKind::Const(0));
                let literal = null && self.types.scalar(from) == Some(Prim::Int);
                return literal.then_some(CONVERSION);
            }
            _ => {}
        }
        if self.fit(e, to) != Fit::Ok {
            return None;
        }
        match (self.types.arith(from), self.types.arith(to)) {
            (Some(a), Some(b)) if !a.is_vector() && b.is_vector() => Some(SPLAT),
            (Some(a), Some(b)) if !a.is_vector() => {
                let promoted = a.prim.promoted() == b.prim
                    && (a.prim != b.prim || self.is_enum(from))
                    || a.prim == Prim::Float && b.prim == Prim::Double
                    || a.prim == Prim::Half && matches!(b.prim, Prim::Float | Prim::Double);
                Some(if promoted { PROMOTION } else { CONVERSION })
            }
            _ => Some(CONVERSION),
        }
    }

    fn pointer_cost(&mut self, from: QualTy, to: QualTy) -> Option<u32> {
        let drops = from.is_const && !to.is_const && to.space != Space::Constant
            || from.is_volatile && !to.is_volatile;
        if !Sema::space_fits(from.space, to.space) || drops {
            return None;
        }
        let quals = u32::from(from.is_const != to.is_const)
            + u32::from(from.is_volatile != to.is_volatile)
            + u32::from(from.space != to.space);
        if from.ty == to.ty {
            return Some(quals);
        }
        if self.types.is_void(to.ty) {
            return Some(CONVERSION + 3 * STEP + quals);
        }
        if self.adds_qualifiers(from, to) {
            return Some(quals + 1);
        }
        self.complete(from.ty, SourceLoc::default());
        let steps = self.related(from.ty, to.ty)?;
        Some(CONVERSION + steps * STEP + quals)
    }

    /// The constructor that converts an argument to a class, and its cost.
    pub(super) fn converting_constructor(
        &mut self,
        class: RecordId,
        args: &[Argument],
    ) -> Option<(FnId, u32)> {
        let set = self.class(class)?.constructors?;
        let mut best: Option<(FnId, u32)> = None;
        for callee in self.callees_of(set) {
            let id = match callee {
                Callee::Fn(id) => id,
                Callee::Template(template) => {
                    match self.deduced_function(template, None, args, SourceLoc::default()) {
                        Some(id) => id,
                        None => continue,
                    }
                }
            };
            let f = self.cxx_fn(id)?;
            let least = f.params.iter().filter(|p| p.default.is_none()).count();
            if f.is_explicit || f.params.is_empty() || least > 1 {
                continue;
            }
            let to = f.params[0].ty.ty;
            let own = self.types.referent(to).map_or(to, |r| r.ty);
            if self.types.record_id(own) == Some(class) {
                continue;
            }
            if let Some(cost) = self.cost(&args[0], to, false)
                && best.is_none_or(|b| cost < b.1)
            {
                best = Some((id, cost));
            }
        }
        best
    }

    /// The conversion function that makes a value of that type of an object, and its cost.
    pub(super) fn conversion(&mut self, operand: &Operand, to: Ty) -> Option<(FnId, u32)> {
        let (from, _) = self.category(operand);
        let mut classes = vec![self.types.record_id(from.ty)?];
        // A template counts if no function is as good.
        let mut best: Option<(FnId, (u32, bool))> = None;
        let mut next = 0;
        while next < classes.len() {
            let Some(class) = self.class(classes[next]).cloned() else {
                break;
            };
            next += 1;
            classes.extend(class.bases.iter().map(|b| b.class));
            for callee in class.conversions {
                let id = match callee {
                    Callee::Fn(id) => id,
                    Callee::Template(template) => match self.deduced_conversion(template, to) {
                        Some(id) => id,
                        None => continue,
                    },
                };
                let f = self.cxx_fn(id)?.clone();
                if f.is_explicit && !self.contextual() {
                    continue;
                }
                let fits = f.method.is_some_and(|m| {
                    (m.this.is_const || !from.is_const)
                        && Sema::space_fits(from.space, m.this.space)
                });
                if !fits {
                    continue;
                }
                let ret = self.types.referent(f.ret).map_or(f.ret, |r| r.ty);
                let value = Expr::new(super::super::tree::ExprKind::Const(1), ret, f.loc);
                let cost = match ret == to {
                    true => Some(0),
                    false if self.types.record_id(to).is_some() => {
                        self.related(ret, to).map(|s| s * 8)
                    }
                    false if self.types.record_id(ret).is_some() => None,
                    false => self.scalar_cost(&value, to),
                };
                let cost = cost.map(|cost| (cost, matches!(callee, Callee::Template(_))));
                if let Some(cost) = cost
                    && best.is_none_or(|b| cost < b.1)
                {
                    best = Some((id, cost));
                }
            }
        }
        best.map(|(id, (cost, _))| (id, cost))
    }

    /// A conversion function for an initialisation; where it is direct an explicit one, too.
    pub(super) fn direct_conversion(
        &mut self,
        operand: &Operand,
        ty: Ty,
        implicit: bool,
    ) -> Option<(FnId, u32)> {
        let outer = std::mem::replace(&mut self.x().contextual, !implicit);
        let found = self.conversion(operand, ty);
        self.x().contextual = outer;
        found
    }

    /// In a condition explicit conversions to bool count.
    fn contextual(&self) -> bool {
        self.xref().is_some_and(|x| x.contextual)
    }

    // ------------------------------------------------------------ candidates

    pub(super) fn choose(&mut self, call: &Call) -> Choice {
        let mut viable: Vec<Viable> = Vec::new();
        let mut failed: Vec<SourceLoc> = Vec::new();
        for &callee in &call.candidates {
            match callee {
                Callee::Fn(id) if call.explicit.is_none() => match self.costs(id, call) {
                    Some(costs) => viable.push(Viable {
                        id: Some(id),
                        costs,
                        template: None,
                    }),
                    None => failed.extend(self.cxx_fn(id).map(|f| f.loc)),
                },
                Callee::Fn(_) => {}
                Callee::Template(template) => {
                    let id = self.deduced_function(template, call.explicit, call.args, call.loc);
                    let costs = id.and_then(|id| self.costs(id, call));
                    match (id, costs) {
                        (Some(id), Some(costs)) => viable.push(Viable {
                            id: Some(id),
                            costs,
                            template: Some(template),
                        }),
                        _ => failed.push(self.x().templates[template as usize].loc),
                    }
                }
            }
        }
        if call.builtins
            && let Some(costs) = self.builtin_costs(call)
        {
            viable.push(Viable {
                id: None,
                costs,
                template: None,
            });
        }
        let best = (0..viable.len()).reduce(|best, other| {
            match self.is_better(&viable[other], &viable[best]) {
                true => other,
                false => best,
            }
        });
        let Some(best) = best else {
            return match failed.is_empty() {
                true => Choice::None,
                false => self.no_match(call, &failed),
            };
        };
        let others = (0..viable.len()).filter(|&other| other != best);
        let unique = others
            .into_iter()
            .all(|other| self.is_better(&viable[best], &viable[other]));
        if !unique {
            self.error(call.loc, format!("call to '{}' is ambiguous", call.name));
            for v in viable.iter().take(MAX_NOTES) {
                if let Some(loc) = v.id.and_then(|id| self.cxx_fn(id)).map(|f| f.loc) {
                    self.sink.note(loc, "candidate function");
                }
            }
            return Choice::Error;
        }
        match viable[best].id {
            None => Choice::Builtin,
            Some(id) => self.allowed(id, call),
        }
    }

    fn allowed(&mut self, id: FnId, call: &Call) -> Choice {
        let Some(f) = self.cxx_fn(id) else {
            return Choice::Error;
        };
        let (kind, loc, class) = (f.kind, f.loc, f.class);
        let name = f.name.clone();
        let implicit = matches!(f.body, Body::Implicit(_));
        if f.is_deleted {
            let text = match (kind, class) {
                (FnKind::Constructor, Some(class)) => {
                    let ty = self.record_type(class);
                    format!("call to deleted constructor of {}", self.types.show(ty))
                }
                _ => format!("call to deleted function '{name}'"),
            };
            self.error(call.loc, text);
            let how = if implicit {
                "implicitly"
            } else {
                "explicitly marked"
            };
            let text = format!("'{name}' has been {how} deleted here");
            self.sink.note(loc, text);
            return Choice::Error;
        }
        if let Some(class) = class
            && !implicit
        {
            // A using-declaration of the object's class may have opened it.
            let object = call.object.as_ref().map(|o| self.operand_type(o).ty);
            let named = object.and_then(|ty| self.class_of(ty));
            let opened = named.filter(|c| c.access.contains_key(&name));
            let space = opened.or_else(|| self.class(class)).map(|c| c.space);
            if let Some(space) = space {
                let own = self.scopes.spaces[space.0 as usize].class == Some(class);
                if self.check_access(space, &name, call.loc) && own {
                    self.check_overload(id, class, call.loc);
                }
            }
        }
        Choice::Function(id)
    }

    fn no_match(&mut self, call: &Call, failed: &[SourceLoc]) -> Choice {
        let is_constructor = call.candidates.iter().any(|c| match c {
            Callee::Fn(id) => self
                .cxx_fn(*id)
                .is_some_and(|f| f.kind == FnKind::Constructor),
            Callee::Template(_) => false,
        });
        let text = match (is_constructor, &call.object) {
            (true, Some(object)) => {
                let ty = self.operand_type(object).ty;
                let copied = match call.args {
                    [Argument::Operand(operand, _)] => self.operand_type(operand).ty == ty,
                    _ => false,
                };
                let what = match copied {
                    true => "call to implicitly-deleted copy constructor of",
                    false => "no matching constructor for initialization of",
                };
                format!("{what} {}", self.types.show(ty))
            }
            (false, Some(_)) => format!("no matching member function for call to '{}'", call.name),
            _ => format!("no matching function for call to '{}'", call.name),
        };
        self.error(call.loc, text);
        for &loc in failed.iter().take(MAX_NOTES) {
            self.sink.note(loc, "candidate function not viable");
        }
        Choice::Error
    }

    /// Costs of the object and of each argument.
    fn costs(&mut self, id: FnId, call: &Call) -> Option<Vec<u32>> {
        let f = self.cxx_fn(id)?.clone();
        if call.implicit && f.is_explicit {
            return None;
        }
        let least = f.params.iter().filter(|p| p.default.is_none()).count();
        let too_many = call.args.len() > f.params.len() && !f.variadic;
        if too_many || call.args.len() < least {
            return None;
        }
        let mut costs = Vec::new();
        if let Some(object) = &call.object {
            costs.push(match (f.method, f.kind) {
                (None, _) => 0,
                (Some(method), FnKind::Constructor) => {
                    let (from, this) = (self.category(object).0, method.this);
                    let implicit = matches!(f.body, Body::Implicit(_));
                    if !implicit && !Sema::space_fits(from.space, this.space) {
                        return None;
                    }
                    u32::from(from.space != this.space)
                }
                (Some(method), _) => {
                    let (from, is_lvalue) = self.category(object);
                    self.related(from.ty, method.this.ty)?;
                    let this = method.this;
                    let drops =
                        from.is_const && !this.is_const || from.is_volatile && !this.is_volatile;
                    let space = match is_lvalue {
                        true => Sema::space_fits(from.space, this.space),
                        false => {
                            matches!(this.space, Space::Private | Space::Generic)
                                || Sema::space_fits(from.space, this.space)
                        }
                    };
                    let category = match method.reference {
                        Some(true) => !is_lvalue,
                        Some(false) => is_lvalue || this.is_const,
                        None => true,
                    };
                    if drops || !space || !category {
                        return None;
                    }
                    // Members that a using-declaration takes over count as the class's own.
                    u32::from(from.is_const != this.is_const) + u32::from(from.space != this.space)
                }
            });
        }
        for (arg, param) in call.args.iter().zip(&f.params) {
            let cost = self.cost(arg, param.ty.ty, true)?;
            costs.push(match self.types.referent(param.ty.ty) {
                Some(_) => cost | REFERENCE,
                None => cost,
            });
        }
        for arg in call.args.iter().skip(f.params.len()) {
            if let Argument::List(..) = arg {
                return None;
            }
            costs.push(ELLIPSIS);
        }
        Some(costs)
    }

    fn builtin_costs(&mut self, call: &Call) -> Option<Vec<u32>> {
        let mut values = Vec::new();
        for arg in call.args {
            let Argument::Operand(operand, _) = arg else {
                return None;
            };
            values.push(self.tried(|s| s.value_of(operand.clone()))?);
        }
        let tys: Vec<Ty> = values.iter().map(|e| e.ty).collect();
        let language = self.language();
        let found = builtins::resolve(&mut self.types, language, call.name, &tys).ok()?;
        let mut costs = Vec::new();
        if call.object.is_some() {
            costs.push(0);
        }
        for (e, &to) in values.iter().zip(&found.params) {
            costs.push(self.scalar_cost(e, to)?);
        }
        Some(costs)
    }

    fn is_better(&self, a: &Viable, b: &Viable) -> bool {
        // Qualifiers of references count between references.
        let own = |cost: u32, other: u32| match cost & !other & REFERENCE {
            0 => cost & !REFERENCE,
            _ => cost & !REFERENCE & !(STEP - 1),
        };
        let pairs = || {
            let pairs = a.costs.iter().zip(&b.costs);
            pairs.map(|(&x, &y)| (own(x, y), own(y, x)))
        };
        if !pairs().all(|(x, y)| x <= y) {
            return false;
        }
        if pairs().any(|(x, y)| x < y) {
            return true;
        }
        // A program's own function is preferred to a builtin, and one to a template.
        match (a.id, b.id) {
            (Some(_), None) => return true,
            (None, _) => return false,
            _ => {}
        }
        match (a.template, b.template) {
            (None, Some(_)) => true,
            (Some(x), Some(y)) => {
                let rank = |t: u32| {
                    self.xref().map_or(0, |x| {
                        super::rank::rank_function(&x.templates[t as usize].tree)
                    })
                };
                rank(x) > rank(y)
            }
            _ => false,
        }
    }
}

pub(super) fn is_lanes(place: &super::super::tree::Place) -> bool {
    use super::super::tree::PlaceKind;
    match &place.kind {
        PlaceKind::Lanes(..) | PlaceKind::Lane(..) => true,
        PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => is_lanes(base),
        _ => false,
    }
}
