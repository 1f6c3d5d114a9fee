//! Creation of pipelines, on threads of their own, because drivers take up to seconds for one. (On an H100, 16 kernels of
//! 30 lines with transcendental functions take 320 ms each one by one, and 38 ms each on 16 threads.) A queue holds a launch
//! back until its pipelines exist, so that the application can go on and enqueue other kernels, whose pipelines are created
//! meanwhile.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::task::Waker;
use std::time::{Duration, Instant};

use smallvec::SmallVec;

use crate::compiler::parallel::processors;
use crate::os::exit::Promise;
use crate::os::sync::Unpoisoned;
use crate::runtime::support::{progress, threads};
use crate::vk::pipeline::Pipeline;

/// Specialization constants that arguments determine, with their values: lengths of local arguments, formats of images, bits
/// of samplers.
pub type Constants = SmallVec<[(u32, u32); 2]>;

/// What a pipeline is specialised for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    pub local: [u32; 3],
    pub enqueued: [u32; 3],
    pub constants: Constants,
    /// The pipeline is dispatched with a base group.
    pub base: bool,
    /// Work-items beyond the global size return.
    pub guarded: bool,
}

/// A pipeline whose creation takes longer is worth going without ([`Specialised::was_slow`]). Where it takes less, applications that
/// measure local sizes shall measure those that they ask for.
const SLOW: Duration = Duration::from_secs(2);

/// A pipeline that exists or is being created.
pub struct Specialised {
    pub variant: Variant,
    pipeline: OnceLock<Arc<Pipeline>>,
    slow: AtomicBool,
    making: Mutex<Making>,
}

#[derive(Default)]
struct Making {
    /// Creation has ended, even if it failed.
    ended: bool,
    /// Queues with launches that wait for it.
    waiting: Vec<Waker>,
}

impl Specialised {
    pub fn new(variant: Variant) -> Arc<Specialised> {
        Arc::new(Specialised {
            variant,
            pipeline: OnceLock::new(),
            slow: AtomicBool::new(false),
            making: Mutex::default(),
        })
    }

    fn making(&self) -> MutexGuard<'_, Making> {
        self.making.lock().unpoisoned()
    }

    /// The pipeline, if it has been made.
    pub fn get(&self) -> Option<&Arc<Pipeline>> {
        self.pipeline.get()
    }

    /// Whether it exists and took long to create, as its like for other local sizes will.
    pub fn was_slow(&self) -> bool {
        self.get().is_some() && self.slow.load(Ordering::Relaxed)
    }

    #[cfg(test)]
    pub fn pretend_slow(&self) {
        self.slow.store(true, Ordering::Relaxed);
    }

    /// Stores a pipeline, unless another thread has stored one: batches rely on the stored one.
    pub fn set(&self, pipeline: Arc<Pipeline>) -> &Arc<Pipeline> {
        self.pipeline.get_or_init(|| pipeline)
    }

    /// Whether making it has ended. If not, `waker` is woken when it has.
    pub fn has_ended(&self, waker: &impl Fn() -> Waker) -> bool {
        if self.get().is_some() {
            return true;
        }
        let mut making = self.making();
        if !making.ended {
            let waker = waker();
            if !making.waiting.iter().any(|known| known.will_wake(&waker)) {
                making.waiting.push(waker);
            }
        }
        making.ended
    }

    /// Calls `make` on another thread, if there are not too many. `make` sets the pipeline unless it fails.
    pub fn begin(self: &Arc<Self>, make: impl FnOnce(&Specialised) + Clone + Send + 'static) {
        if !in_background({
            let (this, make) = (self.clone(), make.clone());
            move |promise: &mut Promise| this.run(make, promise)
        }) {
            self.run(make, &mut Promise::here());
        }
    }

    fn run(&self, make: impl FnOnce(&Specialised), promise: &mut Promise) {
        let start = Instant::now();
        let building = progress::begin();
        make(self);
        drop(building);
        // Queues that wait may be kept from going on by threads that use them, which exit stops only later.
        promise.shorten();
        self.slow.store(start.elapsed() > SLOW, Ordering::Relaxed);
        let waiting = {
            let mut making = self.making();
            making.ended = true;
            std::mem::take(&mut making.waiting)
        };
        waiting.into_iter().for_each(Waker::wake);
    }
}

/// Threads that create pipelines. There are at most as many as processors.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// Starts a thread for `work`. Returns false if there are too many already.
fn in_background(work: impl FnOnce(&mut Promise) + Send + 'static) -> bool {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            THREADS.fetch_sub(1, Ordering::Relaxed);
        }
    }
    if THREADS.fetch_add(1, Ordering::Relaxed) >= processors() {
        drop(Leave);
        return false;
    }
    let leave = Leave;
    let Some(mut promise) = Promise::new(true) else {
        return false;
    };
    let work = move || {
        let _leave = leave;
        work(&mut promise);
    };
    threads::start(work).is_ok()
}
