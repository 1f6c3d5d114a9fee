//! What the engine's tests and measurements share: a device, buffers, one kernel, short calls.

use std::sync::Arc;

use crate::compiler::kernel::{
    ArgAccess, ArgAddress, ArgInfo, ArgKind, BlockMode, KernelAttributes, KernelInfo, ParamInfo,
    SysField, SysSlot,
};
use crate::os::memory::HostMemory;
use crate::runtime::command::Command;
use crate::runtime::gpu::device::Device;
use crate::runtime::launch::argument::ArgValue;
use crate::runtime::launch::device_kernel::DeviceKernel;
use crate::runtime::launch::plan::NdRange;
use crate::runtime::memory::buffer::{Buffer, Placement};
use crate::runtime::platform;
use crate::runtime::submit::event::Event;
use crate::runtime::submit::queue::{Completion, Queue, QueueProperties};
use crate::runtime::support::error::ClResult;
use crate::vk::device::Priority;

pub const IN_ORDER: QueueProperties = QueueProperties {
    out_of_order: false,
    profiling: false,
    priority: Priority::Medium,
};
pub const OUT_OF_ORDER: QueueProperties = QueueProperties {
    out_of_order: true,
    profiling: false,
    priority: Priority::Medium,
};

/// Runs `test` on the first device and checks that validation had nothing to say.
pub fn on_device(test: impl FnOnce(&Arc<Device>)) {
    let (devices, refused) = platform::devices();
    let Some(device) = devices.first() else {
        eprintln!("no Vulkan device ({refused:?}): not tested");
        return;
    };
    test(device);
    assert_eq!(crate::vk::instance::validation_messages(), 0);
}

pub fn queue(device: &Arc<Device>, properties: QueueProperties) -> Arc<Queue> {
    Queue::new(device, properties).unwrap()
}

pub fn buffer(device: &Arc<Device>, size: u64) -> Arc<Buffer> {
    Buffer::new(std::slice::from_ref(device), size, Placement::Default, None).unwrap()
}

/// Writes all of `data` at `offset`, blocking.
pub fn write(queue: &Queue, to: &Arc<Buffer>, offset: u64, data: &[u8]) {
    let mut data = data.to_vec();
    HostMemory::with(&mut data, |host| {
        let command = Command::write(host, to, offset);
        queue
            .enqueue(command, Vec::new(), Completion::Blocking)
            .unwrap();
    });
}

pub fn read(queue: &Queue, from: &Arc<Buffer>, offset: u64, size: usize) -> Vec<u8> {
    let mut data = vec![0xcc; size];
    HostMemory::with(&mut data, |host| {
        let command = Command::read(from, offset, host);
        queue
            .enqueue(command, Vec::new(), Completion::Blocking)
            .unwrap();
    });
    data
}

pub fn words(bytes: &[u8]) -> Vec<u32> {
    let word = |c: &[u8]| u32::from_le_bytes([c[0], c[1], c[2], c[3]]);
    bytes.chunks_exact(4).map(word).collect()
}

pub fn bytes(words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

pub fn pattern(size: usize) -> Vec<u8> {
    (0..size).map(|i| (i * 7 + i / 251) as u8).collect()
}

/// Assembles tests/data/engine/`name`.spvasm.
fn assemble(name: &str) -> Arc<[u32]> {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/engine");
    let output = std::process::Command::new("spirv-as")
        .args(["--target-env", "vulkan1.1", "-o", "-"])
        .arg(format!("{dir}/{name}.spvasm"))
        .output()
        .expect("spirv-as (package spirv-tools)");
    assert!(output.status.success(), "{output:?}");
    words(&output.stdout).into()
}

fn argument(name: &str, kind: ArgKind) -> ArgInfo {
    ArgInfo {
        param: ParamInfo {
            name: name.into(),
            type_name: "uint".into(),
            address: ArgAddress::Global,
            access: ArgAccess::None,
            is_const: false,
            is_restrict: false,
            is_volatile: false,
            is_pipe: false,
            is_queue: false,
        },
        kind,
    }
}

/// out[i] = in[i] * 2 + k.
pub fn scale(device: &Arc<Device>) -> Arc<DeviceKernel> {
    let pointer = |offset, writes: bool| ArgKind::Pointer {
        offset,
        reads: !writes,
        writes,
    };
    let info = KernelInfo {
        name: "scale".into(),
        spirv: assemble("scale"),
        args: vec![
            argument("out", pointer(0, true)),
            argument("in", pointer(8, false)),
            argument(
                "k",
                ArgKind::Value {
                    offset: 16,
                    size: 4,
                },
            ),
        ],
        sys: vec![SysSlot {
            field: SysField::GroupBase(0),
            offset: 20,
        }],
        block_size: 24,
        block_mode: BlockMode::Push,
        local_size: 0,
        local_frame: None,
        private_size: 0,
        scratch_size: 0,
        group_memory: 0,
        attributes: KernelAttributes::default(),
        uses_barrier: false,
        uses_sub_groups: false,
        alone: true,
        guarded: false,
        writes_module_data: false,
        indirect: false,
    };
    DeviceKernel::new(device, Arc::new(info), None, [].into(), Default::default()).unwrap()
}

pub fn launch(
    kernel: &Arc<DeviceKernel>,
    out: &Arc<Buffer>,
    input: &Arc<Buffer>,
    k: u32,
    global: u64,
    local: Option<u32>,
) -> Command {
    let args = [
        ArgValue::buffer(out),
        ArgValue::buffer(input),
        ArgValue::bytes(&k.to_le_bytes()),
    ];
    let range = NdRange {
        dims: 1,
        offset: [0; 3],
        global: [global, 1, 1],
        local: local.map(|l| [l, 1, 1]),
    };
    Command::NdRange(kernel.launch(&args, &range, None).unwrap())
}

pub fn go(queue: &Queue, command: Command) {
    queue
        .enqueue(command, Vec::new(), Completion::Async)
        .unwrap();
}

pub fn event(queue: &Queue, command: Command, waits: &[&Arc<Event>]) -> Arc<Event> {
    let waits: Vec<_> = waits.iter().copied().cloned().collect();
    let event = queue.enqueue(command, waits, Completion::Event).unwrap();
    event.unwrap()
}

pub fn wait(events: &[&Arc<Event>]) -> ClResult {
    let events: Vec<_> = events.iter().copied().cloned().collect();
    Event::wait_all(&events)
}
