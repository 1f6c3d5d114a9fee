//! Packs the texts that the compiler reads at run time (texts.rs), a folder as `$OUT_DIR/NAME.packed`, since the library
//! is to be small: bytes from 128 on stand for the pairs of bytes that are the
//! most frequent ("byte pair encoding"). The file has the 128 pairs, then of each file its name, a line's end, the text and 0.

use std::error::Error;
use std::path::Path;

/// The name of what is packed, its folder, how files' names end, and what is left of a text.
type Row = (
    &'static str,
    &'static str,
    &'static [&'static str],
    fn(&str) -> Vec<u8>,
);

const FOLDERS: &[Row] = &[
    ("headers", "front/clc/pp/headers", &[""], stripped),
    ("library", "shaders", &[".cl", ".h"], stripped),
    // Messages about defects have the numbers of lines.
    ("tables", "front/clc/builtins/tables", &[".txt"], whole),
];

/// Pairs that come less often are not worth a byte.
const LEAST: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    let out = std::env::var("OUT_DIR")?;
    for &(name, folder, endings, left) in FOLDERS {
        println!("cargo:rerun-if-changed={folder}");
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.retain(|name| endings.iter().any(|ending| name.ends_with(ending)));
        names.sort();
        let mut texts = Vec::new();
        for name in &names {
            let text = std::fs::read_to_string(Path::new(folder).join(name))?;
            if !text.is_ascii() {
                return Err(format!("{name} is not ASCII").into());
            }
            texts.push(left(&text));
        }
        let mut packed = pack(&mut texts).concat();
        for (name, text) in names.iter().zip(&texts) {
            packed.extend(name.trim_end_matches(".txt").as_bytes());
            packed.push(b'\n');
            packed.extend(text);
            packed.push(0);
        }
        std::fs::write(Path::new(&out).join(format!("{name}.packed")), packed)?;
    }
    Ok(())
}

fn whole(text: &str) -> Vec<u8> {
    text.into()
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
        let mut counts = vec![0; 1 << 16];
        for pair in texts.iter().flat_map(|text| text.windows(2)) {
            counts[usize::from(u16::from_be_bytes([pair[0], pair[1]]))] += 1;
        }
        // Of equally many the same one each time.
        let best = (0..=u16::MAX)
            .zip(counts)
            .max_by_key(|&(pair, count)| (count, pair));
        let pair = match best {
            Some((pair, count)) if count >= LEAST => pair.to_be_bytes(),
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
