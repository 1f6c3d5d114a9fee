//! One function: its blocks become a tree of regions, its values those of the IR.
//!
//! What is used outside of the region that defines it goes through a private variable, and so does
//! every OpPhi; `mem2reg` makes values of them again. An aggregate is a private object that does not change
//! once it is made.

use std::cell::OnceCell;
use std::collections::HashSet;

use rspirv::spirv::{BuiltIn, Decoration, Op};
use smallvec::smallvec;

use super::binary::{Id, Inst, Res};
use super::constants::Const;
use super::fast_math::FunctionMath;
use super::flow::{Regions, incoming, stores};
use super::graph::Graph;
use super::module::{Block, Func};
use super::structure::{self, Item};
use super::types::{Layout, Ty};
use super::unit::Unit;
use crate::features::MAX_OBJECT_SIZE;
use crate::ir::builder::Builder;
use crate::ir::{
    self, CmpOp, FastMath, Function, Global, GlobalId, Inst as IrInst, Op as IrOp, Region, Space,
    Type, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// How a value is represented.
#[derive(Debug, Clone, Copy)]
pub enum Place {
    /// The IR value; for an aggregate, its object.
    Value(Value),
    /// A private variable that holds the value.
    Slot(Value, Type),
    /// A pair of image and sampler.
    Sampled(Id, Id),
    /// The same as the value of another id.
    Same(Id),
}

pub struct FunctionLowering<'f, 'a, 'b> {
    pub unit: &'f mut Unit<'a>,
    pub b: Builder<'b>,
    func: &'f Func<'a>,
    places: FxHashMap<Id, Place>,
    /// Targets of each block's terminator.
    targets: Vec<Vec<usize>>,
    /// The phis and their values, by the blocks of the edge.
    incoming: FxHashMap<(usize, usize), Vec<(Id, Id)>>,
    /// Instructions by their result. Filled at the first query.
    definitions: OnceCell<FxHashMap<Id, Inst<'a>>>,
    /// For each variable, the number of stores and the value of the first.
    stores: FxHashMap<Id, (u32, Id)>,
    /// Values that are used outside of their region.
    escaping: FxHashSet<Id>,
    vars: Vec<Value>,
    /// Allocas, which are placed in front of everything else.
    allocas: Vec<IrInst>,
    /// Built-in variables, and other variables of which each function has its own.
    built_ins: FxHashMap<Id, Value>,
    /// The object into which an aggregate result is written.
    sret: Option<Value>,
    pub math: FunctionMath,
}

impl<'f, 'a> FunctionLowering<'f, 'a, '_> {
    /// Lowers a body into `shell`, which has the parameters.
    pub fn lower(
        unit: &'f mut Unit<'a>,
        func: &'f Func<'a>,
        math: FunctionMath,
        mut shell: Function,
    ) -> Res<Function> {
        let params = shell.params.clone();
        let places: FxHashMap<Id, usize> = func
            .blocks
            .iter()
            .enumerate()
            .map(|(i, block)| (block.label, i))
            .collect();
        let mut targets = Vec::new();
        for block in &func.blocks {
            let place = |id: Id| {
                let found = places.get(&id).copied();
                found.ok_or_else(|| format!("%{id} is no block"))
            };
            let list = labels(block, unit)?.into_iter().map(place);
            targets.push(list.collect::<Res<Vec<usize>>>()?);
        }
        let graph = Graph::new(targets.clone())?;
        let (items, vars) = structure::structure(&graph)?;
        let b = Builder::new(&mut shell);
        let mut f = FunctionLowering {
            unit,
            b,
            func,
            places: FxHashMap::default(),
            incoming: incoming(func, &places),
            definitions: OnceCell::new(),
            stores: stores(func),
            targets,
            escaping: FxHashSet::default(),
            vars: Vec::new(),
            allocas: Vec::new(),
            built_ins: FxHashMap::default(),
            sret: None,
            math,
        };
        f.find_escaping(&items);
        f.vars = (0..vars).map(|_| f.temp(4, 4)).collect();
        f.parameters(&params)?;
        f.phis()?;
        f.items(&items)?;
        f.b.unreachable();
        let FunctionLowering { b, mut allocas, .. } = f;
        b.finish();
        if let Some(body) = &mut shell.body {
            allocas.append(&mut body.insts);
            body.insts = allocas;
        }
        Ok(shell)
    }

    fn parameters(&mut self, values: &[Value]) -> Res<()> {
        let mut values = values.iter().copied();
        if self.unit.types.is_aggregate(self.func.inst.ty) {
            self.sret = values.next();
        }
        for (param, mut value) in self.func.params.iter().zip(values) {
            // A kernel's parameter is its own copy already.
            let kernel = self.unit.kernels.contains_key(&self.func.inst.id);
            if self.unit.is_by_value(param.id) && !kernel {
                let (_, pointee) = self.unit.types.pointer(param.ty)?;
                let layout = self.unit.types.layout(pointee)?;
                let copy = self.object(layout)?;
                self.b.copy(copy, value, layout.size, layout.align);
                value = copy;
            }
            if kernel && self.unit.types.ir(param.ty)? == Type::BOOL {
                let zero = self.b.zero_value(Type::I8);
                value = self.b.compare(CmpOp::Ne, value, zero);
            }
            self.places.insert(param.id, Place::Value(value));
        }
        Ok(())
    }

    /// Gives each OpPhi its variable.
    fn phis(&mut self) -> Res<()> {
        let func = self.func;
        for inst in func.blocks.iter().flat_map(|block| &block.insts) {
            if inst.op == Op::Phi {
                let ty = self.unit.types.ir(inst.ty)?;
                let place = match self.unit.types.is_aggregate(inst.ty) {
                    true => {
                        let layout = self.unit.types.layout(inst.ty)?;
                        Place::Value(self.object(layout)?)
                    }
                    false => Place::Slot(self.temp(ty.size(), ty.size()), ty),
                };
                self.places.insert(inst.id, place);
            }
        }
        Ok(())
    }

    /// Finds the values that are used outside of their region.
    fn find_escaping(&mut self, items: &[Item]) {
        let regions = Regions::new(items, self.func.blocks.len());
        let mut defined: FxHashMap<Id, usize> = FxHashMap::default();
        for (i, block) in self.func.blocks.iter().enumerate() {
            let ids = block.insts.iter().map(|inst| inst.id).filter(|&id| id != 0);
            defined.extend(ids.map(|id| (id, i)));
        }
        let mut escaping = FxHashSet::default();
        let mut seen = |id: Id, region: usize| {
            if let Some(&from) = defined.get(&id)
                && !regions.is_within(region, regions.of_block[from])
            {
                escaping.insert(id);
            }
        };
        for (i, block) in self.func.blocks.iter().enumerate() {
            for inst in block.insts.iter().filter(|inst| inst.op != Op::Phi) {
                // Literal words may look like ids, which only makes values private variables without need.
                inst.args
                    .iter()
                    .for_each(|&id| seen(id, regions.of_block[i]));
            }
        }
        for &(block, slot, region) in &regions.of_edge {
            let to = self.targets[block][slot];
            for (_, value) in self.incoming(block, to) {
                seen(value, region);
            }
        }
        self.escaping = escaping;
    }

    /// The phis of a block with what they get from another.
    fn incoming(&self, from: usize, to: usize) -> Vec<(Id, Id)> {
        self.incoming.get(&(from, to)).cloned().unwrap_or_default()
    }

    fn items(&mut self, items: &[Item]) -> Res<()> {
        items.iter().try_for_each(|item| self.item(item))
    }

    fn region(&mut self, items: &[Item]) -> Res<Box<Region>> {
        self.b.push_region(Vec::new());
        let done = self.items(items);
        self.b.yield_(Vec::new());
        let region = self.b.pop_region();
        done.map(|()| region)
    }

    fn item(&mut self, item: &Item) -> Res<()> {
        use super::graph::Step;
        match item {
            Item::Step(Step::Block(block)) => self.block(*block)?,
            Item::Step(Step::Set(var, value)) | Item::Set(var, value) => {
                let value = self.b.const_int(Type::I32, i64::from(*value));
                self.b.store(self.vars[*var], value, 4);
            }
            Item::Step(Step::Choose(_)) => {}
            Item::End(block) => self.end(*block)?,
            Item::Edge(block, slot) => self.edge(*block, *slot)?,
            Item::If(block, yes, no) => {
                let cond = self.condition(*block)?;
                self.branch(cond, yes, no)?;
            }
            Item::IfVar(var, value, yes, no) => {
                let now = self.b.load(self.vars[*var], Type::I32, 4);
                let value = self.b.const_int(Type::I32, i64::from(*value));
                let cond = self.b.compare(CmpOp::Eq, now, value);
                self.branch(cond, yes, no)?;
            }
            Item::Switch(block, cases) => {
                let inst = self.terminator(*block)?;
                let selector = self.value(inst.arg(0)?)?;
                let (literals, _) = switch(&inst, self.unit)?;
                self.switch(selector, &literals, cases)?;
            }
            Item::SwitchVar(var, cases) => {
                let selector = self.b.load(self.vars[*var], Type::I32, 4);
                let literals: Vec<u64> = (1..cases.len() as u64).collect();
                self.switch(selector, &literals, cases)?;
            }
            Item::Loop(body) => {
                self.b.push_region(Vec::new());
                let done = self.items(body);
                self.b.unreachable();
                let body = self.b.pop_region();
                done?;
                self.b.insert0(IrOp::Loop {
                    init: Vec::new(),
                    body,
                    unroll: ir::Unroll::Auto,
                });
            }
            Item::Break => self.b.break_(Vec::new()),
            Item::Continue => self.b.continue_(Vec::new()),
        }
        Ok(())
    }

    fn branch(&mut self, cond: Value, yes: &[Item], no: &[Item]) -> Res<()> {
        let yes = self.region(yes)?;
        let no = self.region(no)?;
        self.b.insert0(IrOp::If(cond, yes, no));
        Ok(())
    }

    /// The first case is the default.
    fn switch(&mut self, selector: Value, literals: &[u64], cases: &[Vec<Item>]) -> Res<()> {
        let Some((default, cases)) = cases.split_first() else {
            return Ok(());
        };
        let default = self.region(default)?;
        let mut all = Vec::new();
        for (literal, case) in literals.iter().zip(cases) {
            all.push((vec![*literal], self.region(case)?));
        }
        self.b.switch(selector, all, default, &[]);
        Ok(())
    }

    fn terminator(&self, block: usize) -> Res<Inst<'a>> {
        let last = self.func.blocks[block].insts.last().copied();
        last.ok_or_else(|| "a block is empty".to_string())
    }

    fn condition(&mut self, block: usize) -> Res<Value> {
        let inst = self.terminator(block)?;
        let value = self.value(inst.arg(0)?)?;
        if inst.op != Op::Switch {
            return Ok(value);
        }
        // The switch has one case; the default comes first.
        let (literals, _) = switch(&inst, self.unit)?;
        let ty = self.b.ty(value);
        let literal = literals.first().copied().ok_or("a switch has no case")?;
        let literal = self.b.const_bits(ty, literal);
        Ok(self.b.compare(CmpOp::Ne, value, literal))
    }

    fn end(&mut self, block: usize) -> Res<()> {
        let inst = self.terminator(block)?;
        match inst.op {
            Op::Return => self.b.return_(None),
            Op::ReturnValue => {
                let id = inst.arg(0)?;
                match self.sret {
                    Some(to) => {
                        let from = self.value(id)?;
                        let layout = self.layout_of(id)?;
                        self.b.copy(to, from, layout.size, layout.align);
                        self.b.return_(None);
                    }
                    None => {
                        let value = self.value(id)?;
                        self.b.return_(Some(value));
                    }
                }
            }
            _ => self.b.unreachable(),
        }
        Ok(())
    }

    /// All phis take their values at once.
    fn edge(&mut self, block: usize, slot: usize) -> Res<()> {
        let to = self.targets[block][slot];
        let mut moves = Vec::new();
        for (phi, value) in self.incoming(block, to) {
            let (mut from, layout) = (self.value(value)?, self.layout_of(phi)?);
            let aggregate = self.unit.types.is_aggregate(self.unit.type_of(phi)?);
            if aggregate {
                let copy = self.object(layout)?;
                self.b.copy(copy, from, layout.size, layout.align);
                from = copy;
            }
            moves.push((phi, from, layout, aggregate));
        }
        for (phi, from, layout, aggregate) in moves {
            match (self.places.get(&phi), aggregate) {
                (Some(&Place::Value(to)), true) => {
                    self.b.copy(to, from, layout.size, layout.align);
                }
                (Some(&Place::Slot(to, ty)), false) => self.b.store(to, from, ty.size()),
                _ => return Err(format!("%{phi} is of a type that no value has")),
            }
        }
        Ok(())
    }

    fn block(&mut self, block: usize) -> Res<()> {
        let func = self.func;
        let Block { insts, lines, .. } = &func.blocks[block];
        let last = insts.len().saturating_sub(1);
        for (inst, &line) in insts[..last].iter().zip(lines) {
            self.b.fast = self.math.plain;
            let loc = line.and_then(|line| self.unit.loc(line));
            self.b.loc = loc.unwrap_or_default();
            let done = self.inst(inst);
            done.map_err(|e| {
                let place = line.and_then(|line| self.unit.place(line));
                let place = place.map_or(String::new(), |place| format!("{place}: "));
                format!("{place}{}: {e}", inst.name())
            })?;
        }
        Ok(())
    }

    /// A private object.
    pub fn temp(&mut self, size: u32, align: u32) -> Value {
        let ptr = self.b.func.new_value(Type::ptr(Space::Private));
        self.allocas.push(IrInst {
            results: smallvec![ptr],
            op: IrOp::Alloca {
                size: size.max(1),
                align: align.max(1),
            },
            fast: FastMath::default(),
            loc: self.b.loc,
        });
        ptr
    }

    /// A private object of the module's: it may be larger than any device has.
    pub fn object(&mut self, layout: Layout) -> Res<Value> {
        match u64::from(layout.size) > MAX_OBJECT_SIZE {
            true => Err(format!("an object is larger than {MAX_OBJECT_SIZE} bytes")),
            false => Ok(self.temp(layout.size, layout.align)),
        }
    }

    /// The instruction with a result.
    pub fn instruction(&self, id: Id) -> Option<Inst<'a>> {
        let all = self.definitions.get_or_init(|| {
            let insts = self.func.blocks.iter().flat_map(|block| &block.insts);
            insts.map(|inst| (inst.id, *inst)).collect()
        });
        all.get(&id).copied()
    }

    /// The value of the only store into a variable.
    pub fn stored(&self, variable: Id) -> Option<Id> {
        match self.stores.get(&variable)? {
            (1, value) => Some(*value),
            _ => None,
        }
    }

    pub fn layout_of(&self, id: Id) -> Res<Layout> {
        self.unit.types.layout(self.unit.type_of(id)?)
    }

    /// The result of an instruction.
    pub fn define(&mut self, id: Id, value: Value) {
        let ty = self.b.ty(value);
        let place = match self.escaping.contains(&id) && !self.is_object(id) {
            true => {
                let slot = self.temp(ty.size(), ty.size());
                self.b.store(slot, value, ty.size());
                Place::Slot(slot, ty)
            }
            false => Place::Value(value),
        };
        self.places.insert(id, place);
    }

    /// Whether the value is an object, which is defined in front of everything else.
    fn is_object(&self, id: Id) -> bool {
        let ty = self.unit.type_of(id);
        ty.is_ok_and(|ty| self.unit.types.is_aggregate(ty))
    }

    pub fn set_place(&mut self, id: Id, place: Place) {
        self.places.insert(id, place);
    }

    pub fn place(&self, id: Id) -> Option<Place> {
        let mut id = id;
        // The chain is short: an id refers to one that is defined before.
        loop {
            match self.places.get(&id).copied() {
                Some(Place::Same(other)) if other != id => id = other,
                place => return place,
            }
        }
    }

    /// The value of an id. For an aggregate, its object.
    pub fn value(&mut self, id: Id) -> Res<Value> {
        let value = self.pointer(id)?;
        let declared = self.unit.type_of(id).and_then(|ty| self.unit.types.ir(ty));
        let (is, says) = (
            ir::space_of(self.b.ty(value)),
            declared.ok().and_then(ir::space_of),
        );
        match (is, says) {
            (Some(is), Some(says)) if is != says => Err(format!(
                "%{id} points to a built-in variable: it can be followed, but is no value"
            )),
            _ => Ok(value),
        }
    }

    /// Like [`FunctionLowering::value`] for a pointer that is followed. A pointer to a built-in variable is private, whatever storage
    /// class the module gives it.
    pub fn pointer(&mut self, id: Id) -> Res<Value> {
        match self.place(id) {
            Some(Place::Value(value)) => return Ok(value),
            Some(Place::Slot(slot, ty)) => return Ok(self.b.load(slot, ty, ty.size())),
            Some(_) => return Err(format!("%{id} is no value")),
            None => {}
        }
        if let Some(&initial) = self.unit.private.get(&id) {
            let initial = initial
                .ok_or_else(|| format!("%{id} is in a space where no variable of a module is"))?;
            return self.private(id, initial);
        }
        match self.unit.constant(id) {
            Some(constant) => self.constant(id, constant),
            None if self
                .instruction(id)
                .is_some_and(|inst| inst.op == Op::Variable) =>
            {
                Err(format!(
                    "the variable %{id} holds an image, so it has no address"
                ))
            }
            None => Err(format!("%{id} is not defined")),
        }
    }

    fn constant(&mut self, id: Id, constant: Const) -> Res<Value> {
        let ty = self.unit.type_of(id)?;
        if let Const::Address(variable, offset) = constant {
            return self.variable_address(variable, offset, ty);
        }
        if self.unit.types.is_aggregate(ty) {
            return self.constant_object(id, ty);
        }
        let ir = self.unit.types.ir(ty)?;
        Ok(match constant {
            Const::Undef => self.undef(ty)?,
            Const::Null => self.b.zero_value(ir),
            Const::Bits(bits) => self.b.const_bits(ir, bits),
            _ => {
                let lanes = self.unit.lanes(id)?;
                let lanes = lanes
                    .into_iter()
                    .map(|bits| self.b.const_bits(ir.element(), bits));
                let lanes = lanes.collect();
                self.b.construct(lanes)
            }
        })
    }

    /// The address at an offset in bytes in a variable of the module, as a pointer of type `ty`.
    fn variable_address(&mut self, variable: Id, offset: i64, ty: Id) -> Res<Value> {
        let ty = self.unit.types.ir(ty)?;
        if let Some(&built_in) = self.unit.built_ins.get(&variable) {
            let address = self.built_in(variable, built_in)?;
            let address = self.b.ptradd_const(address, offset);
            return self.cast_pointer(address, self.unit.type_of(variable)?, ty);
        }
        let Some(&(global, space)) = self.unit.globals.get(&variable) else {
            return Err(format!("%{variable} is no variable"));
        };
        let address = self.b.global_addr(global, space);
        let address = self.b.ptradd_const(address, offset);
        Ok(self.reinterpret(address, ty))
    }

    /// A pointer that has been declared as `from`, as another type.
    pub fn cast_pointer(&mut self, pointer: Value, from: Id, to: Type) -> Res<Value> {
        let declared = self.unit.types.ir(from)?;
        let own = ir::space_of(self.b.ty(pointer)) == ir::space_of(declared);
        match ir::space_of(to) {
            // It points to a built-in variable and has not been followed.
            _ if !own && to == declared => Ok(pointer),
            Some(Space::Generic) => Ok(self.reinterpret(pointer, to)),
            _ if own => Ok(self.reinterpret(pointer, to)),
            _ => Err("a pointer to a built-in variable has no such type".into()),
        }
    }

    /// A copy of a constant table.
    fn constant_object(&mut self, id: Id, ty: Id) -> Res<Value> {
        let layout = self.unit.types.layout(ty)?;
        let Layout { size, align } = layout;
        let object = self.object(layout)?;
        let constant = self.unit.constant(id);
        if matches!(constant, Some(Const::Null | Const::Undef)) {
            self.b.zero(object, size, align);
            return Ok(object);
        }
        let global = self.table(id, layout)?;
        let from = self.b.global_addr(global, Space::Constant);
        self.b.copy(object, from, size, align);
        Ok(object)
    }

    /// The table of a constant, one for all functions.
    fn table(&mut self, id: Id, layout: Layout) -> Res<GlobalId> {
        if let Some(&known) = self.unit.tables.get(&id) {
            return Ok(known);
        }
        let image = self.unit.image(id)?;
        let global = GlobalId(self.unit.module.globals.len() as u32);
        self.unit.module.globals.push(Global {
            name: format!("spirv.constant.{id}"),
            space: Space::Constant,
            size: layout.size,
            spec_len: None,
            align: layout.align,
            init: Some(image.bytes.clone()),
            relocs: image.relocs.clone(),
            external: false,
            once: false,
            defined: true,
        });
        self.unit.tables.insert(id, global);
        Ok(global)
    }

    /// A private variable with the result of work-item functions.
    fn built_in(&mut self, id: Id, built_in: BuiltIn) -> Res<Value> {
        if let Some(&place) = self.built_ins.get(&id) {
            return Ok(place);
        }
        let (_, pointee) = self.unit.types.pointer(self.unit.type_of(id)?)?;
        let ty = self.unit.types.value(pointee)?;
        let place = self.temp(ty.size(), ty.size());
        self.in_front(|f| {
            let value = f.work_item(built_in, ty)?;
            f.b.store(place, value, ty.size());
            Ok(())
        })?;
        self.built_ins.insert(id, place);
        Ok(place)
    }

    /// A variable with its initial value.
    fn private(&mut self, id: Id, initial: Id) -> Res<Value> {
        if let Some(&place) = self.built_ins.get(&id) {
            return Ok(place);
        }
        let ty = self.unit.type_of(initial)?;
        let layout = self.unit.types.layout(ty)?;
        let align = self.unit.alignment(id, layout.align)?;
        let place = self.object(Layout { align, ..layout })?;
        self.in_front(|f| f.store_value(place, initial, ty, align, false))?;
        self.built_ins.insert(id, place);
        Ok(place)
    }

    /// Emits instructions in front of the body, where their results are visible everywhere.
    fn in_front(&mut self, write: impl FnOnce(&mut Self) -> Res<()>) -> Res<()> {
        self.b.push_region(Vec::new());
        let written = write(self);
        let region = self.b.pop_region();
        self.allocas.extend(region.insts);
        written
    }

    /// The operands of a decoration of an instruction's result.
    pub fn decoration(&self, id: Id, kind: Decoration) -> Option<&'a [u32]> {
        let stands_for = self.unit.stand_ins.get(&id);
        let id = stands_for.map_or(id, |other| other.of);
        self.unit.parsed.decoration(id, kind as u32)
    }

    pub fn result_type(&self, inst: &Inst) -> Res<Type> {
        self.unit.types.ir(inst.ty)
    }

    pub fn ty(&self, id: Id) -> Res<&Ty> {
        self.unit.types.get(self.unit.type_of(id)?)
    }
}

/// The labels that a block's terminator leads to.
fn labels(block: &Block, unit: &Unit) -> Res<Vec<Id>> {
    let inst = block.insts.last().ok_or("a block is empty")?;
    Ok(match inst.op {
        Op::Branch => vec![inst.arg(0)?],
        Op::BranchConditional => vec![inst.arg(1)?, inst.arg(2)?],
        Op::Switch => switch(inst, unit)?.1,
        _ => Vec::new(),
    })
}

/// The literals of a switch, and its labels, the default first.
fn switch(inst: &Inst, unit: &Unit) -> Res<(Vec<u64>, Vec<Id>)> {
    let ty = unit.types.value(unit.type_of(inst.arg(0)?)?)?;
    let width = unit.types.width(unit.type_of(inst.arg(0)?)?);
    let bits = width.unwrap_or(ty.scalar.bits());
    if bits > 64 {
        return Err(format!("a switch of {bits} bits is not supported"));
    }
    let words = if bits > 32 { 2 } else { 1 };
    let (mut literals, mut labels) = (Vec::new(), vec![inst.arg(1)?]);
    let mut seen = HashSet::new();
    for case in inst.rest(2).chunks(words + 1) {
        let &[low, .., label] = case else {
            return Err("a switch has half a case".into());
        };
        let high = if words == 2 { case[1] } else { 0 };
        let literal = u64::from(low) | u64::from(high) << 32;
        let literal = literal & ir::builder::mask(bits);
        if case.len() != words + 1 || !seen.insert(literal) {
            return Err("the cases of a switch do not fit".into());
        }
        literals.push(literal);
        labels.push(label);
    }
    Ok((literals, labels))
}
