//! The headers of OpenCL C++ 1.0, by name: texts of ours in `headers/`, which say in C++ what the
//! specification's library has, over OpenCL C's functions (see `sema/cxx/opencl_cxx.rs`). They are packed
//! by `build.rs`.

const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/headers.packed"));

/// Bytes of the pairs that bytes from 128 on stand for.
const PAIRS: usize = 256;

/// The text of a header.
pub(super) fn text(name: &str) -> Option<String> {
    let (pairs, packed) = PACKED.split_at_checked(PAIRS)?;
    let mut headers = packed.split(|&byte| byte == 0);
    let text = headers.find_map(|header| {
        let text = header.strip_prefix(name.as_bytes())?;
        text.strip_prefix(b"\n")
    })?;
    let mut out = String::new();
    let mut stack: Vec<u8> = Vec::new();
    for &byte in text {
        stack.push(byte);
        while let Some(byte) = stack.pop() {
            match byte.checked_sub(128) {
                None => out.push(char::from(byte)),
                Some(number) => {
                    let at = 2 * usize::from(number);
                    stack.extend(pairs[at..at + 2].iter().rev());
                }
            }
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    #[test]
    fn headers_are_unpacked() {
        let text = super::text("opencl_reinterpret").unwrap_or_default();
        assert_eq!(
            text,
            "#pragma once\nnamespace cl {\ntemplate <class T, class U> T as_type(const U &x) { \
             return __opencl_c(\"as_\", T)(x); }\n}\n"
        );
        assert_eq!(super::text("opencl_unknown"), None);
        assert_eq!(super::text(""), None);
    }
}
