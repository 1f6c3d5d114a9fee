//! Build options of clBuildProgram, clCompileProgram and clLinkProgram
//! (OpenCL API specification, section 5.8.6), parsed once.
//!
//! The string is split at white space. Single and double quotes keep white space;
//! a backslash keeps the next character, but within single quotes it is a character like
//! any other. So `-D "A=x y"` and `-DA=x\ y` are the same.

use std::fmt;
use std::str::FromStr;

use super::ir::FastMath;

/// The OpenCL C version that `-cl-std` chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Standard {
    Cl10,
    Cl11,
    #[default]
    Cl12,
    /// Not among CL_DEVICE_OPENCL_C_ALL_VERSIONS, for want of blocks and queues on the device; the rest
    /// of it is there for programs that ask for it.
    Cl20,
    Cl30,
    /// On devices of OpenCL 3.1 only (`Target::opencl_version`).
    Cl31,
}

/// Standard, value of `-cl-std`, `__OPENCL_C_VERSION__`.
const STANDARDS: &[(Standard, &str, u32)] = &[
    (Standard::Cl10, "CL1.0", 100),
    (Standard::Cl11, "CL1.1", 110),
    (Standard::Cl12, "CL1.2", 120),
    (Standard::Cl20, "CL2.0", 200),
    (Standard::Cl30, "CL3.0", 300),
    (Standard::Cl31, "CL3.1", 310),
];

impl Standard {
    fn row(self) -> &'static (Standard, &'static str, u32) {
        &STANDARDS[self as usize]
    }

    /// `1.2`.
    pub fn text(self) -> &'static str {
        &self.row().1[2..]
    }

    /// `__OPENCL_C_VERSION__`.
    pub fn number(self) -> u32 {
        self.row().2
    }
}

/// A language of C++. C++ for OpenCL 1.0 extends OpenCL C 2.0, 2021 extends 3.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cxx {
    V1,
    V2021,
    /// OpenCL C++ 1.0, an older language, whose address spaces and functions are in headers.
    OpenclCxx,
}

/// Version, value of `-cl-std`, what it is based on, `__OPENCL_CPP_VERSION__`.
const CXX_STANDARDS: &[(Cxx, &str, Standard, u32)] = &[
    (Cxx::V1, "CLC++", Standard::Cl20, 100),
    (Cxx::V1, "CLC++1.0", Standard::Cl20, 100),
    (Cxx::V2021, "CLC++2021", Standard::Cl30, 202100),
    (Cxx::V1, "clc++", Standard::Cl20, 100),
    (Cxx::V1, "clc++1.0", Standard::Cl20, 100),
    (Cxx::V2021, "clc++2021", Standard::Cl30, 202100),
    (Cxx::OpenclCxx, "c++", Standard::Cl20, 100),
];

impl Cxx {
    /// `__OPENCL_CPP_VERSION__`.
    pub fn number(self) -> u32 {
        let row = CXX_STANDARDS.iter().find(|row| row.0 == self);
        row.map_or(0, |row| row.3)
    }
}

impl FromStr for Standard {
    type Err = ();

    /// From its number: `1.2`.
    fn from_str(text: &str) -> Result<Standard, ()> {
        let row = STANDARDS.iter().find(|row| row.0.text() == text);
        row.map(|row| row.0).ok_or(())
    }
}

/// `Options::default()` is the empty option string.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Options {
    /// `-D` and `-U` in their order: (name with parameters, `Some(body)` or `None` for `-U`).
    pub macros: Vec<(String, Option<String>)>,
    /// `-I`, in order.
    pub include_dirs: Vec<String>,
    /// OpenCL C 1.2 when no `-cl-std` is given. Of C++ for OpenCL, the version that it is based on.
    pub standard: Standard,
    /// C++ for OpenCL, or OpenCL C++.
    pub cxx: Option<Cxx>,
    /// Options of OpenCL C++, in which half and double are off without them.
    pub fp16_enable: bool,
    pub fp64_enable: bool,
    /// Local memory is zero when a kernel starts.
    pub zero_local: bool,
    /// `-cl-ext`, in its order: names of extensions and features, and whether they are on.
    pub extensions: Vec<(String, bool)>,
    pub single_precision_constant: bool,
    pub denorms_are_zero: bool,
    pub correctly_rounded_divide_sqrt: bool,
    pub opt_disable: bool,
    pub strict_aliasing: bool,
    pub mad_enable: bool,
    pub no_signed_zeros: bool,
    pub unsafe_math: bool,
    pub finite_math: bool,
    pub fast_relaxed_math: bool,
    pub uniform_work_group_size: bool,
    pub no_subgroup_ifp: bool,
    pub no_warnings: bool,
    pub warnings_are_errors: bool,
    pub kernel_arg_info: bool,
    /// -g: modules have source lines; functions of device queues give detailed error codes.
    pub debug: bool,
    pub create_library: bool,
    pub enable_link_options: bool,
    /// Caldera's own library: any of its functions may have `local` variables, and it may use
    /// builtins of any version.
    pub library: bool,
}

/// An option that is not one, as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadOption(pub String);

impl fmt::Display for BadOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid option '{}'", self.0)
    }
}

/// What an option does.
enum Effect {
    Set(fn(&mut Options)),
    /// Takes a value: joined to the option or the next word.
    Value(fn(&mut Options, &str) -> Option<()>),
    /// Takes a value behind `=`.
    Equals(fn(&mut Options, &str) -> Option<()>),
    /// Whatever is joined to it, it changes nothing.
    Nothing,
    /// The same, with a value that may also be the next word.
    Tuning,
}

use Effect::{Equals, Nothing, Set, Tuning, Value};

/// Every option, and whether clLinkProgram takes it too.
const TABLE: &[(&str, bool, Effect)] = &[
    ("-D", false, Value(define)),
    ("-U", false, Value(undefine)),
    ("-I", false, Value(include)),
    ("-cl-std", false, Equals(standard)),
    ("-cl-fp16-enable", false, Set(|o| o.fp16_enable = true)),
    ("-cl-fp64-enable", false, Set(|o| o.fp64_enable = true)),
    ("-cl-ext", false, Equals(extensions)),
    (
        "-cl-zero-init-local-mem-vars",
        false,
        Set(|o| o.zero_local = true),
    ),
    (
        "-cl-single-precision-constant",
        false,
        Set(|o| o.single_precision_constant = true),
    ),
    (
        "-cl-denorms-are-zero",
        true,
        Set(|o| o.denorms_are_zero = true),
    ),
    (
        "-cl-fp32-correctly-rounded-divide-sqrt",
        false,
        Set(|o| o.correctly_rounded_divide_sqrt = true),
    ),
    ("-cl-opt-disable", false, Set(|o| o.opt_disable = true)),
    (
        "-cl-strict-aliasing",
        false,
        Set(|o| o.strict_aliasing = true),
    ),
    ("-cl-mad-enable", true, Set(|o| o.mad_enable = true)),
    (
        "-cl-no-signed-zeros",
        true,
        Set(|o| o.no_signed_zeros = true),
    ),
    ("-cl-unsafe-math-optimizations", true, Set(unsafe_math)),
    ("-cl-finite-math-only", true, Set(|o| o.finite_math = true)),
    ("-cl-fast-relaxed-math", true, Set(fast_relaxed_math)),
    (
        "-cl-uniform-work-group-size",
        false,
        Set(|o| o.uniform_work_group_size = true),
    ),
    (
        "-cl-no-subgroup-ifp",
        true,
        Set(|o| o.no_subgroup_ifp = true),
    ),
    ("-w", false, Set(|o| o.no_warnings = true)),
    ("-Werror", false, Set(|o| o.warnings_are_errors = true)),
    (
        "-cl-kernel-arg-info",
        false,
        Set(|o| o.kernel_arg_info = true),
    ),
    // Debug information changes nothing that an application sees.
    ("-g", false, Set(|o| o.debug = true)),
    // Of clang's and AMD's compilers, in programs that give them to every device: how much to optimise, which
    // warnings there are, what to put into binaries.
    ("-O", false, Nothing),
    ("-W", false, Nothing),
    ("-fno-bin-", false, Nothing),
    ("-save-temps", false, Nothing),
    // Of vendors' compilers, in programs that look whose the device is: registers, threads, levels of optimisation,
    // reports, instructions to prefer. No result depends on them.
    ("-cl-nv-", false, Tuning),
    ("-cl-intel-", false, Tuning),
    ("-cl-amd-", false, Tuning),
    ("-qcom-", false, Tuning),
    ("-fbin-", false, Nothing),
];

/// The options of clLinkProgram alone.
const LIBRARY_TABLE: &[(&str, bool, Effect)] = &[
    ("-create-library", true, Set(|o| o.create_library = true)),
    (
        "-enable-link-options",
        true,
        Set(|o| o.enable_link_options = true),
    ),
];

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_name(text: &str) -> bool {
    text.chars().all(is_letter) && text.starts_with(|c: char| !c.is_numeric())
}

fn define(options: &mut Options, value: &str) -> Option<()> {
    let (head, body) = value.split_once('=').unwrap_or((value, "1"));
    let end = head.find(|c: char| !is_letter(c)).unwrap_or(head.len());
    let plain = &head[..end];
    let end = match head[end..].starts_with('(') {
        true => end + head[end..].find(')')? + 1,
        false => end,
    };
    let (name, more) = head.split_at(end);
    // As by `#define`, what cannot belong to the name begins the body: programs make names of devices' names.
    let body = match more {
        "" => body.to_string(),
        more => format!("{more} {body}"),
    };
    // The rest of the definition behind a new line is cut off.
    let body = body.lines().next().unwrap_or_default();
    let definition = (name.into(), Some(body.into()));
    is_name(plain).then(|| options.macros.push(definition))
}

fn undefine(options: &mut Options, value: &str) -> Option<()> {
    is_name(value).then(|| options.macros.push((value.into(), None)))
}

fn include(options: &mut Options, value: &str) -> Option<()> {
    options.include_dirs.push(value.into());
    Some(())
}

fn standard(options: &mut Options, value: &str) -> Option<()> {
    let (standard, cxx) = match CXX_STANDARDS.iter().find(|row| row.1 == value) {
        Some(row) => (row.2, Some(row.0)),
        None => (STANDARDS.iter().find(|row| row.1 == value)?.0, None),
    };
    options.standard = standard;
    options.cxx = cxx;
    Some(())
}

/// `+name` and `-name`, with commas between them.
fn extensions(options: &mut Options, value: &str) -> Option<()> {
    for word in value.split(',') {
        let on = word.starts_with('+');
        let name = word.strip_prefix(['+', '-']).filter(|name| is_name(name))?;
        options.extensions.push((name.into(), on));
    }
    Some(())
}

/// Implies -cl-no-signed-zeros and -cl-mad-enable.
fn unsafe_math(options: &mut Options) {
    options.unsafe_math = true;
    options.no_signed_zeros = true;
    options.mad_enable = true;
}

/// Implies -cl-finite-math-only and -cl-unsafe-math-optimizations.
fn fast_relaxed_math(options: &mut Options) {
    options.fast_relaxed_math = true;
    options.finite_math = true;
    unsafe_math(options);
}

impl Options {
    pub fn is_opencl_cxx(&self) -> bool {
        self.cxx == Some(Cxx::OpenclCxx)
    }

    /// What they allow in arithmetic; `contract`: the program allows contractions.
    pub fn math(&self, contract: bool) -> FastMath {
        let relaxed = self.fast_relaxed_math;
        let unsafe_math = self.unsafe_math || relaxed;
        FastMath {
            contract: contract || self.mad_enable || unsafe_math,
            no_nan: self.finite_math || relaxed,
            no_inf: self.finite_math || relaxed,
            no_signed_zero: self.no_signed_zeros || unsafe_math,
            reassoc: unsafe_math,
        }
    }

    /// The options of clBuildProgram and clCompileProgram.
    pub fn parse(text: &str) -> Result<Options, BadOption> {
        let rows = TABLE.iter().collect::<Vec<_>>();
        parse_with(text, &rows)
    }

    /// The options of clLinkProgram.
    pub fn parse_link(text: &str) -> Result<Options, BadOption> {
        let rows = TABLE.iter().chain(LIBRARY_TABLE).filter(|row| row.1);
        let options = parse_with(text, &rows.collect::<Vec<_>>())?;
        // -enable-link-options must be specified with -create-library.
        if options.enable_link_options && !options.create_library {
            return Err(BadOption("-enable-link-options".into()));
        }
        Ok(options)
    }
}

fn parse_with(text: &str, rows: &[&(&str, bool, Effect)]) -> Result<Options, BadOption> {
    let mut options = Options::default();
    let mut words = split(text)?.into_iter().peekable();
    while let Some(word) = words.next() {
        let bad = || BadOption(word.clone());
        let matching = rows.iter().find_map(|(name, _, effect)| {
            let rest = word.strip_prefix(name)?;
            let fits = match effect {
                Set(_) => rest.is_empty(),
                Value(_) | Nothing | Tuning => true,
                Equals(_) => rest.starts_with('='),
            };
            fits.then_some((effect, rest))
        });
        let done = match matching.ok_or_else(bad)? {
            (Set(set), _) => {
                set(&mut options);
                Some(())
            }
            (Nothing, _) => Some(()),
            (Tuning, _) => {
                words.next_if(|next| !next.starts_with('-'));
                Some(())
            }
            (Value(set), "") => {
                let value = words.next().ok_or_else(bad)?;
                set(&mut options, &value)
            }
            (Value(set), value) => set(&mut options, value),
            (Equals(set), value) => set(&mut options, &value[1..]),
        };
        done.ok_or_else(bad)?;
    }
    Ok(options)
}

/// Words by the quoting rules above.
fn split(text: &str) -> Result<Vec<String>, BadOption> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        match (c, quote) {
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            ('\\', None | Some('"')) => {
                let next = letters.next().ok_or_else(|| BadOption(text.into()))?;
                word.get_or_insert_default().push(next);
            }
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(q)) if c == q => quote = None,
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(BadOption(word.unwrap_or_default()));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_parsed_or_refused() {
        let macros = |text: &str| Options::parse(text).map(|o| o.macros);
        let define = |name: &str, body: &str| (name.to_string(), Some(body.to_string()));
        let table = [
            ("-DA", vec![define("A", "1")]),
            ("-D A", vec![define("A", "1")]),
            (" -D\tA=  -w ", vec![define("A", "")]),
            ("-DA=1=2", vec![define("A", "1=2")]),
            ("-D \"A=x y\"", vec![define("A", "x y")]),
            ("-DA=x\\ y", vec![define("A", "x y")]),
            ("-DA='\"q\"'", vec![define("A", "\"q\"")]),
            ("-DA,_B_", vec![define("A", ",_B_ 1")]),
            ("-DA-B=2", vec![define("A", "-B 2")]),
            (
                "-D A(x)=x -UA",
                vec![define("A(x)", "x"), ("A".into(), None)],
            ),
        ];
        for (text, expected) in table {
            assert_eq!(macros(text), Ok(expected), "{text}");
        }
        let bad = [
            "-cl-unknown",
            "x.cl",
            "-D",
            "-I",
            "-D 1A",
            "-cl-std",
            "-cl-std=CL4.0",
            "-cl-std=",
            "-cl-mad-enable=1",
            "-cl-ext",
            "-cl-ext=",
            "-cl-ext=cl_khr_fp16",
            "-cl-ext=+all,",
            "-DA='x",
            "-create-library",
            "-wx",
            "\\",
        ];
        for text in bad {
            assert!(Options::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn extensions_keep_their_order() {
        let o = Options::parse("-cl-ext=-all,+cl_khr_fp16 -cl-ext=+all").unwrap();
        let row = |name: &str, on| (name.to_string(), on);
        let expected = [
            row("all", false),
            row("cl_khr_fp16", true),
            row("all", true),
        ];
        assert_eq!(o.extensions, expected);
    }

    #[test]
    fn options_imply_others() {
        let o = Options::parse("-cl-fast-relaxed-math -cl-std=CL3.0").unwrap();
        assert!(o.finite_math && o.unsafe_math && o.mad_enable && o.no_signed_zeros);
        assert_eq!(o.standard, Standard::Cl30);
        assert_eq!(Options::parse(""), Ok(Options::default()));
        let nothing = [
            "-O3 -Wall -Wno-unused -fno-bin-llvmir -save-temps",
            "-cl-nv-verbose -cl-nv-maxrregcount=32 -cl-nv-opt-level 3 -cl-intel-256-GRF-per-thread",
            "-qcom-accelerate-16-bit -cl-nv-arch sm_20",
        ];
        for text in nothing {
            assert_eq!(Options::parse(text), Ok(Options::default()));
        }
        assert!(Options::parse("-cl-nv-arch sm_20 sm_30").is_err());
    }

    #[test]
    fn standards_are_in_their_order() {
        for (place, &(standard, option, number)) in STANDARDS.iter().enumerate() {
            assert_eq!(standard as usize, place);
            assert_eq!(standard.text().parse(), Ok(standard));
            assert_eq!(option, format!("CL{}.{}", number / 100, number / 10 % 10));
        }
    }

    #[test]
    fn linking_takes_its_own_options() {
        assert!(Options::parse_link("-create-library -enable-link-options").is_ok());
        assert!(Options::parse_link("-cl-mad-enable").is_ok());
        assert!(Options::parse_link("-enable-link-options").is_err());
        assert!(Options::parse_link("-DA").is_err());
    }
}
