//! `// run:` lines of test data: one launch of a kernel, and what its buffers hold afterwards.
//!
//!     // run: kernel=NAME global=X[,Y,Z] local=X[,Y,Z]|open [offset=X[,Y,Z]] [races] [returns] arg=... arg=...
//!     // expect: ARGUMENT TYPE:VALUES        the first elements of a buffer; ARGUMENT@BYTE from there on
//!     // expect: ARGUMENT TYPE~ULP:VALUES    floats, within so many units in the last place
//!     // printed: TEXT                       what printf prints, `\n` for line ends
//!     // error: TEXT                         the launch fails with this in its message
//!     // report: TEXT                        what `caldera run --check` says (tests/check.rs)
//!
//! `arg=` is `buffer:TYPE:VALUES`, `zeros:TYPE:COUNT`, `count:TYPE:COUNT` (0, 1, 2 ...), `null`,
//! `local:BYTES`, `pipe:BYTES:PACKETS` (an empty pipe), `pipe:BYTES:PACKETS:POSITION:TYPE:VALUES` (one whose packets begin at a position) or,
//! by value, `TYPE:VALUES`. Values are separated by commas: decimal, or the bits
//! in hexadecimal. TYPE is a scalar of the IR. `local=open` leaves the size to the device. `races` allows races, `returns` work-items that return in front
//! of a barrier of their group. The interpreter and devices run the same lines, with initialisers before them and finalisers behind them.

use caldera_compiler::ir::interp::{ArgValue, Launch, Memory, RunError, run};
use caldera_compiler::ir::{FuncId, Module, Scalar, eval};
use caldera_compiler::kernel::Role;
use caldera_compiler::pipe::Pipe;
use caldera_compiler::printf;

use super::data::comment;

/// A launch and what is to come of it.
pub struct Run {
    pub line: String,
    pub kernel: String,
    pub global: Vec<u64>,
    pub local: Vec<u32>,
    /// The device chooses the local size.
    pub open: bool,
    pub offset: Vec<u64>,
    pub races: bool,
    /// Work-items return in front of a barrier of their group.
    pub returns: bool,
    pub args: Vec<Arg>,
    pub expect: Vec<Expect>,
    /// The output of all its printf.
    pub printed: Option<String>,
    /// The launch is to fail.
    pub error: Option<String>,
}

pub enum Arg {
    Value(Vec<u8>),
    Buffer(Vec<u8>),
    Null,
    Local(u32),
}

/// The first elements of a buffer.
pub struct Expect {
    /// Which argument the buffer is.
    pub arg: usize,
    scalar: Scalar,
    /// Where they begin, bytes.
    start: usize,
    bytes: Vec<u8>,
    /// Floats may differ by this.
    ulp: u64,
}

/// The runs that a file's comment lines ask for.
pub fn parse(text: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for line in text.lines().filter_map(comment) {
        let Some((key, rest)) = line.split_once(": ") else {
            continue;
        };
        let current = runs.last_mut();
        match (key, current) {
            ("run", _) => runs.push(parse_run(rest)),
            ("expect", Some(run)) => run.expect.push(parse_expect(rest)),
            ("printed", Some(run)) => run.printed = Some(rest.replace("\\n", "\n")),
            ("error", Some(run)) => run.error = Some(rest.to_string()),
            _ => {}
        }
    }
    for run in &runs {
        let checks = !run.expect.is_empty()
            || run.error.is_some()
            || run.printed.is_some()
            || text.contains("// report: ");
        assert!(checks, "nothing is expected of '{}'", run.line);
    }
    runs
}

fn parse_run(line: &str) -> Run {
    let mut run = Run {
        line: line.to_string(),
        kernel: String::new(),
        global: vec![1],
        local: vec![1],
        open: false,
        offset: Vec::new(),
        races: false,
        returns: false,
        args: Vec::new(),
        expect: Vec::new(),
        printed: None,
        error: None,
    };
    for word in line.split_whitespace() {
        match word.split_once('=') {
            Some(("kernel", name)) => run.kernel = name.to_string(),
            Some(("global", sizes)) => run.global = numbers(sizes),
            Some(("local", "open")) => run.open = true,
            Some(("local", sizes)) => {
                run.local = numbers(sizes).iter().map(|&n| n as u32).collect()
            }
            Some(("offset", sizes)) => run.offset = numbers(sizes),
            Some(("arg", arg)) => run.args.push(parse_arg(arg)),
            None if word == "races" => run.races = true,
            None if word == "returns" => run.returns = true,
            _ => panic!("unknown word '{word}' in a run line"),
        }
    }
    run
}

fn numbers(text: &str) -> Vec<u64> {
    let parse = |n: &str| n.parse().unwrap_or_else(|_| panic!("'{n}' is no number"));
    text.split(',').map(parse).collect()
}

fn parse_arg(text: &str) -> Arg {
    let words: Vec<&str> = text.split(':').collect();
    match words[..] {
        ["null"] => Arg::Null,
        ["local", size] => Arg::Local(numbers(size)[0] as u32),
        ["buffer", scalar, values] => Arg::Buffer(bytes(self::scalar(scalar), values)),
        ["zeros", scalar, count] => {
            let size = self::scalar(scalar).size() as u64 * numbers(count)[0];
            Arg::Buffer(vec![0; size as usize])
        }
        ["count", scalar, count] => {
            let values: Vec<String> = (0..numbers(count)[0]).map(|n| n.to_string()).collect();
            Arg::Buffer(bytes(self::scalar(scalar), &values.join(",")))
        }
        ["pipe", size, packets] => Arg::Buffer(pipe(size, packets, 0, Vec::new())),
        ["pipe", size, packets, position, scalar, values] => {
            let filled = bytes(self::scalar(scalar), values);
            Arg::Buffer(pipe(size, packets, numbers(position)[0], filled))
        }
        [scalar, values] => Arg::Value(bytes(self::scalar(scalar), values)),
        _ => panic!("unknown argument '{text}'"),
    }
}

/// The memory of a pipe (docs/pipes.md) that holds these packets.
fn pipe(size: &str, packets: &str, first: u64, filled: Vec<u8>) -> Vec<u8> {
    let [size, packets] = [size, packets].map(|text| numbers(text)[0]);
    let pipe = Pipe {
        packet_size: size as u32,
        max_packets: packets as u32,
    };
    let mut memory = vec![0; pipe.size().expect("few packets") as usize];
    let [capacity, size, positions] = pipe.header();
    let count = filled.len() as u32 / size;
    let at = |i: u32| ((first + u64::from(i)) % u64::from(positions)) as u32;
    let mut put = |word: usize, value: u32| {
        memory[word * 4..][..4].copy_from_slice(&value.to_le_bytes());
    };
    for (word, value) in pipe.header().into_iter().enumerate() {
        put(word, value);
    }
    for (word, value) in [(16, at(count)), (17, at(0)), (32, at(0)), (33, at(count))] {
        put(word, value);
    }
    for i in 0..count {
        put(64 + (at(i) % capacity) as usize, at(i) * 2 + 2);
    }
    for (i, packet) in (0..).zip(filled.chunks(size as usize)) {
        let place = pipe.state_size() + u64::from(at(i) % capacity * size);
        memory[place as usize..][..packet.len()].copy_from_slice(packet);
    }
    memory
}

fn parse_expect(text: &str) -> Expect {
    let parts = text.split_once(' ').and_then(|(arg, rest)| {
        let (scalar, values) = rest.trim().split_once(':')?;
        Some((arg, scalar, values))
    });
    let (arg, scalar, values) = parts.unwrap_or_else(|| panic!("bad expectation '{text}'"));
    let (scalar, ulp) = scalar.split_once('~').unwrap_or((scalar, "0"));
    let scalar = self::scalar(scalar);
    let (arg, start) = arg.split_once('@').unwrap_or((arg, "0"));
    Expect {
        arg: numbers(arg)[0] as usize,
        scalar,
        start: numbers(start)[0] as usize,
        bytes: bytes(scalar, values),
        ulp: numbers(ulp)[0],
    }
}

fn scalar(name: &str) -> Scalar {
    match name {
        "bool" => Scalar::Bool,
        "i8" => Scalar::I8,
        "i16" => Scalar::I16,
        "i32" => Scalar::I32,
        "i64" => Scalar::I64,
        "f16" => Scalar::F16,
        "f32" => Scalar::F32,
        "f64" => Scalar::F64,
        _ => panic!("unknown scalar '{name}'"),
    }
}

fn bytes(scalar: Scalar, values: &str) -> Vec<u8> {
    let one = |text: &str| {
        let text = text.trim();
        let bits = match text.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None if scalar == Scalar::F32 => text.parse().ok().map(|x: f32| x.to_bits() as u64),
            None if scalar.is_float() => text.parse().ok().map(|x| eval::from_f64(scalar, x)),
            None => text.parse().ok().map(|n: i128| n as u64),
        };
        let bits = bits.unwrap_or_else(|| panic!("'{text}' is no {scalar:?}"));
        bits.to_le_bytes().into_iter().take(scalar.size() as usize)
    };
    values.split(',').flat_map(one).collect()
}

/// Elements as text, for messages.
fn show(scalar: Scalar, bytes: &[u8]) -> String {
    let element = |chunk: &[u8]| {
        let bits = bits(chunk);
        if scalar.is_float() {
            format!("{:?}", eval::to_f64(scalar, bits))
        } else {
            eval::signed(scalar, bits).to_string()
        }
    };
    let elements: Vec<String> = bytes.chunks(scalar.size() as usize).map(element).collect();
    elements.join(",")
}

impl Run {
    /// Runs it in the interpreter; what went wrong.
    pub fn interpret(&self, module: &Module) -> Result<(), String> {
        let mut memory = Memory::default();
        let address = |arg: &Arg| match arg {
            Arg::Value(bytes) => ArgValue::Bytes(bytes.clone()),
            Arg::Buffer(bytes) => ArgValue::Pointer(memory.add(bytes.clone())),
            Arg::Null => ArgValue::Pointer(0),
            Arg::Local(size) => ArgValue::Local(*size),
        };
        let args: Vec<ArgValue> = self.args.iter().map(address).collect();
        let mut launch = Launch::new(&self.global, &self.local, args.clone());
        for (to, from) in launch.offset.iter_mut().zip(&self.offset) {
            *to = *from;
        }
        launch.check_races = !self.races;
        launch.check_barriers = !self.returns;
        launch.fuel = 10_000_000;
        let of_kernels = || (0..).zip(module.funcs.iter().map(|f| f.kernel.as_ref()));
        let named = |(at, kernel): &(usize, Option<_>)| {
            kernel.is_some() && module.funcs[*at].name == self.kernel
        };
        let kernel = of_kernels().find(named);
        let kernel = kernel.ok_or(format!("no kernel '{}'", self.kernel))?.0;
        let single = Launch::new(&[1], &[1], Vec::new());
        let automatic = |role: Role| {
            let roles = of_kernels().map(|(_, kernel)| Some(kernel?.attributes.role));
            role.places(roles).into_iter().map(|place| (place, &single))
        };
        let mut launches = automatic(Role::Initializer)
            .chain([(kernel, &launch)])
            .chain(automatic(Role::Finalizer));
        let result = launches.try_fold(Vec::new(), |mut records, (kernel, launch)| {
            records.extend(run(module, FuncId(kernel as u32), launch, &mut memory)?);
            Ok::<_, RunError>(records)
        });
        match (&self.error, result) {
            (None, Err(error)) => return Err(error.to_string()),
            (Some(text), Ok(_)) => return Err(format!("did not fail with '{text}'")),
            (Some(text), Err(error)) if !error.message.contains(text) => {
                return Err(format!("failed with '{error}', not '{text}'"));
            }
            (Some(_), Err(_)) => {}
            (None, Ok(records)) => {
                let text = records.iter().flat_map(|r| printf::text(r, &module.printf));
                let text = String::from_utf8_lossy(&text.collect::<Vec<u8>>()).into_owned();
                if self.printed.as_ref().is_some_and(|wanted| *wanted != text) {
                    return Err(format!("printed {text:?}"));
                }
            }
        }
        for expect in &self.expect {
            let Some(ArgValue::Pointer(address)) = args.get(expect.arg) else {
                return Err(format!("argument {} is no buffer", expect.arg));
            };
            expect.check(memory.bytes(*address))?;
        }
        Ok(())
    }
}

impl Expect {
    /// Compares with a buffer's bytes.
    pub fn check(&self, buffer: &[u8]) -> Result<(), String> {
        let end = self.start + self.bytes.len();
        let got = buffer.get(self.start..end).unwrap_or_default();
        let size = self.scalar.size() as usize;
        let mut pairs = got.chunks(size).zip(self.bytes.chunks(size));
        if got.len() == self.bytes.len() && pairs.all(|(g, w)| self.close(bits(g), bits(w))) {
            return Ok(());
        }
        let (got, want) = (show(self.scalar, got), show(self.scalar, &self.bytes));
        let arg = self.arg;
        Err(format!("argument {arg} is {got}\n            not {want}"))
    }

    fn close(&self, got: u64, want: u64) -> bool {
        if got == want {
            return true;
        }
        let float = self.scalar.is_float();
        let nan = |bits| float && eval::to_f64(self.scalar, bits).is_nan();
        match (nan(got), nan(want)) {
            (true, true) => true,
            (false, false) if float && self.ulp > 0 => {
                ordered(self.scalar, got).abs_diff(ordered(self.scalar, want)) <= self.ulp
            }
            _ => false,
        }
    }
}

/// Floats as integers in the same order; both zeros are 0.
fn ordered(scalar: Scalar, bits: u64) -> i64 {
    let sign = 1 << (scalar.bits() - 1);
    let size = (bits & (sign - 1)) as i64;
    if bits & sign == 0 { size } else { -size }
}

fn bits(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}
