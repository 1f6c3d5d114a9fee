//! The file of a profile: an array of cells of eight words, native byte order. The first word has the kind in its low byte.
//! Texts, which have numbers, take as many cells as they need.

/// Words of a cell.
pub const CELL: usize = 8;
pub const CELL_BYTES: usize = 8 * CELL;
/// Bytes of text in a cell.
const PIECE: usize = 48;

pub type Cell = [u64; CELL];

/// What a key counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    Kernel,
    Transfer,
    /// Markers, barriers, command buffers, native kernels.
    Other,
    /// Calls in which the host waited; no command.
    Wait,
}

/// What a build or pipeline was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    Compiled,
    Cached,
    Pipeline,
}

/// A cell's contents. Numbers of texts are those of [`Record::Text`]; times are nanoseconds of CLOCK_MONOTONIC.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    Process {
        id: u32,
        start: u64,
        name: u32,
    },
    Text {
        number: u32,
        text: String,
    },
    /// Sums over all commands of a kernel on a device, or of a kind. Kept up to date in its place; its number is the
    /// cell's.
    Key {
        number: u32,
        class: Class,
        name: u32,
        device: u32,
        calls: u64,
        timed: u64,
        ns: u64,
        /// Bytes of transfers.
        amount: u64,
    },
    Queue {
        number: u32,
        device: u32,
        out_of_order: bool,
    },
    /// A command that was timed.
    Command {
        queue: u32,
        key: u32,
        queued: u64,
        submit: u64,
        start: u64,
        end: u64,
        local: [u32; 3],
        amount: u64,
    },
    Span {
        what: Span,
        name: u32,
        start: u64,
        end: u64,
        local: [u32; 3],
        /// Of a pipeline, for its statistics.
        number: u32,
    },
    /// What the driver tells of a pipeline.
    Statistic {
        pipeline: u32,
        name: u32,
        value: f64,
    },
}

/// The words of a key's cell that change.
pub const CALLS: usize = 3;
pub const TIMED: usize = 4;
pub const NS: usize = 5;
pub const AMOUNT: usize = 6;

const CLASSES: [Class; 4] = [Class::Kernel, Class::Transfer, Class::Other, Class::Wait];
const SPANS: [Span; 3] = [Span::Compiled, Span::Cached, Span::Pipeline];

/// Sizes of up to 2^21 - 1.
fn pack(local: [u32; 3]) -> u64 {
    let [x, y, z] = local.map(|n| u64::from(n.min((1 << 21) - 1)));
    x | y << 21 | z << 42
}

fn unpack(word: u64) -> [u32; 3] {
    [word, word >> 21, word >> 42].map(|n| (n & ((1 << 21) - 1)) as u32)
}

fn head(kind: u8, low: u64, high: u32) -> u64 {
    u64::from(kind) | low << 8 | u64::from(high) << 32
}

impl Record {
    /// The cells; none for a text of no bytes. A key is given with what it counts so far.
    pub fn cells(&self) -> Vec<Cell> {
        let cell = match *self {
            Record::Text { number, ref text } => {
                let bytes = text.as_bytes();
                let pieces = (0u64..).zip(bytes.chunks(PIECE));
                let cell = |(part, piece): (u64, &[u8])| {
                    let mut cell = [0; CELL];
                    cell[0] = head(1, piece.len() as u64, number);
                    cell[1] = part;
                    for (word, bytes) in cell[2..].iter_mut().zip(piece.chunks(8)) {
                        let mut all = [0; 8];
                        all[..bytes.len()].copy_from_slice(bytes);
                        *word = u64::from_ne_bytes(all);
                    }
                    cell
                };
                return pieces.map(cell).collect();
            }
            Record::Key {
                number: _,
                class,
                name,
                device,
                calls,
                timed,
                ns,
                amount,
            } => [
                head(2, class as u64, name),
                device.into(),
                0,
                calls,
                timed,
                ns,
                amount,
                0,
            ],
            Record::Command {
                queue,
                key,
                queued,
                submit,
                start,
                end,
                local,
                amount,
            } => [
                head(3, 0, queue),
                key.into(),
                queued,
                submit,
                start,
                end,
                pack(local),
                amount,
            ],
            Record::Span {
                what,
                name,
                start,
                end,
                local,
                number,
            } => [
                head(4, what as u64, name),
                start,
                end,
                pack(local),
                number.into(),
                0,
                0,
                0,
            ],
            Record::Statistic {
                pipeline,
                name,
                value,
            } => [
                head(5, 0, name),
                pipeline.into(),
                value.to_bits(),
                0,
                0,
                0,
                0,
                0,
            ],
            Record::Queue {
                number,
                device,
                out_of_order,
            } => [
                head(6, out_of_order.into(), number),
                device.into(),
                0,
                0,
                0,
                0,
                0,
                0,
            ],
            Record::Process { id, start, name } => {
                [head(7, 0, name), id.into(), start, 0, 0, 0, 0, 0]
            }
        };
        vec![cell]
    }

    /// What the cell of this number has; `None` for an empty one, and for what no version writes.
    fn of(number: u32, cell: &Cell) -> Option<Record> {
        let (low, high) = ((cell[0] >> 8 & 0xff) as usize, (cell[0] >> 32) as u32);
        let word = |i: usize| cell[i] as u32;
        Some(match cell[0] as u8 {
            1 => {
                let bytes: Vec<u8> = cell[2..].iter().flat_map(|w| w.to_ne_bytes()).collect();
                Record::Text {
                    number: high,
                    // Whole only once its pieces are together.
                    text: bytes.get(..low)?.iter().map(|&b| char::from(b)).collect(),
                }
            }
            2 => Record::Key {
                number,
                class: *CLASSES.get(low)?,
                name: high,
                device: word(1),
                calls: cell[CALLS],
                timed: cell[TIMED],
                ns: cell[NS],
                amount: cell[AMOUNT],
            },
            3 => Record::Command {
                queue: high,
                key: word(1),
                queued: cell[2],
                submit: cell[3],
                start: cell[4],
                end: cell[5],
                local: unpack(cell[6]),
                amount: cell[7],
            },
            4 => Record::Span {
                what: *SPANS.get(low)?,
                name: high,
                start: cell[1],
                end: cell[2],
                local: unpack(cell[3]),
                number: word(4),
            },
            5 => Record::Statistic {
                pipeline: word(1),
                name: high,
                value: f64::from_bits(cell[2]),
            },
            6 => Record::Queue {
                number: high,
                device: word(1),
                out_of_order: low != 0,
            },
            7 => Record::Process {
                id: word(1),
                start: cell[2],
                name: high,
            },
            _ => return None,
        })
    }
}

/// All records of a file in their order, each text as one.
pub fn read(bytes: &[u8]) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    let mut texts: Vec<(u32, Vec<u8>, usize)> = Vec::new();
    for (number, cell) in (0u32..).zip(bytes.as_chunks::<CELL_BYTES>().0) {
        let words = cell.as_chunks::<8>().0;
        let cell: Cell = std::array::from_fn(|i| u64::from_ne_bytes(words[i]));
        match Record::of(number, &cell) {
            Some(Record::Text { number, text }) => {
                let piece = text.chars().map(|c| c as u8);
                match texts.iter_mut().rev().take(64).find(|t| t.0 == number) {
                    Some((_, whole, _)) => whole.extend(piece),
                    None => {
                        texts.push((number, piece.collect(), records.len()));
                        records.push(Record::Text {
                            number,
                            text: String::new(),
                        });
                    }
                }
            }
            Some(record) => records.push(record),
            None => {}
        }
    }
    for (number, bytes, at) in texts {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        records[at] = Record::Text { number, text };
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back() {
        let long = "kernel with a name of more bytes than a cell has: \u{e4}\u{20ac}".repeat(9);
        let records = vec![
            Record::Process {
                id: 7,
                start: 1 << 60,
                name: 1,
            },
            Record::Text {
                number: 1,
                text: long,
            },
            Record::Text {
                number: u32::MAX,
                text: "k".into(),
            },
            Record::Queue {
                number: 3,
                device: 1,
                out_of_order: true,
            },
            Record::Command {
                queue: 3,
                key: 5,
                queued: 1,
                submit: 2,
                start: 3,
                end: 4,
                local: [64, 1 << 20, 3],
                amount: 1 << 40,
            },
            Record::Span {
                what: Span::Pipeline,
                name: 2,
                start: 8,
                end: 9,
                local: [1, 2, 3],
                number: 4,
            },
            Record::Statistic {
                pipeline: 4,
                name: 9,
                value: 0.5,
            },
        ];
        let mut cells: Vec<Cell> = records.iter().flat_map(Record::cells).collect();
        // What was being written, and what a newer version writes.
        cells.insert(3, [0; CELL]);
        cells.insert(5, [0xff; CELL]);
        let bytes = |cells: &[Cell]| -> Vec<u8> {
            cells
                .iter()
                .flatten()
                .flat_map(|w| w.to_ne_bytes())
                .collect()
        };
        assert_eq!(read(&bytes(&cells)), records);
        let number = cells.len() as u32;
        let key = Record::Key {
            number,
            class: Class::Wait,
            name: 1,
            device: 2,
            calls: 3,
            timed: 4,
            ns: 5,
            amount: 6,
        };
        cells.extend(key.cells());
        assert_eq!(read(&bytes(&cells)).last(), Some(&key));
        // Half a cell at the end.
        assert_eq!(read(&bytes(&cells)[..CELL_BYTES + 9]).len(), 1);
        assert!(read(&[0xff; 4096]).is_empty());
    }
}
