#!/usr/bin/env python3
"""Random programs of reals.py on a device, beside clang's on the host.

    compare_reals.py [--real half|float|double] [--seed N] [--count N] [--options "..."] [--spirv "COMMAND"] [--keep DIR] [--expected DIR [--for "ABILITY ..."]]

The OpenCL is the first platform's first device (OCL_ICD_VENDORS chooses it). The same text is compiled for the host by clang 19 (CLANG
names another) behind reals_host.cl, which has the functions. With --spirv the device gets the SPIR-V that COMMAND IN OUT makes. On a device without cl_khr_fp16 halves are loaded and stored only.
What the host gives is kept in --expected and taken from there, so that clang can be on another machine: --for says what abilities (those of reals.py) the
device will have, and runs no device. Prints what differs and keeps its source in DIR; exits with 1 if anything does. Needs pyopencl.
"""

import ctypes
import hashlib
import os
import subprocess
import sys
import tempfile
from dataclasses import fields
from pathlib import Path

import numpy as np

import seeds
import spirv_modules
from first_device import FirstDevice
from reals import GROUP, INPUTS, ITEMS, POOL, REALS, RECORDS, SCRATCH, Abilities, Reals


# The two sides, each of which takes a program and the inputs and gives what it records and changes.

def word_of(real):
    return np.dtype(f"uint{real.bits}").type


def real_type(real):
    return np.dtype(f"float{real.bits}")


def one_nan(real, bits):
    kind = word_of(real)
    return np.where(bits & kind(real.sign - 1) > kind(real.infinity), kind(real.nan), bits)


def inputs(seed, real, subnormal):
    """Bits of reals of every kind, without NaNs that signal."""
    kind = word_of(real)
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 1 << real.bits, ITEMS * INPUTS, dtype=kind)
    near = rng.normal(0, 4, len(values)).astype(real_type(real)).view(kind)
    values = np.where(rng.random(len(values)) < 0.6, near, values)
    one, least, most = real.bias << (real.digits - 1), 1 << (real.digits - 1), real.infinity - 1
    special = [0, real.sign, real.infinity, real.sign | real.infinity, real.nan, 1, real.sign | 1, least - 1, least, most, real.sign | most, one, real.sign | one]
    values = np.where(rng.random(len(values)) < 0.15, rng.choice(np.array(special, kind), len(values)), values)
    if not subnormal:
        values = np.where(values & kind(real.infinity), values, kind(0))
    data = one_nan(real, values).astype(kind)
    return [np.random.default_rng(seed).choice(data, ITEMS * SCRATCH), data, np.ascontiguousarray(data[8:24])]


class Host:
    def __init__(self, real, abilities, kept):
        self.real, self.abilities, self.kept = real, abilities, kept
        self.flags = [f"-DBITS={real.bits}"] + ([] if abilities.doubles else ["-DNO_DOUBLES"])

    def run(self, text, values, seed):
        """What clang's program gives, or gave where `kept` has it."""
        if not self.kept:
            return self.compiled(text, values)
        file = self.kept / f"{self.real.base}-{seed}.npz"
        program = hashlib.sha256(text.encode()).hexdigest()
        if not file.exists():
            out, scratch = self.compiled(text, values)
            file.parent.mkdir(parents=True, exist_ok=True)
            np.savez_compressed(file, out=out, scratch=scratch, program=program)
        results = np.load(file)
        if str(results["program"]) != program:
            raise RuntimeError(f"{file} is of another program: of other abilities?")
        return results["out"], results["scratch"]

    def compiled(self, text, values):
        base, size = self.real.base, self.real.bits // 8
        arguments = f"first[0], ({base}3)(first[0], first[1], first[2]), " if self.abilities.arithmetic else ""
        with tempfile.TemporaryDirectory() as folder:
            source, library = Path(folder, "host.cl"), Path(folder, "host.so")
            source.write_text(text + f"""
void host(global const {base} *first, global const {base} *in, global {base} *scratch, local {base} *pool, global ulong *out) {{
    for (item = 0; item < {ITEMS}; item++) test({arguments}in, scratch, pool, out);
}}
""")
            command = [os.environ.get("CLANG", "clang-19"), "-x", "cl", "-cl-std=CL3.0", "-target", "x86_64-linux-gnu", "-march=x86-64-v3", "-O1", "-w"]
            command += ["-ffp-contract=off", "-Xclang", "-ffloat16-excess-precision=none", "-shared", "-fPIC", f"-DGROUP={GROUP}", *self.flags]
            command += ["-include", "opencl-c-base.h", "-include", str(Path(__file__).with_name("reals_host.cl")), str(source), "-o", str(library), "-lm"]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError("clang: " + done.stderr[:2000])
            loaded = ctypes.CDLL(str(library))
            out, scratch, pool = np.zeros(ITEMS * RECORDS, np.uint64), values[0].copy(), np.zeros(GROUP * POOL, word_of(self.real))
            # As aligned as a buffer.
            aligned = np.zeros(len(scratch) + 128 // size, word_of(self.real))
            at = -aligned.ctypes.data % 128 // size
            aligned[at:at + len(scratch)] = scratch
            loaded.host(*(ctypes.c_void_p(a) for a in (values[2].ctypes.data, values[1].ctypes.data, aligned.ctypes.data + size * at, pool.ctypes.data, out.ctypes.data)))
            return out, aligned[at:at + len(scratch)]


class Device(FirstDevice):
    def __init__(self, real, options, spirv):
        super().__init__()
        self.options, self.spirv, self.real = options, spirv, real
        # Square roots of halves may be 1.5 ulp off.
        self.abilities = Abilities(real.base != "half" or "cl_khr_fp16" in self.extensions, "cl_khr_fp64" in self.extensions, True, True, real.base != "half")
        if real.base != "half":
            config = self.device.single_fp_config if real.base == "float" else self.device.double_fp_config
            self.abilities.subnormal = bool(config & self.cl.device_fp_config.DENORM)
        if real.base == "float":
            self.abilities.divides = bool(config & self.cl.device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT)
            self.abilities.roots = self.abilities.divides
            self.options += " -cl-fp32-correctly-rounded-divide-sqrt" * self.abilities.divides

    def run(self, text, values):
        cl, flags, kind = self.cl, self.cl.mem_flags, real_type(self.real)
        program = spirv_modules.of_text(self.spirv, text) if self.spirv else text
        built = cl.Program(self.context, program).build(self.options)
        out, scratch = np.zeros(ITEMS * RECORDS, np.uint64), values[0].copy()
        buffers = [cl.Buffer(self.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=a) for a in (values[1], scratch, out)]
        first = [values[2][:1].view(kind)[0], values[2][:4].view(kind)] if self.abilities.arithmetic else []
        built.test(self.queue, (ITEMS,), (GROUP,), *first, buffers[0], buffers[1], cl.LocalMemory(self.real.bits // 8 * GROUP * POOL), buffers[2])
        cl.enqueue_copy(self.queue, out, buffers[2])
        cl.enqueue_copy(self.queue, scratch, buffers[1])
        self.queue.finish()
        return out, scratch


def differences(host, device, text, seed):
    """Of the two sides' results: items and records that differ. Without a device what the host gives is kept."""
    real = host.real
    values = inputs(seed, real, host.abilities.subnormal)
    want, changed = host.run(text, values, seed)
    if not device:
        return []
    got, ours = device.run(text, values)
    found = [(i // RECORDS, f"out[{i % RECORDS}]", int(got[i]), int(want[i])) for i in np.flatnonzero(got != want)]
    other = np.flatnonzero(one_nan(real, ours) != one_nan(real, changed))
    return found + [(i // SCRATCH, f"scratch[{i % SCRATCH}]", int(ours[i]), int(changed[i])) for i in other]


def main():
    parser = seeds.parser()
    parser.add_argument("--real", choices=REALS, default="half")
    parser.add_argument("--options", default="-cl-std=CL3.0")
    parser.add_argument("--spirv", help="what makes SPIR-V for the device")
    parser.add_argument("--expected", type=Path)
    parser.add_argument("--for", dest="abilities", metavar="ABILITIES", help=" ".join(field.name for field in fields(Abilities)))
    args = parser.parse_args()
    real = REALS[args.real]
    device = Device(real, args.options, args.spirv) if args.abilities is None else None
    abilities = device.abilities if device else Abilities(**dict.fromkeys(args.abilities.split(), True))
    host = Host(real, abilities, args.expected)

    def compared(seed):
        text = Reals(seed, real, abilities).program()
        try:
            found = [f"item {i} {where}: {ours:#x}, not {want:#x}" for i, where, ours, want in differences(host, device, text, seed)]
        except Exception as e:
            found = [f"{type(e).__name__}: {str(e)[:1500]}"]
        return f"{len(found)}:", found, text

    return seeds.run(args, compared, good="equal" if device else "kept")


if __name__ == "__main__":
    sys.exit(main())
