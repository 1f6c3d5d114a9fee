//! Texts of ours that the compiler reads at run time: OpenCL C++'s headers, the builtin library and the tables of builtins.
//! `build.rs` packs each of these folders, since the library is to be small.

use std::sync::{LazyLock, OnceLock};

macro_rules! packed {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".packed"))
    };
}

/// OpenCL C++'s headers (front/clc/pp/headers).
pub static HEADERS: LazyLock<Folder> = LazyLock::new(|| Folder::new(packed!("headers")));
/// The builtin library (shaders/).
pub static LIBRARY: LazyLock<Folder> = LazyLock::new(|| Folder::new(packed!("library")));
/// Tables of builtins (front/clc/builtins/tables).
pub static TABLES: LazyLock<Folder> = LazyLock::new(|| Folder::new(packed!("tables")));

/// The first of the bytes that stand for two others, each of which may be such a byte.
const CODES: u8 = 128;

pub struct Folder {
    /// What the bytes from [`CODES`] on stand for.
    codes: Vec<String>,
    files: Vec<File>,
}

struct File {
    name: &'static [u8],
    packed: &'static [u8],
    text: OnceLock<String>,
}

impl Folder {
    /// Of a file as `build.rs` writes it: the pairs of bytes, then of each file the name, a line's end, the text and 0.
    fn new(packed: &'static [u8]) -> Folder {
        let (pairs, files) = packed.split_at(2 * usize::from(CODES));
        let mut codes = Vec::new();
        for pair in pairs.chunks(2) {
            codes.push(unpack(&codes, pair));
        }
        let files = files.split(|&byte| byte == 0).filter_map(|file| {
            let end = file.iter().position(|&byte| byte == b'\n')?;
            Some(File {
                name: &file[..end],
                packed: &file[end + 1..],
                text: OnceLock::new(),
            })
        });
        Folder {
            files: files.collect(),
            codes,
        }
    }

    /// The text of the file of this name.
    pub fn text(&self, name: &str) -> Option<&str> {
        let file = self
            .files
            .iter()
            .find(|file| file.name == name.as_bytes())?;
        Some(file.text.get_or_init(|| unpack(&self.codes, file.packed)))
    }
}

fn unpack(codes: &[String], packed: &[u8]) -> String {
    let mut text = String::with_capacity(3 * packed.len());
    for &byte in packed {
        match byte.checked_sub(CODES) {
            None => text.push(char::from(byte)),
            // Codes of pairs that there are not are in no text.
            Some(code) => text.push_str(&codes[usize::from(code)]),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_unpacked() {
        assert_eq!(
            HEADERS.text("opencl_reinterpret"),
            Some(
                "#pragma once\nnamespace cl {\ntemplate <class T, class U> T as_type(const U &x) { \
                 return __opencl_c(\"as_\", T)(x); }\n}\n"
            )
        );
        assert_eq!(HEADERS.text("opencl_unknown"), None);
        assert_eq!(HEADERS.text(""), None);
    }

    /// Lines have their numbers, for messages about defects.
    #[test]
    fn tables_are_unpacked_as_they_are() {
        let file = include_str!("front/clc/builtins/tables/subgroup.txt");
        assert_eq!(TABLES.text("subgroup"), Some(file));
    }
}
