//! Kernel parameters become reads of the argument block.
//!
//! Algorithm: give every parameter its place in the block in order (docs/abi.md), then put
//! what yields its value in front of the body: `arg` for scalars, vectors and addresses, an
//! alloca filled member by member for aggregates, a local variable of specialized length for
//! local pointers, constants of the pipeline for samplers and the formats of images. Needs: inlining
//! (functions with image parameters are gone). Establishes: kernels have no parameters; `Kernel::layout`
//! has every argument. Fields that the runtime fills in come behind the arguments, given out
//! by the emitter when it is known which are used.

use smallvec::smallvec;

use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::util::{rewrite, walk, walk_mut};
use crate::ir::{
    CastOp, CmpOp, Function, Global, GlobalId, KernelLayout, Module, Op, Region, Scalar, Space,
    Type, Value,
};
use crate::kernel::{ArgInfo, ArgKind, ImageRecord, SPEC_FIRST_LOCAL};
use crate::pass::Ctx;
use rustc_hash::FxHashMap;

pub fn run(module: &mut Module, ctx: &Ctx, sink: &mut Sink) {
    let Module { funcs, globals, .. } = module;
    for func in funcs
        .iter_mut()
        .filter(|f| f.kernel.is_some() && f.body.is_some())
    {
        number_images(func);
        lower_kernel(func, globals, ctx.target.max_parameter_size, sink);
    }
}

/// Objects that lambdas are hold images as the numbers of their parameters, which are constants once the objects
/// are values.
fn number_images(func: &mut Function) {
    let is_image = |func: &Function, v: Value| func.values[v.index()].scalar == Scalar::Image;
    let params = func.params.iter().copied();
    let images: Vec<Value> = params.filter(|&v| is_image(func, v)).collect();
    if images.is_empty() {
        return;
    }
    let mut held = false;
    walk(func.body.as_ref().unwrap_or(&Region::default()), &mut |i| {
        held |= match i.op {
            Op::Store { value, .. } => is_image(func, value),
            Op::Load { .. } => is_image(func, i.results[0]),
            _ => false,
        };
    });
    if !held {
        return;
    }
    let numbers = || (0i64..).zip(images.iter().copied());
    let number = |v: Value| numbers().find(|&(_, image)| image == v).map(|(n, _)| n);
    rewrite(func, |b, inst| match inst.op {
        Op::Store {
            addr,
            value,
            align,
            volatile,
        } if let Some(n) = number(value) => {
            let value = b.const_int(Type::I64, n);
            b.store_to(addr, value, align, volatile);
            Vec::new()
        }
        Op::Load {
            addr,
            align,
            volatile,
        } if is_image(b.func, inst.results[0]) => {
            vec![b.load_from(addr, Type::I64, align, volatile)]
        }
        Op::ImageField(image, field) if number(image).is_none() => {
            let ty = b.ty(inst.results[0]);
            let first = b.insert1(Op::ImageField(images[0], field), ty);
            vec![numbers().skip(1).fold(first, |other, (n, i)| {
                let value = b.insert1(Op::ImageField(i, field), ty);
                let n = b.const_int(Type::I64, n);
                let is = b.compare(CmpOp::Eq, image, n);
                b.select(is, value, other)
            })]
        }
        _ => {
            b.push(inst);
            Vec::new()
        }
    });
}

fn lower_kernel(func: &mut Function, globals: &mut Vec<Global>, most: u32, sink: &mut Sink) {
    let (Some(mut kernel), Some(mut body)) = (func.kernel.take(), func.body.take()) else {
        return;
    };
    let params = std::mem::take(&mut func.params);
    let mut args = Vec::with_capacity(params.len());
    let (mut block_size, mut next_spec) = (0, SPEC_FIRST_LOCAL);
    // Offset of the record and id of the format's constant.
    let mut images = FxHashMap::default();
    let mut spec = || {
        next_spec += 1;
        next_spec - 1
    };

    let mut b = Builder::new(func);
    for (&value, param) in params.iter().zip(&kernel.params) {
        let kind = match b.ty(value).scalar {
            Scalar::Ptr(Space::Local) => {
                let spec_id = spec();
                let elem_size = param.elem_size.max(1);
                let id = GlobalId(globals.len() as u32);
                globals.push(Global {
                    name: format!("{}.{}", b.func.name, param.info.name),
                    space: Space::Local,
                    size: elem_size,
                    spec_len: Some(spec_id),
                    align: param.align.max(1),
                    init: None,
                    relocs: Vec::new(),
                    external: false,
                    once: false,
                    defined: true,
                });
                b.define(smallvec![value], Op::GlobalAddr(id));
                ArgKind::Local { spec_id, elem_size }
            }
            Scalar::Image => {
                let offset = place(&mut block_size, ImageRecord::SIZE, 8);
                let spec_id = spec();
                images.insert(value, (offset, spec_id));
                ArgKind::Image { offset, spec_id }
            }
            _ if param.is_sampler => {
                let spec_id = spec();
                b.define(smallvec![value], Op::Spec(spec_id));
                ArgKind::Sampler { spec_id }
            }
            Scalar::Ptr(Space::Private) => {
                let offset = place(&mut block_size, param.size, param.align.max(4));
                let object = Op::Alloca {
                    size: param.size.max(1),
                    align: param.align.max(1),
                };
                b.define(smallvec![value], object);
                fill(&mut b, value, offset, &param.pieces);
                ArgKind::Value {
                    offset,
                    size: param.size,
                }
            }
            Scalar::Ptr(_) => {
                let offset = place(&mut block_size, 8, 8);
                let address = arg(&mut b, offset, Type::I64);
                let to_ptr = Op::Cast(CastOp::IntToPtr, address);
                b.define(smallvec![value], to_ptr);
                ArgKind::Pointer {
                    offset,
                    reads: true,
                    writes: true,
                }
            }
            _ => {
                let offset = place(&mut block_size, param.size, param.align);
                b.define(smallvec![value], Op::Arg { offset });
                ArgKind::Value {
                    offset,
                    size: param.size,
                }
            }
        };
        args.push(ArgInfo {
            param: param.info.clone(),
            kind,
        });
    }
    walk_mut(&mut body, &mut |inst| {
        if let Op::ImageField(image, field) = inst.op
            && let Some(&(record, spec_id)) = images.get(&image)
        {
            inst.op = match field.offset() {
                Some(offset) => Op::Arg {
                    offset: record + offset,
                },
                None => Op::Spec(spec_id),
            };
        }
    });
    for inst in body.insts {
        b.push(inst);
    }
    b.finish();

    // To an application an image is a handle.
    let handles = images.len() as u32 * (ImageRecord::SIZE - 8);
    let size = block_size - handles;
    if size > most {
        sink.general_error(format!(
            "the arguments of kernel '{}' have {size} bytes, more than {most} \
             (CL_DEVICE_MAX_PARAMETER_SIZE)",
            func.name
        ));
        return;
    }

    kernel.layout = Some(KernelLayout {
        args,
        block_size: block_size.next_multiple_of(4),
        local_frame: None,
        scratch_size: 0,
        group_memory: 0,
        alone: false,
        guarded: false,
    });
    func.kernel = Some(kernel);
}

/// Takes room in the block and returns its offset.
fn place(cursor: &mut u32, size: u32, align: u32) -> u32 {
    let offset = cursor.checked_next_multiple_of(align.max(1));
    let offset = offset.unwrap_or(u32::MAX);
    *cursor = offset.saturating_add(size);
    offset
}

fn arg(b: &mut Builder, offset: u32, ty: Type) -> Value {
    b.insert1(Op::Arg { offset }, ty)
}

/// Stores the members of an aggregate argument into its private copy.
fn fill(b: &mut Builder, object: Value, offset: u32, pieces: &[(u32, Type)]) {
    for &(at, ty) in pieces {
        // Of a packed struct: the block is read by words.
        if !ty.scalar.is_ptr() && !at.is_multiple_of(ty.size().min(4)) {
            for at in at..at + u32::from(ty.lanes) * ty.scalar.size() {
                let byte = arg(b, offset + at, Type::I8);
                let to = b.ptradd_const(object, at.into());
                b.store(to, byte, 1);
            }
            continue;
        }
        let value = if ty.scalar.is_ptr() {
            let address = arg(b, offset + at, Type::I64);
            b.cast(CastOp::IntToPtr, address, ty)
        } else {
            arg(b, offset + at, ty)
        };
        let to = b.ptradd_const(object, at as i64);
        b.store(
            to,
            value,
            1 << at.trailing_zeros().min(ty.size().trailing_zeros()),
        );
    }
}
