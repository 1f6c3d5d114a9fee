//! Lists whose length the application decides: if there is no memory for one, the call fails with OUT_OF_HOST_MEMORY. (Other lists
//! are short; if there is no memory for them, Rust ends the process.)

use std::collections::TryReserveError;

use crate::runtime::support::error::{ClError, ClResult};

impl From<TryReserveError> for ClError {
    fn from(_: TryReserveError) -> ClError {
        ClError::OUT_OF_HOST_MEMORY
    }
}

/// An empty list with capacity for `len` items.
pub fn list<T>(len: usize) -> ClResult<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(len)?;
    Ok(list)
}

/// A list of the items of an iterator of known length.
pub fn collect<T>(items: impl ExactSizeIterator<Item = T>) -> ClResult<Vec<T>> {
    let mut all = list(items.len())?;
    all.extend(items);
    Ok(all)
}

/// A copy of the items.
pub fn copy<T: Copy>(items: &[T]) -> ClResult<Vec<T>> {
    collect(items.iter().copied())
}

/// A list of `len` zeros.
pub fn zeros<T: Clone + Default>(len: usize) -> ClResult<Vec<T>> {
    let mut zeros = list(len)?;
    zeros.resize(len, T::default());
    Ok(zeros)
}

/// Appends to a list.
pub fn push<T>(list: &mut Vec<T>, item: T) -> ClResult {
    list.try_reserve(1)?;
    list.push(item);
    Ok(())
}

/// Appends bytes to a text. Bytes that are no UTF-8 are replaced.
pub fn append(text: &mut String, bytes: &[u8]) -> ClResult {
    text.try_reserve(bytes.len())?;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            // The replacement may be longer than what it replaces.
            text.try_reserve(bytes.len() + char::REPLACEMENT_CHARACTER.len_utf8())?;
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_an_error() {
        let huge = isize::MAX as usize;
        assert_eq!(list::<u8>(huge), Err(ClError::OUT_OF_HOST_MEMORY));
        assert_eq!(zeros::<u64>(huge / 2), Err(ClError::OUT_OF_HOST_MEMORY));
        assert_eq!(zeros::<u64>(3), Ok(vec![0; 3]));
        assert_eq!(copy(&[1, 2]), Ok(vec![1, 2]));
    }

    #[test]
    fn texts_are_what_lossy_conversion_makes() {
        for bytes in [
            &b"plain"[..],
            "\u{e9}t\u{e9}".as_bytes(),
            b"a\xff\xfeb\xc3",
            b"",
        ] {
            let mut text = String::from("x");
            assert_eq!(append(&mut text, bytes), Ok(()));
            assert_eq!(text, format!("x{}", String::from_utf8_lossy(bytes)));
        }
    }
}
