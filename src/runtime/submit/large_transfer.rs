//! Transfers that are jobs. The host copies if it accesses the memory as fast as its own and nothing uses it. Otherwise the bytes
//! go in chunks through a few staging blocks, so that the host copies one while the device copies others.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use crate::compiler::parallel::processors;
use crate::os::exit::Promise;
use crate::os::memory::HostMemory;
use crate::runtime::gpu::staging::{Block, LARGE_BLOCK};
use crate::runtime::record::batch::Pieces;
use crate::runtime::submit::engine::Core;
use crate::runtime::submit::jobs::Order;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::threads;
use crate::runtime::transfer::host_transfer::Transfer;
use crate::runtime::transfer::route::Route;
use crate::runtime::transfer::spans::{Span, chunks};
use crate::runtime::transfer::staged::{empty_block, fill_block};

/// The most blocks in flight for each thread of a transfer.
const WINDOW: usize = 2;

/// Runs a transfer as a job.
pub fn run(core: &Arc<Core>, transfer: &Transfer, order: &Order) -> ClResult {
    match transfer.of_job(&core.device)? {
        Route::Host(memory) => {
            order.wait(core)?;
            let last_use = transfer
                .buffer
                .storage(&core.device)?
                .last_use(&core.progress);
            // A batch that could not be submitted has a later value and never uses the memory.
            core.wait(last_use.min(core.last()));
            transfer.copy_on_host(&core.device, memory)
        }
        _ => run_in_chunks(core, transfer, order),
    }
}

fn run_in_chunks(core: &Arc<Core>, transfer: &Transfer, order: &Order) -> ClResult {
    order.on_device(core)?;
    let chunks = chunks(&transfer.spans()?, LARGE_BLOCK)?;
    let helpers = helpers().min(chunks.len()) - 1;
    let shared = Arc::new((chunks, AtomicUsize::new(0)));
    let (done, results) = channel();
    let mut started = 0;
    for _ in 0..helpers {
        let (core, shared, done) = (core.clone(), shared.clone(), done.clone());
        let buffer = transfer.buffer.clone();
        let Transfer {
            buffer: _,
            buffer_at,
            host,
            host_at,
            extent,
            read,
        } = *transfer;
        let Some(promise) = Promise::new(false) else {
            break;
        };
        let work = move || {
            let transfer = Transfer {
                buffer: &buffer,
                buffer_at,
                host,
                host_at,
                extent,
                read,
            };
            let result = run_chunks(&core, &transfer, &shared.0, &shared.1);
            // The buffer is dropped before the command ends.
            drop(buffer);
            let _ = done.send(result);
        };
        started += usize::from(threads::start(promise.keep(work)).is_ok());
    }
    drop(done);
    let own = run_chunks(core, transfer, &shared.0, &shared.1);
    // Waits for all threads, also after a panic, which leaves no result.
    let results: Vec<ClResult> = results.iter().collect();
    match results.len() == started {
        true => results.into_iter().fold(own, Result::and),
        false => Err(ClError::OUT_OF_RESOURCES),
    }
}

/// Moves chunks until none is left. Several threads may do so at the same time.
fn run_chunks(
    core: &Arc<Core>,
    transfer: &Transfer,
    chunks: &[Vec<Span>],
    next: &AtomicUsize,
) -> ClResult {
    let gpu = core.gpu()?;
    let mut window: VecDeque<InFlight> = VecDeque::new();
    let drain = |chunk: InFlight| -> ClResult {
        core.wait(chunk.value);
        if core.is_lost() {
            return Err(ClError::OUT_OF_RESOURCES);
        }
        if transfer.read {
            empty_block(&chunk.block, &chunk.pieces, HostMemory::copy_from);
        }
        Ok(())
    };
    while let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
        if window.len() >= WINDOW
            && let Some(entry) = window.pop_front()
        {
            drain(entry)?;
        }
        let block = gpu.pool.take(LARGE_BLOCK)?;
        let pieces = transfer.pieces(chunk, 0)?;
        if !transfer.read {
            // The copy is slow, so it is done before the lock is taken.
            fill_block(&block, &pieces, HostMemory::copy_from);
        }
        let value = core.record_job(|recording, _| {
            transfer.record_chunk(recording, chunk, &block, 0)?;
            recording.batch()?.keep_block(&block);
            Ok(())
        })?;
        window.push_back(InFlight {
            value,
            block,
            pieces,
        });
    }
    window.into_iter().try_for_each(drain)
}

/// The number of threads of a large transfer. One core copies far slower than the bus.
fn helpers() -> usize {
    (processors() / 2).clamp(1, 4)
}

/// A chunk in flight, until batch `value` has completed.
struct InFlight {
    value: u64,
    block: Arc<Block>,
    pieces: Pieces,
}
