//! Instructions that access memory, and those that order accesses.

use std::fmt::Write;

use super::instructions::{CACHED_ANYHOW, WITHOUT_EFFECT};
use super::operands::{Class, Type};
use super::ptx::{Instruction, vector};
use super::writer::Writer;

impl Writer<'_> {
    pub fn memory_instruction(&mut self, op: &Instruction) -> Result<bool, String> {
        match (op.name, &op.modifiers[..], &op.types[..], &op.operands[..]) {
            ("bar", ["sync"], [], ["0"]) => self.text.push_str("barrier ( 3 ) ; "),
            // CLK_LOCAL_MEM_FENCE and CLK_GLOBAL_MEM_FENCE, which also orders what other work-groups see.
            ("membar", ["cta" | "gl"], [], []) => self.text.push_str("mem_fence ( 3 ) ; "),
            ("ld", modifiers, &[ty], &[to, address]) => {
                return self.load(modifiers, ty, to, address);
            }
            ("st", modifiers, &[ty], &[address, from]) => {
                return self.store(modifiers, ty, address, from);
            }
            ("atom", modifiers, &[ty], [to, memory @ ..]) => {
                return self.atomic(modifiers, ty, Some(to), memory);
            }
            ("red", modifiers, &[ty], memory) => return self.atomic(modifiers, ty, None, memory),
            (name, _, [], _) if WITHOUT_EFFECT.contains(&name) => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn load(
        &mut self,
        modifiers: &[&str],
        ty: Type,
        to: &str,
        address: &str,
    ) -> Result<bool, String> {
        let Some((space, count)) = accessed(modifiers) else {
            return Ok(false);
        };
        let pointer = self.address(address, space, ty)?;
        if count == 1 {
            self.assign(to, ty, &format!("* {pointer}"))?;
            return Ok(true);
        }
        let Some(to) = registers(to, count) else {
            return Ok(false);
        };
        // The address may be in one of the registers.
        let name = ty.name();
        let _ = write!(
            self.text,
            "{{ volatile {space} {name} * __asm_from = {pointer} ; {name} __asm_loaded [ {count} ] ; "
        );
        for place in 0..count {
            let _ = write!(
                self.text,
                "__asm_loaded [ {place} ] = __asm_from [ {place} ] ; "
            );
        }
        for (place, to) in to.into_iter().enumerate() {
            self.assign(to, ty, &format!("__asm_loaded [ {place} ]"))?;
        }
        self.text.push_str("} ");
        Ok(true)
    }

    fn store(
        &mut self,
        modifiers: &[&str],
        ty: Type,
        address: &str,
        from: &str,
    ) -> Result<bool, String> {
        let Some((space, count)) = accessed(modifiers) else {
            return Ok(false);
        };
        let Some(from) = registers(from, count) else {
            return Ok(false);
        };
        let pointer = self.address(address, space, ty)?;
        for (place, from) in from.into_iter().enumerate() {
            let value = self.value(from, ty)?;
            let _ = write!(self.text, "{pointer} [ {place} ] = {value} ; ");
        }
        Ok(true)
    }

    /// Relaxed, for the device; of an address and values. `red` gives nothing.
    fn atomic(
        &mut self,
        modifiers: &[&str],
        ty: Type,
        to: Option<&str>,
        memory: &[&str],
    ) -> Result<bool, String> {
        let [address, values @ ..] = memory else {
            return Ok(false);
        };
        let space = modifiers.iter().find_map(|m| space(m));
        let known = |m: &&&str| !["relaxed", "gpu", "cta"].contains(m) && self::space(m).is_none();
        let rest: Vec<&&str> = modifiers.iter().filter(known).collect();
        let (Some(space @ ("global" | "local")), &[&operation]) = (space, &*rest) else {
            return Ok(false);
        };
        let float = ty.class == Class::Float;
        let (function, count) = match (operation, float) {
            ("add", true) => ("__asm_atomic_add", 1),
            ("add", false) => ("atom_add", 1),
            ("min", false) => ("atom_min", 1),
            ("max", false) => ("atom_max", 1),
            ("and", false) => ("atom_and", 1),
            ("or", false) => ("atom_or", 1),
            ("xor", false) => ("atom_xor", 1),
            ("exch", _) => ("atom_xchg", 1),
            ("cas", false) => ("atom_cmpxchg", 2),
            _ => return Ok(false),
        };
        if values.len() != count || ty.bits < 32 {
            return Ok(false);
        }
        let of = match ty.class {
            Class::Bits => ty.with(Class::Unsigned),
            // Its bits.
            Class::Float if operation == "exch" => ty.with(Class::Unsigned),
            _ => ty,
        };
        let mut call = format!("{function} ( {}", self.address(address, space, of)?);
        for value in values {
            let _ = write!(call, " , {}", self.value(value, of)?);
        }
        call.push_str(" )");
        match to {
            Some(to) => self.assign(to, of, &call)?,
            None => {
                let _ = write!(self.text, "{call} ; ");
            }
        }
        Ok(true)
    }
}

/// OpenCL C's address space of a state space.
fn space(modifier: &str) -> Option<&'static str> {
    Some(match modifier {
        "global" => "global",
        "shared" => "local",
        "const" => "constant",
        _ => return None,
    })
}

/// The address space of a load or store and how many elements it accesses, if it is one as those of OpenCL C.
fn accessed(modifiers: &[&str]) -> Option<(&'static str, usize)> {
    let (mut found, mut count) = (None, 1);
    for modifier in modifiers {
        match *modifier {
            "v2" => count = 2,
            "v4" => count = 4,
            "volatile" => {}
            m if CACHED_ANYHOW.contains(&m) => {}
            m => found = Some(space(m)?),
        }
    }
    found.map(|space| (space, count))
}

/// The registers of one element, or of `{a, b}`.
fn registers(operand: &str, count: usize) -> Option<Vec<&str>> {
    match count {
        1 => Some(vec![operand]),
        _ => vector(operand).filter(|parts| parts.len() == count),
    }
}
