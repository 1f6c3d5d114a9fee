//! Kernels that enqueue kernels: ranges, and records for the runtime (docs/device_queues.md). Functions of
//! shaders/device_queue.cl find room and describe; what a block has captured is copied here, where its type is known.

use super::builtin::BuiltinCall;
use super::function::FunctionLowering;
use crate::device_queue::{kind, ndrange, record};
use crate::front::clc::builtins::implementation::LibraryName;
use crate::front::clc::sema::tree::Enqueue;
use crate::ir::builder::Builder;
use crate::ir::{BinOp, CastOp, CmpOp, FuncId, Op, Space, Type, UnOp, Value};
use crate::kernel::{Role, SysField};

/// The file below shaders/.
const FILE: &str = "device_queue";

const CLK_ENQUEUE_FAILURE: i64 = -101;
const CLK_INVALID_EVENT_WAIT_LIST: i64 = -57;

impl<'u> FunctionLowering<'_, 'u, '_> {
    /// The memory of the device queues.
    fn queue_memory(&mut self) -> Value {
        let address = self.b.insert1(Op::Sys(SysField::DeviceQueue), Type::I64);
        self.b
            .cast(CastOp::IntToPtr, address, Type::ptr(Space::Global))
    }

    /// A function of the library that takes the memory of the queues first.
    pub fn queue_call(&mut self, name: &LibraryName, call: &BuiltinCall<'u>) -> Option<Value> {
        let memory = self.queue_memory();
        let mut args = vec![memory];
        args.extend(&call.values);
        let id = self.queue_function(&name.function)?;
        let ret = self.unit.module.funcs[id.index()].ret;
        self.b.call(id, args, ret)
    }

    fn queue_function(&mut self, name: &str) -> Option<FuncId> {
        match self.unit.import_named(FILE, name) {
            Ok(Some(id)) => Some(id),
            Ok(None) => {
                self.defect("a function of device queues that the library lacks");
                None
            }
            Err(message) => {
                self.unit.sink.internal(message);
                None
            }
        }
    }

    fn word(&mut self, value: u32) -> Value {
        self.b.const_int(Type::I32, value.into())
    }

    /// ndrange_1D and kin: [[offset,] global,] local as in C, where one argument is the global size.
    pub fn ndrange(&mut self, call: &BuiltinCall<'u>) -> Value {
        let range = self.temp(ndrange::SIZE, 8);
        self.b.zero(range, ndrange::SIZE, 8);
        let name = &call.row.name;
        let dims = name
            .bytes()
            .find(u8::is_ascii_digit)
            .map_or(1, |digit| digit - b'0');
        let count = self.word(dims.into());
        self.b.store(range, count, 4);
        let parts: &[u32] = match call.values.len() {
            1 => &[ndrange::GLOBAL],
            2 => &[ndrange::GLOBAL, ndrange::LOCAL],
            _ => &[ndrange::OFFSET, ndrange::GLOBAL, ndrange::LOCAL],
        };
        for (&at, &given) in parts.iter().zip(&call.values) {
            for d in 0..i64::from(dims) {
                let size = match self.b.ty(given).scalar.is_ptr() {
                    true => {
                        let element = self.b.ptradd_const(given, 8 * d);
                        self.b.load(element, Type::I64, 8)
                    }
                    false => given,
                };
                let to = self.b.ptradd_const(range, i64::from(at) + 8 * d);
                self.b.store(to, size, 8);
            }
        }
        range
    }

    fn is_null(&mut self, pointer: Value) -> Value {
        let ty = self.b.ty(pointer);
        let null = self.b.zero_value(ty);
        self.b.compare(CmpOp::Eq, pointer, null)
    }

    pub fn capture_times(&mut self, call: &BuiltinCall<'u>) -> Option<Value> {
        let writer = self.queue_function("write_times")?;
        if let Some(kernel) = &mut self.unit.module.funcs[writer.index()].kernel {
            kernel.attributes.role = Role::Block;
        }
        let function = self.queue_function("capture_times")?;
        let mut args = vec![self.queue_memory()];
        args.extend(&call.values);
        args.push(self.b.insert1(Op::KernelNumber(writer), Type::I32));
        self.b.call(function, args, None)
    }

    /// enqueue_kernel and enqueue_marker. Their result.
    pub fn enqueue(&mut self, e: &'u Enqueue) -> Value {
        let queue = self.expr(&e.queue);
        let block = e.block.as_ref().map(|block| {
            let captured = self.expr(&block.captured);
            let range = self.argument(&block.range);
            let sizes: Vec<Value> = block.sizes.iter().map(|size| self.expr(size)).collect();
            (block, captured, range, sizes)
        });
        let events = e
            .events
            .as_ref()
            .map(|events| events.each_ref().map(|e| self.expr(e)));
        let locals = block.as_ref().map_or(0, |b| b.3.len() as u32);
        let captured = block
            .as_ref()
            .map_or(0, |b| self.types().size(b.0.captured.ty) as u32);

        // The words of the record.
        let waits = match events {
            Some([count, ..]) => count,
            None => self.word(0),
        };
        let fixed = self.word(record::WORDS + locals + 1);
        let head = self.b.binary(BinOp::Add, waits, fixed);
        let even = self.word(!1);
        let head = self.b.binary(BinOp::And, head, even);
        let tail = self.word(captured.div_ceil(8) * 2);
        let words = self.b.binary(BinOp::Add, head, tail);

        let memory = self.queue_memory();
        let (place, made) = (self.temp(4, 4), self.temp(8, 8));
        let returns = match events {
            Some([_, _, ret]) => {
                let null = self.is_null(ret);
                self.b.unary(UnOp::Not, null)
            }
            None => self.b.const_bool(false),
        };
        let mut args = vec![memory, queue];
        let function = match &block {
            Some((_, _, range, _)) => {
                let uniform = self.unit.options.uniform_work_group_size;
                args.extend([*range, self.b.const_bool(uniform)]);
                "enqueue_range"
            }
            None => "enqueue",
        };
        args.extend([words, returns, place, made]);
        let functions = [function, "describe"].map(|name| self.queue_function(name));
        let [Some(function), Some(description)] = functions else {
            return self.b.undef(Type::I32);
        };
        let bad = match events {
            // Either both are nothing or none.
            Some([count, list, _]) => {
                let none = self.word(0);
                let none = self.b.compare(CmpOp::Eq, count, none);
                let null = self.is_null(list);
                self.b.binary(BinOp::Xor, none, null)
            }
            None => self.b.const_bool(false),
        };
        let status = self.b.if_else(
            bad,
            &[Type::I32],
            |b| vec![b.const_int(Type::I32, CLK_INVALID_EVENT_WAIT_LIST)],
            |b| {
                b.call(function, args, Some(Type::I32))
                    .into_iter()
                    .collect()
            },
        )[0];
        let success = self.word(0);
        let done = self.b.compare(CmpOp::Eq, status, success);

        let launch = self.b.insert1(Op::Sys(SysField::LaunchNumber), Type::I32);
        let (number, what) = match &block {
            Some((block, ..)) => {
                let kernel = self.unit.kernel(block.function);
                (
                    self.b.insert1(Op::KernelNumber(kernel), Type::I32),
                    kind::KERNEL,
                )
            }
            None => (self.word(0), kind::MARKER),
        };
        let event = self.b.load(made, Type::I64, 8);
        let first = self.b.load(place, Type::I32, 4);
        let first = self.b.cast(CastOp::ZExt, first, Type::I64);
        let four = self.b.const_int(Type::I64, 4);
        let first = self.b.binary(BinOp::Mul, first, four);
        let at = self.b.ptradd(memory, first);
        let describe = {
            let args = [what, locals, captured].map(|n| self.word(n));
            vec![
                at, words, args[0], number, event, launch, waits, args[1], args[2],
            ]
        };
        self.b.if_then(done, |b| {
            b.call(description, describe, None);
            let offset = |b: &mut Builder, words: Value| {
                let wide = b.cast(CastOp::ZExt, words, Type::I64);
                let four = b.const_int(Type::I64, 4);
                let bytes = b.binary(BinOp::Mul, wide, four);
                b.ptradd(at, bytes)
            };
            if let Some((_, captured_from, range, sizes)) = &block {
                let to = b.ptradd_const(at, i64::from(4 * record::RANGE));
                b.copy(to, *range, ndrange::SIZE, 8);
                let first = b.const_int(Type::I32, record::WORDS.into());
                let first = b.binary(BinOp::Add, first, waits);
                let to = offset(b, first);
                for (i, &size) in sizes.iter().enumerate() {
                    let to = b.ptradd_const(to, 4 * i as i64);
                    b.store(to, size, 4);
                }
                let to = offset(b, head);
                b.copy(to, *captured_from, captured, 4);
            }
            let Some([count, list, ret]) = events else {
                return;
            };
            let to = b.ptradd_const(at, i64::from(4 * record::WORDS));
            let zero = b.const_int(Type::I32, 0);
            b.loop_(vec![zero], &[], |b, params| {
                let i = params[0];
                let more = b.compare(CmpOp::Ult, i, count);
                b.if_else(
                    more,
                    &[],
                    |_| Vec::new(),
                    |b| {
                        b.break_(Vec::new());
                        Vec::new()
                    },
                );
                let wide = b.cast(CastOp::ZExt, i, Type::I64);
                let scaled = |b: &mut Builder, by: i64| {
                    let by = b.const_int(Type::I64, by);
                    b.binary(BinOp::Mul, wide, by)
                };
                let from = scaled(b, 8);
                let from = b.ptradd(list, from);
                let event = b.load(from, Type::I64, 8);
                let event = b.cast(CastOp::Trunc, event, Type::I32);
                let place = scaled(b, 4);
                let place = b.ptradd(to, place);
                b.store(place, event, 4);
                let one = b.const_int(Type::I32, 1);
                let next = b.binary(BinOp::Add, i, one);
                b.continue_(vec![next]);
            });
            b.if_then(returns, |b| b.store(ret, event, 8));
        });
        match self.unit.options.debug {
            true => status,
            false => {
                let failure = self.b.const_int(Type::I32, CLK_ENQUEUE_FAILURE);
                self.b.select(done, status, failure)
            }
        }
    }
}
