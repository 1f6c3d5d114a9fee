//! The IR as text, which `parse` reads back. docs/ir.md has the syntax.

use std::fmt::{self, Display, Formatter};

use super::names::{
    FAST_FLAGS, FENCE_FLAGS, op_name, scalar_name, set_flags, space_name, sys_name,
};
use super::parse::default_param;
use super::{
    Addr, Bytes, Function, Global, Inline, Inst, Kernel, KernelLayout, KernelParam, Len, Module,
    Object, Op, Region, Scalar, Type, Unroll, Value, eval,
};
use crate::kernel::{ArgAccess, ArgAddress, ArgKind, ParamInfo, Role};

/// Levels that are indented.
const MAX_INDENTED: usize = 64;

impl Display for Module {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        for (i, global) in self.globals.iter().enumerate() {
            writeln!(f, "global g{i} {}", GlobalText(global))?;
        }
        for (i, format) in self.printf.iter().enumerate() {
            write!(f, "printf s{i} {} (", Quoted(&format.format))?;
            writeln!(f, "{})", List(&format.arg_sizes))?;
        }
        for (i, func) in self.funcs.iter().enumerate() {
            if i > 0 || !self.globals.is_empty() || !self.printf.is_empty() {
                writeln!(f)?;
            }
            function(f, i, func)?;
        }
        Ok(())
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}", scalar_name(self.scalar))?;
        match self.lanes {
            1 => Ok(()),
            n => write!(f, "x{n}"),
        }
    }
}

/// An instruction's text without the regions inside it, for messages.
pub fn inst_text(func: &Function, inst: &Inst) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = head(&mut text, func, inst);
    text
}

/// Text between double quotes, with escapes for what would end or break it.
struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "\"")?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                ' '..='~' => write!(f, "{c}")?,
                _ => write!(f, "\\u{{{:x}}}", c as u32)?,
            }
        }
        write!(f, "\"")
    }
}

/// Items separated by commas.
struct List<'a, T>(&'a [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// Values with their types, separated by commas.
struct Typed<'a>(&'a Function, &'a [Value]);

impl Display for Typed<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        for (i, &v) in self.1.iter().enumerate() {
            let sep = if i == 0 { "" } else { ", " };
            write!(f, "{sep}{v}: {}", self.0.ty(v))?;
        }
        Ok(())
    }
}

struct GlobalText<'a>(&'a Global);

impl Display for GlobalText<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let g = self.0;
        write!(
            f,
            "{} {} size {}",
            Quoted(&g.name),
            space_name(g.space),
            g.size
        )?;
        g.spec_len
            .map_or(Ok(()), |id| write!(f, " spec_len {id}"))?;
        write!(f, " align {}", g.align)?;
        if let Some(init) = &g.init {
            for (offset, bytes) in written_runs(init, g.size.into()) {
                write!(f, " init 0x")?;
                for byte in bytes {
                    write!(f, "{byte:02x}")?;
                }
                if offset > 0 {
                    write!(f, " at {offset}")?;
                }
            }
        }
        for (offset, target) in &g.relocs {
            write!(f, " reloc {offset} {target}")?;
        }
        let external = if g.external { " external" } else { "" };
        let once = if g.once { " once" } else { "" };
        let undefined = if g.defined { "" } else { " undefined" };
        write!(f, "{external}{once}{undefined}")
    }
}

/// The runs of an initial value of `size` bytes that are written, at least one: with the zeros around them, where
/// these are few.
fn written_runs(init: &Bytes, size: u64) -> Vec<(u64, Vec<u8>)> {
    const FEW: u64 = 64;
    let mut runs = init.runs(FEW);
    if let Some((start, bytes)) = runs.first_mut()
        && *start < FEW
    {
        bytes.splice(..0, vec![0; *start as usize]);
        *start = 0;
    }
    match runs.last_mut() {
        Some((start, bytes)) if size.saturating_sub(*start + bytes.len() as u64) < FEW => {
            bytes.resize((size - *start) as usize, 0);
        }
        Some(_) => {}
        None if size < FEW => runs.push((0, vec![0; size as usize])),
        None => runs.push((0, vec![0])),
    }
    runs
}

fn function(f: &mut Formatter, index: usize, func: &Function) -> fmt::Result {
    let keyword = if func.kernel.is_some() {
        "kernel"
    } else {
        "func"
    };
    write!(f, "{keyword} f{index} {}", Quoted(&func.name))?;
    write!(f, "({})", Typed(func, &func.params))?;
    if let Some(ty) = func.ret {
        write!(f, " -> {ty}")?;
    }
    match func.inline {
        Inline::Auto => {}
        Inline::Always => write!(f, " always")?,
        Inline::Never => write!(f, " never")?,
        Inline::Late => write!(f, " late")?,
        Inline::OverBudget => write!(f, " over_budget")?,
    }
    if func.external {
        write!(f, " external")?;
    }
    if func.once {
        write!(f, " once")?;
    }
    let mut lines = func
        .kernel
        .iter()
        .flat_map(|k| kernel_lines(func, k))
        .collect::<Vec<_>>();
    lines.extend(func.objects.iter().enumerate().map(object_line));
    for line in &lines {
        write!(f, "\n  {line}")?;
    }
    let Some(body) = &func.body else {
        return writeln!(f);
    };
    writeln!(f, "{}{{", if lines.is_empty() { " " } else { "\n" })?;
    region(f, func, body, 1)?;
    writeln!(f, "}}")
}

fn object_line((index, o): (usize, &Object)) -> String {
    let space = space_name(o.space);
    let len = match o.len {
        Len::Const(n) => format!("{n}"),
        Len::Spec(id) => format!("spec {id}"),
    };
    let global = o.global.map_or(String::new(), |g| format!(" {g}"));
    format!(
        "object o{index} {} {space} {} [{len}]{global}",
        Quoted(&o.name),
        o.elem
    )
}

fn kernel_lines(func: &Function, kernel: &Kernel) -> Vec<String> {
    let mut lines = Vec::new();
    let types = func.params.iter().map(|v| func.ty(*v));
    if !kernel.params.iter().cloned().eq(types.map(default_param)) {
        lines.extend(kernel.params.iter().map(param_line));
    }
    let attributes = &kernel.attributes;
    for (word, size) in [
        ("reqd_size", attributes.reqd_work_group_size),
        ("size_hint", attributes.work_group_size_hint),
        ("max_size", attributes.max_work_group_size),
    ] {
        lines.extend(size.map(|[x, y, z]| format!("{word} {x} {y} {z}")));
    }
    for (word, number) in [
        ("reqd_sub_groups", attributes.reqd_sub_groups),
        ("reqd_sub_group_size", attributes.reqd_sub_group_size),
    ] {
        lines.extend(number.map(|n| format!("{word} {n}")));
    }
    let roles = Role::WORDS.iter();
    let role = roles.filter(|(role, _)| *role == attributes.role);
    lines.extend(role.map(|(_, word)| word.to_string()));
    let hint = attributes.vec_type_hint.as_ref();
    lines.extend(hint.map(|t| format!("vec_type_hint {}", Quoted(t))));
    if !attributes.text.is_empty() {
        lines.push(format!("attributes {}", Quoted(&attributes.text)));
    }
    lines.extend(kernel.layout.iter().flat_map(layout_lines));
    lines
}

fn param_line(p: &KernelParam) -> String {
    let (size, align, elem) = (p.size, p.align, p.elem_size);
    let sampler = if p.is_sampler { " sampler" } else { "" };
    let piece = |(offset, ty): &(u32, Type)| format!("{offset}: {ty}");
    let pieces: Vec<String> = p.pieces.iter().map(piece).collect();
    let pieces = match pieces[..] {
        [] => String::new(),
        _ => format!(" pieces [{}]", List(&pieces)),
    };
    let pointee = match p.pointee_align {
        1 => String::new(),
        align => format!(" pointee {align}"),
    };
    format!(
        "param {}{sampler} size {size} align {align} elem {elem}{pointee}{pieces}",
        param_text(&p.info)
    )
}

fn layout_lines(layout: &KernelLayout) -> Vec<String> {
    let mut line = format!("layout block {}", layout.block_size);
    if let Some(frame) = layout.local_frame {
        line += &format!(" frame {} {}", frame.size, frame.elem_size);
        line += if frame.views { " views" } else { "" };
    }
    if layout.scratch_size > 0 {
        line += &format!(" scratch {}", layout.scratch_size);
    }
    if layout.group_memory > 0 {
        line += &format!(" group {}", layout.group_memory);
    }
    line += if layout.alone { " alone" } else { "" };
    line += if layout.guarded { " guarded" } else { "" };
    let args = layout.args.iter();
    let args = args.map(|arg| format!("arg {} {}", param_text(&arg.param), kind_text(arg.kind)));
    [line].into_iter().chain(args).collect()
}

fn param_text(arg: &ParamInfo) -> String {
    let mut text = format!("{} {}", Quoted(&arg.name), Quoted(&arg.type_name));
    text += match arg.address {
        ArgAddress::Global => " global",
        ArgAddress::Local => " local",
        ArgAddress::Constant => " constant",
        ArgAddress::Private => " private",
    };
    text += match arg.access {
        ArgAccess::None => "",
        ArgAccess::ReadOnly => " read_only",
        ArgAccess::WriteOnly => " write_only",
        ArgAccess::ReadWrite => " read_write",
    };
    for (set, word) in [
        (arg.is_const, " const"),
        (arg.is_restrict, " restrict"),
        (arg.is_volatile, " volatile"),
        (arg.is_pipe, " pipe"),
        (arg.is_queue, " queue"),
    ] {
        text += if set { word } else { "" };
    }
    text
}

fn kind_text(kind: ArgKind) -> String {
    match kind {
        ArgKind::Value { offset, size } => format!("by_value {offset} {size}"),
        ArgKind::Pointer {
            offset,
            reads,
            writes,
        } => {
            let reads = if reads { " reads" } else { "" };
            let writes = if writes { " writes" } else { "" };
            format!("pointer {offset}{reads}{writes}")
        }
        ArgKind::Local { spec_id, elem_size } => format!("by_spec {spec_id} {elem_size}"),
        ArgKind::LocalInFrame { spec_id, align } => format!("in_frame {spec_id} {align}"),
        ArgKind::Image { offset, spec_id } => format!("image {offset} {spec_id}"),
        ArgKind::Sampler { spec_id } => format!("sampler {spec_id}"),
        ArgKind::Unused { size } => format!("unused {size}"),
    }
}

fn region(f: &mut Formatter, func: &Function, region: &Region, depth: usize) -> fmt::Result {
    // Indentation of all levels would make the text of long chains quadratic.
    let pad = "  ".repeat(depth.min(MAX_INDENTED));
    let nested = |f: &mut Formatter, inner: &Region| {
        writeln!(f, "{{")?;
        self::region(f, func, inner, depth + 1)?;
        write!(f, "{pad}}}")
    };
    for inst in &region.insts {
        write!(f, "{pad}")?;
        head(f, func, inst)?;
        match &inst.op {
            Op::If(_, then, other) => {
                write!(f, " ")?;
                nested(f, then)?;
                let trivial = matches!(&other.insts[..], [i] if i.op == Op::Yield(vec![]));
                if !trivial {
                    write!(f, " else ")?;
                    nested(f, other)?;
                }
            }
            Op::Loop { body, .. } => {
                write!(f, " ")?;
                nested(f, body)?;
            }
            Op::Switch { cases, default, .. } => {
                writeln!(f, " {{")?;
                for (values, case) in cases {
                    write!(f, "{pad}case {} ", List(values))?;
                    nested(f, case)?;
                    writeln!(f)?;
                }
                write!(f, "{pad}default ")?;
                nested(f, default)?;
                write!(f, "\n{pad}}}")?;
            }
            _ => {}
        }
        writeln!(f)?;
    }
    Ok(())
}

impl Display for Addr {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Addr::Ptr(v) => write!(f, "{v}"),
            Addr::Device(v) => write!(f, "device {v}"),
            Addr::Scratch(v) => write!(f, "scratch {v}"),
            Addr::Object(o, v) => write!(f, "{o}[{v}]"),
        }
    }
}

/// A constant as its type shows it: decimal where that reads back to the same bits.
struct ConstText(Type, u64);

impl Display for ConstText {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let ConstText(ty, bits) = *self;
        match ty.scalar {
            Scalar::Bool => write!(f, "{}", bits != 0),
            s if s.is_int() => write!(f, "{}", eval::signed(s, bits)),
            s if s.is_float() && !eval::to_f64(s, bits).is_finite() => write!(f, "{bits:#x}"),
            Scalar::F32 => write!(f, "{:?}", f32::from_bits(bits as u32)),
            s if s.is_float() => write!(f, "{:?}", eval::to_f64(s, bits)),
            _ => write!(f, "{bits:#x}"),
        }
    }
}

/// Results, op, operands and flags.
fn head(f: &mut impl fmt::Write, func: &Function, inst: &Inst) -> fmt::Result {
    if !inst.results.is_empty() {
        write!(f, "{} = ", Typed(func, &inst.results))?;
    }
    write!(f, "{}", op_name(&inst.op))?;
    operands(f, func, inst)?;
    for word in set_flags(&FAST_FLAGS, inst.fast) {
        write!(f, " {word}")?;
    }
    Ok(())
}

fn operands(f: &mut impl fmt::Write, func: &Function, inst: &Inst) -> fmt::Result {
    let volatile_word = |volatile: bool| if volatile { " volatile" } else { "" };
    match &inst.op {
        Op::Const(bits) => match inst.results.first() {
            Some(&v) => write!(f, " {}", ConstText(func.ty(v), *bits)),
            None => write!(f, " {bits:#x}"),
        },
        Op::Undef | Op::Unreachable => Ok(()),
        Op::Unary(_, a) | Op::Cast(_, a) | Op::Splat(a) | Op::Any(a) | Op::All(a) => {
            write!(f, " {a}")
        }
        Op::Binary(_, a, b) | Op::Compare(_, a, b) => write!(f, " {a}, {b}"),
        Op::ExtractDyn(a, b) | Op::PtrAdd(a, b) => write!(f, " {a}, {b}"),
        Op::Ternary(_, a, b, c) | Op::Select(a, b, c) | Op::InsertDyn(a, b, c) => {
            write!(f, " {a}, {b}, {c}")
        }
        Op::Construct(vs) => write!(f, " {}", List(vs)),
        Op::Yield(vs) | Op::Break(vs) | Op::Continue(vs) => match vs[..] {
            [] => Ok(()),
            _ => write!(f, " {}", List(vs)),
        },
        Op::Return(v) => match v {
            Some(v) => write!(f, " {v}"),
            None => Ok(()),
        },
        Op::Extract(a, lane) => write!(f, " {a}, {lane}"),
        Op::Insert(a, b, lane) => write!(f, " {a}, {b}, {lane}"),
        Op::Shuffle(a, b, lanes) => {
            let lane = |&l: &u8| {
                if l == 255 {
                    "_".to_string()
                } else {
                    l.to_string()
                }
            };
            let lanes: Vec<String> = lanes.iter().map(lane).collect();
            write!(f, " {a}, {b}, [{}]", List(&lanes))
        }
        Op::Alloca { size, align } => write!(f, " {size} align {align}"),
        Op::GlobalAddr(g) => write!(f, " {g}"),
        Op::Load {
            addr,
            align,
            volatile,
        } => write!(f, " {addr} align {align}{}", volatile_word(*volatile)),
        Op::Store {
            addr,
            value,
            align,
            volatile,
        } => write!(
            f,
            " {addr}, {value} align {align}{}",
            volatile_word(*volatile)
        ),
        Op::Copy {
            to,
            from,
            size,
            align,
        } => write!(f, " {to}, {from} size {size} align {align}"),
        Op::Zero { to, size, align } => write!(f, " {to} size {size} align {align}"),
        Op::Atomic {
            op,
            addr,
            args,
            order,
            scope,
        } => {
            write!(f, " {} {addr}", op.name())?;
            for v in args {
                write!(f, ", {v}")?;
            }
            write!(f, " {} {}", order.name(), scope.name())
        }
        Op::Fence {
            flags,
            order,
            scope,
        } => {
            fences(f, flags)?;
            write!(f, " {} {}", order.name(), scope.name())
        }
        Op::Barrier { flags, scope } => {
            fences(f, flags)?;
            write!(f, " {}", scope.name())
        }
        Op::SubGroup(op, args) => write!(f, " {}({})", op.name(), List(args)),
        Op::SubGroupReduce {
            op,
            how,
            value,
            cluster,
        } => write!(f, " {} {} {value} cluster {cluster}", how.name(), op.name()),
        Op::Clock(scope) => write!(f, " {}", scope.name()),
        Op::WorkItem(what, dim) => {
            write!(f, " {}", what.name())?;
            dim.map_or(Ok(()), |v| write!(f, " {v}"))
        }
        Op::ImageField(image, field) => write!(f, " {image} {}", field.name()),
        Op::Fetch(slot, index) => write!(f, " {slot}, {index}"),
        Op::Input(input) => write!(f, " {}", input.name()),
        Op::Spec(id) => write!(f, " {id}"),
        Op::Arg { offset } => write!(f, " {offset}"),
        Op::Sys(field) => write!(f, " {}", sys_name(*field)),
        Op::KernelNumber(kernel) => write!(f, " {kernel}"),
        Op::If(cond, ..) => write!(f, " {cond}"),
        Op::Switch { selector, .. } => write!(f, " {selector}"),
        Op::Loop { init, body, unroll } => {
            match unroll {
                Unroll::Auto => {}
                Unroll::Hint(n) => write!(f, " unroll {n}")?,
                Unroll::Never => write!(f, " nounroll")?,
            }
            write!(f, " (")?;
            for (i, &p) in body.params.iter().enumerate() {
                let sep = if i == 0 { "" } else { ", " };
                write!(f, "{sep}{p}: {}", func.ty(p))?;
                // A defect that the verifier reports still has to print.
                init.get(i).map_or(Ok(()), |v| write!(f, " = {v}"))?;
            }
            write!(f, ")")
        }
        Op::Call { callee, args, pure } => {
            let word = if *pure { " pure" } else { "" };
            write!(f, "{word} {callee}({})", List(args))
        }
        Op::Printf(format, args) => write!(f, " {format}({})", List(args)),
    }
}

fn fences(f: &mut impl fmt::Write, flags: &super::FenceFlags) -> fmt::Result {
    for word in set_flags(&FENCE_FLAGS, *flags) {
        write!(f, " {word}")?;
    }
    Ok(())
}
