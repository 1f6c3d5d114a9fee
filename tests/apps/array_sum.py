"""Sum of an array by work-group reduction; numpy gives the expected value."""

import numpy as np
import pyopencl as cl

SOURCE = """
kernel void partial_sums(global const int *in, global long *out, local long *scratch, int n) {
    int id = get_global_id(0), local_id = get_local_id(0);
    long sum = 0;
    for (int i = id; i < n; i += get_global_size(0))
        sum += in[i];
    scratch[local_id] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
        if (local_id < step)
            scratch[local_id] += scratch[local_id + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (local_id == 0)
        out[get_group_id(0)] = scratch[0];
}
"""

N, GROUPS, LOCAL = 1_000_003, 64, 128

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
program = cl.Program(context, SOURCE).build()
numbers = np.random.default_rng(1).integers(-(2**31), 2**31, N).astype(np.int32)
flags = cl.mem_flags
source = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=numbers)
sums = np.empty(GROUPS, np.int64)
result = cl.Buffer(context, flags.WRITE_ONLY, sums.nbytes)
program.partial_sums(
    queue, (GROUPS * LOCAL,), (LOCAL,), source, result, cl.LocalMemory(8 * LOCAL), np.int32(N)
)
cl.enqueue_copy(queue, sums, result)
expected = numbers.sum(dtype=np.int64)
assert sums.sum() == expected, f"{sums.sum()} is not {expected}"
print(f"sum of {N} integers: {expected}")
