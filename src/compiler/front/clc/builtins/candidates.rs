//! The error for a call that no builtin fits: the candidates as declarations, and why each does not fit.

use std::fmt::Write;

use super::conditions::has;
use super::table::{Accesses, Binding, Elem, Lanes, Row, Term};
use super::{Call, bindings, conditions, extension, lacking, value_kind};
use crate::front::clc::sema::space_name;
use crate::front::clc::sema::types::{Prim, QualTy, TypeKind};
use crate::ir::Space;
use crate::target::Target;

/// A candidate that does not fit.
pub(super) struct NotViable {
    pub signature: String,
    pub why: String,
    /// The extension whose absence is the only reason.
    pub lacks: Option<&'static str>,
    /// For sorting: candidates that fit more arguments come first, and those with another number of parameters last.
    pub distance: (bool, usize),
}

impl Call<'_> {
    pub(super) fn why_not(&self, row: &Row) -> NotViable {
        let (want, got) = (row.params.len(), self.args.len());
        let mut lacks = None;
        let (why, distance) = if want == got {
            let (bad, best) = self.furthest(row);
            if bad == got {
                lacks = best.iter().find_map(|&b| lacking(row, b, self.target));
            }
            let why = match lacks {
                Some(extension) => format!("requires {}", conditions::support(extension)),
                None => self.why_not_argument(row, bad, &best),
            };
            (why, (false, got - bad))
        } else {
            let plural = if want == 1 { "" } else { "s" };
            let were = if got == 1 { "was" } else { "were" };
            let why = format!("requires {want} argument{plural}, but {got} {were} provided");
            (why, (true, want.abs_diff(got)))
        };
        NotViable {
            signature: generic_signature(row, self.target),
            why,
            lacks,
            distance,
        }
    }

    /// The first argument that no types of the row fit together with those before it, and the
    /// types that need the least conversions up to there.
    fn furthest(&self, row: &Row) -> (usize, Vec<Binding>) {
        let all = bindings(row).into_iter().map(|binding| {
            let ranks = (0..self.args.len()).map_while(|i| Some(self.rank(row, binding, i)?.0));
            let ranks: Vec<usize> = ranks.map(|rank| rank as usize).collect();
            let cost: usize = ranks.iter().sum();
            ((self.args.len() - ranks.len(), cost), binding)
        });
        let all: Vec<_> = all.collect();
        let least = all.iter().map(|(key, _)| *key).min().unwrap_or_default();
        let best = all.iter().filter(|(key, _)| *key == least).map(|(_, b)| *b);
        (self.args.len() - least.0, best.collect())
    }

    fn why_not_argument(&self, row: &Row, bad: usize, best: &[Binding]) -> String {
        let Some(&ty) = self.args.get(bad) else {
            return "the types of the arguments do not agree".to_owned();
        };
        let (term, arg, number) = (&row.params[bad], self.types.kind(ty), bad + 1);
        let given = self.types.show(ty);
        let TypeKind::Pointer(pointer) = arg else {
            let to = param_text(row, term, best);
            return format!("no known conversion from {given} to '{to}' for argument {number}");
        };
        if let Some(why) = self.why_not_pointer(term, pointer, best) {
            return match why {
                WrongPointer::Const => {
                    format!("argument {number} ({given}) would lose const qualifier")
                }
                WrongPointer::Space(spaces) => format!(
                    "cannot pass pointer to address space '{}' as a pointer to address space {spaces} in argument {number}",
                    space_name(pointer.space)
                ),
            };
        }
        let to = param_text(row, term, best);
        let pointee = self.types.kind(pointer.ty);
        let value = best
            .iter()
            .any(|&b| self.rank_kind(term, b, pointee).is_some());
        let hint = match value {
            true => "; dereference the argument with *",
            false => "",
        };
        format!("no known conversion from {given} to '{to}' for argument {number}{hint}")
    }

    /// A pointer to what the parameter points to that is not such a pointer.
    fn why_not_pointer(
        &self,
        term: &Term,
        given: &QualTy,
        best: &[Binding],
    ) -> Option<WrongPointer> {
        let Term::Pointer {
            pointee,
            spaces,
            is_const,
            ..
        } = term
        else {
            return None;
        };
        let kind = self.types.kind(given.ty);
        let same = |wanted: TypeKind| wanted == *kind || wanted == TypeKind::Void;
        if !best
            .iter()
            .any(|&b| value_kind(pointee, b).is_some_and(same))
        {
            return None;
        }
        let generic = self.generic && spaces.contains(&Space::Generic);
        if spaces.contains(&given.space) || generic && given.space != Space::Constant {
            // Constant memory is const: where it will not do, its space says more.
            return (given.is_const && !is_const).then_some(WrongPointer::Const);
        }
        let named = spaces.iter().filter(|&&s| (s == Space::Generic) == generic);
        let names: Vec<String> = named.map(|&s| format!("'{}'", space_name(s))).collect();
        Some(WrongPointer::Space(names.join(" or ")))
    }
}

enum WrongPointer {
    Const,
    /// The spaces that would do.
    Space(String),
}

/// A parameter's type: the same for all `best`, or generic.
fn param_text(row: &Row, term: &Term, best: &[Binding]) -> String {
    let mut texts = best.iter().map(|&b| term_text(term, row, Some(b)));
    let first = texts.next();
    let same = first.filter(|first| texts.all(|text| text == *first));
    same.unwrap_or_else(|| term_text(term, row, None))
}

/// The row's signature with the types that the device has for `gentype`.
pub(super) fn generic_signature(row: &Row, target: &Target) -> String {
    let text = signature(row, None);
    if !text.contains("gentype") {
        return text;
    }
    let gentype = Term::Value(Elem::Gen, Lanes::Fixed(1));
    let there = |&elem: &Prim| {
        let binding = Binding { elem, n: 1, m: 1 };
        extension(&gentype, binding).is_none_or(|name| has(name, target))
    };
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
    let named = matches!(term, Term::Order | Term::Scope);
    let kind = binding.filter(|_| !named).and_then(|b| value_kind(term, b));
    if let Some(kind) = kind {
        return match kind {
            TypeKind::Void => "void".to_owned(),
            TypeKind::Event => "event_t".to_owned(),
            TypeKind::Scalar(prim) => prim.name().to_owned(),
            TypeKind::Vector(prim, n) => format!("{}{n}", prim.name()),
            TypeKind::Atomic(prim) => format!("atomic_{}", prim.name()),
            TypeKind::Sampler => "sampler_t".to_owned(),
            TypeKind::ReserveId => "reserve_id_t".to_owned(),
            TypeKind::Queue => "queue_t".to_owned(),
            TypeKind::DeviceEvent => "clk_event_t".to_owned(),
            TypeKind::Record(_) => "ndrange_t".to_owned(),
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
            let name = if name.is_empty() { "image" } else { name };
            format!("{}{name}", qualifier(*accesses))
        }
        Term::Pipe(accesses) => format!("{}pipe", qualifier(*accesses)),
        Term::Packet => "packet".to_owned(),
        Term::ReserveId => "reserve_id_t".to_owned(),
        Term::Queue => "queue_t".to_owned(),
        Term::DeviceEvent => "clk_event_t".to_owned(),
        Term::NdRange => "ndrange_t".to_owned(),
        Term::Block => "block".to_owned(),
        Term::Pointer { .. } => String::new(),
    }
}

fn qualifier(accesses: Accesses) -> &'static str {
    match accesses {
        Accesses::Any => "",
        Accesses::Read | Accesses::Sample => "read_only ",
        Accesses::Write => "write_only ",
    }
}
