//! Chooses the pieces of each object.

use std::collections::{BTreeSet, VecDeque};

use super::uses::{CopyUse, Object, Place, Uses};
use crate::ir::{Scalar, Type};
use crate::pass::ssa::pun::{can_reinterpret, stored_bytes};

/// An object with more pieces stays whole.
const MAX_PIECES: usize = 256;

/// Bytes that become an object of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub start: u32,
    pub end: u32,
    /// At least as long.
    pub ty: Type,
}

/// The pieces by object, in order; `None` for objects that stay whole.
pub(super) fn choose(uses: &mut Uses) -> Vec<Option<Vec<Piece>>> {
    // An object that turns out to stay whole is memory for what is copied from and to it, which
    // can only make other objects' pieces simpler.
    loop {
        share_accesses(uses);
        let pieces: Vec<_> = uses.objects.iter().map(pieces_of).collect();
        let mut all = true;
        for (object, pieces) in uses.objects.iter_mut().zip(&pieces) {
            if object.known && pieces.is_none() {
                object.known = false;
                all = false;
            }
        }
        if all {
            return pieces;
        }
    }
}

/// Gives both sides of each copy the same accesses, and gaps in what is copied accesses of words.
fn share_accesses(uses: &mut Uses) {
    let copies = std::mem::take(&mut uses.copies);
    let mut of_object = vec![Vec::new(); uses.objects.len()];
    for copy in &copies {
        of_object[copy.to.object].push(*copy);
        of_object[copy.from.object].push(*copy);
    }
    uses.copies = copies;
    spread(
        &mut uses.objects,
        &of_object,
        (0..of_object.len()).collect(),
    );
    for i in 0..uses.objects.len() {
        if uses.objects[i].known && fill_gaps(&mut uses.objects[i]) {
            spread(&mut uses.objects, &of_object, [i].into());
        }
    }
}

/// Spreads the accesses of the objects in `work` along copies, as far as they go.
fn spread(objects: &mut [Object], copies: &[Vec<CopyUse>], mut work: VecDeque<usize>) {
    while let Some(object) = work.pop_front() {
        for copy in &copies[object] {
            if objects[copy.to.object].known && objects[copy.from.object].known {
                for (from, to) in [(copy.from, copy.to), (copy.to, copy.from)] {
                    if spread_one(objects, from, to, copy.size) {
                        work.push_back(to.object);
                    }
                }
            }
        }
    }
}

fn spread_one(objects: &mut [Object], from: Place, to: Place, size: u32) -> bool {
    let (start, end) = (from.offset, from.offset + size);
    let moved: Vec<(u32, Type)> = objects[from.object]
        .accesses
        .range((start, Type::BOOL)..)
        .take_while(|(offset, _)| *offset < end)
        .filter(|(offset, ty)| offset + stored_bytes(*ty) <= end)
        .map(|&(offset, ty)| (offset - start + to.offset, ty))
        .collect();
    let accesses = &mut objects[to.object].accesses;
    let before = accesses.len();
    accesses.extend(moved);
    accesses.len() > before
}

/// Adds pieces for bytes that are only copied. Returns whether there were any.
fn fill_gaps(object: &mut Object) -> bool {
    let covered: Vec<(u32, u32)> = object
        .accesses
        .iter()
        .map(|&(start, ty)| (start, start + stored_bytes(ty)))
        .collect();
    // Where all that begins no later ends.
    let mut ends: Vec<u32> = covered.iter().map(|c| c.1).collect();
    for i in 1..ends.len() {
        ends[i] = ends[i].max(ends[i - 1]);
    }
    let before = object.accesses.len();
    for &(start, end) in &object.ranges {
        let first = covered.partition_point(|c| c.0 < start);
        let reached = first.checked_sub(1).map_or(0, |i| ends[i]);
        let (mut at, mut words) = (start.max(reached), 0);
        let behind = covered[first..].iter().take_while(|c| c.0 < end);
        for &(from, to) in behind.chain(&[(end, end)]) {
            while at < from.min(end) {
                let size = word_at(at, from.min(end) - at);
                object
                    .accesses
                    .insert((at, Type::scalar(Scalar::int(size * 8))));
                at += size;
                words += 1;
                // Words of one range do not overlap: each would be a piece.
                if words > MAX_PIECES {
                    object.known = false;
                    return false;
                }
            }
            at = at.max(to);
        }
    }
    object.accesses.len() > before
}

/// Bytes of the largest word at this offset that is aligned and not longer than `left`.
fn word_at(offset: u32, left: u32) -> u32 {
    let fits = |size: &u32| offset.is_multiple_of(*size) && *size <= left;
    [4, 2].into_iter().find(fits).unwrap_or(1)
}

fn pieces_of(object: &Object) -> Option<Vec<Piece>> {
    if !object.known {
        return None;
    }
    let mut pieces = Vec::new();
    let mut accesses = object.accesses.iter().copied().peekable();
    while let Some(first) = accesses.next() {
        let mut group = BTreeSet::from([first]);
        let mut end = first.0 + stored_bytes(first.1);
        while let Some(&(start, ty)) = accesses.peek()
            && start < end
        {
            end = end.max(start + stored_bytes(ty));
            group.insert((start, ty));
            accesses.next();
        }
        pieces.push(piece(&group, first.0, end)?);
        if pieces.len() > MAX_PIECES {
            return None;
        }
    }
    let cut = |&(start, end): &(u32, u32)| {
        let inside = |p: &Piece, at| p.start < at && at < p.end;
        pieces.iter().any(|p| inside(p, start) || inside(p, end))
    };
    let lanes_fit = |lane: &Type| {
        matches!(pieces[..], [Piece { start: 0, ty, .. }] if ty.lanes > 1
            && ty.size() >= object.size
            && can_reinterpret(ty.element(), *lane))
    };
    let fine = !object.ranges.iter().any(cut) && object.lanes.iter().all(lanes_fit);
    fine.then_some(pieces)
}

/// The piece that serves all these accesses, which lie between `start` and `end`.
fn piece(group: &BTreeSet<(u32, Type)>, start: u32, end: u32) -> Option<Piece> {
    let (_, first) = *group.first()?;
    let whole = |&(at, ty): &(u32, Type)| at == start && can_reinterpret(first, ty);
    if group.iter().all(whole) {
        let ty = first;
        return Some(Piece { start, end, ty });
    }
    // A vector of the smallest scalars.
    let size = group.iter().map(|(_, ty)| ty.scalar.size()).min()?;
    let scalars: BTreeSet<Scalar> = group
        .iter()
        .map(|(_, ty)| ty.scalar)
        .filter(|s| s.size() == size)
        .collect();
    let element = match scalars.first() {
        Some(&s) if scalars.len() == 1 && (s.is_int() || s.is_float()) => s,
        _ => Scalar::int(size * 8),
    };
    if !(end - start).is_multiple_of(size) {
        return None;
    }
    let lanes = [2, 3, 4, 8, 16]
        .into_iter()
        .find(|&n| n >= (end - start) / size)?;
    let ty = Type::vector(element, lanes as u8);
    let some_lanes = |&(at, access): &(u32, Type)| {
        let bytes = stored_bytes(access);
        let lanes = bytes / size;
        (at - start).is_multiple_of(size)
            && bytes.is_multiple_of(size)
            && matches!(lanes, 1 | 2 | 3 | 4 | 8 | 16)
            && can_reinterpret(ty.with_lanes(lanes as u8), access)
    };
    let all = group.iter().all(some_lanes);
    all.then_some(Piece { start, end, ty })
}
