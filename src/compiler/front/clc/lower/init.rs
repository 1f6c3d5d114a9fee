//! Initialisers of locals.

use super::function::{FunctionLowering, Slot};
use super::place::common_align;
use crate::front::clc::sema::tree::{Init, InitStore, LocalId, Repeat};
use crate::ir::{BinOp, Bytes, CmpOp, Op, Space, Type, Unroll, Value};

/// A store to more places than this is a loop.
const MAX_PLACES: u64 = 64;
/// The non-zero parts of larger constants that are mostly zeros are copied one by one. In bytes.
const MAX_DENSE: u32 = 4096;
/// With fewer zeros than this between two parts, both are copied together.
const GAP: u64 = 64;

impl<'u> FunctionLowering<'_, 'u, '_> {
    /// Initialises a local each time its declaration is reached.
    pub fn local_init(&mut self, id: LocalId, init: &'u Init) {
        let local = &self.func.locals[id.0 as usize];
        let ptr = match (self.slot(id), init) {
            (Slot::Memory(ptr), _) => ptr,
            (Slot::Handle(_), Init::Value(e)) => {
                let value = self.expr(e);
                self.slots[id.0 as usize] = Slot::Handle(Some(value));
                return;
            }
            (Slot::Handle(_), _) => return self.defect("initialiser list for a handle"),
        };
        let align = local.align.max(1) as u32;
        let size = self.types().size(local.ty) as u32;
        match init {
            Init::Value(e) if self.is_aggregate(local.ty) => self.copy_aggregate(ptr, align, e),
            Init::Value(e) => {
                let value = self.expr(e);
                self.store_value(ptr, value, align, local.is_volatile);
            }
            Init::Aggregate { zero, stores } => {
                if *zero {
                    self.b.zero(ptr, size, align);
                }
                for store in stores {
                    self.init_store(ptr, store, align, local.is_volatile);
                }
            }
            Init::Bytes(init) => self.init_bytes(ptr, size, align, &local.name, &init.bytes),
        }
    }

    /// A store of an initialiser of the object at `ptr`.
    fn init_store(&mut self, ptr: Value, store: &'u InitStore, align: u32, volatile: bool) {
        let e = &store.value;
        let steps = store.repeats.iter().map(|repeat| repeat.step);
        let align = steps
            .chain([store.offset])
            .fold(align, |align, step| common_align(align, step as u32));
        let at = self.b.ptradd_const(ptr, store.offset as i64);
        if !self.is_aggregate(e.ty) {
            let value = self.expr(e);
            self.each_place(at, &store.repeats, &mut |f, at| {
                f.store_value(at, value, align, volatile);
            });
        } else if store.repeats.is_empty() {
            self.copy_aggregate(at, align, e);
        } else {
            let temp = self.aggregate_copy(e);
            let size = self.types().size(e.ty) as u32;
            let align = align.min(self.types().align(e.ty) as u32);
            self.each_place(at, &store.repeats, &mut |f, at| {
                f.b.copy(at, temp, size, align)
            });
        }
    }

    /// Calls `f` with a pointer to each place.
    fn each_place(&mut self, at: Value, repeats: &[Repeat], f: &mut impl FnMut(&mut Self, Value)) {
        let Some((outermost, inner)) = repeats.split_last() else {
            return f(self, at);
        };
        let counts = repeats.iter().map(|repeat| repeat.count);
        if counts.fold(1, u64::saturating_mul) <= MAX_PLACES {
            for i in 0..outermost.count {
                let at = self.b.ptradd_const(at, (i * outermost.step) as i64);
                self.each_place(at, inner, f);
            }
            return;
        }
        let first = self.b.const_int(Type::I32, 0);
        let offset = self.b.func.new_value(Type::I32);
        self.b.push_region(vec![offset]);
        let end = (outermost.count * outermost.step) as i64;
        let end = self.b.const_int(Type::I32, end);
        let more = self.b.compare(CmpOp::Ult, offset, end);
        let stay = self.branch(|_| vec![]);
        let leave = self.branch(|f| {
            f.b.break_(vec![]);
            vec![]
        });
        self.b.insert0(Op::If(more, stay, leave));
        let here = self.b.ptradd(at, offset);
        self.each_place(here, inner, f);
        let step = self.b.const_int(Type::I32, outermost.step as i64);
        let next = self.b.binary(BinOp::Add, offset, step);
        self.b.continue_(vec![next]);
        let body = self.b.pop_region();
        self.b.insert0(Op::Loop {
            init: vec![first],
            body,
            unroll: Unroll::Auto,
        });
    }

    /// Copies constants from a table; only those that are not zero, where these are few.
    fn init_bytes(&mut self, ptr: Value, size: u32, align: u32, name: &str, bytes: &Bytes) {
        let runs = bytes.runs(GAP);
        let written: usize = runs.iter().map(|(_, run)| run.len()).sum();
        if size <= MAX_DENSE || written > size as usize / 2 {
            return self.copy_table(ptr, size, align, name, bytes.clone());
        }
        self.b.zero(ptr, size, align);
        for (offset, run) in runs {
            // Copies whole words, as large as the object's alignment allows.
            let start = offset - offset % u64::from(align.clamp(4, 16));
            let end = (offset + run.len() as u64).next_multiple_of(4);
            let end = end.min(size.into());
            let mut table = Bytes::default();
            table.write(offset - start, &run);
            let at = self.b.ptradd_const(ptr, start as i64);
            let align = common_align(align, start as u32);
            self.copy_table(at, (end - start) as u32, align, name, table);
        }
    }

    fn copy_table(&mut self, to: Value, size: u32, align: u32, name: &str, bytes: Bytes) {
        let table = self.unit.constant_table(name, bytes, size, align);
        let from = self.b.global_addr(table, Space::Constant);
        self.b.copy(to, from, size, align);
    }
}
