//! The walk through a function whose accesses and divisions are checked, and where its pointers point to.
//!
//! Algorithm: beside each pointer into a known object goes its offset there, an i64, through selects and what regions pass; of a
//! pointer into one of several objects its number and bounds go with it. What is checked is up to `access`, `divide`, `shared` and `pipes`.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::report::{MARKED, Reporter};
use super::roots::{Arguments, Root, is_pointer};
use super::shared::Shared;
use crate::check::{NO_OBJECT, NULL_OFFSET};
use crate::ir::builder::Builder;
use crate::ir::defs::Constants;
use crate::ir::scopes::Scopes;
use crate::ir::{BinOp, CastOp, GlobalId, Inst, Op, Region, Scope, Type, Value};

/// An offset in an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Offset {
    /// i64.
    pub value: Option<Value>,
    pub plus: i64,
}

/// The bounds of an object: bytes from its beginning that can be read and written.
#[derive(Debug, Clone, Copy)]
pub enum Bounds {
    Constant {
        readable: u64,
        writable: u64,
    },
    /// i64 both.
    Values {
        readable: Value,
        writable: Value,
    },
}

/// An object of the function.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// Its number among those of the program.
    pub id: u32,
    pub bounds: Bounds,
    /// Of its beginning, bytes.
    pub align: u32,
    /// Only the library accesses it, and is right.
    pub is_pipe: bool,
}

/// What the function's pointers point into.
pub struct Objects {
    pub roots: Vec<Root>,
    pub arguments: Arguments,
    /// The pointers that integers are.
    pub integers: FxHashMap<Value, Value>,
    pub own: FxHashMap<Value, Known>,
    pub globals: FxHashMap<GlobalId, Known>,
}

/// The walk.
pub struct Instrument<'a, 'f> {
    pub b: Builder<'f>,
    pub reporter: &'a mut Reporter,
    pub objects: &'a Objects,
    /// What is checked of local memory and barriers.
    pub(super) shared: Option<Shared>,
    offsets: FxHashMap<Value, Offset>,
    /// The objects of pointers to one of several.
    several: FxHashMap<Value, Chosen>,
    pub(super) constants: Constants,
}

/// An object that is chosen at run time: its number, i32, and its bounds, i64.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chosen {
    pub id: Value,
    pub readable: Value,
    pub writable: Value,
}

/// Positions of values that pass pointers into known objects, and whether these are one of several.
type Tracked = SmallVec<[(usize, bool); 2]>;

/// What a control instruction passes.
#[derive(Clone, Default)]
struct Frame {
    results: Tracked,
    params: Tracked,
}

impl<'a, 'f> Instrument<'a, 'f> {
    pub fn new(
        b: Builder<'f>,
        reporter: &'a mut Reporter,
        objects: &'a Objects,
        shared: Option<Shared>,
    ) -> Self {
        Instrument {
            b,
            reporter,
            objects,
            shared,
            offsets: FxHashMap::default(),
            several: FxHashMap::default(),
            constants: Constants::default(),
        }
    }

    /// The body, to the builder's open region.
    pub fn body(&mut self, body: Region) {
        let mut frames = Vec::new();
        self.region(body, Scopes::default(), &mut frames);
    }

    /// Notes where an argument points to in its object.
    pub fn starts_at(&mut self, pointer: Value, offset: Value) {
        let offset = Offset {
            value: Some(offset),
            plus: 0,
        };
        self.offsets.insert(pointer, offset);
    }

    fn region(&mut self, region: Region, scopes: Scopes<usize>, frames: &mut Vec<Frame>) {
        self.b.reserve(region.insts.len());
        for inst in region.insts {
            self.b.loc = inst.loc;
            self.b.fast = inst.fast;
            self.reporter.at(inst.loc);
            self.constants.note(&inst);
            match &inst.op {
                Op::If(..) | Op::Switch { .. } | Op::Loop { .. } => {
                    self.control(inst, scopes, frames);
                }
                Op::Yield(_) | Op::Break(_) | Op::Continue(_) => self.pass_on(inst, scopes, frames),
                Op::PtrAdd(base, bytes) if self.is_known(inst.results[0]) => {
                    let (base, bytes, result) = (*base, *bytes, inst.results[0]);
                    self.b.push(inst);
                    let offset = self.offset(base);
                    let moved = self.moved(offset, bytes);
                    self.set(result, base, moved);
                }
                Op::Cast(CastOp::SpaceCast, from) if self.is_known(inst.results[0]) => {
                    let offset = self.offset(*from);
                    self.set(inst.results[0], *from, offset);
                    self.b.push(inst);
                }
                Op::Cast(CastOp::IntToPtr, from) if self.is_known(inst.results[0]) => {
                    if let Some(&pointer) = self.objects.integers.get(from) {
                        let offset = self.offset(pointer);
                        self.set(inst.results[0], pointer, offset);
                    }
                    self.b.push(inst);
                }
                Op::Select(condition, a, b) if self.is_known(inst.results[0]) => {
                    let result = [inst.results[0]];
                    let tracked = self.tracked(&result);
                    let [a, b] = [*a, *b].map(|v| self.given(&[v], &tracked));
                    let condition = *condition;
                    let chosen = a.into_iter().zip(b);
                    let chosen: Vec<Value> = chosen
                        .map(|(a, b)| self.b.select(condition, a, b))
                        .collect();
                    self.bind(&result, &tracked, &chosen);
                    self.b.push(inst);
                }
                Op::Call { callee, args, .. } if *callee == self.reporter.function => {
                    let code = args.first().and_then(|&code| self.constants.get(code));
                    match code.map(|code| code as u32) {
                        Some(code) if code & MARKED != 0 => {
                            let args = args.clone();
                            self.marked(code & !MARKED, &args);
                        }
                        _ => self.b.push(inst),
                    }
                }
                Op::Load { .. }
                | Op::Store { .. }
                | Op::Atomic { .. }
                | Op::Copy { .. }
                | Op::Zero { .. } => self.access(inst),
                Op::Binary(BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem, _, divisor) => {
                    let divisor = *divisor;
                    self.division(inst, divisor);
                }
                Op::Barrier { scope, .. } if *scope != Scope::SubGroup && self.shared.is_some() => {
                    if let Some(shared) = &self.shared {
                        shared.barrier(&mut self.b, self.reporter, inst);
                    }
                }
                _ => self.b.push(inst),
            }
        }
    }

    pub(super) fn root(&self, v: Value) -> Root {
        let roots = &self.objects.roots;
        roots.get(v.index()).copied().unwrap_or(Root::Unknown)
    }

    fn is_known(&self, v: Value) -> bool {
        let known = |root| matches!(root, Root::Object(_) | Root::Global(_) | Root::Several);
        is_pointer(self.b.ty(v)) && known(self.root(v))
    }

    /// A pointer points into the object of another one.
    fn set(&mut self, pointer: Value, from: Value, offset: Offset) {
        self.offsets.insert(pointer, offset);
        if self.root(pointer) == Root::Several {
            let chosen = self.chosen(from);
            self.several.insert(pointer, chosen);
        }
    }

    fn tracked(&self, values: &[Value]) -> Tracked {
        let all = values.iter().enumerate();
        all.filter(|(_, v)| self.is_known(**v))
            .map(|(index, &v)| (index, self.root(v) == Root::Several))
            .collect()
    }

    /// New values beside the tracked ones of `values`.
    fn receive(&mut self, values: &[Value], tracked: &Tracked) -> Vec<Value> {
        let types = tracked.iter().flat_map(|&(_, several)| {
            let object = [Type::I32, Type::I64, Type::I64];
            std::iter::once(Type::I64).chain(object.into_iter().filter(move |_| several))
        });
        let new: Vec<Value> = types.map(|ty| self.b.func.new_value(ty)).collect();
        self.bind(values, tracked, &new);
        new
    }

    /// Notes what belongs to the tracked ones of `values`.
    fn bind(&mut self, values: &[Value], tracked: &Tracked, new: &[Value]) {
        let mut new = new.iter().copied();
        for &(index, several) in tracked {
            let Some(value) = new.next() else { return };
            let offset = Offset {
                value: Some(value),
                plus: 0,
            };
            self.offsets.insert(values[index], offset);
            if several
                && let (Some(id), Some(readable), Some(writable)) =
                    (new.next(), new.next(), new.next())
            {
                let chosen = Chosen {
                    id,
                    readable,
                    writable,
                };
                self.several.insert(values[index], chosen);
            }
        }
    }

    /// What belongs to the tracked ones of `values`.
    fn given(&mut self, values: &[Value], tracked: &Tracked) -> Vec<Value> {
        let mut all = Vec::new();
        for &(index, several) in tracked {
            let v = values[index];
            let offset = self.offset(v);
            all.push(self.whole(offset));
            if several {
                let chosen = self.chosen(v);
                all.extend([chosen.id, chosen.readable, chosen.writable]);
            }
        }
        all
    }

    /// Appends what belongs to the tracked ones.
    fn give(&mut self, values: &mut Vec<Value>, tracked: &Tracked) {
        let more = self.given(values, tracked);
        values.extend(more);
    }

    /// The object of a pointer as values; null is in one without bytes.
    pub(super) fn chosen(&mut self, v: Value) -> Chosen {
        if let Some(&chosen) = self.several.get(&v) {
            return chosen;
        }
        let known = self.known(v);
        let (id, bounds) = match known {
            Some(known) => (known.id, known.bounds),
            None => {
                let none = Bounds::Constant {
                    readable: 0,
                    writable: 0,
                };
                (NO_OBJECT, none)
            }
        };
        let id = self.b.const_int(Type::I32, id.into());
        let [readable, writable] = self.limits(bounds);
        Chosen {
            id,
            readable,
            writable,
        }
    }

    /// Bounds as values.
    fn limits(&mut self, bounds: Bounds) -> [Value; 2] {
        match bounds {
            Bounds::Values { readable, writable } => [readable, writable],
            Bounds::Constant { readable, writable } => {
                [readable, writable].map(|n| self.b.const_int(Type::I64, n as i64))
            }
        }
    }

    fn control(&mut self, mut inst: Inst, scopes: Scopes<usize>, frames: &mut Vec<Frame>) {
        let mut frame = Frame {
            results: self.tracked(&inst.results),
            params: Tracked::new(),
        };
        if let Op::Loop { init, body, .. } = &mut inst.op {
            frame.params = self.tracked(&body.params);
            self.give(init, &frame.params);
            let params = body.params.clone();
            body.params.extend(self.receive(&params, &frame.params));
        }
        let scopes = scopes.inside(&inst.op, frames.len());
        let results = frame.results.clone();
        frames.push(frame);
        for nested in inst.op.regions_mut() {
            let old = std::mem::take(nested);
            self.b.push_region(old.params.clone());
            self.region(*old, scopes, frames);
            *nested = self.b.pop_region();
        }
        frames.pop();
        let known = inst.results.clone();
        inst.results.extend(self.receive(&known, &results));
        self.b.push(inst);
    }

    fn pass_on(&mut self, mut inst: Inst, scopes: Scopes<usize>, frames: &[Frame]) {
        let frame = scopes.target(&inst.op).and_then(|index| frames.get(index));
        if let Some(frame) = frame {
            match &mut inst.op {
                Op::Continue(values) => self.give(values, &frame.params),
                Op::Yield(values) | Op::Break(values) => self.give(values, &frame.results),
                _ => {}
            }
        }
        self.b.push(inst);
    }

    /// Where a pointer into a known object points to; null is far outside.
    pub(super) fn offset(&self, v: Value) -> Offset {
        let start = match self.root(v) {
            Root::Object(_) | Root::Global(_) => 0,
            Root::Null | Root::Several | Root::Unknown => NULL_OFFSET,
        };
        let known = self.offsets.get(&v).copied();
        known.unwrap_or(Offset {
            value: None,
            plus: start,
        })
    }

    fn moved(&mut self, offset: Offset, bytes: Value) -> Offset {
        let ty = self.b.ty(bytes);
        if let Some(bits) = self.constants.get(bytes) {
            let signed = match ty == Type::I64 {
                true => bits as i64,
                false => i64::from(bits as i32),
            };
            return Offset {
                value: offset.value,
                plus: offset.plus.wrapping_add(signed),
            };
        }
        let wide = self.b.int_resize(bytes, Type::I64.scalar, true);
        let value = match offset.value {
            Some(value) => self.b.binary(BinOp::Add, value, wide),
            None => wide,
        };
        Offset {
            value: Some(value),
            plus: offset.plus,
        }
    }

    pub(super) fn whole(&mut self, offset: Offset) -> Value {
        match offset.value {
            Some(value) => self.b.add_const(value, offset.plus),
            None => self.b.const_int(Type::I64, offset.plus),
        }
    }

    pub(super) fn known(&self, pointer: Value) -> Option<Known> {
        match self.root(pointer) {
            Root::Object(v) => self.objects.own.get(&v).copied(),
            Root::Global(id) => self.objects.globals.get(&id).copied(),
            Root::Null | Root::Several | Root::Unknown => None,
        }
    }
}
