//! A page with all of a profile: page.html, with the data in it as JSON.

use caldera::runtime::support::profile::format::Class;
use caldera::runtime::support::trace::quoted;

use super::advice::advice;
use super::analysis::{Profile, Row, Slice, Work};
use super::text::{builds, list};

const PAGE: &str = include_str!("page.html");

/// Slices of the timeline: the longest are shown.
const MOST_SLICES: usize = 40_000;

pub fn page(profile: &Profile) -> String {
    let title = profile.processes.join(", ");
    let escaped = title.replace('&', "&amp;").replace('<', "&lt;");
    // What ends the script, or begins a comment, does not stand in it.
    let data = data(profile, &title).replace('<', "\\u003c");
    let [head, rest] = split(PAGE, "{{title}}");
    let [middle, tail] = split(rest, "{{data}}");
    format!("{head}{escaped}{middle}{data}{tail}")
}

fn split<'a>(text: &'a str, at: &str) -> [&'a str; 2] {
    let (before, behind) = text.split_once(at).unwrap_or((text, ""));
    [before, behind]
}

fn array(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    format!("[{}]", items.join(","))
}

/// A number as JSON has it.
fn number(value: Option<f64>) -> String {
    let finite = value.filter(|value| value.is_finite());
    finite.map_or("null".into(), |value| value.to_string())
}

fn data(profile: &Profile, title: &str) -> String {
    let works = |works: &[Work]| array(works.iter().map(work));
    let devices = profile.devices.iter().map(|d| {
        let idle = d.idle.map_or("null".into(), |parts| format!("{parts:?}"));
        let (name, commands, span, busy) = (quoted(&d.name), d.commands, d.span, d.busy);
        format!(
            r#"{{"name":{name},"commands":{commands},"span":{span},"busy":{busy},"idle":{idle}}}"#
        )
    });
    let builds =
        builds(profile).map(|(name, s)| format!("[{},{},{}]", quoted(name), s.count, s.ns));
    let (rows, names, left_out) = timeline(&profile.rows);
    format!(
        r#"{{"title":{},"wall":{},"kernels":{},"transfers":{},"others":{},"builds":{},"devices":{},"waits":[{},{}],"advice":{},"rows":{rows},"names":{names},"leftOut":{left_out}}}"#,
        quoted(title),
        profile.wall,
        works(&profile.kernels),
        works(&profile.transfers),
        works(&profile.others),
        array(builds.into_iter()),
        array(devices),
        profile.waits.count,
        profile.waits.ns,
        array(advice(profile).iter().map(|text| quoted(text))),
    )
}

fn work(work: &Work) -> String {
    let locals = work.locals.iter();
    let locals = locals.map(|(size, count)| format!("[{},{count}]", quoted(&list(*size))));
    let statistics = work.statistics.iter();
    let statistics = statistics.map(|(name, n)| format!("[{},{}]", quoted(name), number(Some(*n))));
    format!(
        r#"{{"name":{},"device":{},"calls":{},"timed":{},"exact":{},"total":{},"mean":{},"least":{},"most":{},"bytes":{},"locals":{},"registers":{},"spills":{},"pipelines":{},"statistics":{}}}"#,
        quoted(&work.name),
        quoted(&work.device),
        work.calls,
        work.timed,
        work.is_exact(),
        work.total(),
        work.mean(),
        work.least,
        work.most,
        work.bytes,
        array(locals),
        number(work.registers()),
        number(work.spills()),
        work.pipelines.count,
        array(statistics),
    )
}

/// Rows, the names in them, and how many slices are left out.
fn timeline(rows: &[Row]) -> (String, String, usize) {
    let all: usize = rows.iter().map(|row| row.slices.len()).sum();
    let mut lengths: Vec<u64> = rows.iter().flat_map(|r| &r.slices).map(|s| s.ns).collect();
    let mut least = 0;
    if all > MOST_SLICES {
        let at = all - MOST_SLICES;
        least = *lengths.select_nth_unstable(at).1;
    }
    let mut left = MOST_SLICES;
    let mut names: Vec<&str> = Vec::new();
    let mut shown = Vec::new();
    for row in rows {
        let mut slices = Vec::new();
        for slice in row.slices.iter().filter(|slice| slice.ns >= least) {
            // Many may be as short as the shortest.
            if left == 0 {
                break;
            }
            left -= 1;
            let name = names.iter().position(|name| *name == slice.name);
            let name = name.unwrap_or_else(|| {
                names.push(&slice.name);
                names.len() - 1
            });
            slices.push(of_slice(slice, name));
        }
        shown.push(format!(
            r#"{{"name":{},"class":{},"slices":{}}}"#,
            quoted(&row.name),
            quoted(row.class),
            array(slices.into_iter())
        ));
    }
    let names = array(names.iter().map(|name| quoted(name)));
    (array(shown.into_iter()), names, all - (MOST_SLICES - left))
}

fn of_slice(slice: &Slice, name: usize) -> String {
    let class = match slice.class {
        Class::Kernel => 0,
        Class::Transfer => 1,
        Class::Other | Class::Wait => 2,
    };
    let [held, late] = slice.waited;
    let local = match slice.local {
        [0, ..] => String::new(),
        local => list(local),
    };
    let (start, ns, local) = (slice.start, slice.ns, quoted(&local));
    format!(
        "[{start},{ns},{name},{class},{held},{late},{local},{}]",
        slice.amount
    )
}

#[cfg(test)]
mod tests {
    use super::super::analysis::analyse;
    use super::super::analysis::tests::{MS, example};
    use super::*;
    use caldera::runtime::support::profile::format::Record;

    #[test]
    fn names_do_not_end_the_script() {
        let mut records = example();
        for record in &mut records {
            if let Record::Text {
                number: 1 | 2,
                text,
            } = record
            {
                *text = "a</script><b>&\"\\{{data}}".into();
            }
        }
        let page = page(&analyse(&[records], 61 * MS));
        assert!(page.contains("<title>a&lt;/script>&lt;b>&amp;"));
        let scripts = page.matches("</script").count();
        assert_eq!(scripts, PAGE.matches("</script").count());
        assert!(page.contains(r#""name":"a\u003c/script>\u003cb>&\"\\{{data}}""#));
        // No other file is needed.
        for word in ["http:", "https:", "src=", "@import", "url("] {
            let own = page.replace("http://www.w3.org/2000/svg", "");
            assert!(!own.contains(word), "{word}");
        }
    }

    #[test]
    fn the_longest_slices_are_shown() {
        let mut profile = analyse(&[example()], 61 * MS);
        let slices = &mut profile.rows[0].slices;
        slices.clear();
        for i in 0..MOST_SLICES as u64 + 100 {
            slices.push(Slice {
                name: "k".into(),
                class: Class::Kernel,
                start: i,
                ns: i / 1000,
                waited: [0; 2],
                local: [1; 3],
                amount: 0,
            });
        }
        let others: usize = profile.rows[1..].iter().map(|r| r.slices.len()).sum();
        let (rows, names, left_out) = timeline(&profile.rows);
        assert_eq!(left_out, 100 + others);
        assert_eq!(rows.matches(",0,0,0,\"1\",0]").count(), MOST_SLICES);
        assert!(names.starts_with("[\"k\""));
    }
}
