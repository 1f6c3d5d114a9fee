//! Pointers become integers (docs/pointers.md).
//!
//! Algorithm: `roots` finds for each private and local pointer the objects it may point to.
//! An object that every access knows gets a variable of its own, typed after its accesses
//! (`layout`); all others, whose pointers are merged, stored or passed on, lie in one frame a
//! space, in which an i32 offset is a whole pointer, also between functions. Global and constant pointers are i64
//! device addresses. `access` writes the loads and stores, `linear` their indices.
//! Needs: no generic pointer, no vector of more than 4 lanes. Establishes: NoPointers.

mod access;
mod frames;
mod layout;
mod linear;
mod memops;
mod rewrite;
mod roots;
mod scratch;

use std::collections::HashSet;

use crate::diag::Sink;
use crate::features::MAX_PRIVATE_SIZE;
use crate::ir::data::ModuleData;
use crate::ir::util::walk;
use crate::ir::{
    Function, Global, GlobalId, Len, Module, Object, ObjectId, Op, Scalar, Space, Type, Value,
};
use crate::kernel::{ArgKind, LocalFrame, SPEC_LOCAL_VIEWS};
use crate::pass::{Ctx, each_function, side_by_side};
use frames::Frames;
use layout::{Access, Accesses, Views};
use roots::{Reach, Root, Roots};
use rustc_hash::FxHashMap;
use scratch::Scratch;
pub use scratch::{add_bases, group_number};

pub fn run(module: &mut Module, ctx: &Ctx, sink: &mut Sink) {
    let spaces: Vec<Space> = module.globals.iter().map(|g| g.space).collect();
    each_function(module, |func, _| memops::expand(func));
    let size = module.funcs.iter().map(|f| f.values.len()).sum();
    let funcs = module.funcs.iter().enumerate().collect();
    let mut roots = side_by_side(size, funcs, |(i, f)| roots::find(i, f, &spaces));
    share_escaped_locals(&mut roots);
    let mut accesses = Accesses::of(&module.funcs, &roots, None, ctx.target);
    if accesses.mixes_atomics()
        && let Some(views) = Views::of(ctx.target)
    {
        roots.iter_mut().for_each(|r| r.frames_local = true);
        accesses = Accesses::of(&module.funcs, &roots, Some(views), ctx.target);
    }
    for (func, roots) in module.funcs.iter().zip(&mut roots) {
        roots::note_accesses(func, roots);
    }

    let frames = Frames::place(module, &roots, &accesses);
    if frames.largest() > MAX_PRIVATE_SIZE {
        let text =
            format!("objects in private or local memory take more than {MAX_PRIVATE_SIZE} bytes");
        sink.general_error(text);
        return;
    }
    let scratch = Scratch::place(module, &roots, &frames, ctx.target, sink);
    if sink.has_errors() {
        return;
    }
    let own = !scratch.contains(0, Reach::Frame(Space::Private));
    let frame_globals = frames.declare(&mut module.globals, &accesses, own);
    let data = ModuleData::of(module);
    let globals = &module.globals;
    let funcs = module.funcs.iter_mut().enumerate().collect();
    let placeless = side_by_side(size, funcs, |(index, func)| {
        let roots = &roots[index];
        let placed = scratch.enter(func, index, roots, &accesses, ctx.target);
        let objects = Objects::of(index, roots, globals, &accesses, &frame_globals, &placed);
        let placeless = rewrite::run(
            func, roots, &frames, index, objects, placed, &data, ctx.target,
        );
        describe_locals(func, frames.local_frame(index));
        if let Some(layout) = func.kernel.as_mut().and_then(|k| k.layout.as_mut()) {
            layout.scratch_size = scratch.size(index);
        }
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
    let Some(layout) = func.kernel.as_mut().and_then(|k| k.layout.as_mut()) else {
        return;
    };
    layout.local_frame = local_frame;
    for arg in &mut layout.args {
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
    match crate::ir::space_of(ty) {
        Some(Space::Private | Space::Local) => Type::I32,
        Some(_) => Type::I64,
        // As it lies in memory: functions that stay calls pass it to each other.
        None if ty.scalar == Scalar::Event => layout::stored(ty),
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

/// The objects of one function, and which one each root is.
struct Objects {
    list: Vec<Object>,
    of: FxHashMap<Reach, ObjectId>,
    /// Private variables that must be zeros at first, with their words.
    zeroed: FxHashMap<Value, (ObjectId, u32)>,
    /// The local frame as each of the types as which it is seen.
    views: FxHashMap<Type, ObjectId>,
    seen_as: Option<Views>,
}

impl Objects {
    fn of(
        index: usize,
        roots: &Roots,
        globals: &[Global],
        accesses: &Accesses,
        frames: &[Option<GlobalId>; 2],
        scratch: &FxHashMap<Reach, scratch::Cells>,
    ) -> Objects {
        let mut objects = Objects {
            list: Vec::new(),
            of: FxHashMap::default(),
            zeroed: FxHashMap::default(),
            views: FxHashMap::default(),
            seen_as: accesses.views(),
        };
        let own = |reach: &&Reach| !scratch.contains_key(reach);
        for &reach in roots.accessed.iter().filter(own) {
            let frame = match reach {
                Reach::Frame(space) => match frames[(space == Space::Local) as usize] {
                    Some(global) => Some(global),
                    None => continue,
                },
                Reach::One(_) => None,
            };
            if let (Reach::Frame(Space::Local), Some(global), Some(_)) =
                (reach, frame, objects.seen_as)
            {
                let name = &globals[global.index()].name;
                for view in accesses.views_in(index) {
                    let len = SPEC_LOCAL_VIEWS[view.size().trailing_zeros() as usize];
                    let id = objects.add(name, Space::Local, view, Len::Spec(len), Some(global));
                    objects.views.insert(view, id);
                }
                continue;
            }
            let cell = accesses.cell(index, reach);
            let fixed = |size: u32| Len::Const(size.div_ceil(cell.size()).max(1));
            let id = match (reach, frame) {
                (Reach::One(Root::Alloca(v)), _) => {
                    let size = roots.allocas[&v].0;
                    let name = v.to_string();
                    let id = objects.add(&name, Space::Private, cell, fixed(size), None);
                    if accesses.prefers_words(index, reach) {
                        objects.zeroed.insert(v, (id, size.div_ceil(cell.size())));
                    }
                    id
                }
                (Reach::One(Root::Global(g)), _) | (Reach::Frame(_), Some(g)) => {
                    let global = &globals[g.index()];
                    let len = global.spec_len.map_or(fixed(global.size), Len::Spec);
                    objects.add(&global.name, global.space, cell, len, Some(g))
                }
                (Reach::Frame(_), None) => continue,
            };
            objects.of.insert(reach, id);
        }
        objects
    }

    fn add(
        &mut self,
        name: &str,
        space: Space,
        elem: Type,
        len: Len,
        global: Option<GlobalId>,
    ) -> ObjectId {
        self.list.push(Object {
            name: name.to_string(),
            space,
            elem,
            len,
            global,
        });
        ObjectId(self.list.len() as u32 - 1)
    }

    /// The memory that an access goes to.
    fn find(&self, reach: Reach, access: &Access) -> Option<ObjectId> {
        match (reach, self.seen_as) {
            (Reach::Frame(Space::Local), Some(views)) => self.views.get(&views.cell(access)),
            _ => self.of.get(&reach),
        }
        .copied()
    }
}
