//! What to change first: each rule looks at one figure, says it, and how much time is at stake.

use super::analysis::{Profile, Work};
use super::text::{bytes, count, list, percent, time};

/// So much of what is said.
const MOST: usize = 3;
/// A part of the whole below which nothing is said.
const WORTH: f64 = 0.05;
/// A group with fewer work-items leaves lanes of every GPU unused.
const SMALL_GROUP: u64 = 32;
/// Launches that run less are not worth their own way to the device.
const SHORT: u64 = 20_000;
/// Transfers of fewer bytes are mostly their own way.
const SMALL_TRANSFER: u64 = 64 << 10;

/// Nanoseconds that are at stake, and what to do.
type Advice = (u64, String);
type Rule = fn(&Profile) -> Vec<Advice>;

const RULES: &[Rule] = &[
    idle, held, late, short, slow, groups, spills, transfers, builds, pipelines,
];

/// The most worthwhile, at most three.
pub fn advice(profile: &Profile) -> Vec<String> {
    let mut all: Vec<Advice> = RULES.iter().flat_map(|rule| rule(profile)).collect();
    all.retain(|(ns, _)| *ns as f64 >= WORTH * profile.wall as f64);
    all.sort_by_key(|(ns, _)| std::cmp::Reverse(*ns));
    all.into_iter().map(|(_, text)| text).take(MOST).collect()
}

fn of_idle(profile: &Profile, part: usize, text: impl Fn(&str, &str) -> String) -> Vec<Advice> {
    let devices = profile.devices.iter();
    let of = |device: &super::analysis::Device| {
        let ns = device.idle?[part];
        let share = percent(ns, device.span);
        Some((ns, text(&device.name, &format!("{} ({share})", time(ns)))))
    };
    devices.filter_map(of).collect()
}

fn idle(profile: &Profile) -> Vec<Advice> {
    let waits = profile.waits;
    let waited = match waits.count {
        0 => String::new(),
        n => format!(
            " The host waited {} times, {} in all: enqueue what follows before waiting.",
            count(n),
            time(waits.ns)
        ),
    };
    of_idle(profile, 0, |name, ns| {
        format!("{name} idled for {ns} because nothing was enqueued.{waited}")
    })
}

fn held(profile: &Profile) -> Vec<Advice> {
    of_idle(profile, 1, |name, ns| {
        format!(
            "{name} idled for {ns} while commands were enqueued and not submitted: they waited for events or pipelines, or \
             for clFlush, which would start them at once."
        )
    })
}

fn late(profile: &Profile) -> Vec<Advice> {
    of_idle(profile, 2, |name, ns| {
        format!(
            "{name} idled for {ns} between submission and start of commands: submit more of them at a time, since each \
             submission that finds the device idle costs this."
        )
    })
}

fn short(profile: &Profile) -> Vec<Advice> {
    let idle: u64 = profile.devices.iter().map(|d| d.idle_total()).sum();
    let commands: u64 = profile.devices.iter().map(|d| d.commands).sum();
    let short = |work: &&Work| work.calls >= 100 && work.timed > 0 && work.mean() < SHORT;
    let of = |work: &Work| {
        let share = idle as f64 * work.calls as f64 / commands.max(1) as f64;
        let text = format!(
            "{} is launched {} times and runs for {} each: let a launch do more, or record the launches once in a command \
             buffer (cl_khr_command_buffer). The device's idle time comes to {} for them.",
            work.name,
            count(work.calls),
            time(work.mean()),
            time(share as u64)
        );
        (share as u64, text)
    };
    profile.kernels.iter().filter(short).map(of).collect()
}

/// The kernel that takes most. What it might gain is not known: a tenth of its time is taken for it.
fn slow(profile: &Profile) -> Vec<Advice> {
    let all: u64 = profile.kernels.iter().map(Work::total).sum();
    let Some(work) = profile.kernels.first().filter(|w| w.total() * 2 >= all) else {
        return Vec::new();
    };
    let text = format!(
        "{} takes {} of the kernels' time ({}, {} calls): make this one faster first.",
        work.name,
        percent(work.total(), all),
        time(work.total()),
        count(work.calls)
    );
    vec![(work.total() / 10, text)]
}

fn groups(profile: &Profile) -> Vec<Advice> {
    let of = |work: &Work| {
        let (local, _) = work.locals.first()?;
        let items: u64 = local.iter().map(|&n| u64::from(n)).product();
        let launched = work.items / work.locals.iter().map(|(_, n)| n).sum::<u64>().max(1);
        // A launch of few work-items cannot have larger groups.
        if items == 0 || items >= SMALL_GROUP || launched < SMALL_GROUP {
            return None;
        }
        let gain = work.total() - work.total() * items / SMALL_GROUP;
        let shape = list(*local);
        let shape = match shape.contains('x') {
            true => format!("{shape} = {items}"),
            false => shape,
        };
        let text = format!(
            "{} ({}) runs in work-groups of {shape} work-items, where GPUs execute 32 or 64 at a time: use groups of 64 or more.",
            work.name,
            time(work.total()),
        );
        Some((gain, text))
    };
    profile.kernels.iter().filter_map(of).collect()
}

fn spills(profile: &Profile) -> Vec<Advice> {
    let of = |work: &Work| {
        let spills = work.spills().filter(|n| *n > 0.0)?;
        let registers = work.registers();
        let registers = registers.map_or(String::new(), |n| format!(" beside {n} registers"));
        let text = format!(
            "{} ({}) has more values than registers: the driver says {spills} spills{registers}. Keep fewer values alive at a \
             time, unroll less, or use smaller private arrays.",
            work.name,
            time(work.total())
        );
        Some((work.total() / 3, text))
    };
    profile.kernels.iter().filter_map(of).collect()
}

fn transfers(profile: &Profile) -> Vec<Advice> {
    let of = |work: &Work| {
        let (total, mean) = (work.total(), work.bytes / work.calls.max(1));
        let what = format!(
            "{} takes {}: {} times {} at {}/s",
            work.name,
            time(total),
            count(work.calls),
            bytes(mean),
            bytes((work.bytes as f64 / total.max(1) as f64 * 1e9) as u64)
        );
        let how = match mean < SMALL_TRANSFER {
            true => "gather them into fewer and larger ones.",
            false => {
                "leave data on the device between kernels, or let a second queue transfer while the first one computes."
            }
        };
        (total, format!("{what}: {how}"))
    };
    profile.transfers.iter().map(of).collect()
}

fn builds(profile: &Profile) -> Vec<Advice> {
    let sum = profile.compiled;
    let text = format!(
        "Programs were compiled {} times in {}, and {} came from the cache: keep the cache on (caldera doctor says whether it \
         works), build the same text with the same options, or build on a thread of its own.",
        count(sum.count),
        time(sum.ns),
        count(profile.cached.count)
    );
    vec![(sum.ns, text)]
}

fn pipelines(profile: &Profile) -> Vec<Advice> {
    let of = |work: &Work| {
        let sum = work.pipelines;
        let text = format!(
            "The driver made {} pipelines for {} in {}: one for each work-group size, size of local arguments and image format. \
             Use few of them.",
            count(sum.count),
            work.name,
            time(sum.ns)
        );
        (sum.count > 1).then_some((sum.ns, text))
    };
    profile.kernels.iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::super::analysis::analyse;
    use super::super::analysis::tests::{MS, example};
    use super::*;

    #[test]
    fn most_time_comes_first() {
        let profile = analyse(&[example()], 61 * MS);
        let all = advice(&profile);
        assert_eq!(all.len(), 3);
        assert!(all[0].starts_with(
            "step (30.0 ms) has more values than registers: the driver says 4 spills beside 40"
        ));
        assert!(all[1].contains("idled for 5.00 ms (11.9%) because nothing was enqueued"));
        assert!(all[1].contains("waited 5 times, 7.00 ms in all"));
    }

    #[test]
    fn nothing_is_said_of_nothing() {
        assert!(
            advice(&Profile::default())
                .iter()
                .all(|text| !text.contains("NaN"))
        );
        // A long run in which a short kernel was well fed.
        assert!(advice(&analyse(&[example()], 10_000 * MS)).is_empty());
    }

    #[test]
    fn small_groups_and_transfers() {
        let mut profile = analyse(&[example()], 61 * MS);
        profile.kernels[0].locals = vec![([1, 1, 1], 2)];
        profile.kernels[0].statistics.clear();
        let all = advice(&profile);
        assert!(all[0].contains("work-groups of 1 work-items"), "{all:?}");
        let transfers = transfers(&profile);
        assert_eq!(
            transfers[0].1,
            "read takes 2.00 ms: 1 times 4.00 MB at 2.00 GB/s: leave data on the device between kernels, or let a second queue \
             transfer while the first one computes."
        );
    }
}
