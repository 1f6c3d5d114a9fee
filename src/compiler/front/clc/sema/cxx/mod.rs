//! C++ for OpenCL: what it adds to the analysis of OpenCL C.
//!
//! Everything becomes the typed tree of C: a reference is a pointer, a member function one with a pointer
//! to the object as its first parameter, an object is constructed by a call at the place where it begins
//! to live and destroyed by calls where scopes end. A function that gives an object of a class that cannot
//! be copied as bytes constructs it where its first parameter points ("slot").
//!
//! A template keeps its syntax tree and the scopes around it; an instantiation analyses the tree again
//! in these scopes and one more, in which the parameters' names are bound. Function bodies wait in a
//! list until the declaration that uses them has ended.

mod access;
mod allocate;
mod arguments;
mod arrays;
mod assign;
mod body;
mod call;
mod cast;
mod class;
mod constant;
mod constexpr;
mod construct;
mod construct_members;
mod convert;
mod decl;
mod declared;
mod deduce;
mod evaluate;
mod evaluate_memory;
mod evaluate_stmt;
mod expr;
mod fill;
mod function;
mod function_template;
mod goto;
mod inherit;
mod invoke;
mod lambda;
mod layout;
mod list_parts;
mod literal;
mod member;
mod member_pointer;
mod name;
mod narrowing;
mod opencl_cxx;
mod operators;
mod outside;
mod overload;
mod parameters;
mod partial;
mod program;
mod range;
mod rank;
mod shape;
mod special;
mod static_object;
mod stmt;
mod template;
mod traits;
mod types;
mod undefined;
mod variable;

pub use undefined::is_outside;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use super::Sema;
use super::operand::Operand;
use super::scope::{Entity, Region, Scope, SpaceId, Spec, Symbol};
use super::tree::{Expr, FnId, Stmt, VarId};
use super::types::{QualTy, RecordId, Ty};
use crate::diag::Sink;
use crate::front::clc::syntax::ast::{self, Name};
use crate::front::clc::syntax::cxx::ast as cxx;
use crate::source::SourceLoc;

/// Instantiations within each other.
const MAX_DEPTH: usize = 200;
/// Instantiations of a program.
const MAX_INSTANCES: usize = 20_000;

/// The global namespace.
pub const GLOBAL: SpaceId = SpaceId(0);

/// The open scopes at some place.
pub type Env = Arc<Vec<Scope>>;

#[derive(Default)]
pub struct Cxx {
    classes: HashMap<RecordId, Class>,
    sets: Vec<FnSet>,
    templates: Vec<Template>,
    fns: HashMap<FnId, CxxFn>,
    packs: Vec<Vec<Entity>>,
    aliases: Vec<Operand>,
    /// Operands that have been analysed, of `ExprKind::Analysed`.
    stash: Vec<Operand>,
    /// Enumerations that are scoped, and the scopes of all.
    scoped: HashSet<Ty>,
    enums: HashMap<Ty, SpaceId>,
    /// Types of pointers to members: the class and what they point to.
    member_pointers: HashMap<Ty, (RecordId, QualTy)>,
    /// What is wrong with bodies that were asked for in trials.
    late: Vec<crate::diag::Diag>,
    /// Functions whose bodies are to be analysed.
    pending: VecDeque<FnId>,
    /// Functions that are written in classes that are no instances.
    written: Vec<FnId>,
    /// Such classes, which have initialisers of members.
    initialised: Vec<RecordId>,
    depth: usize,
    instances: usize,
    /// Explicit conversions to bool count.
    contextual: bool,
    /// Costs of arguments are found out.
    ranking: bool,
    /// Qualifiers of the arguments of the type trait being analysed.
    trait_quals: Vec<(bool, bool)>,
    /// What `auto` means in the specifiers being analysed.
    auto: Option<Spec>,
    /// What `auto` means in the declaration at the place, by its first variable.
    first_auto: Option<(SourceLoc, Spec, Name)>,
    /// What each constructor that delegates calls.
    delegations: HashMap<FnId, FnId>,
    /// `extern "C"`.
    is_c: bool,
    /// Numbers for names of lambdas and unnamed classes.
    unnamed: u32,
    /// Classes of lambdas at program scope, where an initialiser may be analysed twice: by their trees and scopes.
    lambdas: HashMap<(usize, Option<SpaceId>), RecordId>,
    /// Within an expression that is not evaluated, or in one that must be constant.
    unevaluated: usize,
    /// The call that comes is an assignment, whose right side comes first.
    right_first: bool,
    /// Within what the language asks to be a constant.
    strict: bool,
    /// Within the operand of `noexcept`: whether it may throw.
    throws: Option<bool>,
    /// Classes that are being defined: bodies of their functions wait for the outermost to end.
    open_classes: usize,
    /// The function being declared takes the place of one that its template has made.
    specialises: bool,
    /// Within a template's trial: bodies are not asked for.
    trial: usize,
    /// Values of constexpr variables of class type and arrays.
    constants: HashMap<(FnId, super::tree::LocalId), Vec<u8>>,
    /// Static members of instances that have not been named.
    waiting: HashMap<super::tree::VarId, Waiting>,
    objects: program::ProgramObjects,
}

/// A static member whose first value is analysed when it is named.
#[derive(Clone)]
struct Waiting {
    class: RecordId,
    name: Name,
    env: Env,
    init: Option<ast::Initializer>,
    /// It may be code.
    code: bool,
    /// It has been named, and the value may still come.
    asked: bool,
}

/// What a function under analysis knows of itself beside what C needs.
#[derive(Debug, Default)]
pub struct FnCxx {
    /// The object that `this` points to.
    this: Option<QualTy>,
    /// Within an initialiser of a member, where it is not the function's.
    object: Option<super::tree::Place>,
    /// The type of the result as C++ has it.
    ret: Option<Ty>,
    /// The result is constructed where the first parameter points.
    slot: Option<super::tree::LocalId>,
    /// The type of the result follows from the first return statement.
    infers: Option<Arc<cxx::Function>>,
    inferred: bool,
    cleanups: Vec<Cleanups>,
    /// Blocks that have been opened.
    blocks: u32,
    jumps: Vec<goto::Jump>,
    /// What is alive at the labels.
    labels: HashMap<u32, Vec<goto::Alive>>,
    /// Destructions at the end of the full expression.
    temporaries: Vec<Cleanup>,
    /// Within an operand that need not be evaluated.
    conditional: usize,
    is_constexpr: bool,
    /// It only serves an initialiser at program scope.
    program: bool,
}

/// The end of an object's life, or of those in an array.
#[derive(Debug, Clone)]
struct Cleanup {
    object: super::tree::Place,
    destructor: FnId,
    /// A variable that is set if the object has been constructed.
    flag: Option<super::tree::LocalId>,
}

/// What ends with a block.
#[derive(Debug)]
struct Cleanups {
    number: u32,
    kind: BlockKind,
    items: Vec<Cleanup>,
    /// Variables with first values.
    begun: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    Plain,
    Loop,
    Switch,
}

/// Functions of one name in one scope.
#[derive(Debug, Clone, Default)]
struct FnSet {
    members: Vec<Callee>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Callee {
    Fn(FnId),
    Template(u32),
}

impl Callee {
    fn template(self) -> Option<u32> {
        match self {
            Callee::Template(number) => Some(number),
            Callee::Fn(_) => None,
        }
    }
}

/// A template's argument.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Arg {
    Type(Spec),
    Value(i64, Ty),
    /// A pointer or reference to a variable.
    Object(VarId, Ty),
    Template(u32),
    Pack(Vec<Arg>),
}

#[derive(Debug)]
struct Template {
    tree: Arc<cxx::Template>,
    env: Env,
    name: Name,
    /// With the scopes around it.
    full_name: String,
    /// The namespace or class that it is in.
    parent: SpaceId,
    kind: TemplateKind,
    /// Partial specialisations: parameters, pattern, the class.
    partial: Vec<(Arc<cxx::Template>, Env)>,
    guides: Vec<(Arc<cxx::Template>, Env)>,
    /// Definitions of members outside of the class.
    members: Vec<(Arc<cxx::Template>, Env)>,
    classes: HashMap<Vec<Arg>, RecordId>,
    functions: HashMap<Vec<Arg>, FnId>,
    /// Of an inherited constructor: the base's template, and the class that inherits.
    inherited: Option<(u32, RecordId)>,
    loc: SourceLoc,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TemplateKind {
    Class,
    Alias,
    Function,
    Variable,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FnKind {
    Plain,
    Constructor,
    Destructor,
    Conversion,
}

#[derive(Debug, Clone)]
struct Param {
    /// As C++ has it: may be a reference.
    ty: QualTy,
    default: Option<Arc<ast::Expr>>,
}

/// A member function's object.
#[derive(Debug, Clone, Copy)]
struct Method {
    /// What `this` points to.
    this: QualTy,
    /// `&` or `&&` behind the parameters.
    reference: Option<bool>,
}

#[derive(Debug, Clone)]
enum Body {
    None,
    Pending(Arc<cxx::Function>),
    /// Made by the compiler.
    Implicit(Implicit),
    Running,
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Implicit {
    Default,
    /// Copies or moves: whether it is the latter.
    Copy(bool),
    Assign(bool),
    Destroy,
    /// Constructs the base by this constructor, with the parameters.
    Inherited(FnId),
}

/// What C++ has of a function beside [`super::functions::FnInfo`].
#[derive(Debug, Clone)]
struct CxxFn {
    name: Name,
    full_name: String,
    params: Vec<Param>,
    ret: Ty,
    kind: FnKind,
    /// Not for static members.
    method: Option<Method>,
    /// The class that it is a member of, static or not.
    class: Option<RecordId>,
    slot: bool,
    infers: bool,
    is_explicit: bool,
    is_deleted: bool,
    is_constexpr: bool,
    /// An `operator new` that says that it has no memory by a null pointer.
    gives_null: bool,
    is_noexcept: bool,
    /// What is behind its parameters is evaluated, and no more.
    variadic: bool,
    /// The template that it is an instance of.
    template: Option<u32>,
    body: Body,
    /// The scopes around its parameters.
    env: Env,
    /// Where the instance was asked for.
    asked: Option<SourceLoc>,
    parent: SpaceId,
    /// What it is in the typed tree is known.
    ready: bool,
    is_static: bool,
    /// Of a member that is no template's instance.
    access: cxx::Access,
    loc: SourceLoc,
}

#[derive(Debug, Clone)]
struct BaseOf {
    class: RecordId,
    offset: u64,
    access: cxx::Access,
}

#[derive(Debug, Clone, Default)]
struct Class {
    space: SpaceId,
    /// The namespace or class that it is in.
    parent: SpaceId,
    key: cxx::ClassKey,
    bases: Vec<BaseOf>,
    /// Numbers of sets.
    constructors: Option<u32>,
    /// By address space.
    destructors: Vec<Callee>,
    conversions: Vec<Callee>,
    /// Bases whose constructors are its own, too.
    inherits: Vec<RecordId>,
    /// Of a lambda: members that copy variables, which have the variables' address space by name.
    copies: Vec<Name>,
    /// By field: initialisers in the class.
    inits: HashMap<usize, Arc<ast::Initializer>>,
    /// Those of which errors have been reported.
    wrong_inits: Vec<usize>,
    access: HashMap<Name, cxx::Access>,
    friends: Vec<Name>,
    friend_fns: Vec<Name>,
    /// The scopes around the members.
    env: Env,
    template: Option<(u32, Vec<Arg>)>,
    is_final: bool,
    /// A specialisation for a type of C++'s that is another one here.
    has_twin: bool,
    is_lambda: bool,
    complete: bool,
    /// It has been asked for while it was being defined, or its definition is under way.
    running: bool,
    is_aggregate: bool,
    /// C has such structs.
    is_pod: bool,
    trivial_default: bool,
    trivial_copy: bool,
    trivial_destroy: bool,
    loc: SourceLoc,
}

impl<'a> Sema<'a> {
    pub fn begin_cxx(&mut self) {
        self.cxx = Some(Box::default());
        self.types.cxx = true;
        let global = self.scopes.new_space(Region::default());
        self.scopes.stack = vec![Scope::of(global)];
    }

    /// The state; only asked for in programs of C++.
    fn x(&mut self) -> &mut Cxx {
        self.cxx.get_or_insert_default()
    }

    fn xref(&self) -> Option<&Cxx> {
        self.cxx.as_deref()
    }

    fn class(&self, id: RecordId) -> Option<&Class> {
        self.xref()?.classes.get(&id)
    }

    fn class_of(&self, ty: Ty) -> Option<&Class> {
        self.class(self.types.record_id(ty)?)
    }

    fn cxx_fn(&self, id: FnId) -> Option<&CxxFn> {
        self.xref()?.fns.get(&id)
    }

    /// Keeps an operand, and gives a tree that stands for it.
    fn stash(&mut self, operand: Operand, loc: SourceLoc) -> ast::Expr {
        let stash = &mut self.x().stash;
        stash.push(operand);
        let kind = ast::ExprKind::Analysed(stash.len() as u32 - 1);
        ast::Expr { kind, loc }
    }

    fn stashed(&self, number: u32) -> Option<Operand> {
        self.xref()?.stash.get(number as usize).cloned()
    }

    pub fn cxx_external(&mut self, decl: &cxx::Decl) {
        self.cxx_decl(decl, &mut Vec::new());
        self.drain();
        let x = self.x();
        x.stash.clear();
        let late = std::mem::take(&mut x.late);
        self.sink.append(late);
    }

    /// Analyses the bodies that have been asked for.
    fn drain(&mut self) {
        while let Some(id) = self.x().pending.pop_front() {
            if self.sink.stopped() {
                return;
            }
            self.define_body(id);
        }
    }

    /// A program that ends: calls of functions that are not part of it are no recursion.
    pub fn end_cxx(&mut self) {
        if self.cxx.is_none() {
            return;
        }
        self.fill_asked();
        self.end_objects();
        let mut calls = std::mem::take(&mut self.calls);
        let mut reached: HashSet<FnId> = HashSet::new();
        let roots = (0..self.functions.len() as u32).map(FnId);
        let mut work: Vec<FnId> = roots
            .filter(|&id| {
                let constant = self.cxx_fn(id).is_some_and(|f| f.is_constexpr);
                !constant && self.functions[id.0 as usize].body.is_some()
            })
            .collect();
        let mut by_caller: HashMap<FnId, Vec<FnId>> = HashMap::new();
        for &(caller, callee, _) in &calls {
            by_caller.entry(caller).or_default().push(callee);
        }
        while let Some(id) = work.pop() {
            if reached.insert(id) {
                work.extend(by_caller.get(&id).into_iter().flatten());
            }
        }
        calls.retain(|call| reached.contains(&call.0));
        self.calls = calls;
        for (number, function) in self.functions.iter_mut().enumerate() {
            // What only constants needed.
            if !reached.contains(&FnId(number as u32)) {
                function.body = None;
                function.external &= function.kernel.is_some();
            }
        }
        self.check_written();
    }

    /// Finds out what is wrong with functions of classes that nothing calls; nothing of them stays in the program.
    fn check_written(&mut self) {
        let functions = self.functions.iter();
        let bodies: Vec<bool> = functions.map(|f| f.body.is_some()).collect();
        let (calls, globals) = (self.calls.len(), self.globals.len());
        for class in std::mem::take(&mut self.x().initialised) {
            self.check_member_inits(class);
        }
        for id in std::mem::take(&mut self.x().written) {
            self.ask_for(id);
        }
        self.drain();
        self.calls.truncate(calls);
        self.globals.truncate(globals);
        for (number, function) in self.functions.iter_mut().enumerate() {
            if !bodies.get(number).is_some_and(|&had| had) {
                function.body = None;
            }
        }
    }

    // ------------------------------------------------------------ scopes

    /// The open scopes.
    fn env(&self) -> Env {
        Arc::new(self.scopes.stack.clone())
    }

    /// Does something in other scopes, outside of any function.
    fn in_env<T>(&mut self, env: &Env, act: impl FnOnce(&mut Self) -> T) -> T {
        let stack = std::mem::replace(&mut self.scopes.stack, env.to_vec());
        let base = std::mem::take(&mut self.scopes.base);
        let result = act(self);
        self.scopes.stack = stack;
        self.scopes.base = base;
        result
    }

    /// The same, as if no function were being analysed.
    fn outside<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let cur = self.cur.take();
        let (auto, unevaluated, is_c, strict) = {
            let x = self.x();
            let auto = x.auto.take();
            (
                auto,
                std::mem::take(&mut x.unevaluated),
                std::mem::take(&mut x.is_c),
                std::mem::take(&mut x.strict),
            )
        };
        let result = act(self);
        let x = self.x();
        x.strict = strict;
        x.auto = auto;
        x.unevaluated = unevaluated;
        x.is_c = is_c;
        self.cur = cur;
        result
    }

    /// Does something whose errors are not reported; `None` if there were some.
    pub fn tried<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let mut quiet = self.sink.like();
        quiet.error_limit = 0;
        quiet.no_warnings = true;
        let outer: Sink = std::mem::replace(self.sink, quiet);
        self.x().trial += 1;
        let result = act(self);
        self.x().trial -= 1;
        let trial = std::mem::replace(self.sink, outer);
        (!trial.has_errors()).then_some(result)
    }

    /// Does something again of which it has been said what is wrong.
    fn quietly<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let quiet = self.sink.like();
        let outer: Sink = std::mem::replace(self.sink, quiet);
        let result = act(self);
        *self.sink = outer;
        result
    }

    /// The namespace or class in which declarations now are.
    fn here(&self) -> SpaceId {
        let mut scopes = self.scopes.stack.iter().rev();
        scopes.find_map(|s| s.link).unwrap_or(GLOBAL)
    }

    /// A name with those of the scopes around it.
    fn full_name(&self, parent: SpaceId, name: &str) -> String {
        let outer = &self.scopes.spaces[parent.0 as usize].name;
        match outer.is_empty() {
            true => name.to_string(),
            false => format!("{outer}::{name}"),
        }
    }

    fn symbol(entity: Entity, loc: SourceLoc) -> Symbol {
        Symbol { entity, loc }
    }

    /// A place that has no name.
    fn unnamed(&mut self, what: &str) -> Name {
        self.x().unnamed += 1;
        format!("({what} {})", self.x().unnamed).into()
    }

    /// One more instantiation; false if there are too many.
    fn instantiates(&mut self, loc: SourceLoc) -> bool {
        let x = self.x();
        x.instances += 1;
        let message = if x.depth >= MAX_DEPTH {
            format!("recursive template instantiation exceeded maximum depth of {MAX_DEPTH}")
        } else if x.instances > MAX_INSTANCES {
            format!("more than {MAX_INSTANCES} instances of templates")
        } else {
            return true;
        };
        self.error(loc, message);
        false
    }
}

/// The scopes and a further one within them.
fn env_with(env: &Env, space: SpaceId) -> Env {
    let mut inner = env.to_vec();
    inner.push(Scope::of(space));
    Arc::new(inner)
}

/// A statement that evaluates an expression.
fn expr_stmt(e: Expr) -> Stmt {
    let loc = e.loc;
    Stmt {
        kind: super::tree::StmtKind::Expr(e),
        loc,
    }
}
