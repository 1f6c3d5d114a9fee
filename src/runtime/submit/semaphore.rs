//! Binary semaphores (cl_khr_semaphore) that only this process has: events whose turn comes one after the other.
//!
//! A wait takes the event of the signal before it. A wait that comes first gets an event of its own, which ends with the next
//! signal's. So queues and devices wait for semaphores as they do for events.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use crate::os::sync::Unpoisoned;
use crate::runtime::gpu::device::Device;
use crate::runtime::submit::event::{Event, Status};
use crate::runtime::support::error::{ClError, ClResult};
use crate::vk::semaphore::{Semaphore as Shared, SemaphoreHandle};

/// A semaphore of Vulkan that can be exported as such a handle, of which the device must say so.
pub fn exportable(device: &Arc<Device>, handle: SemaphoreHandle) -> ClResult<Arc<Shared>> {
    Ok(Arc::new(Shared::exportable(&device.gpu()?.vk, handle)?))
}

/// A semaphore of a handle. Takes the descriptor over if it succeeds. INVALID_VALUE if the driver does not take it.
pub fn imported(device: &Arc<Device>, handle: SemaphoreHandle, fd: i32) -> ClResult<Arc<Shared>> {
    let made = Shared::imported(&device.gpu()?.vk, handle, fd);
    Ok(Arc::new(made.map_err(|_| ClError::INVALID_VALUE)?))
}

/// A semaphore.
#[derive(Default)]
pub struct Semaphore(Mutex<State>);

#[derive(Default)]
struct State {
    /// The command that signals it, which no wait has taken.
    signal: Option<Arc<Event>>,
    /// Of waits that no signal has ended yet.
    waits: VecDeque<Arc<Event>>,
}

impl Semaphore {
    /// What a command that waits for the semaphore waits for.
    pub fn wait(&self) -> Arc<Event> {
        let mut state = self.0.lock().unpoisoned();
        state.signal.take().unwrap_or_else(|| {
            let event = Event::user();
            state.waits.push_back(event.clone());
            event
        })
    }

    /// A command with this event signals the semaphore.
    pub fn signal(&self, event: &Arc<Event>) {
        let waiting = {
            let mut state = self.0.lock().unpoisoned();
            let waiting = state.waits.pop_front();
            if waiting.is_none() {
                state.signal = Some(event.clone());
            }
            waiting
        };
        if let Some(waiting) = waiting {
            let end = move |status| {
                let result = match status {
                    Status::Failed(error) => Err(error),
                    _ => Ok(()),
                };
                // Nobody else ends it.
                let _ = waiting.set_user_status(result);
            };
            event.on_status(Status::Complete, Box::new(end));
        }
    }

    /// Whether a signal has ended that no wait has taken.
    pub fn is_signalled(&self) -> bool {
        let signal = self.0.lock().unpoisoned().signal.clone();
        signal.is_some_and(|event| event.tell_status() == Status::Complete)
    }
}
