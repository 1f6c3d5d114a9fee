//! Diagnostics: user errors are values in a [`Sink`], never `Err`. The printed form
//! is clang's, because applications and people read build logs with clang in mind.

use std::fmt::Write;

use super::source::{SourceLoc, SourceMap};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Error,
    Warning,
    Note,
}

#[derive(Debug, Clone)]
pub struct Diag {
    pub level: Level,
    /// `None` for what has no place (an option, an internal error).
    pub loc: Option<SourceLoc>,
    pub message: String,
}

/// Collects the diagnostics of one compilation.
#[derive(Debug, Default)]
pub struct Sink {
    pub diags: Vec<Diag>,
    /// `-w`
    pub no_warnings: bool,
    /// `-Werror`
    pub warnings_are_errors: bool,
}

impl Sink {
    /// An empty sink with the same settings.
    pub fn like(&self) -> Sink {
        Sink {
            diags: Vec::new(),
            ..*self
        }
    }

    pub fn error(&mut self, loc: SourceLoc, message: impl Into<String>) {
        self.push(Level::Error, Some(loc), message.into());
    }

    pub fn warning(&mut self, loc: SourceLoc, message: impl Into<String>) {
        if self.no_warnings {
            return;
        }
        let level = if self.warnings_are_errors {
            Level::Error
        } else {
            Level::Warning
        };
        self.push(level, Some(loc), message.into());
    }

    /// Adds detail to the diagnostic before it.
    pub fn note(&mut self, loc: SourceLoc, message: impl Into<String>) {
        self.push(Level::Note, Some(loc), message.into());
    }

    /// An error without a place.
    pub fn general_error(&mut self, message: impl Into<String>) {
        self.push(Level::Error, None, message.into());
    }

    /// A defect of ours: fails the build and names the place in Caldera's source.
    #[track_caller]
    pub fn internal(&mut self, message: impl std::fmt::Display) {
        let at = std::panic::Location::caller();
        let text = format!(
            "internal compiler error: {message} ({}:{})",
            at.file(),
            at.line()
        );
        self.push(Level::Error, None, text);
    }

    pub fn push(&mut self, level: Level, loc: Option<SourceLoc>, message: String) {
        self.diags.push(Diag {
            level,
            loc,
            message,
        });
    }

    pub fn error_count(&self) -> usize {
        self.diags
            .iter()
            .filter(|d| d.level == Level::Error)
            .count()
    }

    pub fn has_errors(&self) -> bool {
        self.diags.iter().any(|d| d.level == Level::Error)
    }

    /// The build log.
    pub fn render(&self, map: &SourceMap) -> String {
        let mut out = String::new();
        for d in &self.diags {
            let level = match d.level {
                Level::Error => "error",
                Level::Warning => "warning",
                Level::Note => "note",
            };
            let Some(loc) = d.loc else {
                let _ = writeln!(out, "{level}: {}", d.message);
                continue;
            };
            let (line, col) = map.line_col(loc);
            let name = map
                .files
                .get(loc.file as usize)
                .map_or("<source>", |f| f.name.as_str());
            let _ = writeln!(out, "{name}:{line}:{col}: {level}: {}", d.message);
            let text = map.line_text(loc.file, line);
            // The caret line repeats tabs, so that it stays under its character.
            let pad: String = text
                .bytes()
                .take(col as usize - 1)
                .map(|b| if b == b'\t' { '\t' } else { ' ' })
                .collect();
            let _ = writeln!(out, "{text}\n{pad}^");
        }
        let count = |level| self.diags.iter().filter(|d| d.level == level).count();
        let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let (warnings, errors) = (count(Level::Warning), count(Level::Error));
        match (warnings, errors) {
            (0, 0) => {}
            (w, 0) => out += &format!("{} generated.\n", plural(w, "warning")),
            (0, e) => out += &format!("{} generated.\n", plural(e, "error")),
            (w, e) => {
                out += &format!(
                    "{} and {} generated.\n",
                    plural(w, "warning"),
                    plural(e, "error")
                );
            }
        }
        out
    }
}
