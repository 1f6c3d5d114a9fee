//! What names mean as far as reading needs it: types, templates, namespaces, packs.

use std::collections::{HashMap, HashSet};

use super::super::ast::Name;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// A type whose members are not known.
    Type,
    /// A class and its scope.
    Class(usize),
    /// A template of classes or aliases, and the scope of the former.
    TypeTemplate(Option<usize>),
    FunctionTemplate,
    Namespace(usize),
    Pack(Elements),
    /// A variable, function, enumerator ...
    Value,
}

/// What a parameter pack consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elements {
    Values,
    Types,
    Templates,
}

impl Meaning {
    /// It may begin a type.
    pub fn is_type(self) -> bool {
        match self {
            Meaning::Type | Meaning::Class(_) | Meaning::TypeTemplate(_) => true,
            Meaning::Pack(of) => of != Elements::Values,
            _ => false,
        }
    }
}

#[derive(Debug, Default)]
struct Scope {
    names: HashMap<Name, Meaning>,
    /// Bases, namespaces of using-directives.
    more: Vec<usize>,
}

/// All scopes, and those that are open; the innermost comes last.
#[derive(Debug)]
pub struct Tables {
    scopes: Vec<Scope>,
    open: Vec<usize>,
    /// Names of function templates that are members of classes.
    pub member_templates: HashSet<Name>,
    /// Parameters of templates, and types that are made of them.
    dependent: HashSet<(usize, Name)>,
}

impl Default for Tables {
    fn default() -> Tables {
        Tables {
            scopes: vec![Scope::default()],
            open: vec![0],
            member_templates: HashSet::new(),
            dependent: HashSet::new(),
        }
    }
}

/// Scopes that are looked into for one name.
const MAX_VISITED: usize = 256;

impl Tables {
    pub fn new_scope(&mut self) -> usize {
        self.scopes.push(Scope::default());
        self.scopes.len() - 1
    }

    pub fn enter(&mut self, scope: usize) {
        self.open.push(scope);
    }

    /// A new scope, opened.
    pub fn push(&mut self) -> usize {
        let scope = self.new_scope();
        self.enter(scope);
        scope
    }

    pub fn pop(&mut self) {
        if self.open.len() > 1 {
            self.open.pop();
        }
    }

    pub fn open_scopes(&self) -> Vec<usize> {
        self.open.clone()
    }

    /// How many are open.
    pub fn mark(&self) -> usize {
        self.open.len()
    }

    /// Leaves the scopes opened since the mark.
    pub fn leave_to(&mut self, mark: usize) {
        self.open.truncate(mark.max(1));
    }

    /// Replaces the open scopes; gives those before.
    pub fn enter_all(&mut self, scopes: Vec<usize>) -> Vec<usize> {
        std::mem::replace(&mut self.open, scopes)
    }

    pub fn innermost(&self) -> usize {
        self.open.last().copied().unwrap_or(0)
    }

    pub fn declare(&mut self, name: Name, meaning: Meaning) {
        let scope = self.innermost();
        self.declare_in(scope, name, meaning);
    }

    pub fn declare_in(&mut self, scope: usize, name: Name, meaning: Meaning) {
        let names = &mut self.scopes[scope].names;
        match (names.get(&name), meaning) {
            // A class is found although a function or variable has its name, too.
            (
                Some(Meaning::Class(_) | Meaning::TypeTemplate(_) | Meaning::Namespace(_)),
                Meaning::Value,
            ) => {}
            (Some(Meaning::FunctionTemplate), Meaning::Value) => {}
            (Some(Meaning::Class(_)), Meaning::Type) => {}
            _ => {
                names.insert(name, meaning);
            }
        }
    }

    /// The same of a parameter of a template, or a type that is made of some.
    pub fn declare_dependent(&mut self, name: Name, meaning: Meaning) {
        self.dependent.insert((self.innermost(), name.clone()));
        self.declare(name, meaning);
    }

    pub fn is_dependent(&self, name: &Name) -> bool {
        let has = |&&scope: &&usize| self.scopes[scope].names.contains_key(name);
        let scope = self.open.iter().rev().find(has);
        scope.is_some_and(|&scope| self.dependent.contains(&(scope, name.clone())))
    }

    /// Within a declaration with parameters of a template.
    pub fn in_template(&self) -> bool {
        let of_open = |row: &(usize, Name)| self.open.contains(&row.0);
        self.dependent.iter().any(of_open)
    }

    pub fn is_open(&self, scope: usize) -> bool {
        self.open.contains(&scope)
    }

    /// Makes the names of one scope visible in another.
    pub fn link(&mut self, scope: usize, more: usize) {
        if scope != more && !self.scopes[scope].more.contains(&more) {
            self.scopes[scope].more.push(more);
        }
    }

    pub fn find_in(&self, scope: usize, name: &str) -> Option<Meaning> {
        let mut work = vec![scope];
        let mut seen = 0;
        while seen < work.len() && seen < MAX_VISITED {
            let scope = &self.scopes[work[seen]];
            seen += 1;
            if let Some(&meaning) = scope.names.get(name) {
                return Some(meaning);
            }
            for &more in &scope.more {
                if !work.contains(&more) {
                    work.push(more);
                }
            }
        }
        None
    }

    pub fn find(&self, name: &str) -> Option<Meaning> {
        let mut open = self.open.iter().rev();
        open.find_map(|&scope| self.find_in(scope, name))
    }

    /// The scope of a class or namespace.
    pub fn scope_of(meaning: Option<Meaning>) -> Option<usize> {
        match meaning? {
            Meaning::Class(scope) | Meaning::Namespace(scope) => Some(scope),
            Meaning::TypeTemplate(scope) => scope,
            _ => None,
        }
    }
}
