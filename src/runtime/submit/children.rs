//! A launch that enqueues kernels: a job that launches what its kernels have enqueued, in waves, until nothing is left
//! (docs/device_queues.md). A wave is what is ready when the wave before has ended.

use std::collections::HashMap;
use std::sync::Arc;
use std::task::{Wake, Waker};
use std::thread::{self, Thread};

use crate::os::time::monotonic_ns;
use crate::runtime::launch::device_queue::{Asks, Children, QueueMemory};
use crate::runtime::launch::dispatch::Launch;
use crate::runtime::record::recording::Recording;
use crate::runtime::submit::engine::Core;
use crate::runtime::submit::event::{Event, Times};
use crate::runtime::submit::jobs::Order;
use crate::runtime::submit::submission::{Attached, Timing};
use crate::runtime::support::error::{ClError, ClResult};

/// A command that kernels have enqueued, or the launch of the host, which is the first.
struct Node {
    parent: Option<usize>,
    /// What has not ended: itself and what it has enqueued.
    open: usize,
    /// The event of the device that it ends.
    event: Option<u32>,
    result: ClResult,
    /// Has its times when it has ended.
    timed: Option<Arc<Event>>,
    start: u64,
    end: u64,
}

/// A command that waits for events, or for its turn.
struct Pending {
    node: usize,
    waits: Vec<u32>,
    /// `None`: a marker.
    launch: Option<Box<Launch>>,
}

/// All that came of one launch.
struct Family {
    memory: QueueMemory,
    children: Arc<Children>,
    nodes: Vec<Node>,
    pending: Vec<Pending>,
    /// Launches that copy the times of an event when it has ended.
    captures: Vec<(u32, Pending)>,
    /// Those whose event has ended, before anything else that waits for it.
    due: Vec<Pending>,
    /// By event: the commands that wait for it or end it.
    needs: HashMap<u32, usize>,
}

/// The most launches of a batch: more would keep the device waiting for the host.
const LAUNCHES: usize = 1024;
/// The most of them that are timed: a batch has few timestamps.
const TIMED: usize = 128;

/// Runs a launch and all that it enqueues.
pub fn run(core: &Arc<Core>, launch: &mut Launch, order: &Order) -> ClResult<Times> {
    let children = launch.children().ok_or(ClError::OUT_OF_RESOURCES)?;
    order.on_device(core)?;
    let mut family = Family {
        memory: QueueMemory::new(core.gpu()?, &children)?,
        children,
        nodes: Vec::new(),
        pending: Vec::new(),
        captures: Vec::new(),
        due: Vec::new(),
        needs: HashMap::new(),
    };
    family.add(None, None);
    launch.enqueues_to(family.memory.address(), 0);
    // The launch itself is reported by its own event.
    let times = core.device.facts().profiling;
    family.nodes[0].timed = times.then(|| Event::of(core, None, None));
    family.nodes[0].start = monotonic_ns();
    let timed = family.nodes[0].timed.clone();
    let first = core.record_job(|recording, attached| {
        family.memory.keep_for(recording)?;
        record_timed(recording, attached, timed.as_ref(), |r| launch.record(r))
    })?;
    wait(core, first)?;
    family.collect()?;
    family.ended(0);
    loop {
        family.settle();
        if family.nodes[0].open == 0 {
            break;
        }
        let due = std::mem::take(&mut family.due);
        let ready = match due.is_empty() {
            true => family.take_ready(),
            false => due,
        };
        if ready.is_empty() {
            // Only user events can be missing, and no kernel runs that could set them.
            tracing::error!("kernels were enqueued behind user events that nothing sets");
            return Err(ClError::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        }
        family.run_wave(core, launch, ready)?;
    }
    let root = &family.nodes[0];
    root.result?;
    Ok(Times {
        start: root.start,
        end: root.end,
        complete: root.end.max(monotonic_ns()),
    })
}

/// Waits for a batch and ends it.
fn wait(core: &Arc<Core>, value: u64) -> ClResult {
    core.wait(value);
    core.retire();
    match core.is_lost() {
        true => Err(ClError::OUT_OF_RESOURCES),
        false => core.check_faults(),
    }
}

/// An event that gets the times of a launch, if somebody wants them: kernels (`asked`), log, trace or profile.
fn timed(core: &Arc<Core>, launch: &Launch, asked: bool) -> Option<Arc<Event>> {
    let name = core.watched.then(|| launch.name());
    let profiled = core.profiled.then(|| launch.profiled()).flatten();
    let wanted = asked || name.is_some() || profiled.is_some();
    wanted.then(|| Event::of(core, name, profiled))
}

/// Records with timestamps before and behind, which an event gets.
fn record_timed(
    recording: &mut Recording,
    attached: &mut Attached,
    timed: Option<&Arc<Event>>,
    record: impl FnOnce(&mut Recording) -> ClResult,
) -> ClResult {
    // The batch may have been begun by others.
    let Some(event) = timed.filter(|_| recording.can_time()) else {
        return record(recording);
    };
    let first = recording.timestamp(None)?;
    record(recording)?;
    recording.timestamp(Some(first))?;
    event.recorded(recording.value, false);
    attached
        .events
        .push((event.clone(), Timing::Queries(first)));
    Ok(())
}

impl Family {
    fn add(&mut self, parent: Option<usize>, event: Option<u32>) -> usize {
        if let Some(parent) = parent {
            self.nodes[parent].open += 1;
        }
        if let Some(event) = event {
            *self.needs.entry(event).or_default() += 1;
        }
        self.nodes.push(Node {
            parent,
            open: 1,
            event,
            result: Ok(()),
            timed: None,
            start: 0,
            end: 0,
        });
        self.nodes.len() - 1
    }

    /// Takes over what kernels have enqueued.
    fn collect(&mut self) -> ClResult {
        for record in self.memory.take_records()? {
            let parent = (record.parent as usize).min(self.nodes.len() - 1);
            let (ends, block) = match record.asks {
                Asks::Kernel(block) => (record.event, Some(block)),
                Asks::Marker => (record.event, None),
                Asks::Times { kernel, to } => {
                    let event = record.event.unwrap_or_default();
                    (None, Some(self.memory.times_of(event, kernel, to)))
                }
            };
            let node = self.add(Some(parent), ends);
            let launch = block.map_or(Ok(None), |block| (self.children.make)(&block));
            let launch = launch.unwrap_or_else(|error| {
                tracing::error!(%error, "what a kernel has enqueued cannot be launched");
                self.nodes[node].result = Err(error);
                None
            });
            for &event in &record.waits {
                *self.needs.entry(event).or_default() += 1;
            }
            let waits = record.waits.to_vec();
            let pending = Pending {
                node,
                waits,
                launch,
            };
            match record.event {
                Some(event) if ends.is_none() => self.captures.push((event, pending)),
                _ => self.pending.push(pending),
            }
        }
        Ok(())
    }

    /// Ends all that has nothing to run and nothing to wait for, and gives times to whoever wants them.
    fn settle(&mut self) {
        loop {
            let memory = &self.memory;
            let is_over = |p: &Pending| {
                let all = p.waits.iter().all(|&e| memory.event_result(e).is_some());
                let failed = p
                    .waits
                    .iter()
                    .any(|&e| matches!(memory.event_result(e), Some(Err(_))));
                all && (p.launch.is_none() || failed)
            };
            let pending = std::mem::take(&mut self.pending);
            let (over, rest): (Vec<_>, Vec<_>) = pending.into_iter().partition(is_over);
            self.pending = rest;
            if over.is_empty() {
                break;
            }
            for one in over {
                let mut events = one.waits.iter();
                let failed = events.any(|&e| matches!(self.memory.event_result(e), Some(Err(_))));
                let node = &mut self.nodes[one.node];
                if failed && node.result.is_ok() {
                    node.result = Err(ClError::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
                }
                let now = monotonic_ns();
                (node.start, node.end) = (now, now);
                self.no_longer_waits(&one.waits);
                self.close(one.node);
            }
        }
        let needs = &self.needs;
        let captures = &self.captures;
        self.memory.free_events(|event| {
            needs.get(&event).is_some_and(|n| *n > 0) || captures.iter().any(|c| c.0 == event)
        });
    }

    fn no_longer_waits(&mut self, events: &[u32]) {
        for event in events {
            self.no_longer_needs(*event);
        }
    }

    fn no_longer_needs(&mut self, event: u32) {
        if let Some(count) = self.needs.get_mut(&event) {
            *count -= 1;
            if *count == 0 {
                self.needs.remove(&event);
            }
        }
    }

    /// A launch has ended: its times are known.
    fn ended(&mut self, node: usize) {
        let now = monotonic_ns();
        let one = &mut self.nodes[node];
        one.end = now;
        if let Some(event) = one.timed.take()
            && let Some((start, end)) = event.times()
        {
            (one.start, one.end) = (start, end);
        }
        self.close(node);
    }

    /// One of the things that a command has open has ended. If it was the last, so has the command.
    fn close(&mut self, node: usize) {
        let mut next = Some(node);
        while let Some(index) = next {
            let node = &mut self.nodes[index];
            node.open -= 1;
            if node.open > 0 {
                return;
            }
            let (result, parent, event) = (node.result, node.parent, node.event);
            if let Some(event) = event {
                let complete = monotonic_ns().max(node.end);
                let times = [node.end - node.start, complete - node.start].map(|ns| ns.max(1));
                self.memory.end_event(event, result, times);
                let wanted = self.captures.extract_if(.., |c| c.0 == event);
                self.due.extend(wanted.map(|(_, copy)| copy));
                self.no_longer_needs(event);
            }
            if let (Some(parent), Err(error)) = (parent, result) {
                let parent = &mut self.nodes[parent];
                parent.result = parent.result.and(Err(error));
            }
            next = parent;
        }
    }

    /// The launches whose events have all completed.
    fn take_ready(&mut self) -> Vec<Pending> {
        let memory = &self.memory;
        let ready = |p: &mut Pending| p.waits.iter().all(|&e| memory.event_result(e).is_some());
        self.pending.extract_if(.., ready).collect()
    }

    /// Runs launches that do not wait for one another.
    fn run_wave(
        &mut self,
        core: &Arc<Core>,
        root: &mut Launch,
        mut ready: Vec<Pending>,
    ) -> ClResult {
        let can_time = core.device.facts().profiling;
        for one in &mut ready {
            if let Some(launch) = &mut one.launch {
                launch.enqueues_to(self.memory.address(), one.node as u32);
                wait_for_pipelines(launch);
            }
            let node = &mut self.nodes[one.node];
            node.timed = match &one.launch {
                Some(launch) if can_time => timed(core, launch, node.event.is_some()),
                _ => None,
            };
        }
        let mut last = None;
        let mut rest = &mut ready[..];
        while !rest.is_empty() {
            let (mut count, mut timed) = (0, 0);
            while count < rest.len().min(LAUNCHES) && timed < TIMED {
                timed += usize::from(self.nodes[rest[count].node].timed.is_some());
                count += 1;
            }
            let now;
            (now, rest) = rest.split_at_mut(count);
            let (memory, nodes) = (&self.memory, &mut self.nodes);
            let value = core.record_job(|recording, attached| {
                memory.keep_for(recording)?;
                // The first batch waits for the wave before.
                if last.is_none() {
                    recording.force_barrier();
                }
                root.touch(recording)?;
                recording.ordered_as(true, |recording| {
                    for one in now.iter_mut() {
                        let Some(launch) = &mut one.launch else {
                            continue;
                        };
                        let node = &mut nodes[one.node];
                        node.start = monotonic_ns();
                        let timed = node.timed.as_ref();
                        record_timed(recording, attached, timed, |r| launch.record_beside(r))?;
                    }
                    Ok(())
                })
            })?;
            last = Some(value);
        }
        if let Some(value) = last {
            wait(core, value)?;
        }
        self.collect()?;
        for one in ready {
            self.no_longer_waits(&one.waits);
            self.ended(one.node);
        }
        Ok(())
    }
}

/// Wakes a thread that waits for pipelines.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn wait_for_pipelines(launch: &Launch) {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    while !launch.is_ready(|| waker.clone()) {
        thread::park();
    }
}
