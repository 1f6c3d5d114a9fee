// What hip.spvasm is made of: `hipcc -O2 -c hip.hip`, and the module that CHIP_DUMP_SPIRV=1 leaves of a program with it.
#include <hip/hip_runtime.h>

// The fold of what the work-items of a block have, by a tree in shared memory.
template <typename T, typename F> __device__ T fold(T *cells, T value, F combine) {
    unsigned i = threadIdx.x;
    cells[i] = value;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half; half /= 2) {
        if (i < half) cells[i] = combine(cells[i], cells[i + half]);
        __syncthreads();
    }
    return cells[0];
}
__global__ void sums(const int *values, int *blocks, int *total, int count) {
    __shared__ int cells[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = fold(cells, i < count ? values[i] : 0, [](int a, int b) { return a + b; });
    if (threadIdx.x == 0) {
        blocks[blockIdx.x] = sum;
        atomicAdd(total, sum);
    }
}
__global__ void largest(const float *values, float *blocks) {
    extern __shared__ float room[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float most = fold(room, sqrtf(values[i]), [](float a, float b) { return fmaxf(a, b); });
    if (threadIdx.x == 0) blocks[blockIdx.x] = most;
}
