//! Names in scope while the tokens are marked: only whether a name is a typedef's or an ordinary
//! identifier's (C99 6.2.1). Tags, labels and members have name spaces of their own and are not here.

use std::collections::HashMap;
use std::sync::Arc;

use super::keywords::{self, Word};

/// Index of a spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameId(usize);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    Typedef,
    Ordinary,
}

#[derive(Debug)]
struct Entry {
    word: Word,
    /// Innermost last.
    meanings: Vec<Meaning>,
}

#[derive(Debug, Default)]
pub struct Scopes {
    ids: HashMap<Arc<str>, NameId>,
    entries: Vec<Entry>,
    /// The declarations to undo at the end of each open scope but the file's.
    open: Vec<Vec<NameId>>,
}

impl Scopes {
    pub fn intern(&mut self, text: &Arc<str>) -> NameId {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = NameId(self.entries.len());
        self.entries.push(Entry {
            word: keywords::lookup(text),
            meanings: Vec::new(),
        });
        self.ids.insert(text.clone(), id);
        id
    }

    pub fn word(&self, id: NameId) -> Word {
        self.entries[id.0].word
    }

    /// The innermost declaration of a name.
    pub fn meaning(&self, id: NameId) -> Option<Meaning> {
        self.entries[id.0].meanings.last().copied()
    }

    pub fn declare(&mut self, id: NameId, meaning: Meaning) {
        self.entries[id.0].meanings.push(meaning);
        if let Some(scope) = self.open.last_mut() {
            scope.push(id);
        }
    }

    pub fn push(&mut self) {
        self.open.push(Vec::new());
    }

    /// Ends the innermost scope; returns the ordinary names it declared.
    pub fn pop(&mut self) -> Vec<NameId> {
        let names = self.open.pop().unwrap_or_default();
        for id in &names {
            self.entries[id.0].meanings.pop();
        }
        names
    }

    /// Ends all scopes but the file's.
    pub fn pop_all(&mut self) {
        while !self.open.is_empty() {
            self.pop();
        }
    }
}
