//! Command queues.

use std::sync::Arc;

use crate::runtime::command::Command;
use crate::runtime::device::Device;
use crate::runtime::error::{ClError, ClResult};
use crate::runtime::event::Event;

/// CL_QUEUE_PROPERTIES.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueueProperties {
    pub out_of_order: bool,
    pub profiling: bool,
}

/// How an enqueue ends.
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

/// A command queue. Dropping it flushes; what was enqueued still runs to its end.
pub struct Queue {
    device: Arc<Device>,
    properties: QueueProperties,
}

impl Queue {
    pub fn new(device: &Arc<Device>, properties: QueueProperties) -> ClResult<Arc<Queue>> {
        device.open()?;
        Ok(Arc::new(Queue {
            device: device.clone(),
            properties,
        }))
    }

    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    pub fn properties(&self) -> QueueProperties {
        self.properties
    }

    /// Enqueues a command behind `waits`. `Some` event exactly when `completion` asks for
    /// one. EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when blocking and an event in
    /// `waits` failed; OUT_OF_RESOURCES when the device is lost.
    pub fn enqueue(
        &self,
        command: Command,
        waits: &[Arc<Event>],
        completion: Completion,
    ) -> ClResult<Option<Arc<Event>>> {
        let _ = (command, waits, completion);
        Err(ClError::OUT_OF_RESOURCES)
    }

    /// Submits everything that can be submitted.
    pub fn flush(&self) -> ClResult {
        Err(ClError::OUT_OF_RESOURCES)
    }

    /// Returns when everything enqueued before is complete.
    pub fn finish(&self) -> ClResult {
        Err(ClError::OUT_OF_RESOURCES)
    }
}
