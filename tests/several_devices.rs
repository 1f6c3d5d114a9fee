//! Contexts with several devices, of drivers for CPUs: C programs of tests/c, most of them under layers that make devices
//! more like GPUs.

mod common;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use common::c::{LIMIT, layer, silent, through_loader, with_layer};
use common::driver::{Driver, drivers, mesa25, skipped};
use common::process::{library, run, scratch};

/// The manifest of the installed driver for CPUs.
fn installed_cpu() -> Option<PathBuf> {
    let manifests = fs::read_dir("/usr/share/vulkan/icd.d").ok()?;
    let mut paths = manifests.flatten().map(|entry| entry.path());
    paths.find(|path| path.to_string_lossy().contains("lvp_icd"))
}

/// A context with two devices: those of two versions of Mesa.
#[test]
fn several_devices() {
    let (Some(installed), Some(other)) = (installed_cpu(), mesa25()) else {
        return skipped("no two drivers for CPUs");
    };
    let on_both = |command: &mut Command| {
        for (name, value) in &other.env {
            match &**name {
                "VK_DRIVER_FILES" => command.env(name, format!("{}:{value}", installed.display())),
                _ => command.env(name, value),
            };
        }
    };
    // What one device lacks is nothing to the other. Pipelines that fail do so on both.
    let folder = scratch("c-unfit");
    let unfit = through_loader("unfit", &folder);
    layer("mask", &folder);
    for (mask, counts) in [
        ("bounds", ["2", "0"]),
        ("limits,but the second", ["1", "0"]),
        ("memory,but the second", ["1", "0"]),
        ("vkCreateDevice,but the second", ["2", "1"]),
        ("vkCreateDevice,the driver", ["2", "2"]),
        ("vkCreateComputePipelines,the driver", ["2", "2"]),
    ] {
        let mut command = Command::new(&unfit);
        on_both(&mut command);
        with_layer(&mut command, "mask", &folder);
        command.env("CALDERA_MASK", mask).args(counts);
        silent(command.env("CALDERA_CACHE", "0"));
    }
    // Devices that cannot import memory do not share an SVM allocation.
    for (name, apart) in [
        ("devices", Some("apart")),
        ("traffic", None),
        ("command_buffer_devices", None),
        ("usm_devices", Some("apart")),
    ] {
        let folder = scratch(&format!("c-two-{name}"));
        let mut command = Command::new(through_loader(name, &folder));
        on_both(&mut command);
        command.env("OCL_ICD_VENDORS", library());
        command.env("CALDERA_CACHE", "0");
        silent(command.env("CALDERA_VALIDATION", "1"));

        layer("fault", &folder);
        with_layer(&mut command, "fault", &folder);
        command.args(apart);
        silent(command.env(
            "CALDERA_FAULT_ALWAYS",
            "vkGetMemoryHostPointerPropertiesEXT",
        ));
    }
}

/// A context with two devices whose memory the host does not reach: bytes go by each way that a link can have
/// (runtime/gpu/peers.rs). The same driver twice shares memory with itself.
#[test]
fn linked_devices() {
    const HOST_MEMORY: &str = "VK_EXT_external_memory_host";
    let manifest = |driver: &Driver| {
        let given = driver.env.iter().find(|row| row.0 == "VK_DRIVER_FILES");
        given
            .map(|row| PathBuf::from(&row.1))
            .or_else(installed_cpu)
    };
    let folder = scratch("c-linked");
    let programs = ["devices", "traffic", "command_buffer_devices"].map(|name| {
        let folder = scratch(&format!("c-linked-{name}"));
        (name, through_loader(name, &folder))
    });
    layer("split", &folder);
    layer("dma", &folder);
    for driver in drivers() {
        let Some(one) = manifest(&driver) else {
            skipped("no driver for CPUs");
            continue;
        };
        let other = scratch("c-linked-driver").join("other.json");
        fs::copy(&one, &other).expect("a manifest");
        let files = format!("{}:{}", one.display(), other.display());
        for (layers, hide, ways) in [
            ("split", "", "way=Host OpaqueFd"),
            ("split", "VK_KHR_external_memory_fd", "way=Host"),
            (
                "split",
                "VK_KHR_external_memory_fd,VK_EXT_external_memory_host",
                "way=Staged",
            ),
            ("split", HOST_MEMORY, "OpaqueFd"),
            ("split:VK_LAYER_CALDERA_dma", HOST_MEMORY, "DmaBuf"),
        ] {
            // Others do not offer dma-bufs.
            if ways == "DmaBuf" && driver.name != "Mesa 25" {
                continue;
            }
            for (name, program) in &programs {
                let mut command = driver.command(program);
                with_layer(&mut command, layers, &folder);
                command
                    .env("VK_DRIVER_FILES", &files)
                    .env("CALDERA_HIDE", hide);
                command.env("CALDERA_LOG", "caldera::runtime::gpu::peers=debug");
                command.env("CALDERA_CACHE", "0");
                if *name == "devices" && hide.contains(HOST_MEMORY) {
                    command.arg("apart");
                }
                let outcome = run(&mut command, LIMIT);
                let good = outcome.code() == Some(0) && outcome.stdout.is_empty();
                assert!(good, "{command:?}: {}", outcome.text());
                for way in ways.split(' ') {
                    assert!(
                        outcome.stderr.contains(way),
                        "{command:?}: not {way}: {}",
                        outcome.stderr
                    );
                }
            }
        }
    }
}

/// The same when memory runs out or a device is lost, on the way or elsewhere.
#[test]
fn linked_devices_fail() {
    let Some(one) = installed_cpu() else {
        return skipped("no driver for CPUs");
    };
    let folder = scratch("c-two-faults");
    let program = through_loader("two_faults", &folder);
    layer("split", &folder);
    let other = scratch("c-two-faults-driver").join("other.json");
    fs::copy(&one, &other).expect("a manifest");
    let files = format!("{}:{}", one.display(), other.display());
    // By memory of the host; and where there are more ways to try.
    const HOST: &str = "VK_KHR_external_memory_fd";
    for (hide, kind, calls) in [
        (HOST, "allocate", (1..32).step_by(2)),
        (HOST, "submit", (3..180).step_by(13)),
        ("", "allocate", (4..64).step_by(9)),
        ("", "submit", (6..260).step_by(31)),
    ] {
        for call in calls {
            let mut command = Command::new(&program);
            with_layer(&mut command, "split", &folder);
            command.arg(kind).env("VK_DRIVER_FILES", &files);
            command.env("CALDERA_HIDE", hide);
            command.env("CALDERA_FAULT", format!("{kind}:{call}"));
            silent(command.env("CALDERA_CACHE", "0"));
        }
    }
}
