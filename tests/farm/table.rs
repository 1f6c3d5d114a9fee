//! The drivers of the farm, and their known bugs.

use super::worker::Pipeline;

/// A Vulkan driver of Mesa, and how its DRM shim is told which GPU to be.
pub struct Gpu {
    pub name: &'static str,
    /// `libvulkan_NAME.so` and `libNAME_noop_drm_shim.so`.
    pub driver: &'static str,
    pub shim: &'static str,
    pub env: &'static [(&'static str, &'static str)],
    /// Its driver is one of arm64 alone, which other machines emulate.
    pub arm64: bool,
    /// Libraries of Mesa 25.0, whose driver still starts on its shim.
    pub older: bool,
    /// Is tested in every run.
    pub always: bool,
}

const GPU: Gpu = Gpu {
    name: "",
    driver: "",
    shim: "",
    env: &[],
    arm64: false,
    older: false,
    always: false,
};

const fn radv(name: &'static str, env: &'static [(&'static str, &'static str)]) -> Gpu {
    Gpu {
        name,
        driver: "radeon",
        shim: "amdgpu",
        env,
        ..GPU
    }
}

const fn turnip(name: &'static str, env: &'static [(&'static str, &'static str)]) -> Gpu {
    Gpu {
        name,
        driver: "freedreno",
        shim: "freedreno",
        env,
        ..GPU
    }
}

const fn nvk(name: &'static str, env: &'static [(&'static str, &'static str)]) -> Gpu {
    Gpu {
        name,
        driver: "nouveau",
        shim: "nouveau",
        env,
        ..GPU
    }
}

pub const GPUS: &[Gpu] = &[
    radv("radv-polaris10", &[("AMDGPU_GPU_ID", "polaris10")]),
    Gpu {
        always: true,
        ..radv("radv-navi31", &[("AMDGPU_GPU_ID", "navi31")])
    },
    radv("radv-gfx1201", &[("AMDGPU_GPU_ID", "gfx1201")]),
    turnip("turnip-618", &[("FD_GPU_ID", "618")]),
    turnip("turnip-660", &[("FD_GPU_ID", "660")]),
    turnip("turnip-730", &[("FD_GPU_ID", "730")]),
    Gpu {
        always: true,
        ..turnip("turnip-750", &[("FD_GPU_ID", "750")])
    },
    nvk("nvk-pascal", &[("NOUVEAU_CHIPSET", "134")]),
    nvk("nvk-turing", &[("NOUVEAU_CHIPSET", "164")]),
    // The shim has no later one, such as Ada.
    nvk("nvk-ampere", &[("NOUVEAU_CHIPSET", "174")]),
    Gpu {
        name: "honeykrisp-m1",
        driver: "asahi",
        shim: "asahi",
        ..GPU
    },
    Gpu {
        name: "panvk-g610",
        driver: "panfrost",
        shim: "panfrost",
        env: &[("PAN_GPU_ID", "a867")],
        arm64: true,
        ..GPU
    },
    Gpu {
        name: "v3dv-pi4",
        driver: "broadcom",
        shim: "v3d",
        arm64: true,
        older: true,
        ..GPU
    },
    Gpu {
        name: "powervr-bxs",
        driver: "powervr_mesa",
        shim: "powervr",
        env: &[
            ("PVR_SHIM_DEVICE_BVNC", "36.53.104.796"),
            ("PVR_I_WANT_A_BROKEN_VULKAN_DRIVER", "1"),
        ],
        arm64: true,
        ..GPU
    },
];

/// A kernel for which a driver makes no pipeline, or crashes, or takes too long.
pub struct Bug {
    /// The beginning of the names of GPUs.
    pub gpus: &'static str,
    /// The name of the file, as reports show it, and the beginning of the kernel's. Where no file is named, any may show the bug.
    pub file: &'static str,
    pub kernel: &'static str,
    /// Part of what the driver says, or [`SLOW`].
    pub says: &'static str,
    /// Versions in which it was seen, and how it is known to be the driver's.
    pub evidence: &'static str,
}

/// What is said of pipelines that take too long.
pub const SLOW: &str = "takes";

impl Bug {
    pub fn is_of(&self, gpu: &Gpu, pipeline: &Pipeline) -> bool {
        gpu.name.starts_with(self.gpus)
            && (self.file.is_empty() || self.file == pipeline.file)
            && pipeline.kernel.starts_with(self.kernel)
    }
}

pub const BUGS: &[Bug] = &[
    slow("turnip-", "run/lower-chains-long.cl", CHAINS),
    slow("nvk-", "run/lower-chains-long.cl", CHAINS),
    slow("nvk-turing", "run/lower-chains.cl", LOOPS),
    slow("nvk-ampere", "run/lower-chains.cl", LOOPS),
    slow("nvk-", "opencv/warpAffine-6.cl", CUBIC),
    slow("nvk-", "opencv/warpAffine-12.cl", CUBIC),
    slow("nvk-", "hashcat/m01800-optimized.cl", NVK_LARGE),
    slow("nvk-", "hashcat/m07100-pure.cl", NVK_LARGE),
    slow("nvk-", "hashcat/m07900-pure.cl", NVK_LARGE),
    slow("nvk-", "hashcat/m09400-pure.cl", NVK_LARGE),
    slow("nvk-", "hashcat/m09500-pure.cl", NVK_LARGE),
    slow("nvk-", "hashcat/m10700-optimized.cl", NVK_LARGE),
    slow("nvk-", "hashcat/m02100-pure.cl", NVK_INLINED),
    slow("nvk-", "hashcat/m09600-pure.cl", NVK_INLINED),
    slow("nvk-pascal", "hashcat/m11300-pure.cl", NVK_PAIRS),
    slow("nvk-pascal", "hashcat/m13400-pure.cl", NVK_PAIRS),
    slow("nvk-pascal", "hashcat/m13711-pure.cl", NVK_PAIRS),
    slow("nvk-pascal", "hashcat/m17200_a3-pure.cl", NVK_PAIRS),
    slow("nvk-pascal", "hashcat/m19600-pure.cl", NVK_PAIRS),
    slow("nvk-pascal", "hashcat/m19700-pure.cl", NVK_PAIRS),
    slow("nvk-pascal", "hashcat/m22100-pure.cl", NVK_PAIRS),
    slow("turnip-", "hashcat/m01800-optimized.cl", LARGE),
    slow("turnip-", "hashcat/m02100-pure.cl", LARGE),
    slow("turnip-", "hashcat/m06211-pure.cl", TABLES),
    slow("turnip-", "hashcat/m07100-pure.cl", LARGE),
    slow("turnip-", "hashcat/m07900-pure.cl", LARGE),
    slow("turnip-", "hashcat/m09600-pure.cl", LARGE),
    slow("turnip-", "hashcat/m10700-optimized.cl", LARGE),
    slow("turnip-660", "hashcat/m11300-pure.cl", LARGE),
    slow("turnip-", "hashcat/m13400-pure.cl", LARGE),
    slow("turnip-", "hashcat/m13711-pure.cl", LARGE),
    slow("turnip-", "hashcat/m17200_a3-pure.cl", COPIES),
    slow("turnip-", "hashcat/m19600-pure.cl", LARGE),
    slow("turnip-", "hashcat/m19700-pure.cl", TABLES),
];

/// Some kernel of the file takes too long.
const fn slow(gpus: &'static str, file: &'static str, evidence: &'static str) -> Bug {
    Bug {
        gpus,
        file,
        kernel: "",
        says: SLOW,
        evidence,
    }
}

const LOOPS: &str =
    "Mesa 26.1.6: 5.7 s for the 75 loops of loops_75 on a busy machine, 0.2 s and less on RADV";

const CHAINS: &str = "Mesa 26.1.6: the time grows with the square of a chain's 3000 conditions";

const LARGE: &str = "Mesa 26.1.6: 70 to 150 us for each of 49,000 to 96,000 instructions, 20 us where they are 5,000; RADV, nearly as many, 20 to 50 us. \
    The loop of NIR's optimizations runs three times and is a third of it, no other pass is more than a tenth";

const NVK_LARGE: &str = "Mesa 26.1.6, Turing: 5.8 to 7.3 s on a busy machine. In RADV's code m01800, m07100, m07900 and m10700 have 50,000 to 74,000 \
    instructions and take 1.2 to 2.5 s; m09400 and m09500 were not compared";

const NVK_INLINED: &str = "Mesa 26.1.6, Turing: 17 s for m02100_init, 43 s for m09600_init, which call functions of 20 operations 1,341 and 1,721 times; \
    RADV takes 2.3 s for the latter, Honeykrisp 2.0 s. Three quarters are in NAK, spread over its passes. That functions have no branches makes no difference";

const NVK_PAIRS: &str = "Mesa 26.1.6, Pascal, where 64-bit integers are pairs of words: 7 to 14 s on a busy machine; Turing takes less than 5 s";

const CUBIC: &str = "Mesa 26.1.6: 5.7 s for 30,813 instructions on a busy machine, 186 us for each; RADV 41 us for each of 28,577";

const COPIES: &str = "Mesa 26.1.6: 115 s for m17200_sxx, most of it where ir3 merges registers, following copies (chase_copies); Honeykrisp takes 0.7 s, \
    NVK 4 s. With max_private=1024 2.7 s, but m06211_comp then takes 25 s instead of 6 and m13711_comp 30 instead of 12";

const TABLES: &str = "Mesa 26.1.6: nir_opt_algebraic's automaton visits all uses of the value that replaces one: 3,000 addresses of one base, halves \
    of 64 bits, are 30% of 5 s for m06211_comp and 55% of 14 s for m19700_comp (by perf). RADV: 0.7 and 3.3 s";
