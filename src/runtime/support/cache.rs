//! The disk cache: compiled programs, pipelines and what was measured of devices, shared by processes.
//!
//! Each entry is a file, named after its key: the kind, and the digest of all inputs. The file contains the name, too, and a
//! checksum of everything. An entry under another name counts as missing and is replaced, as a damaged one is. Errors have no
//! other effect: with a folder that cannot be written or a full disk there is no cache.
//!
//! A file is written in a folder beside the entries and then renamed, so readers see all of it or
//! nothing, and of two writers the last one wins. While it is written it is locked: what others find there
//! unlocked, when they write for the first time, was left by a process that died, and goes.
//!
//! What is kept is run, so nobody else may have a hand in it. The folder and the entries are made for the
//! user alone; entries that another user may have written are not read, whatever folder they lie in.
//!
//! Used entries get a new time stamp; when the files grow beyond the limit, the oldest go.

use std::fmt;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use crate::config;
use crate::os::file;
use crate::runtime::support::files;
use crate::runtime::support::hash::Digest;
use crate::runtime::support::wire::{seal, to_bytes, unseal};

/// The target of log lines about entries.
const ENTRIES: &str = "caldera::runtime::cache";

/// The most bytes of all entries together. One entry may take a quarter of it.
const LIMIT: u64 = 512 << 20;
/// If files cannot be locked, an unfinished file of this age was left by a process that died.
const STALE: Duration = Duration::from_secs(3600);
/// The folder for unfinished files, inside the cache's folder.
const UNFINISHED: &str = "unfinished";
/// How often a writer starts again because another process has removed its unfinished file.
const ATTEMPTS: u32 = 8;

/// The kind of an entry, with which its name begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Program,
    Object,
    Linked,
    Library,
    Pipelines,
    Clock,
    Probe,
}

impl Kind {
    const ALL: [Kind; 7] = [
        Kind::Program,
        Kind::Object,
        Kind::Linked,
        Kind::Library,
        Kind::Pipelines,
        Kind::Clock,
        Kind::Probe,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Program => "program",
            Kind::Object => "object",
            Kind::Linked => "linked",
            Kind::Library => "library",
            Kind::Pipelines => "pipelines",
            Kind::Clock => "clock",
            Kind::Probe => "probe",
        }
    }
}

/// The key of an entry. Its text is the file's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    kind: Kind,
    digest: Digest,
}

impl Key {
    /// `inputs`: everything that the entry depends on.
    pub fn new(kind: Kind, inputs: &[u8]) -> Key {
        Key {
            kind,
            digest: Digest::of(inputs),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.kind.name(), self.digest)
    }
}

/// Whether a file of the cache's folder is an entry, of this version or an older one. Other files are left alone.
fn is_entry(name: &str) -> bool {
    let kind = |(kind, _): &(&str, &str)| Kind::ALL.iter().any(|k| k.name() == *kind);
    let digits = |(_, digits): (&str, &str)| {
        digits.len() >= 32 && digits.bytes().all(|b| b.is_ascii_hexdigit())
    };
    name.split_once('-').filter(kind).is_some_and(digits)
}

/// A folder of entries. Without a folder nothing is stored or found.
pub struct Cache {
    dir: Option<PathBuf>,
    limit: u64,
    /// Unfinished files of dead processes have been looked for.
    swept: AtomicBool,
}

impl Cache {
    /// The cache that the environment configures.
    pub fn global() -> &'static Cache {
        static CACHE: LazyLock<Cache> =
            LazyLock::new(|| Cache::new(config::get().cache.clone(), LIMIT));
        &CACHE
    }

    pub fn new(dir: Option<PathBuf>, limit: u64) -> Cache {
        Cache {
            dir,
            limit,
            swept: AtomicBool::new(false),
        }
    }

    /// The folder; `None` where there is no cache.
    pub fn folder(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    pub fn is_on(&self) -> bool {
        self.dir.is_some()
    }

    /// The entry under a key, if it exists, is complete and belongs to the user.
    pub fn load(&self, key: &Key) -> Option<Vec<u8>> {
        let dir = self.dir.as_ref()?;
        self.read(dir, key)
            .inspect_err(|error| match error.kind() {
                ErrorKind::NotFound => {}
                _ => tracing::info!(target: ENTRIES, ?dir, %key, %error, "cache entry not used"),
            })
            .ok()
    }

    fn read(&self, dir: &Path, key: &Key) -> io::Result<Vec<u8>> {
        files::check_own_folder(dir)?;
        let (file, mut bytes) = files::read_own(&dir.join(key.to_string()), self.limit / 4)?;
        let inner = unseal(&bytes).ok_or_else(|| io::Error::other("is damaged"))?;
        let name = to_bytes(&key.to_string());
        if !inner.starts_with(&name) {
            return Err(io::Error::other("is that of another key"));
        }
        let len = inner.len();
        bytes.truncate(len);
        bytes.drain(..name.len());
        let _ = file.set_modified(SystemTime::now());
        Ok(bytes)
    }

    /// Stores an entry. Errors are ignored.
    pub fn store(&self, key: &Key, bytes: &[u8]) {
        let Some(dir) = &self.dir else { return };
        if let Err(error) = self.write(dir, key, bytes) {
            tracing::debug!(target: ENTRIES, ?dir, %key, %error, "cache entry not written");
        }
        // Listing the folder costs more than a write, so one of 64 writes does it. The digest chooses, so this holds across processes.
        if key.digest.0[0] < 4 {
            self.evict(dir);
        }
    }

    fn write(&self, dir: &Path, key: &Key, bytes: &[u8]) -> io::Result<()> {
        let mut entry = to_bytes(&key.to_string());
        entry.extend(bytes);
        let entry = seal(entry);
        if entry.len() as u64 > self.limit / 4 {
            return Err(io::Error::other("it is too large"));
        }
        let (path, mut file) = self.begin(dir, key)?;
        let written = file
            .write_all(&entry)
            .and_then(|()| fs::rename(&path, dir.join(key.to_string())));
        if written.is_err() {
            let _ = fs::remove_file(&path);
        }
        written
    }

    /// Creates the file for an entry, in folders that are created if they are missing.
    fn begin(&self, dir: &Path, key: &Key) -> io::Result<(PathBuf, File)> {
        let unfinished = dir.join(UNFINISHED);
        for folder in [dir, &unfinished] {
            files::own_folder(folder)?;
        }
        if !self.swept.swap(true, Ordering::Relaxed) {
            sweep(&unfinished);
        }
        begin(&unfinished, key)
    }

    /// Does what storing an entry does, but for the entry. The number of entries and their bytes, or why none can be
    /// stored. An error where there is no folder.
    pub fn check(&self) -> io::Result<(usize, u64)> {
        let dir = (self.dir.as_ref()).ok_or_else(|| io::Error::other("there is no folder"))?;
        let (path, mut file) = self.begin(dir, &Key::new(Kind::Probe, b"check"))?;
        let written = file.write_all(b"check");
        fs::remove_file(&path)?;
        written?;
        let files = entries(dir)?;
        Ok((files.len(), files.iter().map(|f| f.1).sum()))
    }

    /// Removes the oldest entries until a quarter of the limit is free.
    fn evict(&self, dir: &Path) {
        let Ok(mut files) = entries(dir) else { return };
        let mut total: u64 = files.iter().map(|f| f.1).sum();
        if total <= self.limit {
            return;
        }
        files.sort();
        for (_, len, path) in files {
            if total <= self.limit / 4 * 3 {
                break;
            }
            if fs::remove_file(&path).is_ok() {
                total -= len;
            }
        }
    }
}

/// The entries in a folder: when they were used, their bytes, where they are.
fn entries(dir: &Path) -> io::Result<Vec<(SystemTime, u64, PathBuf)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir)?.flatten() {
        if !entry.file_name().to_str().is_some_and(is_entry) {
            continue;
        }
        let Ok(data) = entry.metadata() else { continue };
        let Ok(time) = data.modified() else { continue };
        if data.is_file() {
            files.push((time, data.len(), entry.path()));
        }
    }
    Ok(files)
}

/// Creates a locked file in the folder for unfinished files. Its name starts with the key's.
fn begin(unfinished: &Path, key: &Key) -> io::Result<(PathBuf, File)> {
    for _ in 0..ATTEMPTS {
        // Process ids are not unique if containers share the folder.
        let number = RandomState::new().hash_one(std::process::id());
        let path = unfinished.join(format!("{key}.{number:016x}"));
        let file = files::create_file(&path)?;
        // Before it is locked, another process may take the file for one that was left, and remove it.
        match file::try_lock(&file) {
            Ok(true) if !path.exists() => {}
            Ok(false) => {}
            Ok(true) | Err(_) => return Ok((path, file)),
        }
    }
    Err(io::Error::other("others remove what is being written"))
}

/// Removes unfinished files of processes that died.
fn sweep(unfinished: &Path) {
    for entry in fs::read_dir(unfinished).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let parts = name.to_str().and_then(|name| name.split_once('.'));
        if !parts.is_some_and(|(key, _)| is_entry(key)) {
            continue;
        }
        let path = entry.path();
        let Ok((file, data)) = files::open_own(&path) else {
            continue;
        };
        let age = data.modified().map(|time| time.elapsed());
        let stale = || matches!(age, Ok(Ok(age)) if age > STALE);
        if file::try_lock(&file).unwrap_or_else(|_| stale()) {
            let _ = fs::remove_file(&path);
        }
    }
}

#[cfg(test)]
mod tests;
