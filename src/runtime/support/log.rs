//! Log output, only where `CALDERA_LOG` asks for it: a filter such as `debug` or
//! `caldera::api=trace` (every call). Written to standard error, on
//! Android to the system's log. Level `info` says which
//! devices are not used, `debug` has errors of calls, builds and commands with their times,
//! `trace` every call when it begins and, with its time, when it ends.

use std::sync::Once;

use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Dispatch, Event, Level, Metadata, Subscriber};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt;

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
        let lines = tracing_subscriber::fmt::layer()
            // Calls of the API are spans.
            .with_span_events(FmtSpan::NEW | FmtSpan::CLOSE)
            .with_writer(Writers);
        let log = tracing_subscriber::registry()
            .with(
                filter
                    .parse()
                    .unwrap_or_else(|_| Targets::new().with_default(LevelFilter::INFO)),
            )
            .with(lines);
        let _ = tracing::subscriber::set_global_default(WhileAlive(log));
    });
}

/// Has a destructor, so that it shows whether the thread's values have been destroyed.
struct Sign;

impl Drop for Sign {
    fn drop(&mut self) {}
}

thread_local! {
    static SIGN: Sign = const { Sign };
}

/// A subscriber that has values of each thread. When these are gone, as they are for what the application calls in handlers of
/// exit, nothing is logged.
struct WhileAlive<S>(S);

impl<S: Subscriber> WhileAlive<S> {
    fn log(&self) -> Option<&S> {
        SIGN.try_with(|_| ()).is_ok().then_some(&self.0)
    }
}

impl<S: Subscriber> Subscriber for WhileAlive<S> {
    fn on_register_dispatch(&self, subscriber: &Dispatch) {
        self.0.on_register_dispatch(subscriber);
    }

    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        self.log()
            .map_or_else(Interest::sometimes, |log| log.register_callsite(metadata))
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.log().is_some_and(|log| log.enabled(metadata))
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        self.0.max_level_hint()
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        // No span has the largest number.
        self.log()
            .map_or_else(|| Id::from_u64(u64::MAX), |log| log.new_span(span))
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        self.log()
            .into_iter()
            .for_each(|log| log.record(span, values));
    }

    fn record_follows_from(&self, span: &Id, follows: &Id) {
        self.log()
            .into_iter()
            .for_each(|log| log.record_follows_from(span, follows));
    }

    fn event_enabled(&self, event: &Event<'_>) -> bool {
        self.log().is_some_and(|log| log.event_enabled(event))
    }

    fn event(&self, event: &Event<'_>) {
        self.log().into_iter().for_each(|log| log.event(event));
    }

    fn enter(&self, span: &Id) {
        self.log().into_iter().for_each(|log| log.enter(span));
    }

    fn exit(&self, span: &Id) {
        self.log().into_iter().for_each(|log| log.exit(span));
    }

    fn clone_span(&self, id: &Id) -> Id {
        self.log()
            .map_or_else(|| id.clone(), |log| log.clone_span(id))
    }

    fn try_close(&self, id: Id) -> bool {
        self.log().is_some_and(|log| log.try_close(id))
    }
}
