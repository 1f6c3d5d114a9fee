//! Every kernel of tests/data, compiled for devices of several kinds: valid SPIR-V for their
//! environment, the same bytes each time, and IR text that reads back behind every pass.

mod common;

use std::collections::{BTreeSet, HashMap, VecDeque};

use caldera::runtime::gpu::internal_kernels::KERNELS;
use caldera_compiler::back::{disassemble, specialize};
use caldera_compiler::diag::Sink;
use caldera_compiler::driver::{Session, compile, effective, on_compiler_thread};
use caldera_compiler::front::clc::lower::Roots;
use caldera_compiler::ir::parse::parse;
use caldera_compiler::kernel::{
    ArgInfo, ArgKind, BlockMode, KernelInfo, SPEC_ENQUEUED_LOCAL_SIZE, SPEC_FIRST_LOCAL,
    SPEC_GUARD, SPEC_LOCAL_FRAME, SPEC_LOCAL_SIZE, SPEC_REPEAT_LOOPS,
};
use caldera_compiler::options::Options;
use caldera_compiler::pass::{Ctx, PIPELINE};
use caldera_compiler::target::Target;
use common::behind_passes::{FEW_EXITS, IN_STORAGE_BUFFERS, WITHOUT_NARROW, target};
use common::compile::sources;
use common::data::{File, files, root};
use common::spirv::invalid;
use common::taken::Taken;
use rspirv::dr::{Operand, load_words};
use rspirv::spirv::{Capability, Decoration, Op};

/// Device kinds: the profiles, what makes the compiler choose otherwise, each SPIR-V version.
const TARGETS: &[&str] = &[
    "lavapipe",
    "nvidia",
    "lavapipe,-vulkan_memory_model,-device_scope",
    "nvidia,-fused_fma",
    "nvidia,-explicit_layout,-explicit_layout8,-explicit_layout16",
    "nvidia,max_push_constants=16",
    "nvidia,max_inlined=0",
    "nvidia,max_private=0",
    "lavapipe,max_inlined=0,max_private=0",
    "lavapipe,max_local_accesses=0",
    "lavapipe,-subgroups,spirv_version=0x10000",
    "nvidia,-subgroups,-vulkan_memory_model,-device_scope,spirv_version=0x10000",
    "lavapipe,spirv_version=0x10300",
    "lavapipe,spirv_version=0x10400",
    "lavapipe,spirv_version=0x10500",
];

fn options(file: &File) -> Options {
    Options::parse(file.directive("options").unwrap_or("")).expect("known options")
}

/// Does `check` for each file and target, of these or those of its own; each defect with its place.
fn for_each(targets: &[&str], check: impl Fn(&File, &Target) -> Vec<String> + Sync) {
    let all: Vec<File> = [files("run", "cl"), files("emit", "cl")]
        .into_iter()
        .flatten()
        .collect();
    // Two halves at once: most of the time goes to processes.
    let half = |first: usize| {
        let mut failures = Vec::new();
        for file in all.iter().skip(first).step_by(2) {
            let own = file.directive("target").map(|t| vec![t]);
            for &name in own.as_deref().unwrap_or(targets) {
                let target = target(name);
                if !target.has(file.directive("needs").unwrap_or("")) {
                    continue;
                }
                let found = check(file, &target);
                let place = |defect| format!("{} for {name}: {defect}", file.name());
                failures.extend(found.iter().map(place));
                // Other targets would mostly repeat it.
                if !found.is_empty() {
                    break;
                }
            }
        }
        failures
    };
    let failures = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        let mut failures = half(0);
        failures.extend(other.join().expect("no panic"));
        failures
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn modules_are_valid() {
    for_each(TARGETS, |file, target| {
        let compiled = compile(&sources(&file.text), &options(file), target);
        let Some(program) = compiled.program else {
            return vec![compiled.log];
        };
        assert!(!program.kernels.is_empty(), "{}: no kernel", file.name());
        defects(&program.kernels, target)
    });
}

#[test]
fn modules_are_the_same_each_time() {
    for_each(
        &["nvidia", "lavapipe,max_inlined=0,max_private=0"],
        |file, target| {
            let options = options(file);
            let build = || compile(&sources(&file.text), &options, target).program;
            let differs = build() != build();
            differs
                .then(|| "compiled differently the second time".into())
                .into_iter()
                .collect()
        },
    );
}

/// What is invalid in kernels, or beyond the target.
fn defects(kernels: &[KernelInfo], target: &Target) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let different = kernels.iter().filter(|kernel| seen.insert(&kernel.spirv));
    let of = different.flat_map(|kernel| {
        let mut found = capabilities_beyond(&kernel.spirv, target);
        found.extend(invalid(&kernel.spirv, target));
        let place = |defect| format!("kernel {}: {defect}", kernel.name);
        found.into_iter().map(place).collect::<Vec<_>>()
    });
    of.collect()
}

/// Capabilities, and the word of a target without which no module may have them.
const CAPABILITIES: &[(Capability, &str)] = &[
    (Capability::Int8, "int8"),
    (Capability::Int16, "int16"),
    (Capability::Int64, "int64"),
    (Capability::Float16, "float16"),
    (Capability::Float64, "float64"),
    (Capability::StorageBuffer8BitAccess, "storage8"),
    (Capability::UniformAndStorageBuffer8BitAccess, "storage8"),
    (Capability::StorageBuffer16BitAccess, "storage16"),
    (Capability::UniformAndStorageBuffer16BitAccess, "storage16"),
    (
        Capability::StorageBufferArrayDynamicIndexing,
        "dynamic_storage_buffers",
    ),
    (
        Capability::StorageBufferArrayNonUniformIndexing,
        "nonuniform_storage_buffers",
    ),
    // No target has them.
    (Capability::StoragePushConstant8, "int8 -int8"),
    (Capability::StoragePushConstant16, "int8 -int8"),
];

/// Capabilities that a module declares.
fn capabilities(words: &[u32]) -> Vec<Capability> {
    let mut rest = &words[5..];
    let mut found = Vec::new();
    // They come first.
    while let [first, operand, ..] = *rest
        && first & 0xffff == Op::Capability as u32
    {
        found.extend(Capability::from_u32(operand));
        rest = &rest[(first >> 16) as usize..];
    }
    found
}

/// Capabilities that a module declares and the target has not.
fn capabilities_beyond(words: &[u32], target: &Target) -> Vec<String> {
    let has = |c: &Capability| {
        let row = CAPABILITIES.iter().find(|row| row.0 == *c);
        row.is_none_or(|row| target.has(row.1))
    };
    let beyond = capabilities(words).into_iter().filter(|c| !has(c));
    beyond.map(|c| format!("it declares {c:?}")).collect()
}

/// Devices without integers of 8 and 16 bits or device addresses, and what their drivers may ask for beside. The others are in the test above.
#[test]
fn modules_have_no_types_that_the_device_lacks() {
    let more = [
        "lavapipe,gathers_words,-int8,-int16,-storage8,-storage16",
        "lavapipe,gathers_words,-int16",
        "lavapipe,gathers_words,-storage8",
    ];
    let targets = [WITHOUT_NARROW, IN_STORAGE_BUFFERS, FEW_EXITS, &more].concat();
    for_each(&targets, |file, target| {
        let compiled = compile(&sources(&file.text), &options(file), target);
        match compiled.program {
            Some(program) => defects(&program.kernels, target),
            None => vec![compiled.log],
        }
    });
}

/// Some drivers read descriptors for all lanes (`reads_inactive_descriptors`), whatever their indices are.
#[test]
fn indices_of_descriptors_are_in_range() {
    let target =
        target("min,storage_buffers=8,nonuniform_storage_buffers,reads_inactive_descriptors");
    let text = std::fs::read_to_string(root().join("tests/data/run/pointers.cl"));
    let text = text.expect("the file");
    let options = Options::parse("-cl-std=CL3.0").expect("known options");
    let compiled = compile(&sources(&text), &options, &target);
    let kernels = compiled.program.expect("it compiles").kernels;
    let mut ops = BTreeSet::new();
    for words in kernels.iter().map(|kernel| &kernel.spirv) {
        assert_eq!(invalid(words, &target), None);
        let module = load_words(words).expect("a module");
        let insts: Vec<_> = module.all_inst_iter().collect();
        let nonuniform = insts.iter().filter(|inst| {
            let operands = &inst.operands;
            operands.get(1) == Some(&Operand::Decoration(Decoration::NonUniform))
        });
        let defining = nonuniform.filter_map(|inst| {
            let id = inst.operands[0].id_ref_any();
            insts.iter().find(|inst| inst.result_id == id)
        });
        ops.extend(defining.map(|inst| inst.class.opcode));
    }
    // The limited index, and the pointer.
    assert_eq!(ops, BTreeSet::from([Op::ExtInst, Op::AccessChain]));
}

/// An exchange that fails orders nothing that one that succeeds does not: SwiftShader ends the process otherwise.
#[test]
fn failed_exchanges_are_not_ordered_more() {
    const ACQUIRES: u32 = 0x2 | 0x8 | 0x10;
    for_each(&["nvidia"], |file, target| {
        // rspirv does not load what -g makes.
        let options = Options {
            debug: false,
            ..options(file)
        };
        let Some(program) = compile(&sources(&file.text), &options, target).program else {
            return vec!["not compiled".into()];
        };
        let wrong = program.kernels.iter().filter(|kernel| {
            let module = load_words(&kernel.spirv).expect("a module");
            let value = |id: &Operand| {
                let mut insts = module.types_global_values.iter();
                let constant = insts.find(|inst| inst.result_id == id.id_ref_any());
                constant.map_or(0, |inst| inst.operands[0].unwrap_literal_bit32())
            };
            let mut insts = module.all_inst_iter();
            insts.any(|inst| {
                let acquires = |i: usize| value(&inst.operands[i]) & ACQUIRES != 0;
                inst.class.opcode == Op::AtomicCompareExchange && acquires(3) && !acquires(2)
            })
        });
        wrong.map(|kernel| kernel.name.clone()).collect()
    });
}

/// Where the driver fails at pushed doubles, kernels that have doubles push no argument; the others do, as far as there is room.
#[test]
fn doubles_are_not_pushed() {
    let target = ["nvidia,-int64,mistakes_pushed_doubles"];
    for_each(&target, |file, target| {
        if !target.mistakes_pushed_doubles {
            return Vec::new();
        }
        let compiled = compile(&sources(&file.text), &options(file), target);
        let Some(program) = compiled.program else {
            return vec![compiled.log];
        };
        let wrong = program.kernels.iter().filter(|kernel| {
            let doubles = capabilities(&kernel.spirv).contains(&Capability::Float64);
            let fits = kernel.block_size <= target.max_push_constants;
            (kernel.block_mode == BlockMode::Push) != (fits && !doubles)
        });
        let place =
            |kernel: &KernelInfo| format!("kernel {}: {:?}", kernel.name, kernel.block_mode);
        wrong.map(place).collect()
    });
}

/// Blocks that a walk takes which looks, breadth-first, for all that the head of a loop leads to, and takes a block once
/// for each time that it was found before it was first taken. It ends at `limit`.
fn taken(outs: &HashMap<u32, Vec<u32>>, head: u32, merge: u32, limit: usize) -> usize {
    let (mut seen, mut pending) = (BTreeSet::from([merge]), VecDeque::from([head]));
    let mut count = 0;
    while let Some(block) = pending.pop_front()
        && count < limit
    {
        count += 1;
        pending.extend(outs[&block].iter().filter(|out| !seen.contains(out)));
        seen.insert(block);
    }
    count
}

/// More than a walk may take: those of jumps into loops take up to 4.
const LONG: usize = 8;

/// SwiftShader walks so. Without `repeats_merges` the first loop of tests/data/run/lower-ways.cl takes more than the limit.
#[test]
fn walks_of_loops_are_short() {
    let base = "min,int8,int16,int64,float16,float64,storage8,storage16";
    let names = ["", ",storage_buffers=12,-int64,-int8,-int16"];
    let names = names.map(|more| format!("{base},repeats_merges,forgets_last_rounds{more}"));
    for_each(&names.each_ref().map(String::as_str), |file, target| {
        let own = target.repeats_merges;
        let options = Options {
            debug: false,
            ..options(file)
        };
        let Some(program) = compile(&sources(&file.text), &options, target).program else {
            return vec!["not compiled".into()];
        };
        let long = program
            .kernels
            .iter()
            .filter(|kernel| own && longest_walk(&kernel.spirv) > LONG);
        long.map(|kernel| format!("kernel {}", kernel.name))
            .collect()
    });
    let text = std::fs::read_to_string(root().join("tests/data/run/lower-ways.cl"));
    let without = compile(
        &sources(&text.expect("the file")),
        &Options::default(),
        &target(base),
    );
    let kernels = without.program.expect("it compiles").kernels;
    assert!(longest_walk(&kernels[0].spirv) > LONG);
}

/// The most blocks that a walk takes from the head of a loop, as multiples of the blocks there are, rounded up; at most 100.
fn longest_walk(words: &[u32]) -> usize {
    let module = load_words(words).expect("a module");
    let walk = |function: &rspirv::dr::Function| {
        let (mut outs, mut loops) = (HashMap::new(), Vec::new());
        for block in &function.blocks {
            let label = block.label_id().expect("a label");
            let mut found = Vec::new();
            for inst in &block.instructions {
                let targets = inst.operands.iter().filter_map(Operand::id_ref_any);
                match inst.class.opcode {
                    Op::LoopMerge => loops.extend(targets.take(1).map(|merge| (label, merge))),
                    Op::Branch => found.extend(targets),
                    Op::BranchConditional | Op::Switch => found.extend(targets.skip(1)),
                    _ => {}
                }
            }
            outs.insert(label, found);
        }
        let (blocks, all) = (outs.len(), loops.into_iter());
        let walks =
            all.map(|(head, merge)| taken(&outs, head, merge, 100 * blocks).div_ceil(blocks));
        walks.max().unwrap_or(0)
    };
    module.functions.iter().map(walk).max().unwrap_or(0)
}

#[test]
fn ir_reads_back_behind_every_pass() {
    for_each(TARGETS, |file, target| {
        let found = on_compiler_thread(|| read_back(file, target));
        found.unwrap_or_else(|panic| vec![panic])
    });
}

static READ_BACK: Taken = Taken::new();

fn read_back(file: &File, target: &Target) -> Vec<String> {
    let options = &options(file);
    let target = &effective(target, options);
    let mut session = Session::new(options);
    let Some(mut module) = session.front_end(&sources(&file.text), Roots::Kernels, options, target)
    else {
        return vec![session.log()];
    };
    let ctx = Ctx {
        target,
        options,
        after: None,
    };
    let mut found = Vec::new();
    let mut before = None;
    for pass in std::iter::once(None).chain(PIPELINE.iter().map(Some)) {
        if let Some(pass) = pass {
            before = Some(module.clone());
            (pass.run)(&mut module, &ctx, &mut Sink::default());
        }
        // Most passes leave most modules as they are.
        if before.as_ref() == Some(&module) {
            continue;
        }
        let stage = pass.map_or("the front end", |pass| pass.name);
        let printed = module.to_string();
        let defect = READ_BACK.or(&printed, || match parse(&printed) {
            Ok(again) if again.to_string() == printed => None,
            Ok(_) => Some("prints differently when read back".into()),
            Err(e) => Some(e.to_string()),
        });
        found.extend(defect.map(|defect| format!("behind {stage}: {defect}")));
    }
    found
}

/// The ops of a module's functions, without source lines.
fn ops(words: &[u32]) -> Vec<u32> {
    let mut rest = &words[5..];
    let mut found = Vec::new();
    let mut set = None;
    let mut in_function = false;
    while let [first, ..] = rest {
        let (inst, behind) = rest.split_at((*first >> 16) as usize);
        rest = behind;
        let op = Op::from_u32(*first & 0xffff).expect("an op");
        in_function |= op == Op::Function;
        // `NonS`, as words have it.
        if op == Op::ExtInstImport && inst[2] == u32::from_le_bytes(*b"NonS") {
            set = Some(inst[1]);
        }
        let lines = op == Op::Line || op == Op::ExtInst && Some(inst[3]) == set;
        if in_function && !lines {
            found.push(op as u32);
        }
    }
    found
}

/// With -g modules are valid, also for given constants, and differ by nothing but lines.
#[test]
fn source_lines_change_nothing_else() {
    for_each(&["nvidia", "lavapipe,-non_semantic"], |file, target| {
        let plain = options(file);
        let lines = Options {
            debug: true,
            ..plain.clone()
        };
        let [plain, lines] = [plain, lines].map(|options| {
            let compiled = compile(&sources(&file.text), &options, target);
            compiled
                .program
                .map_or(Vec::new(), |program| program.kernels)
        });
        let mut found = Vec::new();
        for (plain, lines) in plain.iter().zip(&lines) {
            let mut say = |what: String| found.push(format!("kernel {}: {what}", plain.name));
            if let Some(defect) = invalid(&lines.spirv, target) {
                say(defect);
            }
            if ops(&plain.spirv) != ops(&lines.spirv) {
                say("other code".into());
            }
            let images = |arg: &ArgInfo| matches!(arg.kind, ArgKind::Image { .. });
            if !lines.args.iter().any(images) {
                continue;
            }
            match specialize(&lines.spirv, &constants(&[RGBA_UNORM8])) {
                None => say("not specialized".into()),
                Some(words) => {
                    if let Some(defect) = invalid(&words, target) {
                        say(format!("specialized: {defect}"));
                    }
                }
            }
        }
        if plain.len() != lines.len() || plain.is_empty() {
            found.push("not compiled".into());
        }
        found
    });
}

/// The lines and columns of a kernel's stores, by both forms.
#[test]
fn source_lines_are_those_of_the_source() {
    let text = "\
#define TWICE(x) ((x) + (x))
int helper(int x) {
    return x * 7;
}
kernel void k(global int *a, local int *l) {
    int i = get_local_id(0);
    l[i] = helper(a[i]);

    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = l[i ^ 1] / TWICE(i);
}
";
    let options = Options::parse("-g").expect("known options");
    for name in ["nvidia", "nvidia,-non_semantic"] {
        let target = target(name);
        let program = compile(&sources(text), &options, &target).program;
        let kernel = &program.expect("it compiles").kernels[0];
        assert_eq!(invalid(&kernel.spirv, &target), None);
        let assembly = disassemble(&kernel.spirv).expect("a module");
        let mut value = HashMap::new();
        let mut line = 0;
        let mut found = Vec::new();
        for text in assembly.lines() {
            let words: Vec<&str> = text.split_whitespace().collect();
            match words[..] {
                [id, "=", "OpConstant", _, number] => {
                    value.insert(id, number.parse().unwrap_or(0));
                }
                ["OpLine", _, number, _] => line = number.parse().expect("a number"),
                // DebugLine.
                [_, "=", "OpExtInst", _, _, "103", _, number, ..] => line = value[number],
                ["OpStore", ..] => found.push(("store", line)),
                ["OpControlBarrier", ..] => found.push(("barrier", line)),
                [_, "=", "OpIMul", ..] => found.push(("mul", line)),
                [_, "=", "OpSDiv", ..] => found.push(("div", line)),
                _ => {}
            }
        }
        let expected = [
            ("mul", 3),
            ("store", 7),
            ("barrier", 9),
            ("div", 10),
            ("store", 10),
        ];
        let found: Vec<_> = found
            .into_iter()
            .filter(|pair| expected.contains(pair))
            .collect();
        assert_eq!(found, expected, "{name}: {assembly}");
    }
}

/// What the runtime gives drivers for given sizes and formats.
#[test]
fn modules_for_given_constants_are_valid() {
    for_each(&["nvidia", "lavapipe"], |file, target| {
        // Of what -g makes only kernels with images are specialised: source_lines_change_nothing_else.
        let options = Options {
            debug: false,
            ..options(file)
        };
        let compiled = compile(&sources(&file.text), &options, target);
        let Some(program) = compiled.program else {
            return vec![compiled.log];
        };
        let defects = program.kernels.iter().flat_map(|kernel| {
            let images = |arg: &ArgInfo| matches!(arg.kind, ArgKind::Image { .. });
            let has_images = kernel.args.iter().any(images);
            let arguments: &[&[u32]] = match has_images {
                true => &[&[RGBA_UNORM8], &[RGBA_UNORM8, RGBA_UNORM16, RGBA_FLOAT]],
                false => &[&[4]],
            };
            arguments.iter().filter_map(move |values| {
                let Some(words) = specialize(&kernel.spirv, &constants(values)) else {
                    return Some(format!("kernel {}: not specialized", kernel.name));
                };
                let defect = invalid(&words, target);
                // Of some twenty formats one is left.
                let one_format = has_images && values.len() == 1;
                let is_large = || one_format && words.len() > kernel.spirv.len() * 3 / 4;
                let defect = defect.or_else(|| is_large().then(|| "little smaller".into()));
                defect.map(|defect| format!("kernel {}, specialized: {defect}", kernel.name))
            })
        });
        defects.collect()
    });
}

/// CL_RGBA and CL_UNORM_INT8, CL_UNORM_INT16 or CL_FLOAT, as a specialization constant has them.
const RGBA_UNORM8: u32 = 0x10b5 << 16 | 0x10d2;
const RGBA_UNORM16: u32 = 0x10b5 << 16 | 0x10d3;
const RGBA_FLOAT: u32 = 0x10b5 << 16 | 0x10de;

/// Values of the specialization constants of a kernel, these in turn for its arguments.
fn constants(arguments: &[u32]) -> Vec<(u32, u32)> {
    let values = arguments.iter().copied().cycle();
    let sizes = SPEC_LOCAL_SIZE.into_iter().chain(SPEC_ENQUEUED_LOCAL_SIZE);
    let arguments = SPEC_FIRST_LOCAL..SPEC_FIRST_LOCAL + 32;
    let few = [
        (SPEC_LOCAL_FRAME, 64),
        (SPEC_GUARD, 0),
        (SPEC_REPEAT_LOOPS, 1),
    ];
    let sizes = sizes.map(|id| (id, 8));
    let arguments = arguments.zip(values);
    sizes.chain(arguments).chain(few).collect()
}

/// What the runtime launches by itself.
#[test]
fn the_programs_are_valid() {
    for (name, modules) in KERNELS {
        for ((_, module), version) in modules.into_iter().zip(["0x10300", "0x10000"]) {
            let target = target(&format!("lavapipe,spirv_version={version}"));
            assert_eq!(invalid(module, &target), None, "{name} {version}");
        }
    }
}
