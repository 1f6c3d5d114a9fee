//! The builtin tables: text files with one row per function, each parsed when it is first looked up.
//!
//! A row is `name(parameters) -> result : implementation [conditions]`, in the notation
//! of the specification. `, relaxed`, `, exact` and `, unfused` give other implementations for fast math,
//! for correctly rounded results, where the options ask for them, and for devices without a fused fma. `gentype` ranges over the types of the last `gentype:` line and
//! the vector sizes of the last `n:` line. Derived types: `sgentype` (one lane), `igentype`,
//! `ugentype` (the integer of the same width), `widegentype` (the integer of twice the
//! width), `gentypem` (a second, independent vector size), `intn` (a fixed element with
//! the same lanes). `any`, `writable` and `shared` before a pointer's type are sets of
//! address spaces. In a name `{n}` is the vector size, `{t}` a scalar type, `{rt}` a
//! rounding suffix and `{sat}` an optional `_sat`; each makes one row per value. A `library:`
//! line names the file of shaders/ that has the `lib` functions of the rows after it.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use super::conditions::Condition;
use super::implementation::Impl;
use crate::front::clc::sema::types::{IMAGE_TYPES, Prim};
use crate::ir::Space;
use crate::texts::TABLES;

const FILES: &[&str] = &[
    "workitem",
    "group",
    "subgroup",
    "block",
    "integer",
    "common",
    "geometric",
    "relational",
    "math",
    "memory",
    "convert",
    "atomic",
    "image",
    "mipmap",
    "pipe",
    "device_queue",
    "clang",
];

/// The lines of the tables. A `BuiltinId` is the place of a row in one of them.
pub struct Table {
    lines: Vec<Line>,
    /// Lines whose rows all have this name.
    by_name: HashMap<&'static str, Vec<usize>>,
    /// Lines with variables in the name, and what comes before the first.
    patterns: Vec<(&'static str, usize)>,
}

/// Where a row is: its line, and which of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    line: u16,
    row: u16,
}

/// The tables. A malformed line is a defect that a test finds.
pub static TABLE: LazyLock<Table> = LazyLock::new(Table::read);

impl Table {
    /// The rows of this name, in table order.
    pub fn named(&self, name: &str) -> Vec<(Place, &Row)> {
        let plain = self.by_name.get(name).into_iter().flatten().copied();
        let fits = |&&(prefix, _): &&(&str, usize)| name.starts_with(prefix);
        let patterns = self.patterns.iter().filter(fits).map(|&(_, line)| line);
        let mut lines: Vec<usize> = plain.chain(patterns).collect();
        lines.sort_unstable();
        let rows = lines.into_iter().flat_map(|line| self.rows_of(line));
        rows.filter(|(_, row)| row.name == name).collect()
    }

    /// The names of all functions.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let plain = self.by_name.keys().map(|name| (*name).to_owned());
        let patterns = self.patterns.iter();
        let named = patterns.flat_map(|&(_, line)| variants(self.lines[line].name()));
        plain.chain(named.map(|variant| variant.name))
    }

    /// All rows, in table order.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        let rows = (0..self.lines.len()).flat_map(|line| self.rows_of(line));
        rows.map(|(_, row)| row)
    }

    pub fn row(&self, place: Place) -> &Row {
        &self.lines[place.line as usize].rows()[place.row as usize]
    }

    fn rows_of(&self, line: usize) -> impl Iterator<Item = (Place, &Row)> {
        let rows = self.lines[line].rows().iter().enumerate();
        rows.map(move |(row, found)| {
            let (line, row) = (line as u16, row as u16);
            (Place { line, row }, found)
        })
    }

    fn read() -> Table {
        let mut table = Table {
            lines: Vec::new(),
            by_name: HashMap::new(),
            patterns: Vec::new(),
        };
        for &file in FILES {
            let text = TABLES.text(file).unwrap_or_default();
            let (mut elems, mut lanes, mut library) = ("", "1", "");
            for (i, line) in text.lines().enumerate() {
                let text = line.split('#').next().unwrap_or("").trim();
                if let Some(list) = text.strip_prefix("gentype:") {
                    elems = list;
                } else if let Some(list) = text.strip_prefix("n:") {
                    lanes = list;
                } else if let Some(file) = text.strip_prefix("library:") {
                    library = file.trim();
                } else if !text.is_empty() {
                    table.add(Line {
                        file,
                        number: i + 1,
                        text,
                        elems,
                        lanes,
                        library,
                        rows: OnceLock::new(),
                    });
                }
            }
        }
        table
    }

    fn add(&mut self, line: Line) {
        let name = line.name();
        let place = self.lines.len();
        match name.split_once('{') {
            Some((prefix, _)) => self.patterns.push((prefix, place)),
            None => self.by_name.entry(name).or_default().push(place),
        }
        self.lines.push(line);
    }
}

/// A line that makes rows, and what the lines before it say about it.
struct Line {
    file: &'static str,
    /// From 1.
    number: usize,
    text: &'static str,
    elems: &'static str,
    lanes: &'static str,
    library: &'static str,
    rows: OnceLock<Vec<Row>>,
}

impl Line {
    fn name(&self) -> &'static str {
        self.text.split('(').next().unwrap_or("").trim()
    }

    fn rows(&self) -> &[Row] {
        self.rows.get_or_init(|| match self.parse() {
            Ok(rows) => rows,
            Err(e) => panic!("builtin tables: {}.txt:{}: {e}", self.file, self.number),
        })
    }

    fn parse(&self) -> Result<Vec<Row>, String> {
        let elems = self.elems.split_whitespace();
        let elems = elems.map(|w| prim(w).ok_or(format!("unknown type '{w}'")));
        let lanes = self.lanes.split_whitespace();
        let lanes = lanes.map(|w| w.parse().map_err(|_| format!("unknown size '{w}'")));
        parse_line(
            self.text,
            &elems.collect::<Result<Vec<_>, _>>()?,
            &lanes.collect::<Result<Vec<_>, _>>()?,
            self.library,
        )
    }
}

/// One function with all its types.
#[derive(Debug, Clone)]
pub struct Row {
    pub name: String,
    pub params: Vec<Term>,
    pub ret: Term,
    pub imp: Impl,
    /// Replaces `imp` for float under -cl-unsafe-math-optimizations.
    pub relaxed: Option<Impl>,
    /// Used instead of `imp` for float under -cl-fp32-correctly-rounded-divide-sqrt.
    pub exact: Option<Impl>,
    /// Used instead of `imp` where fma is not one operation.
    pub unfused: Option<Impl>,
    pub conditions: Vec<Condition>,
    /// The types that `gentype` stands for.
    pub elems: Vec<Prim>,
    /// The sizes that `n` stands for.
    pub lanes: Vec<u8>,
    pub rounding: Option<Rounding>,
    pub saturate: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    NearestEven,
    Zero,
    Up,
    Down,
}

/// A type as written in a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    Void,
    Event,
    Value(Elem, Lanes),
    /// `atomic_...` of the element.
    Atomic(Elem),
    /// What a comparison gives: int for a scalar, else the signed vector of the same width.
    Relation,
    /// An image of this type name, if it may be accessed so; any image without a name.
    Image(&'static str, Accesses),
    Sampler,
    /// A pipe of any packets, and whether it is read or written.
    Pipe(Accesses),
    /// The packets of the call's pipe; as pointees alone.
    Packet,
    ReserveId,
    Queue,
    DeviceEvent,
    NdRange,
    /// A block, and what may follow.
    Block,
    /// A `memory_order` or `memory_scope` value: an int.
    Order,
    Scope,
    Pointer {
        pointee: Box<Term>,
        spaces: &'static [Space],
        is_const: bool,
        is_volatile: bool,
    },
}

/// What a function does with an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accesses {
    /// Asks for its properties: with any access qualifier.
    Any,
    Read,
    /// Reads with a sampler, which `read_write` images do not have (6.8).
    Sample,
    Write,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elem {
    Gen,
    Signed,
    Unsigned,
    Wide,
    Fixed(Prim),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lanes {
    N,
    M,
    Fixed(u8),
}

/// Values of the variables of one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Binding {
    pub elem: Prim,
    pub n: u8,
    pub m: u8,
}

impl Binding {
    pub fn elem(self, elem: Elem) -> Prim {
        match elem {
            Elem::Gen => self.elem,
            Elem::Signed => int_prim(self.elem.size(), true),
            Elem::Unsigned => int_prim(self.elem.size(), false),
            Elem::Wide => int_prim(self.elem.size() * 2, self.elem.is_signed()),
            Elem::Fixed(prim) => prim,
        }
    }

    pub fn lanes(self, lanes: Lanes) -> u8 {
        match lanes {
            Lanes::N => self.n,
            Lanes::M => self.m,
            Lanes::Fixed(n) => n,
        }
    }
}

/// The integer type of `size` bytes (1 to 8).
pub fn int_prim(size: u64, signed: bool) -> Prim {
    match (size, signed) {
        (1, true) => Prim::Char,
        (1, false) => Prim::UChar,
        (2, true) => Prim::Short,
        (2, false) => Prim::UShort,
        (4, true) => Prim::Int,
        (4, false) => Prim::UInt,
        (_, true) => Prim::Long,
        (_, false) => Prim::ULong,
    }
}

const VECTOR_SIZES: [u8; 5] = [2, 3, 4, 8, 16];

const ROUNDINGS: &[(&str, Option<Rounding>)] = &[
    ("", None),
    ("_rte", Some(Rounding::NearestEven)),
    ("_rtz", Some(Rounding::Zero)),
    ("_rtp", Some(Rounding::Up)),
    ("_rtn", Some(Rounding::Down)),
];

const ANY: &[Space] = &[
    Space::Private,
    Space::Local,
    Space::Global,
    Space::Constant,
    Space::Generic,
];
const WRITABLE: &[Space] = &[Space::Private, Space::Local, Space::Global, Space::Generic];
const SHARED: &[Space] = &[Space::Local, Space::Global, Space::Generic];

fn spaces(word: &str) -> Option<&'static [Space]> {
    Some(match word {
        "any" => ANY,
        "writable" => WRITABLE,
        "shared" => SHARED,
        "global" => &[Space::Global],
        "local" => &[Space::Local],
        "private" => &[Space::Private],
        "generic" => &[Space::Generic],
        _ => return None,
    })
}

/// Parses one line into one row, or one for each value of the patterns in its name.
fn parse_line(line: &str, elems: &[Prim], lanes: &[u8], library: &str) -> Result<Vec<Row>, String> {
    let open = line.find('(').ok_or("expected '('")?;
    let close = line.find(')').ok_or("expected ')'")?;
    let name = line[..open].trim();
    let rest = line[close + 1..].trim();
    let rest = rest.strip_prefix("->").ok_or("expected '->'")?;
    let (ret, rest) = rest.split_once(':').ok_or("expected ':'")?;
    let (imp, conditions) = match rest.split_once('[') {
        Some((imp, list)) => {
            let list = list.trim().strip_suffix(']').ok_or("expected ']'")?;
            let parsed: Result<_, String> = list.split_whitespace().map(str::parse).collect();
            (imp, parsed?)
        }
        None => (rest, vec![]),
    };
    let mut alternatives = imp.split(", ");
    let imp = alternatives.next().unwrap_or_default();
    let (mut relaxed, mut exact, mut unfused) = (None, None, None);
    for text in alternatives {
        let (word, imp) = text.split_once(' ').unwrap_or((text, ""));
        let place = match word {
            "relaxed" => &mut relaxed,
            "exact" => &mut exact,
            "unfused" => &mut unfused,
            _ => return Err(format!("unknown alternative '{text}'")),
        };
        *place = Some(imp);
    }
    let params = match line[open + 1..close].trim() {
        "" | "void" => vec![],
        list => list.split(',').map(str::trim).collect(),
    };

    let row = |variant: Variant| {
        let term = |text: &str| match variant.dest {
            Some(prim) => parse_term(&text.replace("{t}", prim.name())),
            None => parse_term(text),
        };
        let imp_of = |text: &str| Impl::parse(text.trim(), library, &variant.name);
        Ok(Row {
            params: params.iter().map(|p| term(p)).collect::<Result<_, _>>()?,
            ret: term(ret.trim())?,
            imp: imp_of(imp)?,
            relaxed: relaxed.map(imp_of).transpose()?,
            exact: exact.map(imp_of).transpose()?,
            unfused: unfused.map(imp_of).transpose()?,
            conditions: conditions.clone(),
            elems: elems.to_vec(),
            lanes: variant.size.map_or(lanes.to_vec(), |n| vec![n]),
            rounding: variant.rounding,
            saturate: variant.saturate,
            name: variant.name,
        })
    };
    variants(name).into_iter().map(row).collect()
}

/// One expansion of the patterns in a row's name.
#[derive(Clone)]
struct Variant {
    name: String,
    /// `{n}`
    size: Option<u8>,
    /// `{t}`
    dest: Option<Prim>,
    /// `{rt}`
    rounding: Option<Rounding>,
    /// `{sat}`
    saturate: bool,
}

fn variants(pattern: &str) -> Vec<Variant> {
    let mut out = vec![Variant {
        name: pattern.to_owned(),
        size: None,
        dest: None,
        rounding: None,
        saturate: false,
    }];
    expand(&mut out, "{t}", &Prim::ALL, |variant, &prim| {
        variant.dest = Some(prim);
        (prim != Prim::Bool).then(|| prim.name().to_owned())
    });
    expand(&mut out, "{n}", &VECTOR_SIZES, |variant, &n| {
        variant.size = Some(n);
        Some(n.to_string())
    });
    expand(&mut out, "{sat}", &[false, true], |variant, &saturate| {
        variant.saturate = saturate;
        // Saturation is for integers only.
        let float = variant.dest.is_some_and(Prim::is_float);
        let text = if saturate { "_sat" } else { "" };
        (!saturate || !float).then(|| text.to_owned())
    });
    expand(&mut out, "{rt}", ROUNDINGS, |variant, &(text, rounding)| {
        variant.rounding = rounding;
        Some(text.to_owned())
    });
    out
}

/// Makes of each variant whose name has `key` one for each choice; `apply` gives the text for it.
fn expand<T>(
    variants: &mut Vec<Variant>,
    key: &str,
    choices: &[T],
    apply: impl Fn(&mut Variant, &T) -> Option<String>,
) {
    if !variants.iter().any(|v| v.name.contains(key)) {
        return;
    }
    let one = |variant: &Variant, choice: &T| {
        let mut variant = variant.clone();
        let text = apply(&mut variant, choice)?;
        variant.name = variant.name.replace(key, &text);
        Some(variant)
    };
    *variants = variants
        .iter()
        .flat_map(|v| choices.iter().filter_map(|c| one(v, c)).collect::<Vec<_>>())
        .collect();
}

fn prim(word: &str) -> Option<Prim> {
    match word {
        "size_t" | "uintptr_t" => Some(Prim::ULong),
        "ptrdiff_t" | "intptr_t" => Some(Prim::Long),
        _ => Prim::ALL.into_iter().find(|p| p.name() == word),
    }
}

fn parse_term(text: &str) -> Result<Term, String> {
    if let Some(pointee) = text.strip_suffix('*') {
        let mut is_const = false;
        let mut is_volatile = false;
        let mut set = &[Space::Private][..];
        let mut base = None;
        for word in pointee.split_whitespace() {
            match word {
                "const" => is_const = true,
                "volatile" => is_volatile = true,
                _ => match spaces(word) {
                    Some(found) => set = found,
                    None => base = Some(parse_term(word)?),
                },
            }
        }
        return Ok(Term::Pointer {
            pointee: Box::new(base.ok_or("expected a type before '*'")?),
            spaces: set,
            is_const,
            is_volatile,
        });
    }
    if let Some(term) = parse_image(text)? {
        return Ok(term);
    }
    Ok(match text {
        "void" => Term::Void,
        "event_t" => Term::Event,
        "sampler_t" => Term::Sampler,
        "reserve_id_t" => Term::ReserveId,
        "queue_t" => Term::Queue,
        "clk_event_t" => Term::DeviceEvent,
        "ndrange_t" => Term::NdRange,
        "block" => Term::Block,
        "packet" => Term::Packet,
        "relation" => Term::Relation,
        "memory_order" => Term::Order,
        "memory_scope" => Term::Scope,
        _ => match text.strip_prefix("atomic_") {
            Some(base) => Term::Atomic(parse_value(base)?.0),
            None => {
                let (elem, lanes) = parse_value(text)?;
                Term::Value(elem, lanes)
            }
        },
    })
}

/// `any`, `read`, `sample` or `write`, and the image's type or `pipe`; `image_t` stands for all images.
fn parse_image(text: &str) -> Result<Option<Term>, String> {
    let Some((word, name)) = text.split_once(' ') else {
        return Ok(None);
    };
    let accesses = match word {
        "any" => Accesses::Any,
        "read" => Accesses::Read,
        "sample" => Accesses::Sample,
        "write" => Accesses::Write,
        _ => return Ok(None),
    };
    let name = match name.trim() {
        "pipe" => return Ok(Some(Term::Pipe(accesses))),
        "image_t" => "",
        name => IMAGE_TYPES
            .iter()
            .map(|t| t.0)
            .find(|t| *t == name)
            .ok_or(format!("unknown image type '{name}'"))?,
    };
    Ok(Some(Term::Image(name, accesses)))
}

fn parse_value(text: &str) -> Result<(Elem, Lanes), String> {
    Ok(match text {
        "gentype" => (Elem::Gen, Lanes::N),
        "gentypem" => (Elem::Gen, Lanes::M),
        "sgentype" => (Elem::Gen, Lanes::Fixed(1)),
        "igentype" => (Elem::Signed, Lanes::N),
        "ugentype" => (Elem::Unsigned, Lanes::N),
        "widegentype" => (Elem::Wide, Lanes::N),
        _ => {
            if let Some(prim) = prim(text) {
                return Ok((Elem::Fixed(prim), Lanes::Fixed(1)));
            }
            let base = text.trim_end_matches(|c: char| c.is_ascii_digit());
            let (base, lanes) = match text[base.len()..].parse::<u8>() {
                Ok(n) => (base, Lanes::Fixed(n)),
                Err(_) => (
                    text.strip_suffix('n')
                        .ok_or(format!("unknown type '{text}'"))?,
                    Lanes::N,
                ),
            };
            let prim = prim(base).ok_or(format!("unknown type '{text}'"))?;
            (Elem::Fixed(prim), lanes)
        }
    })
}
