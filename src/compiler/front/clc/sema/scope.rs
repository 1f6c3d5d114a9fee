//! Scopes of names and tags, and what a function under analysis knows of itself.

use std::collections::{BTreeMap, HashMap};

use super::blocks::BlockState;
use super::tree::{FnId, Local, LocalId, VarId};
use super::types::{QualTy, RecordId, Ty};
use crate::front::clc::syntax::ast::Name;
use crate::ir::Space;
use crate::source::SourceLoc;

/// A type whose address space may not have been written (see [`Spec::object`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spec {
    pub ty: Ty,
    pub space: Option<Space>,
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    /// As in [`QualTy`].
    pub aligned: u32,
    /// Written as `size_t` or one of its kin: the host's may be of another size.
    pub host_sized: bool,
}

impl Spec {
    pub fn plain(ty: Ty) -> Spec {
        Spec {
            ty,
            space: None,
            is_const: false,
            is_volatile: false,
            is_restrict: false,
            aligned: 0,
            host_sized: false,
        }
    }

    /// The same type, perhaps by another name.
    pub fn same(self, other: Spec) -> bool {
        Spec {
            host_sized: other.host_sized,
            ..self
        } == other
    }

    /// The type of an object that lies in `default` unless a space was written.
    pub fn object(self, default: Space) -> QualTy {
        QualTy {
            ty: self.ty,
            space: self.space.unwrap_or(default),
            is_const: self.is_const,
            is_volatile: self.is_volatile,
            is_restrict: self.is_restrict,
            aligned: self.aligned,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub enum Entity {
    Local(LocalId),
    Global(VarId),
    /// One or more functions of the name.
    Function,
    Typedef(Spec),
    EnumConst(i64, Ty),
    /// A block variable: the block's function, and the object with what it has captured.
    Block(FnId, Option<LocalId>),
    /// The name's declaration had an error, so its uses are not reported.
    Error,
    // Those below are C++'s; numbers are into lists of `Cxx`.
    Namespace(SpaceId),
    /// Functions and templates of functions of the name.
    Functions(u32),
    /// A template of classes, aliases or variables.
    Template(u32),
    /// A member, by its name, of an object of the class.
    Field(RecordId),
    /// What a pack of parameters or arguments consists of.
    Pack(u32),
    /// An object that is a part of another.
    Alias(u32),
    /// A template's argument: a pointer or reference to a variable, of this type.
    Object(VarId, Ty),
    /// What a lambda has captured of a pack: a member, by its number.
    Captured(RecordId, u32),
    /// A local variable of a function around the lambda or class.
    Outside,
    /// Different things in namespaces of using-directives.
    Ambiguous,
}

impl Entity {
    /// The same thing, declared twice.
    fn same(self, other: Entity) -> bool {
        match (self, other) {
            (Entity::Typedef(a), Entity::Typedef(b)) => a.same(b),
            (Entity::Global(a), Entity::Global(b)) => a == b,
            (Entity::Namespace(a), Entity::Namespace(b)) => a == b,
            (Entity::Template(a), Entity::Template(b)) => a == b,
            (Entity::EnumConst(a, of), Entity::EnumConst(b, ty)) => (a, of) == (b, ty),
            _ => false,
        }
    }
}

/// A namespace or class, or what parameters of a template are bound to: a scope that outlives its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SpaceId(pub u32);

#[derive(Debug, Default)]
pub struct Region {
    pub names: HashMap<Name, Symbol>,
    /// Bases, and namespaces of using-directives.
    pub more: Vec<SpaceId>,
    pub class: Option<RecordId>,
    /// With those around it.
    pub name: String,
    /// The namespace or class that it is in.
    pub parent: Option<SpaceId>,
}

#[derive(Debug, Clone, Copy)]
pub struct Symbol {
    pub entity: Entity,
    pub loc: SourceLoc,
}

#[derive(Debug, Clone, Copy)]
pub enum Tag {
    Record(RecordId, bool),
    Enum(Ty),
}

#[derive(Debug, Default, Clone)]
pub struct Scope {
    names: HashMap<Name, Symbol>,
    tags: HashMap<Name, (Tag, SourceLoc)>,
    /// The scope is that of a parameter list.
    is_prototype: bool,
    /// The names are those of a namespace or class.
    pub link: Option<SpaceId>,
    /// Namespaces of using-directives.
    pub more: Vec<SpaceId>,
}

impl Scope {
    /// Of a namespace or class.
    pub fn of(space: SpaceId) -> Scope {
        Scope {
            link: Some(space),
            ..Scope::default()
        }
    }

    pub fn symbols_mut(&mut self) -> impl Iterator<Item = &mut Symbol> {
        self.names.values_mut()
    }
}

/// The innermost scope comes last.
#[derive(Debug)]
pub struct Scopes {
    pub stack: Vec<Scope>,
    pub spaces: Vec<Region>,
    /// Scopes around the function, but for one.
    pub base: usize,
}

/// What one or several declarations of a name mean together: functions are overloads.
fn one_meaning(found: &[Symbol]) -> Option<Symbol> {
    let (&first, others) = found.split_first()?;
    let is_function = |s: &Symbol| matches!(s.entity, Entity::Functions(_) | Entity::Function);
    if let Some(error) = found.iter().find(|s| matches!(s.entity, Entity::Error)) {
        return Some(*error);
    }
    let same = others.iter().all(|s| s.entity.same(first.entity));
    let entity = match same || found.iter().all(is_function) {
        true => first.entity,
        false => Entity::Ambiguous,
    };
    Some(Symbol { entity, ..first })
}

/// Namespaces and classes that are looked into for one name.
const MAX_VISITED: usize = 256;

impl Default for Scopes {
    fn default() -> Scopes {
        Scopes {
            stack: vec![Scope::default()],
            spaces: Vec::new(),
            base: 0,
        }
    }
}

impl Scopes {
    pub fn push(&mut self) {
        self.stack.push(Scope::default());
    }

    /// Of a list of parameters: it ends with the declarator, or with the function's body.
    pub fn push_prototype(&mut self) {
        self.stack.push(Scope {
            is_prototype: true,
            ..Scope::default()
        });
    }

    /// A function's body, in which tags of its parameters are known.
    pub fn push_body(&mut self, prototype: Scope) {
        self.stack.push(Scope {
            is_prototype: false,
            ..prototype
        });
    }

    pub fn pop(&mut self) -> Scope {
        self.stack.pop().unwrap_or_default()
    }

    pub fn in_prototype(&self) -> bool {
        self.stack.last().is_some_and(|s| s.is_prototype)
    }

    /// 0 at program scope, 1 in the outermost block of a function.
    pub fn depth(&self) -> usize {
        self.stack.len() - 1 - self.base
    }

    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.find_with_depth(name).map(|found| found.1)
    }

    /// In a namespace or class, and in those that it takes names from, where its own does not hide them.
    pub fn find_in(&self, space: SpaceId, name: &str) -> Option<Symbol> {
        let is_class = self.spaces[space.0 as usize].class.is_some();
        let mut found = Vec::new();
        let mut work = vec![space];
        let mut next = 0;
        while next < work.len().min(MAX_VISITED) {
            let space = &self.spaces[work[next].0 as usize];
            next += 1;
            if let Some(symbol) = space.names.get(name) {
                found.push(*symbol);
                if is_class || next == 1 {
                    break;
                }
                continue;
            }
            for more in &space.more {
                if !work.contains(more) {
                    work.push(*more);
                }
            }
        }
        one_meaning(&found)
    }

    /// All that a name means in the innermost scope that has it, and the scope: names of a namespace that a using-directive names are
    /// as if in the innermost namespace around both.
    fn visible(&self, name: &str) -> Option<(usize, Vec<Symbol>)> {
        // Namespaces of using-directives, and where their names seem to be.
        let mut used: Vec<(SpaceId, SpaceId)> = Vec::new();
        let named = |space: SpaceId| self.spaces[space.0 as usize].names.get(name).copied();
        for (depth, scope) in self.stack.iter().enumerate().rev() {
            if let Some(symbol) = scope.names.get(name) {
                return Some((depth, vec![*symbol]));
            }
            if !scope.more.is_empty() {
                let mut around = self.stack[..depth].iter().rev();
                let around = around.find_map(|s| s.link).unwrap_or_default();
                self.add_used(around, &scope.more, &mut used);
            }
            let Some(space) = scope.link else { continue };
            let region = &self.spaces[space.0 as usize];
            if region.class.is_some() {
                match self.find_in(space, name) {
                    Some(found) => return Some((depth, vec![found])),
                    None => continue,
                }
            }
            self.add_used(space, &region.more, &mut used);
            let here = used.iter().filter(|(_, at)| *at == space);
            let here = here.filter_map(|&(from, _)| named(from));
            let found: Vec<Symbol> = named(space).into_iter().chain(here).collect();
            if !found.is_empty() {
                return Some((depth, found));
            }
        }
        None
    }

    /// What using-directives in a namespace name, and those there.
    fn add_used(&self, from: SpaceId, more: &[SpaceId], used: &mut Vec<(SpaceId, SpaceId)>) {
        let mut work = more.to_vec();
        let mut next = 0;
        while next < work.len().min(MAX_VISITED) {
            let space = work[next];
            next += 1;
            let both = |outer: &SpaceId| self.around(space).any(|s| s == *outer);
            let at = self.around(from).find(both).unwrap_or_default();
            if !used.contains(&(space, at)) {
                used.push((space, at));
            }
            for more in &self.spaces[space.0 as usize].more {
                if !work.contains(more) {
                    work.push(*more);
                }
            }
        }
    }

    /// A namespace and those that it is in.
    fn around(&self, space: SpaceId) -> impl Iterator<Item = SpaceId> {
        std::iter::successors(Some(space), |s| self.spaces[s.0 as usize].parent)
    }

    /// All that a name means in the innermost scope that has it: what is in several namespaces of using-directives, too.
    pub fn find_all(&self, name: &str) -> Vec<Symbol> {
        self.visible(name).map_or(Vec::new(), |found| found.1)
    }

    pub fn new_space(&mut self, space: Region) -> SpaceId {
        self.spaces.push(space);
        SpaceId(self.spaces.len() as u32 - 1)
    }

    pub fn space(&mut self, id: SpaceId) -> &mut Region {
        &mut self.spaces[id.0 as usize]
    }

    /// Opens a namespace or class.
    pub fn push_space(&mut self, space: SpaceId) {
        self.stack.push(Scope {
            link: Some(space),
            ..Scope::default()
        });
    }

    /// The innermost open scope, if it is a namespace or class.
    pub fn innermost_space(&self) -> Option<SpaceId> {
        self.stack.last()?.link
    }

    pub fn declare_in(&mut self, space: SpaceId, name: Name, entity: Entity, loc: SourceLoc) {
        let symbol = Symbol { entity, loc };
        self.space(space).names.insert(name, symbol);
    }

    pub fn find_own(&self, space: SpaceId, name: &str) -> Option<Symbol> {
        self.spaces[space.0 as usize].names.get(name).copied()
    }

    /// The symbol, and the scope in which it is: 0 is program scope.
    pub fn find_with_depth(&self, name: &str) -> Option<(usize, Symbol)> {
        let (depth, found) = self.visible(name)?;
        Some((depth, one_meaning(&found)?))
    }

    /// All visible names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.stack.iter().flat_map(|s| s.names.keys()).map(|n| &**n)
    }

    /// In the innermost scope only.
    pub fn find_here(&self, name: &str) -> Option<Symbol> {
        let scope = self.stack.last()?;
        match scope.link {
            Some(space) => self.find_own(space, name),
            None => scope.names.get(name).copied(),
        }
    }

    pub fn declare(&mut self, name: Name, entity: Entity, loc: SourceLoc) {
        if let Some(space) = self.innermost_space() {
            return self.declare_in(space, name, entity, loc);
        }
        if let Some(scope) = self.stack.last_mut() {
            scope.names.insert(name, Symbol { entity, loc });
        }
    }

    /// Functions belong to the program wherever they are declared.
    pub fn declare_function(&mut self, name: Name, loc: SourceLoc) {
        let entity = Entity::Function;
        if let Some(scope) = self.stack.first_mut() {
            scope.names.insert(name, Symbol { entity, loc });
        }
    }

    pub fn find_tag(&self, name: &str) -> Option<(Tag, SourceLoc)> {
        self.stack
            .iter()
            .rev()
            .find_map(|s| s.tags.get(name))
            .copied()
    }

    pub fn find_tag_here(&self, name: &str) -> Option<(Tag, SourceLoc)> {
        self.stack.last()?.tags.get(name).copied()
    }

    pub fn declare_tag(&mut self, name: Name, tag: Tag, loc: SourceLoc) {
        if let Some(scope) = self.stack.last_mut() {
            scope.tags.insert(name, (tag, loc));
        }
    }
}

#[derive(Debug)]
pub struct Label {
    pub id: u32,
    /// The label's place, once it has been seen.
    pub defined: Option<SourceLoc>,
    pub used: Option<SourceLoc>,
}

/// An enclosing switch: its labels so far.
#[derive(Debug)]
pub struct SwitchState {
    /// The selector's type. Case values are converted to it.
    pub ty: Ty,
    /// By first value, as an unsigned order: first, last.
    pub cases: BTreeMap<u64, (u64, u64, SourceLoc)>,
    pub default: Option<SourceLoc>,
    /// Statement nesting inside the switch's body: labels deeper than 0 need goto.
    pub nesting: usize,
}

/// The function whose body is being analysed.
#[derive(Debug)]
pub struct FnState {
    pub id: FnId,
    pub is_kernel: bool,
    pub ret: Ty,
    pub locals: Vec<Local>,
    /// The locals' types with qualifiers.
    pub quals: Vec<QualTy>,
    /// Values of const integer locals with a constant initialiser.
    pub constants: HashMap<LocalId, u64>,
    /// By name; the ids count from 0 in order of first mention.
    pub labels: HashMap<Name, Label>,
    pub has_goto: bool,
    /// A pointer leads to one of its variables.
    pub keeps_address: bool,
    pub loops: usize,
    pub switches: Vec<SwitchState>,
    /// True: a loop, false: a switch; what `break` leaves.
    pub breakables: Vec<bool>,
    pub contract: bool,
    /// Of a block's function.
    pub block: Option<Box<BlockState>>,
    /// Of C++.
    pub cxx: super::cxx::FnCxx,
}

impl FnState {
    pub fn new(id: FnId, is_kernel: bool, ret: Ty, contract: bool) -> FnState {
        FnState {
            id,
            is_kernel,
            ret,
            locals: Vec::new(),
            quals: Vec::new(),
            constants: HashMap::new(),
            labels: HashMap::new(),
            has_goto: false,
            keeps_address: false,
            loops: 0,
            switches: Vec::new(),
            breakables: Vec::new(),
            contract,
            block: None,
            cxx: Default::default(),
        }
    }

    pub fn new_local(&mut self, name: Name, q: QualTy, align: u64, loc: SourceLoc) -> LocalId {
        self.locals.push(Local {
            name,
            ty: q.ty,
            align,
            is_volatile: q.is_volatile,
            loc,
        });
        self.quals.push(q);
        LocalId(self.locals.len() as u32 - 1)
    }

    /// A local with its type's qualifiers.
    pub fn local(&self, id: LocalId) -> Option<(&Local, QualTy)> {
        let number = id.0 as usize;
        Some((self.locals.get(number)?, *self.quals.get(number)?))
    }

    pub fn label(&mut self, name: &Name) -> &mut Label {
        let id = self.labels.len() as u32;
        self.labels.entry(name.clone()).or_insert(Label {
            id,
            defined: None,
            used: None,
        })
    }
}
