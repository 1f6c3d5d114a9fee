//! Every row of the builtin tables, called with each of its element types: it compiles to valid
//! SPIR-V. Of its vector sizes some, since a lane is like the next.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use caldera_compiler::back;
use caldera_compiler::driver::kernel_ids;
use caldera_compiler::front::clc::builtins::conditions::{Language, missing};
use caldera_compiler::front::clc::builtins::table::{Accesses, Binding, Elem, Row, TABLE, Term};
use caldera_compiler::front::clc::builtins::{bindings, lacking};
use caldera_compiler::front::clc::sema::types::Prim;
use caldera_compiler::ir::Space;
use caldera_compiler::options::Options;
use caldera_compiler::target::Target;
use common::behind_passes::target;
use common::compile::optimised;
use common::spirv::invalid;

const OPTIONS: &str = "-cl-std=CL3.0";

/// Of pipes.
const PACKET: &str = "short3";

fn lanes(prim: Prim, n: u8) -> String {
    match n {
        1 => prim.name().into(),
        n => format!("{}{n}", prim.name()),
    }
}

/// The type of a parameter or result that is not a pointer.
fn type_text(term: &Term, b: Binding) -> String {
    match *term {
        Term::Void => "void".into(),
        Term::Event => "event_t".into(),
        Term::Value(elem, n) => lanes(b.elem(elem), b.lanes(n)),
        Term::Atomic(elem) => format!("atomic_{}", b.elem(elem).name()),
        Term::Relation if b.n == 1 => "int".into(),
        Term::Relation => lanes(b.elem(Elem::Signed), b.n),
        Term::Order => "memory_order".into(),
        Term::Scope => "memory_scope".into(),
        Term::Sampler => "sampler_t".into(),
        Term::Image(name, accesses) => {
            let access = match accesses {
                Accesses::Write => "write_only",
                _ => "read_only",
            };
            let name = if name.is_empty() { "image2d_t" } else { name };
            format!("{access} {name}")
        }
        Term::Pipe(accesses) => {
            let access = match accesses {
                Accesses::Write => "write_only",
                _ => "read_only",
            };
            format!("{access} pipe {PACKET}")
        }
        Term::Packet => PACKET.into(),
        Term::ReserveId => "reserve_id_t".into(),
        Term::Queue => "queue_t".into(),
        Term::DeviceEvent => "clk_event_t".into(),
        Term::NdRange => "ndrange_t".into(),
        Term::Block => unreachable!("a block has no value"),
        Term::Pointer { .. } => unreachable!("a pointer to a pointer"),
    }
}

/// As it can lie in memory.
fn stored(text: &str) -> &str {
    match text {
        "bool" => "int",
        "void" => "char",
        _ => text,
    }
}

/// `space` where the parameter can point there.
fn space_of(pointee: &Term, spaces: &[Space], space: Space) -> Space {
    match pointee {
        Term::Event => Space::Private,
        _ if spaces.contains(&space) => space,
        _ => spaces[0],
    }
}

/// One call in a kernel of its own; pointers are to `space`.
fn kernel(name: &str, row: &Row, b: Binding, space: Space) -> String {
    let (mut params, mut body, mut args) = (Vec::new(), String::new(), Vec::new());
    for (i, term) in row.params.iter().enumerate() {
        if *term == Term::Block {
            args.push(match &*row.name {
                "enqueue_kernel" => "get_default_queue(), 0, ndrange_1D(1), ^{ }".into(),
                _ => "^{ }".into(),
            });
            continue;
        }
        let (pointee, spaces) = match term {
            Term::Pointer {
                pointee, spaces, ..
            } => (&**pointee, *spaces),
            value => (value, &[][..]),
        };
        let mut text = type_text(pointee, b);
        if *pointee == Term::Void {
            text = stored(&text).to_owned();
        }
        args.push(match pointee {
            Term::Order => "memory_order_seq_cst".into(),
            Term::Scope => "memory_scope_device".into(),
            // A constant.
            _ if i == 1 && row.name.starts_with("sub_group_clustered_reduce") => "4".into(),
            Term::Event if spaces.is_empty() => "0".into(),
            Term::Image(..) | Term::Sampler | Term::Pipe(_) => {
                params.push(format!("{text} a{i}"));
                format!("a{i}")
            }
            _ if spaces.is_empty() => {
                params.push(format!("global {} *a{i}", stored(&text)));
                format!("a{i}[get_global_id(0)]")
            }
            _ => match space_of(pointee, spaces, space) {
                Space::Private => {
                    let _ = writeln!(body, "    {text} a{i}[32];");
                    let _ = match pointee {
                        Term::Event => writeln!(body, "    a{i}[0] = 0;"),
                        Term::Atomic(elem) => {
                            params.push(format!("global {} *g{i}", b.elem(*elem).name()));
                            writeln!(body, "    atomic_init(a{i}, g{i}[0]);")
                        }
                        _ => {
                            params.push(format!("global {text} *g{i}"));
                            writeln!(body, "    a{i}[0] = g{i}[0];")
                        }
                    };
                    format!("a{i}")
                }
                space => {
                    let word = match space {
                        Space::Local => "local",
                        Space::Constant => "constant",
                        _ => "global",
                    };
                    params.push(format!("{word} {text} *a{i}"));
                    format!("a{i}")
                }
            },
        });
    }
    let call = format!("{}({})", row.name, args.join(", "));
    let _ = match type_text(&row.ret, b).as_str() {
        "void" => writeln!(body, "    {call};"),
        "event_t" => writeln!(
            body,
            "    event_t e = {call};\n    wait_group_events(1, &e);"
        ),
        text => {
            params.push(format!("global {} *out", stored(text)));
            writeln!(body, "    out[get_global_id(0)] = {call};")
        }
    };
    format!("kernel void {name}({}) {{\n{body}}}\n", params.join(", "))
}

/// Whether this one is among those tested.
fn chosen(row: &Row, b: Binding) -> bool {
    let size = matches!(b.n, 1 | 3) || row.lanes == [16] || !row.lanes.contains(&3);
    // Ten ways to round and saturate, twelve types to as many: the wide ones would take minutes.
    let narrow = b.n == 1 || row.rounding.is_none();
    // There are no vectors of bool.
    let exists = b.n == 1 || b.elem != Prim::Bool;
    size && b.m <= 4 && narrow && exists
}

/// All kernels of a function, in sources of moderate length.
fn sources(rows: &[&Row], target: &Target) -> Vec<String> {
    let (mut kernels, mut seen) = (Vec::new(), BTreeSet::new());
    for row in rows {
        let mut spaces: Vec<Space> = Vec::new();
        for term in &row.params {
            if let Term::Pointer { spaces: all, .. } = term {
                spaces.extend(all.iter().filter(|s| **s != Space::Generic));
            }
        }
        spaces.sort();
        spaces.dedup();
        if spaces.is_empty() {
            spaces.push(Space::Private);
        }
        let there = |b: &Binding| lacking(row, *b, target).is_none() && chosen(row, *b);
        for b in bindings(row).into_iter().filter(there) {
            for &space in &spaces {
                let name = format!("k{}", kernels.len());
                // What has no `n` would come once for each.
                if seen.insert(kernel("k", row, b, space)) {
                    kernels.push(kernel(&name, row, b, space));
                }
            }
        }
    }
    kernels.chunks(64).map(|some| some.concat()).collect()
}

fn check(text: &str, target: &Target) -> Result<(), String> {
    let options = &Options::parse(OPTIONS).expect("known options");
    let module = optimised(text, options, target)?;
    let words = back::emit(&module, target, &kernel_ids(&module), None);
    match invalid(&words, target) {
        None => Ok(()),
        Some(defect) => Err(defect),
    }
}

/// CALDERA_TEST is part of a function's name: only these.
#[test]
fn every_row_compiles_to_valid_code() {
    let only = std::env::var("CALDERA_TEST").unwrap_or_default();
    let target = &target("nvidia");
    let options = &Options::parse(OPTIONS).expect("known options");
    let language = Language {
        options,
        target,
        atomics: true,
    };
    let here = |row: &Row| missing(&row.conditions, language).is_none();
    let mut by_name: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in TABLE.rows().filter(|row| here(row)) {
        by_name.entry(&row.name).or_default().push(row);
    }
    by_name.retain(|name, _| name.contains(&only));
    let functions: Vec<Vec<&Row>> = by_name.into_values().collect();
    let half = |first: usize| {
        let mut failures = Vec::new();
        for rows in functions.iter().skip(first).step_by(2) {
            for text in sources(rows, target) {
                if let Err(defect) = check(&text, target) {
                    let name = &rows[0].name;
                    failures.push(format!("{name}: {defect}\nof\n{text}"));
                    break;
                }
            }
        }
        failures
    };
    let failures = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        let mut failures = half(0);
        failures.extend(other.join().expect("no panic"));
        failures
    });
    let short = |f: &String| f.chars().take(1500).collect::<String>();
    let short: Vec<String> = failures.iter().map(short).collect();
    assert!(short.is_empty(), "{}", short.join("\n\n"));
}
