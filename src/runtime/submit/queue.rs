//! Command queues.

use std::any::Any;
use std::sync::Arc;

use crate::runtime::command::Command;
use crate::runtime::gpu::device::Device;
use crate::runtime::submit::engine::Core;
pub use crate::runtime::submit::engine::QueueProperties;
use crate::runtime::submit::event::Event;
use crate::runtime::support::callback::ENDS;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::profile;

/// What an enqueue waits for and returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// Return at once, no event.
    Async,
    /// Return at once, with an event.
    Event,
    /// Return when the command is complete; no event.
    Blocking,
    /// Return when the command is complete; with an event.
    BlockingEvent,
}

/// A command queue. Dropping it flushes it; enqueued commands still run to their end.
pub struct Queue {
    core: Arc<Core>,
}

impl Queue {
    /// A queue of the runtime's own, which is no part of a profile.
    pub fn new(device: &Arc<Device>, properties: QueueProperties) -> ClResult<Arc<Queue>> {
        Ok(Arc::new(Queue {
            core: Core::new(device, properties, None)?,
        }))
    }

    /// `owner` is kept until the queue has been dropped and its commands have ended.
    pub fn with_owner(
        device: &Arc<Device>,
        properties: QueueProperties,
        owner: Arc<dyn Any + Send + Sync>,
    ) -> ClResult<Arc<Queue>> {
        Ok(Arc::new(Queue {
            core: Core::new(device, properties, Some(owner))?,
        }))
    }

    pub fn device(&self) -> &Arc<Device> {
        &self.core.device
    }

    pub fn properties(&self) -> QueueProperties {
        self.core.properties
    }

    /// Enqueues a command behind `waits`. Returns an event exactly if `completion` asks for one. OUT_OF_RESOURCES if the device is
    /// lost. A blocking call also gives EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if an event in `waits` or a command before it has
    /// failed, and the error of an earlier command without an event, because it may read what that should have written.
    pub fn enqueue(
        &self,
        command: Command,
        waits: Vec<Arc<Event>>,
        completion: Completion,
    ) -> ClResult<Option<Arc<Event>>> {
        let command = command.routed(self.device())?;
        let blocking = matches!(completion, Completion::Blocking | Completion::BlockingEvent);
        let profiled = match self.core.profiled {
            true => command.profiled(self.device()),
            false => None,
        };
        let name = self.core.watched.then(|| command.name());
        let event = match (completion, name, profiled) {
            (Completion::Async, None, None) => None,
            _ => Some(Event::of(&self.core, name, profiled)),
        };
        self.core.enqueue(command, waits, event.clone(), blocking)?;
        if let (true, Some(event)) = (blocking, &event) {
            let _waits = profile::wait();
            let result = event.wait();
            if result.is_err() {
                self.core.heard();
            }
            // The earlier error comes first, since this command may have failed because of it.
            self.core.report()?;
            result?;
            ENDS.settle();
        }
        Ok(event.filter(|_| matches!(completion, Completion::Event | Completion::BlockingEvent)))
    }

    /// Makes sure that all commands are submitted without a further call.
    pub fn flush(&self) -> ClResult {
        self.core.flush_soon();
        self.check()
    }

    /// Returns when everything enqueued before is complete.
    pub fn finish(&self) -> ClResult {
        self.core.finish()
    }

    fn check(&self) -> ClResult {
        if self.core.is_lost() {
            return Err(ClError::OUT_OF_RESOURCES);
        }
        Ok(())
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.core.close();
    }
}
