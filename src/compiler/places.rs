//! The places of an object's instructions and the files that they are in, which the text form of IR leaves out. An object has them
//! behind its text and a zero, if it is compiled with -g or with checks. Numbers have 32 bits, the lowest byte first:
//!
//! ```text
//! 1 if modules get lines, else 0
//! how many files; of each the length of its name, the name, the length of its text, the text
//! of each instruction, in the order of `walk`, its file and offset
//! ```

use rustc_hash::FxHashMap;

use super::ir::Module;
use super::ir::util::{walk, walk_mut};
use super::source::{SourceLoc, SourceMap};
use super::target::Target;

/// The file of what has no place.
const NONE: u32 = u32::MAX;

/// Whether anything asks for places.
pub fn wanted(debug: bool, target: &Target) -> bool {
    debug || target.check
}

/// An object's text, and its places if it has them.
pub fn split(object: &[u8]) -> (&[u8], Option<&[u8]>) {
    let zero = object.iter().position(|&b| b == 0);
    match zero {
        Some(at) => (&object[..at], Some(&object[at + 1..])),
        None => (object, None),
    }
}

/// Appends the places to an object's text.
pub fn append(object: &mut Vec<u8>, module: &Module, map: &SourceMap, lines: bool) {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut files = Vec::new();
    let mut places = Vec::new();
    for body in module.funcs.iter().filter_map(|func| func.body.as_ref()) {
        walk(body, &mut |inst| {
            let loc = inst.loc;
            let file = map.files.get(loc.file as usize);
            let file = match file.filter(|_| loc != SourceLoc::default()) {
                Some(file) => *numbers.entry(loc.file).or_insert_with(|| {
                    files.push(file);
                    files.len() as u32 - 1
                }),
                None => NONE,
            };
            places.extend([file, loc.offset]);
        });
    }
    let number = |object: &mut Vec<u8>, n: u32| object.extend(n.to_le_bytes());
    object.push(0);
    number(object, lines.into());
    number(object, files.len() as u32);
    for text in files.iter().flat_map(|file| [&file.name, &file.text]) {
        number(object, text.len() as u32);
        object.extend(text.as_bytes());
    }
    for n in places {
        number(object, n);
    }
}

/// Gives a module's instructions their places, and the map the files; whether modules get lines. `None` if these are not the
/// module's places: they may come from a file.
pub fn read(places: &[u8], module: &mut Module, map: &mut SourceMap) -> Option<bool> {
    let mut reader = Reader(places);
    let lines = reader.number()? != 0;
    let first = map.files.len();
    for _ in 0..reader.number()? {
        let (name, text) = (reader.text()?, reader.text()?);
        map.add(name, text);
    }
    let mut complete = true;
    for body in module.funcs.iter_mut().filter_map(|f| f.body.as_mut()) {
        walk_mut(body, &mut |inst| {
            let (Some(file), Some(offset)) = (reader.number(), reader.number()) else {
                complete = false;
                return;
            };
            let file = first.saturating_add(file as usize);
            if map.files.get(file).is_some_and(|file| file.has(offset)) {
                let file = file as u32;
                inst.loc = SourceLoc { file, offset };
            }
        });
    }
    (complete && reader.0.is_empty()).then_some(lines)
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*number))
    }

    fn text(&mut self) -> Option<String> {
        let len = self.number()?;
        let (text, rest) = self.0.split_at_checked(len as usize)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }
}
