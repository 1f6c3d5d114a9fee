//! Headers of tests/data/run/*.cl: kernels with arguments and the results that another
//! source says are right. The interpreter and the devices run the same files.
//!
//!     // options: -cl-std=CL3.0
//!     // target: lavapipe,-int64
//!     // run: kernel=saxpy global=8 local=4 arg=float:2 arg=buffer:float:0..8 arg=buffer:float:1*8
//!     // expect: 2=float:1,3,5,7,9,11,13,15
//!
//! All lines may stand more than once. An `expect` belongs to the `run` above it and gives the
//! contents of the buffer of argument `2`; `2=float~4:...` allows 4 ulp. Arguments are
//! `TYPE:values` by value, `buffer:TYPE:values`, `local:BYTES` or `null`. Values are separated
//! by commas: numbers (`0x10`, `1.5`, `nan`, `inf`), `value*count` and `from..to` (without `to`).
//! A comment line that starts with `//   ` continues the line above.

/// A test file.
#[derive(Debug, Default)]
pub struct RunFile {
    pub options: Vec<String>,
    /// Profiles with changes; empty: any.
    pub targets: Vec<String>,
    pub runs: Vec<Run>,
}

#[derive(Debug, Default)]
pub struct Run {
    pub kernel: String,
    pub global: Vec<u64>,
    pub local: Vec<u32>,
    pub args: Vec<Arg>,
    pub expects: Vec<Expect>,
}

#[derive(Debug, Clone)]
pub enum Arg {
    Value(Vec<u8>),
    Buffer(Vec<u8>),
    /// Bytes.
    Local(u32),
    Null,
}

#[derive(Debug)]
pub struct Expect {
    /// Index of the argument.
    pub arg: usize,
    pub ty: Elem,
    pub bytes: Vec<u8>,
    pub ulp: u64,
}

/// Element types of value lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elem {
    /// Bytes; integers of either sign.
    Int(usize),
    Float,
    Double,
    /// Written as its bits.
    Half,
}

impl Elem {
    fn parse(name: &str) -> Option<Elem> {
        Some(match name {
            "char" | "uchar" => Elem::Int(1),
            "short" | "ushort" => Elem::Int(2),
            "int" | "uint" => Elem::Int(4),
            "long" | "ulong" => Elem::Int(8),
            "half" => Elem::Half,
            "float" => Elem::Float,
            "double" => Elem::Double,
            _ => return None,
        })
    }

    pub fn size(self) -> usize {
        match self {
            Elem::Int(size) => size,
            Elem::Half => 2,
            Elem::Float => 4,
            Elem::Double => 8,
        }
    }

    fn bytes(self, text: &str) -> Result<Vec<u8>, String> {
        let bad = |_| format!("bad value '{text}'");
        Ok(match self {
            Elem::Int(_) | Elem::Half => {
                let digits = text.strip_prefix('-').unwrap_or(text);
                let size = match digits.strip_prefix("0x") {
                    Some(hex) => u64::from_str_radix(hex, 16),
                    None => digits.parse(),
                };
                let size = size.map_err(|_| format!("bad value '{text}'"))?;
                let value = if text.starts_with('-') {
                    size.wrapping_neg()
                } else {
                    size
                };
                value.to_le_bytes()[..self.size()].to_vec()
            }
            Elem::Float => match text.strip_prefix("0x") {
                Some(bits) => u32::from_str_radix(bits, 16)
                    .map_err(|_| format!("bad value '{text}'"))?
                    .to_le_bytes()
                    .to_vec(),
                None => text.parse::<f32>().map_err(bad)?.to_le_bytes().to_vec(),
            },
            Elem::Double => text.parse::<f64>().map_err(bad)?.to_le_bytes().to_vec(),
        })
    }
}

/// Parses the comment lines of a test file.
pub fn parse(text: &str) -> Result<RunFile, String> {
    let mut file = RunFile::default();
    for line in logical_lines(text) {
        let Some((key, value)) = line.split_once(": ") else {
            continue;
        };
        let value = value.trim();
        match key {
            "options" => file
                .options
                .extend(value.split_whitespace().map(str::to_owned)),
            "target" => file.targets.push(value.to_owned()),
            "run" => file.runs.push(parse_run(value)?),
            "expect" => {
                let expect = parse_expect(value)?;
                let run = file.runs.last_mut().ok_or("expect before run")?;
                run.expects.push(expect);
            }
            _ => {}
        }
    }
    if file.runs.iter().any(|r| r.expects.is_empty()) || file.runs.is_empty() {
        return Err("every file has runs, and every run expects something".into());
    }
    Ok(file)
}

/// Header lines without `// `, continuations joined.
fn logical_lines(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for line in text.lines() {
        let Some(body) = line.strip_prefix("// ") else {
            continue;
        };
        match out.last_mut() {
            Some(last) if body.starts_with("  ") => *last += body.trim(),
            _ => out.push(body.trim().to_owned()),
        }
    }
    out
}

fn parse_run(text: &str) -> Result<Run, String> {
    let mut run = Run::default();
    for word in text.split_whitespace() {
        let (key, value) = word.split_once('=').ok_or(format!("bad word '{word}'"))?;
        match key {
            "kernel" => run.kernel = value.to_owned(),
            "global" => run.global = sizes(value)?,
            "local" => run.local = sizes(value)?.iter().map(|&n| n as u32).collect(),
            "arg" => run.args.push(parse_arg(value)?),
            _ => return Err(format!("bad word '{word}'")),
        }
    }
    if run.local.is_empty() {
        run.local = run.global.iter().map(|&n| n as u32).collect();
    }
    Ok(run)
}

fn sizes(text: &str) -> Result<Vec<u64>, String> {
    text.split(',')
        .map(|n| n.parse().map_err(|_| format!("bad size '{n}'")))
        .collect()
}

fn parse_arg(text: &str) -> Result<Arg, String> {
    if text == "null" {
        return Ok(Arg::Null);
    }
    let (kind, rest) = text
        .split_once(':')
        .ok_or(format!("bad argument '{text}'"))?;
    match kind {
        "local" => Ok(Arg::Local(
            rest.parse().map_err(|_| format!("bad size '{rest}'"))?,
        )),
        "buffer" => {
            let (ty, list) = rest
                .split_once(':')
                .ok_or(format!("bad argument '{text}'"))?;
            let ty = Elem::parse(ty).ok_or(format!("bad type '{ty}'"))?;
            Ok(Arg::Buffer(values(ty, list)?))
        }
        _ => {
            let ty = Elem::parse(kind).ok_or(format!("bad type '{kind}'"))?;
            Ok(Arg::Value(values(ty, rest)?))
        }
    }
}

fn parse_expect(text: &str) -> Result<Expect, String> {
    let bad = || format!("bad expectation '{text}'");
    let (arg, rest) = text.split_once('=').ok_or_else(bad)?;
    let (ty, list) = rest.split_once(':').ok_or_else(bad)?;
    let (ty, ulp) = ty.split_once('~').unwrap_or((ty, "0"));
    let ty = Elem::parse(ty).ok_or_else(bad)?;
    Ok(Expect {
        arg: arg.parse().map_err(|_| bad())?,
        ty,
        bytes: values(ty, list)?,
        ulp: ulp.parse().map_err(|_| bad())?,
    })
}

/// The bytes of a list of values.
fn values(ty: Elem, list: &str) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    for item in list.split(',').map(str::trim) {
        if let Some((from, to)) = item.split_once("..") {
            let number = |text: &str| {
                text.parse::<i64>()
                    .map_err(|_| format!("bad range '{item}'"))
            };
            for n in number(from)?..number(to)? {
                out.extend(ty.bytes(&n.to_string())?);
            }
        } else if let Some((value, count)) = item.split_once('*') {
            let count: usize = count.parse().map_err(|_| format!("bad count '{item}'"))?;
            out.extend(ty.bytes(value)?.repeat(count));
        } else {
            out.extend(ty.bytes(item)?);
        }
    }
    Ok(out)
}

impl Expect {
    /// Compares with what is in the buffer: the first element that differs.
    pub fn check(&self, actual: &[u8]) -> Result<(), String> {
        let size = self.ty.size();
        if actual.len() < self.bytes.len() {
            return Err(format!(
                "argument {}: {} bytes, expected {}",
                self.arg,
                actual.len(),
                self.bytes.len()
            ));
        }
        for (i, (want, got)) in self.bytes.chunks(size).zip(actual.chunks(size)).enumerate() {
            let fits = match self.ty {
                Elem::Float => {
                    let bits = |b: &[u8]| u32::from_le_bytes(b.try_into().expect("four bytes"));
                    let (w, g) = (bits(want), bits(got));
                    let nan = |x: u32| f32::from_bits(x).is_nan();
                    (nan(w) && nan(g))
                        || (!nan(g)
                            && (ordered(w.into(), 31) - ordered(g.into(), 31)).unsigned_abs()
                                <= self.ulp)
                }
                Elem::Double => {
                    let bits = |b: &[u8]| u64::from_le_bytes(b.try_into().expect("eight bytes"));
                    let (w, g) = (bits(want), bits(got));
                    let nan = |x: u64| f64::from_bits(x).is_nan();
                    (nan(w) && nan(g))
                        || (!nan(g) && ordered(w, 63).abs_diff(ordered(g, 63)) <= self.ulp)
                }
                Elem::Int(_) | Elem::Half => want == got,
            };
            if !fits {
                return Err(format!(
                    "argument {}, element {i}: got {}, expected {}",
                    self.arg,
                    show(self.ty, got),
                    show(self.ty, want)
                ));
            }
        }
        Ok(())
    }
}

/// Floats as integers in the same order; `sign` is the number of the sign bit. Both zeros are 0,
/// so a test of the sign of a zero compares bits as integers.
fn ordered(bits: u64, sign: u32) -> i64 {
    let size = (bits & !(1 << sign)) as i64;
    if bits >> sign & 1 == 1 { -size } else { size }
}

fn show(ty: Elem, bytes: &[u8]) -> String {
    match ty {
        Elem::Float => f32::from_le_bytes(bytes.try_into().expect("four bytes")).to_string(),
        Elem::Double => f64::from_le_bytes(bytes.try_into().expect("eight bytes")).to_string(),
        _ => {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            let value = u64::from_le_bytes(word);
            format!("{value} ({value:#x})")
        }
    }
}
