//! The commands of a command buffer, in parts: each is enqueued as one command to a queue.
//!
//! With one queue there is one part. With several, a queue's commands go to its open part as long as they wait for no other
//! part than that does; what another part waits for is closed. So a part waits for whole parts, all before it in the list: by
//! events when they are enqueued, which is how queues and devices wait for one another elsewhere, too.

use std::sync::Arc;

use smallvec::SmallVec;

use super::Command;
use super::sequence::Sequence;
use crate::runtime::gpu::device::Device;
use crate::runtime::support::error::{ClError, ClResult};

/// The place of a command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    part: usize,
    step: usize,
}

/// Commands of one queue.
#[derive(Clone)]
pub struct Part {
    /// By its number among the queues of the command buffer.
    pub queue: usize,
    pub sequence: Arc<Sequence>,
    /// The parts that must have ended before.
    pub after: Vec<usize>,
    open: bool,
}

/// What a sync point or a barrier stands for: the places of commands.
type Point = SmallVec<[Place; 1]>;

#[derive(Clone, Default)]
pub struct Parts {
    parts: Vec<Part>,
    /// Of each queue, whether its commands are in order.
    queues: Vec<bool>,
    /// By number, from 1: the commands that have ended when the sync point has.
    sync_points: Vec<Point>,
    /// The commands before the last barrier, for which all behind it wait: of parts that nothing waits for.
    barrier: Point,
}

impl Parts {
    /// `in_order`: for each queue, whether each of its commands waits for the one before it.
    pub fn new(in_order: Vec<bool>) -> Parts {
        Parts {
            queues: in_order,
            ..Parts::default()
        }
    }

    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Adds a command of a queue that waits for sync points. Returns its place and its own sync point.
    /// INVALID_SYNC_POINT_WAIT_LIST_KHR if one of them is not the command buffer's; INVALID_OPERATION if the host has a part in
    /// the command.
    pub fn add(&mut self, queue: usize, command: Command, waits: &[u32]) -> ClResult<(Place, u32)> {
        let mut waits = self.resolve(waits)?;
        Sequence::check(&command)?;
        waits.extend(self.barrier.iter().copied());
        let part = self.part_for(queue, &waits);
        let own = |place: &&Place| place.part == part;
        let after = waits.iter().filter(own).map(|place| place.step).max();
        let step = Arc::make_mut(&mut self.parts[part].sequence).add(command, after);
        let place = Place { part, step };
        let sync_point = self.sync_point(SmallVec::from_elem(place, 1))?;
        Ok((place, sync_point))
    }

    /// Adds a barrier: all commands behind it, of all queues, wait for all before it, whatever its wait list.
    pub fn add_barrier(&mut self, waits: &[u32]) -> ClResult<u32> {
        self.resolve(waits)?;
        let ends = |at: usize| !self.parts.iter().any(|part| part.after.contains(&at));
        let last = |at: usize| {
            let step = self.parts[at].sequence.last()?;
            Some(Place { part: at, step })
        };
        let barrier: Point = (0..self.parts.len())
            .filter(|&at| ends(at))
            .filter_map(last)
            .collect();
        self.barrier = barrier.clone();
        self.sync_point(barrier)
    }

    fn sync_point(&mut self, point: Point) -> ClResult<u32> {
        self.sync_points.push(point);
        u32::try_from(self.sync_points.len()).map_err(|_| ClError::OUT_OF_RESOURCES)
    }

    /// What some sync points stand for.
    fn resolve(&self, waits: &[u32]) -> ClResult<Point> {
        let mut places = Point::new();
        for &wait in waits {
            let point = (wait as usize).checked_sub(1);
            let point = point.and_then(|i| self.sync_points.get(i));
            places.extend_from_slice(point.ok_or(ClError::INVALID_SYNC_POINT_WAIT_LIST_KHR)?);
        }
        Ok(places)
    }

    /// The part for a command of a queue that waits for these places.
    fn part_for(&mut self, queue: usize, waits: &[Place]) -> usize {
        let last = self.parts.iter().rposition(|part| part.queue == queue);
        if let Some(last) = last
            && self.parts[last].open
            && (waits.iter())
                .all(|place| place.part == last || self.parts[last].after.contains(&place.part))
        {
            return last;
        }
        let in_order = self.queues[queue];
        let mut after: Vec<usize> = waits.iter().map(|place| place.part).collect();
        after.extend(last.filter(|_| in_order));
        after.sort_unstable();
        after.dedup();
        for part in after.iter().copied().chain(last) {
            self.parts[part].open = false;
        }
        self.parts.push(Part {
            queue,
            sequence: Arc::new(Sequence::new(in_order)),
            after,
            open: true,
        });
        self.parts.len() - 1
    }

    /// Nothing more is added, so sync points are not needed.
    pub fn finish(&mut self) {
        self.sync_points = Vec::new();
    }

    /// Replaces a command. Returns the old one: it may be the last to hold a buffer, which must not end under a lock.
    pub fn replace(&mut self, place: Place, command: Command) -> Option<Arc<Command>> {
        let part = self.parts.get_mut(place.part)?;
        Arc::make_mut(&mut part.sequence).replace(place.step, command)
    }

    /// The queue of a command.
    pub fn queue_of(&self, place: Place) -> usize {
        self.parts.get(place.part).map_or(0, |part| part.queue)
    }

    /// Whether another device can run the copies and fills of a queue. MISALIGNED_SUB_BUFFER_OFFSET; errors of memory.
    pub fn check_for(&self, queue: usize, device: &Arc<Device>) -> ClResult {
        let mut own = self.parts.iter().filter(|part| part.queue == queue);
        own.try_for_each(|part| part.sequence.check_for(device))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts as their queues and what they wait for.
    fn shape(parts: &Parts) -> Vec<(usize, Vec<usize>)> {
        let one = |part: &Part| (part.queue, part.after.clone());
        parts.parts().iter().map(one).collect()
    }

    fn add(parts: &mut Parts, queue: usize, waits: &[u32]) -> u32 {
        parts.add(queue, Command::Marker, waits).unwrap().1
    }

    #[test]
    fn one_queue_is_one_part() {
        let mut parts = Parts::new(vec![false]);
        let first = add(&mut parts, 0, &[]);
        add(&mut parts, 0, &[first]);
        parts.add_barrier(&[]).unwrap();
        add(&mut parts, 0, &[]);
        assert_eq!(shape(&parts), [(0, vec![])]);
    }

    #[test]
    fn parts_wait_for_parts_before_them() {
        let mut parts = Parts::new(vec![true, false]);
        let a = add(&mut parts, 0, &[]);
        let b = add(&mut parts, 1, &[]);
        add(&mut parts, 0, &[]);
        let c = add(&mut parts, 1, &[a, b]);
        // The second part of queue 1 waits for both first ones; what follows there waits for no more.
        add(&mut parts, 1, &[a]);
        // The part of queue 0 is closed, and its commands are in order.
        let d = add(&mut parts, 0, &[]);
        add(&mut parts, 0, &[c]);
        let both = [(0, vec![]), (1, vec![]), (1, vec![0, 1])];
        assert_eq!(
            shape(&parts),
            [&both[..], &[(0, vec![0]), (0, vec![2, 3])]].concat()
        );
        let barrier = parts.add_barrier(&[d]).unwrap();
        add(&mut parts, 1, &[]);
        add(&mut parts, 0, &[barrier]);
        assert_eq!(shape(&parts)[5..], [(1, vec![4]), (0, vec![4])]);
        let unknown = parts.add(0, Command::Marker, &[99]).err();
        assert_eq!(unknown, Some(ClError::INVALID_SYNC_POINT_WAIT_LIST_KHR));
        let host = parts.add(0, Command::Barrier, &[]).err();
        assert_eq!(host, Some(ClError::INVALID_OPERATION));
    }
}
