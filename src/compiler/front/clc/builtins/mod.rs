//! Builtin functions: tables with one row per function, resolved to ids in sema.
//!
//! `tables/*.txt` holds the rows (see `table`), `conditions` says when a row is there and
//! `implementation` how it is lowered. Overloads are chosen as clang does: each argument's
//! conversion is ranked, and the overload that is at least as good for every argument and
//! better for one wins.

pub mod conditions;
pub mod implementation;
pub mod library;
pub mod table;

use std::fmt::Write;

use super::sema::image_type_name;
use super::sema::types::{ImageAccess, Prim, QualTy, Ty, TypeKind, Types};
use crate::compiler::ir::Space;
use crate::compiler::options::Options;
use crate::compiler::target::Target;
use conditions::has;
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
    options: &Options,
    target: &Target,
    name: &str,
    args: &[Ty],
) -> Result<Resolved, ResolveError> {
    let rows = TABLE.named(name);
    if rows.is_empty() {
        return Err(conditions::needed(name, options, target)
            .map_or(ResolveError::Unknown, ResolveError::Disabled));
    }
    let kinds: Vec<TypeKind> = args.iter().map(|&t| types.kind(t).clone()).collect();
    let mut viable: Vec<Candidate> = Vec::new();
    let mut rejected = Vec::new();
    let (mut missing, mut meant) = (Vec::new(), None);
    for (place, row) in rows {
        if let Some(what) = row
            .conditions
            .iter()
            .find_map(|c| c.missing(options, target))
        {
            if fits_exactly(types, target, row, &kinds) {
                meant = Some(what.clone());
            }
            missing.push((row, what));
            continue;
        }
        let before = viable.len();
        if row.params.len() == args.len() {
            for binding in bindings(row) {
                if let Some((ranks, params)) = rank_all(types, target, row, binding, &kinds)
                    && viable.iter().all(|c| c.params != params)
                {
                    viable.push(Candidate {
                        id: BuiltinId(place),
                        binding,
                        ranks,
                        params,
                    });
                }
            }
        }
        if viable.len() == before {
            rejected.push(row);
        }
    }
    let exact = |c: &Candidate| c.ranks.iter().all(|&rank| rank == Rank::Exact);
    if let Some(what) = meant
        && !viable.iter().any(exact)
    {
        return Err(ResolveError::Disabled(what));
    }
    if viable.is_empty() {
        if rejected.is_empty()
            && let Some((_, what)) = missing.pop()
        {
            return Err(ResolveError::Disabled(what));
        }
        let wrong = rejected
            .iter()
            .map(|row| why_not(types, target, row, args, &kinds));
        let absent = missing
            .into_iter()
            .map(|(row, what)| (generic_signature(row, target), format!("requires {what}")));
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

/// No argument would be converted: this is the function that is meant.
fn fits_exactly(types: &Types, target: &Target, row: &Row, args: &[TypeKind]) -> bool {
    let exact = |b: Binding| {
        let fit = rank_all(types, target, row, b, args);
        fit.is_some_and(|(ranks, _)| ranks.iter().all(|&rank| rank == Rank::Exact))
    };
    row.params.len() == args.len() && bindings(row).into_iter().any(exact)
}

/// Is there a builtin of this name (enabled or not)?
pub fn is_builtin(name: &str) -> bool {
    !TABLE.named(name).is_empty()
}

/// No argument worse, one better.
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
        Term::Void | Term::Event | Term::Order | Term::Scope | Term::Sampler | Term::Image(..) => {
            false
        }
    }
}

/// The ranks of all arguments and the parameters' types, or `None` if one does not fit.
fn rank_all(
    types: &Types,
    target: &Target,
    row: &Row,
    binding: Binding,
    args: &[TypeKind],
) -> Option<(Vec<Rank>, Vec<TypeKind>)> {
    let mut ranks = Vec::with_capacity(args.len());
    let mut params = Vec::with_capacity(args.len());
    // What says how wide a scalar is to become.
    let some_vector = args.iter().any(|k| matches!(k, TypeKind::Vector(..)))
        || (row.params.iter()).any(|t| matches!(t, Term::Pointer { .. } | Term::Image(..)));
    for (term, arg) in row.params.iter().zip(args) {
        let (rank, kind) = rank(types, term, binding, arg)?;
        if rank == Rank::Widening && !some_vector {
            return None;
        }
        ranks.push(rank);
        params.push(kind);
    }
    let mut terms = row.params.iter().chain(std::iter::once(&row.ret));
    terms
        .all(|term| supported(term, binding, target))
        .then_some((ranks, params))
}

/// Does the device have values of this type, or atomics on it?
pub fn supported(term: &Term, binding: Binding, target: &Target) -> bool {
    if let Term::Pointer { pointee, .. } = term {
        let Term::Atomic(elem) = **pointee else {
            return true;
        };
        return binding.elem(elem).size() < 8 || has("cl_khr_int64_base_atomics", target);
    }
    match value_kind(term, binding) {
        Some(TypeKind::Scalar(prim) | TypeKind::Vector(prim, _)) => match prim {
            Prim::Half => has("cl_khr_fp16", target),
            Prim::Double => has("cl_khr_fp64", target),
            _ => true,
        },
        _ => true,
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
        Term::Image(..) | Term::Pointer { .. } => return None,
    })
}

fn rank(types: &Types, term: &Term, binding: Binding, arg: &TypeKind) -> Option<(Rank, TypeKind)> {
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
        return rank_pointer(types, pointee, spaces, *is_const, binding, arg);
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

/// The pointee must be the same; const and volatile may be added. A space outside the
/// set converts to generic if that is in it.
fn rank_pointer(
    types: &Types,
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
    let given_void = matches!(types.kind(given.ty), TypeKind::Void);
    // A list of events may be NULL.
    let any_object = wanted == TypeKind::Void || wanted == TypeKind::Event && given_void;
    if (*types.kind(given.ty) != wanted && !any_object) || (given.is_const && !is_const) {
        return None;
    }
    let (rank, space) = if spaces.contains(&given.space) {
        (Rank::Exact, given.space)
    } else if spaces.contains(&Space::Generic) && given.space != Space::Constant {
        (Rank::Conversion, Space::Generic)
    } else {
        return None;
    };
    Some((rank, TypeKind::Pointer(QualTy { space, ..*given })))
}

fn intern_term(types: &mut Types, term: &Term, binding: Binding) -> Ty {
    // No builtin of the tables returns a pointer.
    let kind = value_kind(term, binding).unwrap_or(TypeKind::Error);
    types.intern(kind)
}

/// The row's signature and what is wrong with it for these arguments.
fn why_not(
    types: &Types,
    target: &Target,
    row: &Row,
    given: &[Ty],
    args: &[TypeKind],
) -> (String, String) {
    let (want, got) = (row.params.len(), args.len());
    let why = if want != got {
        let plural = if want == 1 { "" } else { "s" };
        let were = if got == 1 { "was" } else { "were" };
        format!("requires {want} argument{plural}, but {got} {were} provided")
    } else {
        let fits = |b: Binding, i: usize| rank(types, &row.params[i], b, &args[i]).is_some();
        let all = bindings(row);
        let bad = (0..got).find(|&i| !all.iter().any(|&b| fits(b, i)));
        match bad {
            Some(i) => format!(
                "no known conversion from {} for argument {}",
                types.show(given[i]),
                i + 1
            ),
            None if all.iter().any(|&b| {
                rank_all(types, target, row, b, args).is_none()
                    && (0..got).all(|i| fits(b, i))
                    && args.iter().any(|k| matches!(k, TypeKind::Vector(..)))
            }) =>
            {
                "the device does not support this type".to_owned()
            }
            None => "the types of the arguments do not agree".to_owned(),
        }
    };
    (generic_signature(row, target), why)
}

/// The row's signature with the types that the device has for `gentype`.
fn generic_signature(row: &Row, target: &Target) -> String {
    let text = signature(row, None);
    if !text.contains("gentype") {
        return text;
    }
    let gentype = Term::Value(Elem::Gen, Lanes::Fixed(1));
    let there = |&elem: &Prim| supported(&gentype, Binding { elem, n: 1, m: 1 }, target);
    let elems = row.elems.iter().copied().filter(there);
    let names: Vec<&str> = elems.map(Prim::name).collect();
    format!("{text} [gentype: {}]", names.join(", "))
}

/// The row as an OpenCL C declaration; generic without a binding.
pub fn signature(row: &Row, binding: Option<Binding>) -> String {
    let mut out = String::new();
    let _ = write!(out, "{} {}(", term_text(&row.ret, row, binding), row.name);
    for (i, param) in row.params.iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        let _ = write!(out, "{comma}{}", term_text(param, row, binding));
    }
    out + ")"
}

fn term_text(term: &Term, row: &Row, binding: Option<Binding>) -> String {
    if let Term::Pointer {
        pointee,
        spaces,
        is_const,
        is_volatile,
    } = term
    {
        let mut out = String::new();
        if let [space] = spaces {
            out += match space {
                Space::Private => "private ",
                Space::Local => "local ",
                Space::Global => "global ",
                Space::Constant => "constant ",
                Space::Generic => "generic ",
            };
        }
        out += if *is_const { "const " } else { "" };
        out += if *is_volatile { "volatile " } else { "" };
        return out + &term_text(pointee, row, binding) + " *";
    }
    if let Some(kind) = binding.and_then(|b| value_kind(term, b)) {
        return match kind {
            TypeKind::Void => "void".to_owned(),
            TypeKind::Event => "event_t".to_owned(),
            TypeKind::Scalar(prim) => prim.name().to_owned(),
            TypeKind::Vector(prim, n) => format!("{}{n}", prim.name()),
            TypeKind::Atomic(prim) => format!("atomic_{}", prim.name()),
            _ => String::new(),
        };
    }
    let elem_text = |elem: &Elem| match elem {
        Elem::Gen => "gentype".to_owned(),
        Elem::Signed => "igentype".to_owned(),
        Elem::Unsigned => "ugentype".to_owned(),
        Elem::Wide => "widegentype".to_owned(),
        Elem::Fixed(prim) => prim.name().to_owned(),
    };
    match term {
        Term::Void => "void".to_owned(),
        Term::Event => "event_t".to_owned(),
        Term::Relation => "intn".to_owned(),
        Term::Order => "memory_order".to_owned(),
        Term::Scope => "memory_scope".to_owned(),
        Term::Atomic(elem) => format!("atomic_{}", elem_text(elem)),
        Term::Value(elem, lanes) => match (elem, lanes) {
            (Elem::Gen, Lanes::Fixed(1)) => "sgentype".to_owned(),
            (Elem::Fixed(prim), Lanes::N) if row.lanes.len() == 1 && row.lanes[0] > 1 => {
                format!("{}{}", prim.name(), row.lanes[0])
            }
            (Elem::Fixed(prim), Lanes::N) => format!("{}n", prim.name()),
            (_, Lanes::M) => elem_text(elem) + "m",
            (Elem::Fixed(_), Lanes::Fixed(n)) if *n > 1 => format!("{}{n}", elem_text(elem)),
            _ => elem_text(elem),
        },
        Term::Sampler => "sampler_t".to_owned(),
        Term::Image(name, accesses) => {
            let access = match accesses {
                Accesses::Any => "",
                Accesses::Read | Accesses::Sample => "read_only ",
                Accesses::Write => "write_only ",
            };
            format!("{access}{}", if name.is_empty() { "image" } else { name })
        }
        Term::Pointer { .. } => String::new(),
    }
}

#[cfg(test)]
mod tests;
