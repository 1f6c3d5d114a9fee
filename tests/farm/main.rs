//! The farm: Mesa's Vulkan drivers of GPUs that are not there. DRM shims stand in for the kernel and a layer
//! (tests/c/idle_layer.c) lets every submission end at once, so the drivers' compilers make all pipelines of real kernels,
//! and nothing is executed. tests/farm/table.rs has the drivers and their known bugs.
//!
//!     cargo test --test farm                             two drivers, tests/data/run
//!     make farm                                          all drivers, applications too
//!     make statistics                                    what they tell of kernels (tests/farm/statistics.rs)
//!     CALDERA_TEST=basic.cl CALDERA_GPUS=nvk make farm   those files on those drivers

mod applications;
#[path = "../common/mod.rs"]
mod common;
mod folder;
mod statistics;
mod table;
mod worker;

use std::cell::OnceCell;
use std::sync::Mutex;

use caldera_compiler::target::Target;
use common::c::compile;
use common::data::files;
use common::driver::{say, set_up, skipped};
use common::process::{library, run, scratch};
use folder::Folder;
use table::{BUGS, Bug, GPUS, Gpu, SLOW};
use worker::{Farm, Maker, Pipeline, Program, Report, UNBUILT};

/// A source that asks for what the device lacks is rightly not built: the flag of the target, and what the log says then.
const LACKS: &[(&str, &str)] = &[("float64", "cl_khr_fp64"), ("float16", "cl_khr_fp16")];

/// What tests/c/every_pipeline.c says of a kernel whose variables are too large for the device.
const TOO_LARGE: &str = "more local memory than there is";

/// What `caldera info` says of the GPU: its target, or why it is refused, as none of the table is.
fn target(farm: &Farm, gpu: &Gpu) -> Result<Target, String> {
    let mut outcomes =
        (0..farm.tries()).map(|_| run(farm.caldera(gpu).args(["info", "--target"]), 300));
    let outcome = outcomes.find(|outcome| outcome.code() == Some(0));
    let outcome = outcome.unwrap_or_else(|| run(farm.caldera(gpu).args(["info", "--target"]), 300));
    if outcome.code() == Some(0) {
        let words = outcome.stdout.trim().trim_start_matches("min,");
        return words.parse();
    }
    let outcome = run(farm.caldera(gpu).arg("info"), 300);
    let mut lines = outcome.stdout.lines().map(str::trim);
    let refused = lines.find_map(|l| l.strip_prefix("refused"));
    let why = refused.map_or_else(|| outcome.text(), |why| why.trim().into());
    Err(format!("{}: refused: {why}", gpu.name))
}

/// The programs of tests/data/run that the device can have; those that no device runs, because drivers take long for
/// them, only where all are wanted.
fn data(target: &Target, all: bool) -> Vec<Program> {
    let mut files = files("run", "cl");
    files.retain(|f| all || f.directive("only").is_none());
    let able = files
        .into_iter()
        .filter(|f| target.has(f.directive("needs").unwrap_or("")));
    able.map(|file| Program {
        name: file.name(),
        options: file.directive("options").unwrap_or("").into(),
        file: file.path,
    })
    .collect()
}

/// The known bug that a failure is.
fn known(gpu: &Gpu, pipeline: &Pipeline) -> Option<&'static Bug> {
    let what = pipeline.failure.as_ref()?;
    let mut bugs = BUGS.iter().filter(|bug| bug.is_of(gpu, pipeline));
    bugs.find(|bug| what.contains(bug.says))
}

/// Says a line about a report. What is wrong are failures that nobody knows and known bugs that do not show.
fn judged(farm: &Farm, gpu: &Gpu, target: &Target, of: &str, report: &Report) -> Vec<String> {
    let (mut wrong, mut bugs, mut lacking) = (Vec::new(), 0, 0);
    for pipeline in &report.pipelines {
        let Pipeline { file, kernel, .. } = pipeline;
        let Some(what) = &pipeline.failure else {
            continue;
        };
        let lacks = |(flag, log): &(&str, &str)| !target.has(flag) && what.contains(log);
        let unfit = what.starts_with(UNBUILT) && LACKS.iter().any(lacks);
        if unfit || what.ends_with(TOO_LARGE) {
            lacking += 1;
        } else if let Some(bug) = known(gpu, pipeline) {
            bugs += 1;
            let Bug { evidence, .. } = bug;
            say(&format!(
                "farm: {}: {file}, {kernel}: {what} ({evidence})",
                gpu.name
            ));
        } else {
            wrong.push(format!("{}: {file}, {kernel}: {what}", gpu.name));
        }
    }
    for bug in BUGS.iter().filter(|bug| !bug.file.is_empty()) {
        let mut of_bug = (report.pipelines.iter())
            .filter(|p| bug.is_of(gpu, p))
            .peekable();
        let seen = of_bug.peek().is_some();
        if seen
            && !of_bug
                .any(|p| known(gpu, p).is_some() || bug.says == SLOW && p.ms > farm.longest() / 4.0)
        {
            let Bug { file, kernel, .. } = bug;
            wrong.push(format!(
                "{}: {file}, {kernel}: a known bug does not show",
                gpu.name
            ));
        }
    }
    let slowest = report.slowest().map_or(String::new(), |p| {
        format!(
            ", slowest {:.2} s: {} of {}",
            p.ms / 1000.0,
            p.kernel,
            p.file
        )
    });
    let (gpu, mesa, files) = (gpu.name, farm.version(gpu), report.files);
    let kernels = report.pipelines.len() - lacking;
    let failures = wrong.len();
    say(&format!(
        "farm: {gpu}, Mesa {mesa}: {of}: {files} files, {kernels} kernels, {lacking} of either not for it, {bugs} known bugs, {failures} failures{slowest}"
    ));
    wrong
}

/// The table's GPU on tests/data/run.
fn always(name: &str) {
    let farm = match Farm::new(name) {
        Ok(farm) => farm,
        Err(why) => return skipped(&format!("{name}: no drivers for the farm: {why}")),
    };
    let gpu = GPUS.iter().find(|gpu| gpu.name == name && gpu.always);
    let gpu = gpu.expect("a GPU that is always tested");
    match target(&farm, gpu) {
        Ok(target) => {
            let report = farm.pipelines(gpu, &data(&target, false));
            let wrong = judged(&farm, gpu, &target, "tests/data/run", &report);
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        }
        Err(why) => panic!("{why}"),
    }
}

#[test]
fn radv_navi31() {
    always("radv-navi31");
}

#[test]
fn turnip_750() {
    always("turnip-750");
}

/// A profile has what the driver tells of registers. Nothing is executed, so that there are no results, and no times.
#[test]
fn profiles_have_registers() {
    let name = "radv-navi31";
    let farm = match Farm::new("farm-profile") {
        Ok(farm) => farm,
        Err(why) => return skipped(&format!("{name}: no drivers for the farm: {why}")),
    };
    let gpu = GPUS.iter().find(|gpu| gpu.name == name).expect(name);
    let folder = Folder::new("farm-profiled");
    let program = folder.path().join("profiled");
    compile("profiled", &program, &[&library().to_string_lossy()]);
    let page = folder.path().join("page.html");
    let html = format!("--html={}", page.display());
    let outcome = run(
        farm.run(gpu, &[&html], &program).args(["some", "exit"]),
        300,
    );
    let lines = outcome.stderr.lines().map(str::trim_start);
    let mut rows = lines.filter(|l| l.starts_with("triple ") || l.starts_with("once "));
    let mut row = || {
        let row = rows.next().unwrap_or_else(|| panic!("{}", outcome.text()));
        let cells: Vec<&str> = row.split_whitespace().rev().collect();
        (cells[0].parse::<f64>(), cells[1].parse::<f64>())
    };
    for (spills, registers) in [row(), row()] {
        assert_eq!(spills, Ok(0.0), "{}", outcome.text());
        let registers = registers.unwrap_or(0.0);
        assert!((1.0..=256.0).contains(&registers), "{}", outcome.text());
    }
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("[\"VGPRs\","));
}

/// Programs of one process: few enough that processors share them.
const SHARE: usize = 6;

#[test]
#[ignore = "takes an hour or more: `make farm`"]
fn all_drivers() {
    let farm = Farm::new("farm");
    if let Err(why) = &farm {
        panic!("no drivers for the farm: {why}");
    }
    let only = std::env::var("CALDERA_GPUS").unwrap_or_default();
    let folder = Folder::new("applications");
    let mut applications = applications::all(folder.path());
    let part = std::env::var("CALDERA_TEST").unwrap_or_default();
    for (_, programs) in &mut applications {
        programs.retain(|p| p.name.contains(&part));
    }
    let mut wrong = Vec::new();
    let arm64 = OnceCell::new();
    for gpu in GPUS.iter().filter(|gpu| gpu.name.contains(&only)) {
        let farm = match gpu.arm64 {
            true => arm64.get_or_init(|| Farm::arm64("farm-arm64")),
            false => &farm,
        };
        let farm = match farm {
            Ok(farm) => farm,
            Err(why) => {
                skipped(&format!("{}: no drivers for the farm: {why}", gpu.name));
                continue;
            }
        };
        let target = match target(farm, gpu) {
            Ok(target) => target,
            // The emulator, in each try.
            Err(why) if gpu.arm64 && why.contains("qemu: uncaught target signal") => {
                skipped(&why);
                continue;
            }
            Err(why) => {
                wrong.push(why);
                continue;
            }
        };
        let data = data(&target, !gpu.arm64);
        // Emulated drivers are slow.
        let all =
            (applications.iter().filter(|_| !gpu.arm64)).map(|(name, programs)| (*name, programs));
        for (name, programs) in [("tests/data/run", &data)].into_iter().chain(all) {
            if programs.is_empty() {
                continue;
            }
            let report = shared(farm, gpu, programs);
            let found = judged(farm, gpu, &target, name, &report);
            for line in &found {
                say(line);
            }
            wrong.extend(found);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "takes an hour: `make statistics`"]
fn statistics_beside_rusticl() {
    let rusticl = match set_up(&["rusticl"]) {
        Ok(folder) => folder.into(),
        Err(why) => panic!("no rusticl: {why}"),
    };
    let farm = |folder, maker| Farm::new(folder).map(|farm| farm.with(maker));
    let ours = farm("farm-told", Maker::CalderaTold).expect("drivers");
    let theirs = farm("farm-rusticl", Maker::Rusticl(rusticl)).expect("drivers");
    let plain = Farm::new("farm-info").expect("drivers");
    let only = std::env::var("CALDERA_GPUS").unwrap_or_default();
    let part = std::env::var("CALDERA_TEST").unwrap_or_default();
    let folder = Folder::new("statistics-applications");
    let mut applications = applications::all(folder.path());
    applications.push(("corpus", applications::corpus()));
    let lists = scratch("statistics");
    let gpus = (GPUS.iter()).filter(|gpu| !gpu.arm64 && gpu.name.contains(&only));
    for gpu in gpus {
        let target = target(&plain, gpu).unwrap_or_else(|why| panic!("{why}"));
        let mut programs = data(&target, false);
        for (name, all) in &applications {
            programs.extend(statistics::some(name, all.clone()));
        }
        programs.retain(|p| p.name.contains(&part));
        let reports = [&ours, &theirs].map(|farm| shared(farm, gpu, &programs));
        let comparison = statistics::compare(gpu, &reports[0], &reports[1]);
        say(&comparison.summary);
        let list = lists.join(format!("{}.tsv", gpu.name));
        std::fs::write(&list, comparison.lines).expect("a file");
        assert!(comparison.kernels > 0, "{}: no kernel by both", gpu.name);
    }
}

/// The pipelines of all programs, by as many processes as there are processors.
fn shared(farm: &Farm, gpu: &Gpu, programs: &[Program]) -> Report {
    let shares = Mutex::new(programs.chunks(SHARE));
    let report = Mutex::new(Report::default());
    let next = || shares.lock().expect("no panic").next();
    let work = || {
        while let Some(share) = next() {
            let made = farm.pipelines(gpu, share);
            report.lock().expect("no panic").join(made);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    report.into_inner().expect("no panic")
}
