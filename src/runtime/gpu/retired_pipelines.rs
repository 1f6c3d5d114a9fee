//! Pipelines of kernels that are gone, which are kept for a while.
//!
//! NVIDIA's driver puts the code of a new pipeline where that of a destroyed one was, and the GPU may still have the old code in
//! its caches: a launch then computes with the local size of another kernel. Of those that are kept, nothing takes the place.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use crate::os::sync::Unpoisoned;
use crate::vk::pipeline::Pipeline;

/// The pipelines that are gone, the oldest first.
#[derive(Default)]
pub struct RetiredPipelines(Mutex<VecDeque<Arc<Pipeline>>>);

impl RetiredPipelines {
    /// Keeps pipelines until `most` others have come behind them.
    pub fn keep(&self, pipelines: impl Iterator<Item = Arc<Pipeline>>, most: usize) {
        let mut kept = self.0.lock().unpoisoned();
        kept.extend(pipelines);
        let over = kept.len().saturating_sub(most);
        let oldest: Vec<_> = kept.drain(..over).collect();
        // Drivers take their time to destroy them.
        drop(kept);
        drop(oldest);
    }
}
