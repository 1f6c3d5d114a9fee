//! Source text of a program: the main file and the headers it may include.

/// Bytes of all files of a translation unit, each counted as often as it is included.
pub const MAX_INCLUDED: usize = 64 << 20;

/// The text of a file, or why the file that is there cannot be included (a predicate: "is not ...").
/// `None` if there is none: the search goes on.
pub type Loaded = Option<Result<String, String>>;

/// Everything the compiler may read. Nothing else is: the caller loads `-I` files
/// through [`Sources::load`].
pub struct Sources<'a> {
    /// Shown in diagnostics, `<source>` for clCreateProgramWithSource.
    pub name: &'a str,
    pub text: &'a str,
    /// Headers passed by name to clCompileProgram: (include name, text).
    pub headers: &'a [(String, String)],
    /// Reads a file for `#include`, by its full path.
    pub load: &'a (dyn Fn(&str) -> Loaded + Sync),
}

/// A place in a loaded file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct SourceLoc {
    /// Index into [`SourceMap::files`].
    pub file: u32,
    /// Byte offset.
    pub offset: u32,
}

/// Files seen during one compilation, for diagnostics.
#[derive(Debug, Default)]
pub struct SourceMap {
    pub files: Vec<SourceFile>,
}

/// Of a file without text only the name is known; offsets in it are made by [`SourceLoc::at`].
#[derive(Debug)]
pub struct SourceFile {
    pub name: String,
    pub text: String,
    /// Byte offset of the start of each line.
    line_starts: Vec<u32>,
}

/// Columns that a place in a file without text may have.
const COLUMNS: u32 = 1 << 10;

impl SourceLoc {
    /// A place in a file without text.
    pub fn at(file: u32, line: u64, column: u64) -> SourceLoc {
        let line = line.min(u64::from(u32::MAX / COLUMNS)) as u32;
        let offset = line * COLUMNS + column.min(u64::from(COLUMNS - 1)) as u32;
        SourceLoc { file, offset }
    }
}

impl SourceFile {
    /// Whether it has a place of this offset.
    pub fn has(&self, offset: u32) -> bool {
        self.text.is_empty() || offset as usize <= self.text.len()
    }
}

impl<'a> Sources<'a> {
    /// One source without headers.
    pub fn of(text: &'a str) -> Sources<'a> {
        Sources {
            name: "<source>",
            text,
            headers: &[],
            load: &|_| None,
        }
    }
}

impl SourceMap {
    /// Adds a file and returns its index.
    pub fn add(&mut self, name: String, text: String) -> u32 {
        let line_starts = std::iter::once(0)
            .chain(
                text.bytes()
                    .enumerate()
                    .filter(|&(_, b)| b == b'\n')
                    .map(|(i, _)| i as u32 + 1),
            )
            .collect();
        self.files.push(SourceFile {
            name,
            text,
            line_starts,
        });
        self.files.len() as u32 - 1
    }

    /// Line and column of a place, both from 1; the column counts bytes.
    pub fn line_col(&self, loc: SourceLoc) -> (u32, u32) {
        let Some(file) = self.files.get(loc.file as usize) else {
            return (1, 1);
        };
        if file.text.is_empty() {
            return ((loc.offset / COLUMNS).max(1), (loc.offset % COLUMNS).max(1));
        }
        let line = file
            .line_starts
            .partition_point(|&s| s <= loc.offset)
            .max(1);
        (line as u32, loc.offset - file.line_starts[line - 1] + 1)
    }

    /// Text of a line (from 1), without its line end.
    pub fn line_text(&self, file: u32, line: u32) -> &str {
        let Some(file) = self.files.get(file as usize) else {
            return "";
        };
        let Some(&start) = file.line_starts.get(line as usize - 1) else {
            return "";
        };
        let next = file.line_starts.get(line as usize);
        let end = next.map_or(file.text.len(), |&next| next as usize - 1);
        file.text[start as usize..end].trim_end_matches('\r')
    }
}
