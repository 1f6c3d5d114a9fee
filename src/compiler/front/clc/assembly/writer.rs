//! OpenCL C for a run of `asm` statements: a block with their registers, what the instructions do, and the stores of the results.

use std::collections::HashMap;
use std::fmt::Write;

use super::super::pp::{Token, TokenKind};
use super::operands::{Class, PREDICATE, S64, Type, U32, U64, constant, converted, special};
use super::ptx::{Instruction, Line, lines, without_comments};
use super::statement::Statement;
use crate::diag::Sink;

/// Before a number: an operand of the statement in its text, and its expression among the words that are written.
const OPERAND: char = '\u{1}';

/// The carry flag of a run (PTX ISA, "Extended-Precision Integer Arithmetic Instructions").
pub const CARRY: &str = "__asm_carry";

pub type Written = Result<(), String>;

/// Appends what the statements do.
pub fn write(run: &[Statement], first: &Token, out: &mut Vec<Token>, sink: &mut Sink) {
    let (mut carry, mut exact) = (false, false);
    let mut blocks = Vec::new();
    for statement in run {
        let block = Writer::new(statement, carry).and_then(|mut writer| {
            writer.statement()?;
            carry = writer.carry;
            exact |= writer.exact;
            Ok(writer.text)
        });
        match block {
            Ok(block) => blocks.push((statement, block)),
            Err(why) => sink.error(statement.text[0].loc, format!("inline assembly: {why}")),
        }
    }
    append("{", None, first, out);
    if exact {
        out.push(Token {
            kind: TokenKind::Pragma,
            text: "OPENCL FP_CONTRACT OFF".into(),
            ..first.clone()
        });
    }
    if carry {
        append(&format!("uint {CARRY} = 0 ;"), None, first, out);
    }
    for (statement, block) in blocks {
        append(&block, Some(statement), first, out);
    }
    append("}", None, first, out);
}

/// Words as tokens, at the place of `at`.
fn append(words: &str, statement: Option<&Statement>, at: &Token, out: &mut Vec<Token>) {
    for word in words.split_ascii_whitespace() {
        if let (Some(index), Some(statement)) = (operand_index(word), statement) {
            append("(", None, at, out);
            out.extend_from_slice(statement.operands[index].expression);
            append(")", None, at, out);
            continue;
        }
        let kind = match word.chars().next() {
            Some(c) if c.is_ascii_digit() => TokenKind::Number,
            Some(c) if c == '_' || c.is_ascii_alphabetic() => TokenKind::Ident,
            _ => TokenKind::Punct,
        };
        out.push(Token {
            kind,
            text: word.into(),
            loc: at.loc,
            space_before: true,
        });
    }
}

/// One statement.
pub struct Writer<'s> {
    statement: &'s Statement<'s>,
    /// The assembly, with operands marked.
    assembly: String,
    /// By name, in scopes of the assembly.
    registers: Vec<HashMap<String, Type>>,
    /// State spaces of operands that are pointers: what `[%1]` accesses.
    pointers: HashMap<usize, &'static str>,
    /// Something has set the carry flag.
    pub carry: bool,
    /// Sums and products of floats are not to become one operation.
    pub exact: bool,
    /// Words with spaces between them.
    pub text: String,
}

impl<'s> Writer<'s> {
    fn new(statement: &'s Statement<'s>, carry: bool) -> Result<Writer<'s>, String> {
        Ok(Writer {
            statement,
            assembly: assembly(statement)?,
            registers: vec![HashMap::new()],
            pointers: HashMap::new(),
            carry,
            exact: false,
            text: String::new(),
        })
    }

    fn statement(&mut self) -> Written {
        let assembly = without_comments(&self.assembly);
        for line in lines(&assembly)? {
            self.line(line)?;
        }
        if self.registers.len() != 1 {
            return Err("a scope is not closed".into());
        }
        let body = std::mem::take(&mut self.text);
        self.text.push_str("{ ");
        for index in 0..self.statement.operands.len() {
            self.declare_operand(index)?;
        }
        self.text.push_str(&body);
        for index in 0..self.statement.outputs {
            let _ = write!(self.text, "{OPERAND}{index} = __asm_{index} ; ");
        }
        self.text.push('}');
        Ok(())
    }

    /// Its register, with what is in it before.
    fn declare_operand(&mut self, index: usize) -> Written {
        let constraint = self.statement.operands[index].constraint;
        let Some(ty) = self.operand_type(index)? else {
            return Ok(());
        };
        let name = ty.name();
        let source = match constraint.parse::<usize>() {
            Ok(_) => return Ok(()),
            Err(_) if index >= self.statement.outputs || constraint.starts_with('+') => Some(index),
            Err(_) => self
                .statement
                .operands
                .iter()
                .position(|o| o.constraint == index.to_string()),
        };
        if let Some(space) = self.pointers.get(&index) {
            let bytes = format!("volatile {space} uchar *");
            let _ = write!(
                self.text,
                "{bytes} __asm_pointer{index} = ( {bytes} ) {OPERAND}{index} ; "
            );
            let _ = write!(
                self.text,
                "{name} __asm_{index} = ( {name} ) __asm_pointer{index} ; "
            );
        } else if let Some(source) = source {
            let _ = write!(
                self.text,
                "{name} __asm_{index} = ( {name} ) {OPERAND}{source} ; "
            );
        } else {
            let _ = write!(self.text, "{name} __asm_{index} = 0 ; ");
        }
        Ok(())
    }

    /// The type of an operand's register, `None` for constants.
    fn operand_type(&self, index: usize) -> Result<Option<Type>, String> {
        let operands = &self.statement.operands;
        let operand = operands
            .get(index)
            .ok_or_else(|| format!("there is no operand %{index}"))?;
        if let Ok(same) = operand.constraint.parse::<usize>() {
            let other = same < self.statement.outputs && index >= self.statement.outputs;
            return if other {
                self.operand_type(same)
            } else {
                Err("a wrong constraint".into())
            };
        }
        let mut letters = operand
            .constraint
            .trim_start_matches(['=', '+', '&'])
            .chars();
        let unknown = || format!("the constraint \"{}\" is not supported", operand.constraint);
        let letter = letters
            .next()
            .filter(|_| letters.as_str().is_empty())
            .ok_or_else(unknown)?;
        if matches!(letter, 'n' | 'i') {
            return Ok(None);
        }
        Type::of_constraint(letter).map(Some).ok_or_else(unknown)
    }

    fn line(&mut self, line: Line) -> Written {
        match line {
            Line::Open => {
                self.registers.push(HashMap::new());
                self.text.push_str("{ ");
            }
            Line::Close if self.registers.len() > 1 => {
                self.registers.pop();
                self.text.push_str("} ");
            }
            Line::Close => return Err("'}' closes nothing".into()),
            Line::Registers(kind, names) => {
                let ty = Type::of(kind)
                    .ok_or_else(|| format!("registers of type '{kind}' are not supported"))?;
                for name in names {
                    self.declare(name, ty.register())?;
                }
            }
            Line::Instruction(instruction) => self.guarded(&instruction)?,
        }
        Ok(())
    }

    /// `name`, or `name<5>` for `name0` to `name4`.
    fn declare(&mut self, name: &str, ty: Type) -> Written {
        let names: Vec<String> = match name.split_once('<') {
            None => vec![name.to_owned()],
            Some((stem, count)) => {
                let count = count
                    .strip_suffix('>')
                    .and_then(|c| c.parse::<usize>().ok());
                let count = count
                    .filter(|&c| c <= 1024)
                    .ok_or_else(|| format!("'{name}' is no name"))?;
                (0..count).map(|i| format!("{stem}{i}")).collect()
            }
        };
        for name in names {
            let _ = write!(self.text, "{} {} = 0 ; ", ty.name(), local(&name));
            let scope = self.registers.last_mut().expect("one scope at least");
            scope.insert(name, ty);
        }
        Ok(())
    }

    fn guarded(&mut self, instruction: &Instruction) -> Written {
        let Some((guard, negated)) = instruction.guard else {
            return self.instruction(instruction);
        };
        let guard = self.value(guard, PREDICATE)?;
        let not = if negated { "! " } else { "" };
        let _ = write!(self.text, "if ( {not}{guard} ) {{ ");
        self.instruction(instruction)?;
        self.text.push_str("} ");
        Ok(())
    }

    /// The register that an operand of an instruction names, in OpenCL C.
    fn register(&self, operand: &str) -> Result<Option<(String, Type)>, String> {
        if let Some(index) = operand_index(operand) {
            let ty = self.operand_type(index)?;
            let same = self.statement.operands[index].constraint.parse::<usize>();
            return Ok(ty.map(|ty| (format!("__asm_{}", same.unwrap_or(index)), ty)));
        }
        let found = self
            .registers
            .iter()
            .rev()
            .find_map(|scope| scope.get(operand));
        Ok(found.map(|&ty| (local(operand), ty)))
    }

    /// An operand as a value of a type.
    pub fn value(&mut self, operand: &str, ty: Type) -> Result<String, String> {
        if let Some(operand) = operand.strip_prefix('!').filter(|_| ty == PREDICATE) {
            return Ok(format!("( ! {} )", self.value(operand, ty)?));
        }
        let unfit = || format!("'{}' is no operand of type {}", shown(operand), ty.name());
        if let Some((name, of)) = self.register(operand)? {
            let fits = converted(&name, of, ty).filter(|_| of.bits >= ty.bits);
            return fits.ok_or_else(unfit);
        }
        if let Some(index) = operand_index(operand) {
            return Ok(format!("( ( {} ) {OPERAND}{index} )", ty.name()));
        }
        if let Some(text) = special(operand) {
            return converted(&text, U32, ty).ok_or_else(unfit);
        }
        constant(operand, ty).ok_or_else(unfit)
    }

    /// Puts an expression of a type into a register. One that is wider is filled with copies of the sign.
    pub fn assign(&mut self, operand: &str, ty: Type, expression: &str) -> Written {
        // The sink.
        if operand == "_" {
            return Ok(());
        }
        let unfit = || format!("'{}' is no register for {}", shown(operand), ty.name());
        let wide_enough = |(_, of): &(String, Type)| of.bits >= ty.bits;
        let register = self.register(operand)?.filter(wide_enough);
        let (name, of) = register.ok_or_else(unfit)?;
        let value = format!("( ( {} ) ( {expression} ) )", ty.name());
        let extended = match ty.class {
            Class::Signed if of.class != Class::Float && of.bits > ty.bits => {
                let wide = ty.of_bits(of.bits);
                converted(&value, ty, wide).and_then(|value| converted(&value, wide, of))
            }
            _ => converted(&value, ty, of),
        };
        let _ = write!(self.text, "{name} = {} ; ", extended.ok_or_else(unfit)?);
        Ok(())
    }

    /// `[base + offset]` as a pointer of the state space to the type.
    pub fn address(
        &mut self,
        operand: &str,
        space: &'static str,
        ty: Type,
    ) -> Result<String, String> {
        let inner = operand.strip_prefix('[').and_then(|o| o.strip_suffix(']'));
        let inner = inner.ok_or_else(|| format!("'{}' is no address", shown(operand)))?;
        let sign = inner.rfind(['+', '-']);
        let (base, offset) = sign.map_or((inner, ""), |at| inner.split_at(at));
        let (base, offset) = (base.trim(), offset.trim_start_matches('+').trim());
        let bytes = format!("volatile {space} uchar *");
        let pointer = match operand_index(base) {
            Some(index) if index >= self.statement.outputs => {
                if *self.pointers.entry(index).or_insert(space) != space {
                    return Err(format!("%{index} is an address in two state spaces"));
                }
                format!("__asm_pointer{index}")
            }
            _ => {
                format!("( ( {bytes} ) {} )", self.value(base, U64)?)
            }
        };
        let pointer = match offset {
            "" => pointer,
            _ => {
                let offset = constant(&offset.replace(' ', ""), S64);
                let offset = offset.ok_or_else(|| format!("'{}' is no address", shown(operand)))?;
                format!("( {pointer} + {offset} )")
            }
        };
        Ok(format!(
            "( ( volatile {space} {} * ) {pointer} )",
            ty.name()
        ))
    }
}

/// A register of the assembly in OpenCL C.
fn local(name: &str) -> String {
    let letters = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    format!("__asm_r_{}", letters.collect::<String>())
}

/// Which operand of the statement a word stands for.
fn operand_index(word: &str) -> Option<usize> {
    word.strip_prefix(OPERAND)?.parse().ok()
}

/// As it is written in the source.
fn shown(operand: &str) -> String {
    operand.replace(OPERAND, "%")
}

/// The text of the assembly, with [`OPERAND`] and a number in the place of `%1` and `%[name]`, and `%` in that of `%%`.
fn assembly(statement: &Statement) -> Result<String, String> {
    let mut text = String::new();
    for string in statement.text {
        let quoted = &string.text;
        let inner = quoted.strip_prefix('"').and_then(|q| q.strip_suffix('"'));
        let inner = inner.ok_or("its text is no string of plain characters")?;
        text.push_str(&unescaped(inner)?);
    }
    // Without colons there are no operands, and nothing is doubled.
    if statement.is_basic {
        return Ok(text);
    }
    let mut out = String::new();
    let mut rest = &*text;
    while let Some((before, behind)) = rest.split_once('%') {
        out.push_str(before);
        rest = behind;
        if let Some(behind) = rest.strip_prefix('%') {
            out.push('%');
            rest = behind;
        } else if let Some((name, behind)) = rest.strip_prefix('[').and_then(|r| r.split_once(']'))
        {
            let index = statement.operands.iter().position(|o| o.name == Some(name));
            let index = index.ok_or_else(|| format!("there is no operand %[{name}]"))?;
            let _ = write!(out, "{OPERAND}{index}");
            rest = behind;
        } else if rest.starts_with(|c: char| c.is_ascii_digit()) {
            out.push(OPERAND);
        } else {
            return Err("'%' is followed by no operand".into());
        }
    }
    Ok(out + rest)
}

/// The escapes that assembly is laid out with.
fn unescaped(text: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        out.push(match c {
            '\\' => match rest.next() {
                Some('n') => '\n',
                Some('t' | 'r') => ' ',
                Some(same @ ('\\' | '"' | '\'')) => same,
                _ => return Err("an escape of its text is not supported".into()),
            },
            plain => plain,
        });
    }
    Ok(out)
}
