//! Packs the headers of OpenCL C++ (front/clc/pp/headers) into `$OUT_DIR/headers.packed`, since the library
//! is to be small: comments and indentation are left out, and bytes from 128 on stand for the pairs of bytes that are the
//! most frequent ("byte pair encoding"). The file has the 128 pairs, then of each header its name, a line's end, the text and 0.

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

const FOLDER: &str = "front/clc/pp/headers";

/// Pairs that come less often are not worth a byte.
const LEAST: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={FOLDER}");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(FOLDER)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let mut texts = Vec::new();
    for name in &names {
        let text = std::fs::read_to_string(Path::new(FOLDER).join(name))?;
        if !text.is_ascii() {
            return Err(format!("{name} is not ASCII").into());
        }
        texts.push(stripped(&text));
    }
    let pairs = pack(&mut texts);
    let mut out = pairs.concat();
    for (name, text) in names.iter().zip(&texts) {
        out.extend(name.as_bytes());
        out.push(b'\n');
        out.extend(text);
        out.push(0);
    }
    let folder = std::env::var("OUT_DIR")?;
    std::fs::write(Path::new(&folder).join("headers.packed"), out)?;
    Ok(())
}

/// Without comments, empty lines and indentation.
fn stripped(text: &str) -> Vec<u8> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.flat_map(|line| line.bytes().chain([b'\n'])).collect()
}

/// Replaces the most frequent pair 128 times.
fn pack(texts: &mut [Vec<u8>]) -> Vec<[u8; 2]> {
    let mut pairs = Vec::new();
    for code in 128..=255 {
        let mut counts: HashMap<[u8; 2], usize> = HashMap::new();
        for pair in texts.iter().flat_map(|text| text.windows(2)) {
            *counts.entry([pair[0], pair[1]]).or_default() += 1;
        }
        // Of equally many the same one each time.
        let best = counts
            .into_iter()
            .max_by_key(|&(pair, count)| (count, pair));
        let pair = match best {
            Some((pair, count)) if count >= LEAST => pair,
            _ => [0, 0],
        };
        pairs.push(pair);
        if pair == [0, 0] {
            continue;
        }
        for text in texts.iter_mut() {
            let mut replaced = Vec::new();
            let mut rest = &text[..];
            while let [first, more @ ..] = rest {
                if rest.starts_with(&pair) {
                    replaced.push(code);
                    rest = &rest[2..];
                } else {
                    replaced.push(*first);
                    rest = more;
                }
            }
            *text = replaced;
        }
    }
    pairs
}
