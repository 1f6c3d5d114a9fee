//! Constant evaluation: an interpreter of the typed tree, whose memory is bytes with pointers beside
//! them, for calls of functions and objects of classes in constant expressions.

use super::super::Sema;
use super::super::consts::{self, convert_bits};
use super::super::tree::{Expr, ExprKind, FnId, LocalId, PlaceKind, Stmt, VarId};
use super::super::types::{Prim, Ty};
use super::FnKind;
use crate::source::SourceLoc;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Expressions and statements of one evaluation.
const MAX_STEPS: u64 = 1 << 20;
/// Calls within each other.
const MAX_CALLS: usize = 512;
/// Bytes of one object.
pub(super) const MAX_BYTES: u64 = 1 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    Object(usize),
    Global(VarId),
}

/// `None`: an address that is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pointer {
    pub base: Option<Base>,
    pub offset: i64,
}

#[derive(Debug, Clone)]
pub(super) enum Value {
    Lanes(Vec<u64>),
    Pointer(Pointer),
    Bytes(Object),
    Void,
}

/// Bytes, and pointers by their offsets; bytes that were not written are not known.
#[derive(Debug, Clone, Default)]
pub(super) struct Object {
    pub bytes: Vec<u8>,
    pub known: Vec<bool>,
    pub pointers: BTreeMap<u64, Pointer>,
}

impl Object {
    pub fn new(size: u64, known: bool) -> Object {
        Object {
            bytes: vec![0; size as usize],
            known: vec![known; size as usize],
            pointers: BTreeMap::new(),
        }
    }
}

/// A function's statements, kept while it runs.
pub(super) struct Code {
    pub body: Vec<Stmt>,
    params: Vec<usize>,
    locals: Vec<Ty>,
}

#[derive(Default)]
pub(super) struct Machine {
    pub objects: Vec<Object>,
    pub frames: Vec<HashMap<LocalId, usize>>,
    /// The code of each frame but the first.
    running: Vec<Rc<Code>>,
    code: HashMap<FnId, Rc<Code>>,
    globals: HashMap<VarId, usize>,
    /// The variable that the evaluation makes.
    pub made: Option<VarId>,
    pub steps: u64,
    /// What was met cannot be part of any constant expression.
    pub never: bool,
    /// What has no value is no constant.
    strict: bool,
    /// Something had no value.
    pub undefined: bool,
    /// The function around the expression, whose constants are known.
    outer: Option<FnId>,
}

impl Machine {
    pub fn new(s: &Sema) -> Machine {
        Machine {
            frames: vec![HashMap::new()],
            outer: s.cur.as_ref().map(|f| f.id),
            strict: s.xref().is_some_and(|x| x.strict),
            ..Machine::default()
        }
    }

    pub fn new_object(&mut self, size: u64, known: bool) -> usize {
        self.objects.push(Object::new(size.min(MAX_BYTES), known));
        self.objects.len() - 1
    }

    /// The object of a variable that the evaluation makes: all zero, which a constant cannot be made of.
    pub fn new_variable(&mut self, id: VarId, size: u64, is_constant: bool) -> usize {
        let object = self.new_object(size, !is_constant);
        self.globals.insert(id, object);
        self.made = Some(id);
        object
    }

    pub fn bind(&mut self, id: LocalId, object: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.insert(id, object);
        }
    }

    /// The object of a local; made when it is first met.
    pub fn local(&mut self, s: &Sema, id: LocalId, ty: Ty) -> Option<usize> {
        if let Some(&object) = self.frames.last()?.get(&id) {
            return Some(object);
        }
        if self.frames.len() == 1
            && let (Some(f), Some(x)) = (self.outer, s.xref())
            && let Some(bytes) = x.constants.get(&(f, id))
        {
            let at = self.new_object(bytes.len() as u64, true);
            self.objects[at].bytes.copy_from_slice(bytes);
            self.bind(id, at);
            return Some(at);
        }
        let size = s.types.size(ty);
        if size > MAX_BYTES || self.objects.len() > 1 << 16 {
            return None;
        }
        let at = self.new_object(size, false);
        self.bind(id, at);
        Some(at)
    }

    /// The type of a local of the innermost function.
    pub fn local_type(&self, s: &Sema, id: LocalId) -> Option<Ty> {
        match self.running.last() {
            Some(code) => code.locals.get(id.0 as usize).copied(),
            None => Some(s.cur.as_ref()?.locals.get(id.0 as usize)?.ty),
        }
    }

    pub(super) fn step(&mut self) -> Option<()> {
        self.steps += 1;
        (self.steps < MAX_STEPS).then_some(())
    }

    pub(super) fn global(&mut self, s: &Sema, id: VarId) -> Option<usize> {
        if let Some(&at) = self.globals.get(&id) {
            return Some(at);
        }
        let global = &s.globals[id.0 as usize];
        let quals = s.global_quals[id.0 as usize];
        let constant = quals.is_const || global.space == crate::ir::Space::Constant;
        if !constant || quals.is_volatile {
            self.never = true;
            return None;
        }
        let size = s.types.size(global.ty);
        let init = global.init.as_ref()?;
        if size > MAX_BYTES {
            return None;
        }
        let at = self.new_object(size, true);
        let bytes = init.bytes.get(0, size as usize);
        self.objects[at].bytes.copy_from_slice(&bytes);
        for (&offset, &(var, addend)) in &init.relocs {
            let pointer = Pointer {
                base: Some(Base::Global(var)),
                offset: addend,
            };
            self.objects[at].pointers.insert(offset, pointer);
        }
        self.globals.insert(id, at);
        Some(at)
    }

    // ------------------------------------------------------------ memory

    pub fn integer(&mut self, s: &mut Sema, e: &Expr) -> Option<i64> {
        let prim = s.types.scalar(e.ty)?;
        match self.expr(s, e)? {
            Value::Lanes(lanes) => Some(convert_bits(prim, Prim::Long, lanes[0]) as i64),
            _ => None,
        }
    }

    pub fn truth(&mut self, s: &mut Sema, e: &Expr) -> Option<bool> {
        match self.expr(s, e)? {
            Value::Lanes(lanes) => {
                let prim = s.types.scalar(e.ty)?;
                Some(convert_bits(prim, Prim::Bool, lanes[0]) != 0)
            }
            Value::Pointer(p) => Some(p.base.is_some() || p.offset != 0),
            _ => None,
        }
    }

    // ------------------------------------------------------------ expressions

    /// An operand as an expression of constants.
    pub(super) fn constant(&mut self, s: &mut Sema, e: &Expr) -> Option<Box<Expr>> {
        let kind = match self.expr(s, e)? {
            Value::Lanes(lanes) if s.types.vector(e.ty).is_some() => ExprKind::ConstVector(lanes),
            Value::Lanes(lanes) => ExprKind::Const(lanes[0]),
            Value::Pointer(Pointer { base: None, offset }) => ExprKind::Const(offset as u64),
            _ => return None,
        };
        Some(Box::new(Expr::new(kind, e.ty, e.loc)))
    }

    /// The value of an operation whose operands are constants, as sema folds it.
    pub(super) fn fold(&mut self, s: &Sema, e: &Expr, kind: ExprKind) -> Option<Value> {
        let e = Expr::new(kind, e.ty, e.loc);
        if self.strict && s.is_undefined(&e) {
            self.undefined = true;
            return None;
        }
        match s.evaluate(&e)? {
            consts::Value::Lanes(lanes) => Some(Value::Lanes(lanes)),
            consts::Value::Address(var, offset) => Some(Value::Pointer(Pointer {
                base: Some(Base::Global(var)),
                offset,
            })),
        }
    }

    pub fn expr(&mut self, s: &mut Sema, e: &Expr) -> Option<Value> {
        self.step()?;
        use ExprKind::*;
        let is_pointer = |s: &Sema, ty: Ty| s.types.pointee(ty).is_some();
        match &e.kind {
            Const(bits) if is_pointer(s, e.ty) => Some(Value::Pointer(Pointer {
                base: None,
                offset: *bits as i64,
            })),
            Const(_) | ConstVector(_) => self.fold(s, e, e.kind.clone()),
            Load(place) => {
                // Constants of the function around are known by their values.
                if let PlaceKind::Local(id) = place.kind
                    && self.frames.len() == 1
                    && !self.frames[0].contains_key(&id)
                    && let Some(bits) = s.cur.as_ref().and_then(|f| f.constants.get(&id))
                {
                    return Some(Value::Lanes(vec![*bits]));
                }
                if let PlaceKind::Lanes(base, lanes) = &place.kind {
                    let at = self.place(s, base)?;
                    let Value::Lanes(all) = self.read(s, at, base.ty)? else {
                        return None;
                    };
                    let lanes = lanes.iter().map(|&l| all.get(l as usize).copied());
                    return lanes.collect::<Option<Vec<u64>>>().map(Value::Lanes);
                }
                let at = self.place(s, place)?;
                self.read(s, at, place.ty)
            }
            AddrOf(place) => self.place(s, place).map(Value::Pointer),
            Binary(op, a, b) => {
                let kind = Binary(*op, self.constant(s, a)?, self.constant(s, b)?);
                self.fold(s, e, kind)
            }
            Unary(op, a) => {
                let kind = Unary(*op, self.constant(s, a)?);
                self.fold(s, e, kind)
            }
            Compare(op, a, b) if is_pointer(s, a.ty) => self.compare(s, *op, a, b),
            Compare(op, a, b) => {
                let kind = Compare(*op, self.constant(s, a)?, self.constant(s, b)?);
                self.fold(s, e, kind)
            }
            LogAnd(a, b) => {
                let truth = self.truth(s, a)? && self.truth(s, b)?;
                Some(Value::Lanes(vec![u64::from(truth)]))
            }
            LogOr(a, b) => {
                let truth = self.truth(s, a)? || self.truth(s, b)?;
                Some(Value::Lanes(vec![u64::from(truth)]))
            }
            LogNot(a) if s.types.vector(a.ty).is_none() => {
                let truth = self.truth(s, a)?;
                Some(Value::Lanes(vec![u64::from(!truth)]))
            }
            Cond(c, a, b) => match self.truth(s, c)? {
                true => self.expr(s, a),
                false => self.expr(s, b),
            },
            Comma(a, b) => {
                self.expr(s, a)?;
                self.expr(s, b)
            }
            PtrAdd {
                ptr,
                index,
                size,
                negate,
            } => {
                let Value::Pointer(at) = self.expr(s, ptr)? else {
                    return None;
                };
                let index = self.integer(s, index)?.checked_mul(*size as i64)?;
                let index = if *negate { index.checked_neg()? } else { index };
                let offset = at.offset.checked_add(index)?;
                let end = match at.base {
                    Some(Base::Global(var)) => s.types.size(s.globals[var.0 as usize].ty) as i64,
                    Some(Base::Object(object)) => self.objects[object].bytes.len() as i64,
                    None => i64::MAX,
                };
                if self.strict && at.base.is_some() && !(0..=end).contains(&offset) {
                    self.undefined = true;
                    return None;
                }
                Some(Value::Pointer(Pointer { offset, ..at }))
            }
            PtrDiff { a, b, size } => {
                let (Value::Pointer(a), Value::Pointer(b)) = (self.expr(s, a)?, self.expr(s, b)?)
                else {
                    return None;
                };
                let bytes = (a.base == b.base).then(|| a.offset.wrapping_sub(b.offset))?;
                Some(Value::Lanes(vec![bytes.checked_div(*size as i64)? as u64]))
            }
            Assign(place, value) => {
                let value = self.expr(s, value)?;
                if let PlaceKind::Lanes(base, lanes) = &place.kind
                    && lanes.len() > 1
                {
                    let Value::Lanes(new) = &value else {
                        return None;
                    };
                    let at = self.place(s, base)?;
                    let size =
                        s.types.size(base.ty) / u64::from(s.types.arith(base.ty)?.lanes.max(1));
                    let prim = s.types.arith(base.ty)?.prim;
                    let lane_ty = s.types.prim(prim);
                    for (&lane, &bits) in lanes.iter().zip(new) {
                        let to = Pointer {
                            offset: at.offset + i64::from(lane) * size.min(prim.size()) as i64,
                            ..at
                        };
                        self.write(s, to, lane_ty, &Value::Lanes(vec![bits]))?;
                    }
                    return Some(value);
                }
                let at = self.place(s, place)?;
                self.write(s, at, place.ty, &value)?;
                Some(value)
            }
            CompoundAssign {
                place,
                op,
                compute_ty,
                rhs,
            } => {
                let at = self.place(s, place)?;
                let Value::Lanes(old) = self.read(s, at, place.ty)? else {
                    return None;
                };
                let constant = |s: &Sema, lanes: Vec<u64>, ty: Ty| {
                    let kind = match s.types.vector(ty) {
                        Some(_) => ConstVector(lanes),
                        None => Const(lanes[0]),
                    };
                    Expr::new(kind, ty, e.loc)
                };
                let old = constant(s, old, place.ty);
                let old = s.convert(old, *compute_ty);
                let rhs = self.constant(s, rhs)?;
                let kind = Binary(*op, Box::new(old), rhs);
                let sum = Expr::new(Const(0), *compute_ty, e.loc);
                let Value::Lanes(lanes) = self.fold(s, &sum, kind)? else {
                    return None;
                };
                let sum = constant(s, lanes, *compute_ty);
                let sum = s.convert(sum, place.ty);
                let value = self.expr(s, &sum)?;
                self.write(s, at, place.ty, &value)?;
                Some(value)
            }
            PtrAssignAdd {
                place,
                index,
                size,
                negate,
            } => {
                let at = self.place(s, place)?;
                let Value::Pointer(old) = self.read(s, at, place.ty)? else {
                    return None;
                };
                let index = self.integer(s, index)?.checked_mul(*size as i64)?;
                let index = if *negate { index.checked_neg()? } else { index };
                let value = Value::Pointer(Pointer {
                    offset: old.offset.checked_add(index)?,
                    ..old
                });
                self.write(s, at, place.ty, &value)?;
                Some(value)
            }
            IncDec {
                place,
                size,
                negate,
                post,
            } => {
                let at = self.place(s, place)?;
                let old = self.read(s, at, place.ty)?;
                let new = match &old {
                    Value::Pointer(p) => {
                        let step = if *negate {
                            -(*size as i64)
                        } else {
                            *size as i64
                        };
                        Value::Pointer(Pointer {
                            offset: p.offset.checked_add(step)?,
                            ..*p
                        })
                    }
                    Value::Lanes(lanes) => {
                        let prim = s.types.scalar(place.ty)?;
                        let one = convert_bits(Prim::Int, prim, 1);
                        let op = match negate {
                            true => super::super::tree::BinOp::Sub,
                            false => super::super::tree::BinOp::Add,
                        };
                        let constant = |bits| Box::new(Expr::new(Const(bits), place.ty, e.loc));
                        let sum = Binary(op, constant(lanes[0]), constant(one));
                        let of = constant(0);
                        self.fold(s, &of, sum)?
                    }
                    _ => return None,
                };
                self.write(s, at, place.ty, &new)?;
                Some(if *post { old } else { new })
            }
            Convert(a) if s.types.is_void(e.ty) => {
                self.expr(s, a)?;
                Some(Value::Void)
            }
            Convert(a) | Reinterpret(a) if is_pointer(s, a.ty) || is_pointer(s, e.ty) => {
                let value = self.expr(s, a)?;
                match (value, is_pointer(s, e.ty), s.types.scalar(e.ty)) {
                    (Value::Pointer(p), true, _) => Some(Value::Pointer(p)),
                    (Value::Pointer(p), _, Some(Prim::Bool)) => {
                        let truth = p.base.is_some() || p.offset != 0;
                        Some(Value::Lanes(vec![u64::from(truth)]))
                    }
                    (Value::Lanes(lanes), true, _) => Some(Value::Pointer(Pointer {
                        base: None,
                        offset: lanes[0] as i64,
                    })),
                    _ => None,
                }
            }
            Convert(a) => {
                let kind = Convert(self.constant(s, a)?);
                self.fold(s, e, kind)
            }
            Reinterpret(a) => {
                let kind = Reinterpret(self.constant(s, a)?);
                self.fold(s, e, kind)
            }
            Splat(a) => {
                let kind = Splat(self.constant(s, a)?);
                self.fold(s, e, kind)
            }
            VectorLit(parts) => {
                let mut lanes = Vec::new();
                for part in parts {
                    match self.expr(s, part)? {
                        Value::Lanes(more) => lanes.extend(more),
                        _ => return None,
                    }
                }
                Some(Value::Lanes(lanes))
            }
            Swizzle(a, which) => {
                let kind = Swizzle(self.constant(s, a)?, which.clone());
                self.fold(s, e, kind)
            }
            Call(id, args) => self.call(s, *id, args, e.loc),
            StmtExpr(stmts, value) => {
                if !matches!(self.stmts(s, stmts)?, super::evaluate_stmt::Flow::Next) {
                    return None;
                }
                match value {
                    Some(value) => self.expr(s, value),
                    None => Some(Value::Void),
                }
            }
            Builtin(..) => {
                self.never = true;
                None
            }
            _ => None,
        }
    }

    pub(super) fn compare(
        &mut self,
        s: &mut Sema,
        op: super::super::tree::CmpOp,
        a: &Expr,
        b: &Expr,
    ) -> Option<Value> {
        use super::super::tree::CmpOp;
        let (Value::Pointer(a), Value::Pointer(b)) = (self.expr(s, a)?, self.expr(s, b)?) else {
            return None;
        };
        let same = a.base == b.base;
        let truth = match op {
            CmpOp::Eq => same && a.offset == b.offset,
            CmpOp::Ne => !same || a.offset != b.offset,
            _ if !same => return None,
            CmpOp::Lt => a.offset < b.offset,
            CmpOp::Le => a.offset <= b.offset,
            CmpOp::Gt => a.offset > b.offset,
            CmpOp::Ge => a.offset >= b.offset,
        };
        Some(Value::Lanes(vec![u64::from(truth)]))
    }

    fn code_of(&mut self, s: &mut Sema, id: FnId, loc: SourceLoc) -> Option<Rc<Code>> {
        if let Some(code) = self.code.get(&id) {
            return Some(code.clone());
        }
        s.define_now(id, loc);
        let function = &s.functions[id.0 as usize];
        let code = Rc::new(Code {
            body: function.body.clone()?,
            params: function.params().collect(),
            locals: function.locals.iter().map(|l| l.ty).collect(),
        });
        self.code.insert(id, code.clone());
        Some(code)
    }

    /// Whether a function does what no constant can have, whatever its arguments are. A function that takes long is not looked at.
    pub fn is_never_constant(&mut self, s: &mut Sema, id: FnId, f: &super::CxxFn) -> bool {
        let Some(code) = self.code_of(s, id, f.loc) else {
            return false;
        };
        self.steps = MAX_STEPS - MAX_STEPS / 64;
        self.frames.push(HashMap::new());
        if let (Some(method), FnKind::Constructor) = (f.method, f.kind) {
            // The object is there, with nothing in it.
            let made = self.new_object(s.types.size(method.this.ty), false);
            let this = self.new_object(8, true);
            let pointer = Pointer {
                base: Some(Base::Object(made)),
                offset: 0,
            };
            self.objects[this].pointers.insert(0, pointer);
            self.bind(LocalId(u32::from(f.slot)), this);
        }
        self.running.push(code.clone());
        self.strict = true;
        self.stmts(s, &code.body).is_none() && (self.never || self.undefined)
    }

    pub(super) fn call(
        &mut self,
        s: &mut Sema,
        id: FnId,
        args: &[Expr],
        loc: SourceLoc,
    ) -> Option<Value> {
        if self.frames.len() > MAX_CALLS {
            return None;
        }
        let allowed = s.cxx_fn(id).is_some_and(|f| {
            f.is_constexpr
                || f.kind != FnKind::Plain
                || f.class.is_some_and(|class| s.is_lambda(class))
        });
        if !allowed {
            self.never = true;
            return None;
        }
        let mut values = Vec::new();
        for arg in args {
            values.push((self.expr(s, arg)?, arg.ty));
        }
        let code = self.code_of(s, id, loc)?;
        self.frames.push(HashMap::new());
        for ((value, _), &i) in values.iter().zip(&code.params) {
            let ty = *code.locals.get(i)?;
            let object = self.new_object(s.types.size(ty), false);
            self.bind(LocalId(i as u32), object);
            let at = Pointer {
                base: Some(Base::Object(object)),
                offset: 0,
            };
            self.write(s, at, ty, value)?;
        }
        self.running.push(code.clone());
        let flow = self.stmts(s, &code.body);
        self.running.pop();
        self.frames.pop();
        match flow? {
            super::evaluate_stmt::Flow::Return(value) => Some(value),
            super::evaluate_stmt::Flow::Next => Some(Value::Void),
            _ => None,
        }
    }
}
