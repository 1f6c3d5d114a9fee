//! What the compilers of GPUs' drivers make of kernels: instructions, registers, spills and waves, by Caldera and by rusticl.
//! Rusticl comes to the drivers through zink, which gives them SPIR-V as Caldera does, so that both have the same compiler
//! behind them, and the same words for what it tells.
//!
//!     make statistics                        a table of each GPU, and the worst 20 kernels
//!     CALDERA_CORPUS=FOLDER make statistics  more programs

use std::collections::HashMap;
use std::fmt::Write;

use super::table::Gpu;
use super::worker::{Pipeline, Program, Report};

/// How a driver calls what is compared. What it has several words for are sums; a word behind `-` is subtracted.
struct Words {
    driver: &'static str,
    instructions: &'static [&'static str],
    registers: &'static [&'static str],
    spills: &'static [&'static str],
    waves: &'static [&'static str],
}

const WORDS: &[Words] = &[
    Words {
        driver: "radeon",
        instructions: &["Instructions"],
        registers: &["VGPRs"],
        spills: &["Spilled VGPRs", "Spilled SGPRs"],
        waves: &["Subgroups per SIMD"],
    },
    // Instructions that do nothing fill the time until a result is there.
    Words {
        driver: "freedreno",
        instructions: &["Instruction Count", "-NOPs Count"],
        registers: &["Registers used"],
        spills: &["STP Count", "LDP Count"],
        waves: &["Max Waves Per Core"],
    },
    Words {
        driver: "nouveau",
        instructions: &["Instruction count"],
        registers: &["Number of GPRs"],
        spills: &["Spills to memory", "Fills from memory"],
        waves: &["Max warps/SM"],
    },
    Words {
        driver: "asahi",
        instructions: &["Instructions"],
        registers: &["GPRs"],
        spills: &["Spills", "Fills"],
        waves: &["Threads"],
    },
];

/// Of each of these applications, whose programs are many and alike, every so many.
const STEPS: &[(&str, usize)] = &[("clblast", 4), ("opencv", 8), ("hashcat", 6)];

/// The programs of an application that are compared.
pub fn some(application: &str, programs: Vec<Program>) -> Vec<Program> {
    let step = STEPS.iter().find(|(name, _)| *name == application);
    let step = step.map_or(1, |(_, step)| *step);
    programs.into_iter().step_by(step).collect()
}

/// A kernel's numbers.
#[derive(Clone, Copy, Default)]
struct Numbers {
    instructions: f64,
    registers: f64,
    spills: f64,
    waves: f64,
    has_images: bool,
}

impl Words {
    fn numbers(&self, pipeline: &Pipeline) -> Option<Numbers> {
        let told = |word: &str| {
            let name = word.trim_start_matches('-');
            let (_, value) = pipeline.statistics.iter().find(|(n, _)| n == name)?;
            Some(if word == name { *value } else { -value })
        };
        let sum = |words: &[&str]| words.iter().map(|w| told(w)).sum::<Option<f64>>();
        Some(Numbers {
            instructions: sum(self.instructions)?,
            registers: sum(self.registers)?,
            spills: sum(self.spills)?,
            waves: sum(self.waves)?,
            has_images: pipeline.has_images,
        })
    }

    fn all(&self, report: &Report) -> HashMap<(String, String), Numbers> {
        let of = |p: &Pipeline| Some(((p.file.clone(), p.kernel.clone()), self.numbers(p)?));
        report.pipelines.iter().filter_map(of).collect()
    }
}

/// A kernel by both.
struct Row {
    name: String,
    ours: Numbers,
    theirs: Numbers,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.ours.instructions / self.theirs.instructions.max(1.0)
    }

    fn text(&self) -> String {
        let Row { name, ours, theirs } = self;
        format!(
            "{:.2}\t{} {}\t{} {}\t{} {}\t{} {}\t{name}",
            self.ratio(),
            ours.instructions,
            theirs.instructions,
            ours.registers,
            theirs.registers,
            ours.spills,
            theirs.spills,
            ours.waves,
            theirs.waves
        )
    }
}

/// The text of a comparison, and each kernel's line.
pub struct Comparison {
    pub kernels: usize,
    pub summary: String,
    pub lines: String,
}

/// How many of the kernels whose ratio is highest are shown.
const WORST: usize = 20;

const HEAD: &str = "ratio\tinstructions\tregisters\tspills\twaves\tkernel (each: Caldera, rusticl)";

pub fn compare(gpu: &Gpu, ours: &Report, theirs: &Report) -> Comparison {
    let words = WORDS.iter().find(|w| w.driver == gpu.driver);
    let words = words.expect("a driver with statistics");
    let (ours, theirs) = (words.all(ours), words.all(theirs));
    let mut rows: Vec<Row> = (ours.iter())
        .filter_map(|((file, kernel), ours)| {
            let theirs = *theirs.get(&(file.clone(), kernel.clone()))?;
            let name = format!("{file} {kernel}");
            Some(Row {
                name,
                ours: *ours,
                theirs,
            })
        })
        .collect();
    rows.sort_by(|a, b| (b.ratio().total_cmp(&a.ratio())).then_with(|| a.name.cmp(&b.name)));
    let lines = rows.iter().map(|row| row.text() + "\n").collect();
    let kernels = rows.len();
    let (images, rows): (Vec<Row>, Vec<Row>) =
        rows.into_iter().partition(|row| row.ours.has_images);
    let mut summary = String::new();
    // An image is memory to Caldera and a texture unit's to rusticl: their instructions are not the same work.
    for (what, rows) in [("with images", &images), ("without images", &rows)] {
        let _ = writeln!(summary, "statistics: {}: {what}: {}", gpu.name, means(rows));
    }
    summary += HEAD;
    for row in rows.iter().take(WORST) {
        let _ = write!(summary, "\n{}", row.text());
    }
    Comparison {
        kernels,
        summary,
        lines,
    }
}

/// Of rows in descending order.
fn means(rows: &[Row]) -> String {
    let mean = |of: &dyn Fn(&Row) -> f64| {
        let logs: f64 = rows.iter().map(|row| of(row).max(1e-3).ln()).sum();
        (logs / rows.len().max(1) as f64).exp()
    };
    let count = |of: &dyn Fn(bool, bool) -> bool| {
        let spills = |row: &&Row| of(row.ours.spills > 0.0, row.theirs.spills > 0.0);
        rows.iter().filter(spills).count()
    };
    let at = |percent: usize| rows.get(rows.len() * percent / 100).map_or(0.0, Row::ratio);
    format!(
        "{} kernels; instructions {:.3} of rusticl's (nine tenths at most {:.2}, half {:.2}, one tenth {:.2}), registers {:.3}, waves {:.3}; \
         spills by Caldera alone {}, by rusticl alone {}, by both {}",
        rows.len(),
        mean(&Row::ratio),
        at(10),
        at(50),
        at(90),
        mean(&|r| r.ours.registers / r.theirs.registers.max(1.0)),
        mean(&|r| r.ours.waves / r.theirs.waves.max(1.0)),
        count(&|ours, theirs| ours && !theirs),
        count(&|ours, theirs| !ours && theirs),
        count(&|ours, theirs| ours && theirs),
    )
}
