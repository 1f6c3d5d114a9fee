//! The stores that an initialiser makes, in order. A later store replaces those that it covers. A range of designators is one store
//! that is repeated.

use std::collections::BTreeMap;

use super::Sema;
use super::consts::Value;
use super::tree::{ConstInit, Expr, ExprKind, InitStore, Place, PlaceKind, Repeat};
use super::types::{QualTy, Ty};
use crate::source::SourceLoc;

#[derive(Clone)]
pub enum Written {
    Value(Expr),
    /// A string, and the type of its elements.
    Text(Vec<u8>, Ty),
}

/// `loc` is where it starts in the source.
#[derive(Clone)]
pub struct Store {
    pub offset: u64,
    /// Bytes in one place.
    size: u64,
    pub written: Written,
    repeats: Vec<Repeat>,
    pub loc: SourceLoc,
}

impl Store {
    /// The end of the bytes.
    fn end(&self) -> u64 {
        let further = self
            .repeats
            .iter()
            .map(|r| (r.count - 1).saturating_mul(r.step));
        further.fold(self.offset.saturating_add(self.size), u64::saturating_add)
    }

    fn places(&self) -> u64 {
        let counts = self.repeats.iter().map(|r| r.count);
        counts.fold(1, u64::saturating_mul)
    }
}

/// Calls `f` with the offset of each place.
fn each_place(repeats: &[Repeat], offset: u64, f: &mut impl FnMut(u64)) {
    match repeats.split_last() {
        None => f(offset),
        Some((outermost, inner)) => {
            for i in 0..outermost.count {
                each_place(inner, offset + i * outermost.step, f);
            }
        }
    }
}

/// What an initialiser writes.
#[derive(Default)]
pub struct Filled {
    /// `None`: a later store has replaced it.
    stores: Vec<Option<Store>>,
    /// With designators: the stores by their offsets.
    by_offset: BTreeMap<u64, Vec<usize>>,
    /// Designators may write twice or out of order.
    pub designated: bool,
    pub error: bool,
    /// The object that is initialised, where its place is known.
    pub object: Option<(Place, QualTy)>,
}

impl Filled {
    pub fn push(&mut self, offset: u64, size: u64, written: Written, loc: SourceLoc) {
        self.add(Store {
            offset,
            size,
            written,
            repeats: Vec::new(),
            loc,
        });
    }

    fn add(&mut self, store: Store) {
        if self.designated {
            self.replace(&store);
            let places = self.by_offset.entry(store.offset).or_default();
            places.push(self.stores.len());
        }
        self.stores.push(Some(store));
    }

    /// From here on stores may overlap earlier ones.
    pub fn designate(&mut self) {
        if !std::mem::replace(&mut self.designated, true) {
            for (i, store) in self.stores.iter().flatten().enumerate() {
                self.by_offset.entry(store.offset).or_default().push(i);
            }
        }
    }

    /// Drops the stores that this one covers.
    fn replace(&mut self, store: &Store) {
        // A repeated store may have gaps.
        let dense = store.repeats.iter().all(|r| r.step == store.size) && store.repeats.len() < 2;
        if !dense {
            return;
        }
        let end = store.end();
        let stores = &mut self.stores;
        for (_, here) in self.by_offset.range_mut(store.offset..end) {
            here.retain(|&i| {
                let covered = stores[i].as_ref().is_some_and(|old| old.end() <= end);
                if covered {
                    stores[i] = None;
                }
                !covered
            });
        }
        let emptied = self.by_offset.range(store.offset..end);
        let emptied: Vec<u64> = emptied
            .filter(|(_, here)| here.is_empty())
            .map(|(&at, _)| at)
            .collect();
        for at in emptied {
            self.by_offset.remove(&at);
        }
    }

    /// The number of stores, for [`Filled::repeat`].
    pub fn mark(&self) -> usize {
        self.stores.len()
    }

    /// Repeats the stores behind a mark.
    pub fn repeat(&mut self, mark: usize, repeat: Repeat) {
        let made: Vec<Store> = self.stores.drain(mark..).flatten().collect();
        for store in &made {
            if let Some(here) = self.by_offset.get_mut(&store.offset) {
                here.retain(|&i| i < mark);
            }
        }
        for mut store in made {
            store.repeats.push(repeat);
            self.add(store);
        }
    }

    pub fn stores(&self) -> impl Iterator<Item = &Store> {
        self.stores.iter().flatten()
    }

    /// The values, and bytes of strings, that are written.
    pub fn count(&self) -> u64 {
        let one = |store: &Store| match &store.written {
            Written::Value(_) => store.places(),
            Written::Text(bytes, _) => store.places().saturating_mul(bytes.len() as u64),
        };
        self.stores().map(one).fold(0, u64::saturating_add)
    }

    /// The value, if the initialiser is only that.
    pub fn only_value(&self) -> Option<&Expr> {
        let mut stores = self.stores();
        match (stores.next(), stores.next()) {
            (
                Some(Store {
                    written: Written::Value(value),
                    repeats,
                    ..
                }),
                None,
            ) if repeats.is_empty() => Some(value),
            _ => None,
        }
    }

    /// As stores at run time.
    pub fn into_stores(self) -> Vec<InitStore> {
        let mut out = Vec::new();
        for store in self.stores.into_iter().flatten() {
            let (offset, repeats) = (store.offset, store.repeats);
            match store.written {
                Written::Value(value) => out.push(InitStore {
                    offset,
                    value,
                    repeats,
                }),
                Written::Text(bytes, elem) => {
                    for (i, &byte) in (0u64..).zip(&bytes) {
                        out.push(InitStore {
                            offset: offset + i,
                            value: Expr::new(ExprKind::Const(byte.into()), elem, store.loc),
                            repeats: repeats.clone(),
                        });
                    }
                }
            }
        }
        out
    }
}

impl Sema<'_> {
    /// Bytes that a store writes that are not padding of its type.
    pub fn leaf_bytes(&self, store: &Store) -> u64 {
        let one = match &store.written {
            Written::Value(value) => self.types.leaf_bytes(value.ty),
            Written::Text(bytes, _) => bytes.len() as u64,
        };
        one.saturating_mul(store.places())
    }

    /// Writes a store whose value is constant. False if it is not.
    pub fn write_store(&self, out: &mut ConstInit, store: &Store, addresses: bool) -> bool {
        let bytes = match &store.written {
            Written::Text(bytes, _) => bytes.clone(),
            Written::Value(e) => match self.evaluate(e) {
                Some(Value::Address(var, addend)) if addresses => {
                    each_place(&store.repeats, store.offset, &mut |at| {
                        out.write_address(at, var, addend);
                    });
                    return true;
                }
                Some(Value::Lanes(lanes)) => self.constant_bytes(e.ty, &lanes),
                _ if addresses => return self.copy_constant(out, store, e),
                _ => return false,
            },
        };
        match store.repeats.first() {
            // Most stores follow each other without gaps.
            Some(inner) if inner.step == bytes.len() as u64 => {
                let row = bytes.repeat(inner.count as usize);
                each_place(&store.repeats[1..], store.offset, &mut |at| {
                    out.write(at, &row)
                });
            }
            _ => each_place(&store.repeats, store.offset, &mut |at| {
                out.write(at, &bytes)
            }),
        }
        true
    }

    /// The bytes of another constant object.
    fn copy_constant(&self, out: &mut ConstInit, store: &Store, e: &Expr) -> bool {
        let ExprKind::Load(place) = &e.kind else {
            return false;
        };
        let PlaceKind::Global(id) = place.kind else {
            return false;
        };
        let global = &self.globals[id.0 as usize];
        // Nothing has changed a compound literal before the program starts.
        let fixed = self.global_quals[id.0 as usize].is_const || global.name.starts_with('.');
        let (true, Some(init)) = (fixed, &global.init) else {
            return false;
        };
        let bytes = init.bytes.get(0, self.types.size(global.ty) as usize);
        each_place(&store.repeats, store.offset, &mut |at| {
            out.write(at, &bytes);
            for (&offset, &(var, addend)) in &init.relocs {
                out.write_address(at + offset, var, addend);
            }
        });
        true
    }
}
