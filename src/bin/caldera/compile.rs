//! `caldera compile`: source to SPIR-V, with looks at every step between.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitCode;

use caldera::compiler::driver::{Session, effective, kernel_ids, on_compiler_thread};
use caldera::compiler::front::clc::lower::Roots;
use caldera::compiler::front::clc::syntax;
use caldera::compiler::front::spirv;
use caldera::compiler::options::Options;
use caldera::compiler::source::Sources;
use caldera::compiler::target::Target;
use caldera::compiler::{back, ir, pass};
use caldera::runtime::platform;
use caldera::runtime::support::files;

use super::progress::Progress;
use super::{Failure, output};

/// Bytes of the input: far more than a program has, far less than what has no end.
const MAX_INPUT: u64 = 256 << 20;

pub fn help() -> String {
    let passes = pass::names();
    format!(
        "\
Compiles OpenCL C (or SPIR-V for kernels, *.spv, or IR text, *.ir) to one SPIR-V module with
all kernels, each file to one of its own.

Usage: caldera compile FILE... [-o OUT] [options]

Options:
  -o OUT             where to write; '-' or nothing is standard output (text forms only). Of
                     several files: a folder, in which k.cl becomes k.spv
  -E                 preprocess only
  --emit=FORM        spv (default), spvasm, ir, or ast
  --after=PASS       with --emit=ir: the IR behind this pass; 'none' is before the first
  --target=PROFILE   device, min, lavapipe or nvidia, then features and limits to change:
                     --target=nvidia,-fused_fma,max_push_constants=128
                     'device', the default, is what clBuildProgram compiles for: the platform's
                     first device, as CALDERA_TARGET changes it. Where no device is usable the
                     default is 'lavapipe'.
  anything else that starts with '-' is a build option of clBuildProgram: -D, -I, -cl-std=CL3.0,
                     -g (source lines and text in the module) ... Without -cl-std files *.clcpp
                     are C++ for OpenCL 1.0.

Passes: {}
Features: {}
Limits: {}
",
        passes.join(" "),
        Target::FLAGS.join(" "),
        Target::LIMITS.join(" "),
    )
}

struct Job {
    inputs: Vec<String>,
    output: Option<String>,
    emit: Emit,
    after: Option<String>,
    target: Target,
    options: Options,
}

#[derive(Clone, Copy, PartialEq)]
enum Emit {
    Preprocessed,
    Ast,
    Ir,
    SpvAsm,
    Spv,
}

impl Emit {
    /// How names of such files end.
    fn ending(self) -> &'static str {
        match self {
            Emit::Preprocessed => "i",
            Emit::Ast => "ast",
            Emit::Ir => "ir",
            Emit::SpvAsm => "spvasm",
            Emit::Spv => "spv",
        }
    }
}

enum Output {
    Text(String),
    Words(Vec<u32>),
}

fn parse_args(args: &[String]) -> Result<Job, Failure> {
    let usage = |text: String| Failure::Usage(text);
    let (mut inputs, mut output, mut after) = (Vec::new(), None, None);
    let (mut emit, mut target_text) = (Emit::Spv, None);
    let mut build_options = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if let Some(form) = arg.strip_prefix("--emit=") {
            emit = match form {
                "ast" => Emit::Ast,
                "ir" => Emit::Ir,
                "spvasm" => Emit::SpvAsm,
                "spv" => Emit::Spv,
                other => return Err(usage(format!("--emit={other}: ast, ir, spvasm or spv"))),
            };
        } else if let Some(name) = arg.strip_prefix("--after=") {
            if name != "none" && pass::find(name).is_none() {
                return Err(usage(format!("--after={name}: there is no such pass")));
            }
            after = Some(name.to_string());
        } else if let Some(text) = arg.strip_prefix("--target=") {
            target_text = Some(text);
        } else if arg == "-E" {
            emit = Emit::Preprocessed;
        } else if arg == "-o" {
            let path = args.next().ok_or_else(|| usage("-o needs a file".into()))?;
            output = (path != "-").then(|| path.clone());
        } else if arg.starts_with('-') && arg != "-" {
            build_options.push(quote(arg));
            // These may have their value in the next argument.
            if matches!(arg.as_str(), "-D" | "-I" | "-U") {
                let value = args
                    .next()
                    .ok_or_else(|| usage(format!("{arg} needs a value")))?;
                build_options.push(quote(value));
            }
        } else {
            inputs.push(arg.clone());
        }
    }
    if after.is_some() && emit != Emit::Ir {
        return Err(usage("--after needs --emit=ir".into()));
    }
    let mut names: Vec<_> = inputs.iter().map(|i| Path::new(i).file_stem()).collect();
    names.sort();
    let twin = names.windows(2).find(|pair| pair[0] == pair[1]);
    match (&inputs[..], &output, twin) {
        ([], ..) if build_options.is_empty() => return Err(usage("no input file".into())),
        ([], ..) => {
            let options = build_options.join(" ");
            return Err(usage(format!(
                "no input file, only build options: {options}"
            )));
        }
        ([_], ..) | (_, Some(_), None) => {}
        (_, None, _) => return Err(usage("several input files need a folder: -o OUT".into())),
        (_, _, Some(twin)) => {
            let name = twin[0].unwrap_or_default().display();
            return Err(usage(format!("two input files are called {name}")));
        }
    }
    // As clang has it.
    let are_cxx = inputs.iter().all(|input| input.ends_with(".clcpp"));
    if are_cxx && !build_options.iter().any(|o| o.starts_with("-cl-std")) {
        build_options.push("-cl-std=CLC++".into());
    }
    Ok(Job {
        inputs,
        output,
        emit,
        after,
        options: Options::parse(&build_options.join(" ")).map_err(|e| usage(e.to_string()))?,
        target: target(target_text)?,
    })
}

/// The target that the command line asks for, or the library's.
fn target(text: Option<&str>) -> Result<Target, Failure> {
    let Some(text) = text else {
        return Ok(device_target().unwrap_or_else(|why| {
            output::tell(&format!(
                "caldera: {why}: compiling for --target=lavapipe\n"
            ));
            Target::profile("lavapipe").unwrap_or(Target::MIN)
        }));
    };
    let (profile, changes) = text.split_once(',').unwrap_or((text, ""));
    let mut target = match profile {
        "device" => device_target().map_err(Failure::Failed)?,
        _ => Target::profile(profile).ok_or_else(|| {
            let text = format!("--target={profile}: device, min, lavapipe or nvidia");
            Failure::Usage(text)
        })?,
    };
    target.apply(changes).map_err(Failure::Usage)?;
    Ok(target)
}

/// What the library compiles for, or why it is not offered.
fn device_target() -> Result<Target, String> {
    let device = platform::devices().0.first();
    let target = device.map(|device| device.target().clone());
    target.ok_or_else(platform::none_usable)
}

/// One shell word as one word of a build option string.
fn quote(word: &str) -> String {
    let mut out = String::new();
    for c in word.chars() {
        if c.is_whitespace() || matches!(c, '"' | '\'' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

pub fn run(args: &[String]) -> Result<ExitCode, Failure> {
    let job = parse_args(args)?;
    let mut progress = Progress::new(job.inputs.len());
    let mut good = true;
    for (number, input) in job.inputs.iter().enumerate() {
        progress.begin(number, input);
        let failure = match job.run(input, &mut progress) {
            Ok(compiled) => {
                good &= compiled;
                continue;
            }
            Err(failure) => failure,
        };
        progress.clear();
        match (failure, job.inputs.len()) {
            // The others may do.
            (Failure::Failed(why), 2..) => output::tell(&format!("caldera: {why}\n")),
            (failure, _) => return Err(failure),
        }
        good = false;
    }
    Ok(ExitCode::from(u8::from(!good)))
}

/// All of the input, which may be a pipe.
fn read(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_INPUT + 1)
        .read_to_end(&mut bytes)?;
    match bytes.len() as u64 <= MAX_INPUT {
        true => Ok(bytes),
        false => Err(io::Error::other(format!(
            "is larger than {MAX_INPUT} bytes"
        ))),
    }
}

impl Job {
    /// Compiles a file and writes what it becomes; whether it had no errors.
    fn run(&self, path: &str, progress: &mut Progress) -> Result<bool, Failure> {
        let input = read(path).map_err(|e| Failure::Failed(format!("{path}: {e}")))?;
        let outcome = on_compiler_thread(|| self.compile(path, &input));
        let (output, log) = outcome.map_err(Failure::Failed)?;
        if !log.is_empty() {
            progress.clear();
            output::tell(&log);
        }
        let Some(output) = output else {
            return Ok(false);
        };
        self.write(path, output).map(|()| true)
    }

    /// The output, `None` after errors, and the log.
    fn compile(&self, path: &str, input: &[u8]) -> (Option<Output>, String) {
        let mut session = Session::new(&self.options);
        let output = self.steps(path, input, &mut session);
        (output, session.log())
    }

    fn steps(&self, path: &str, input: &[u8], session: &mut Session) -> Option<Output> {
        let text = &*String::from_utf8_lossy(input);
        let sources = Sources {
            name: path,
            text,
            headers: &[],
            load: &files::load,
        };
        let (options, target) = (&self.options, &effective(&self.target, &self.options));
        match self.emit {
            Emit::Preprocessed => {
                let tokens = caldera::compiler::front::clc::pp::preprocess(
                    &sources,
                    options,
                    target,
                    &mut session.map,
                    &mut session.sink,
                );
                let text = caldera::compiler::front::clc::pp::to_text(&tokens, &session.map);
                return (!session.sink.has_errors()).then_some(Output::Text(text));
            }
            Emit::Ast => {
                let externals = session.parse(&sources, options, target);
                return (!session.sink.has_errors())
                    .then(|| Output::Text(syntax::dump(&externals)));
            }
            _ => {}
        }
        let mut module = if path.ends_with(".ir") {
            match ir::parse::parse(text) {
                Ok(module) => module,
                Err(e) => {
                    session.sink.general_error(format!("{path}: {e}"));
                    return None;
                }
            }
        } else if path.ends_with(".spv") {
            let source = spirv::Source {
                module: input,
                constants: &[],
            };
            session.spirv_front_end(source, options, target)?
        } else {
            session.front_end(&sources, Roots::Kernels, options, target)?
        };
        if session.sink.has_errors() {
            return None;
        }
        if self.after.as_deref() != Some("none") {
            session.optimise(&mut module, options, target, self.after.as_deref());
        }
        if session.sink.has_errors() {
            return None;
        }
        if self.emit == Emit::Ir {
            return Some(Output::Text(module.to_string()));
        }
        let words = back::emit(
            &module,
            target,
            &kernel_ids(&module),
            session.lines(options),
        );
        if self.emit == Emit::Spv {
            return Some(Output::Words(words));
        }
        match back::disassemble(&words) {
            Ok(text) => Some(Output::Text(text + "\n")),
            Err(e) => {
                session.sink.internal(e);
                None
            }
        }
    }

    fn write(&self, input: &str, output: Output) -> Result<(), Failure> {
        let bytes = match output {
            Output::Text(text) => text.into_bytes(),
            Output::Words(_) if self.output.is_none() => {
                return Err(Failure::Usage("SPIR-V needs a file: -o OUT".into()));
            }
            Output::Words(words) => words.iter().flat_map(|w| w.to_le_bytes()).collect(),
        };
        match &self.output {
            Some(path) if self.inputs.len() == 1 => output::write(path, &bytes),
            Some(folder) => {
                let made = std::fs::create_dir_all(folder);
                made.map_err(|e| Failure::Failed(format!("{folder}: {e}")))?;
                let name = Path::new(input).file_stem().unwrap_or_default();
                let mut name = name.to_os_string();
                name.push(format!(".{}", self.emit.ending()));
                output::write(&Path::new(folder).join(name).to_string_lossy(), &bytes)
            }
            None => output::print(&bytes),
        }
    }
}
