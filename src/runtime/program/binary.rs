//! Program binaries (CL_PROGRAM_BINARIES): a container around the bytes of what was built.
//!
//! ```text
//! magic 8, format u32, kind u8, Caldera's version, target text, contents, checksum
//! ```
//!
//! The checksum is the digest of everything before it. A binary of another version or for another target cannot be used, as a
//! damaged one cannot: SPIR-V in it relies on the target's features.

use crate::compiler::driver::Object;
use crate::compiler::kernel::DeviceProgram;
use crate::compiler::target::Target;
use crate::runtime::support::hash::Digest;
use crate::runtime::support::version::VERSION;
use crate::runtime::support::wire::{Wire, from_bytes, seal, to_bytes, unseal};

const MAGIC: u64 = u64::from_le_bytes(*b"CALDERA\n");
/// The version of the layout. It increases with each change of the contents' encoding.
const FORMAT: u32 = 6;

/// What a binary holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Contents {
    /// CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT
    Object(Object),
    /// CL_PROGRAM_BINARY_TYPE_LIBRARY
    Library(Object),
    /// CL_PROGRAM_BINARY_TYPE_EXECUTABLE, with the build options, which launches need.
    Executable(DeviceProgram, String),
}

pub fn write(contents: &Contents, target: &Target) -> Vec<u8> {
    let (kind, bytes) = match contents {
        Contents::Object(object) => (0u8, object.bytes.clone()),
        Contents::Library(object) => (1, object.bytes.clone()),
        Contents::Executable(program, options) => {
            let mut bytes = to_bytes(program);
            options.put(&mut bytes);
            (2, bytes)
        }
    };
    let mut out = to_bytes(&(MAGIC, FORMAT));
    kind.put(&mut out);
    VERSION.to_string().put(&mut out);
    target.to_string().put(&mut out);
    bytes.put(&mut out);
    seal(out)
}

/// Caldera's version and, behind a plus, a number of what [`read`] takes: applications keep binaries under the version of the driver.
pub fn version(target: &Target) -> String {
    let Digest([low, high, ..]) = Digest::of(&to_bytes(&(FORMAT, target.to_string())));
    format!("{VERSION}+{low:02x}{high:02x}")
}

/// `None` for a binary that is damaged, of another version, or for another target.
pub fn read(bytes: &[u8], target: &Target) -> Option<Contents> {
    let mut input = unseal(bytes)?;
    let (magic, format) = <(u64, u32)>::get(&mut input)?;
    let kind = u8::get(&mut input)?;
    let (version, text) = <(String, String)>::get(&mut input)?;
    if (magic, format) != (MAGIC, FORMAT) || version != VERSION || text != target.to_string() {
        return None;
    }
    let bytes: Vec<u8> = from_bytes(input)?;
    match kind {
        0 => Some(Contents::Object(Object { bytes })),
        1 => Some(Contents::Library(Object { bytes })),
        2 => from_bytes(&bytes).map(|(program, options)| Contents::Executable(program, options)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::compiler::check::{self, Checks, Site};
    use crate::compiler::kernel::*;

    fn program() -> DeviceProgram {
        let arg = |kind| ArgInfo {
            param: ParamInfo {
                name: "a".into(),
                type_name: "float*".into(),
                address: ArgAddress::Global,
                access: ArgAccess::None,
                is_const: true,
                is_restrict: false,
                is_volatile: false,
                is_pipe: false,
                is_queue: false,
            },
            kind,
        };
        DeviceProgram {
            kernels: vec![KernelInfo {
                name: "k".into(),
                spirv: Arc::from([0x0723_0203, 1, 2, 3]),
                args: vec![
                    arg(ArgKind::Value { offset: 0, size: 4 }),
                    arg(ArgKind::Pointer {
                        offset: 8,
                        reads: true,
                        writes: false,
                    }),
                    arg(ArgKind::Local {
                        spec_id: 6,
                        elem_size: 4,
                    }),
                    arg(ArgKind::Unused { size: 8 }),
                ],
                sys: vec![
                    SysSlot {
                        field: SysField::GlobalOffset(2),
                        offset: 16,
                    },
                    SysSlot {
                        field: SysField::ModuleData,
                        offset: 24,
                    },
                ],
                block_size: 32,
                block_mode: BlockMode::Indirect,
                local_size: 64,
                local_frame: Some(LocalFrame {
                    size: 16,
                    elem_size: 4,
                    views: true,
                }),
                private_size: 0,
                scratch_size: 0,
                group_memory: 0,
                attributes: KernelAttributes {
                    reqd_work_group_size: Some([8, 8, 1]),
                    reqd_sub_group_size: Some(16),
                    reqd_sub_groups: Some(4),
                    max_work_group_size: Some([64, 64, 1]),
                    work_group_size_hint: None,
                    role: Role::Finalizer,
                    vec_type_hint: Some("float4".into()),
                    text: String::new(),
                },
                uses_barrier: true,
                uses_sub_groups: true,
                alone: true,
                guarded: true,
                writes_module_data: true,
                indirect: false,
            }],
            module_data: vec![1, 2, 3],
            module_relocs: vec![0],
            global_variable_size: 3,
            printf_formats: vec![PrintfFormat {
                format: "%d\n".into(),
                arg_sizes: vec![4],
            }],
            checks: Checks {
                args: 2,
                searches: true,
                races: true,
                sites: vec![Site {
                    kind: check::Kind::Store,
                    size: 4,
                    align: 4,
                    place: "a.cl:1:2".into(),
                }],
                objects: vec![check::Object {
                    name: "a".into(),
                    place: String::new(),
                    space: ArgAddress::Global,
                    arg: Some(0),
                    readable: 1,
                    writable: 2,
                }],
            },
        }
    }

    #[test]
    fn binaries_come_back_or_are_refused() {
        let object = Object { bytes: vec![7; 9] };
        let all = [
            Contents::Executable(program(), "-cl-mad-enable".into()),
            Contents::Object(object.clone()),
            Contents::Library(object),
        ];
        for contents in all {
            let bytes = write(&contents, &Target::MIN);
            assert_eq!(read(&bytes, &Target::MIN), Some(contents));
            let other = Target::profile("nvidia").unwrap();
            assert_eq!(read(&bytes, &other), None);
            for len in 0..bytes.len() {
                assert_eq!(read(&bytes[..len], &Target::MIN), None, "cut to {len}");
            }
            for i in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[i] ^= 0x10;
                assert_eq!(read(&damaged, &Target::MIN), None, "byte {i}");
            }
        }
    }

    /// Wrong contents with a right checksum must neither panic nor allocate without limit.
    #[test]
    fn sealed_nonsense_is_refused() {
        let good = write(
            &Contents::Executable(program(), String::new()),
            &Target::MIN,
        );
        let inner = unseal(&good).unwrap();
        for i in 0..inner.len() {
            let mut damaged = inner.to_vec();
            damaged[i] = 0xff;
            let _ = read(&seal(damaged), &Target::MIN);
            assert_eq!(read(&seal(inner[..i].to_vec()), &Target::MIN), None);
        }
    }
}
