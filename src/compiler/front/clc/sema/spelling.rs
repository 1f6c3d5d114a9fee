//! Suggestions for misspelt names.

use super::Sema;

/// Longer names are seldom misspelt, and comparing them takes long.
const MAX_LENGTH: usize = 128;

impl Sema<'_> {
    /// The most similar of these names, as a question behind a message; nothing if none is near.
    pub fn meant<T: AsRef<str>>(&self, name: &str, known: impl Iterator<Item = T>) -> String {
        // Errors beyond the limit are not printed.
        if self.sink.stopped() || name.len() > MAX_LENGTH {
            return String::new();
        }
        // At most one letter of three may differ. Names of two letters resemble too many others.
        let limit = name.len() / 3;
        let near = known.filter_map(|known| {
            let text = known.as_ref();
            let close = text.len().abs_diff(name.len()) <= limit && text != name;
            let distance = close.then(|| distance(name.as_bytes(), text.as_bytes()))?;
            (distance <= limit).then(|| (distance, text.to_owned()))
        });
        near.min().map_or(String::new(), |(_, meant)| {
            format!("; did you mean '{meant}'?")
        })
    }
}

/// Letters to insert, remove or replace, but for their case (Levenshtein), row by row.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(!x.eq_ignore_ascii_case(y));
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
