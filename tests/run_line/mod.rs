//! `// run:` lines of test data: one launch of a kernel, and what its buffers hold afterwards.
//!
//!     // run: kernel=NAME global=X[,Y,Z] local=X[,Y,Z] [offset=X[,Y,Z]] [races] arg=... arg=...
//!     // expect: ARGUMENT TYPE:VALUES        the first elements of a buffer
//!     // error: TEXT                         the launch fails with this in its message
//!
//! `arg=` is `buffer:TYPE:VALUES`, `zeros:TYPE:COUNT`, `count:TYPE:COUNT` (0, 1, 2 ...), `null`,
//! `local:BYTES` or, by value, `TYPE:VALUES`. Values are separated by commas: decimal, or the bits
//! in hexadecimal. TYPE is a scalar of the IR. `races` allows races.

use caldera::compiler::ir::interp::{ArgValue, Launch, Memory, run};
use caldera::compiler::ir::{FuncId, Module, Scalar, eval};

/// A launch and what is to come of it.
pub struct Run {
    pub line: String,
    kernel: String,
    global: Vec<u64>,
    local: Vec<u32>,
    offset: Vec<u64>,
    races: bool,
    args: Vec<Arg>,
    expect: Vec<Expect>,
    error: Option<String>,
}

enum Arg {
    Value(Vec<u8>),
    Buffer(Vec<u8>),
    Null,
    Local(u32),
}

struct Expect {
    arg: usize,
    scalar: Scalar,
    bytes: Vec<u8>,
}

/// The runs that a file's comment lines ask for.
pub fn parse(text: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for line in text.lines().filter_map(|l| l.strip_prefix("// ")) {
        let Some((key, rest)) = line.split_once(": ") else {
            continue;
        };
        let current = runs.last_mut();
        match (key, current) {
            ("run", _) => runs.push(parse_run(rest)),
            ("expect", Some(run)) => run.expect.push(parse_expect(rest)),
            ("error", Some(run)) => run.error = Some(rest.to_string()),
            _ => {}
        }
    }
    for run in &runs {
        let checks = !run.expect.is_empty() || run.error.is_some();
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
        offset: Vec::new(),
        races: false,
        args: Vec::new(),
        expect: Vec::new(),
        error: None,
    };
    for word in line.split_whitespace() {
        match word.split_once('=') {
            Some(("kernel", name)) => run.kernel = name.to_string(),
            Some(("global", sizes)) => run.global = numbers(sizes),
            Some(("local", sizes)) => {
                run.local = numbers(sizes).iter().map(|&n| n as u32).collect()
            }
            Some(("offset", sizes)) => run.offset = numbers(sizes),
            Some(("arg", arg)) => run.args.push(parse_arg(arg)),
            None if word == "races" => run.races = true,
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
        [scalar, values] => Arg::Value(bytes(self::scalar(scalar), values)),
        _ => panic!("unknown argument '{text}'"),
    }
}

fn parse_expect(text: &str) -> Expect {
    let parts = text.split_once(' ').and_then(|(arg, rest)| {
        let (scalar, values) = rest.trim().split_once(':')?;
        Some((arg.parse().ok()?, scalar, values))
    });
    let (arg, scalar, values) = parts.unwrap_or_else(|| panic!("bad expectation '{text}'"));
    let scalar = self::scalar(scalar);
    let bytes = bytes(scalar, values);
    Expect { arg, scalar, bytes }
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
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let bits = u64::from_le_bytes(word);
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
        launch.fuel = 10_000_000;
        let kernel = module.funcs.iter().position(|f| f.name == self.kernel);
        let kernel = kernel.ok_or(format!("no kernel '{}'", self.kernel))?;
        let result = run(module, FuncId(kernel as u32), &launch, &mut memory);
        match (&self.error, result) {
            (None, Err(error)) => return Err(error.to_string()),
            (Some(text), Ok(_)) => return Err(format!("did not fail with '{text}'")),
            (Some(text), Err(error)) if !error.message.contains(text) => {
                return Err(format!("failed with '{error}', not '{text}'"));
            }
            _ => {}
        }
        for Expect { arg, scalar, bytes } in &self.expect {
            let Some(ArgValue::Pointer(address)) = args.get(*arg) else {
                return Err(format!("argument {arg} is no buffer"));
            };
            let got = memory
                .bytes(*address)
                .get(..bytes.len())
                .unwrap_or_default();
            if got != bytes {
                let (got, want) = (show(*scalar, got), show(*scalar, bytes));
                return Err(format!("argument {arg} is {got}\n            not {want}"));
            }
        }
        Ok(())
    }
}
