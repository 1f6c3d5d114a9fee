//! Checks of the coordinates by which images are read and written.
//!
//! Before inlining ([`mark`]), where the library's functions of images are still called, each call has a comparison in front and a
//! call of the function that reports, which has what is wrong instead of a site and the image's format instead of an object: the
//! kernel's argument is not known yet. Behind inlining [`run`] gives it both.
//!
//! Reads are wrong outside of the image where no sampler says what is there: without one, and by those of CLK_ADDRESS_NONE. Layers of
//! arrays are clamped when they are read. The library does nothing outside of images: it clamps what it reads, and drops what it writes.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::access::unless;
use super::before_calls;
use super::report::{LIBRARY, MARKED, Reporter, no_object};
use crate::check::{Kind, Object, texel};
use crate::ir::builder::Builder;
use crate::ir::defs::Constants;
use crate::ir::util::rewrite;
use crate::ir::{
    BinOp, CastOp, CmpOp, FuncId, Function, ImageField, Module, Op, Scalar, Type, Value,
};
use crate::kernel::{ArgAddress, ArgKind, sampler_bits};

/// A function of shaders/image.cl or mipmap.cl that accesses a texel, whose arguments begin with the image, a sampler if there is one, and
/// coordinates.
struct Access {
    kind: Kind,
    sampler: bool,
    /// The level of a mipmapped image comes behind the coordinates.
    level: bool,
    /// What limits each coordinate.
    sizes: SmallVec<[ImageField; 3]>,
}

impl Access {
    fn of(name: &str) -> Option<Access> {
        let (file, function) = name.split_once('.')?;
        let (verb, rest) = function.split_once('_')?;
        let (kind, sampler, level) = match (file, verb) {
            ("image", "store") => (Kind::TexelStore, false, false),
            ("image", "load") => (Kind::TexelLoad, false, false),
            // Levels of detail are clamped, and coordinates normalized.
            ("image", "fetch" | "sample") | ("mipmap", "lod" | "gradient") => {
                (Kind::TexelLoad, true, false)
            }
            ("mipmap", "put") => (Kind::TexelStore, false, true),
            _ => return None,
        };
        // The rest is a dimension and the kind of the result.
        let (dimension, _) = rest.rsplit_once('_')?;
        let mut sizes: SmallVec<[ImageField; 3]> = SmallVec::new();
        sizes.push(ImageField::Width);
        match dimension.strip_suffix("_array").unwrap_or(dimension) {
            "1d" => {}
            "2d" => sizes.push(ImageField::Height),
            "3d" => sizes.extend([ImageField::Height, ImageField::Depth]),
            _ => return None,
        }
        if dimension.ends_with("_array") && kind == Kind::TexelStore {
            sizes.push(ImageField::ArraySize);
        }
        Some(Access {
            kind,
            sampler,
            level,
            sizes,
        })
    }
}

/// Puts comparisons in front of the program's accesses to images; whether there are any. `report`: the function that reports.
pub fn mark(module: &mut Module, report: FuncId) -> bool {
    before_calls(module, Access::of, |b, (): &mut (), _, (access, args)| {
        compare(b, report, access, args);
    })
}

fn compare(b: &mut Builder, report: FuncId, access: &Access, args: &[Value]) {
    let first = 1 + usize::from(access.sampler);
    let (Some(&image), Some(&coordinates)) = (args.first(), args.get(first)) else {
        return;
    };
    let sampler = access.sampler.then(|| args[1]);
    let is_float = b.ty(coordinates).scalar == Scalar::F32;
    let normalized = match sampler {
        Some(sampler) if is_float => Some(has(b, sampler, sampler_bits::NORMALIZED_COORDS)),
        _ => None,
    };
    let level = access.level.then(|| args.get(first + 1).copied()).flatten();
    let mut right = b.const_bool(true);
    let mut numbers = [b.const_int(Type::I64, 0); 2];
    // The first one that is wrong is reported, in front of all the level.
    let coordinates_of = access.sizes.iter().copied().enumerate().rev();
    let level_of = level.map(|_| (texel::LEVEL as usize, ImageField::Levels));
    for (axis, field) in coordinates_of.chain(level_of) {
        let at = match (level, field) {
            (Some(level), ImageField::Levels) => level,
            _ if b.ty(coordinates).lanes == 1 => coordinates,
            _ => b.extract(coordinates, axis as u8),
        };
        let size = b.insert1(Op::ImageField(image, field), Type::I32);
        let size = match (level, field) {
            (None, _) | (_, ImageField::Levels | ImageField::ArraySize) => size,
            (Some(level), _) => of_level(b, size, level),
        };
        let (inside, at) = match is_float {
            true => (is_inside(b, at, size, normalized), b.bitcast(at, Type::I32)),
            false => (b.compare(CmpOp::Ult, at, size), at),
        };
        let flags = texel::axis(axis as u32) | if is_float { texel::FLOAT } else { 0 };
        let mut about = b.const_int(Type::I64, flags as i64);
        if let Some(normalized) = normalized {
            let flagged = b.const_int(Type::I64, (flags | texel::NORMALIZED) as i64);
            about = b.select(normalized, flagged, about);
        }
        let size = b.cast(CastOp::ZExt, size, Type::I64);
        let about = b.binary(BinOp::Or, about, size);
        let at = b.cast(CastOp::SExt, at, Type::I64);
        let [old_at, old_about] = numbers;
        numbers = [
            b.select(inside, old_at, at),
            b.select(inside, old_about, about),
        ];
        right = b.binary(BinOp::And, right, inside);
    }
    if let Some(sampler) = sampler {
        // CLK_ADDRESS_NONE has no bit.
        let addressed = has(b, sampler, sampler_bits::ADDRESSING);
        right = b.binary(BinOp::Or, right, addressed);
    }
    unless(b, right, |b| {
        let kind = b.const_int(Type::I32, (access.kind == Kind::TexelStore).into());
        let format = b.insert1(Op::ImageField(image, ImageField::Format), Type::I32);
        b.call(report, vec![kind, format, numbers[0], numbers[1]], None);
    });
}

/// A size in a level of a mipmapped image; some size if the level is none.
fn of_level(b: &mut Builder, size: Value, level: Value) -> Value {
    let most = b.const_int(Type::I32, 31);
    let level = b.binary(BinOp::And, level, most);
    let size = b.binary(BinOp::LShr, size, level);
    let one = b.const_int(Type::I32, 1);
    b.binary(BinOp::UMax, size, one)
}

/// bool: a sampler has one of these bits.
fn has(b: &mut Builder, sampler: Value, bits: u32) -> Value {
    let bits = b.const_int(Type::I32, bits.into());
    let bits = b.binary(BinOp::And, sampler, bits);
    let zero = b.const_int(Type::I32, 0);
    b.compare(CmpOp::Ne, bits, zero)
}

/// bool: a float is a place in the image; NaN is none.
fn is_inside(b: &mut Builder, at: Value, size: Value, normalized: Option<Value>) -> Value {
    let zero = b.const_float(Type::F32, 0.0);
    let mut end = b.cast(CastOp::UiToFp, size, Type::F32);
    if let Some(normalized) = normalized {
        let one = b.const_float(Type::F32, 1.0);
        end = b.select(normalized, one, end);
    }
    let from = b.compare(CmpOp::FGe, at, zero);
    let below = b.compare(CmpOp::FLt, at, end);
    b.binary(BinOp::And, from, below)
}

/// The calls that [`mark`] has made get their sites and objects.
pub fn run(func: &mut Function, reporter: &mut Reporter) {
    let formats = formats(func, reporter);
    let mut objects = FxHashMap::default();
    let mut constants = Constants::default();
    reporter.begin();
    rewrite(func, |b, inst| {
        reporter.at(inst.loc);
        constants.note(&inst);
        match &inst.op {
            Op::Spec(id) => {
                if let Some(&object) = formats.get(id) {
                    objects.insert(inst.results[0], object);
                }
            }
            Op::Call { callee, args, .. } if *callee == reporter.function => {
                let &[kind, format, at, about] = &args[..] else {
                    return Vec::new();
                };
                let kind = match constants.get(kind) {
                    Some(0) => Kind::TexelLoad,
                    Some(code) if code as u32 & MARKED != 0 => {
                        b.push(inst);
                        return Vec::new();
                    }
                    _ => Kind::TexelStore,
                };
                let site = reporter.site(kind, 0, 0);
                let object = match objects.get(&format) {
                    Some(&number) => b.const_int(Type::I32, i64::from(number)),
                    None => no_object(b),
                };
                reporter.call(b, site, object, [at, about]);
                return Vec::new();
            }
            _ => {}
        }
        b.push(inst);
        Vec::new()
    });
}

/// The numbers of a kernel's images, by the specialization constants that are their formats.
fn formats(func: &Function, reporter: &mut Reporter) -> FxHashMap<u32, u32> {
    let layout = func.kernel.as_ref().and_then(|k| k.layout.as_ref());
    let args = layout.iter().flat_map(|layout| layout.args.iter());
    let mut formats = FxHashMap::default();
    for (number, arg) in args.enumerate() {
        if let ArgKind::Image { spec_id, .. } = arg.kind {
            let object = Object {
                name: arg.param.name.clone(),
                place: LIBRARY,
                space: ArgAddress::Global,
                arg: Some(number as u32),
                readable: 0,
                writable: 0,
            };
            formats.insert(spec_id, reporter.object(object));
        }
    }
    formats
}
