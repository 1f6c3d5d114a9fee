//! One work-item: a stack of frames, each a stack of regions in execution.

use std::collections::HashMap;

use super::super::print::inst_text;
use super::super::{
    Addr, AtomicOp, Bits, CastOp, FenceFlags, FuncId, Function, GlobalId, Inst, Op, Region, Scalar,
    Scope, Space, Type, Value, eval,
};
use super::lanes::{access_size, from_bytes, to_bytes, undefined};
use super::memory::{Access, Arena};
use super::{ArgValue, RunError, World};
use crate::printf::Record;

#[derive(Clone, Copy)]
pub enum Status<'m> {
    Ready,
    /// It waits at this barrier, which orders this memory.
    AtBarrier(&'m Inst, FenceFlags),
    /// It waits at this instruction, which its sub-group executes together.
    AtSubGroup(&'m Inst),
    Ended,
}

impl PartialEq for Status<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// The deepest chain of calls. OpenCL C has no recursion.
const MAX_FRAMES: usize = 256;

/// A region in execution.
struct Running<'m> {
    region: &'m Region,
    /// The next instruction.
    next: usize,
    /// Rounds of the loop that have been completed.
    round: u32,
    /// The if, switch or loop that the region belongs to; `None` for a function's body.
    owner: Option<&'m Inst>,
}

struct Frame<'m> {
    func: &'m Function,
    id: FuncId,
    registers: Vec<Bits>,
    running: Vec<Running<'m>>,
    /// Addresses of the allocas executed so far. An alloca that is executed again is the same object.
    allocas: Vec<(Value, u64)>,
    /// Private objects by [`super::super::ObjectId`]. The entry is empty if the object lies elsewhere.
    objects: Vec<Vec<u8>>,
    /// The number of private objects when the function was called.
    arena_len: usize,
    /// The call that created this frame.
    call: Option<&'m Inst>,
}

pub struct Item<'m> {
    pub status: Status<'m>,
    /// Local linear id.
    index: u32,
    local_id: [u32; 3],
    private: Arena,
    /// Private objects that all functions share.
    globals: HashMap<GlobalId, Vec<u8>>,
    frames: Vec<Frame<'m>>,
    /// The instruction that is being executed.
    at: Option<&'m Inst>,
}

type Step<T = ()> = Result<T, String>;

impl<'m> Item<'m> {
    /// An item at the start of the kernel. `locals` are addresses for parameters of type ptr<local>.
    pub fn new(
        world: &World<'m>,
        index: u32,
        local_id: [u32; 3],
        locals: &[(usize, u64)],
    ) -> Step<Item<'m>> {
        let mut item = Item {
            status: Status::Ready,
            index,
            local_id,
            private: Arena::default(),
            globals: HashMap::new(),
            frames: Vec::new(),
            at: None,
        };
        let kernel = world.kernel;
        let found = world
            .module
            .funcs
            .iter()
            .position(|f| std::ptr::eq(f, kernel));
        item.call(world, FuncId(found.unwrap_or(0) as u32), None)?;
        for (i, &param) in kernel.params.iter().enumerate() {
            let ty = kernel.ty(param);
            let local = locals.iter().find(|l| l.0 == i);
            let lanes = match (&world.launch.args[i], ty.scalar) {
                (ArgValue::Bytes(bytes), Scalar::Ptr(Space::Private)) => {
                    let align = kernel.kernel.as_ref().map_or(16, |k| k.params[i].align);
                    let address = item.private.add(bytes.len() as u32, align);
                    let place = item.private.slice(address, bytes.len() as u64);
                    place.ok_or("no private memory")?.copy_from_slice(bytes);
                    vec![address]
                }
                (ArgValue::Pointer(address), Scalar::Ptr(Space::Global | Space::Constant)) => {
                    vec![*address]
                }
                (ArgValue::Local(_), Scalar::Ptr(Space::Local)) => {
                    vec![local.ok_or("no local memory")?.1]
                }
                (ArgValue::Bytes(bytes), s) if !s.is_ptr() => {
                    let got = bytes.len() as u64;
                    if got != access_size(ty) && got != ty.size() as u64 {
                        return Err(format!("{got} bytes for argument {i}, a {ty}"));
                    }
                    from_bytes(ty, bytes).collect()
                }
                (value, _) => return Err(format!("{value:?} for argument {i}, a {ty}")),
            };
            item.set(world, param, &lanes);
        }
        Ok(item)
    }

    pub fn error(&self, world: &World, message: impl Into<String>) -> RunError {
        let func = self.frames.last().map_or(world.kernel, |f| f.func);
        let at = self.at.map_or(String::new(), |inst| inst_text(func, inst));
        RunError {
            message: message.into(),
            at: format!("{}: {at}", func.name),
            item: world.global_id(self.local_id),
        }
    }

    /// Executes up to `turn` instructions.
    pub fn run(&mut self, world: &mut World<'m>, turn: u32) -> Result<(), RunError> {
        for _ in 0..turn {
            if self.status != Status::Ready {
                break;
            }
            if world.fuel == 0 {
                return Err(self.error(world, "runs too long"));
            }
            world.fuel -= 1;
            if let Err(message) = self.step(world) {
                return Err(self.error(world, message));
            }
        }
        Ok(())
    }

    /// The item's place in the control tree: from the outside in, the round of each region and the index in it. Of two items,
    /// the one with the smaller path has further to go to where both meet.
    pub fn path(&self) -> Vec<(u32, usize)> {
        let running = self.frames.iter().flat_map(|f| &f.running);
        running.map(|r| (r.round, r.next)).collect()
    }

    // Registers.

    fn frame(&self) -> &Frame<'m> {
        self.frames.last().expect("a running item has a frame")
    }

    fn frame_mut(&mut self) -> &mut Frame<'m> {
        self.frames.last_mut().expect("a running item has a frame")
    }

    pub fn ty(&self, v: Value) -> Type {
        self.frame().func.ty(v)
    }

    fn get(&self, world: &World, v: Value) -> &[Bits] {
        let frame = self.frame();
        let first = world.layouts[frame.id.index()].first[v.index()] as usize;
        &frame.registers[first..first + frame.func.ty(v).lanes as usize]
    }

    pub fn scalar(&self, world: &World, v: Value) -> Bits {
        self.get(world, v)[0]
    }

    pub fn set(&mut self, world: &World, v: Value, lanes: &[Bits]) {
        let frame = self.frame_mut();
        let first = world.layouts[frame.id.index()].first[v.index()] as usize;
        frame.registers[first..first + lanes.len()].copy_from_slice(lanes);
    }

    /// Copies values to places as if all at once.
    fn assign(&mut self, world: &World, values: &[Value], places: &[Value]) {
        let copies: Vec<Vec<Bits>> = values
            .iter()
            .map(|v| self.get(world, *v).to_vec())
            .collect();
        for (lanes, place) in copies.iter().zip(places) {
            self.set(world, *place, lanes);
        }
    }

    // Control.

    fn enter(&mut self, region: &'m Region, owner: Option<&'m Inst>) {
        self.frame_mut().running.push(Running {
            region,
            next: 0,
            round: 0,
            owner,
        });
    }

    /// Leaves regions up to the one whose owner is wanted, which stays. Returns that owner.
    fn leave_to(&mut self, wanted: impl Fn(&Op) -> bool) -> Step<&'m Inst> {
        let running = &mut self.frame_mut().running;
        while let Some(top) = running.last() {
            match top.owner {
                Some(owner) if wanted(&owner.op) => return Ok(owner),
                _ => running.pop(),
            };
        }
        Err("nothing to leave".into())
    }

    fn finish(&mut self, world: &World, owner: &'m Inst, values: &[Value]) {
        self.frame_mut().running.pop();
        self.assign(world, values, &owner.results);
    }

    /// Starts a function. The caller sets its parameters.
    fn call(&mut self, world: &World<'m>, id: FuncId, call: Option<&'m Inst>) -> Step {
        let func = &world.module.funcs[id.index()];
        let body = func
            .body
            .as_ref()
            .ok_or("a call of a function without body")?;
        if self.frames.len() == MAX_FRAMES {
            return Err("calls nest too deeply".into());
        }
        let mut objects = Vec::new();
        for object in &func.objects {
            objects.push(match object.space {
                Space::Private => {
                    let size = world.length(object.len)?.saturating_mul(object.elem.size());
                    let bytes = vec![super::memory::UNDEFINED; size as usize];
                    match object.global {
                        // The object is shared by all functions.
                        Some(global) => {
                            let init = world.module.globals[global.index()].init.as_ref();
                            let bytes = init.map_or(bytes, |init| init.get(0, size as usize));
                            self.globals.entry(global).or_insert(bytes);
                            Vec::new()
                        }
                        None => bytes,
                    }
                }
                _ => Vec::new(),
            });
        }
        self.frames.push(Frame {
            func,
            id,
            registers: vec![0; world.layouts[id.index()].count],
            running: Vec::new(),
            allocas: Vec::new(),
            objects,
            arena_len: self.private.len(),
            call,
        });
        self.enter(body, None);
        Ok(())
    }

    fn return_(&mut self, world: &World, value: Option<Value>) {
        let lanes = value.map(|v| self.get(world, v).to_vec());
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.private.truncate(frame.arena_len);
        if self.frames.is_empty() {
            self.status = Status::Ended;
        }
        if let (Some(lanes), Some(&result)) = (lanes, frame.call.and_then(|c| c.results.first())) {
            self.set(world, result, &lanes);
        }
    }

    fn step(&mut self, world: &mut World<'m>) -> Step {
        let top = self.frame_mut().running.last_mut().ok_or("no region")?;
        let inst = top.region.insts.get(top.next).ok_or("ran off a region")?;
        top.next += 1;
        self.at = Some(inst);
        match &inst.op {
            Op::If(cond, then, other) => {
                let taken = if self.scalar(world, *cond) != 0 {
                    then
                } else {
                    other
                };
                self.enter(taken, Some(inst));
            }
            Op::Switch {
                selector,
                cases,
                default,
            } => {
                let value = self.scalar(world, *selector);
                let case = cases.iter().find(|(values, _)| values.contains(&value));
                self.enter(case.map_or(default, |c| &c.1), Some(inst));
            }
            Op::Loop { init, body, .. } => {
                self.assign(world, init, &body.params);
                self.enter(body, Some(inst));
            }
            Op::Yield(values) => {
                let owner = self.leave_to(|_| true)?;
                self.finish(world, owner, values);
            }
            Op::Break(values) => {
                let owner =
                    self.leave_to(|op| matches!(op, Op::Loop { .. } | Op::Switch { .. }))?;
                self.finish(world, owner, values);
            }
            Op::Continue(values) => {
                let owner = self.leave_to(|op| matches!(op, Op::Loop { .. }))?;
                if let Op::Loop { body, .. } = &owner.op {
                    self.assign(world, values, &body.params);
                }
                if let Some(top) = self.frame_mut().running.last_mut() {
                    top.next = 0;
                    top.round += 1;
                }
            }
            Op::Return(value) => self.return_(world, *value),
            Op::Unreachable => return Err("reached the unreachable".into()),
            Op::Call { callee, args, .. } => {
                let lanes: Vec<Vec<Bits>> =
                    args.iter().map(|v| self.get(world, *v).to_vec()).collect();
                self.call(world, *callee, Some(inst))?;
                let params = &self.frame().func.params;
                for (param, lanes) in params.iter().zip(&lanes) {
                    self.set(world, *param, lanes);
                }
            }
            Op::Barrier { flags, scope } => {
                self.status = match scope {
                    Scope::SubGroup => Status::AtSubGroup(inst),
                    _ => Status::AtBarrier(inst, *flags),
                };
            }
            Op::SubGroup(..) | Op::SubGroupReduce { .. } => {
                self.status = Status::AtSubGroup(inst);
            }
            Op::Fence { .. } => {}
            Op::Store {
                addr,
                value,
                align,
                volatile,
            } => {
                let bytes = to_bytes(self.ty(*value).scalar, self.get(world, *value));
                let access = plain(*volatile, Access::Write);
                let place = self.access(world, *addr, bytes.len() as u64, *align, access)?;
                place.copy_from_slice(&bytes);
            }
            Op::Copy {
                to,
                from,
                size,
                align,
            } => {
                let (size, align) = (*size as u64, *align);
                let read = Some(Access::Read);
                let bytes = self
                    .access(world, Addr::Ptr(*from), size, align, read)?
                    .to_vec();
                let write = Some(Access::Write);
                let place = self.access(world, Addr::Ptr(*to), size, align, write)?;
                place.copy_from_slice(&bytes);
            }
            Op::Zero { to, size, align } => {
                let write = Some(Access::Write);
                self.access(world, Addr::Ptr(*to), *size as u64, *align, write)?
                    .fill(0);
            }
            Op::Atomic { op, addr, args, .. } => self.atomic(world, inst, *op, *addr, args)?,
            Op::Printf(format, args) => {
                let sizes = &world.module.printf[format.index()].arg_sizes;
                let bytes = |(v, size): (&Value, &u32)| {
                    let mut bytes = to_bytes(self.ty(*v).scalar, self.get(world, *v));
                    bytes.resize(*size as usize, 0);
                    bytes
                };
                let args = args.iter().zip(sizes).map(bytes).collect();
                world.printed.push(Record {
                    format: format.0,
                    args,
                });
                self.set(world, inst.results[0], &[0]);
            }
            _ => {
                let lanes = self.value(world, inst)?;
                if let Some(&result) = inst.results.first() {
                    self.set(world, result, &lanes);
                }
            }
        }
        Ok(())
    }

    // Memory.

    /// The bytes at an address, after all checks. Without `access` the race check is skipped.
    fn access<'s>(
        &'s mut self,
        world: &'s mut World<'m>,
        addr: Addr,
        size: u64,
        align: u32,
        access: Option<Access>,
    ) -> Step<&'s mut [u8]> {
        let (space, address) = match addr {
            Addr::Ptr(v) => self.pointer(world, v)?,
            Addr::Device(v) | Addr::Scratch(v) => {
                let address = match *self.get(world, v) {
                    [low, high] => low | high << 32,
                    ref lanes => lanes[0],
                };
                (Space::Global, address)
            }
            Addr::Object(o, v) => {
                let index = eval::signed(Scalar::I32, self.scalar(world, v));
                let func = self.frame().func;
                let object = &func.objects[o.index()];
                let elem = object.elem;
                let lane_size = u64::from(elem.scalar.size());
                let (unit, len) = match elem.has_lane(elem.element()) && size == lane_size {
                    true => (lane_size, world.length(object.len)? * u32::from(elem.lanes)),
                    false => (u64::from(elem.size()), world.length(object.len)?),
                };
                if index < 0 || index >= len as i64 {
                    return Err(format!(
                        "element {index} of {o} \"{}\", which has {len}",
                        object.name
                    ));
                }
                let offset = index as u64 * unit;
                if object.space == Space::Private {
                    let bytes = match object.global {
                        Some(global) => self.globals.entry(global).or_default(),
                        None => &mut self.frame_mut().objects[o.index()],
                    };
                    let place = bytes.get_mut(offset as usize..(offset + size) as usize);
                    return place.ok_or("outside the object".into());
                }
                let base = match object.global {
                    Some(g) => world.local_globals[g.index()],
                    None => {
                        let key = (self.frame().id.index(), o.index());
                        let found = world.local_objects.iter().find(|(k, _)| *k == key);
                        found.ok_or("no such local object")?.1
                    }
                };
                (Space::Local, base + offset)
            }
        };
        if address % align as u64 != 0 {
            return Err(format!("{address:#x} is not a multiple of {align}"));
        }
        let races = world.launch.check_races && !matches!(addr, Addr::Scratch(_));
        if let Some(access) = access.filter(|_| races) {
            let record = world.races.record(space, address, size, access, self.index);
            if let Err(other) = record {
                let other = if other == u32::MAX {
                    "others".to_string()
                } else {
                    format!("work-item {other}")
                };
                return Err(format!("races with {other} of the group at {address:#x}"));
            }
        }
        let place = match space {
            Space::Private => self.private.slice(address, size),
            Space::Local => world.local.slice(address, size),
            _ => world.memory.slice(address, size),
        };
        place.ok_or(format!("{size} bytes at {address:#x} are in no object"))
    }

    /// The pointer's address, and its space with generic and constant resolved.
    fn pointer(&self, world: &World, v: Value) -> Step<(Space, u64)> {
        let address = self.scalar(world, v);
        let Scalar::Ptr(space) = self.ty(v).scalar else {
            return Err(format!("{v} is not a pointer"));
        };
        match space {
            Space::Constant => Ok((Space::Global, address)),
            Space::Generic => {
                let space = eval::generic_space(address);
                Ok((space, eval::space_cast(Space::Generic, space, address)))
            }
            space => Ok((space, address)),
        }
    }

    fn atomic(
        &mut self,
        world: &mut World<'m>,
        inst: &Inst,
        op: AtomicOp,
        addr: Addr,
        args: &[Value],
    ) -> Step {
        let typed = args.first().or(inst.results.first());
        let ty = self.ty(*typed.ok_or("an atomic without operands")?);
        let operands: Vec<Bits> = args.iter().map(|v| self.scalar(world, *v)).collect();
        let size = ty.scalar.size();
        let place = self.access(world, addr, size as u64, size, Some(Access::Atomic))?;
        let old = from_bytes(ty, place).next().ok_or("no lanes")?;
        let new = match (op, op.binary()) {
            (_, Some(binary)) => eval::binary(binary, ty.scalar, old, operands[0]),
            (AtomicOp::Store | AtomicOp::Xchg, _) => operands[0],
            (AtomicOp::CmpXchg, _) if old == operands[0] => operands[1],
            _ => old,
        };
        place.copy_from_slice(&to_bytes(ty.scalar, &[new]));
        if let Some(&result) = inst.results.first() {
            self.set(world, result, &[old]);
        }
        Ok(())
    }

    // Values.

    /// The result of an instruction that only computes or loads.
    fn value(&mut self, world: &mut World<'m>, inst: &Inst) -> Step<Vec<Bits>> {
        let ty = inst.results.first().map_or(Type::BOOL, |v| self.ty(*v));
        let one = |bits: Bits| Ok(vec![bits]);
        // Of an op that gives 64 bits as an i64 or as words.
        let words = |bits: Bits| match ty == Type::vector(Scalar::I32, 2) {
            true => Ok(vec![bits & u64::from(u32::MAX), bits >> 32]),
            false => one(bits),
        };
        let get = |v: &Value| self.get(world, *v);
        let scalar = |v: &Value| self.scalar(world, *v);
        match &inst.op {
            Op::Const(bits) => Ok(vec![*bits; ty.lanes as usize]),
            Op::Undef => Ok(vec![undefined(ty.scalar); ty.lanes as usize]),
            Op::Unary(op, a) => {
                let lanes = get(a).iter();
                Ok(lanes.map(|a| eval::unary(*op, ty.scalar, *a)).collect())
            }
            Op::Binary(op, a, b) => {
                let lanes = get(a).iter().zip(get(b));
                Ok(lanes
                    .map(|(a, b)| eval::binary(*op, ty.scalar, *a, *b))
                    .collect())
            }
            Op::Ternary(op, a, b, c) => {
                let lanes = get(a).iter().zip(get(b)).zip(get(c));
                let lanes = lanes.map(|((a, b), c)| eval::ternary(*op, ty.scalar, *a, *b, *c));
                Ok(lanes.collect())
            }
            Op::Compare(op, a, b) => {
                let from = self.ty(*a).scalar;
                let lanes = get(a).iter().zip(get(b));
                Ok(lanes
                    .map(|(a, b)| eval::compare(*op, from, *a, *b) as Bits)
                    .collect())
            }
            Op::Cast(CastOp::Bitcast, a) => Ok(eval::bitcast(self.ty(*a), ty, get(a))),
            Op::Cast(op, a) => {
                let from = self.ty(*a).scalar;
                let lanes = get(a).iter();
                Ok(lanes
                    .map(|a| eval::cast(*op, from, ty.scalar, *a))
                    .collect())
            }
            Op::Select(c, a, b) => {
                let conds = get(c).iter().cycle();
                let lanes = get(a).iter().zip(get(b)).zip(conds);
                Ok(lanes
                    .map(|((a, b), c)| if *c != 0 { *a } else { *b })
                    .collect())
            }
            Op::Construct(vs) => Ok(vs.iter().map(scalar).collect()),
            Op::Splat(a) => Ok(vec![scalar(a); ty.lanes as usize]),
            Op::Extract(a, lane) => one(get(a)[*lane as usize]),
            Op::ExtractDyn(a, lane) => {
                let found = get(a).get(scalar(lane) as usize).copied();
                one(found.unwrap_or(undefined(ty.scalar)))
            }
            Op::Insert(a, b, lane) => {
                let mut lanes = get(a).to_vec();
                lanes[*lane as usize] = scalar(b);
                Ok(lanes)
            }
            Op::InsertDyn(a, b, lane) => {
                let mut lanes = get(a).to_vec();
                let new = scalar(b);
                if let Some(place) = lanes.get_mut(scalar(lane) as usize) {
                    *place = new;
                }
                Ok(lanes)
            }
            Op::Shuffle(a, b, lanes) => {
                let both = [get(a), get(b)].concat();
                let lane = |l: &u8| both.get(*l as usize).copied();
                let lanes = lanes
                    .iter()
                    .map(|l| lane(l).unwrap_or(undefined(ty.scalar)));
                Ok(lanes.collect())
            }
            Op::Any(a) => one(get(a).iter().any(|l| *l != 0) as Bits),
            Op::All(a) => one(get(a).iter().all(|l| *l != 0) as Bits),
            Op::GlobalAddr(g) => one(world.global_addr(*g)?),
            Op::PtrAdd(base, bytes) => {
                let offset = eval::signed(self.ty(*bytes).scalar, scalar(bytes));
                one(scalar(base).wrapping_add_signed(offset))
            }
            Op::WorkItem(what, dim) => {
                let dim = dim.as_ref().map_or(0, scalar);
                one(world.work_item(*what, dim, self.local_id))
            }
            Op::ImageField(..) => Err("images have no record before kernel_abi".into()),
            Op::Fetch(..) => Err("there are no texel buffers here".into()),
            Op::Input(input) => one(world.input(*input, self.local_id)),
            Op::Clock(_) => words(world.launch.fuel - world.fuel),
            Op::Spec(id) => one(world.spec_value(*id)? as Bits),
            Op::Arg { offset } => {
                let start = *offset as usize;
                let bytes = world.block.get(start..start + access_size(ty) as usize);
                Ok(from_bytes(ty, bytes.ok_or("outside the argument block")?).collect())
            }
            Op::Sys(field) => words(world.sys(*field)),
            Op::Alloca { size, align } => {
                let place = inst.results[0];
                let known = self.frame().allocas.iter().find(|a| a.0 == place);
                if let Some(&(_, address)) = known {
                    return one(address);
                }
                let address = self.private.add(*size, *align);
                self.frame_mut().allocas.push((place, address));
                one(address)
            }
            Op::Load {
                addr,
                align,
                volatile,
            } => {
                let access = plain(*volatile, Access::Read);
                let place = self.access(world, *addr, access_size(ty), *align, access)?;
                Ok(from_bytes(ty, place).collect())
            }
            _ => Err("not a value".into()),
        }
    }
}

/// The kind of access that the race check sees; `None` for volatile accesses.
fn plain(volatile: bool, access: Access) -> Option<Access> {
    (!volatile).then_some(access)
}
