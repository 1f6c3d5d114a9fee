//! The bytes of an object, of which most may be zero: what a large one costs is what is written of it.

use std::collections::BTreeMap;

/// Bytes that are kept together.
const PAGE: usize = 256;

/// What is not written is zero. Offsets have no end: whoever has the object knows its size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bytes {
    /// By offset, a multiple of [`PAGE`].
    pages: BTreeMap<u64, Box<[u8; PAGE]>>,
}

impl Bytes {
    pub fn write(&mut self, offset: u64, mut bytes: &[u8]) {
        let mut at = offset;
        while !bytes.is_empty() {
            let inside = (at % PAGE as u64) as usize;
            let (here, rest) = bytes.split_at(bytes.len().min(PAGE - inside));
            let start = at - inside as u64;
            // Zeros need no page of their own.
            if here.iter().any(|&b| b != 0) || self.pages.contains_key(&start) {
                let page = self.pages.entry(start).or_insert([0; PAGE].into());
                page[inside..inside + here.len()].copy_from_slice(here);
            }
            at += here.len() as u64;
            bytes = rest;
        }
    }

    /// Writes all of another object's bytes, of which there are `len`.
    pub fn write_all(&mut self, offset: u64, from: &Bytes, len: u64) {
        if self
            .pages
            .range(offset - offset % PAGE as u64..offset.saturating_add(len))
            .next()
            .is_some()
        {
            return self.write(offset, &from.get(0, len as usize));
        }
        for (&start, page) in from.pages.range(..len) {
            let inside = page.len().min((len - start) as usize);
            self.write(offset + start, &page[..inside]);
        }
    }

    pub fn read(&self, offset: u64, out: &mut [u8]) {
        out.fill(0);
        let end = offset.saturating_add(out.len() as u64);
        let first = offset - offset % PAGE as u64;
        for (&start, page) in self.pages.range(first..end) {
            // The part of the page that is asked for.
            let from = offset.saturating_sub(start).min(PAGE as u64) as usize;
            let to = (end - start).min(PAGE as u64) as usize;
            let at = (start + from as u64 - offset) as usize;
            out[at..at + to - from].copy_from_slice(&page[from..to]);
        }
    }

    /// A range of bytes.
    pub fn get(&self, offset: u64, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        self.read(offset, &mut out);
        out
    }

    pub fn byte(&self, offset: u64) -> u8 {
        let inside = offset % PAGE as u64;
        let page = self.pages.get(&(offset - inside));
        page.map_or(0, |page| page[inside as usize])
    }

    /// The string that a zero ends, with the zero's offset no later than `end`.
    pub fn string(&self, offset: u64, end: u64) -> Vec<u8> {
        let bytes = (offset..end).map(|at| self.byte(at));
        bytes.take_while(|&b| b != 0).collect()
    }

    pub fn is_zero(&self) -> bool {
        self.pages.values().all(|page| page.iter().all(|&b| b == 0))
    }

    /// One behind the last byte that is not zero.
    pub fn end(&self) -> u64 {
        let mut runs = self.pages.iter().rev();
        let last = runs.find_map(|(start, page)| {
            let at = page.iter().rposition(|&b| b != 0)?;
            Some(start + at as u64 + 1)
        });
        last.unwrap_or(0)
    }

    /// Runs of bytes, in order, each with its offset. They begin and end with bytes that are not zero, and between
    /// them are zeros, at least as many as `gap`.
    pub fn runs(&self, gap: u64) -> Vec<(u64, Vec<u8>)> {
        let mut runs: Vec<(u64, Vec<u8>)> = Vec::new();
        for (&start, page) in &self.pages {
            for (at, &byte) in (start..).zip(page.iter()).filter(|(_, byte)| **byte != 0) {
                match runs.last_mut() {
                    Some((from, run)) if at - (*from + run.len() as u64) < gap => {
                        run.resize((at - *from) as usize, 0);
                        run.push(byte);
                    }
                    _ => runs.push((at, vec![byte])),
                }
            }
        }
        runs
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Bytes {
        let mut all = Bytes::default();
        all.write(0, bytes);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn what_is_written_is_read_whatever_the_order() {
        let mut bytes = Bytes::default();
        let mut model = vec![0u8; 1000];
        for i in 0..2000u64 {
            // Steps without a common divisor: all places, no order.
            let (at, len) = (i * 379 % 990, i % 9);
            let value: Vec<u8> = (0..len).map(|b| (i + b) as u8 % 5).collect();
            bytes.write(at, &value);
            model[at as usize..][..value.len()].copy_from_slice(&value);
        }
        assert_eq!(bytes.get(0, 1000), model);
        assert_eq!(bytes.get(131, 70), model[131..201]);
        assert!((0..1000).all(|i| bytes.byte(i) == model[i as usize]));
        let last = model.iter().rposition(|&b| b != 0).map_or(0, |i| i + 1);
        assert_eq!(bytes.end(), last as u64);
        for gap in [1, 3, 64] {
            let mut again = Bytes::default();
            for (at, run) in bytes.runs(gap) {
                assert!(run.first() != Some(&0) && run.last() != Some(&0));
                again.write(at, &run);
            }
            assert_eq!(again.get(0, 1000), model);
        }
    }

    #[test]
    fn far_apart_is_little() {
        let mut bytes = Bytes::default();
        bytes.write(u64::MAX - 1000, &[1, 2]);
        bytes.write(7, &[0, 3]);
        assert_eq!(bytes.pages.len(), 2);
        let runs = vec![(8, vec![3]), (u64::MAX - 1000, vec![1, 2])];
        assert_eq!(bytes.runs(64), runs);
        assert_eq!(bytes.string(8, 20), [3]);
        assert!(!bytes.is_zero());
    }
}
