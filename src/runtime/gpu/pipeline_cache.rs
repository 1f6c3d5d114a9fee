//! Loads pipelines of earlier processes from the disk cache and stores new ones there.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::os::sync::Unpoisoned;
use crate::runtime::gpu::device::Device;
use crate::runtime::support::cache::{Cache, Key, Kind};
use crate::runtime::support::hash::Digest;
use crate::runtime::support::version::VERSION;

fn pipeline_key(device: &Device) -> Key {
    let inputs = format!("{VERSION}\n{}", device.facts().cache_key);
    Key::new(Kind::Pipelines, inputs.as_bytes())
}

/// What this process knows about the stored pipelines of a device.
#[derive(Default)]
struct Known {
    /// The digest of the data loaded or stored last; `None` before the first time.
    digest: Option<Digest>,
    stored: Option<Instant>,
}

fn with_known<R>(key: &Key, f: impl FnOnce(&mut Known) -> R) -> R {
    static KNOWN: Mutex<BTreeMap<String, Known>> = Mutex::new(BTreeMap::new());
    let mut all = KNOWN.lock().unpoisoned();
    f(all.entry(key.to_string()).or_default())
}

/// Gives an open device the pipelines of earlier processes. Later calls do nothing.
pub fn load(device: &Arc<Device>) {
    if !device.keeps_pipelines() {
        return;
    }
    let key = pipeline_key(device);
    with_known(&key, |known| {
        if known.digest.is_some() {
            return;
        }
        let bytes = Cache::global().load(&key).unwrap_or_default();
        known.digest = Some(Digest::of(&bytes));
        if !bytes.is_empty()
            && let Err(error) = device.add_pipeline_cache(&bytes)
        {
            tracing::debug!(%error, "pipeline cache not used");
        }
    });
}

/// Stores the device's pipelines together with those that other processes have stored meanwhile. Does nothing if there
/// are no new ones, or if the last store is less than `pause` ago.
pub fn store(device: &Arc<Device>, pause: Duration) {
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
        if bytes.is_empty() || known.digest == Some(Digest::of(&bytes)) {
            return;
        }
        if let Some(others) = cache.load(&key) {
            let _ = device.add_pipeline_cache(&others);
        }
        let bytes = device.pipeline_cache();
        known.digest = Some(Digest::of(&bytes));
        cache.store(&key, &bytes);
    });
}
