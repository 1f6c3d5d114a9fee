//! `caldera`: runs applications on Caldera, compiles kernels, shows Vulkan devices.

// They panic where nobody reads any more.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod check;
mod compile;
mod doctor;
mod folder;
mod info;
mod output;
mod profile;
mod progress;
mod run;

use std::process::ExitCode;

const HELP: &str = "\
Caldera runs OpenCL on any Vulkan device.

Usage: caldera COMMAND ...

Commands:
  run -- APP ARGS...     run an application with Caldera as its only OpenCL platform; with a profile
  compile FILES -o OUT   compile OpenCL C (or IR text, *.ir) to SPIR-V for Vulkan
  info                   show the Vulkan devices and what they mean for OpenCL
  doctor                 say why an application finds no OpenCL, and what to do
  help [COMMAND]         show help
  version                show the version

Exit codes: 0 success, 1 failure, 2 wrong usage; `run` gives that of the application.
";

/// Why a command failed.
enum Failure {
    /// The command line is wrong: exit code 2.
    Usage(String),
    /// The work failed: exit code 1.
    Failed(String),
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match args.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", &[][..]),
    };
    let wants_help = rest
        .iter()
        .take_while(|a| *a != "--")
        .any(|a| a == "--help" || a == "-h");
    let result = match command {
        _ if wants_help => help(Some(command)),
        "run" => run::run(rest),
        "compile" => compile::run(rest),
        "info" => info::run(rest),
        "doctor" => doctor::run(rest),
        "help" | "--help" | "-h" => help(rest.first().map(String::as_str)),
        "version" | "--version" | "-V" => {
            let text = format!("caldera {}\n", env!("CARGO_PKG_VERSION"));
            output::print(text.as_bytes()).map(|()| ExitCode::SUCCESS)
        }
        other => Err(Failure::Usage(format!("there is no command '{other}'"))),
    };
    match result {
        Ok(code) => code,
        Err(Failure::Failed(message)) => {
            output::tell(&format!("caldera: {}\n", message.trim_end()));
            ExitCode::from(1)
        }
        Err(Failure::Usage(message)) => {
            output::tell(&format!("caldera: {message}\nTry 'caldera help'.\n"));
            ExitCode::from(2)
        }
    }
}

fn help(command: Option<&str>) -> Result<ExitCode, Failure> {
    let text = match command {
        None => HELP.to_string(),
        Some("run") => run::HELP.to_string(),
        Some("compile") => compile::help(),
        Some("info") => info::HELP.to_string(),
        Some("doctor") => doctor::HELP.to_string(),
        Some(other) => return Err(Failure::Usage(format!("there is no command '{other}'"))),
    };
    output::print(text.as_bytes()).map(|()| ExitCode::SUCCESS)
}
