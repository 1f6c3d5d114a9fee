//! Diagnostics: user errors are values in a [`Sink`], never `Err`. The printed form
//! is clang's, because applications and people read build logs with clang in mind.

use std::borrow::Cow;
use std::fmt::Write;

use super::source::{SourceLoc, SourceMap};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Error,
    Warning,
    Note,
    /// The message that there are too many errors.
    Fatal,
}

impl Level {
    pub fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
            Level::Fatal => "fatal error",
        }
    }
}

#[derive(Debug, Clone)]
pub struct Diag {
    pub level: Level,
    /// `None` for what has no place (an option, an internal error).
    pub loc: Option<SourceLoc>,
    pub message: String,
}

/// Errors of one compilation, as many as clang's.
pub const ERROR_LIMIT: usize = 20;
/// Bytes of a line that are shown to each side of the caret.
const EXCERPT: usize = 120;

/// Collects the diagnostics of one compilation.
#[derive(Debug, Default)]
pub struct Sink {
    pub diags: Vec<Diag>,
    /// How many errors are taken; 0: all.
    pub error_limit: usize,
    errors: usize,
    stopped: bool,
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
            errors: 0,
            stopped: false,
            ..*self
        }
    }

    /// Takes over what another sink has collected.
    pub fn append(&mut self, diags: Vec<Diag>) {
        diags.into_iter().for_each(|diag| self.take(diag));
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

    /// A warning about the build, which is no error by -Werror: no source can be changed to avoid it.
    pub fn general_warning(&mut self, message: impl Into<String>) {
        if !self.no_warnings {
            self.push(Level::Warning, None, message.into());
        }
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
        self.take(Diag {
            level,
            loc,
            message,
        });
    }

    fn take(&mut self, diag: Diag) {
        if self.stopped {
            return;
        }
        let is_error = diag.level == Level::Error;
        let full = is_error && self.error_limit != 0 && self.errors == self.error_limit;
        if full || diag.level == Level::Fatal {
            self.stopped = true;
            self.diags.push(Diag {
                level: Level::Fatal,
                loc: None,
                message: "too many errors emitted, stopping now".into(),
            });
            return;
        }
        self.errors += usize::from(is_error);
        self.diags.push(diag);
    }

    pub fn error_count(&self) -> usize {
        self.errors
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// There were more errors than the limit: nothing more is taken.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// The build log.
    pub fn render(&self, map: &SourceMap) -> String {
        let mut out = String::new();
        for d in &self.diags {
            let level = d.level.name();
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
            let (text, before) = excerpt(map.line_text(loc.file, line), col as usize - 1);
            // The caret line repeats tabs, so that it stays under its character.
            let pad: String = text
                .bytes()
                .take(before)
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

/// What is shown of a line, and how many bytes of that stand before the caret: of a long line, the part around it.
fn excerpt(text: &str, before: usize) -> (Cow<'_, str>, usize) {
    const CUT: &str = "...";
    let (mut start, mut end) = (before.saturating_sub(EXCERPT), text.len());
    if end > before + EXCERPT {
        end = before + EXCERPT;
    }
    if start == 0 && end == text.len() {
        return (text.into(), before);
    }
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let left = if start > 0 { CUT } else { "" };
    let right = if end < text.len() { CUT } else { "" };
    let shown = format!("{left}{}{right}", &text[start..end]);
    (shown.into(), before - start + left.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(text: &str, offsets: &[u32]) -> String {
        let (mut map, mut sink) = (SourceMap::default(), Sink::default());
        let file = map.add("f".into(), text.into());
        for &offset in offsets {
            sink.error(SourceLoc { file, offset }, "wrong");
        }
        sink.render(&map)
    }

    #[test]
    fn long_lines_are_cut_around_the_caret() {
        let line = "x".repeat(400);
        let (text, xs) = (format!("a\n{line}\nb"), |n| "x".repeat(n));
        let rendered = |offset| log(&text, &[offset]);
        let expected = |excerpt: String, pad: usize, column: u32| {
            format!(
                "f:2:{column}: error: wrong\n{excerpt}\n{}^\n1 error generated.\n",
                " ".repeat(pad)
            )
        };
        assert_eq!(rendered(2), expected(format!("{}...", xs(120)), 0, 1));
        assert_eq!(
            rendered(202),
            expected(format!("...{}...", xs(240)), 123, 201)
        );
        assert_eq!(rendered(401), expected(format!("...{}", xs(121)), 123, 400));
        // Characters stay whole.
        let wide = "\u{e9}".repeat(300);
        for offset in 0..600 {
            assert!(log(&wide, &[offset]).contains('^'));
        }
    }

    #[test]
    fn the_limit_ends_the_log() {
        let mut sink = Sink {
            error_limit: 2,
            ..Sink::default()
        };
        for i in 0..5 {
            sink.error(SourceLoc::default(), format!("{i}"));
            sink.note(SourceLoc::default(), "a note");
        }
        let mut all = sink.like();
        all.append(sink.diags);
        all.warning(SourceLoc::default(), "late");
        assert!(all.stopped());
        let messages: Vec<&str> = all.diags.iter().map(|d| d.message.as_str()).collect();
        let end = "too many errors emitted, stopping now";
        assert_eq!(messages, ["0", "a note", "1", "a note", end]);
        let log = all.render(&SourceMap::default());
        assert!(log.ends_with(
            "fatal error: too many errors emitted, stopping now\n2 errors generated.\n"
        ));
    }
}
