//! Instructions that access memory, and those that order accesses.

use std::fmt::Write;

use super::instructions::{CACHED_ANYHOW, WITHOUT_EFFECT};
use super::operands::{Class, Type};
use super::ptx::separated;
use super::writer::Writer;

impl Writer<'_> {
    pub fn memory_instruction(
        &mut self,
        name: &str,
        modifiers: &[&str],
        types: &[Type],
        operands: &[&str],
    ) -> Result<bool, String> {
        let space = modifiers.iter().find_map(|m| space(m));
        match (name, types, operands) {
            ("bar", [], ["0"]) if *modifiers == ["sync"] => self.text.push_str("barrier ( 3 ) ; "),
            // CLK_LOCAL_MEM_FENCE and CLK_GLOBAL_MEM_FENCE, which also orders what other work-groups see.
            ("membar", [], []) if ["cta", "gl"].iter().any(|scope| *modifiers == [*scope]) => {
                self.text.push_str("mem_fence ( 3 ) ; ");
            }
            ("ld", &[ty], &[to, address]) => return self.load(modifiers, space, ty, to, address),
            ("st", &[ty], &[address, from]) => {
                return self.store(modifiers, space, ty, address, from);
            }
            ("atom", &[ty], &[to, address, ref values @ ..]) => {
                return self.atomic(modifiers, space, ty, Some(to), address, values);
            }
            ("red", &[ty], &[address, ref values @ ..]) => {
                return self.atomic(modifiers, space, ty, None, address, values);
            }
            (name, [], _) if WITHOUT_EFFECT.contains(&name) => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn load(
        &mut self,
        modifiers: &[&str],
        space: Option<&'static str>,
        ty: Type,
        to: &str,
        address: &str,
    ) -> Result<bool, String> {
        let (Some(space), Some(count)) = (space, accessed(modifiers)) else {
            return Ok(false);
        };
        let pointer = self.address(address, space, ty)?;
        if count == 1 {
            self.assign(to, ty, &format!("* {pointer}"))?;
            return Ok(true);
        }
        let Some(to) = vector(to, count) else {
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
        space: Option<&'static str>,
        ty: Type,
        address: &str,
        from: &str,
    ) -> Result<bool, String> {
        let (Some(space), Some(count)) = (space, accessed(modifiers)) else {
            return Ok(false);
        };
        let Some(from) = vector(from, count) else {
            return Ok(false);
        };
        let pointer = self.address(address, space, ty)?;
        for (place, from) in from.into_iter().enumerate() {
            let value = self.value(from, ty)?;
            let _ = write!(self.text, "{pointer} [ {place} ] = {value} ; ");
        }
        Ok(true)
    }

    /// Relaxed, for the device. `red` gives nothing.
    fn atomic(
        &mut self,
        modifiers: &[&str],
        space: Option<&'static str>,
        ty: Type,
        to: Option<&str>,
        address: &str,
        values: &[&str],
    ) -> Result<bool, String> {
        let known = |m: &&&str| !["relaxed", "gpu", "cta"].contains(m) && self::space(m).is_none();
        let rest: Vec<&&str> = modifiers.iter().filter(known).collect();
        let (Some(space @ ("global" | "local")), &[&operation]) = (space, &*rest) else {
            return Ok(false);
        };
        let float = ty.class == Class::Float;
        let (function, count) = match (operation, float) {
            ("add", true) => ("__asm_atomic_add", 1),
            ("add" | "min" | "max" | "and" | "or" | "xor", false) => (operation, 1),
            ("exch", _) => ("xchg", 1),
            ("cas", false) => ("cmpxchg", 2),
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
        let prefix = if function.starts_with("__") {
            ""
        } else {
            "atom_"
        };
        let mut call = format!("{prefix}{function} ( {}", self.address(address, space, of)?);
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

/// How many elements a load or store accesses, if it is one as those of OpenCL C.
fn accessed(modifiers: &[&str]) -> Option<usize> {
    let mut count = 1;
    for modifier in modifiers {
        match *modifier {
            "v2" => count = 2,
            "v4" => count = 4,
            "volatile" => {}
            m if space(m).is_some() || CACHED_ANYHOW.contains(&m) => {}
            _ => return None,
        }
    }
    Some(count)
}

/// The registers of `{a, b}`.
fn vector(operand: &str, count: usize) -> Option<Vec<&str>> {
    if count == 1 {
        return Some(vec![operand]);
    }
    let inner = operand.strip_prefix('{')?.strip_suffix('}')?;
    let parts = separated(inner);
    (parts.len() == count).then_some(parts)
}
