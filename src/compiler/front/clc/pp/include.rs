//! `#include` (C99 6.10.2).
//!
//! A name is looked for among the headers given to clCompileProgram, then, written with
//! quotes, beside the including file, then in the `-I` directories.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::Pp;
use super::lexer::{Kind, SPACE, Tok};
use super::names::sym;
use crate::source::MAX_INCLUDED;
use crate::texts::HEADERS;

/// Files that may include each other in a chain.
const MAX_DEPTH: usize = 200;

/// Cost of an inclusion in addition to its bytes, so that files that include empty files do not loop for ever.
const INCLUDE_COST: usize = 256;

#[derive(Default)]
pub(super) struct Includes {
    /// By path: index in the source map and text.
    loaded: HashMap<String, (u32, Rc<str>)>,
    /// Files with `#pragma once`.
    once: BTreeSet<u32>,
    bytes: usize,
}

/// Directory of a file, with a slash at its end, or empty.
pub(super) fn directory(path: &str) -> String {
    path.rfind('/').map_or("", |i| &path[..=i]).to_string()
}

impl Pp<'_> {
    pub(super) fn include(&mut self, directive: Tok) {
        let Some((name, quoted, tok)) = self.include_name(directive) else {
            return;
        };
        if name.is_empty() {
            return self.error(tok.loc, "empty filename");
        }
        if self.files.len() > MAX_DEPTH {
            return self.fatal_error(tok.loc, "#include nested too deeply");
        }
        let (path, id, text) = match self.find(&name, quoted) {
            Ok(found) => found,
            Err(why) => return self.fatal_error(tok.loc, format!("'{name}' {why}")),
        };
        if self.includes.once.contains(&id) {
            return;
        }
        self.includes.bytes += text.len() + INCLUDE_COST;
        if self.includes.bytes > MAX_INCLUDED {
            let message = format!("included files exceed the limit of {MAX_INCLUDED} bytes");
            return self.fatal_error(tok.loc, message);
        }
        self.enter(id, text, directory(&path));
    }

    pub(super) fn include_once(&mut self) {
        let id = self.file().id;
        self.includes.once.insert(id);
    }

    /// Name, whether it is in quotes, and its first token.
    fn include_name(&mut self, directive: Tok) -> Option<(String, bool, Tok)> {
        let file = self.files.last_mut()?;
        if let Some(name) = file.lexer.header_name(self.sink) {
            let mut tok = directive;
            tok.loc = file.lexer.loc();
            tok.loc.offset -= name.len() as u32 + 2;
            self.expect_eod("include");
            return Some((name, false, tok));
        }
        let first = self.next_expanded();
        if first.kind == Kind::Str {
            // A file name has no escapes.
            let text = self.names.text(first.sym);
            let name = text.trim_matches('"').to_string();
            self.expect_eod("include");
            return Some((name, true, first));
        }
        if !first.is(sym::LESS) {
            let loc = if first.is_end() {
                directive.loc
            } else {
                first.loc
            };
            self.error(loc, "expected \"FILENAME\" or <FILENAME>");
            return None;
        }
        let mut name = String::new();
        loop {
            let tok = self.next_expanded();
            if tok.is(sym::GREATER) {
                return Some((name, false, first));
            }
            if tok.is_end() {
                self.error(first.loc, "expected '>'");
                return None;
            }
            if tok.has(SPACE) {
                name.push(' ');
            }
            name += self.names.text(tok.sym);
        }
    }

    /// Path, index in the source map and text of a file, or why there is none.
    pub(super) fn find(
        &mut self,
        name: &str,
        quoted: bool,
    ) -> Result<(String, u32, Rc<str>), String> {
        let mut candidates = vec![];
        if name.starts_with('/') {
            candidates.push(name.to_string());
        } else {
            if quoted {
                let beside = self.file().directory.clone();
                candidates.push(format!("{beside}{name}"));
            }
            let dirs = self.opts.include_dirs.iter();
            candidates.extend(dirs.map(|d| format!("{}/{name}", d.trim_end_matches('/'))));
        }
        if let Some(text) = self.header(name) {
            let (id, text) = self.load(name, &text);
            return Ok((name.to_string(), id, text));
        }
        for path in candidates {
            if let Some((id, text)) = self.includes.loaded.get(&path) {
                return Ok((path, *id, text.clone()));
            }
            let found = self.header(&path).map(Ok);
            if let Some(text) = found.or_else(|| (self.src.load)(&path)) {
                let (id, text) = self.load(&path, &text?);
                return Ok((path, id, text));
            }
        }
        if self.opts.is_opencl_cxx() {
            if let Some((id, text)) = self.includes.loaded.get(name) {
                return Ok((name.to_string(), *id, text.clone()));
            }
            if let Some(text) = HEADERS.text(name) {
                let (id, text) = self.load(name, text);
                return Ok((name.to_string(), id, text));
            }
        }
        Err("file not found".into())
    }

    fn header(&self, name: &str) -> Option<String> {
        let header = self.src.headers.iter().find(|(n, _)| n == name)?;
        Some(header.1.clone())
    }

    fn load(&mut self, path: &str, text: &str) -> (u32, Rc<str>) {
        if let Some((id, text)) = self.includes.loaded.get(path) {
            return (*id, text.clone());
        }
        let id = self.map.add(path.to_string(), text.to_string());
        let entry = (id, Rc::from(text));
        self.includes.loaded.insert(path.to_string(), entry.clone());
        entry
    }
}
