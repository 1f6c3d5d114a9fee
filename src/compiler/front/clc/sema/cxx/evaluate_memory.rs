//! Memory of constant evaluation: objects of bytes.

use super::super::Sema;
use super::super::tree::{Init, Place, PlaceKind};
use super::super::types::{Ty, TypeKind};
use super::evaluate::{Base, Machine, Object, Pointer, Value};
use std::collections::BTreeMap;

/// Places that one store of an initialiser is repeated in.
const MAX_PLACES: usize = 1 << 16;

impl Machine {
    pub fn read(&mut self, s: &Sema, at: Pointer, ty: Ty) -> Option<Value> {
        let object = match at.base? {
            Base::Object(object) => object,
            Base::Global(id) => self.global(s, id)?,
        };
        let object = &self.objects[object];
        let start = usize::try_from(at.offset).ok()?;
        let size = s.types.size(ty) as usize;
        let end = start.checked_add(size)?;
        let bytes = object.bytes.get(start..end)?;
        match s.types.kind(ty) {
            TypeKind::Pointer(_) | TypeKind::Reference(..) => {
                object.known[start..end].iter().all(|k| *k).then_some(())?;
                if let Some(&pointer) = object.pointers.get(&(start as u64)) {
                    return Some(Value::Pointer(pointer));
                }
                let offset = i64::from_le_bytes(bytes.try_into().ok()?);
                Some(Value::Pointer(Pointer { base: None, offset }))
            }
            TypeKind::Record(_) | TypeKind::Array(..) => {
                let pointers = object.pointers.range(start as u64..end as u64);
                let pointers = pointers.map(|(&o, &p)| (o - start as u64, p)).collect();
                Some(Value::Bytes(Object {
                    bytes: bytes.to_vec(),
                    known: object.known[start..end].to_vec(),
                    pointers,
                }))
            }
            _ => {
                object.known[start..end].iter().all(|k| *k).then_some(())?;
                let arith = s.types.arith(ty)?;
                let width = arith.prim.size() as usize;
                let word =
                    |lane: &[u8]| lane.iter().rev().fold(0u64, |w, &b| w << 8 | u64::from(b));
                let lanes = bytes.chunks(width).take(arith.lanes as usize).map(word);
                Some(Value::Lanes(lanes.collect()))
            }
        }
    }

    pub fn write(&mut self, s: &Sema, at: Pointer, ty: Ty, value: &Value) -> Option<()> {
        // Only what this evaluation has made may change.
        let object = match at.base? {
            Base::Object(object) => object,
            Base::Global(id) if self.made == Some(id) => self.global(s, id)?,
            Base::Global(_) => {
                self.never = true;
                return None;
            }
        };
        let start = usize::try_from(at.offset).ok()?;
        let size = s.types.size(ty) as usize;
        let end = start.checked_add(size)?;
        let object = &mut self.objects[object];
        if end > object.bytes.len() {
            return None;
        }
        let stale: Vec<u64> = object
            .pointers
            .range(start as u64..end as u64)
            .map(|p| *p.0)
            .collect();
        for offset in stale {
            object.pointers.remove(&offset);
        }
        match value {
            Value::Lanes(lanes) => {
                let bytes = s.constant_bytes(ty, lanes);
                let len = bytes.len().min(size);
                object.bytes[start..start + len].copy_from_slice(&bytes[..len]);
                object.known[start..end].fill(true);
            }
            Value::Pointer(pointer) => {
                object.bytes[start..end].copy_from_slice(pointer.offset.to_le_bytes().get(..size)?);
                object.known[start..end].fill(true);
                if pointer.base.is_some() {
                    object.pointers.insert(start as u64, *pointer);
                }
            }
            Value::Bytes(from) => {
                let len = from.bytes.len().min(size);
                object.bytes[start..start + len].copy_from_slice(&from.bytes[..len]);
                object.known[start..start + len].copy_from_slice(&from.known[..len]);
                for (&offset, &pointer) in &from.pointers {
                    object.pointers.insert(start as u64 + offset, pointer);
                }
            }
            Value::Void => return None,
        }
        Some(())
    }

    pub fn place(&mut self, s: &mut Sema, place: &Place) -> Option<Pointer> {
        self.step()?;
        match &place.kind {
            PlaceKind::Local(id) => {
                let object = self.local(s, *id, place.ty)?;
                Some(Pointer {
                    base: Some(Base::Object(object)),
                    offset: 0,
                })
            }
            PlaceKind::Global(id) => Some(Pointer {
                base: Some(Base::Global(*id)),
                offset: 0,
            }),
            PlaceKind::Deref(e) => match self.expr(s, e)? {
                Value::Pointer(pointer) => Some(pointer),
                _ => None,
            },
            PlaceKind::Field(base, offset) => {
                let base = self.place(s, base)?;
                Some(Pointer {
                    offset: base.offset.checked_add(*offset as i64)?,
                    ..base
                })
            }
            PlaceKind::Index(base, index) | PlaceKind::Lane(base, index) => {
                let base = self.place(s, base)?;
                let index = self.integer(s, index)?;
                let step = index.checked_mul(s.types.size(place.ty) as i64)?;
                Some(Pointer {
                    offset: base.offset.checked_add(step)?,
                    ..base
                })
            }
            PlaceKind::Lanes(base, lanes) => {
                let [lane] = lanes[..] else { return None };
                let base = self.place(s, base)?;
                let step = i64::from(lane) * s.types.size(place.ty) as i64;
                Some(Pointer {
                    offset: base.offset.checked_add(step)?,
                    ..base
                })
            }
            PlaceKind::Temp(e) => {
                let value = self.expr(s, e)?;
                let size = s.types.size(place.ty);
                let object = self.new_object(size, false);
                let at = Pointer {
                    base: Some(Base::Object(object)),
                    offset: 0,
                };
                self.write(s, at, place.ty, &value)?;
                Some(at)
            }
            PlaceKind::Literal(id, init) => {
                let size = s.types.size(place.ty);
                let object = self.new_object(size, false);
                self.bind(*id, object);
                self.init(s, object, place.ty, init)?;
                Some(Pointer {
                    base: Some(Base::Object(object)),
                    offset: 0,
                })
            }
        }
    }

    pub fn init(&mut self, s: &mut Sema, object: usize, ty: Ty, init: &Init) -> Option<()> {
        let at = |offset: u64| Pointer {
            base: Some(Base::Object(object)),
            offset: offset as i64,
        };
        match init {
            Init::Value(e) => {
                let value = self.expr(s, e)?;
                self.write(s, at(0), ty, &value)
            }
            Init::Bytes(bytes) => {
                let size = s.types.size(ty);
                let value = Object {
                    bytes: bytes.bytes.get(0, size as usize),
                    known: vec![true; size as usize],
                    pointers: BTreeMap::new(),
                };
                self.write(s, at(0), ty, &Value::Bytes(value))
            }
            Init::Aggregate { zero, stores } => {
                if *zero {
                    let size = s.types.size(ty);
                    self.write(s, at(0), ty, &Value::Bytes(Object::new(size, true)))?;
                }
                for store in stores {
                    let value = self.expr(s, &store.value)?;
                    let mut places = vec![store.offset];
                    for repeat in &store.repeats {
                        let further = places.iter().flat_map(|&first| {
                            (0..repeat.count).map(move |i| first + i * repeat.step)
                        });
                        places = further.take(MAX_PLACES + 1).collect();
                    }
                    if places.len() > MAX_PLACES {
                        return None;
                    }
                    for place in places {
                        self.write(s, at(place), store.value.ty, &value)?;
                    }
                }
                Some(())
            }
        }
    }
}
