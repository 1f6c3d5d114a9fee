//! Checks of how pipes are used: packets of another size than the pipe's, reservations that are none, packets that they do not have.
//!
//! Before inlining ([`mark`]), where the library's functions of pipes are still called, each call has comparisons in front, of what
//! shaders/pipe.cl keeps in the pipe. The calls that report have the pipe's address in place of its object, which is not known yet; behind inlining
//! the walk finds it ([`Instrument::marked`]). The library does nothing then: it gives -1.
//!
//! A reservation that is not committed lies between the first packet that is not (`committed`, `freed`) and the first that is not
//! reserved (`written`, `read`), and its first packet has no mark yet (docs/pipes.md).

use rustc_hash::FxHashSet;

use super::access::unless;
use super::before_calls;
use super::instrument::Instrument;
use super::report::{LIBRARY, MARKED, no_object};
use crate::check::Kind;
use crate::ir::builder::Builder;
use crate::ir::{
    Addr, AtomicOp, BinOp, CastOp, CmpOp, FuncId, Inst, Module, Order, Scope, Type, Value,
};

/// What a function of shaders/pipe.cl does.
enum Call {
    /// Reserves one packet of a size, for a function without a reservation.
    One,
    /// Looks for a packet of a reservation. `reads`: which end of the pipe that is.
    Packet {
        reads: bool,
    },
    Commit {
        reads: bool,
    },
}

impl Call {
    fn of(name: &str) -> Option<Call> {
        let (verb, end) = name.strip_prefix("pipe.")?.rsplit_once('_')?;
        let reads = end == "read";
        match verb {
            "reserve_one" => Some(Call::One),
            "has_packet" => Some(Call::Packet { reads }),
            "commit" | "group_commit" | "sub_commit" => Some(Call::Commit { reads }),
            _ => None,
        }
    }
}

/// Puts comparisons in front of the program's calls; whether there are any. `report`: the function that reports.
pub fn mark(module: &mut Module, report: FuncId) -> bool {
    // Kept are reservations that the compiler commits.
    let before =
        |b: &mut Builder, own: &mut FxHashSet<Value>, inst: &Inst, call: (&Call, &[Value])| {
            match call {
                (Call::One, &[pipe, size]) => {
                    own.extend(inst.results.first().copied());
                    Pipe { report, pipe }.size(b, size);
                }
                (&Call::Packet { reads }, &[pipe, id, index, size]) => {
                    let pipe = Pipe { report, pipe };
                    pipe.size(b, size);
                    let open = pipe.reservation(b, id, reads);
                    pipe.index(b, id, index, open);
                }
                (&Call::Commit { reads }, &[pipe, id]) if !own.contains(&id) => {
                    Pipe { report, pipe }.reservation(b, id, reads);
                }
                _ => {}
            }
        };
    before_calls(module, Call::of, before)
}

/// A pipe in front of a call.
#[derive(Clone, Copy)]
struct Pipe {
    report: FuncId,
    pipe: Value,
}

impl Pipe {
    /// Makes what is not the program's, and reports at the call where it is false.
    fn need(
        self,
        b: &mut Builder,
        (kind, size): (Kind, Option<Value>),
        right: impl FnOnce(&mut Builder) -> (Value, Value),
    ) -> Value {
        let place = std::mem::replace(&mut b.loc, LIBRARY);
        let (right, number) = right(b);
        unless(b, right, |b| {
            let code = b.const_int(Type::I32, (MARKED | code(kind)).into());
            let none = b.const_int(Type::I32, 0);
            let address = b.cast(CastOp::PtrToInt, self.pipe, Type::I64);
            b.loc = place;
            let args = vec![code, size.unwrap_or(none), number, address];
            b.call(self.report, args, None);
        });
        b.loc = place;
        right
    }

    /// A word of the pipe.
    fn word(self, b: &mut Builder, index: u32) -> Value {
        let place = b.ptradd_const(self.pipe, 4 * i64::from(index));
        b.load(place, Type::I32, 4)
    }

    /// A word that others change.
    fn now(self, b: &mut Builder, place: Value) -> Value {
        let (relaxed, device) = (Order::Relaxed, Scope::Device);
        b.atomic(
            AtomicOp::Load,
            Addr::Ptr(place),
            Vec::new(),
            Type::I32,
            relaxed,
            device,
        )
    }

    fn size(self, b: &mut Builder, size: Value) {
        self.need(b, (Kind::PacketSize, Some(size)), |b| {
            let own = self.word(b, PACKET_SIZE);
            let number = b.cast(CastOp::ZExt, own, Type::I64);
            (b.compare(CmpOp::Eq, own, size), number)
        });
    }

    /// bool: the reservation is one of the pipe's, and not committed.
    fn reservation(self, b: &mut Builder, id: Value, reads: bool) -> Value {
        self.need(b, (Kind::Reservation, None), |b| {
            let [position, count] = parts(b, id);
            let ends = if reads { READ_ENDS } else { WRITE_ENDS };
            let [first, behind] = ends.map(|word| {
                let place = b.ptradd_const(self.pipe, 4 * i64::from(word));
                self.now(b, place)
            });
            let positions = self.word(b, POSITIONS);
            let [before, all] = [position, behind].map(|to| distance(b, positions, first, to));
            let fits = b.compare(CmpOp::Ule, count, all);
            let rest = b.binary(BinOp::Sub, all, count);
            let inside = b.compare(CmpOp::Ule, before, rest);
            let zero = b.const_int(Type::I32, 0);
            let any = b.compare(CmpOp::Ne, count, zero);
            // The mark of its first packet.
            let capacity = self.word(b, CAPACITY);
            let slot = b.binary(BinOp::URem, position, capacity);
            let slot = b.cast(CastOp::ZExt, slot, Type::I64);
            let word = b.const_int(Type::I64, 4);
            let bytes = b.binary(BinOp::Mul, slot, word);
            let marks = b.ptradd_const(self.pipe, 4 * i64::from(MARKS));
            let place = b.ptradd(marks, bytes);
            let mark = self.now(b, place);
            let twice = b.binary(BinOp::Add, position, position);
            let committed = b.const_int(Type::I32, if reads { 3 } else { 2 });
            let committed = b.binary(BinOp::Add, twice, committed);
            let open = b.compare(CmpOp::Ne, mark, committed);
            let right = [fits, inside, any]
                .into_iter()
                .fold(open, |all, more| b.binary(BinOp::And, all, more));
            (right, id)
        })
    }

    /// `open`: whether the reservation is right.
    fn index(self, b: &mut Builder, id: Value, index: Value, open: Value) {
        self.need(b, (Kind::PacketIndex, None), |b| {
            let [_, count] = parts(b, id);
            let inside = b.compare(CmpOp::Ult, index, count);
            let quiet = b.const_bool(true);
            let right = b.select(open, inside, quiet);
            let [index, count] = [index, count].map(|n| b.cast(CastOp::ZExt, n, Type::I64));
            let half = b.const_int(Type::I64, 32);
            let count = b.binary(BinOp::Shl, count, half);
            (right, b.binary(BinOp::Or, count, index))
        });
    }
}

/// Words of a pipe, as in shaders/pipe.cl.
const CAPACITY: u32 = 0;
const PACKET_SIZE: u32 = 1;
const POSITIONS: u32 = 2;
const MARKS: u32 = 64;
/// Between these lie reservations that are not committed.
const WRITE_ENDS: [u32; 2] = [33, 16];
const READ_ENDS: [u32; 2] = [17, 32];

/// The first position of a reservation, and how many packets it has.
fn parts(b: &mut Builder, id: Value) -> [Value; 2] {
    let half = b.const_int(Type::I64, 32);
    let high = b.binary(BinOp::LShr, id, half);
    [id, high].map(|part| b.cast(CastOp::Trunc, part, Type::I32))
}

fn distance(b: &mut Builder, positions: Value, from: Value, to: Value) -> Value {
    let straight = b.binary(BinOp::Sub, to, from);
    let around = b.binary(BinOp::Add, straight, positions);
    let behind = b.compare(CmpOp::Uge, to, from);
    b.select(behind, straight, around)
}

const KINDS: [Kind; 3] = [Kind::PacketSize, Kind::PacketIndex, Kind::Reservation];

fn code(kind: Kind) -> u32 {
    let index = KINDS.iter().position(|&k| k == kind);
    index.unwrap_or_default() as u32
}

impl Instrument<'_, '_> {
    /// A call that [`mark`] has made gets its site and object.
    pub(super) fn marked(&mut self, code: u32, args: &[Value]) {
        let (Some(&kind), &[_, size, number, address]) = (KINDS.get(code as usize), args) else {
            return;
        };
        let size = self.constants.get(size).unwrap_or_default() as u32;
        let site = self.reporter.site(kind, size, 0);
        let pipe = self.objects.integers.get(&address).copied();
        let object = match pipe.and_then(|pipe| self.known(pipe)) {
            Some(known) => self.b.const_int(Type::I32, known.id.into()),
            None => no_object(&mut self.b),
        };
        let none = self.b.const_int(Type::I64, 0);
        self.reporter
            .call(&mut self.b, site, object, [number, none]);
    }
}
