//! From the records of processes to what is told: sums of kernels and transfers, the device's idle time, the timeline.

use std::collections::{BTreeMap, HashMap};

use caldera::runtime::support::profile::format::{Class, Record, Span};

/// All that is told. Times are nanoseconds.
#[derive(Default)]
pub struct Profile {
    pub processes: Vec<String>,
    /// From the first process' start to the end, or the last record.
    pub wall: u64,
    pub kernels: Vec<Work>,
    pub transfers: Vec<Work>,
    pub others: Vec<Work>,
    pub devices: Vec<Device>,
    /// Programs that were compiled, and that the cache had.
    pub compiled: Sum,
    pub cached: Sum,
    pub pipelines: Sum,
    /// Calls in which the host waited.
    pub waits: Sum,
    pub rows: Vec<Row>,
}

#[derive(Default, Clone, Copy)]
pub struct Sum {
    pub count: u64,
    pub ns: u64,
}

impl Sum {
    fn add(&mut self, ns: u64) {
        self.count += 1;
        self.ns += ns;
    }
}

/// A kernel on a device, or a kind of other commands.
#[derive(Default)]
pub struct Work {
    pub name: String,
    pub device: String,
    pub calls: u64,
    pub timed: u64,
    /// Of those that were timed.
    timed_ns: u64,
    pub bytes: u64,
    pub least: u64,
    pub most: u64,
    /// Work-group sizes, with how many timed launches had them, the most frequent first.
    pub locals: Vec<([u32; 3], u64)>,
    /// Work-items of timed launches.
    pub items: u64,
    pub pipelines: Sum,
    /// What the driver tells of its pipelines: the largest value of each name.
    pub statistics: Vec<(String, f64)>,
}

impl Work {
    pub fn mean(&self) -> u64 {
        self.timed_ns.checked_div(self.timed).unwrap_or(0)
    }

    /// Of all calls: what was timed, as far as all were.
    pub fn total(&self) -> u64 {
        match self.is_exact() {
            true => self.timed_ns,
            false => (self.timed_ns as f64 / self.timed as f64 * self.calls as f64) as u64,
        }
    }

    /// All calls were timed, but for those that had not ended.
    pub fn is_exact(&self) -> bool {
        self.timed == 0 || self.calls - self.timed.min(self.calls) <= self.calls / 100
    }

    fn statistic(&self, words: &[&str], without: &str) -> Option<f64> {
        let is = |name: &str, word: &str| {
            let name = name.to_lowercase();
            name.contains(word) && (without.is_empty() || !name.contains(without))
        };
        let of = |word: &&str| self.statistics.iter().find(|(name, _)| is(name, word));
        words.iter().find_map(of).map(|(_, value)| *value)
    }

    /// Registers of a work-item, as drivers call them.
    pub fn registers(&self) -> Option<f64> {
        self.statistic(&["vgprs", "gprs", "register"], "spill")
    }

    pub fn spills(&self) -> Option<f64> {
        self.statistic(&["spilled vgprs", "spill"], "")
    }
}

/// A device's time from its first command to its last.
#[derive(Default)]
pub struct Device {
    pub name: String,
    pub commands: u64,
    pub span: u64,
    pub busy: u64,
    /// The parts of idle time: nothing was enqueued; commands were enqueued and not submitted; submitted and not begun.
    /// `None` where not all commands were timed.
    pub idle: Option<[u64; 3]>,
}

impl Device {
    pub fn idle_total(&self) -> u64 {
        self.span.saturating_sub(self.busy)
    }
}

/// A row of the timeline.
pub struct Row {
    pub name: String,
    pub class: &'static str,
    pub slices: Vec<Slice>,
}

pub struct Slice {
    pub name: String,
    pub class: Class,
    /// From the start of the first process.
    pub start: u64,
    pub ns: u64,
    /// From enqueueing to submission, and to the start.
    pub waited: [u64; 2],
    pub local: [u32; 3],
    pub amount: u64,
}

/// Commands of one device: queued, submit, start, end.
type Times = [u64; 4];

/// `files`: the records of each process; `end`: when the application ended, if later than all.
pub fn analyse(files: &[Vec<Record>], end: u64) -> Profile {
    let mut profile = Profile::default();
    let mut works: BTreeMap<(u8, String, String), Work> = BTreeMap::new();
    let mut devices: BTreeMap<String, Vec<Times>> = BTreeMap::new();
    let starts = files.iter().flatten().filter_map(|record| match record {
        Record::Process { start, .. } => Some(*start),
        _ => None,
    });
    let base = starts.min().unwrap_or(0);
    let mut last = end;
    for records in files {
        let mut one = Process::new(records, base, files.len() > 1);
        for record in records {
            last = last.max(one.add(record, &mut profile, &mut works, &mut devices));
        }
        profile.rows.extend(one.rows.into_values());
    }
    profile.rows.retain(|row| !row.slices.is_empty());
    for row in &mut profile.rows {
        row.slices.sort_by_key(|slice| slice.start);
    }
    profile.wall = last.saturating_sub(base);
    for ((class, ..), mut work) in works {
        work.locals
            .sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        match class {
            0 => profile.kernels.push(work),
            1 => profile.transfers.push(work),
            _ => profile.others.push(work),
        }
    }
    for list in [
        &mut profile.kernels,
        &mut profile.transfers,
        &mut profile.others,
    ] {
        // Of a kernel that was compiled and never launched there is no time.
        list.retain(|work| work.calls > 0);
        list.sort_by_key(|work| std::cmp::Reverse(work.total()));
    }
    for (name, times) in devices {
        profile.devices.push(device(name, times, &profile));
    }
    profile
}

/// What is known of one process while its records are read.
struct Process<'a> {
    texts: HashMap<u32, &'a str>,
    /// Class, name and device of keys.
    keys: HashMap<u32, (Class, u32, u32)>,
    /// Names of kernels by the numbers of pipelines.
    pipelines: HashMap<u32, u32>,
    rows: BTreeMap<(u8, u32), Row>,
    base: u64,
    label: String,
}

impl<'a> Process<'a> {
    fn new(records: &'a [Record], base: u64, several: bool) -> Process<'a> {
        let mut process = Process {
            texts: HashMap::new(),
            keys: HashMap::new(),
            pipelines: HashMap::new(),
            rows: BTreeMap::new(),
            base,
            label: String::new(),
        };
        for record in records {
            match record {
                Record::Text { number, text } => {
                    process.texts.insert(*number, text);
                }
                Record::Key {
                    number,
                    class,
                    name,
                    device,
                    ..
                } => {
                    process.keys.insert(*number, (*class, *name, *device));
                }
                Record::Process { id, .. } if several => process.label = format!(" of {id}"),
                _ => {}
            }
        }
        process
    }

    fn text(&self, number: u32) -> String {
        self.texts.get(&number).map_or("?", |text| text).to_string()
    }

    fn row(&mut self, key: (u8, u32), name: &str, class: &'static str) -> &mut Row {
        let name = format!("{name}{}", self.label);
        self.rows.entry(key).or_insert_with(|| Row {
            name,
            class,
            slices: Vec::new(),
        })
    }

    /// Adds a record. The time at which it ends, 0 if it has none.
    fn add(
        &mut self,
        record: &Record,
        profile: &mut Profile,
        works: &mut BTreeMap<(u8, String, String), Work>,
        devices: &mut BTreeMap<String, Vec<Times>>,
    ) -> u64 {
        match *record {
            Record::Process { id, name, .. } => {
                profile
                    .processes
                    .push(format!("{} ({id})", self.text(name)));
                0
            }
            Record::Queue { number, device, .. } => {
                let name = format!("queue {number}, {}", self.text(device));
                self.row((1, number), &name, "queue");
                0
            }
            Record::Key {
                class: Class::Wait,
                calls,
                ns,
                ..
            } => {
                profile.waits.count += calls;
                profile.waits.ns += ns;
                0
            }
            Record::Key {
                class,
                name,
                device,
                calls,
                timed,
                ns,
                amount,
                ..
            } => {
                let work = self.work(works, class, name, device);
                work.calls += calls;
                work.timed += timed;
                work.timed_ns += ns;
                work.bytes += amount;
                0
            }
            Record::Command {
                queue,
                key,
                queued,
                submit,
                start,
                end,
                local,
                amount,
            } => {
                let Some(&(class, name, device)) = self.keys.get(&key) else {
                    return 0;
                };
                let ns = end.saturating_sub(start);
                let work = self.work(works, class, name, device);
                work.least = if work.most == 0 {
                    ns
                } else {
                    work.least.min(ns)
                };
                work.most = work.most.max(ns);
                if class == Class::Kernel {
                    work.items += amount;
                    match work.locals.iter_mut().find(|(size, _)| *size == local) {
                        Some((_, count)) => *count += 1,
                        None => work.locals.push((local, 1)),
                    }
                }
                let slice = Slice {
                    name: self.text(name),
                    class,
                    start: start.saturating_sub(self.base),
                    ns,
                    waited: [submit.saturating_sub(queued), start.saturating_sub(submit)],
                    local,
                    amount,
                };
                let device = self.text(device);
                self.row((1, queue), "queue", "queue").slices.push(slice);
                devices
                    .entry(device)
                    .or_default()
                    .push([queued, submit, start, end]);
                end
            }
            Record::Span {
                what,
                name,
                start,
                end,
                local,
                number,
            } => {
                let ns = end.saturating_sub(start);
                match what {
                    Span::Compiled => profile.compiled.add(ns),
                    Span::Cached => profile.cached.add(ns),
                    Span::Pipeline => {
                        profile.pipelines.add(ns);
                        self.pipelines.insert(number, name);
                        self.of_kernel(works, name, |work| work.pipelines.add(ns));
                    }
                }
                let name = match what {
                    Span::Compiled => format!("build: {}", self.text(name)),
                    Span::Cached => format!("from the cache: {}", self.text(name)),
                    Span::Pipeline => format!("pipeline: {}", self.text(name)),
                };
                let slice = Slice {
                    name,
                    class: Class::Other,
                    start: start.saturating_sub(self.base),
                    ns,
                    waited: [0; 2],
                    local,
                    amount: 0,
                };
                self.row((0, 0), "builds", "host").slices.push(slice);
                end
            }
            Record::Statistic {
                pipeline,
                name,
                value,
            } => {
                let statistic = self.text(name);
                if let Some(&kernel) = self.pipelines.get(&pipeline) {
                    self.of_kernel(works, kernel, |work| {
                        let known = work.statistics.iter_mut().find(|(n, _)| *n == statistic);
                        match known {
                            Some((_, most)) => *most = most.max(value),
                            None => work.statistics.push((statistic.clone(), value)),
                        }
                    });
                }
                0
            }
            Record::Text { .. } => 0,
        }
    }

    fn work<'w>(
        &self,
        works: &'w mut BTreeMap<(u8, String, String), Work>,
        class: Class,
        name: u32,
        device: u32,
    ) -> &'w mut Work {
        let (name, device) = (self.text(name), self.text(device));
        let key = (class as u8, name.clone(), device.clone());
        works.entry(key).or_insert_with(|| Work {
            name,
            device,
            ..Work::default()
        })
    }

    /// The kernel of this name, on each device of this process.
    fn of_kernel(
        &self,
        works: &mut BTreeMap<(u8, String, String), Work>,
        name: u32,
        mut change: impl FnMut(&mut Work),
    ) {
        let own = self.keys.values();
        for &(class, _, device) in own.filter(|k| k.0 == Class::Kernel && k.1 == name) {
            change(self.work(works, class, name, device));
        }
    }
}

/// A device's busy and idle time.
fn device(name: String, mut times: Vec<Times>, profile: &Profile) -> Device {
    let all = [&profile.kernels, &profile.transfers, &profile.others];
    let own = || all.into_iter().flatten().filter(|work| work.device == name);
    let exact = own().all(Work::is_exact);
    let commands = own().map(|work| work.calls).sum();
    times.sort_by_key(|[_, _, start, _]| *start);
    let first = times.first().map_or(0, |t| t[2]);
    let last = times.iter().map(|t| t[3]).max().unwrap_or(first);
    let (mut at, mut busy, mut idle) = (first, 0, [0; 3]);
    for [queued, submit, start, end] in times {
        if start > at {
            // The gap's parts, by what the command behind it was waiting for.
            let queued = queued.clamp(at, start);
            let submit = submit.clamp(queued, start);
            idle[0] += queued - at;
            idle[1] += submit - queued;
            idle[2] += start - submit;
        }
        busy += end.saturating_sub(at.max(start));
        at = at.max(end);
    }
    let span = last - first;
    if !exact {
        busy = own().map(Work::total).sum::<u64>().min(span);
    }
    Device {
        commands,
        span,
        busy,
        idle: exact.then_some(idle),
        name,
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub const MS: u64 = 1_000_000;

    /// The records of a process with one queue: a kernel at 10 to 20 and 30 to 50 ms, a read at 50 to 52.
    pub fn example() -> Vec<Record> {
        let text = |number, text: &str| Record::Text {
            number,
            text: text.into(),
        };
        let key = |number, class, name, calls, ms: u64, amount| Record::Key {
            number,
            class,
            name,
            device: 3,
            calls,
            timed: calls,
            ns: ms * MS,
            amount,
        };
        let command = |key, [queued, submit, start, end]: Times, amount| Record::Command {
            queue: 1,
            key,
            queued: queued * MS,
            submit: submit * MS,
            start: start * MS,
            end: end * MS,
            local: [64, 1, 1],
            amount,
        };
        vec![
            Record::Process {
                id: 9,
                start: MS,
                name: 1,
            },
            text(1, "app"),
            text(2, "step"),
            text(3, "GPU"),
            text(4, "read"),
            text(5, "Spilled VGPRs"),
            text(6, "VGPRs"),
            key(10, Class::Kernel, 2, 2, 30, 0),
            key(11, Class::Transfer, 4, 1, 2, 4_000_000),
            key(12, Class::Wait, 4, 5, 7, 0),
            Record::Queue {
                number: 1,
                device: 3,
                out_of_order: false,
            },
            Record::Span {
                what: Span::Compiled,
                name: 2,
                start: 2 * MS,
                end: 5 * MS,
                local: [0; 3],
                number: 1,
            },
            Record::Span {
                what: Span::Pipeline,
                name: 2,
                start: 5 * MS,
                end: 6 * MS,
                local: [64, 1, 1],
                number: 2,
            },
            Record::Statistic {
                pipeline: 2,
                name: 5,
                value: 4.0,
            },
            Record::Statistic {
                pipeline: 2,
                name: 6,
                value: 40.0,
            },
            command(10, [7, 8, 10, 20], 1000),
            // The gap from 20 to 30: 5 ms nothing was enqueued, 3 not submitted, 2 not begun.
            command(10, [25, 28, 30, 50], 1000),
            command(11, [26, 28, 50, 52], 4_000_000),
        ]
    }

    #[test]
    fn sums_and_idle_time() {
        let profile = analyse(&[example()], 61 * MS);
        assert_eq!(profile.wall, 60 * MS);
        assert_eq!(profile.processes, ["app (9)"]);
        let kernel = &profile.kernels[0];
        assert_eq!(
            (kernel.calls, kernel.total(), kernel.mean()),
            (2, 30 * MS, 15 * MS)
        );
        assert_eq!((kernel.least, kernel.most), (10 * MS, 20 * MS));
        assert_eq!(kernel.locals, [([64, 1, 1], 2)]);
        assert_eq!(
            (kernel.registers(), kernel.spills()),
            (Some(40.0), Some(4.0))
        );
        assert_eq!(profile.transfers[0].bytes, 4_000_000);
        assert_eq!((profile.waits.count, profile.compiled.ns), (5, 3 * MS));
        assert_eq!(kernel.pipelines.count, 1);
        let device = &profile.devices[0];
        assert_eq!((device.span, device.busy), (42 * MS, 32 * MS));
        assert_eq!(device.idle, Some([5 * MS, 3 * MS, 2 * MS]));
        assert_eq!(profile.rows.len(), 2);
    }

    /// Of 1000 calls 10 were timed.
    #[test]
    fn samples_are_projected() {
        let mut records = example();
        let Record::Key {
            calls, timed, ns, ..
        } = &mut records[7]
        else {
            panic!("no key");
        };
        (*calls, *timed, *ns) = (1000, 10, 10 * 20_000);
        let profile = analyse(&[records], 0);
        let kernel = &profile.kernels[0];
        assert!(!kernel.is_exact());
        assert_eq!((kernel.mean(), kernel.total()), (20_000, 20 * MS));
        let device = &profile.devices[0];
        assert_eq!((device.busy, device.idle), (22 * MS, None));
        assert_eq!(profile.wall, 51 * MS);
    }

    /// Two processes on one device, and what is nonsense.
    #[test]
    fn processes_are_added() {
        let profile = analyse(&[example(), example()], 0);
        assert_eq!(profile.kernels[0].calls, 4);
        assert_eq!(profile.devices[0].busy, 32 * MS);
        assert_eq!(profile.rows.len(), 4);
        let nothing = analyse(&[], 0);
        assert!(nothing.kernels.is_empty() && nothing.devices.is_empty());
        let odd = [Record::Command {
            queue: 1,
            key: 77,
            queued: 9,
            submit: 8,
            start: 7,
            end: 6,
            local: [0; 3],
            amount: 0,
        }];
        assert!(analyse(&[odd.to_vec()], 0).kernels.is_empty());
    }
}
