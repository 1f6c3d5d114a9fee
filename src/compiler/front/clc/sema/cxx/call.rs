//! What is called: names, members, objects, types.

use super::super::Sema;
use super::super::operand::Operand;
use super::super::scope::{Entity, SpaceId};
use super::super::types::{QualTy, RecordId, Ty, TypeKind};
use super::Callee;
use super::overload::{Argument, Call, Choice};
use crate::front::clc::builtins;
use crate::front::clc::syntax::ast::{self, Name};
use crate::front::clc::syntax::cxx::ast::{self as cxx, TemplateArg};
use crate::source::SourceLoc;

impl Sema<'_> {
    /// Analyses arguments, packs expanded; `None` if one had an error.
    pub(super) fn analysed(&mut self, args: &[ast::Expr]) -> Option<Vec<Argument>> {
        let mut out = Vec::new();
        let mut bad = false;
        for arg in args {
            if let ast::ExprKind::Cxx(inner) = &arg.kind {
                match &**inner {
                    cxx::Expr::Expand(pattern, packs) => {
                        self.expand(packs, arg.loc, |s| {
                            match s.analysed(std::slice::from_ref(pattern)) {
                                Some(more) => out.extend(more),
                                None => bad = true,
                            }
                        });
                        continue;
                    }
                    cxx::Expr::List(init) => {
                        let init = self.expanded_list(init);
                        out.push(Argument::List(init, arg.loc));
                        continue;
                    }
                    _ => {}
                }
            }
            match self.argument_operand(arg) {
                Some(operand) => out.push(Argument::Operand(operand, arg.begin())),
                None => bad = true,
            }
        }
        (!bad).then_some(out)
    }

    pub(super) fn cxx_call(
        &mut self,
        callee: &ast::Expr,
        args: &[ast::Expr],
        loc: SourceLoc,
    ) -> Operand {
        let begin = callee.begin();
        match &callee.bare().kind {
            ast::ExprKind::Ident(name) => {
                let found = self.scopes.find(name).map(|s| s.entity);
                self.call_named(found, name, None, args, begin, loc)
            }
            ast::ExprKind::Cxx(inner) => match &**inner {
                // `::sin`, which no declaration of the program's hides.
                cxx::Expr::Name(name) if self.is_global_builtin(name) => {
                    let last = &name.parts[0];
                    let known = self.scopes.find_own(super::GLOBAL, &last.name);
                    let candidates = match known.map(|s| s.entity) {
                        Some(Entity::Functions(set)) => self.callees_of(set),
                        _ => Vec::new(),
                    };
                    self.call_set(&last.name, candidates, None, None, args, true, begin, loc)
                }
                cxx::Expr::Name(name) => {
                    if let Some(assigned) = self.base_assigned(name, args, begin, loc) {
                        return assigned;
                    }
                    let Some(symbol) = self.lookup(name, false) else {
                        return self.error_operand(loc);
                    };
                    let last = name.parts.last();
                    let explicit = last.and_then(|p| p.args.as_deref());
                    let short = last.map(|p| p.name.clone()).unwrap_or_default();
                    let only = name.parts.len() > 1 || name.global;
                    if let (Entity::Functions(set), true) = (symbol.entity, only) {
                        let explicit = explicit.map(<[TemplateArg]>::to_vec);
                        return self.call_set(
                            &short,
                            self.callees_of(set),
                            None,
                            explicit,
                            args,
                            false,
                            begin,
                            loc,
                        );
                    }
                    if let (Entity::Function, true) = (symbol.entity, only) {
                        let args = self.stashed_args(args);
                        return Operand::Value(self.builtin_call(&short, &args, begin, loc));
                    }
                    self.call_named(Some(symbol.entity), &short, explicit, args, begin, loc)
                }
                cxx::Expr::Member { base, arrow, name } => {
                    self.call_member(base, *arrow, name, args, loc)
                }
                cxx::Expr::Builtin(parts) => self.call_composed(parts, args, begin, loc),
                _ => self.call_object(callee, args, begin, loc),
            },
            ast::ExprKind::Member(base, name) | ast::ExprKind::Arrow(base, name) => {
                let arrow = matches!(callee.bare().kind, ast::ExprKind::Arrow(..));
                let name = cxx::QName::plain(name.clone(), callee.loc);
                self.call_member(base, arrow, &name, args, loc)
            }
            _ => self.call_object(callee, args, begin, loc),
        }
    }

    fn call_named(
        &mut self,
        found: Option<Entity>,
        name: &Name,
        explicit: Option<&[TemplateArg]>,
        args: &[ast::Expr],
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Operand {
        match found {
            Some(Entity::Functions(_)) => {
                let candidates = self.callees_named(name);
                let explicit = explicit.map(<[TemplateArg]>::to_vec);
                self.call_set(name, candidates, None, explicit, args, true, begin, loc)
            }
            None | Some(Entity::Function) => {
                self.call_set(name, Vec::new(), None, None, args, true, begin, loc)
            }
            Some(Entity::Typedef(spec)) => {
                let Some(args) = self.analysed(args) else {
                    return self.error_operand(loc);
                };
                self.functional_cast(spec.ty, args, loc)
            }
            Some(Entity::Template(template)) => self.deduced_construction(template, args, loc),
            Some(entity) => {
                let operand = match entity {
                    Entity::Local(_) | Entity::Block(..) => self.name(name, begin),
                    other => self.entity_operand(other, name, begin),
                };
                self.call_operand(operand, args, begin, loc)
            }
        }
    }

    fn call_object(
        &mut self,
        callee: &ast::Expr,
        args: &[ast::Expr],
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Operand {
        let operand = self.operand(callee);
        self.call_operand(operand, args, begin, loc)
    }

    /// `object(arguments)`
    fn call_operand(
        &mut self,
        operand: Operand,
        args: &[ast::Expr],
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Operand {
        let ty = self.operand_type(&operand).ty;
        self.complete(ty, begin);
        if self.types.record_id(ty).is_some()
            && let Some(Entity::Functions(set)) = self.member_entity(ty, "operator()")
        {
            let candidates = self.callees_of(set);
            let name: Name = "operator()".into();
            return self.call_set(
                &name,
                candidates,
                Some(operand),
                None,
                args,
                false,
                begin,
                loc,
            );
        }
        let is_block = matches!(self.types.kind(ty), TypeKind::Block(_));
        let stand_in = self.stash(operand, begin);
        if is_block {
            let args = self.stashed_args(args);
            return Operand::Value(self.call(&stand_in, &args, loc));
        }
        if self.types.is_error(ty) {
            return self.error_operand(loc);
        }
        let shown = self.types.show(ty);
        self.error(
            begin,
            format!("called object type {shown} is not a function or function pointer"),
        );
        self.error_operand(loc)
    }

    pub(super) fn stashed_args(&mut self, args: &[ast::Expr]) -> Vec<ast::Expr> {
        let Some(analysed) = self.analysed(args) else {
            let e = self.error_operand(SourceLoc::default());
            return vec![self.stash(e, SourceLoc::default())];
        };
        self.stashed_arguments(analysed)
    }

    /// Calls a function of OpenCL C.
    fn builtin_of(
        &mut self,
        name: &Name,
        args: Vec<Argument>,
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Operand {
        let args = self.stashed_arguments(args);
        Operand::Value(self.builtin_call(name, &args, begin, loc))
    }

    fn stashed_arguments(&mut self, args: Vec<Argument>) -> Vec<ast::Expr> {
        args.into_iter()
            .map(|arg| match arg {
                Argument::Operand(operand, at) => self.stash(operand, at),
                Argument::List(_, at) => {
                    let e = self.error_operand(at);
                    self.error(at, "a list in braces cannot be passed here");
                    self.stash(e, at)
                }
            })
            .collect()
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn call_set(
        &mut self,
        name: &Name,
        mut candidates: Vec<Callee>,
        object: Option<Operand>,
        explicit: Option<Vec<TemplateArg>>,
        args: &[ast::Expr],
        unqualified: bool,
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Operand {
        let builtins = unqualified && explicit.is_none() && self.knows_builtin(name, &candidates);
        // What OpenCL C calls by name alone, and converts by rules of its own.
        let plain = candidates.is_empty() && object.is_none() && explicit.is_none() && unqualified;
        if plain && !self.has_objects() && !self.opts.is_opencl_cxx() {
            let args = self.stashed_args(args);
            return Operand::Value(self.builtin_call(name, &args, begin, loc));
        }
        let Some(arguments) = self.analysed(args) else {
            return self.error_operand(loc);
        };
        let own_object = candidates.iter().any(|c| self.is_method(*c));
        let object = match object {
            None if own_object => self.this_operand(begin),
            other => other,
        };
        if unqualified && !own_object {
            self.add_by_arguments(name, &arguments, &mut candidates);
        }
        if plain && candidates.is_empty() {
            if self.opts.is_opencl_cxx() && !builtins {
                self.undeclared_builtin(name, begin);
                return self.error_operand(loc);
            }
            if builtins {
                return self.builtin_of(name, arguments, begin, loc);
            }
        }
        let call = Call {
            name,
            candidates,
            object: object.clone(),
            explicit: explicit.as_deref(),
            args: &arguments,
            builtins,
            implicit: false,
            loc: begin,
        };
        match self.choose(&call) {
            Choice::Function(id) => {
                let is_method = self.cxx_fn(id).is_some_and(|f| f.method.is_some());
                if is_method && object.is_none() {
                    let text = format!(
                        "call to non-static member function '{name}' without an object argument"
                    );
                    self.error(begin, text);
                    return self.error_operand(loc);
                }
                self.call_cxx(id, object, arguments, begin)
            }
            Choice::Builtin | Choice::None => {
                // OpenCL C's functions do not say that they do not throw.
                let throws = &mut self.x().throws;
                *throws = throws.map(|_| true);
                self.builtin_of(name, arguments, begin, loc)
            }
            Choice::Error => self.error_operand(loc),
        }
    }

    /// There are arguments whose types decide where a function is looked for.
    fn has_objects(&self) -> bool {
        self.xref()
            .is_some_and(|x| !x.enums.is_empty() || x.classes.values().any(|c| c.complete))
    }

    /// The name is a builtin's, which the functions found do not hide.
    fn knows_builtin(&self, name: &str, candidates: &[Callee]) -> bool {
        let is_global = |callee: &Callee| match callee {
            Callee::Fn(id) => self.cxx_fn(*id).is_some_and(|f| f.parent == super::GLOBAL),
            Callee::Template(t) => self
                .xref()
                .is_some_and(|x| x.templates[*t as usize].parent == super::GLOBAL),
        };
        let may_be = candidates.is_empty() || candidates.iter().any(is_global);
        may_be
            && match self.opts.is_opencl_cxx() {
                true => self.imports_builtin(name, candidates.is_empty()),
                false => builtins::is_builtin(name),
            }
    }

    fn is_global_builtin(&self, name: &cxx::QName) -> bool {
        let [only] = &name.parts[..] else {
            return false;
        };
        name.global
            && only.args.is_none()
            && !self.opts.is_opencl_cxx()
            && builtins::is_builtin(&only.name)
    }

    fn is_method(&self, callee: Callee) -> bool {
        match callee {
            Callee::Fn(id) => self.cxx_fn(id).is_some_and(|f| f.class.is_some()),
            Callee::Template(t) => self.xref().is_some_and(|x| {
                let parent = x.templates[t as usize].parent;
                self.scopes.spaces[parent.0 as usize].class.is_some()
            }),
        }
    }

    /// `*this`, of the class that the innermost function is a member of; of a lambda's, also what it has captured.
    pub(super) fn this_operand(&mut self, loc: SourceLoc) -> Option<Operand> {
        let (place, quals) = self.this_object(loc)?;
        if let Some(captured) = self.captured_this(loc) {
            return Some(captured);
        }
        Some(Operand::Place(place, quals))
    }

    /// Functions of the namespaces of the arguments' classes.
    pub(super) fn add_by_arguments(
        &mut self,
        name: &Name,
        args: &[Argument],
        candidates: &mut Vec<Callee>,
    ) {
        let mut spaces: Vec<SpaceId> = Vec::new();
        for arg in args {
            let Argument::Operand(operand, _) = arg else {
                continue;
            };
            let mut ty = self.operand_type(operand).ty;
            if let Some(to) = self.types.pointee(ty) {
                ty = to.ty;
            }
            if let Some(&space) = self.xref().and_then(|x| x.enums.get(&ty)) {
                spaces.extend(self.scopes.spaces[space.0 as usize].parent);
            }
            let Some(class) = self.types.record_id(ty) else {
                continue;
            };
            let mut classes: Vec<RecordId> = vec![class];
            let mut next = 0;
            while next < classes.len() && next < 64 {
                if let Some(class) = self.class(classes[next]) {
                    classes.extend(class.bases.iter().map(|b| b.class));
                    let mut space = Some(class.parent);
                    while let Some(at) = space
                        && self.scopes.spaces[at.0 as usize].class.is_some()
                    {
                        space = self.scopes.spaces[at.0 as usize].parent;
                    }
                    spaces.push(space.unwrap_or(super::GLOBAL));
                }
                next += 1;
            }
        }
        for space in spaces {
            if let Some(Entity::Functions(set)) =
                self.scopes.find_own(space, name).map(|s| s.entity)
            {
                for callee in self.callees_of(set) {
                    if !candidates.contains(&callee) {
                        candidates.push(callee);
                    }
                }
            }
        }
    }

    /// `base.name(arguments)`
    pub(super) fn call_member(
        &mut self,
        base: &ast::Expr,
        arrow: bool,
        name: &cxx::QName,
        args: &[ast::Expr],
        loc: SourceLoc,
    ) -> Operand {
        let Some(object) = self.object_of(base, arrow, name.loc) else {
            return self.error_operand(loc);
        };
        let ty = self.operand_type(&object).ty;
        self.complete(ty, name.loc);
        let Some(last) = name.parts.last() else {
            return self.error_operand(loc);
        };
        if last.name.starts_with('~') {
            return match self.destroyed(ty, name) {
                Some(of) => self.explicit_destruction(object, of, loc),
                None => self.error_operand(loc),
            };
        }
        let is_class = self.class_of(ty).is_some();
        let mut entity = self.member_entity(ty, &last.name);
        let mut of = ty;
        if name.parts.len() > 1 {
            // `a.B::f()`
            of = self.member_scope(ty, name);
            self.complete(of, name.loc);
            entity = self.member_entity(of, &last.name);
        }
        if let ("operator=", [value]) = (&*last.name, args)
            && self.assigns_bytes(of)
        {
            return match self.object_as(object, of, loc) {
                Some(part) => {
                    let to = self.stash(part, base.begin());
                    self.cxx_assign(&to, value, loc)
                }
                None => self.error_operand(loc),
            };
        }
        if entity.is_none() && args.is_empty() && &*last.name == "ptr" && self.in_space(&object) {
            return self.explicit_pointer(object, base.begin(), loc);
        }
        match entity {
            Some(Entity::Functions(set)) => {
                let candidates = self.callees_of(set);
                let explicit = last.args.clone();
                self.call_set(
                    &last.name,
                    candidates,
                    Some(object),
                    explicit,
                    args,
                    false,
                    name.loc,
                    loc,
                )
            }
            Some(_) | None if !is_class || entity.is_some() => {
                let base = self.stash(object, base.begin());
                let member = self.member(&base, &last.name, name.loc);
                self.call_operand(member, args, name.loc, loc)
            }
            _ => {
                let text = format!("no member named '{}' in {}", last.name, self.types.show(ty));
                self.error(name.loc, text);
                self.error_operand(loc)
            }
        }
    }

    /// What stands before the last part of a member's name: a class knows its own name and those of its bases.
    pub(super) fn member_scope(&mut self, ty: Ty, name: &cxx::QName) -> Ty {
        let mut of = name.clone();
        of.parts.pop();
        let known = match &of.parts[..] {
            [only] if only.args.is_none() => self.member_entity(ty, &only.name),
            _ => None,
        };
        match known {
            Some(Entity::Typedef(spec)) => spec.ty,
            _ => self.named_type(&of).ty,
        }
    }

    /// An object as one of its class or of a base of that.
    pub(super) fn object_as(&mut self, object: Operand, of: Ty, loc: SourceLoc) -> Option<Operand> {
        let quals = QualTy {
            ty: of,
            ..self.operand_type(&object)
        };
        let pointer = self.object_pointer(object, quals, loc)?;
        Some(self.deref(pointer, quals, loc))
    }

    /// `base::operator=(value)` in a member function, of such a base.
    fn base_assigned(
        &mut self,
        name: &cxx::QName,
        args: &[ast::Expr],
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Option<Operand> {
        let ([_, .., last], [value]) = (&name.parts[..], args) else {
            return None;
        };
        if &*last.name != "operator=" {
            return None;
        }
        let object = self.this_operand(begin)?;
        let ty = self.operand_type(&object).ty;
        let of = self.member_scope(ty, name);
        if self.types.is_error(of) {
            return Some(self.error_operand(loc));
        }
        self.complete(of, begin);
        if !self.assigns_bytes(of) {
            return None;
        }
        let part = self.object_as(object, of, loc)?;
        let to = self.stash(part, begin);
        Some(self.cxx_assign(&to, value, loc))
    }

    /// A class whose only assignment copies bytes, for which there is no function.
    fn assigns_bytes(&self, ty: Ty) -> bool {
        self.class_of(ty).is_some_and(|class| {
            class.trivial_copy && self.scopes.find_own(class.space, "operator=").is_none()
        })
    }

    /// The class whose destructor a name is: the object's or, as in `a.B::~B()`, a base of it.
    fn destroyed(&mut self, ty: Ty, name: &cxx::QName) -> Option<Ty> {
        let [scope @ .., only] = &name.parts[..] else {
            return None;
        };
        if let Some(last) = scope.last() {
            let of = self.member_scope(ty, name);
            self.complete(of, name.loc);
            let fits = of == ty || self.related(ty, of).is_some();
            if !fits && !self.types.is_error(of) {
                let (a, b) = (self.types.show(of), self.types.show(ty));
                self.error(last.loc, format!("{a} is no base of {b}"));
            }
            let own = self.types.record_id(of).and_then(|id| self.short_name(id));
            let named = only.name.trim_start_matches('~');
            let again = *last.name == *named || own.as_deref() == Some(named);
            if fits && !again && self.types.record_id(of).is_some() {
                let shown = self.types.show(of);
                self.error(
                    only.loc,
                    format!("no member named '{}' in {shown}", only.name),
                );
            }
            return (fits && again).then_some(of);
        }
        let of = only.name.trim_start_matches('~');
        let own = self.types.record_id(ty).and_then(|id| self.short_name(id));
        if own.as_deref() == Some(of) {
            return Some(ty);
        }
        let text = match self.scopes.find(of).map(|s| s.entity) {
            None => format!("undeclared identifier '{of}' in destructor name"),
            Some(Entity::Typedef(spec)) if spec.ty != ty && !self.types.is_error(spec.ty) => {
                format!(
                    "destructor type {} in object destruction expression does not match the type {} of the object being destroyed",
                    self.types.show(spec.ty),
                    self.types.show(ty)
                )
            }
            _ => return Some(ty),
        };
        self.error(name.loc, text);
        None
    }

    fn explicit_destruction(&mut self, object: Operand, of: Ty, loc: SourceLoc) -> Operand {
        let space = self.operand_type(&object).space;
        match self.destructor_of(of, space, loc) {
            Some(id) => self.call_cxx(id, Some(object), Vec::new(), loc),
            None => Operand::Value(self.nothing(loc)),
        }
    }

    /// `type(arguments)`
    pub(super) fn functional_cast(
        &mut self,
        ty: super::super::types::Ty,
        args: Vec<Argument>,
        loc: SourceLoc,
    ) -> Operand {
        if self.types.is_error(ty) {
            return self.error_operand(loc);
        }
        self.complete(ty, loc);
        if let Some(class) = self.types.record_id(ty) {
            return self.constructed_value(class, args, false, loc);
        }
        match &args[..] {
            [] => match self.types.is_void(ty) {
                true => Operand::Value(self.nothing(loc)),
                false => Operand::Value(self.zero(ty, loc)),
            },
            [Argument::Operand(operand, at)] => {
                let (operand, at) = (operand.clone(), *at);
                self.cast_to(operand, ty, at, loc)
            }
            [Argument::List(init, at)] => {
                let (init, at) = (init.clone(), *at);
                Operand::Value(self.list_value(ty, &init, at))
            }
            // `float2(a, b)`, OpenCL C++'s literal of a vector.
            _ if self.types.vector(ty).is_some() => {
                let mut parts = Vec::new();
                for arg in args {
                    let Argument::Operand(operand, at) = arg else {
                        self.error(loc, "a list in braces is no lane of a vector");
                        return self.error_operand(loc);
                    };
                    parts.push((self.value_of(operand), at));
                }
                Operand::Value(self.vector_from(ty, parts, "operand", loc))
            }
            _ => {
                let text = format!(
                    "excess elements in initialization of {}",
                    self.types.show(ty)
                );
                self.error(loc, text);
                self.error_operand(loc)
            }
        }
    }

    /// `name(arguments)` of a class template: its arguments follow from those of a constructor.
    fn deduced_construction(
        &mut self,
        template: u32,
        args: &[ast::Expr],
        loc: SourceLoc,
    ) -> Operand {
        let Some(args) = self.analysed(args) else {
            return self.error_operand(loc);
        };
        match self.deduced_class(template, &args, loc) {
            Some(class) => self.constructed_value(class, args, false, loc),
            None => self.error_operand(loc),
        }
    }
}
