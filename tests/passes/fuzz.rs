//! Random programs, the same on every run: structured control, private objects of all shapes, calls
//! with early returns. What they compute has no undefined part, so every pass must keep it.

use caldera_compiler::diag::Sink;
use caldera_compiler::ir::builder::Builder;
use caldera_compiler::ir::interp::{self, ArgValue, Launch, Memory};
use caldera_compiler::ir::parse::parse;
use caldera_compiler::ir::verify::{Stage, verify};
use caldera_compiler::ir::{
    BinOp, CastOp, CmpOp, FuncId, Function, Inline, Module, Op, Region, Scalar, Space, Type, UnOp,
    Unroll, Value,
};
use caldera_compiler::options::Options;
use caldera_compiler::pass::{self, Ctx};
use caldera_compiler::target::Target;

use crate::common::rng::Rng;

/// Variables of each function, 32 bits each.
const VARS: usize = 5;
/// Statements of a function.
const STATEMENTS: u32 = 40;
const MAX_DEPTH: u32 = 4;

/// A kernel "k" with parameters `ptr<global>` (room for [`OUT_WORDS`]), i32, i32.
pub fn module(rng: &mut Rng) -> Module {
    // The text gives the kernel its parameters' descriptions.
    let text = "kernel f0 \"k\"(v0: ptr<global>, v1: i32, v2: i32) {\n return\n}\n";
    let mut module = parse(text).expect("the kernel reads");
    let mut callees = Vec::new();
    for i in 0..3u32 {
        let by_pointer = rng.below(2) == 0;
        let mut func = Function {
            inline: [Inline::Auto, Inline::Always, Inline::Never][rng.below(3)],
            ..Function::new(format!("f{i}"), &[], Some(Type::I32))
        };
        body(&mut func, rng, &callees, by_pointer);
        module.funcs.push(func);
        callees.push((FuncId(i + 1), by_pointer));
    }
    let kernel = &mut module.funcs[0];
    body(kernel, rng, &callees, false);
    module
}

/// 32-bit words that the kernel writes.
pub const OUT_WORDS: usize = VARS + 8 + SHARED;
/// Of these, words that all functions read and write.
const SHARED: usize = 3;

fn body(func: &mut Function, rng: &mut Rng, callees: &[(FuncId, bool)], by_pointer: bool) {
    let kernel = func.kernel.is_some();
    let ret = func.ret;
    let mut b = Builder::new(func);
    let mut inputs = Vec::new();
    if kernel {
        inputs.extend([Value(1), Value(2)]);
    } else {
        b.param(Type::ptr(Space::Global));
        inputs.extend([b.param(Type::I32), b.param(Type::I32)]);
    }
    let mut g = Gen {
        pointer: by_pointer.then(|| b.param(Type::ptr(Space::Private))),
        vars: Vec::new(),
        objects: Vec::new(),
        b,
        rng,
        inputs,
        callees,
        ret,
        breaks: Vec::new(),
        loops: Vec::new(),
        budget: STATEMENTS,
    };
    for i in 0..VARS {
        let var = g.b.alloca(4, 4);
        let init = g.b.const_int(Type::I32, i as i64 * 3 - 4);
        g.b.store(var, init, 4);
        g.vars.push(var);
    }
    for _ in 0..2 {
        let object = g.b.alloca(16, 16);
        g.b.zero(object, 16, 16);
        g.objects.push(object);
    }
    g.statements(0);
    if g.b.terminated() {
        // A kernel writes its results wherever it returns.
        return g.b.finish();
    }
    g.end();
    g.b.finish();
}

/// What a loop counts, down or up to 0.
#[derive(Clone, Copy)]
struct Counter {
    param: Value,
    op: BinOp,
    step: i64,
    /// Left behind the step instead of at the head.
    left_at_end: bool,
    /// How many loops and switches a break inside has around it.
    breaks: usize,
}

struct Gen<'a, 'r> {
    b: Builder<'a>,
    rng: &'r mut Rng,
    inputs: Vec<Value>,
    /// A parameter: 4 bytes of the caller.
    pointer: Option<Value>,
    vars: Vec<Value>,
    /// Of 16 bytes, accessed in many ways.
    objects: Vec<Value>,
    callees: &'r [(FuncId, bool)],
    ret: Option<Type>,
    /// Numbers of results of the loops and switches around.
    breaks: Vec<usize>,
    /// The loops around.
    loops: Vec<Counter>,
    budget: u32,
}

impl Gen<'_, '_> {
    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n)
    }

    fn var(&mut self) -> Value {
        let i = self.below(VARS);
        self.vars[i]
    }

    /// Returns from the function; a kernel writes all that it has before.
    fn end(&mut self) {
        if self.ret.is_some() {
            let value = self.expr(2);
            return self.b.return_(Some(value));
        }
        for i in 0..VARS {
            let v = self.b.load(self.vars[i], Type::I32, 4);
            let to = self.b.ptradd_const(Value(0), i as i64 * 4);
            self.b.store(to, v, 4);
        }
        for i in 0..2 {
            let to = self.b.ptradd_const(Value(0), (VARS as i64 + i * 4) * 4);
            let from = self.objects[i as usize];
            self.b.copy(to, from, 16, 4);
        }
        self.b.return_(None);
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..self.below(6) + 2 {
            if self.b.terminated() || self.budget == 0 || self.rng.spent() {
                return;
            }
            self.budget -= 1;
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        let nested = depth < MAX_DEPTH;
        match self.below(15) {
            13 => {
                // Memory that calls may change.
                let at = (VARS + 8 + self.below(SHARED)) * 4;
                let p = self.b.ptradd_const(Value(0), at as i64);
                let old = self.b.load(p, Type::I32, 4);
                match self.below(2) {
                    0 => self.assign(old),
                    _ => {
                        let x = self.expr(2);
                        let sum = self.b.binary(BinOp::Add, old, x);
                        self.b.store(p, sum, 4);
                    }
                }
            }
            0..3 => {
                let value = self.expr(3);
                self.assign(value);
            }
            3 => self.object_store(),
            4 => {
                let value = self.object_load();
                self.assign(value);
            }
            5 => {
                let size = [4, 8, 16][self.below(3)];
                let at = self.below(16 / size) * size;
                let to = self.b.ptradd_const(self.objects[0], at as i64);
                let from = self.b.ptradd_const(self.objects[1], at as i64);
                let align = size.min(8) as u32;
                match self.below(4) {
                    0 => self.b.zero(to, size as u32, align),
                    1 => self.b.copy(from, to, size as u32, align),
                    _ => self.b.copy(to, from, size as u32, align),
                }
            }
            6 | 7 if nested => self.if_(depth),
            8 if nested => self.loop_(depth),
            9 if nested => self.switch(depth),
            10 => self.call(),
            11 if depth > 0 => self.leave(),
            12 if self.pointer.is_some() => {
                let p = self.pointer.unwrap_or(Value(0));
                let old = self.b.load(p, Type::I32, 4);
                let x = self.expr(1);
                let sum = self.b.binary(BinOp::Add, old, x);
                self.b.store(p, sum, 4);
            }
            _ => {
                // A variable of this block.
                let var = self.b.alloca(4, 4);
                let value = self.expr(2);
                self.b.store(var, value, 4);
                let again = self.b.load(var, Type::I32, 4);
                self.assign(again);
            }
        }
    }

    fn assign(&mut self, value: Value) {
        let var = self.var();
        self.b.store(var, value, 4);
    }

    fn exprs(&mut self, n: usize) -> Vec<Value> {
        (0..n).map(|_| self.expr(1)).collect()
    }

    /// A break, continue or return, under a condition so that what follows may run.
    fn leave(&mut self) {
        let cond = self.cond();
        let kind = self.below(5);
        self.b.push_region(Vec::new());
        match (
            kind,
            self.breaks.last().copied(),
            self.loops.last().copied(),
        ) {
            (0..2, Some(n), _) => {
                let values = self.exprs(n);
                self.b.break_(values);
            }
            // A break in a switch would not leave the loop.
            (2..4, _, Some(c)) if !c.left_at_end || c.breaks == self.breaks.len() => {
                self.next_round();
            }
            _ => self.end(),
        }
        let then = self.b.pop_region();
        let (then, other) = match self.below(2) {
            0 => (then, yielding(&mut self.b)),
            _ => (yielding(&mut self.b), then),
        };
        self.b.insert(Op::If(cond, then, other), &[]);
    }

    fn next_round(&mut self) {
        let Some(&counter) = self.loops.last() else {
            return;
        };
        let step = self.b.const_int(Type::I32, counter.step);
        let next = self.b.binary(counter.op, counter.param, step);
        if counter.left_at_end {
            let zero = self.b.const_int(Type::I32, 0);
            let more = self.b.compare(CmpOp::Ne, next, zero);
            self.break_unless(more);
        }
        self.b.continue_(vec![next]);
    }

    fn break_unless(&mut self, more: Value) {
        let results = self.breaks.last().copied().unwrap_or(0);
        let then = yielding(&mut self.b);
        self.b.push_region(Vec::new());
        let values = self.exprs(results);
        self.b.break_(values);
        let other = self.b.pop_region();
        self.b.insert(Op::If(more, then, other), &[]);
    }

    /// A region that yields, unless it left.
    fn region(&mut self, depth: u32, results: usize) -> Box<Region> {
        self.b.push_region(Vec::new());
        self.statements(depth + 1);
        if !self.b.terminated() {
            let values = self.exprs(results);
            self.b.yield_(values);
        }
        self.b.pop_region()
    }

    fn if_(&mut self, depth: u32) {
        let cond = self.cond();
        let results = self.below(3);
        let then = self.region(depth, results);
        let other = self.region(depth, results);
        self.control(Op::If(cond, then, other), results);
    }

    fn control(&mut self, op: Op, results: usize) {
        let values = self.b.insert(op, &vec![Type::I32; results]);
        for v in values {
            self.assign(v);
        }
    }

    fn switch(&mut self, depth: u32) {
        let selector = self.expr(1);
        let three = self.b.const_int(Type::I32, 3);
        let selector = self.b.binary(BinOp::And, selector, three);
        let results = self.below(2);
        self.breaks.push(results);
        let cases = vec![
            (vec![0], self.region(depth, results)),
            (vec![1, 3], self.region(depth, results)),
        ];
        let default = self.region(depth, results);
        self.breaks.pop();
        let op = Op::Switch {
            selector,
            cases,
            default,
        };
        self.control(op, results);
    }

    fn loop_(&mut self, depth: u32) {
        // Few rounds where loops stand in loops.
        let rounds = match self.loops.len() {
            0 if self.below(3) == 0 => self.below(40) + 1,
            _ => self.below(4),
        } as i64;
        let param = self.b.func.new_value(Type::I32);
        let (first, op, step, head) = match self.below(4) {
            0 => {
                let step = self.below(5) as i64 + 1;
                (rounds * step, BinOp::Sub, step, CmpOp::Sgt)
            }
            1 => (rounds, BinOp::Sub, 1, CmpOp::Ne),
            2 => ((1 << rounds.min(30)) - 1, BinOp::LShr, 1, CmpOp::Ugt),
            _ => (-2 * rounds, BinOp::Add, 2, CmpOp::Slt),
        };
        let results = self.below(2);
        let counter = Counter {
            param,
            op,
            step,
            left_at_end: rounds > 0 && self.below(3) == 0,
            breaks: self.breaks.len() + 1,
        };
        let init = self.b.const_int(Type::I32, first);
        self.b.push_region(vec![param]);
        self.breaks.push(results);
        self.loops.push(counter);
        if !counter.left_at_end {
            let zero = self.b.const_int(Type::I32, 0);
            let more = self.b.compare(head, param, zero);
            self.break_unless(more);
        }
        self.inputs.push(param);
        self.statements(depth + 1);
        self.inputs.pop();
        if !self.b.terminated() {
            self.next_round();
        }
        self.loops.pop();
        self.breaks.pop();
        let body = self.b.pop_region();
        let init = vec![init];
        self.control(
            Op::Loop {
                init,
                body,
                unroll: Unroll::Auto,
            },
            results,
        );
    }

    fn call(&mut self) {
        if self.callees.is_empty() {
            return;
        }
        let callee = self.below(self.callees.len());
        let (callee, by_pointer) = self.callees[callee];
        let mut args = vec![Value(0)];
        args.extend(self.exprs(2));
        if by_pointer {
            args.push(match self.below(2) {
                0 => self.var(),
                _ => {
                    let at = self.below(4) as i64 * 4;
                    self.b.ptradd_const(self.objects[0], at)
                }
            });
        }
        if let Some(v) = self.b.call(callee, args, Some(Type::I32)) {
            self.assign(v);
        }
    }

    fn cond(&mut self) -> Value {
        let (x, y) = (self.expr(1), self.expr(1));
        let op = [
            CmpOp::Eq,
            CmpOp::Ne,
            CmpOp::Slt,
            CmpOp::Sge,
            CmpOp::Ult,
            CmpOp::Ugt,
        ][self.below(6)];
        let cond = self.b.compare(op, x, y);
        match self.below(4) {
            0 => self.b.unary(UnOp::Not, cond),
            _ => cond,
        }
    }

    fn expr(&mut self, depth: u32) -> Value {
        use BinOp::*;
        if depth == 0 || self.rng.spent() {
            return match self.below(4) {
                0 => {
                    let c = [0, 1, -1, 2, 7, 31, 256, -4][self.below(8)];
                    self.b.const_int(Type::I32, c)
                }
                1 => {
                    let i = self.below(self.inputs.len());
                    self.inputs[i]
                }
                _ => {
                    let var = self.var();
                    self.b.load(var, Type::I32, 4)
                }
            };
        }
        let x = self.expr(depth - 1);
        match self.below(8) {
            0 => x,
            1 => {
                let (cond, y) = (self.cond(), self.expr(depth - 1));
                self.b.select(cond, x, y)
            }
            2 => {
                let cond = self.cond();
                self.b.cast(CastOp::BoolToInt, cond, Type::I32)
            }
            3 => {
                let op = [UnOp::Neg, UnOp::Not, UnOp::Popcount][self.below(3)];
                self.b.unary(op, x)
            }
            4 => {
                // Through another width.
                let y = self.expr(depth - 1);
                let [i, j] = [x, y].map(|v| {
                    let op = [CastOp::ZExt, CastOp::SExt][self.rng.below(2)];
                    self.b.cast(op, v, Type::I64)
                });
                let op = [Add, Sub, Mul, And, Or, Xor, LShr, AShr, Shl][self.below(9)];
                let wide = self.b.binary(op, i, j);
                self.b.cast(CastOp::Trunc, wide, Type::I32)
            }
            5 => {
                let ty = [Type::I8, Type::I16][self.below(2)];
                let narrow = self.b.cast(CastOp::Trunc, x, ty);
                let op = [CastOp::ZExt, CastOp::SExt][self.below(2)];
                self.b.cast(op, narrow, Type::I32)
            }
            _ => {
                let y = self.expr(depth - 1);
                let op = [
                    Add, Sub, Mul, And, Or, Xor, Shl, LShr, AShr, SMin, UMax, UMulHi, UAddSat,
                ][self.below(13)];
                self.b.binary(op, x, y)
            }
        }
    }

    /// An address in an object for an access of `ty`.
    fn address(&mut self, ty: Type) -> Value {
        let object = self.below(2);
        let object = self.objects[object];
        let size = ty.size() as usize;
        if ty == Type::I32 && self.below(4) == 0 {
            let x = self.expr(1);
            let three = self.b.const_int(Type::I32, 3);
            let lane = self.b.binary(BinOp::And, x, three);
            let lane = self.b.cast(CastOp::SExt, lane, Type::I64);
            let four = self.b.const_int(Type::I64, 4);
            let offset = self.b.binary(BinOp::Mul, lane, four);
            return self.b.ptradd(object, offset);
        }
        let at = self.below(16 / size) * size;
        self.b.ptradd_const(object, at as i64)
    }

    fn object_type(&mut self) -> Type {
        let types = [
            Type::I32,
            Type::I32,
            Type::I8,
            Type::I16,
            Type::I64,
            Type::vector(Scalar::I32, 2),
            Type::vector(Scalar::I32, 4),
            Type::vector(Scalar::I16, 4),
        ];
        // Most programs use few shapes, so that their objects can be split.
        let kinds = 1 + self.vars[0].index() % types.len();
        types[self.below(kinds)]
    }

    fn object_store(&mut self) {
        let ty = self.object_type();
        let to = self.address(ty);
        let lanes: Vec<Value> = (0..ty.lanes)
            .map(|_| {
                let x = self.expr(1);
                self.b.int_resize(x, ty.scalar, true)
            })
            .collect();
        let value = self.b.construct(lanes);
        self.b.store(to, value, ty.scalar.size());
    }

    fn object_load(&mut self) -> Value {
        let ty = self.object_type();
        let from = self.address(ty);
        let value = self.b.load(from, ty, ty.scalar.size());
        let lane = self.below(ty.lanes as usize) as u8;
        let x = self.b.extract(value, lane);
        self.b.int_resize(x, Scalar::I32, false)
    }
}

fn yielding(b: &mut Builder) -> Box<Region> {
    b.push_region(Vec::new());
    b.yield_(Vec::new());
    b.pop_region()
}

/// What a program writes with some arguments; `Err` if it does not run to its end.
fn outcome(module: &Module) -> Result<Vec<u8>, String> {
    let kernel = module.funcs.iter().position(|f| f.name == "k");
    let kernel = FuncId(kernel.expect("the kernel") as u32);
    let mut memory = Memory::default();
    let mut written = Vec::new();
    for (x, y) in [(5i32, -3i32), (0, 1), (-0x1234567, 0x765432)] {
        let out = memory.add(vec![7; OUT_WORDS * 4]);
        let args = vec![
            ArgValue::Pointer(out),
            ArgValue::Bytes(x.to_le_bytes().to_vec()),
            ArgValue::Bytes(y.to_le_bytes().to_vec()),
        ];
        let launch = Launch::new(&[1], &[1], args);
        interp::run(module, kernel, &launch, &mut memory).map_err(|e| e.to_string())?;
        written.extend_from_slice(memory.bytes(out));
    }
    Ok(written)
}

/// Runs passes one behind the other and looks at the module behind each; panics if one makes a
/// wrong module or another result. `at` says which program it is.
pub fn check(mut module: Module, passes: &[&str], target: &Target, at: &str) {
    verify(&module, Stage::Lowered, target).unwrap_or_else(|e| panic!("{at}: {e}\n{module}"));
    let expected = outcome(&module).unwrap_or_else(|e| panic!("{at}: {e}\n{module}"));
    for (i, name) in passes.iter().enumerate() {
        let before = module.clone();
        let at = format!("{at}, {name}");
        run(&mut module, name, target).unwrap_or_else(|e| panic!("{at}: {e}"));
        if let Err(defect) = verify(&module, stage(&passes[..=i]), target) {
            panic!("{at}: {defect}\n{before}\nbecame\n{module}");
        }
        let got = outcome(&module).unwrap_or_else(|e| panic!("{at}: {e}\n{module}"));
        assert!(
            got == expected,
            "{at}: {expected:?}, now {got:?}\n{before}\nbecame\n{module}"
        );
    }
}

/// [`check`] that looks only behind the last pass, which takes a tenth of the time; if something is
/// wrong there it looks at each.
pub fn check_end(module: Module, passes: &[&str], target: &Target, at: &str) {
    let mut after = module.clone();
    let ran = passes.iter().try_for_each(|p| run(&mut after, p, target));
    let right = ran.is_ok()
        && verify(&after, stage(passes), target).is_ok()
        && outcome(&after).is_ok_and(|got| outcome(&module).is_ok_and(|expected| got == expected));
    if !right {
        check(module, passes, target, at);
        panic!("{at}: wrong behind {passes:?}, but not behind each");
    }
}

fn run(module: &mut Module, name: &str, target: &Target) -> Result<(), String> {
    let pass = pass::find(name).ok_or("no such pass")?;
    let ctx = Ctx {
        target,
        options: &Options::default(),
        after: None,
    };
    let mut sink = Sink::default();
    (pass.run)(module, &ctx, &mut sink);
    match sink.diags.first() {
        Some(diag) => Err(diag.message.clone()),
        None => Ok(()),
    }
}

/// What holds behind these passes: stages follow from the pipeline's order alone.
fn stage(passes: &[&str]) -> Stage {
    let pipeline = pass::PIPELINE.iter().take(passes.len());
    if !pipeline.clone().map(|p| p.name).eq(passes.iter().copied()) {
        return Stage::Lowered;
    }
    let established = pipeline.rev().find_map(|p| p.establishes);
    established.unwrap_or(Stage::Lowered)
}
