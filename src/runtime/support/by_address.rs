//! Objects that are found by an address inside them, on the host or a device. The list does not keep them alive.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock, RwLockReadGuard, Weak};

use crate::os::sync::Unpoisoned;

/// An object and its bytes.
struct Entry<T: ?Sized> {
    object: Weak<T>,
    size: u64,
}

type Map<T> = BTreeMap<usize, Entry<T>>;

/// Objects by the address of their first byte. Under the lock there is no reference that keeps one alive: it might become
/// the last, and an object that ends takes itself off the list.
pub struct ByAddress<T: ?Sized> {
    objects: RwLock<Map<T>>,
    any: AtomicBool,
}

impl<T: ?Sized> Default for ByAddress<T> {
    fn default() -> ByAddress<T> {
        ByAddress {
            objects: RwLock::default(),
            any: AtomicBool::new(false),
        }
    }
}

impl<T: ?Sized> ByAddress<T> {
    fn read(&self) -> RwLockReadGuard<'_, Map<T>> {
        self.objects.read().unpoisoned()
    }

    fn change(&self, change: impl FnOnce(&mut Map<T>)) {
        let mut objects = self.objects.write().unpoisoned();
        change(&mut objects);
        self.any.store(!objects.is_empty(), Ordering::Release);
    }

    /// Adds an object of `size` bytes. It is found until it is dropped.
    pub fn add(&self, address: usize, size: u64, object: Weak<T>) {
        self.change(|objects| {
            objects.insert(address, Entry { object, size });
        });
    }

    /// Removes objects that have been dropped.
    pub fn prune(&self) {
        self.change(|objects| objects.retain(|_, entry| entry.object.strong_count() > 0));
    }

    /// Removes the object at `address`, which has been dropped.
    pub fn remove(&self, address: usize) {
        // A new object may have the same address by now.
        let gone = |objects: &Map<T>| {
            objects
                .get(&address)
                .is_some_and(|entry| entry.object.strong_count() == 0)
        };
        self.change(|objects| {
            if gone(objects) {
                objects.remove(&address);
            }
        });
    }

    /// The object that contains `size` bytes from `address`, and their offset in it.
    pub fn find(&self, address: usize, size: u64) -> Option<(Arc<T>, u64)> {
        if !self.any.load(Ordering::Acquire) {
            return None;
        }
        let (object, offset) = {
            let objects = self.read();
            let (start, entry) = objects.range(..=address).next_back()?;
            let offset = (address - start) as u64;
            let inside = offset.checked_add(size)? <= entry.size;
            inside.then(|| (entry.object.clone(), offset))?
        };
        Some((object.upgrade()?, offset))
    }

    /// All objects.
    pub fn all(&self) -> Vec<Arc<T>> {
        if !self.any.load(Ordering::Acquire) {
            return Vec::new();
        }
        let objects = self.read();
        let all: Vec<Weak<T>> = objects.values().map(|e| e.object.clone()).collect();
        drop(objects);
        all.iter().filter_map(Weak::upgrade).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_by_what_lies_in_them() {
        let objects: ByAddress<str> = ByAddress::default();
        let name = |found: Option<(Arc<str>, u64)>| found.map(|(name, at)| (name.to_string(), at));
        let (a, b): (Arc<str>, Arc<str>) = ("a".into(), "b".into());
        objects.add(100, 10, Arc::downgrade(&a));
        objects.add(110, 5, Arc::downgrade(&b));
        for (address, size, found) in [
            (99, 1, None),
            (100, 10, Some(("a", 0))),
            (109, 1, Some(("a", 9))),
            (109, 2, None),
            (112, 3, Some(("b", 2))),
            (112, u64::MAX, None),
            (115, 1, None),
        ] {
            let found = found.map(|(name, at): (&str, u64)| (name.to_string(), at));
            assert_eq!(name(objects.find(address, size)), found, "{address} {size}");
        }
        drop(a);
        objects.remove(100);
        objects.remove(110);
        assert_eq!(objects.find(100, 1), None);
        assert_eq!(objects.all(), std::slice::from_ref(&b));
        drop(b);
        objects.prune();
        assert!(objects.all().is_empty());
    }
}
