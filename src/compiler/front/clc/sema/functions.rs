//! Functions: declarations, definitions, overloads, recursion.

use std::collections::HashMap;

use super::Sema;
use super::attributes::Attrs;
use super::declarators::declarator_loc;
use super::scope::{Entity, FnState};
use super::tree::{FnId, Function, Stmt};
use super::types::{FunctionTy, QualTy, Ty, TypeKind};
use crate::front::clc::syntax::ast::{
    DeclPart, DeclSpecs, Declarator, FunctionDef, FunctionSpec, Name, Param, Storage,
};
use crate::ir::Space;
use crate::source::SourceLoc;

/// What sema knows of a function beside its place in the tree.
#[derive(Debug)]
pub struct FnInfo {
    pub ty: FunctionTy,
    pub params: Vec<(Option<Name>, SourceLoc)>,
    pub overloadable: bool,
    pub loc: SourceLoc,
    pub is_kernel: bool,
    pub defined: bool,
    /// A pointer leads to one of its variables.
    pub keeps_address: bool,
    /// How many labels it has.
    pub labels: u32,
}

/// All functions with the same name.
#[derive(Debug, Default)]
pub struct Overloads {
    /// In the order of their declarations.
    pub ids: Vec<FnId>,
    /// By their parameters: of several, which differ in their results, each.
    by_params: HashMap<Vec<Ty>, Vec<FnId>>,
    /// How many lack the attribute `overloadable`.
    unmarked: usize,
}

impl Overloads {
    /// The only function with these parameters.
    pub fn exact(&self, params: &[Ty]) -> Option<FnId> {
        match self.by_params.get(params)?[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// A function as declared here.
struct Declared<'d> {
    name: Name,
    ty: FunctionTy,
    quals: Vec<QualTy>,
    params: &'d [Param],
    attrs: Attrs,
    is_kernel: bool,
    is_static: bool,
    loc: SourceLoc,
}

impl Sema<'_> {
    /// A prototype.
    pub fn function_declaration(
        &mut self,
        specs: &DeclSpecs,
        declarator: &Declarator,
        storage: Option<Storage>,
        attrs: Attrs,
        signature: (FunctionTy, Vec<QualTy>),
    ) {
        if let Some(declared) = self.declared(specs, declarator, storage, attrs, signature) {
            self.declare_function(&declared, specs, false);
        }
    }

    pub fn function_definition(&mut self, f: &FunctionDef) {
        let errors = self.sink.error_count();
        let base = self.specs(&f.specs);
        let (spec, params) = self.function_declarator(base, &f.declarator);
        let TypeKind::Function(ty) = self.types.kind(spec.ty).clone() else {
            if self.sink.error_count() == errors {
                let text = "expected ';' after top level declarator";
                self.sink.error(f.declarator.loc, text);
            }
            // The error is reported already, so calls are not.
            if let Some(name) = &f.declarator.name {
                self.scopes
                    .declare(name.clone(), Entity::Error, f.declarator.loc);
            }
            return;
        };
        let storage = self.storage(&f.specs);
        let attributes = f.specs.attributes.iter().chain(&f.declarator.attributes);
        let attrs = self.attributes(attributes);
        let signature = (ty, params.types);
        let declared = self.declared(&f.specs, &f.declarator, storage, attrs, signature);
        let Some(declared) = declared else {
            return;
        };
        let Some(id) = self.declare_function(&declared, &f.specs, true) else {
            return;
        };
        let state = FnState::new(id, declared.is_kernel, declared.ty.ret, self.contract);
        self.cur = Some(Box::new(state));
        self.scopes.push_body(params.scope);
        let (ret, loc) = (declared.ty.ret, declared.loc);
        self.object_fits(ret, Space::Private, "result", loc);
        self.declare_params(&declared.quals, declared.params, loc);
        let body = self.stmts(&f.body.items);
        self.scopes.pop();
        self.check_labels();
        let Some(state) = self.cur.take() else {
            return;
        };
        let sound = self.sink.error_count() == errors;
        if sound {
            self.check_return(ret, &body, f.body.end);
        }
        self.finish_function(*state, declared.quals.len(), sound.then_some(body));
    }

    /// The name of the function that is analysed; at program scope there is none, even where an expression
    /// is analysed as if in a function.
    pub fn current_function(&self) -> Option<&Name> {
        let id = self.cur.as_ref()?.id;
        self.functions.get(id.0 as usize).map(|f| &f.name)
    }

    /// Gives a function its body; `None` if it has an error.
    pub fn finish_function(&mut self, state: FnState, param_count: usize, body: Option<Vec<Stmt>>) {
        let math = self.opts.math(state.contract);
        let info = &mut self.fns[state.id.0 as usize];
        info.keeps_address = state.keeps_address;
        info.labels = state.labels.len() as u32;
        let function = &mut self.functions[state.id.0 as usize];
        function.param_count = param_count;
        function.locals = state.locals;
        function.has_goto = state.has_goto;
        function.math = math;
        function.body = body;
    }

    /// Gathers what specifiers and declarator say.
    fn declared<'d>(
        &mut self,
        specs: &DeclSpecs,
        declarator: &'d Declarator,
        storage: Option<Storage>,
        attrs: Attrs,
        (ty, quals): (FunctionTy, Vec<QualTy>),
    ) -> Option<Declared<'d>> {
        let name = declarator.name.clone()?;
        let is_kernel = specs
            .functions
            .iter()
            .any(|(s, _)| *s == FunctionSpec::Kernel);
        let is_static = storage == Some(Storage::Static);
        if is_kernel && is_static {
            self.error(specs.loc, "kernel functions cannot be declared static");
        }
        let params = match declarator.parts.first() {
            Some(DeclPart::Function { params, .. }) => self.real_params(params),
            // A typedef of a function type.
            _ => &[],
        };
        Some(Declared {
            name,
            ty,
            quals,
            params,
            attrs,
            is_kernel,
            is_static,
            loc: declarator.loc,
        })
    }

    /// Finds the earlier declaration or makes a new one.
    fn declare_function(&mut self, d: &Declared, specs: &DeclSpecs, defines: bool) -> Option<FnId> {
        if let Some(symbol) = self.scopes.find_here(&d.name)
            && !matches!(symbol.entity, Entity::Function | Entity::Error)
        {
            self.error(
                d.loc,
                format!("redefinition of '{}' as different kind of symbol", d.name),
            );
            self.sink.note(symbol.loc, "previous definition is here");
            return None;
        }
        if &*d.name == "main" {
            self.error(d.loc, "a function in OpenCL cannot be called 'main'");
        }
        let known = self.overloads.get(&d.name);
        let first = known.and_then(|known| known.ids.first().copied());
        let alike = known.and_then(|known| known.by_params.get(&d.ty.params));
        let mut alike = alike.into_iter().flatten().copied();
        let same = alike.find(|id| self.fns[id.0 as usize].ty == d.ty);
        // One of them may do without the attribute, as in clang.
        let unmarked = known.map_or(0, |known| known.unmarked);
        let allowed = unmarked + usize::from(!d.attrs.overloadable) <= 1;
        let id = match (same, first.filter(|_| !allowed)) {
            (Some(id), _) => {
                let info = &self.fns[id.0 as usize];
                if defines && info.defined {
                    let old = info.loc;
                    self.error(d.loc, format!("redefinition of '{}'", d.name));
                    self.sink.note(old, "previous definition is here");
                    return None;
                }
                id
            }
            (None, Some(first)) => {
                let old = &self.fns[first.0 as usize];
                let (old_loc, word) = match old.defined {
                    true => (old.loc, "definition"),
                    false => (old.loc, "declaration"),
                };
                self.error(d.loc, format!("conflicting types for '{}'", d.name));
                self.sink.note(old_loc, format!("previous {word} is here"));
                return None;
            }
            (None, None) => self.new_function(d),
        };
        self.update_function(id, d, specs, defines);
        Some(id)
    }

    fn new_function(&mut self, d: &Declared) -> FnId {
        let id = self.add_function(d.name.clone(), d.ty.clone(), !d.is_static, d.loc);
        let overloads = self.overloads.entry(d.name.clone()).or_default();
        overloads.ids.push(id);
        overloads.unmarked += 1;
        let alike = overloads.by_params.entry(d.ty.params.clone());
        alike.or_default().push(id);
        self.scopes.declare_function(d.name.clone(), d.loc);
        id
    }

    /// A function that nothing finds by its name.
    pub fn add_function(
        &mut self,
        name: Name,
        ty: FunctionTy,
        external: bool,
        loc: SourceLoc,
    ) -> FnId {
        self.functions.push(Function {
            name,
            ret: ty.ret,
            param_count: 0,
            late_slot: None,
            locals: Vec::new(),
            body: None,
            kernel: None,
            inline: Default::default(),
            math: Default::default(),
            external,
            has_goto: false,
            loc,
        });
        self.fns.push(FnInfo {
            ty,
            params: Vec::new(),
            overloadable: false,
            loc,
            is_kernel: false,
            defined: false,
            keeps_address: false,
            labels: 0,
        });
        FnId(self.functions.len() as u32 - 1)
    }

    fn update_function(&mut self, id: FnId, d: &Declared, specs: &DeclSpecs, defines: bool) {
        let names = d
            .params
            .iter()
            .map(|p| {
                let loc = declarator_loc(&p.declarator, &p.specs);
                (p.declarator.name.clone(), loc)
            })
            .collect();
        let info = &mut self.fns[id.0 as usize];
        if d.attrs.overloadable
            && !std::mem::replace(&mut info.overloadable, true)
            && let Some(overloads) = self.overloads.get_mut(&d.name)
        {
            overloads.unmarked -= 1;
            // Overloads that other units define or call differ in their names.
            if !d.is_kernel {
                let name = self.types.with_params(&d.name, &d.ty.params);
                self.functions[id.0 as usize].name = name.into();
            }
        }
        info.is_kernel |= d.is_kernel;
        if defines || info.params.is_empty() {
            info.params = names;
            info.loc = d.loc;
        }
        info.defined |= defines;
        let function = &mut self.functions[id.0 as usize];
        if d.attrs.inline != Default::default() {
            function.inline = d.attrs.inline;
        }
        if defines {
            function.loc = d.loc;
        }
        // A declaration has the parameters too, for whoever links it.
        if !defines && function.body.is_none() && function.locals.is_empty() {
            function.param_count = d.quals.len();
            let locals = d.quals.iter().enumerate();
            function.locals = locals
                .map(|(i, q)| super::tree::Local {
                    name: format!("{i}").into(),
                    ty: q.ty,
                    align: self.types.align(q.ty),
                    is_volatile: false,
                    loc: d.loc,
                })
                .collect();
        }
        if d.is_kernel {
            let mut attrs = self.kernel_attrs(&d.attrs, d.params, &d.quals);
            if let Some(earlier) = self.functions[id.0 as usize].kernel.take() {
                attrs.attributes.inherit(earlier.attributes);
            }
            self.check_kernel(d.ty.ret, d.params, &d.quals, specs.loc, d.loc);
            self.functions[id.0 as usize].kernel = Some(attrs);
        } else {
            self.check_not_kernel(&d.attrs, d.loc);
        }
    }

    pub fn declare_params(&mut self, quals: &[QualTy], params: &[Param], loc: SourceLoc) {
        let unnamed: Name = Name::from("");
        for (i, q) in quals.iter().enumerate() {
            let (name, loc) = match params.get(i) {
                Some(p) => {
                    let loc = declarator_loc(&p.declarator, &p.specs);
                    (p.declarator.name.clone(), loc)
                }
                None => (None, loc),
            };
            let align = self.types.align(q.ty);
            self.object_fits(q.ty, Space::Private, "parameter", loc);
            let shown = name.clone().unwrap_or_else(|| unnamed.clone());
            let Some(f) = &mut self.cur else {
                return;
            };
            let id = f.new_local(shown, *q, align, loc);
            if let Some(name) = name {
                if let Some(old) = self.scopes.find_here(&name) {
                    self.error(loc, format!("redefinition of parameter '{name}'"));
                    self.sink.note(old.loc, "previous declaration is here");
                }
                self.scopes.declare(name, Entity::Local(id), loc);
            }
        }
    }

    /// A value is returned wherever control can reach the end of a non-void function.
    pub fn check_return(&mut self, ret: Ty, body: &[Stmt], end: SourceLoc) {
        if self.types.is_void(ret) || self.types.is_error(ret) {
            return;
        }
        if super::switch::falls_through(body) {
            let returns = super::switch::has_return(body);
            let message = match returns {
                true => "non-void function does not return a value in all control paths",
                false => "non-void function does not return a value",
            };
            self.sink.warning(end, message);
        }
    }

    /// Reports calls of static functions that have no body: nothing that is linked can give them one.
    pub fn check_internal(&mut self) {
        if self.sink.has_errors() {
            return;
        }
        let calls = std::mem::take(&mut self.calls);
        for &(caller, callee, loc) in &calls {
            let (caller, callee) = (
                &self.functions[caller.0 as usize],
                &self.functions[callee.0 as usize],
            );
            if caller.body.is_some() && callee.body.is_none() && !callee.external {
                let text = format!(
                    "function '{}' has internal linkage but is not defined",
                    callee.name
                );
                self.error(loc, text);
            }
        }
        self.calls = calls;
    }

    /// OpenCL has no recursion: reports one call of each cycle that is left.
    pub fn check_recursion(&mut self) {
        let count = self.functions.len();
        // By caller, in their order.
        let mut calls = vec![Vec::new(); count];
        for &(caller, callee, loc) in &self.calls {
            calls[caller.0 as usize].push((callee, loc));
        }
        // 0: not seen, 1: on the path, 2: done.
        let mut state = vec![0u8; count];
        for root in 0..count {
            let mut path = vec![(root, 0usize)];
            if state[root] != 0 {
                continue;
            }
            state[root] = 1;
            while let Some((node, next)) = path.pop() {
                let Some(&(callee, loc)) = calls[node].get(next) else {
                    state[node] = 2;
                    continue;
                };
                path.push((node, next + 1));
                let callee = callee.0 as usize;
                match state[callee] {
                    0 => {
                        state[callee] = 1;
                        path.push((callee, 0));
                    }
                    1 => {
                        let name = self.functions[callee].name.clone();
                        self.error(
                            loc,
                            format!("recursive call of function '{name}': recursion is not supported in OpenCL"),
                        );
                    }
                    _ => {}
                }
            }
        }
    }
}
