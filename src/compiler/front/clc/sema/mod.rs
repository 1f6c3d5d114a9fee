//! Syntax tree to typed tree: names, types, overloads, conversions and constants.
//!
//! One walk over the external declarations. An expression is analysed to an
//! [`operand::Operand`] (an object or a value), operands are converted by the rules of
//! C99 and OpenCL C 6.4, and what leaves is a [`tree::Unit`]. Whatever had an error gets the
//! error type, which silences what follows from it.

pub mod attributes;
mod blocks;
mod compiler_builtins;
mod consts;
mod convert;
mod cxx;
mod decl;
mod declarators;
mod device_queue;
mod display;
mod expr;
mod expr_assign;
mod expr_binary;
mod expr_call;
mod expr_cast;
mod expr_cond;
mod expr_member;
mod expr_unary;
mod features;
mod functions;
mod init;
mod init_designated;
mod init_stores;
mod kernels;
mod literal_objects;
mod literals;
mod operand;
mod pipes;
mod pragmas;
mod printf;
mod queries;
mod records;
mod scope;
mod selection;
mod sizes;
mod specs;
mod spelling;
mod stmt;
mod switch;
mod tail_calls;
pub mod tree;
pub mod types;

use std::collections::{HashMap, HashSet};

pub use display::{image_type_name, space_name};
pub use queries::Arith;

use super::builtins::conditions::Language;
use super::syntax::ast;
use crate::diag::Sink;
use crate::options::Options;
use crate::source::SourceLoc;
use crate::target::Target;
use features::Features;
use functions::{FnInfo, Overloads};
use scope::{FnState, Scopes};
use tree::{FnId, VarId};
use types::{QualTy, Types};

/// Checks and types a translation unit. A function that has an error keeps its place
/// without a body; each external declaration stands for itself.
pub fn analyse(
    externals: &[ast::External],
    opts: &Options,
    target: &Target,
    sink: &mut Sink,
) -> tree::Unit {
    let mut sema = Sema {
        types: Types::default(),
        opts,
        target,
        sink,
        features: Features::new(opts, target),
        scopes: Scopes::default(),
        functions: Vec::new(),
        fns: Vec::new(),
        lost: HashSet::new(),
        overloads: HashMap::new(),
        globals: Vec::new(),
        global_quals: Vec::new(),
        strings: HashMap::new(),
        calls: Vec::new(),
        cur: None,
        contract: true,
        pack: None,
        packs: Vec::new(),
        cxx: None,
    };
    if opts.cxx.is_some() {
        sema.begin_cxx();
    }
    if sema.features.atomics && !opts.is_opencl_cxx() {
        sema.declare_atomic_constants();
    }
    for external in externals {
        if sema.sink.stopped() {
            break;
        }
        sema.external(external);
    }
    sema.end_cxx();
    sema.loop_tail_calls();
    sema.check_recursion();
    sema.check_internal();
    tree::Unit {
        types: sema.types,
        functions: sema.functions,
        globals: sema.globals,
    }
}

/// The state of the walk.
struct Sema<'a> {
    types: Types,
    opts: &'a Options,
    target: &'a Target,
    sink: &'a mut Sink,
    features: Features,
    scopes: Scopes,
    functions: Vec<tree::Function>,
    /// What sema knows of functions, by [`FnId`] like `functions`.
    fns: Vec<FnInfo>,
    /// What may have been declared where there are syntax errors.
    lost: HashSet<ast::Name>,
    /// Functions by name.
    overloads: HashMap<ast::Name, Overloads>,
    globals: Vec<tree::GlobalVar>,
    /// The globals' types with qualifiers.
    global_quals: Vec<QualTy>,
    /// String literals made so far: equal ones are one object.
    strings: HashMap<Vec<u8>, VarId>,
    /// Caller, callee, place of the call: for the check against recursion.
    calls: Vec<(FnId, FnId, SourceLoc)>,
    /// The function whose body is being analysed.
    cur: Option<Box<FnState>>,
    /// FP_CONTRACT at program scope.
    contract: bool,
    /// What `#pragma pack` says, in bytes, and what it said where it was pushed.
    pack: Option<u64>,
    packs: Vec<Option<u64>>,
    /// Of C++ for OpenCL.
    cxx: Option<Box<cxx::Cxx>>,
}

impl<'a> Sema<'a> {
    fn language(&self) -> Language<'a> {
        Language {
            options: self.opts,
            target: self.target,
            atomics: self.features.atomics,
        }
    }

    fn external(&mut self, external: &ast::External) {
        match external {
            ast::External::Function(f) => self.function_definition(f),
            ast::External::Declaration(d) => {
                self.declaration(d);
            }
            ast::External::StaticAssert(a) => self.static_assert(a),
            ast::External::Pragma(p) => self.pragma(p),
            ast::External::Cxx(d) => self.cxx_external(d),
            ast::External::Lost(names) => self.lost.extend(names.iter().cloned()),
        }
    }

    fn error(&mut self, loc: SourceLoc, message: impl Into<String>) {
        self.sink.error(loc, message);
    }
}
