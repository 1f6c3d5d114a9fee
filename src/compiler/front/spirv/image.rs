//! Images and samplers.

use rspirv::spirv::{ImageOperands, Op};

use super::binary::{Id, Inst, Res};
use super::function::{FunctionLowering, Place};
use super::shim::{Call, c_name};
use super::types::Ty;
use crate::ir::{Scalar, Type, Value};

/// The numbers of CL_SNORM_INT8 and CL_R, at which SPIR-V's numbers start.
const FIRST_DATA_TYPE: u32 = 0x10d0;
const FIRST_ORDER: u32 = 0x10b0;

impl FunctionLowering<'_, '_, '_> {
    pub fn image(&mut self, inst: &Inst) -> Res<bool> {
        match inst.op {
            Op::SampledImage => {
                self.set_place(inst.id, Place::Sampled(inst.arg(0)?, inst.arg(1)?));
            }
            Op::Image => match self.place(inst.arg(0)?) {
                Some(Place::Sampled(image, _)) => self.set_place(inst.id, Place::Same(image)),
                _ => return Err("the operand is no sampled image".into()),
            },
            Op::ImageSampleExplicitLod => {
                let Some(Place::Sampled(image, sampler)) = self.place(inst.arg(0)?) else {
                    return Err("the operand is no sampled image".into());
                };
                self.read(inst, image, Some(sampler))?;
            }
            Op::ImageRead => self.read(inst, inst.arg(0)?, None)?,
            Op::ImageWrite => self.write(inst)?,
            Op::ImageQuerySize | Op::ImageQuerySizeLod => self.size(inst)?,
            Op::ImageQueryFormat => {
                let expr = format!("get_image_channel_data_type(a0) - {FIRST_DATA_TYPE}");
                self.query(inst, &expr)?;
            }
            Op::ImageQueryOrder => {
                self.query(
                    inst,
                    &format!("get_image_channel_order(a0) - {FIRST_ORDER}"),
                )?;
            }
            Op::ImageQueryLevels => self.query(inst, "get_image_num_mip_levels(a0)")?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn query(&mut self, inst: &Inst, expr: &str) -> Res<()> {
        let mut call = Call::default();
        self.image_arg(&mut call, inst.arg(0)?)?;
        let ty = self.result_type(inst)?;
        let value = self.c_expr(call, ty, expr);
        self.define(inst.id, value);
        Ok(())
    }

    /// Adds an image and returns the name of its type without the access qualifier.
    pub fn image_arg(&mut self, call: &mut Call, id: Id) -> Res<String> {
        let value = self.value(id)?;
        // What was loaded from a variable has the variable's type.
        let Ty::Image { name, .. } = self.ty(id)?.clone() else {
            return Err(format!("%{id} is no image"));
        };
        call.arg(name.as_str(), value);
        let base = name.split(' ').next_back().unwrap_or_default();
        Ok(base.to_owned())
    }

    /// The coordinates in as many lanes as OpenCL C has.
    fn coordinates(&mut self, call: &mut Call, image: &str, id: Id) -> Res<String> {
        let value = self.value(id)?;
        let lanes = coordinate_lanes(image);
        let value = self.with_lanes(value, lanes);
        let mut ty = self.b.ty(value);
        let mut value = value;
        if ty.scalar.is_int() && ty.scalar != Scalar::I32 {
            value = self.b.int_resize(value, Scalar::I32, true);
            ty = self.b.ty(value);
        }
        Ok(call.arg(c_name(ty, true), value))
    }

    /// Converts to this many lanes by removing lanes or adding zeros.
    fn with_lanes(&mut self, value: Value, lanes: u8) -> Value {
        let ty = self.b.ty(value);
        if ty.lanes == lanes {
            return value;
        }
        let mut all = self.b.lanes(value);
        all.truncate(lanes.into());
        while all.len() < usize::from(lanes) {
            all.push(self.b.zero_value(ty.element()));
        }
        self.b.construct(all)
    }

    fn read(&mut self, inst: &Inst, image: Id, sampler: Option<Id>) -> Res<()> {
        let mut call = Call::default();
        let name = self.image_arg(&mut call, image)?;
        let mut args = String::from("a0");
        if let Some(sampler) = sampler {
            let sampler = self.value(sampler)?;
            args = format!("{args}, {}", call.arg("sampler_t", sampler));
        }
        let coordinates = self.coordinates(&mut call, &name, inst.arg(1)?)?;
        args = format!("{args}, {coordinates}");
        let words = inst.rest(2);
        let mask = ImageOperands::from_bits_truncate(words.first().copied().unwrap_or(0));
        let operands = words.get(1..).unwrap_or(&[]);
        let allowed = ImageOperands::LOD
            | ImageOperands::GRAD
            | ImageOperands::SIGN_EXTEND
            | ImageOperands::ZERO_EXTEND
            | ImageOperands::NONTEMPORAL;
        if !allowed.contains(mask) || mask.bits() != words.first().copied().unwrap_or(0) {
            return Err("an image operand is not supported".into());
        }
        let operand = |i: usize| {
            let found = operands.get(i).copied();
            found.ok_or("an image operand is missing")
        };
        if mask.contains(ImageOperands::LOD) {
            let lod = operand(0)?;
            // Level 0 is the only one of images without mipmaps.
            let zero = self.unit.lanes(lod).is_ok_and(|lanes| lanes == [0]);
            if !zero {
                let value = self.value(lod)?;
                let ty = c_name(self.b.ty(value), true);
                args = format!("{args}, {}", call.arg(ty, value));
            }
        } else if mask.contains(ImageOperands::GRAD) {
            for i in 0..2 {
                let value = self.value(operand(i)?)?;
                let value = self.with_lanes(value, gradient_lanes(&name));
                let ty = c_name(self.b.ty(value), true);
                args = format!("{args}, {}", call.arg(ty, value));
            }
        }
        let ty = self.result_type(inst)?;
        let depth = name.contains("depth");
        let read = match suffix(ty, mask)? {
            Some(suffix) => format!("read_image{suffix}({args})"),
            None => {
                format!("{IS_UNSIGNED} ? as_int4(read_imageui({args})) : read_imagei({args})")
            }
        };
        let full = Type::vector(ty.scalar, if depth { 1 } else { 4 });
        let texel = self.c_expr(call, full, &read);
        let value = self.with_lanes(texel, ty.lanes);
        self.define(inst.id, value);
        Ok(())
    }

    fn write(&mut self, inst: &Inst) -> Res<()> {
        let mut call = Call::default();
        let name = self.image_arg(&mut call, inst.arg(0)?)?;
        let at = self.coordinates(&mut call, &name, inst.arg(1)?)?;
        let texel = self.value(inst.arg(2)?)?;
        let words = inst.rest(3);
        let mask = ImageOperands::from_bits_truncate(words.first().copied().unwrap_or(0));
        let mut level = String::new();
        if mask.contains(ImageOperands::LOD) {
            let lod = words.get(1).copied().ok_or("an image operand is missing")?;
            if !self.unit.lanes(lod).is_ok_and(|lanes| lanes == [0]) {
                let value = self.value(lod)?;
                level = format!(", {}", call.arg(c_name(self.b.ty(value), true), value));
            }
        }
        let ty = self.b.ty(texel);
        let suffix = suffix(ty, mask)?;
        let depth = name.contains("depth");
        let texel = self.with_lanes(texel, if depth { 1 } else { 4 });
        let texel = call.arg(c_name(self.b.ty(texel), suffix != Some("ui")), texel);
        let write =
            |suffix: &str, texel: &str| format!("write_image{suffix}(a0, {at}{level}, {texel});");
        let body = match suffix {
            Some(suffix) => write(suffix, &texel),
            None => {
                let unsigned = write("ui", &format!("as_uint4({texel})"));
                format!("if ({IS_UNSIGNED}) {unsigned} else {}", write("i", &texel))
            }
        };
        self.c_statement(call, &body);
        Ok(())
    }

    /// Width, height and depth, then the number of layers.
    fn size(&mut self, inst: &Inst) -> Res<()> {
        let mut call = Call::default();
        let name = self.image_arg(&mut call, inst.arg(0)?)?;
        let ty = self.result_type(inst)?;
        let mut parts = vec!["get_image_width(a0)"];
        if !name.contains("1d") {
            parts.push("get_image_height(a0)");
        }
        if name.contains("3d") {
            parts.push("get_image_depth(a0)");
        }
        if name.contains("array") {
            parts.push("(int)get_image_array_size(a0)");
        }
        let wide = Type::I32.with_lanes(parts.len() as u8);
        if wide.lanes != ty.lanes {
            return Err("the size of the image has another number of lanes".into());
        }
        let expr = match parts[..] {
            // A vector of three is made of scalars as well.
            [one] => one.to_owned(),
            _ => format!("({})({})", c_name(wide, true), parts.join(", ")),
        };
        let mut value = self.c_expr(call, wide, &expr);
        // The size of a level of a mipmapped image.
        if let (Op::ImageQuerySizeLod, Some(&lod)) = (inst.op, inst.args.get(1))
            && self.unit.integer(lod) != Ok(0)
        {
            value = self.level_size(value, lod, &name)?;
        }
        let value = self.b.int_resize(value, ty.scalar, false);
        self.define(inst.id, value);
        Ok(())
    }

    /// Sizes are halved for each level, to 1 at least. The number of layers stays.
    fn level_size(&mut self, size: Value, lod: Id, image: &str) -> Res<Value> {
        use crate::ir::BinOp;
        let lod = self.index32(lod)?;
        let mut lanes = self.b.lanes(size);
        let halved = lanes.len() - usize::from(image.contains("array"));
        for lane in &mut lanes[..halved] {
            let less = self.b.binary(BinOp::LShr, *lane, lod);
            let one = self.b.const_int(Type::I32, 1);
            *lane = self.b.binary(BinOp::SMax, less, one);
        }
        Ok(self.b.construct(lanes))
    }
}

fn coordinate_lanes(image: &str) -> u8 {
    match (
        image.contains("1d"),
        image.contains("2d"),
        image.contains("array"),
    ) {
        (true, _, false) => 1,
        (true, _, true) | (_, true, false) => 2,
        _ => 4,
    }
}

fn gradient_lanes(image: &str) -> u8 {
    match (image.contains("1d"), image.contains("2d")) {
        (true, _) => 1,
        (_, true) => 2,
        _ => 4,
    }
}

/// SPIR-V's integers have no sign, so the image's format decides.
const IS_UNSIGNED: &str = "(get_image_channel_data_type(a0) >= CLK_UNSIGNED_INT8 \
    && get_image_channel_data_type(a0) <= CLK_UNSIGNED_INT32 \
    || get_image_channel_data_type(a0) >= CLK_UNSIGNED_INT10X6_EXT \
    && get_image_channel_data_type(a0) <= CLK_UNSIGNED_INT14X2_EXT)";

/// The suffix of functions for texels of this type; `None` if the image's format decides whether they are signed.
fn suffix(ty: Type, mask: ImageOperands) -> Res<Option<&'static str>> {
    Ok(match ty.scalar {
        Scalar::F32 => Some("f"),
        Scalar::F16 => Some("h"),
        Scalar::I32 if mask.contains(ImageOperands::ZERO_EXTEND) => Some("ui"),
        Scalar::I32 if mask.contains(ImageOperands::SIGN_EXTEND) => Some("i"),
        Scalar::I32 => None,
        _ => return Err("texels are of float, half or int".into()),
    })
}
