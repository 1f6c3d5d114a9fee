//! SPIR-V for kernels to SPIR-V for Vulkan. The word of the header that names the module's producer picks the device. Most mutants are
//! made of whole instructions and of operands that stand elsewhere in the module; the rest are libFuzzer's own.
#![no_main]

use caldera_compiler::driver::compile_spirv;
use caldera_compiler::front::spirv::{self, Source};
use caldera_compiler::options::Options;
use caldera_compiler::target::Target;

const TARGETS: &[&str] = &["min", "lavapipe", "nvidia"];
/// Words of a header.
const HEADER: usize = 5;

libfuzzer_sys::fuzz_target!(|module: &[u8]| {
    if spirv::read(module).is_err() {
        return;
    }
    let profile = TARGETS[usize::from(module[8]) % TARGETS.len()];
    let target = Target::profile(profile).expect("a known profile");
    let source = Source {
        module,
        constants: &[],
    };
    let log = compile_spirv(source, &Options::default(), &target).log;
    assert!(!log.contains("internal compiler error"), "{log}");
});

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut random = Random(u64::from(seed));
    let mut words: Vec<u32> = data[..size]
        .chunks_exact(4)
        .map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]))
        .collect();
    if random.below(8) == 0 || instructions(&words).len() < 2 {
        return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    }
    loop {
        change(&mut words, &mut random);
        if random.below(3) > 0 {
            break;
        }
    }
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    if bytes.len() > max_size.min(data.len()) {
        return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    }
    data[..bytes.len()].copy_from_slice(&bytes);
    bytes.len()
});

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005);
        self.0 = self.0.wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// Where each instruction begins and ends.
fn instructions(words: &[u32]) -> Vec<(usize, usize)> {
    let (mut all, mut at) = (Vec::new(), HEADER);
    while let Some(&first) = words.get(at) {
        let end = at + (first >> 16) as usize;
        if end == at || end > words.len() {
            break;
        }
        all.push((at, end));
        at = end;
    }
    all
}

fn change(words: &mut Vec<u32>, random: &mut Random) {
    let all = instructions(words);
    if all.len() < 2 {
        return;
    }
    let one = random.below(all.len());
    let ((at, end), (from, to)) = (all[one], all[random.below(all.len())]);
    let operand = |random: &mut Random, at: usize, end: usize| match end - at {
        1 => at,
        length => at + 1 + random.below(length - 1),
    };
    let (here, there) = (operand(random, at, end), operand(random, from, to));
    match random.below(9) {
        // An operand of another instruction, another id, a number nearby, a bit.
        0 | 1 => words[here] = words[there],
        2 => words[here] = random.below(words[3].min(1 << 16) as usize + 1) as u32,
        3 => words[here] = words[here].wrapping_add(random.below(5) as u32).wrapping_sub(2),
        4 => words[here] ^= 1 << random.below(32),
        // Another instruction with these operands.
        5 if end - at == to - from => words[at] = words[from],
        // Without the instruction, a copy of it elsewhere, the next one first.
        6 => drop(words.drain(at..end)),
        7 => {
            let copy = words[at..end].to_vec();
            words.splice(from..from, copy);
        }
        _ => {
            if let Some(&(_, behind)) = all.get(one + 1) {
                words[at..behind].rotate_left(end - at);
            }
        }
    }
}
