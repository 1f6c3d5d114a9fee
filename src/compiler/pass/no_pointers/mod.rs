//! Pointers become integers (docs/pointers.md).
//!
//! Algorithm: `roots` finds for each private and local pointer the objects it may point to.
//! An object that every access knows gets a variable of its own, typed after its accesses
//! (`layout`); all others, whose pointers are merged, stored or passed on, lie in one frame a
//! space, in which an i32 offset is a whole pointer, also between functions. Global and constant pointers are i64
//! device addresses. `access` writes the loads and stores, `linear` their indices.
//! Needs: no generic pointer, no vector of more than 4 lanes. Establishes: NoPointers.

mod access;
mod layout;
mod linear;
mod memops;
mod rewrite;
mod roots;

use std::collections::HashSet;

use super::{Ctx, each_function, inline, side_by_side};
use crate::compiler::diag::Sink;
use crate::compiler::features::MAX_PRIVATE_SIZE;
use crate::compiler::ir::data::ModuleData;
use crate::compiler::ir::util::walk;
use crate::compiler::ir::{
    Bytes, FuncId, Function, Global, GlobalId, Len, Module, Object, ObjectId, Op, Space, Type,
    Value,
};
use crate::compiler::kernel::{ArgKind, LocalFrame, SPEC_LOCAL_FRAME};
use crate::compiler::quick::QuickMap;
use layout::Cells;
use roots::{Reach, Root, Roots};

pub fn run(module: &mut Module, _ctx: &Ctx, sink: &mut Sink) {
    let spaces: Vec<Space> = module.globals.iter().map(|g| g.space).collect();
    each_function(module, |func, _| memops::expand(func));
    let size = module.funcs.iter().map(|f| f.values.len()).sum();
    let funcs = module.funcs.iter().enumerate().collect();
    let mut roots = side_by_side(size, funcs, |(i, f)| roots::find(i, f, &spaces));
    share_escaped_locals(&mut roots);

    let mut frames = Frames::default();
    for index in callers_first(&module.funcs) {
        frames.place(
            &roots[index],
            &module.globals,
            inline::callees(&module.funcs[index]),
        );
    }
    let mut cells = layout::Accesses::of(&module.funcs);
    for (index, func) in module.funcs.iter().enumerate() {
        cells.collect(index, func, &roots[index]);
    }
    if cells.mixes_atomics() {
        sink.general_error(
            "local memory that is accessed by both 32-bit and 64-bit atomics is not supported",
        );
        return;
    }
    if frames.private_size.max(frames.local_size) > MAX_PRIVATE_SIZE {
        let text =
            format!("objects in private or local memory take more than {MAX_PRIVATE_SIZE} bytes");
        sink.general_error(text);
        return;
    }
    let local_frame = frames.local_frame(&cells);
    let zeroed = cells.has_parts_in_frame();
    let frame_globals = frames.declare(&mut module.globals, local_frame, zeroed);
    let data = ModuleData::of(module);
    let globals = &module.globals;
    let funcs = module.funcs.iter_mut().enumerate().collect();
    let placeless = side_by_side(size, funcs, |(index, func)| {
        let objects = objects(index, &roots[index], globals, &cells, &frame_globals);
        let placeless = rewrite::run(func, &roots[index], &frames, index, objects, &data);
        describe_locals(func, local_frame);
        // Pointer types are gone from every value, also from those no longer used.
        for ty in &mut func.values {
            *ty = lowered(*ty);
        }
        func.ret = func.ret.map(lowered);
        placeless
    });
    for global in placeless.into_iter().flatten() {
        let name = &module.globals[global.index()].name;
        sink.internal(format!("variable '{name}' has no place in memory"));
    }
}

/// The length of a local argument counts the elements of its object from here on, or it is a
/// part of the frame.
fn describe_locals(func: &mut Function, local_frame: Option<LocalFrame>) {
    let mut offsets = HashSet::new();
    if let Some(body) = &func.body {
        walk(body, &mut |inst| {
            if let Op::Spec(id) = inst.op {
                offsets.insert(id);
            }
        });
    }
    let Some(info) = func.kernel.as_mut().and_then(|k| k.info.as_mut()) else {
        return;
    };
    info.local_frame = local_frame;
    for arg in &mut info.args {
        let ArgKind::Local { spec_id, elem_size } = &mut arg.kind else {
            continue;
        };
        let object = func.objects.iter().find(|o| o.len == Len::Spec(*spec_id));
        if let Some(object) = object {
            *elem_size = object.elem.size();
        } else if offsets.contains(spec_id) {
            arg.kind = ArgKind::LocalInFrame {
                spec_id: *spec_id,
                // The size of an element says what its alignment may be.
                align: (1 << elem_size.trailing_zeros().min(7)).max(16),
            };
        }
    }
}

/// The integer that a pointer becomes; other types stay.
fn lowered(ty: Type) -> Type {
    match crate::compiler::ir::space_of(ty) {
        Some(Space::Private | Space::Local) => Type::I32,
        Some(_) => Type::I64,
        None => ty,
    }
}

/// A __local variable whose address escapes in one function is in the frame for all.
fn share_escaped_locals(roots: &mut [Roots]) {
    let escaped: Vec<Root> = roots
        .iter()
        .flat_map(|r| r.escaped.iter().copied())
        .filter(|r| matches!(r, Root::Global(_)))
        .collect();
    for r in roots {
        r.escaped.extend(escaped.iter().copied());
    }
}

/// The numbers of all functions, each behind those that call it. There is no recursion.
fn callers_first(funcs: &[Function]) -> Vec<usize> {
    let mut waiting = vec![0; funcs.len()];
    let callees: Vec<Vec<FuncId>> = funcs.iter().map(inline::callees).collect();
    for callee in callees.iter().flatten() {
        waiting[callee.index()] += 1;
    }
    let mut order: Vec<usize> = (0..funcs.len()).filter(|&i| waiting[i] == 0).collect();
    let mut next = 0;
    while let Some(&index) = order.get(next) {
        next += 1;
        for callee in &callees[index] {
            waiting[callee.index()] -= 1;
            if waiting[callee.index()] == 0 {
                order.push(callee.index());
            }
        }
    }
    order
}

/// Where escaped objects lie in the frame of their space. Private ones of a function lie behind those of all that may
/// call it.
#[derive(Default)]
struct Frames {
    private: QuickMap<(usize, Value), u32>,
    local: QuickMap<GlobalId, u32>,
    /// Local arguments, behind all that has a constant place: a specialization constant.
    local_args: QuickMap<GlobalId, u32>,
    /// By function: the bytes of those that may call it.
    callers: QuickMap<usize, u32>,
    /// Bytes so far. The first 16 stay unused: offset 0 is the null pointer.
    private_size: u32,
    local_size: u32,
    private_used: bool,
    local_used: bool,
}

const FIRST_OFFSET: u32 = 16;

/// The next multiple, or what is too much for every device.
fn aligned(offset: u32, align: u32) -> u32 {
    let next = offset.checked_next_multiple_of(align.max(1));
    next.unwrap_or(u32::MAX)
}

impl Frames {
    /// The objects of a function behind its callers'.
    fn place(&mut self, roots: &Roots, globals: &[Global], callees: Vec<FuncId>) {
        let start = self.callers.get(&roots.func).copied();
        let mut private_end = start.unwrap_or(FIRST_OFFSET);
        self.private_used |= roots.reaches_frame(Space::Private);
        self.local_used |= roots.reaches_frame(Space::Local);
        let mut escaped: Vec<Root> = roots.escaped.iter().copied().collect();
        escaped.sort();
        for root in escaped {
            match root {
                Root::Alloca(v) => {
                    let (size, align) = roots.allocas[&v];
                    let offset = aligned(private_end, align);
                    private_end = offset.saturating_add(size);
                    self.private.insert((roots.func, v), offset);
                }
                Root::Global(g) if !self.local.contains_key(&g) => {
                    let global = &globals[g.index()];
                    if let Some(spec_id) = global.spec_len {
                        self.local_args.insert(g, spec_id);
                        continue;
                    }
                    let offset = aligned(self.local_size.max(FIRST_OFFSET), global.align);
                    self.local_size = offset.saturating_add(global.size);
                    self.local.insert(g, offset);
                }
                Root::Global(_) => {}
            }
        }
        self.private_size = self.private_size.max(private_end);
        for callee in callees {
            let start = self.callers.entry(callee.index()).or_default();
            *start = private_end.max(*start);
        }
    }

    /// The local frame, if its length depends on arguments.
    fn local_frame(&self, cells: &layout::Accesses) -> Option<LocalFrame> {
        (!self.local_args.is_empty()).then(|| LocalFrame {
            size: self.local_size.max(FIRST_OFFSET),
            elem_size: cells.cell(usize::MAX, Reach::Frame(Space::Local)).size(),
        })
    }

    /// Adds the frames to the module's globals: (private, local), where used; `zeroed`: the private one.
    fn declare(
        &self,
        globals: &mut Vec<Global>,
        local_frame: Option<LocalFrame>,
        zeroed: bool,
    ) -> [Option<GlobalId>; 2] {
        let mut declare = |used: bool, size: u32, space: Space, name: &str| {
            let frame = local_frame.filter(|_| space == Space::Local);
            let fixed = size.max(FIRST_OFFSET + 16).next_multiple_of(16);
            used.then(|| {
                globals.push(Global {
                    name: name.to_string(),
                    space,
                    size: frame.map_or(fixed, |frame| frame.elem_size),
                    spec_len: frame.map(|_| SPEC_LOCAL_FRAME),
                    align: 16,
                    init: (space == Space::Private && zeroed).then(Bytes::default),
                    relocs: Vec::new(),
                    external: false,
                    defined: true,
                });
                GlobalId(globals.len() as u32 - 1)
            })
        };
        [
            declare(
                self.private_used,
                self.private_size,
                Space::Private,
                "frame.private",
            ),
            declare(
                self.local_used,
                self.local_size,
                Space::Local,
                "frame.local",
            ),
        ]
    }
}

/// The objects of one function, and which one each root is.
struct Objects {
    list: Vec<Object>,
    of: QuickMap<Reach, ObjectId>,
}

fn objects(
    index: usize,
    roots: &Roots,
    globals: &[Global],
    cells: &layout::Accesses,
    frames: &[Option<GlobalId>; 2],
) -> Objects {
    let mut objects = Objects {
        list: Vec::new(),
        of: QuickMap::default(),
    };
    let mut add = |reach: Reach, object: Object| {
        objects
            .of
            .insert(reach, ObjectId(objects.list.len() as u32));
        objects.list.push(object);
    };
    let fixed = |cell: Type, size: u32| Len::Const(size.div_ceil(cell.size()).max(1));
    let length = |global: &Global, cell: Type| match global.spec_len {
        Some(id) => Len::Spec(id),
        None => fixed(cell, global.size),
    };
    for &reach in &roots.accessed {
        let cell = cells.cell(index, reach);
        let (name, space, len, global) = match reach {
            Reach::One(Root::Alloca(v)) => (
                v.to_string(),
                Space::Private,
                fixed(cell, roots.allocas[&v].0),
                None,
            ),
            Reach::One(Root::Global(g)) => {
                let global = &globals[g.index()];
                let len = length(global, cell);
                (global.name.clone(), Space::Local, len, Some(g))
            }
            Reach::Frame(space) => {
                let Some(g) = frames[(space == Space::Local) as usize] else {
                    continue;
                };
                let global = &globals[g.index()];
                (global.name.clone(), space, length(global, cell), Some(g))
            }
        };
        add(
            reach,
            Object {
                name,
                space,
                elem: cell,
                len,
                global,
            },
        );
    }
    objects
}

type CellMap = QuickMap<(usize, Reach), Cells>;
