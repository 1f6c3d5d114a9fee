//! Where the objects lie whose pointers are merged, stored or passed on: one frame a space, in which an offset is a
//! whole pointer.
//!
//! Private objects of a function lie behind those of all that may call it. Local memory that is seen as several types
//! lies in its frame as a whole, that of a kernel beside that of others, of which only one runs.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::Accesses;
use super::roots::{Reach, Root, Roots};
use crate::ir::util::reachable;
use crate::ir::{Bytes, FuncId, Function, Global, GlobalId, Module, Space, Value};
use crate::kernel::{LocalFrame, SCRATCH_ALIGN, SPEC_LOCAL_FRAME, SPEC_LOCAL_VIEWS};
use crate::pass::shape::inline;
use rustc_hash::FxHashMap;

/// The numbers of all functions, each behind those that call it. There is no recursion.
pub fn callers_first(funcs: &[Function]) -> Vec<usize> {
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

/// Offsets in the frames.
#[derive(Default)]
pub struct Frames {
    pub private: FxHashMap<(usize, Value), u32>,
    pub local: FxHashMap<GlobalId, u32>,
    /// Local arguments, behind all that has a constant place: a specialization constant.
    pub local_args: FxHashMap<GlobalId, u32>,
    /// Of kernels by number, if local memory is seen as several types: the bytes of constant size.
    seen: FxHashMap<usize, u32>,
    /// Bytes so far. The first 16 stay unused: offset 0 is the null pointer.
    private_size: u32,
    local_size: u32,
    private_used: bool,
    local_used: bool,
    /// The local frame, if its length depends on arguments.
    local_frame: Option<LocalFrame>,
}

const FIRST_OFFSET: u32 = 16;
/// Bytes of the widest atomic.
const WIDEST: u32 = 8;

/// Offset and end of what lies behind `start`; the largest where there is no room: what is so large is refused.
fn behind(start: u32, align: u32, size: u32) -> (u32, u32) {
    let offset = start
        .checked_next_multiple_of(align.max(1))
        .unwrap_or(u32::MAX);
    (offset, offset.saturating_add(size))
}

impl Frames {
    pub fn place(module: &Module, roots: &[Roots], accesses: &Accesses) -> Frames {
        let mut frames = Frames::default();
        // By function: the bytes of those that may call it.
        let mut callers = FxHashMap::default();
        for index in callers_first(&module.funcs) {
            let end = frames.place_function(&roots[index], &module.globals, &callers);
            for callee in inline::callees(&module.funcs[index]) {
                let start: &mut u32 = callers.entry(callee.index()).or_default();
                *start = end.max(*start);
            }
        }
        frames.local_frame = match accesses.views() {
            Some(_) => {
                frames.place_local(module, roots);
                Some(LocalFrame {
                    size: 0,
                    elem_size: WIDEST,
                    views: true,
                })
            }
            None if frames.local_args.is_empty() => None,
            None => Some(LocalFrame {
                size: frames.local_size.max(FIRST_OFFSET),
                elem_size: accesses.cell(usize::MAX, Reach::Frame(Space::Local)).size(),
                views: false,
            }),
        };
        frames
    }

    /// That of a kernel, if its length depends on arguments.
    pub fn local_frame(&self, kernel: usize) -> Option<LocalFrame> {
        self.local_frame.map(|frame| match frame.views {
            true => LocalFrame {
                size: self.seen.get(&kernel).copied().unwrap_or(0),
                ..frame
            },
            false => frame,
        })
    }

    /// Bytes of the private frame.
    pub fn private_size(&self) -> u32 {
        let size = self.private_size.max(FIRST_OFFSET + 16);
        size.checked_next_multiple_of(SCRATCH_ALIGN)
            .unwrap_or(u32::MAX)
    }

    /// The larger of the frames, in bytes.
    pub fn largest(&self) -> u32 {
        self.private_size.max(self.local_size)
    }

    /// Adds the frames to the module's globals: (private, local), where used. `own`: a private frame that is no scratch.
    pub fn declare(
        &self,
        globals: &mut Vec<Global>,
        accesses: &Accesses,
        own: bool,
    ) -> [Option<GlobalId>; 2] {
        let mut declare = |global: Global| {
            globals.push(global);
            GlobalId(globals.len() as u32 - 1)
        };
        let frame = |name: &str, space: Space, size: u32| Global {
            name: name.to_string(),
            space,
            size: behind(size.max(FIRST_OFFSET + 16), 16, 0).0,
            spec_len: None,
            align: 16,
            init: None,
            relocs: Vec::new(),
            external: false,
            once: false,
            defined: true,
        };
        let own = self.private_used && own;
        let mut private = frame("frame.private", Space::Private, self.private_size);
        if own && accesses.has_parts_in_frame() {
            private.init = Some(Bytes::default());
        }
        let mut local = frame("frame.local", Space::Local, self.local_size);
        if let Some(frame) = self.local_frame {
            (local.spec_len, local.size) = match frame.views {
                true => (Some(SPEC_LOCAL_VIEWS[0]), 1),
                false => (Some(SPEC_LOCAL_FRAME), frame.elem_size),
            };
        }
        [
            own.then(|| declare(private)),
            self.local_used.then(|| declare(local)),
        ]
    }

    /// The objects of a function, behind its callers'. Where its private ones end.
    fn place_function(
        &mut self,
        roots: &Roots,
        globals: &[Global],
        callers: &FxHashMap<usize, u32>,
    ) -> u32 {
        let start = callers.get(&roots.func).copied();
        let mut private_end = start.unwrap_or(FIRST_OFFSET);
        self.private_used |= roots.reaches_frame(Space::Private);
        self.local_used |= roots.reaches_frame(Space::Local);
        let escaped: BTreeSet<Root> = roots.escaped.iter().copied().collect();
        for root in escaped {
            match root {
                Root::Alloca(v) => {
                    let (size, align) = roots.allocas[&v];
                    let (offset, end) = behind(private_end, align, size);
                    private_end = end;
                    self.private.insert((roots.func, v), offset);
                }
                Root::Global(g) if !self.local.contains_key(&g) => {
                    let global = &globals[g.index()];
                    if let Some(spec_id) = global.spec_len {
                        self.local_args.insert(g, spec_id);
                        continue;
                    }
                    let start = self.local_size.max(FIRST_OFFSET);
                    let (offset, end) = behind(start, global.align, global.size);
                    self.local_size = end;
                    self.local.insert(g, offset);
                }
                Root::Global(_) => {}
            }
        }
        self.private_size = self.private_size.max(private_end);
        private_end
    }

    /// All of local memory: each variable behind those that some kernel has beside it.
    fn place_local(&mut self, module: &Module, roots: &[Roots]) {
        let kernels = (0..module.funcs.len()).filter(|&i| module.funcs[i].kernel.is_some());
        let mut users: BTreeMap<GlobalId, Vec<usize>> = BTreeMap::new();
        for kernel in kernels {
            let funcs = reachable(module, FuncId(kernel as u32));
            let framed = funcs.iter().flat_map(|f| roots[f.index()].framed());
            for root in framed.collect::<BTreeSet<_>>() {
                if let Root::Global(g) = root {
                    users.entry(g).or_default().push(kernel);
                }
            }
        }
        // No pointer is null that every access knows.
        let escaped = roots.iter().flat_map(|r| r.escaped.iter());
        let merges = escaped.filter(|r| matches!(r, Root::Global(_))).count() > 0;
        let first = if merges { FIRST_OFFSET } else { 0 };
        for (g, kernels) in users {
            let global = &module.globals[g.index()];
            if let Some(spec_id) = global.spec_len {
                self.local_args.insert(g, spec_id);
                continue;
            }
            let ends = kernels.iter().filter_map(|k| self.seen.get(k).copied());
            let start = ends.max().unwrap_or(first);
            let (offset, end) = behind(start, global.align, global.size);
            self.local.insert(g, offset);
            for kernel in kernels {
                self.seen.insert(kernel, end);
            }
        }
    }
}
