//! Source lines in modules, for debuggers and profilers (-g): NonSemantic.Shader.DebugInfo.100 where the target has
//! SPV_KHR_non_semantic_info, else, and for kernels with images, OpLine. The text of each file that is named is in the module, too.
//!
//! An instruction without a place of its own, which a pass has made, has that of the one before it.

use rspirv::dr::Operand;
use rspirv::spirv::{Op as SpvOp, SourceLanguage};
use rustc_hash::FxHashMap;

use super::writer::{TypeKey, Writer, encode, ids};
use crate::front::clc::pp::predefined;
use crate::source::{SourceLoc, SourceMap};

/// Instructions of NonSemantic.Shader.DebugInfo.100.
mod inst {
    pub const COMPILATION_UNIT: u32 = 1;
    pub const TYPE_FUNCTION: u32 = 8;
    pub const FUNCTION: u32 = 20;
    pub const SCOPE: u32 = 23;
    pub const SOURCE: u32 = 35;
    pub const FUNCTION_DEFINITION: u32 = 101;
    pub const SOURCE_CONTINUED: u32 = 102;
    pub const LINE: u32 = 103;
}

/// The version of the set, and DWARF's that it follows.
const VERSIONS: [u32; 2] = [100, 4];
/// Bytes of text in one instruction, of 65535 words.
const PIECE: usize = 240_000;

/// Where lines come from.
#[derive(Clone, Copy)]
pub struct Lines<'a> {
    pub map: &'a SourceMap,
    /// `__OPENCL_C_VERSION__`.
    pub version: u32,
}

/// What a writer knows of lines.
pub struct Debug<'a> {
    lines: Lines<'a>,
    /// OpString, OpSource.
    pub section: Vec<u32>,
    /// By file: its name; of the set its source and compilation unit.
    files: FxHashMap<u32, File>,
    /// The instruction set, if there is one.
    pub set: Option<u32>,
    strings: FxHashMap<String, u32>,
    /// Of the function, once it has an instruction with a place.
    scope: Option<u32>,
    /// The OpFunction, and its name.
    function: (u32, String),
    /// The last place.
    place: Option<SourceLoc>,
    /// Line and column that hold in the current block.
    current: Option<(u32, u32, u32)>,
}

#[derive(Clone, Copy)]
struct File {
    name: u32,
    source: u32,
    unit: u32,
}

impl<'a> Debug<'a> {
    pub fn new(lines: Lines<'a>) -> Debug<'a> {
        Debug {
            lines,
            section: Vec::new(),
            files: FxHashMap::default(),
            set: None,
            strings: FxHashMap::default(),
            scope: None,
            function: (0, String::new()),
            place: None,
            current: None,
        }
    }
}

/// The text in pieces that instructions can have.
fn pieces(mut text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    while text.len() > PIECE {
        let mut at = PIECE;
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let (piece, rest) = text.split_at(at);
        all.push(piece);
        text = rest;
    }
    all.push(text);
    all
}

impl Writer<'_> {
    /// A function begins; none of its places are known.
    pub fn debug_function(&mut self, id: u32, name: &str) {
        if let Some(debug) = &mut self.debug {
            debug.function = (id, name.to_string());
            debug.scope = None;
            debug.place = None;
            debug.current = None;
        }
    }

    /// A block begins: what holds in another one does not hold in it.
    pub fn debug_block(&mut self) {
        if let Some(debug) = &mut self.debug {
            debug.current = None;
        }
    }

    /// What follows comes from this place.
    pub fn debug_place(&mut self, loc: SourceLoc) {
        let Some(debug) = &mut self.debug else { return };
        let file = debug.lines.map.files.get(loc.file as usize);
        // No instruction is the first byte of a program, and what predefined macros become is nobody's source.
        if loc != SourceLoc::default() && file.is_some_and(|file| file.name != predefined::FILE) {
            debug.place = Some(loc);
        }
        let Some(place) = debug.place else { return };
        let (line, column) = debug.lines.map.line_col(place);
        let wanted = (place.file, line, column);
        if debug.current == Some(wanted) {
            return;
        }
        let is_new = debug.current.is_none();
        debug.current = Some(wanted);
        let file = self.debug_file(place.file);
        if self.has_debug_set() {
            let scope = self.debug_scope(file, line, column);
            if is_new {
                self.debug_info(inst::SCOPE, &[scope], true);
            }
            let [line, column] = [line, column].map(|n| self.word(n));
            self.debug_info(inst::LINE, &[file.source, line, line, column, column], true);
        } else {
            let numbers = [line, column].map(Operand::LiteralBit32);
            let operands = [vec![Operand::IdRef(file.name)], numbers.to_vec()].concat();
            self.push(SpvOp::Line, None, None, operands);
        }
    }

    fn has_debug_set(&self) -> bool {
        self.target.non_semantic && !self.no_debug_set
    }

    /// An instruction of the set, in a function or of module scope.
    fn debug_info(&mut self, number: u32, operands: &[u32], in_function: bool) -> u32 {
        let set = match self.debug.as_ref().and_then(|debug| debug.set) {
            Some(set) => set,
            None => {
                let set = self.id();
                self.extension("SPV_KHR_non_semantic_info", 0x10600);
                if let Some(debug) = &mut self.debug {
                    debug.set = Some(set);
                }
                set
            }
        };
        let void = self.key(TypeKey::Void);
        let head = [Operand::IdRef(set), Operand::LiteralExtInstInteger(number)];
        let operands = [head.to_vec(), ids(operands)].concat();
        match in_function {
            true => self.value(SpvOp::ExtInst, void, operands),
            false => self.global(SpvOp::ExtInst, Some(void), operands),
        }
    }

    fn debug_string(&mut self, text: &str) -> u32 {
        let known = self
            .debug
            .as_ref()
            .and_then(|d| d.strings.get(text).copied());
        if let Some(id) = known {
            return id;
        }
        let id = self.id();
        if let Some(debug) = &mut self.debug {
            let operands = [Operand::LiteralString(text.to_string())];
            encode(&mut debug.section, SpvOp::String, None, Some(id), &operands);
            debug.strings.insert(text.to_string(), id);
        }
        id
    }

    /// The file of this number, with its text.
    fn debug_file(&mut self, number: u32) -> File {
        let known = self.debug.as_ref().and_then(|d| d.files.get(&number));
        if let Some(file) = known {
            return *file;
        }
        let lines = self.debug.as_ref().map(|debug| debug.lines);
        let file = lines.and_then(|lines| lines.map.files.get(number as usize));
        let (title, text) = file.map_or(("", ""), |file| (&file.name, &file.text));
        let version = lines.map_or(0, |lines| lines.version);
        let name = self.debug_string(title);
        let mut file = File {
            name,
            source: 0,
            unit: 0,
        };
        // A zero would be its end.
        let text = text.replace('\0', " ");
        let pieces = pieces(&text);
        if self.has_debug_set() {
            for (i, piece) in pieces.iter().enumerate() {
                let piece = self.debug_string(piece);
                match i {
                    0 => file.source = self.debug_info(inst::SOURCE, &[name, piece], false),
                    _ => _ = self.debug_info(inst::SOURCE_CONTINUED, &[piece], false),
                }
            }
            let [set, dwarf] = VERSIONS.map(|n| self.word(n));
            let language = self.word(SourceLanguage::OpenCL_C as u32);
            let operands = [set, dwarf, file.source, language];
            file.unit = self.debug_info(inst::COMPILATION_UNIT, &operands, false);
        } else if let Some(debug) = &mut self.debug {
            let head = [
                Operand::SourceLanguage(SourceLanguage::OpenCL_C),
                Operand::LiteralBit32(version),
                Operand::IdRef(name),
            ];
            for (i, piece) in pieces.iter().enumerate() {
                let piece = Operand::LiteralString(piece.to_string());
                let (op, operands) = match i {
                    0 => (SpvOp::Source, [head.to_vec(), vec![piece]].concat()),
                    _ => (SpvOp::SourceContinued, vec![piece]),
                };
                encode(&mut debug.section, op, None, None, &operands);
            }
        }
        if let Some(debug) = &mut self.debug {
            debug.files.insert(number, file);
        }
        file
    }

    /// The scope of the function, which begins at its first place.
    fn debug_scope(&mut self, file: File, line: u32, column: u32) -> u32 {
        if let Some(scope) = self.debug.as_ref().and_then(|debug| debug.scope) {
            return scope;
        }
        let function = self.debug.as_ref().map(|debug| debug.function.clone());
        let (id, name) = function.unwrap_or_default();
        let (void, zero) = (self.key(TypeKey::Void), self.word(0));
        let name = self.debug_string(&name);
        let [line, column] = [line, column].map(|n| self.word(n));
        let ty = self.debug_info(inst::TYPE_FUNCTION, &[zero, void], false);
        let operands = [
            name,
            ty,
            file.source,
            line,
            column,
            file.unit,
            name,
            zero,
            line,
        ];
        let scope = self.debug_info(inst::FUNCTION, &operands, false);
        self.debug_info(inst::FUNCTION_DEFINITION, &[scope, id], true);
        if let Some(debug) = &mut self.debug {
            debug.scope = Some(scope);
        }
        scope
    }
}
