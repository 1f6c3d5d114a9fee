//! OpenCL.std (OpenCL Extended Instruction Set): each instruction is a builtin function of OpenCL C.

use std::collections::HashSet;

use rspirv::spirv::{FPRoundingMode, Op, OpenclStd100Op as Std};

use super::binary::{Id, Inst, Res};
use super::constants::Const;
use super::function::FunctionLowering;
use super::shim::{Call, c_name, c_type};
use crate::ir::{CmpOp, Scalar, Space, Type};

impl FunctionLowering<'_, '_, '_> {
    pub fn extended(&mut self, inst: &Inst) -> Res<()> {
        let (set, number) = (inst.arg(0)?, inst.arg(1)?);
        match self.unit.parsed.sets.get(&set) {
            Some(name) if name == "OpenCL.std" => {}
            // All other sets that may be imported have no effect on results.
            Some(_) => return Ok(()),
            None => return Err(format!("%{set} is no set of extended instructions")),
        }
        self.check_widths(inst, inst.rest(2))?;
        let std = Std::from_u32(number);
        let std = std.ok_or_else(|| format!("OpenCL.std has no instruction {number}"))?;
        let done = self.standard(std, inst);
        done.map_err(|e| format!("{std:?}: {e}"))
    }

    fn standard(&mut self, std: Std, inst: &Inst) -> Res<()> {
        let args = inst.rest(2);
        let literal = |i: usize| args.get(i).copied().ok_or("a literal is missing");
        let rounding = |i: usize| {
            let mode = FPRoundingMode::from_u32(literal(i)?);
            Ok::<_, String>(match mode.ok_or("there is no such rounding mode")? {
                FPRoundingMode::RTE => "_rte",
                FPRoundingMode::RTZ => "_rtz",
                FPRoundingMode::RTP => "_rtp",
                FPRoundingMode::RTN => "_rtn",
            })
        };
        // The number of lanes of a vector operand that is stored.
        let lanes = |s: &Self| -> Res<u8> {
            let value = s.unit.types.value(s.unit.type_of(literal(0)?)?)?;
            Ok(value.lanes)
        };
        match std {
            Std::printf => return self.printf(inst, args),
            Std::prefetch => return Ok(()),
            Std::vloadn => return self.load_call(inst, &format!("vload{}", literal(2)?)),
            Std::vload_half => return self.load_call(inst, "vload_half"),
            Std::vload_halfn => return self.load_call(inst, &format!("vload_half{}", literal(2)?)),
            Std::vloada_halfn => {
                let n = literal(2)?;
                // A single lane has no vector alignment.
                let name = if n == 1 {
                    "vload_half".into()
                } else {
                    format!("vloada_half{n}")
                };
                return self.load_call(inst, &name);
            }
            Std::vstoren => return self.store_call(args, &format!("vstore{}", lanes(self)?)),
            Std::vstore_half => return self.store_call(args, "vstore_half"),
            Std::vstore_half_r => {
                return self.store_call(args, &format!("vstore_half{}", rounding(3)?));
            }
            Std::vstore_halfn | Std::vstorea_halfn => {
                let name = half_store(std == Std::vstorea_halfn, lanes(self)?, "");
                return self.store_call(args, &name);
            }
            Std::vstore_halfn_r | Std::vstorea_halfn_r => {
                let name = half_store(std == Std::vstorea_halfn_r, lanes(self)?, rounding(3)?);
                return self.store_call(args, &name);
            }
            _ => {}
        }
        let full = format!("{std:?}");
        let (name, signed) = match (full.strip_prefix("s_"), full.strip_prefix("u_")) {
            (Some(name), _) => (name, true),
            (_, Some(name)) => (name, false),
            _ => (plain_name(std, &full), true),
        };
        let mut call = Call::default();
        let mut names = Vec::new();
        for (i, &arg) in args.iter().enumerate() {
            let signed = match (std, i) {
                (Std::s_upsample, 1) | (Std::nan, _) => false,
                (Std::shuffle, 1) | (Std::shuffle2, 2) => false,
                _ => signed,
            };
            names.push(self.c_arg(&mut call, arg, signed)?);
        }
        let ty = self.result_type(inst)?;
        let value = self.c_expr(call, ty, &format!("{name}({})", names.join(", ")));
        self.define(inst.id, value);
        Ok(())
    }

    /// The operands are offset and pointer.
    fn load_call(&mut self, inst: &Inst, name: &str) -> Res<()> {
        let ty = self.result_type(inst)?;
        let mut call = Call::default();
        let offset = self.c_arg(&mut call, inst.arg(2)?, false)?;
        let pointer = self.element_pointer(&mut call, inst.arg(3)?, ty, name)?;
        let value = self.c_expr(call, ty, &format!("{name}({offset}, {pointer})"));
        self.define(inst.id, value);
        Ok(())
    }

    /// The operands are data, offset and pointer.
    fn store_call(&mut self, args: &[Id], name: &str) -> Res<()> {
        let &[data, offset, pointer, ..] = args else {
            return Err("there are too few operands".into());
        };
        let mut call = Call::default();
        let ty = self.unit.types.value(self.unit.type_of(data)?)?;
        let data = self.c_arg(&mut call, data, true)?;
        let offset = self.c_arg(&mut call, offset, false)?;
        let pointer = self.element_pointer(&mut call, pointer, ty, name)?;
        self.c_statement(call, &format!("{name}({data}, {offset}, {pointer});"));
        Ok(())
    }

    /// A pointer to elements of a vector's type, or to half.
    fn element_pointer(&mut self, call: &mut Call, id: Id, ty: Type, name: &str) -> Res<String> {
        let value = self.value(id)?;
        let Scalar::Ptr(space) = self.b.ty(value).scalar else {
            return Err(format!("%{id} is no pointer"));
        };
        let elem = match name.contains("half") {
            true => Type::F16,
            false => ty.element(),
        };
        let space = super::shim::c_space(space);
        Ok(call.arg(format!("{space}{} *", c_name(elem, true)), value))
    }

    /// The format must be a constant string.
    fn printf(&mut self, inst: &Inst, args: &[Id]) -> Res<()> {
        let (&format, args) = args.split_first().ok_or("there is no format")?;
        let mut call = Call::default();
        let formats = self
            .strings(format)
            .ok_or("the format is no constant string")?;
        let directives = string_directives(&formats[0].1);
        let mut text = self.chosen(&mut call, format, &formats)?;
        for (i, &arg) in args.iter().enumerate() {
            let is_string = directives.get(i) == Some(&true);
            let name = match self.strings(arg).filter(|_| is_string) {
                Some(strings) => self.chosen(&mut call, arg, &strings)?,
                None => {
                    let value = self.value(arg)?;
                    let name = match self.b.ty(value).scalar {
                        Scalar::Ptr(space) => format!("{}void *", super::shim::c_space(space)),
                        _ => c_type(&self.unit.types, self.unit.type_of(arg)?, true)?,
                    };
                    call.arg(name, value)
                }
            };
            text = format!("{text}, {name}");
        }
        let ty = self.result_type(inst)?;
        let value = self.c_expr(call, ty, &format!("printf({text})"));
        self.define(inst.id, value);
        Ok(())
    }

    /// The string's literal, or a choice between several by the pointer's value.
    fn chosen(&mut self, call: &mut Call, id: Id, strings: &[(Const, Vec<u8>)]) -> Res<String> {
        let mut expr = literal(&strings[0].1);
        for (constant, string) in &strings[1..] {
            let Const::Address(variable, offset) = *constant else {
                continue;
            };
            let Some(&(global, space)) = self.unit.globals.get(&variable) else {
                continue;
            };
            let pointer = self.value(id)?;
            let address = self.b.global_addr(global, space);
            let address = self.b.ptradd_const(address, offset);
            let ty = self.b.ty(pointer);
            let address = self.reinterpret(address, ty);
            let here = self.b.compare(CmpOp::Eq, pointer, address);
            let here = call.arg("bool", here);
            expr = format!("({here} ? {} : {expr})", literal(string));
        }
        Ok(expr)
    }

    /// The constant strings to which a pointer may point; `None` if there may be others.
    fn strings(&self, id: Id) -> Option<Vec<(Const, Vec<u8>)>> {
        let (mut found, mut seen, mut work) = (Vec::new(), HashSet::new(), vec![id]);
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let Some(constant) = self.unit.constant(id) {
                let string = self.string(&constant)?;
                if !found.contains(&(constant.clone(), string.clone())) {
                    found.push((constant, string));
                }
                continue;
            }
            let inst = self.instruction(id)?;
            match inst.op {
                Op::Bitcast | Op::PtrCastToGeneric | Op::CopyObject => work.push(inst.arg(0).ok()?),
                Op::Select => work.extend(inst.rest(1)),
                Op::Phi => work.extend(inst.args.iter().step_by(2)),
                Op::InBoundsPtrAccessChain
                | Op::PtrAccessChain
                | Op::AccessChain
                | Op::InBoundsAccessChain => {
                    let element =
                        matches!(inst.op, Op::InBoundsPtrAccessChain | Op::PtrAccessChain);
                    let constant = self
                        .unit
                        .address(inst.arg(0).ok()?, element, inst.rest(1))?;
                    let string = self.string(&constant)?;
                    found.push((constant, string));
                }
                _ => return None,
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// The bytes at a constant address up to the first zero.
    fn string(&self, constant: &Const) -> Option<Vec<u8>> {
        let &Const::Address(variable, offset) = constant else {
            return None;
        };
        let &(global, space) = self.unit.globals.get(&variable)?;
        let global = &self.unit.module.globals[global.index()];
        if space != Space::Constant && space != Space::Global {
            return None;
        }
        let offset = u64::try_from(offset).ok()?;
        if offset >= global.size.into() {
            return None;
        }
        let init = global.init.as_ref();
        Some(init.map_or_else(Vec::new, |init| init.string(offset, global.size.into())))
    }
}

/// Functions that have another name in OpenCL C.
fn plain_name(std: Std, name: &str) -> &str {
    match std {
        Std::fclamp => "clamp",
        Std::fmax_common => "max",
        Std::fmin_common => "min",
        _ => name,
    }
}

fn half_store(aligned: bool, lanes: u8, rounding: &str) -> String {
    match (aligned, lanes) {
        (_, 1) => format!("vstore_half{rounding}"),
        (true, n) => format!("vstorea_half{n}{rounding}"),
        (false, n) => format!("vstore_half{n}{rounding}"),
    }
}

/// A string literal of OpenCL C.
fn literal(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for &byte in bytes {
        match byte {
            b' '
            | b'0'..=b'9'
            | b'a'..=b'z'
            | b'A'..=b'Z'
            | b'%'
            | b'.'
            | b','
            | b'#'
            | b'-'
            | b'+'
            | b'='
            | b':' => out.push(byte.into()),
            _ => out += &format!("\\{byte:03o}"),
        }
    }
    out.push('"');
    out
}

/// For each directive that takes an argument: whether it is %s.
fn string_directives(format: &[u8]) -> Vec<bool> {
    let mut found = Vec::new();
    let mut rest = format.iter().copied();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        for byte in rest.by_ref() {
            match byte {
                b'%' => break,
                // `h`, `l` and `v4` (lengths and vectors) do not end a directive.
                b'h' | b'l' | b'v' | b'#' | b'-' | b'+' | b' ' | b'.' | b'0'..=b'9' => {}
                end => {
                    found.push(end == b's');
                    break;
                }
            }
        }
    }
    found
}
