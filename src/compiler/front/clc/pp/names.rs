//! Interned spellings: equal text, equal [`Sym`], so that the preprocessor compares and
//! looks up numbers. The hash is a multiply-and-rotate over 8-byte words: spellings are
//! short, and SipHash would dominate the lexer.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

/// Index of a spelling in [`Names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sym(pub u32);

#[derive(Default)]
pub(super) struct WordHasher(u64);

impl WordHasher {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.add(word.iter().fold(0, |w, &b| w << 8 | u64::from(b)));
        }
        let rest = words.remainder();
        self.add(
            rest.iter()
                .fold(rest.len() as u64, |w, &b| w << 8 | u64::from(b)),
        );
    }

    fn finish(&self) -> u64 {
        // The table takes its tag from the high bits, its slot from the low ones.
        self.0 ^ self.0 >> 32
    }
}

pub(super) struct Names {
    by_text: HashMap<Arc<str>, Sym, BuildHasherDefault<WordHasher>>,
    texts: Vec<Arc<str>>,
}

macro_rules! well_known {
    ($($name:ident = $text:expr,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Known { $($name,)* }
        /// Spellings that the preprocessor itself asks for.
        pub(super) mod sym {
            use super::{Known, Sym};
            $(pub const $name: Sym = Sym(Known::$name as u32);)*
        }
        const WELL_KNOWN: &[&str] = &[$($text,)*];
    };
}

well_known! {
    EMPTY = "",
    HASH = "#", HASH_HASH = "##", LPAREN = "(", RPAREN = ")", LBRACKET = "[", RBRACKET = "]",
    LBRACE = "{", RBRACE = "}", COMMA = ",", ELLIPSIS = "...", LESS = "<", GREATER = ">",
    DIGRAPH_HASH = "%:", DIGRAPH_HASH_HASH = "%:%:", DIGRAPH_LBRACKET = "<:",
    DIGRAPH_RBRACKET = ":>", DIGRAPH_LBRACE = "<%", DIGRAPH_RBRACE = "%>",
    TRUE = "true", DEFINED = "defined", PRAGMA = "_Pragma",
    VA_ARGS = "__VA_ARGS__", VA_OPT = "__VA_OPT__", OPENCL = "OPENCL", STDC = "STDC", ONCE = "once",
}

impl Names {
    pub fn new() -> Names {
        let mut names = Names {
            by_text: HashMap::default(),
            texts: Vec::new(),
        };
        for text in WELL_KNOWN {
            names.intern(text);
        }
        names
    }

    pub fn intern(&mut self, text: &str) -> Sym {
        if let Some(&sym) = self.by_text.get(text) {
            return sym;
        }
        let sym = Sym(self.texts.len() as u32);
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.by_text.insert(text, sym);
        sym
    }

    pub fn text(&self, sym: Sym) -> &Arc<str> {
        &self.texts[sym.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.texts.len()
    }
}

/// The operator that a word of C++ stands for (C++17 5.5).
pub(super) fn alternative(word: &str) -> Option<&'static str> {
    Some(match word {
        "and" => "&&",
        "and_eq" => "&=",
        "bitand" => "&",
        "bitor" => "|",
        "compl" => "~",
        "not" => "!",
        "not_eq" => "!=",
        "or" => "||",
        "or_eq" => "|=",
        "xor" => "^",
        "xor_eq" => "^=",
        _ => return None,
    })
}

/// The punctuator that a digraph stands for (C99 6.4.6).
pub(super) fn without_digraph(sym: Sym) -> Sym {
    match sym {
        sym::DIGRAPH_HASH => sym::HASH,
        sym::DIGRAPH_HASH_HASH => sym::HASH_HASH,
        sym::DIGRAPH_LBRACKET => sym::LBRACKET,
        sym::DIGRAPH_RBRACKET => sym::RBRACKET,
        sym::DIGRAPH_LBRACE => sym::LBRACE,
        sym::DIGRAPH_RBRACE => sym::RBRACE,
        _ => sym,
    }
}
