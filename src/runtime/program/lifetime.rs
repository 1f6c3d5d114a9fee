//! The life of a program's variables on a device: initialisers run before the program's first kernel, finalisers when nothing can
//! use the variables any more.
//!
//! Both go to a queue of their own, so that the first kernel, in whatever queue it is, waits for its initialisers by their event and
//! for nothing else. Kernel objects, builds and launches hold a [`Lifetime`]. Its end starts the finalisers on the thread for ends of
//! objects, for which callers that release objects or wait for commands wait, too.

use std::sync::{Arc, Mutex};

use crate::compiler::kernel::Role;
use crate::os::sync::Unpoisoned;
use crate::runtime::command::Command;
use crate::runtime::context::Context;
use crate::runtime::launch::plan::NdRange;
use crate::runtime::program::Code;
use crate::runtime::program::kernel::launch;
use crate::runtime::submit::event::{Event, Status};
use crate::runtime::submit::queue::{Completion, Queue, QueueProperties};
use crate::runtime::support::callback::{Callbacks, ENDS};
use crate::runtime::support::error::ClResult;

#[derive(Default)]
pub struct Lifetime(Mutex<Option<Begun>>);

struct Begun {
    code: Arc<Code>,
    context: Arc<Context>,
    queue: Arc<Queue>,
    initialized: Option<Arc<Event>>,
    /// The program's callbacks come behind its finalisers.
    released: Arc<Callbacks>,
}

impl Lifetime {
    /// Starts the initialisers, if that has not been done. What a kernel has to wait for, until they have ended well.
    pub fn begin(
        &self,
        code: &Arc<Code>,
        context: &Arc<Context>,
        released: &Arc<Callbacks>,
    ) -> ClResult<Option<Arc<Event>>> {
        let mut begun = self.0.lock().unpoisoned();
        let begun = match &mut *begun {
            Some(begun) => begun,
            none => {
                let owner = context.clone();
                let mut new = Begun {
                    code: code.clone(),
                    context: context.clone(),
                    queue: Queue::with_owner(&code.device, QueueProperties::default(), owner)?,
                    initialized: None,
                    released: released.clone(),
                };
                new.initialized = new.run(Role::Initializer)?;
                new.queue.flush()?;
                none.insert(new)
            }
        };
        let done = begun.initialized.as_ref().map(|event| event.status());
        if done == Some(Status::Complete) {
            begun.initialized = None;
        }
        Ok(begun.initialized.clone())
    }
}

impl Drop for Lifetime {
    fn drop(&mut self) {
        let Some(begun) = self.0.get_mut().unpoisoned().take() else {
            return;
        };
        ENDS.run(Box::new(move || {
            let ended = begun.run(Role::Finalizer);
            let events: Vec<Arc<Event>> = ended.iter().flatten().cloned().collect();
            if let Err(error) = ended.map(drop).and_then(|()| Event::wait_all(&events)) {
                let text = format!("a finalizer of a program did not run: {error:?}");
                begun.context.report(&text);
            }
            if let Some(callbacks) = Arc::into_inner(begun.released) {
                callbacks.call();
            }
        }));
    }
}

impl Begun {
    /// Enqueues the kernels of a role. The event of the last, if there are any.
    fn run(&self, role: Role) -> ClResult<Option<Arc<Event>>> {
        let roles = self.code.kernels.iter().map(|k| Some(k.attributes.role));
        let mut last = None;
        for place in role.places(roles) {
            let kernel = self.code.kernel(place)?;
            let launch = launch(
                &self.context,
                &self.code,
                &kernel,
                &[][..],
                &NdRange::SINGLE,
            )?;
            let command = Command::NdRange(launch);
            let waits = Vec::from_iter(last);
            last = self.queue.enqueue(command, waits, Completion::Event)?;
        }
        Ok(last)
    }
}
