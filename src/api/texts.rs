//! Texts that applications read into arrays of a fixed size, kept to lengths that fit there: who asks with
//! too little room gets CL_INVALID_VALUE, and then does without the device.

/// Bytes of CL_DRIVER_VERSION without its final 0: BOINC has an array of 32.
const DRIVER_VERSION: usize = 31;
/// Bytes of names: arrays of 64 are common.
const NAME: usize = 63;

/// A name in one line, cut where it is too long.
pub fn name(text: &str) -> String {
    cut(&in_one_line(text), NAME).into()
}

/// CL_DRIVER_VERSION: Caldera's `version` and, in parentheses, what there is room for of the Vulkan
/// driver's name and of what it says of itself, which is its own version as a rule.
pub fn driver_version(version: &str, driver: &str, info: &str) -> String {
    let (driver, info) = (in_one_line(driver), in_one_line(info));
    // Such as its compiler's version.
    let brief = info.split(" (").next().unwrap_or_default();
    let last = if brief.is_empty() { &driver } else { brief };
    let capacity = DRIVER_VERSION.saturating_sub(version.len() + " ()".len());
    let forms = [format!("{driver} {info}"), format!("{driver} {brief}")];
    let whole = forms.iter().map(|form| form.trim());
    let form = whole.chain([last]).find(|form| form.len() <= capacity);
    let form = form.unwrap_or_else(|| cut(last, capacity));
    match form.is_empty() {
        true => cut(version, DRIVER_VERSION).into(),
        false => format!("{version} ({form})"),
    }
}

/// With single spaces for line ends, tabulators and the like.
fn in_one_line(text: &str) -> String {
    let plain = text.replace(char::is_control, " ");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning, of at most `capacity` bytes.
fn cut(text: &str, capacity: usize) -> &str {
    let ends = (0..=capacity.min(text.len())).rev();
    let end = ends.into_iter().find(|&end| text.is_char_boundary(end));
    text[..end.unwrap_or(0)].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What drivers say of themselves, and what is kept of it.
    const DRIVERS: &[(&str, &str, &str)] = &[
        (
            "llvmpipe",
            "Mesa 22.3.6 (LLVM 15.0.6)",
            "0.1.0 (llvmpipe Mesa 22.3.6)",
        ),
        (
            "llvmpipe",
            "Mesa 25.0.7-2~bpo12+1 (LLVM 19.1.4)",
            "0.1.0 (Mesa 25.0.7-2~bpo12+1)",
        ),
        ("NVIDIA", "580.95.05", "0.1.0 (NVIDIA 580.95.05)"),
        (
            "radv",
            "Mesa 24.2.8-1ubuntu1~24.04.1",
            "0.1.0 (Mesa 24.2.8-1ubuntu1~24)",
        ),
        (
            "Intel open-source Mesa driver",
            "Mesa 24.2.8",
            "0.1.0 (Mesa 24.2.8)",
        ),
        ("AMD proprietary driver", "24.20 (LLPC)", "0.1.0 (24.20)"),
        ("SwiftShader driver", "", "0.1.0 (SwiftShader driver)"),
        (
            "Qualcomm Technologies Inc. Adreno Vulkan Driver",
            "Driver Build: 85da404, I46ff5fc46f, 1606794520\nDate: 11/30/20",
            "0.1.0 (Driver Build: 85da404,)",
        ),
        (
            "Mali",
            "v1.r32p1-01eac0.\u{e4}\u{f6}\u{fc}\u{e4}\u{f6}\u{fc}",
            "0.1.0 (v1.r32p1-01eac0.\u{e4}\u{f6}\u{fc})",
        ),
        ("", "", "0.1.0"),
    ];

    #[test]
    fn driver_versions_fit() {
        for (driver, info, text) in DRIVERS {
            assert_eq!(driver_version("0.1.0", driver, info), *text);
            for version in ["12.345.678", "1.0.0-a.very.long.version.of.some.build"] {
                let text = driver_version(version, driver, info);
                assert!(text.len() <= DRIVER_VERSION, "{text}");
                assert_eq!(text[..10], version[..10]);
            }
        }
    }

    #[test]
    fn names_fit() {
        assert_eq!(name(" NVIDIA\tH100\n80GB "), "NVIDIA H100 80GB");
        let long = "\u{e4}".repeat(40);
        assert_eq!(name(&long), "\u{e4}".repeat(31));
    }
}
