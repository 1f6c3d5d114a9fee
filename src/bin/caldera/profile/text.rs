//! Figures for people, and the tables on standard error.

use super::advice::advice;
use super::analysis::{Device, Profile, Sum, Work};

/// Three digits and a unit.
fn scaled(value: f64, step: f64, units: &[&str]) -> String {
    let (mut value, mut unit) = (value, 0);
    while value >= 999.5 && unit + 1 < units.len() {
        value /= step;
        unit += 1;
    }
    let digits = match value {
        _ if unit == 0 => 0,
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.digits$} {}", units[unit])
}

pub fn time(ns: u64) -> String {
    scaled(ns as f64, 1000.0, &["ns", "us", "ms", "s"])
}

pub fn bytes(bytes: u64) -> String {
    scaled(bytes as f64, 1000.0, &["B", "KB", "MB", "GB", "TB"])
}

/// With a comma at each thousand.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

pub fn percent(part: u64, whole: u64) -> String {
    format!("{:.1}%", part as f64 * 100.0 / whole.max(1) as f64)
}

/// A work-group size without trailing ones.
pub fn list(local: [u32; 3]) -> String {
    let used = local.iter().rposition(|&n| n != 1).map_or(1, |i| i + 1);
    let sizes: Vec<String> = local[..used].iter().map(u32::to_string).collect();
    sizes.join("x")
}

/// The sizes of a kernel, the most frequent first, in a few words.
pub fn locals(work: &Work) -> String {
    let shown: Vec<String> = work.locals.iter().take(2).map(|(l, _)| list(*l)).collect();
    match work.locals.len().saturating_sub(2) {
        0 => shown.join(" "),
        more => format!("{} +{more}", shown.join(" ")),
    }
}

/// Lines of cells; the first column is to the left, the others to the right.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| {
        let cells = rows.iter().filter_map(|row| row.get(c));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (c, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            line += &match c {
                0 => format!("{cell:width$}"),
                _ => format!("  {cell:>width$}"),
            };
        }
        text += &format!("  {}\n", line.trim_end());
    }
    text
}

/// Names of kernels of templates are long.
fn short(name: &str) -> String {
    match name.chars().count() > 40 {
        true => name.chars().take(38).chain("..".chars()).collect(),
        false => name.into(),
    }
}

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|word| word.to_string()).collect()
}

/// An estimate has a mark.
fn estimate(work: &Work, text: String) -> String {
    match work.is_exact() {
        true => text,
        false => format!("~{text}"),
    }
}

fn kernels(profile: &Profile) -> String {
    let all: u64 = profile.kernels.iter().map(Work::total).sum();
    let head = [
        "Kernels",
        "calls",
        "total",
        "mean",
        "share",
        "work-group",
        "registers",
        "spills",
    ];
    let mut rows = vec![words(&head)];
    let number = |n: Option<f64>| n.map_or("-".into(), |n| n.to_string());
    let several = profile.devices.len() > 1;
    for work in &profile.kernels {
        let on = if several {
            format!(" on {}", work.device)
        } else {
            String::new()
        };
        rows.push(vec![
            format!("{}{on}", short(&work.name)),
            count(work.calls),
            estimate(work, time(work.total())),
            time(work.mean()),
            percent(work.total(), all),
            locals(work),
            number(work.registers()),
            number(work.spills()),
        ]);
    }
    table(&rows)
}

fn transfers(title: &str, works: &[Work]) -> String {
    let mut rows = vec![words(&[
        title,
        "calls",
        "bytes",
        "total",
        "mean",
        "bandwidth",
    ])];
    for work in works {
        let rate = work.bytes as f64 / work.total().max(1) as f64 * 1e9;
        rows.push(vec![
            short(&work.name),
            count(work.calls),
            if work.bytes > 0 {
                bytes(work.bytes)
            } else {
                "-".into()
            },
            estimate(work, time(work.total())),
            time(work.mean()),
            match work.bytes > 0 && work.total() > 0 {
                true => format!("{}/s", bytes(rate as u64)),
                false => "-".into(),
            },
        ]);
    }
    table(&rows)
}

/// The kinds of builds: what they are called, how many, how long.
pub fn builds(profile: &Profile) -> [(&'static str, Sum); 3] {
    [
        ("programs compiled", profile.compiled),
        ("programs from the cache", profile.cached),
        ("pipelines made", profile.pipelines),
    ]
}

/// A device's time in words.
pub fn device(device: &Device) -> String {
    let Device {
        name, span, busy, ..
    } = device;
    let mut text = format!(
        "{name}: {} commands in {}, busy {}{} ({}), idle {}",
        count(device.commands),
        time(*span),
        if device.idle.is_some() { "" } else { "~" },
        time(*busy),
        percent(*busy, *span),
        time(device.idle_total()),
    );
    if let Some([nothing, held, late]) = device.idle {
        text += &format!(
            ": nothing enqueued {}, not submitted {}, not begun {}",
            time(nothing),
            time(held),
            time(late)
        );
    }
    text
}

/// The tables.
pub fn tables(profile: &Profile) -> String {
    let mut text = format!(
        "caldera: profile of {}, {}\n\n",
        profile.processes.join(", "),
        time(profile.wall)
    );
    if !profile.kernels.is_empty() {
        text += &format!("{}\n", kernels(profile));
    }
    for (title, works) in [
        ("Transfers", &profile.transfers),
        ("Others", &profile.others),
    ] {
        if !works.is_empty() {
            text += &format!("{}\n", transfers(title, works));
        }
    }
    let mut rows = vec![words(&["Builds", "count", "total"])];
    for (name, sum) in builds(profile).into_iter().filter(|(_, sum)| sum.count > 0) {
        rows.push(vec![name.into(), count(sum.count), time(sum.ns)]);
    }
    if rows.len() > 1 {
        text += &format!("{}\n", table(&rows));
    }
    for one in &profile.devices {
        text += &format!("  {}\n", device(one));
    }
    if profile.waits.count > 0 {
        let waits = profile.waits;
        text += &format!(
            "  The host waited {} times, {}\n",
            count(waits.count),
            time(waits.ns)
        );
    }
    let all = [&profile.kernels, &profile.transfers, &profile.others];
    if all.into_iter().flatten().any(|work| !work.is_exact()) {
        text += "  ~ estimated: not all calls were timed\n";
    }
    for (i, what) in advice(profile).iter().enumerate() {
        let head = if i == 0 {
            "\n  What to change first\n"
        } else {
            ""
        };
        text += &format!("{head}  {}. {what}\n", i + 1);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::analysis::analyse;
    use super::super::analysis::tests::{MS, example};
    use super::*;

    #[test]
    fn figures() {
        for (ns, text) in [
            (0, "0 ns"),
            (999, "999 ns"),
            (1000, "1.00 us"),
            (12_345, "12.3 us"),
            (999_900, "1.00 ms"),
            (123_456_789, "123 ms"),
            (90_000_000_000, "90.0 s"),
        ] {
            assert_eq!(time(ns), text);
        }
        assert_eq!(bytes(1_500_000), "1.50 MB");
        assert_eq!((count(1), count(1234567)), ("1".into(), "1,234,567".into()));
        assert_eq!(list([16, 16, 1]), "16x16");
        assert_eq!(list([1, 1, 1]), "1");
        assert_eq!(list([1, 1, 4]), "1x1x4");
        assert_eq!(percent(1, 0), "100.0%");
    }

    #[test]
    fn tables_line_up() {
        let text = tables(&analyse(&[example()], 61 * MS));
        let expected = "\
caldera: profile of app (9), 60.0 ms

  Kernels  calls    total     mean   share  work-group  registers  spills
  step         2  30.0 ms  15.0 ms  100.0%          64         40       4

  Transfers  calls    bytes    total     mean  bandwidth
  read           1  4.00 MB  2.00 ms  2.00 ms  2.00 GB/s

  Builds             count    total
  programs compiled      1  3.00 ms
  pipelines made         1  1.00 ms

  GPU: 3 commands in 42.0 ms, busy 32.0 ms (76.2%), idle 10.0 ms: nothing enqueued 5.00 ms, not submitted 3.00 ms, not begun 2.00 ms
  The host waited 5 times, 7.00 ms

  What to change first
  1. step (30.0 ms)";
        assert!(text.starts_with(expected), "{text}");
    }
}
