//! What a device can do, as plain data. The compiler asks nothing else of a device.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

macro_rules! target {
    (flags { $($(#[$fd:meta])* $flag:ident,)* } limits { $($(#[$ld:meta])* $limit:ident = $default:expr,)* }) => {
        /// Features and limits of a Vulkan device. The text form is the names of the set
        /// flags and `limit=value` pairs, separated by spaces.
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct Target {
            $($(#[$fd])* pub $flag: bool,)*
            $($(#[$ld])* pub $limit: u32,)*
            /// Extensions and features that `-cl-ext` takes from a program (`features::restricted`); not of the text form.
            pub without: BTreeSet<&'static str>,
        }

        impl Target {
            /// A device with nothing but what Caldera requires.
            pub const MIN: Target = Target {
                $($flag: false,)*
                $($limit: $default,)*
                without: BTreeSet::new(),
            };
            pub const FLAGS: &[&str] = &[$(stringify!($flag)),*];
            pub const LIMITS: &[&str] = &[$(stringify!($limit)),*];

            /// Sets a flag (`value` other than 0) or a limit by name.
            pub fn set(&mut self, name: &str, value: u32) -> Result<(), String> {
                match name {
                    $(stringify!($flag) => self.$flag = value != 0,)*
                    $(stringify!($limit) => self.$limit = value,)*
                    _ => return Err(format!("unknown target feature '{name}'")),
                }
                Ok(())
            }
        }

        impl fmt::Display for Target {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut sep = "";
                $(if self.$flag { write!(f, "{sep}{}", stringify!($flag))?; sep = " "; })*
                $(write!(f, "{sep}{}={}", stringify!($limit), self.$limit)?; sep = " ";)*
                let _ = sep;
                Ok(())
            }
        }
    };
}

target! {
    flags {
        /// 8-, 16-, 64-bit integer arithmetic (shaderInt8, shaderInt16, shaderInt64).
        int8, int16, int64,
        /// shaderFloat16, shaderFloat64.
        float16, float64,
        /// 8- and 16-bit loads and stores through device addresses.
        storage8, storage16,
        /// vulkanMemoryModel; with device scope.
        vulkan_memory_model, device_scope,
        /// VK_KHR_workgroup_memory_explicit_layout; its 8- and 16-bit access.
        explicit_layout, explicit_layout8, explicit_layout16,
        /// 64-bit integer atomics on device addresses / in local memory.
        int64_atomics, int64_local_atomics,
        /// 32-bit float atomic add on device addresses / in local memory.
        float32_atomic_add, float32_local_atomic_add,
        /// shaderDenormPreserve for each width.
        denorm_preserve16, denorm_preserve32, denorm_preserve64,
        /// Arithmetic of each width keeps subnormal numbers, although Vulkan promises nothing.
        keeps_denorms16, keeps_denorms32, keeps_denorms64,
        /// shaderSignedZeroInfNanPreserve for each width.
        nan_preserve16, nan_preserve32, nan_preserve64,
        /// shaderRoundingModeRTE for each width.
        rte16, rte32, rte64,
        /// GLSL.std.450 Fma is a fused multiply-add (it is two roundings on lavapipe).
        fused_fma,
        /// Arithmetic of doubles is about as fast as that of floats: fma of floats is computed in it where it is not one operation.
        quick_doubles,
        /// The time of the driver's compiler grows faster than the code: loops are unrolled by what they call, too.
        slow_pipelines,
        /// Registers have 32 bits: a 64-bit integer is a pair of them.
        paired_registers,
        /// Global ids are computed in 32 bits where a launch has no longer ones, which a specialization constant tells
        /// (`pass::lower::workitem`). Registers of 32 bits have less to do then.
        short_ids,
        /// The driver's code for 64-bit divisions is longer than that of 32-bit ones (`pass::drivers::divide`).
        divides_by_words,
        /// The driver's compiler divides signed 32-bit integers by constants as floats (`pass::drivers::divide`).
        divides_signed_words,
        /// The driver's compiler may mistake bits merged by a constant mask (`pass::drivers::merge`).
        mistakes_merges,
        /// The driver's compiler mistakes 64-bit divisions, and what is beside them (`pass::drivers::divide`).
        mistakes_quotients,
        /// The driver's compiler takes a float that becomes a half and a float again for the float, whatever
        /// happens to the half's bits between (`pass::drivers::conversions`).
        keeps_half_digits,
        /// It converts floats to 32 bits at once where only the low half of a 64-bit integer is used (`pass::drivers::conversions`).
        saturates_low_words,
        /// It divides as floats, as if small, a byte of a vector that was extended with its sign and is read as
        /// unsigned (`pass::drivers::conversions`).
        divides_signed_bytes,
        /// It counts the ones of a byte's sign, too, where the number becomes a float (`pass::drivers::conversions`).
        counts_sign_bits,
        /// It rounds twice where an unsigned integer of 32 bits becomes a float (`pass::drivers::conversions`).
        rounds_unsigned_twice,
        /// It takes a 64-bit integer that becomes a float and a 64-bit integer again for the integer (`pass::drivers::conversions`).
        keeps_integer_digits,
        /// It mistakes orders of 32-bit integers that were extended with their sign and constants (`pass::drivers::conversions`).
        mistakes_extended_words,
        /// It gives one round to loops that go on while numbers are unequal (`pass::drivers::exits`).
        mistakes_inequalities,
        /// It mistakes arithmetic of integers of 8 and 16 bits (`pass::lower::narrow`).
        mistakes_narrow_integers,
        /// It forgets negations among the least and greatest of three words (`pass::drivers::extremes`).
        mistakes_extremes,
        /// It mistakes sums and differences of 64-bit integers that saturate, where floats become doubles (`pass::drivers::saturations`).
        mistakes_saturations,
        /// It gives the bits of a half's reciprocal root for those of its root (`pass::drivers::conversions`).
        mistakes_half_roots,
        /// It keeps what a register has above a half, the least or greatest of others, where the half's bits become a wider
        /// integer (`pass::drivers::conversions`).
        keeps_upper_halves,
        /// It takes quotients of a constant zero for zero, also by NaN, and those by one for the other operand (`pass::drivers::zeros`).
        drops_zero_quotients,
        /// It takes products with a constant zero for zero, also with NaN (`pass::drivers::zeros`).
        drops_zero_products,
        /// It takes sums with a constant zero, and differences to one, for the other operand, also a negative zero (`pass::drivers::zeros`).
        drops_zero_addends,
        /// It takes a choice of -0.0 or 1.0 for one of 0.0 or 1.0, and so of 0.0 or -1.0 (`pass::drivers::zeros`).
        drops_zero_choices,
        /// It takes what it knows not to be below zero for its absolute value, also -0.0 (`pass::drivers::signs`).
        drops_absolutes,
        /// It computes sums and products of floats in another order or not at all (`x - x`), as Vulkan allows, unless they are decorated NoContraction.
        rearranges_floats,
        /// The driver rounds floats to integral values wrongly where the processor has no instruction for it
        /// (`pass::drivers::integral`).
        mistakes_rounding,
        /// The driver takes a barrier of a sub-group for one of the work-group. The work-items of its sub-groups run in step, so
        /// that a fence is such a barrier (`back/memory.rs`).
        mistakes_sub_group_barriers,
        /// The driver loses what follows a barrier of the work-group where all of another sub-group have returned in front of it
        /// (`pass::drivers::early_returns`).
        loses_ended_items,
        /// The driver reads descriptors at the indices of work-items that are not active, too, which may be any (`back/storage_buffers.rs`).
        reads_inactive_descriptors,
        /// The driver loads where no work-item does, if all have the same address (`pass::drivers::inactive_loads`).
        reads_inactive_addresses,
        /// The driver's compiler fails where it compares doubles that are push constants (`back/reflect.rs`).
        mistakes_pushed_doubles,
        /// The driver forgets what a work-item computed in the round in which it left a loop (`pass::drivers::loop_results`).
        forgets_last_rounds,
        /// It forgets what a work-item loaded in that round (`pass::drivers::loop_results`).
        forgets_last_loads,
        /// The driver's compiler looks for ways through loops and takes a block once for each of those of one length (`back/control.rs`).
        repeats_merges,
        /// The time of its inlining doubles with each call in a loop whose arguments are results of others (SPIR-V's `DontInline` keeps it from that).
        repeats_calls,
        /// The driver leaves all loops of an invocation after so many rounds (`pass::drivers::rounds`).
        limits_rounds,
        /// The driver loads words of all lanes at once, bytes and halves one by one (`pass::drivers::words`).
        gathers_words,
        /// GLSL.std.450 Exp2 is within 2 ulp wherever its result is normal, and 0 below; Vulkan promises that near 0.
        precise_exp2,
        /// OpFDiv of 32 bits is as exact as Vulkan promises: within 2.5 ulp for divisors from 2^-126 to 2^126.
        narrow_fdiv,
        /// The driver's compiler makes fewer instructions of the majority `b ^ ((a ^ b) & (c ^ b))` than of `(a & b) | (c & (a | b))`
        /// (`pass::drivers::majority`).
        prefers_xor_majorities,
        /// The driver's compiler negates operands of a double's fma by an operation of their own (`pass::drivers::negate`).
        separates_double_negations,
        /// The driver's compiler makes two sums of a sum that is shifted, also where it needs the sum itself
        /// (`pass::drivers::sums`).
        distributes_shifts,
        /// The driver's compiler loads each scalar of local memory alone, vectors whole (`pass::drivers::local_vectors`).
        separates_local_loads,
        /// The driver's compiler accesses each scalar of device memory alone, also where several are adjacent and aligned for
        /// one access (`pass::drivers::device_vectors`).
        separates_device_accesses,
        /// The driver's compiler keeps arguments in registers from where they are read (`pass::drivers::late_arguments`).
        keeps_arguments,
        /// The driver's compiler leaves loops as they are whose number of rounds only data tells (`pass::ssa::unroll::runtime`),
        /// and does not take a hint to unroll for an order (`back/control.rs`).
        keeps_loops,
        /// The driver's compiler leaves the test at the start of a loop with other exits there (`pass::drivers::loop_rotation`).
        keeps_loop_tests,
        /// Subgroup operations in compute: basic, vote, ballot, shuffle, arithmetic.
        subgroups,
        /// A subgroup goes on while others of its work-group wait for it, which Vulkan does not promise.
        forward_progress,
        /// A device of NVIDIA's: there are its names for what every device has.
        nvidia_names,
        /// Clustered subgroup operations.
        subgroup_clustered,
        /// VK_KHR_shader_clock: of a subgroup, of the device.
        subgroup_clock, device_clock,
        /// Atomics order other memory (acquire, release) right, also between work-groups.
        ordered_atomics,
        /// Fences are sequentially consistent, which makes atomics cheaper (`pass::lower::seq_cst`). Vulkan has no
        /// word for it: known of drivers, by the litmus tests.
        seq_cst,
        /// In memory that the host has, too, atomics and their orders are the host's: what Vulkan has no word for either.
        host_atomics,
        /// VK_KHR_shader_integer_dot_product.
        dot_product,
        /// VK_KHR_shader_subgroup_uniform_control_flow.
        uniform_control_flow,
        /// A storage buffer may be chosen by a number that is no constant, the same for all work-items
        /// (shaderStorageBufferArrayDynamicIndexing).
        dynamic_storage_buffers,
        /// Each work-item may choose another storage buffer (shaderStorageBufferArrayNonUniformIndexing).
        nonuniform_storage_buffers,
        /// Read-only images are read through texel buffers where their formats allow it: a table of
        /// them, indexed by a number that need not be constant.
        texel_buffers,
        /// They give normalised channels as the library computes them, bit by bit: Vulkan promises less.
        exact_texels,
        /// The driver lowers the clock of a GPU whose load is low (runtime/gpu/boost.rs).
        lowers_clock,
        /// The driver gives a pipeline that is not dispatched with a base group for one that is, and is else the same: all are made to be
        /// (runtime/launch/device_kernel.rs).
        confuses_base_pipelines,
        /// SPV_KHR_non_semantic_info may be emitted (names and lines for profilers).
        non_semantic,
        /// Kernels check their accesses and report what is wrong (`pass::check`). No feature of devices: CALDERA_CHECK asks for it.
        check,
        /// Private and local memory is zero when a kernel starts (`pass::lower::initialize`). No features of devices: contexts ask for
        /// it with CL_CONTEXT_MEMORY_INITIALIZE_KHR.
        initialize_private, initialize_local,
    }
    limits {
        /// Storage buffers that device memory consists of where there are no device addresses (`pass::lower::storage_buffers`); 0
        /// where there are.
        storage_buffers = 0,
        /// SPIR-V version to emit: 0x10000 (Vulkan 1.0), 0x10300 (1.1) to 0x10600 (1.3).
        spirv_version = 0x10300,
        /// Bytes of push constants.
        max_push_constants = 128,
        /// CL_DEVICE_MAX_PARAMETER_SIZE, bytes: what outgrows the push constants lies in memory.
        max_parameter_size = 16384,
        /// Bytes of workgroup memory.
        max_local_memory = 16384,
        /// Work-items in a work-group.
        max_work_group_size = 128,
        /// Work-items of a subgroup; 0 if it varies.
        subgroup_size = 0,
        /// Sizes that a kernel may ask for, powers of two from the first to the second; 0 without.
        min_subgroup_size = 0, max_subgroup_size = 0,
        /// Levels of control flow (`pass::shape::nesting`); 0 for as many as there are. llvmpipe has 80 levels, of which its own
        /// compiler uses some, and others take quadratic time.
        max_nesting = 76,
        /// Breaks and continues of a loop (`pass::shape::nesting`); 0 for as many as there are.
        max_exits = 0,
        /// Instructions that a module may have with its calls inlined, as far as can be told before; beyond, large
        /// functions stay calls (`pass::shape::budget`).
        max_inlined = 8 << 20,
        /// Bytes of private memory of a work-item that drivers' compilers take well; beyond, the largest objects lie in device
        /// memory (`lower/no_pointers/scratch.rs`). And what a work-group may have there.
        max_private = 8192, max_scratch = 256 << 20,
        /// Lanes that a kernel loads and stores in local memory, as its text has them, up to which the driver's compiler takes these
        /// accesses well; beyond, local memory lies in device memory (`pass::drivers::device_locals`).
        max_local_accesses = u32::MAX,
        /// Pipelines that are kept when their kernels are gone, as the driver may run their code in place of that of later ones
        /// (runtime/gpu/retired_pipelines.rs).
        kept_pipelines = 0,
        /// Work-groups of one dispatch in each dimension (maxComputeWorkGroupCount).
        max_groups_x = 65535, max_groups_y = 65535, max_groups_z = 65535,
    }
}

impl Target {
    /// The same for kernels that are not checked.
    pub fn unchecked(&self) -> Target {
        Target {
            check: false,
            ..self.clone()
        }
    }

    /// Named profiles for tests and `caldera compile --target=`.
    pub fn profile(name: &str) -> Option<Target> {
        let text = match name {
            "min" => "",
            // What lavapipe of Mesa 22.3.6 reports.
            "lavapipe" => {
                "int8 int16 int64 float16 float64 storage8 storage16 vulkan_memory_model device_scope \
                 int64_atomics int64_local_atomics float32_atomic_add float32_local_atomic_add \
                 rte16 rte32 rte64 mistakes_merges \
                 mistakes_rounding drops_zero_quotients drops_zero_products drops_zero_addends drops_zero_choices drops_absolutes mistakes_extended_words limits_rounds loses_ended_items subgroups spirv_version=0x10600 max_push_constants=128 \
                 max_local_memory=32768 max_work_group_size=1024 subgroup_size=8 min_subgroup_size=8 max_subgroup_size=8 max_private=1280"
            }
            // What NVIDIA's driver 580 reports for an H100.
            "nvidia" => {
                "int8 int16 int64 float16 float64 storage8 storage16 vulkan_memory_model device_scope \
                 explicit_layout explicit_layout8 explicit_layout16 int64_atomics int64_local_atomics \
                 float32_atomic_add float32_local_atomic_add denorm_preserve16 denorm_preserve32 \
                 denorm_preserve64 nan_preserve16 nan_preserve32 nan_preserve64 rte16 rte64 \
                 fused_fma rearranges_floats drops_zero_choices paired_registers mistakes_quotients divides_signed_words keeps_half_digits saturates_low_words divides_signed_bytes counts_sign_bits \
                 keeps_integer_digits keeps_upper_halves mistakes_half_roots mistakes_narrow_integers mistakes_extremes mistakes_saturations prefers_xor_majorities separates_double_negations \
                 separates_local_loads separates_device_accesses keeps_arguments keeps_loops keeps_loop_tests precise_exp2 narrow_fdiv nvidia_names forward_progress subgroups subgroup_clustered subgroup_clock device_clock ordered_atomics seq_cst dot_product uniform_control_flow texel_buffers exact_texels non_semantic \
                 spirv_version=0x10600 max_push_constants=256 max_local_memory=49152 max_parameter_size=32768 \
                 max_work_group_size=1024 subgroup_size=32 min_subgroup_size=32 max_subgroup_size=32 max_groups_x=2147483647"
            }
            _ => return None,
        };
        text.parse().ok()
    }
}

impl Target {
    /// CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT: division and square root of float are computed in double.
    pub fn correctly_rounds_divide_sqrt(&self) -> bool {
        self.float64
    }

    /// Memory that the host has, too, has atomics of all orders that are the host's.
    pub fn has_host_atomics(&self) -> bool {
        self.ordered_atomics && self.host_atomics
    }

    /// The device has the embedded profile: all minimum limits of the full profile that Vulkan does not promise are that of local
    /// memory.
    pub fn is_embedded(&self) -> bool {
        self.max_local_memory < 32 << 10
    }

    /// CL_DEVICE_VERSION, major and minor: of what OpenCL 3.1 requires of every device, sub-groups are what one can lack.
    pub fn opencl_version(&self) -> (u32, u32) {
        match self.subgroups {
            true => (3, 1),
            false => (3, 0),
        }
    }

    /// Grids may have more groups in dimension `d` (0 to 2) than one dispatch: kernels add
    /// the groups of earlier dispatches (`SysField::GroupBase`) to the group id.
    pub fn splits_grids(&self, d: usize) -> bool {
        [self.max_groups_x, self.max_groups_y, self.max_groups_z][d] < i32::MAX as u32
    }
}

impl Target {
    /// All flags of a list are set.
    pub fn has(&self, flags: &str) -> bool {
        let text = self.to_string();
        let mut words = flags.split([' ', ',']).filter(|w| !w.is_empty());
        words.all(|flag| text.split(' ').any(|w| w == flag))
    }

    /// The sizes of sub-groups that a kernel may ask for, smallest first.
    pub fn sub_group_sizes(&self) -> Vec<u32> {
        let largest = if self.subgroups {
            self.max_subgroup_size
        } else {
            0
        };
        let doubled = |n: &u32| n.checked_mul(2);
        let sizes = std::iter::successors(Some(self.min_subgroup_size.max(1)), doubled);
        sizes.take_while(|&n| n <= largest).collect()
    }

    /// A kernel may ask for the size of its sub-groups (cl_intel_required_subgroup_size).
    pub fn chooses_sub_group_size(&self) -> bool {
        !self.sub_group_sizes().is_empty()
    }

    /// A clock for each sub-group, where there are sub-groups.
    pub fn has_sub_group_clock(&self) -> bool {
        self.subgroups && self.subgroup_clock
    }
}

impl FromStr for Target {
    type Err = String;

    /// `feature`, `-feature` (off) and `limit=value` words on top of [`Target::MIN`].
    fn from_str(text: &str) -> Result<Target, String> {
        let mut target = Target::MIN;
        target.apply(text)?;
        Ok(target)
    }
}

impl Target {
    /// Changes this target by the words of `text` (see `from_str`).
    pub fn apply(&mut self, text: &str) -> Result<(), String> {
        for word in text.split([' ', ',']).filter(|w| !w.is_empty()) {
            let (name, value) = match word.split_once('=') {
                Some((name, v)) => {
                    let parsed = match v.strip_prefix("0x") {
                        Some(hex) => u32::from_str_radix(hex, 16),
                        None => v.parse(),
                    };
                    (name, parsed.map_err(|_| format!("bad value in '{word}'"))?)
                }
                None => match word.strip_prefix('-') {
                    Some(name) => (name, 0),
                    None => (word, 1),
                },
            };
            self.set(name, value)?;
        }
        // Vulkan has 64-bit atomics with 64-bit integers only.
        self.int64_atomics &= self.int64;
        self.int64_local_atomics &= self.int64;
        if self.storage_buffers > 0 {
            // Storage buffers are arrays of words.
            self.storage8 = false;
            self.storage16 = false;
            self.int64_atomics = false;
            self.float32_atomic_add = false;
            self.texel_buffers = false;
        }
        Ok(())
    }
}
