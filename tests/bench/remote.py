#!/usr/bin/python3
"""What a device costs to reach: time of a launch and of small transfers, bandwidth of large ones. For PoCL's remote driver beside the
device itself (docs/remote.md); runs on the first device of the first platform, and checks results.

    tests/bench/remote.py [ROUNDS]
"""
import sys
import time

import numpy as np
import pyopencl as cl

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 300
LARGE = 64 << 20

device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
print(f'{device.platform.name}: {device.name}')

program = cl.Program(context, '''
    kernel void saxpy(global float *y, global const float *x, float a) { size_t i = get_global_id(0); y[i] = fma(a, x[i], y[i]); }
    kernel void nothing(global float *y) { }''').build()
random = np.random.default_rng(1)
x, y = (random.random(1 << 20, dtype=np.float32) for _ in range(2))
copies = [cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=data) for data in (y, x)]
program.saxpy(queue, x.shape, None, *copies, np.float32(2))
result = np.empty_like(y)
cl.enqueue_copy(queue, result, copies[0])
assert np.abs(result - (2 * x + y)).max() < 1e-6, 'wrong results'

nothing = program.nothing
nothing.set_arg(0, copies[0])
small = np.zeros(4, np.uint8)
large = random.integers(0, 256, LARGE, dtype=np.uint8)
there = cl.Buffer(context, cl.mem_flags.READ_WRITE, LARGE)


def launch():
    return cl.enqueue_nd_range_kernel(queue, nothing, (64,), None)


def seconds(work, rounds):
    """Of one of `rounds` calls, behind a call that is not counted; the best of three."""
    work()
    queue.finish()
    best = float('inf')
    for _ in range(3):
        start = time.perf_counter()
        for _ in range(rounds):
            work()
        queue.finish()
        best = min(best, (time.perf_counter() - start) / rounds)
    return best


for what, work in {
    'launch, and wait': lambda: launch().wait(),
    'launches in a row': launch,
    'write of 4 bytes': lambda: cl.enqueue_copy(queue, copies[0], small),
    'read of 4 bytes': lambda: cl.enqueue_copy(queue, small, copies[0]),
}.items():
    print(f'{what:20} {seconds(work, ROUNDS) * 1e6:10.1f} us')
back = np.empty_like(large)
for what, work in {
    'write of 64 MB': lambda: cl.enqueue_copy(queue, there, large),
    'read of 64 MB': lambda: cl.enqueue_copy(queue, back, there),
}.items():
    print(f'{what:20} {LARGE / seconds(work, 3) / 1e9:10.2f} GB/s')
assert (back == large).all(), 'wrong bytes'
