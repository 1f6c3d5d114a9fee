//! What checked kernels have reported (docs/check.md): lines of a file in the folder that CALDERA_CHECK names. Each is written at
//! once, so that it is there however the process ends; what has been said is not said again.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Mutex, Once};

use crate::config;
use crate::os::messages::{Priority, tell};
use crate::os::sync::Unpoisoned;
use crate::runtime::support::files;

/// The most lines: an application with errors may run for days.
const MOST: usize = 10_000;

#[derive(Default)]
struct Reports {
    /// The process whose file it is: a child of fork has its own.
    process: u32,
    file: Option<File>,
    said: HashSet<String>,
}

static REPORTS: Mutex<Option<Reports>> = Mutex::new(None);

/// Adds a line. `subject`: what it is about; nothing is said twice about one. Where no file can be written it goes to standard error.
pub fn add(subject: &str, line: &str) {
    let mut reports = REPORTS.lock().unpoisoned();
    let reports = reports.get_or_insert_default();
    if reports.said.len() >= MOST || !reports.said.insert(subject.to_string()) {
        return;
    }
    if let Err(error) = reports.write(line) {
        tracing::debug!(%error, "CALDERA_CHECK");
        tell(Priority::Error, line);
    }
}

/// A kernel is launched. The process has a file from then on: an empty one says that nothing was found.
pub fn launched() {
    static ONCE: Once = Once::new();
    if config::get().check.is_some() {
        ONCE.call_once(|| {
            let mut reports = REPORTS.lock().unpoisoned();
            if let Err(error) = reports.get_or_insert_default().file() {
                tracing::debug!(%error, "CALDERA_CHECK");
            }
        });
    }
}

impl Reports {
    fn write(&mut self, line: &str) -> io::Result<()> {
        self.file()?.write_all(format!("{line}\n").as_bytes())
    }

    /// The process's file, which is made where there is none.
    fn file(&mut self) -> io::Result<&mut File> {
        let process = std::process::id();
        if self.process != process {
            self.file = None;
        }
        match &mut self.file {
            Some(file) => Ok(file),
            none => {
                let folder = config::get().check.as_ref();
                let folder = folder.ok_or(io::ErrorKind::NotFound)?;
                let file = files::create_file(&folder.join(format!("{process}.txt")))?;
                self.process = process;
                Ok(none.insert(file))
            }
        }
    }
}
