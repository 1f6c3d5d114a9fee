//! Waiting for the commands that use memory which is being freed.

use std::sync::Arc;

use crate::runtime::gpu::device::Device;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::submit::engine::{Core, Held};
use crate::runtime::submit::retire::queues;

/// Returns when what was enqueued on queues of `devices` and may use the buffer has ended.
pub fn wait_for(buffer: &Buffer, devices: &[Arc<Device>]) {
    for core in queues() {
        if devices
            .iter()
            .any(|device| Arc::ptr_eq(device, &core.device))
        {
            core.wait_for_users(buffer);
        }
    }
}

impl Core {
    fn wait_for_users(self: &Arc<Self>, buffer: &Buffer) {
        // The command of a job is not here any more: it counts as a user.
        let uses = |held: &Held| held.command.as_ref().is_none_or(|c| c.uses(buffer));
        drop(self.wait_for_held(uses));
        let Ok(storage) = buffer.storage(&self.device) else {
            return;
        };
        let last = storage.last_use(&self.progress);
        if last > 0 {
            // A batch that could not be submitted has a later value and never uses the memory.
            self.wait(last.min(self.last()));
            self.retire();
        }
    }
}
