//! Log output, only where `CALDERA_LOG` asks for it: a filter such as `debug` or
//! `caldera::api=trace` (every call). Written to standard error. Level `info` says which
//! devices are not used, `debug` has errors of calls, builds and commands with their times,
//! `trace` every call when it begins and, with its time, when it ends.

use std::io;
use std::sync::Once;

use crate::config;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;

/// Installs the subscriber at the first call. A subscriber that the process already has stays.
pub fn init() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let Some(filter) = &config::get().log else {
            return;
        };
        let _ = tracing_subscriber::fmt()
            .with_env_filter(EnvFilter::new(filter))
            // Calls of the API are spans.
            .with_span_events(FmtSpan::NEW | FmtSpan::CLOSE)
            .with_writer(io::stderr)
            .try_init();
    });
}
