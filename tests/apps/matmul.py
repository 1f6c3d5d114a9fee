"""Tiled matrix product with local memory and barriers; numpy gives the expected values."""

import numpy as np
import pyopencl as cl

SOURCE = """
#define TILE 16
kernel void matmul(global const float *a, global const float *b, global float *c, int n, int m, int k) {
    local float ta[TILE][TILE], tb[TILE][TILE];
    int col = get_global_id(0), row = get_global_id(1);
    int x = get_local_id(0), y = get_local_id(1);
    float sum = 0.0f;
    for (int t = 0; t < k; t += TILE) {
        ta[y][x] = row < n && t + x < k ? a[row * k + t + x] : 0.0f;
        tb[y][x] = t + y < k && col < m ? b[(t + y) * m + col] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TILE; i++)
            sum += ta[y][i] * tb[i][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < n && col < m)
        c[row * m + col] = sum;
}
"""

N, M, K, TILE = 150, 203, 97, 16

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
program = cl.Program(context, SOURCE).build("-cl-mad-enable")
rng = np.random.default_rng(2)
a = rng.standard_normal((N, K), dtype=np.float32)
b = rng.standard_normal((K, M), dtype=np.float32)
c = np.full((N, M), np.nan, np.float32)
flags = cl.mem_flags
buffers = [cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=x) for x in (a, b)]
out = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=c)
padded = [-(-size // TILE) * TILE for size in (M, N)]
program.matmul(queue, padded, (TILE, TILE), *buffers, out, np.int32(N), np.int32(M), np.int32(K))
cl.enqueue_copy(queue, c, out)
expected = a.astype(np.float64) @ b.astype(np.float64)
# Each sum of K products has at most K roundings.
bound = K * 2.0**-23 * (np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64))
assert (np.abs(c - expected) <= bound).all(), np.abs(c - expected).max()
print(f"{N}x{K} by {K}x{M}: largest error {np.abs(c - expected).max():.2e}")
