//! Builtin functions: tables with one row per function, resolved to ids in sema.
//!
//! `tables/*.txt` holds the rows (see `table`), `conditions` says when a row is there and
//! `implementation` how it is lowered. Overloads are chosen as clang does: each argument's
//! conversion is ranked, and the overload that is at least as good for every argument and
//! better for one wins.

mod candidates;
pub mod clang;
pub mod conditions;
pub mod implementation;
pub mod library;
pub mod table;

use super::sema::image_type_name;
use super::sema::types::{ImageAccess, NDRANGE, Prim, QualTy, Ty, TypeKind, Types};
use crate::ir::Space;
use crate::options::Standard;
use crate::target::Target;
use candidates::{NotViable, signature};
use conditions::{Language, has};
use table::{Accesses, Binding, Elem, Lanes, Place, Row, TABLE, Term};

/// A row of the builtin tables. With the argument types it says all that lowering needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BuiltinId(Place);

impl BuiltinId {
    pub fn row(self) -> &'static Row {
        TABLE.row(self.0)
    }
}

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

/// What a conversion of an argument costs. Vectors convert to nothing else; a scalar is
/// widened only beside a vector or pointer argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Exact,
    Promotion,
    Conversion,
    Widening,
}

struct Candidate {
    id: BuiltinId,
    binding: Binding,
    ranks: Vec<Rank>,
    params: Vec<TypeKind>,
}

/// Chooses the overload of `name` for arguments of these types (values: no arrays or
/// functions, which have decayed). A literal argument's type is as C gives it.
pub fn resolve(
    types: &mut Types,
    language: Language,
    name: &str,
    args: &[Ty],
) -> Result<Resolved, ResolveError> {
    let rows = TABLE.named(name);
    if rows.is_empty() {
        return Err(conditions::needed(name, language)
            .map_or(ResolveError::Unknown, ResolveError::Disabled));
    }
    let Language {
        options, target, ..
    } = language;
    let call = Call {
        types,
        target,
        generic: options.standard >= Standard::Cl20
            && has("__opencl_c_generic_address_space", target),
        args,
    };
    let exact = |ranks: &[Rank]| ranks.iter().all(|&rank| rank == Rank::Exact);
    let mut viable: Vec<Candidate> = Vec::new();
    let mut rejected = Vec::new();
    let (mut missing, mut meant) = (Vec::new(), None);
    for (place, row) in rows {
        let absent = conditions::missing(&row.conditions, language);
        let before = viable.len();
        for binding in bindings(row) {
            let Some((ranks, params)) = call.rank_all(row, binding) else {
                continue;
            };
            let needs = || lacking(row, binding, target).map(conditions::support);
            match absent.clone().or_else(needs) {
                None if viable.iter().all(|c| c.params != params) => viable.push(Candidate {
                    id: BuiltinId(place),
                    binding,
                    ranks,
                    params,
                }),
                // No argument would be converted: this is the function that is meant.
                Some(what) if exact(&ranks) => meant = Some(what),
                _ => {}
            }
        }
        match absent {
            Some(what) => missing.push((row, what)),
            None if viable.len() == before => rejected.push(row),
            None => {}
        }
    }
    if let Some(what) = meant
        && !viable.iter().any(|c| exact(&c.ranks))
    {
        return Err(ResolveError::Disabled(what));
    }
    if viable.is_empty() {
        if rejected.is_empty()
            && let Some((_, what)) = missing.pop()
        {
            return Err(ResolveError::Disabled(what));
        }
        let mut wrong: Vec<NotViable> = rejected.iter().map(|row| call.why_not(row)).collect();
        if let Some(lacks) = wrong.first().and_then(|w| w.lacks)
            && missing.is_empty()
            && wrong.iter().all(|w| w.lacks.is_some())
        {
            return Err(ResolveError::Disabled(conditions::support(lacks)));
        }
        wrong.sort_by_key(|candidate| candidate.distance);
        let wrong = wrong.into_iter().map(|c| (c.signature, c.why));
        let absent = missing.into_iter().map(|(row, what)| {
            let signature = candidates::generic_signature(row, target);
            (signature, format!("requires {what}"))
        });
        return Err(ResolveError::NoMatch(wrong.chain(absent).collect()));
    }
    let best = viable.iter().position(|c| {
        viable
            .iter()
            .all(|other| std::ptr::eq(c, other) || better(&c.ranks, &other.ranks))
    });
    let Some(best) = best else {
        let minimal = viable
            .iter()
            .filter(|c| !viable.iter().any(|other| better(&other.ranks, &c.ranks)));
        return Err(ResolveError::Ambiguous(
            minimal
                .map(|c| signature(c.id.row(), Some(c.binding)))
                .collect(),
        ));
    };
    let chosen = viable.swap_remove(best);
    let ret = intern_term(types, &chosen.id.row().ret, chosen.binding);
    Ok(Resolved {
        id: chosen.id,
        params: chosen
            .params
            .into_iter()
            .map(|kind| types.intern(kind))
            .collect(),
        ret,
    })
}

/// Is there a builtin of this name (enabled or not)?
pub fn is_builtin(name: &str) -> bool {
    !TABLE.named(name).is_empty() || clang::has(name)
}

/// Is there a builtin of this name that the program may call?
pub fn is_enabled(name: &str, language: Language) -> bool {
    let rows = TABLE.named(name);
    let mut missing = rows
        .iter()
        .map(|(_, row)| conditions::missing(&row.conditions, language));
    missing.any(|missing| missing.is_none())
}

/// No argument is worse, and one is better.
fn better(a: &[Rank], b: &[Rank]) -> bool {
    a.iter().zip(b).all(|(a, b)| a <= b) && a != b
}

/// All values of the variables that the row uses.
pub fn bindings(row: &Row) -> Vec<Binding> {
    let terms = || row.params.iter().chain(std::iter::once(&row.ret));
    let elems: &[Prim] = if terms().any(uses_elem) {
        &row.elems
    } else {
        &[Prim::Int]
    };
    let ms: &[u8] = if terms().any(|t| matches!(t, Term::Value(_, Lanes::M))) {
        &row.lanes
    } else {
        &[1]
    };
    let mut out = Vec::new();
    for &elem in elems {
        for &n in &row.lanes {
            out.extend(ms.iter().map(|&m| Binding { elem, n, m }));
        }
    }
    out
}

fn uses_elem(term: &Term) -> bool {
    match term {
        Term::Value(elem, _) | Term::Atomic(elem) => !matches!(elem, Elem::Fixed(_)),
        Term::Pointer { pointee, .. } => uses_elem(pointee),
        Term::Relation => true,
        Term::Void
        | Term::Event
        | Term::Order
        | Term::Scope
        | Term::Sampler
        | Term::Image(..)
        | Term::Pipe(_)
        | Term::Packet
        | Term::ReserveId
        | Term::Queue
        | Term::DeviceEvent
        | Term::NdRange
        | Term::Block => false,
    }
}

/// The types of a call's arguments, and what they may convert to.
struct Call<'a> {
    types: &'a Types,
    target: &'a Target,
    /// Pointers convert to generic ones.
    generic: bool,
    args: &'a [Ty],
}

impl Call<'_> {
    /// The ranks of all arguments and the parameters' types, or `None` if one does not fit.
    fn rank_all(&self, row: &Row, binding: Binding) -> Option<(Vec<Rank>, Vec<TypeKind>)> {
        if row.params.len() != self.args.len() {
            return None;
        }
        let ranked = (0..self.args.len()).map(|i| self.rank(row, binding, i));
        Some(ranked.collect::<Option<Vec<_>>>()?.into_iter().unzip())
    }

    /// The rank of one argument.
    fn rank(&self, row: &Row, binding: Binding, i: usize) -> Option<(Rank, TypeKind)> {
        let arg = self.types.kind(self.args[i]);
        let (rank, kind) = self.rank_kind(&row.params[i], binding, arg)?;
        // A vector argument decides how wide a scalar becomes.
        let some_vector = || {
            let mut kinds = self.args.iter().map(|&ty| self.types.kind(ty));
            kinds.any(|kind| matches!(kind, TypeKind::Vector(..)))
                || (row.params.iter()).any(|t| matches!(t, Term::Pointer { .. } | Term::Image(..)))
        };
        (rank != Rank::Widening || some_vector()).then_some((rank, kind))
    }

    /// The rank of an argument of this type.
    fn rank_kind(&self, term: &Term, binding: Binding, arg: &TypeKind) -> Option<(Rank, TypeKind)> {
        if *arg == TypeKind::Error {
            return Some((Rank::Exact, TypeKind::Error));
        }
        if let Term::Pointer {
            pointee,
            spaces,
            is_const,
            ..
        } = term
        {
            return self.rank_pointer(pointee, spaces, *is_const, binding, arg);
        }
        if let Term::Image(name, accesses) = *term {
            let TypeKind::Image(kind) = arg else {
                return None;
            };
            let same = name.is_empty() || image_type_name(*kind) == name;
            return (same && allows(kind.access, accesses)).then(|| (Rank::Exact, arg.clone()));
        }
        let kind = value_kind(term, binding)?;
        let rank = match (arg, &kind) {
            (a, k) if a == k => Rank::Exact,
            (TypeKind::Scalar(from), TypeKind::Scalar(to)) => rank_scalar(*from, *to),
            (TypeKind::Enum(..), TypeKind::Scalar(Prim::Int)) => Rank::Promotion,
            (TypeKind::Enum(..), TypeKind::Scalar(_)) => Rank::Conversion,
            (TypeKind::Scalar(_), TypeKind::Vector(..)) => Rank::Widening,
            // The literal's bits.
            (TypeKind::Scalar(from), TypeKind::Sampler) if from.is_int() => Rank::Conversion,
            // The null event is the literal 0.
            (TypeKind::Scalar(from), TypeKind::Event) if from.is_int() => Rank::Conversion,
            _ => return None,
        };
        Some((rank, kind))
    }

    /// The pointee must be the same; const and volatile may be added. A space outside the
    /// set converts to generic if that is in it.
    fn rank_pointer(
        &self,
        pointee: &Term,
        spaces: &[Space],
        is_const: bool,
        binding: Binding,
        arg: &TypeKind,
    ) -> Option<(Rank, TypeKind)> {
        let TypeKind::Pointer(given) = arg else {
            return None;
        };
        let wanted = value_kind(pointee, binding)?;
        let given_void = matches!(self.types.kind(given.ty), TypeKind::Void | TypeKind::Null);
        // A list of events may be NULL.
        let handle = matches!(wanted, TypeKind::Event | TypeKind::DeviceEvent);
        let any_object = wanted == TypeKind::Void || handle && given_void;
        if (*self.types.kind(given.ty) != wanted && !any_object) || (given.is_const && !is_const) {
            return None;
        }
        let (rank, space) = if spaces.contains(&given.space) {
            (Rank::Exact, given.space)
        } else if self.generic && spaces.contains(&Space::Generic) && given.space != Space::Constant
        {
            (Rank::Conversion, Space::Generic)
        } else {
            return None;
        };
        Some((rank, TypeKind::Pointer(QualTy { space, ..*given })))
    }
}

/// The extension that the device lacks for this row with these types.
pub fn lacking(row: &Row, binding: Binding, target: &Target) -> Option<&'static str> {
    let mut terms = row.params.iter().chain(std::iter::once(&row.ret));
    terms.find_map(|term| extension(term, binding).filter(|name| !has(name, target)))
}

/// The extension of values of this type, or of atomics on it.
fn extension(term: &Term, binding: Binding) -> Option<&'static str> {
    if let Term::Pointer { pointee, .. } = term {
        let Term::Atomic(elem) = **pointee else {
            return None;
        };
        return (binding.elem(elem).size() == 8).then_some("cl_khr_int64_base_atomics");
    }
    match value_kind(term, binding)? {
        TypeKind::Scalar(prim) | TypeKind::Vector(prim, _) => match prim {
            Prim::Half => Some("cl_khr_fp16"),
            Prim::Double => Some("cl_khr_fp64"),
            _ => None,
        },
        _ => None,
    }
}

/// The type of a term that is not a pointer.
fn value_kind(term: &Term, binding: Binding) -> Option<TypeKind> {
    let value = |prim, lanes| match lanes {
        1 => TypeKind::Scalar(prim),
        n => TypeKind::Vector(prim, n),
    };
    Some(match *term {
        Term::Void => TypeKind::Void,
        Term::Event => TypeKind::Event,
        Term::Value(elem, lanes) => value(binding.elem(elem), binding.lanes(lanes)),
        Term::Atomic(elem) => TypeKind::Atomic(binding.elem(elem)),
        Term::Relation if binding.n == 1 => TypeKind::Scalar(Prim::Int),
        Term::Relation => value(binding.elem(Elem::Signed), binding.n),
        Term::Order | Term::Scope => TypeKind::Scalar(Prim::Int),
        Term::Sampler => TypeKind::Sampler,
        Term::ReserveId => TypeKind::ReserveId,
        Term::Queue => TypeKind::Queue,
        Term::DeviceEvent => TypeKind::DeviceEvent,
        Term::NdRange => TypeKind::Record(NDRANGE),
        Term::Image(..) | Term::Pipe(_) | Term::Packet | Term::Block | Term::Pointer { .. } => {
            return None;
        }
    })
}

fn allows(access: ImageAccess, accesses: Accesses) -> bool {
    match accesses {
        Accesses::Any => true,
        Accesses::Read => access != ImageAccess::Write,
        Accesses::Sample => access == ImageAccess::Read,
        Accesses::Write => access != ImageAccess::Read,
    }
}

/// C's integer and floating promotions, else a conversion.
fn rank_scalar(from: Prim, to: Prim) -> Rank {
    match (from, to) {
        (Prim::Bool | Prim::Char | Prim::UChar | Prim::Short | Prim::UShort, Prim::Int)
        | (Prim::Float, Prim::Double) => Rank::Promotion,
        _ => Rank::Conversion,
    }
}

/// The rows of this name if it is a function of a pipe: its arguments depend on the pipe's type, so `sema::pipes` checks them.
pub fn of_pipes(name: &str) -> Vec<(BuiltinId, &'static Row)> {
    let rows = TABLE.named(name).into_iter();
    let of_pipe = |row: &Row| matches!(row.params.first(), Some(Term::Pipe(_)));
    rows.filter(|(_, row)| of_pipe(row))
        .map(|(place, row)| (BuiltinId(place), row))
        .collect()
}

/// The row of this name if it is a function of a block, whose arguments `sema::device_queue` checks.
pub fn of_blocks(name: &str) -> Option<(BuiltinId, &'static Row)> {
    let rows = TABLE.named(name).into_iter();
    let mut of_blocks = rows.filter(|(_, row)| row.params.last() == Some(&Term::Block));
    of_blocks.next().map(|(place, row)| (BuiltinId(place), row))
}

fn intern_term(types: &mut Types, term: &Term, binding: Binding) -> Ty {
    // No builtin of the tables returns a pointer.
    let kind = value_kind(term, binding).unwrap_or(TypeKind::Error);
    types.intern(kind)
}

#[cfg(test)]
mod tests;
