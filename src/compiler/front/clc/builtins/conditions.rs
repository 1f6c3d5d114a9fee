//! When a builtin is there: language versions, and the extensions and features that the
//! device has (`compiler::features` is their table); and what those need that no table has.

use std::str::FromStr;
use std::sync::LazyLock;

use crate::features::{EXTENSIONS, FEATURES};
use crate::options::{Options, Standard};
use crate::target::Target;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// This OpenCL C version or a later one.
    Since(Standard),
    /// An extension or feature.
    Feature(String),
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Condition, String> {
        Ok(match text {
            "1.1" => Condition::Since(Standard::Cl11),
            "1.2" => Condition::Since(Standard::Cl12),
            "2.0" => Condition::Since(Standard::Cl20),
            "3.0" => Condition::Since(Standard::Cl30),
            name if name.starts_with("cl_") || name.starts_with("__opencl_c_") => {
                Condition::Feature(name.to_owned())
            }
            _ => return Err(format!("unknown condition '{text}'")),
        })
    }
}

impl Condition {
    /// What is missing, or `None`.
    pub fn missing(&self, options: &Options, target: &Target) -> Option<String> {
        match self {
            // Caldera's own library may use all.
            Condition::Since(_) if options.library => None,
            Condition::Since(standard) => (options.standard < *standard).then(|| {
                let version = match standard {
                    Standard::Cl10 => "1.0",
                    Standard::Cl11 => "1.1",
                    Standard::Cl12 => "1.2",
                    Standard::Cl20 => "2.0",
                    Standard::Cl30 => "3.0",
                };
                format!("OpenCL C {version} or later")
            }),
            Condition::Feature(name) => (!has(name, target)).then(|| support(name)),
        }
    }
}

/// What is missing of all these, if something is: a version of the language, or every extension and feature.
pub fn missing(all: &[Condition], options: &Options, target: &Target) -> Option<String> {
    let absent = |c: &&Condition| c.missing(options, target).is_some();
    let mut absent = all.iter().filter(absent);
    let mut text = absent.next()?.missing(options, target)?;
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
    let lines = include_str!("tables/absent.txt").lines();
    let rows = lines.filter_map(|line| line.split_once(": ").filter(|_| !line.starts_with('#')));
    let names = rows.flat_map(|(needs, names)| names.split(' ').map(move |name| (name, needs)));
    let parsed = names.filter_map(|(name, needs)| Some((name, needs.parse().ok()?)));
    parsed.collect()
});

/// What a function that is in no table needs, if that is known.
pub fn needed(name: &str, options: &Options, target: &Target) -> Option<String> {
    let is = |pattern: &str| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    };
    let (_, condition) = ABSENT.iter().find(|(pattern, _)| is(pattern))?;
    condition.missing(options, target)
}

/// Does the device have this extension or feature?
pub fn has(name: &str, target: &Target) -> bool {
    let mut rows = EXTENSIONS.iter().chain(FEATURES);
    rows.any(|row| row.name == name && (row.has)(target))
}
