//! Encoding of values as bytes, for program binaries and the disk cache, and checksums. Integers are little endian; a sequence has
//! its length in front. Decoding checks everything: damaged bytes give `None`, and a length is used only if that many bytes follow.

use std::sync::Arc;

use crate::runtime::support::hash::Digest;

pub trait Wire: Sized {
    fn put(&self, out: &mut Vec<u8>);
    /// Decodes a value from the front of `input` and removes its bytes.
    fn get(input: &mut &[u8]) -> Option<Self>;
}

pub fn to_bytes(value: &impl Wire) -> Vec<u8> {
    let mut out = Vec::new();
    value.put(&mut out);
    out
}

/// Decodes a value that takes all of `bytes`.
pub fn from_bytes<T: Wire>(mut bytes: &[u8]) -> Option<T> {
    let value = T::get(&mut bytes)?;
    bytes.is_empty().then_some(value)
}

macro_rules! numbers {
    ($($ty:ty),*) => {$(
        impl Wire for $ty {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
            fn get(input: &mut &[u8]) -> Option<Self> {
                let (bytes, rest) = input.split_first_chunk()?;
                *input = rest;
                Some(<$ty>::from_le_bytes(*bytes))
            }
        }
    )*};
}
numbers!(u8, u32, u64);

impl Wire for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        match u8::get(input)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        self.iter().for_each(|item| item.put(out));
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        let len = u64::get(input)?;
        // Each item has at least one byte.
        (len <= input.len() as u64).then_some(())?;
        (0..len).map(|_| T::get(input)).collect()
    }
}

impl Wire for String {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        out.extend(self.as_bytes());
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        let len = usize::try_from(u64::get(input)?).ok()?;
        let (bytes, rest) = input.split_at_checked(len)?;
        *input = rest;
        String::from_utf8(bytes.to_vec()).ok()
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        self.iter().for_each(|value| value.put(out));
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        match bool::get(input)? {
            true => T::get(input).map(Some),
            false => Some(None),
        }
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        Some((A::get(input)?, B::get(input)?))
    }
}

impl Wire for Digest {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend(self.0);
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        let (bytes, rest) = input.split_first_chunk()?;
        *input = rest;
        Some(Digest(*bytes))
    }
}

impl Wire for [u32; 3] {
    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|n| n.put(out));
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        Some([u32::get(input)?, u32::get(input)?, u32::get(input)?])
    }
}

/// Decodes a module's words in one step, because modules are most of what the cache returns.
impl Wire for Arc<[u32]> {
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        out.extend(self.iter().flat_map(|word| word.to_le_bytes()));
    }
    fn get(input: &mut &[u8]) -> Option<Self> {
        let len = usize::try_from(u64::get(input)?).ok()?;
        let (bytes, rest) = input.split_at_checked(len.checked_mul(size_of::<u32>())?)?;
        *input = rest;
        let words = bytes.as_chunks().0.iter();
        Some(words.map(|&word| u32::from_le_bytes(word)).collect())
    }
}

macro_rules! structs {
    ($($name:ident { $($field:ident),* $(,)? })*) => {$(
        impl Wire for $name {
            fn put(&self, out: &mut Vec<u8>) {
                let $name { $($field),* } = self;
                $($field.put(out);)*
            }
            fn get(input: &mut &[u8]) -> Option<Self> {
                Some($name { $($field: Wire::get(input)?),* })
            }
        }
    )*};
}
pub(in crate::runtime) use structs;

macro_rules! enums {
    ($($name:ident { $($tag:literal = $variant:ident
        $(($($item:ident),*))? $({ $($field:ident),* })?,)* })*) => {$(
        impl Wire for $name {
            fn put(&self, out: &mut Vec<u8>) {
                match self {$(
                    $name::$variant $(($($item),*))? $({ $($field),* })? => {
                        out.push($tag);
                        $($($item.put(out);)*)?
                        $($($field.put(out);)*)?
                    }
                )*}
            }
            fn get(input: &mut &[u8]) -> Option<Self> {
                Some(match u8::get(input)? {
                    $($tag => {
                        $($(let $item = Wire::get(input)?;)*)?
                        $name::$variant $(($($item),*))? $({ $($field: Wire::get(input)?),* })?
                    })*
                    _ => return None,
                })
            }
        }
    )*};
}
pub(in crate::runtime) use enums;

/// Appends a checksum.
pub fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    Digest::of(&bytes).put(&mut bytes);
    bytes
}

/// Removes the checksum; `None` if it is wrong.
pub fn unseal(bytes: &[u8]) -> Option<&[u8]> {
    let (rest, sum) = bytes.split_last_chunk()?;
    (Digest::of(rest) == Digest(*sum)).then_some(rest)
}
