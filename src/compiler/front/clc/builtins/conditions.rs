//! When a builtin is there: language versions, and the extensions and features that the
//! device has (`compiler::features` is their table); and what those need that no table has.

use std::str::FromStr;
use std::sync::LazyLock;

use crate::features::{EXTENSIONS, FEATURES};
use crate::options::{Options, Standard};
use crate::target::Target;
use crate::texts::TABLES;

/// What a program is written in, and for.
#[derive(Clone, Copy)]
pub struct Language<'a> {
    pub options: &'a Options,
    pub target: &'a Target,
    /// The atomics of OpenCL C 2.0 are there, whatever the version.
    pub atomics: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// This OpenCL C version or a later one.
    Since(Standard),
    /// The atomics of OpenCL C 2.0.
    Atomics,
    /// An extension or feature.
    Feature(String),
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Condition, String> {
        Ok(match text {
            "atomics" => Condition::Atomics,
            name if name.starts_with("cl_") || name.starts_with("__opencl_c_") => {
                Condition::Feature(name.to_owned())
            }
            version => match version.parse() {
                Ok(standard) => Condition::Since(standard),
                Err(()) => return Err(format!("unknown condition '{text}'")),
            },
        })
    }
}

impl Condition {
    /// What is missing, or `None`.
    pub fn missing(&self, language: Language) -> Option<String> {
        let Language {
            options, target, ..
        } = language;
        match self {
            // Caldera's own library may use all.
            Condition::Since(_) | Condition::Atomics if options.library => None,
            Condition::Since(standard) => (options.standard < *standard)
                .then(|| format!("OpenCL C {} or later", standard.text())),
            Condition::Atomics if language.atomics => None,
            Condition::Atomics => Condition::Since(Standard::Cl20).missing(language),
            Condition::Feature(name) => (!has(name, target)).then(|| support(name)),
        }
    }
}

/// What is missing of all these, if something is: a version of the language, or every extension and feature.
pub fn missing(all: &[Condition], language: Language) -> Option<String> {
    let absent = |c: &&Condition| c.missing(language).is_some();
    let mut absent = all.iter().filter(absent);
    let mut text = absent.next()?.missing(language)?;
    for condition in absent {
        if let Condition::Feature(name) = condition
            && !text.starts_with("OpenCL")
        {
            text += &format!(" and '{name}'");
        }
    }
    Some(text)
}

/// The text that says that this extension or feature is missing.
pub fn support(name: &str) -> String {
    format!("support for '{name}'")
}

/// `tables/absent.txt`: names, some only the beginning of a name, and what they need.
static ABSENT: LazyLock<Vec<(&str, Condition)>> = LazyLock::new(|| {
    let lines = TABLES.text("absent").unwrap_or_default().lines();
    let rows = lines.filter_map(|line| line.split_once(": ").filter(|_| !line.starts_with('#')));
    let names = rows.flat_map(|(needs, names)| names.split(' ').map(move |name| (name, needs)));
    let parsed = names.filter_map(|(name, needs)| Some((name, needs.parse().ok()?)));
    parsed.collect()
});

/// What a function that is in no table needs, if that is known.
pub fn needed(name: &str, language: Language) -> Option<String> {
    let is = |pattern: &str| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    };
    let (_, condition) = ABSENT.iter().find(|(pattern, _)| is(pattern))?;
    condition.missing(language)
}

/// Does the device have this extension or feature?
pub fn has(name: &str, target: &Target) -> bool {
    let mut rows = EXTENSIONS.iter().chain(FEATURES);
    rows.any(|row| row.name == name && row.is_on(target))
}
