//! Builtin functions: tables with one row per function, resolved to ids in sema.

use super::sema::types::{Ty, Types};
use crate::compiler::options::Options;
use crate::compiler::target::Target;

/// A row of the builtin tables. With the argument types it says all that lowering needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BuiltinId(pub u32);

/// A chosen overload.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    pub id: BuiltinId,
    /// The types to which the arguments are converted.
    pub params: Vec<Ty>,
    pub ret: Ty,
}

/// Why no overload was chosen.
#[derive(Debug, Clone, PartialEq)]
pub enum ResolveError {
    /// There is no builtin of this name.
    Unknown,
    /// The name exists, but needs this extension, feature or version.
    Disabled(String),
    /// No candidate fits: their signatures as text, and why each does not.
    NoMatch(Vec<(String, String)>),
    /// Several fit equally well: their signatures.
    Ambiguous(Vec<String>),
}

/// Chooses the overload of `name` for arguments of these types (values: no arrays or
/// functions, which have decayed). A literal argument's type is as C gives it.
pub fn resolve(
    _types: &mut Types,
    _options: &Options,
    _target: &Target,
    _name: &str,
    _args: &[Ty],
) -> Result<Resolved, ResolveError> {
    Err(ResolveError::Unknown)
}
