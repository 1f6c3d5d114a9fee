//! Log output, only where `CALDERA_LOG` asks for it: a filter such as `debug` or
//! `caldera::api=trace` (every call). Written to standard error, on
//! Android to the system's log. Level `info` says which
//! devices are not used, `debug` has errors of calls, builds and commands with their times,
//! `trace` every call when it begins and, with its time, when it ends.

use std::sync::Once;

use tracing::{Level, Metadata};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::FmtSpan;

use crate::config;
use crate::os::messages::{Messages, Priority};

/// Writers for events of each level.
struct Writers;

impl MakeWriter<'_> for Writers {
    type Writer = Messages;

    fn make_writer(&self) -> Messages {
        Messages(Priority::Info)
    }

    fn make_writer_for(&self, event: &Metadata<'_>) -> Messages {
        Messages(match *event.level() {
            Level::ERROR => Priority::Error,
            Level::WARN => Priority::Warn,
            Level::INFO => Priority::Info,
            Level::DEBUG => Priority::Debug,
            Level::TRACE => Priority::Verbose,
        })
    }
}

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
            .with_writer(Writers)
            .try_init();
    });
}
