//! `make install`: what it installs works, and its texts are about what the command has.

mod common;

use std::fs;
use std::process::Command;

use common::data::root;
use common::process::{caldera, command, library, run, scratch};

/// Into the root of a package, and from there run as it is.
#[test]
fn installed_files_work() {
    let folder = scratch("install");
    let build = folder.join("build");
    fs::create_dir(&build).expect("a folder");
    fs::copy(library(), build.join("libcaldera.so")).expect("a copy");
    fs::copy(caldera(), build.join("caldera")).expect("a copy");
    let to = folder.join("root");
    let mut make = command("make", &["-s", "install", "PREFIX=/usr"]);
    make.arg(format!("DESTDIR={}", to.display()));
    make.arg(format!("BUILD={}", build.display()));
    let outcome = run(make.current_dir(root()), 60);
    assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
    let icd = fs::read_to_string(to.join("etc/OpenCL/vendors/caldera.icd")).expect("a vendor file");
    assert_eq!(icd, "/usr/lib/libcaldera.so\n");
    // The command finds the library in ../lib.
    let mut installed = command(
        to.join("usr/bin/caldera"),
        &["run", "--", "clinfo", "--list"],
    );
    let outcome = run(installed.env_remove("CALDERA_LIBRARY"), 120);
    let found = outcome.stdout.contains("Caldera");
    assert!(outcome.code() == Some(0) && found, "{}", outcome.text());

    // What to write into a vendor file is a plain path.
    let mut doctor = command(to.join("usr/bin/caldera"), &["doctor"]);
    doctor.env("OCL_ICD_VENDORS", folder.join("none"));
    let outcome = run(doctor.env_remove("CALDERA_LIBRARY"), 120);
    let plain = format!("echo {}", to.join("usr/lib/libcaldera.so").display());
    assert!(outcome.stdout.contains(&plain), "{}", outcome.text());

    let manual = to.join("usr/share/man/man1/caldera.1");
    let manual = fs::read_to_string(manual)
        .expect("a manual")
        .replace("\\-", "-");
    let completions = to.join("usr/share/bash-completion/completions/caldera");
    let script = fs::read_to_string(&completions).expect("completions");
    let help = |args: &[&str]| run(&mut command(caldera(), args), 60).stdout;
    let first = |line: &str| line.split_whitespace().next().map(str::to_string);
    let commands = help(&["help"]);
    let commands = commands.split_once("Commands:\n").expect("a list").1;
    let commands = commands.split("\n\n").next().unwrap_or_default();
    for name in commands.lines().filter_map(first) {
        assert!(manual.contains(&format!("caldera {name}")), "{name}");
        assert!(script.contains(&name), "{name}");
        let text = help(&["help", &name]);
        let options = text.lines().filter(|l| l.starts_with("  -"));
        for option in options.filter_map(first) {
            let option = option.split('=').next().unwrap_or_default();
            assert!(manual.contains(option), "{name} {option}");
            assert!(script.contains(option), "{name} {option}");
        }
    }
}

/// What shells complete: bash by a list that [`installed_files_work`] compares with the help, the others by the help itself.
#[test]
fn completions() {
    let table = [
        ("caldera do", "doctor"),
        ("caldera run --pr", "--profile"),
        ("caldera compile --em", "--emit="),
        ("caldera info -", "--target"),
    ];
    // fish makes folders there.
    let home = scratch("completions");
    let bin = caldera().parent().expect("a folder").to_path_buf();
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", bin.display());
    for (line, wanted) in table {
        let scripts = [
            (
                "bash",
                format!(
                    "source layer-manifest/caldera.bash; COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _caldera; \
                     printf '%s\n' \"${{COMPREPLY[@]}}\""
                ),
            ),
            (
                "fish",
                format!(
                    "source layer-manifest/caldera.fish; complete -C '{line}' | string replace -r '\\t.*' ''"
                ),
            ),
            // The function that takes what there is filters by the word.
            (
                "zsh",
                format!(
                    "words=({line}); CURRENT=$#words; PREFIX=$words[-1]; \
                     compadd() {{ print -l -- ${{(M)${{(P)@[-1]}}:#$PREFIX*}} }}; source layer-manifest/_caldera"
                ),
            ),
        ];
        for (shell, script) in scripts {
            let mut shell_of = Command::new(shell);
            shell_of.env("PATH", &path).env("HOME", &home);
            let outcome = run(shell_of.args(["-c", &script]).current_dir(root()), 60);
            assert_eq!(
                outcome.stdout.trim(),
                wanted,
                "{shell}: {line}: {}",
                outcome.text()
            );
        }
    }
}

/// The bill of materials and the licences of what is linked in: of the same packages, and the same each time.
#[test]
fn parts_are_listed() {
    let made = |kind: &str| {
        let mut script = Command::new("layer-manifest/dependencies.py");
        let outcome = run(script.arg(kind).current_dir(root()), 120);
        assert_eq!(outcome.code(), Some(0), "{}", outcome.text());
        outcome.stdout
    };
    let (bill, licences) = (made("sbom"), made("licences"));
    assert_eq!(bill, made("sbom"));
    let head = "{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.6\",";
    assert!(bill.starts_with(head), "{bill}");
    let field = |part: &str, name: &str| {
        let (_, value) = part.split_once(&format!("\"{name}\": \""))?;
        Some(value.split('"').next()?.to_string())
    };
    let mut linked = 0;
    for part in bill.split("\"type\": \"library\"").skip(1) {
        let text = |name| field(part, name).unwrap_or_else(|| panic!("{name}: {part}"));
        let line = format!(
            "{} {}: {}\n",
            text("name"),
            text("version"),
            text("expression")
        );
        // Ours have their own files; the standard library has another line.
        let own = ["caldera", "caldera-compiler", "rust-standard-library"];
        if part.contains("\"scope\": \"required\"") && !own.contains(&&*text("name")) {
            linked += 1;
            assert!(licences.contains(&format!("\n{line}")), "{line}");
        } else if part.contains("\"scope\": \"excluded\"") {
            assert!(!licences.contains(&format!("\n{line}")), "{line}");
        }
    }
    // Vulkan's and SPIR-V's among them.
    assert!(linked > 20, "{bill}");
    for name in ["\nash ", "\nrspirv ", "\nlibc ", "Apache License"] {
        assert!(licences.contains(name), "{name}");
    }
}
