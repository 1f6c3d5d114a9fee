//! The disk cache: compiled programs and pipelines, shared by processes.
//!
//! One file per entry, named after its key. A file is written beside its place and then
//! renamed, so readers see all of it or nothing, and of two writers the last one wins.
//! What is read is checked (length by its framing, contents by a checksum); a damaged
//! entry counts as missing and is replaced. Nothing that goes wrong here matters to
//! anybody: a directory that cannot be written, or a full disk, only means no cache.
//!
//! Used entries get a new time stamp; when the files grow beyond the limit, the oldest go.
//!
//! Environment: `CALDERA_CACHE=0` turns it off; `CALDERA_CACHE_DIR` is the directory, else
//! `$XDG_CACHE_HOME/caldera` or `~/.cache/caldera`.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::binary::{seal, unseal};
use super::device::Device;
use super::hash::{digest, hash};
use super::platform::VERSION;

/// Bytes of all entries together, at most.
const LIMIT: u64 = 512 << 20;
/// A file being written that is this old was left by a process that died.
const STALE: Duration = Duration::from_secs(3600);

/// A directory of entries; without one nothing is kept or found.
pub struct Cache {
    dir: Option<PathBuf>,
    limit: u64,
}

impl Cache {
    /// The cache that the environment asks for.
    pub fn global() -> &'static Cache {
        static CACHE: LazyLock<Cache> = LazyLock::new(|| Cache::new(directory(), LIMIT));
        &CACHE
    }

    pub fn new(dir: Option<PathBuf>, limit: u64) -> Cache {
        Cache { dir, limit }
    }

    pub fn is_on(&self) -> bool {
        self.dir.is_some()
    }

    /// What was stored under a key, if it is there and whole.
    pub fn load(&self, key: &str) -> Option<Vec<u8>> {
        let path = self.dir.as_ref()?.join(key);
        let mut bytes = fs::read(&path).ok()?;
        let Some(len) = unseal(&bytes).map(<[u8]>::len) else {
            tracing::info!(?path, "damaged cache entry");
            let _ = fs::remove_file(&path);
            return None;
        };
        bytes.truncate(len);
        if let Ok(file) = fs::File::options().append(true).open(&path) {
            let _ = file.set_modified(SystemTime::now());
        }
        Some(bytes)
    }

    /// Stores an entry, or does not.
    pub fn store(&self, key: &str, bytes: Vec<u8>) {
        let Some(dir) = &self.dir else { return };
        if let Err(error) = self.write(dir, key, seal(bytes)) {
            tracing::debug!(?dir, %error, "cache entry not written");
        }
        // Looking through the directory costs more than a write, so only one in 64 does it,
        // whichever process that is.
        if hash(0, key.as_bytes()).to_le_bytes()[0] < 4 {
            self.evict(dir);
        }
    }

    fn write(&self, dir: &Path, key: &str, bytes: Vec<u8>) -> std::io::Result<()> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let n = COUNTER.fetch_add(1, Ordering::Relaxed);
        fs::create_dir_all(dir)?;
        let temporary = dir.join(format!("{key}.{}.{n}.tmp", std::process::id()));
        let written = fs::File::create_new(&temporary)
            .and_then(|mut file| file.write_all(&bytes))
            .and_then(|()| fs::rename(&temporary, dir.join(key)));
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written
    }

    /// Removes the oldest entries until a quarter of the limit is free again.
    fn evict(&self, dir: &Path) {
        let Ok(listing) = fs::read_dir(dir) else {
            return;
        };
        let now = SystemTime::now();
        let mut files = Vec::new();
        for entry in listing.flatten() {
            let Ok(data) = entry.metadata() else { continue };
            let Ok(time) = data.modified() else { continue };
            let path = entry.path();
            if path.extension().is_some_and(|e| e == "tmp") {
                if now.duration_since(time).is_ok_and(|age| age > STALE) {
                    let _ = fs::remove_file(&path);
                }
            } else if data.is_file() {
                files.push((time, data.len(), path));
            }
        }
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

fn directory() -> Option<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty());
    if variable("CALDERA_CACHE").is_some_and(|value| value == "0") {
        return None;
    }
    if let Some(dir) = variable("CALDERA_CACHE_DIR") {
        return Some(dir.into());
    }
    // A relative path in XDG_CACHE_HOME is to be ignored, says its specification.
    let base = (variable("XDG_CACHE_HOME").map(PathBuf::from))
        .filter(|path| path.is_absolute())
        .or_else(|| variable("HOME").map(|home| PathBuf::from(home).join(".cache")))?;
    Some(base.join("caldera"))
}

fn pipeline_key(device: &Device) -> String {
    format!(
        "pipelines-{}",
        digest(format!("{VERSION}\n{}", device.facts().cache_key).as_bytes())
    )
}

/// What this process knows about the stored pipelines of a device.
#[derive(Default)]
struct Known {
    /// Digest of the data loaded or stored last; `None` before that.
    digest: Option<u64>,
    stored: Option<Instant>,
}

fn with_known<R>(key: &str, f: impl FnOnce(&mut Known) -> R) -> R {
    static KNOWN: Mutex<BTreeMap<String, Known>> = Mutex::new(BTreeMap::new());
    let mut all = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    f(all.entry(key.to_string()).or_default())
}

/// Gives an open device the pipelines of earlier processes, once.
pub fn load_pipelines(device: &Arc<Device>) {
    if !device.keeps_pipelines() {
        return;
    }
    let key = pipeline_key(device);
    with_known(&key, |known| {
        if known.digest.is_some() {
            return;
        }
        let bytes = Cache::global().load(&key).unwrap_or_default();
        known.digest = Some(hash(0, &bytes));
        if !bytes.is_empty()
            && let Err(error) = device.add_pipeline_cache(&bytes)
        {
            tracing::debug!(%error, "pipeline cache not used");
        }
    });
}

/// Keeps the device's pipelines, with those that other processes have stored meanwhile.
/// Does nothing if there are no new ones, or if that was done within `pause`.
pub fn store_pipelines(device: &Arc<Device>, pause: Duration) {
    let cache = Cache::global();
    if !cache.is_on() || !device.keeps_pipelines() {
        return;
    }
    let key = pipeline_key(device);
    with_known(&key, |known| {
        if known.stored.is_some_and(|at| at.elapsed() < pause) {
            return;
        }
        known.stored = Some(Instant::now());
        let bytes = device.pipeline_cache();
        if bytes.is_empty() || known.digest == Some(hash(0, &bytes)) {
            return;
        }
        if let Some(others) = cache.load(&key) {
            let _ = device.add_pipeline_cache(&others);
        }
        let bytes = device.pipeline_cache();
        known.digest = Some(hash(0, &bytes));
        cache.store(&key, bytes);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let dir = env::temp_dir().join(format!("caldera-cache-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        dir
    }

    #[test]
    fn entries_come_back_and_damaged_ones_do_not() {
        let dir = scratch("basic");
        let cache = Cache::new(Some(dir.clone()), LIMIT);
        assert_eq!(cache.load("k"), None);
        cache.store("k", vec![1, 2, 3]);
        assert_eq!(cache.load("k"), Some(vec![1, 2, 3]));
        let whole = fs::read(dir.join("k")).unwrap();
        for damaged in [&whole[..whole.len() - 1], &[], &[0; 11]] {
            fs::write(dir.join("k"), damaged).unwrap();
            assert_eq!(cache.load("k"), None);
            cache.store("k", vec![4]);
            assert_eq!(cache.load("k"), Some(vec![4]));
        }
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn useless_directories_do_no_harm() {
        let file = scratch("file");
        fs::write(&file, "x").unwrap();
        for dir in [None, Some(file.clone()), Some("/proc/caldera".into())] {
            let cache = Cache::new(dir, LIMIT);
            cache.store("k", vec![1]);
            assert_eq!(cache.load("k"), None);
        }
        fs::remove_file(file).unwrap();
    }

    #[test]
    fn the_oldest_entries_go() {
        let dir = scratch("evict");
        let cache = Cache::new(Some(dir.clone()), 4000);
        let hour = Duration::from_secs(3600);
        for i in 0..6u32 {
            cache.store(&format!("k{i}"), vec![0; 992]);
            let file = fs::File::options()
                .append(true)
                .open(dir.join(format!("k{i}")))
                .unwrap();
            file.set_modified(SystemTime::now() - hour * (6 - i))
                .unwrap();
        }
        fs::write(dir.join("k9.1.1.tmp"), "").unwrap();
        let old = fs::File::options()
            .append(true)
            .open(dir.join("k9.1.1.tmp"))
            .unwrap();
        old.set_modified(SystemTime::now() - hour * 2).unwrap();
        assert!(cache.load("k0").is_some(), "a use makes it the youngest");
        cache.evict(&dir);
        let left = |i: u32| dir.join(format!("k{i}")).exists();
        assert_eq!(
            [0, 1, 2, 3, 4, 5].map(left),
            [true, false, false, false, true, true]
        );
        assert!(!dir.join("k9.1.1.tmp").exists());
        fs::remove_dir_all(dir).unwrap();
    }

    /// Writers and readers at once: what is read is always whole.
    #[test]
    fn concurrent_use_is_safe() {
        let dir = scratch("threads");
        std::thread::scope(|scope| {
            for n in 1..5u8 {
                let dir = dir.clone();
                scope.spawn(move || {
                    let cache = Cache::new(Some(dir), LIMIT);
                    for _ in 0..50 {
                        cache.store("k", vec![n; 5000]);
                        if let Some(bytes) = cache.load("k") {
                            assert!(bytes.len() == 5000 && bytes.iter().all(|b| *b == bytes[0]));
                        }
                    }
                });
            }
        });
        fs::remove_dir_all(dir).unwrap();
    }
}
