// What the modules llvm-spirv-14, llvm-spirv-15, llvm-spirv-19 and llvm-22 are made of, each by the commands in its first lines.
struct line {
    int slope;
    short offset[2];
    char scale;
};
constant int letters[6] = {3, 1, 4, 1, 5, 9};

int fold(local int *cells, int value) {
    size_t i = get_local_id(0);
    cells[i] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t rest = get_local_size(0) / 2; rest; rest /= 2) {
        if (i < rest) cells[i] += cells[i + rest];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return cells[0];
}
// Local memory of the kernel's own and of an argument, helpers with pointers, atomics.
kernel void sums(global const int *values, global int *groups, global int *total, local int *cells) {
    local int largest;
    size_t i = get_global_id(0);
    if (get_local_id(0) == 0) largest = 0;
    int sum = fold(cells, values[i]);
    atomic_max(&largest, values[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        groups[get_group_id(0)] = sum * 100 + largest;
        atomic_add(total, sum);
    }
}
// A struct by value, vectors with swizzles, a constant table, private arrays.
kernel void lines(global const float4 *in, global float4 *out, const struct line l) {
    size_t i = get_global_id(0);
    float4 v = in[i].wzyx * (float)l.slope;
    int room[4];
    for (int j = 0; j < 4; j++) room[j] = letters[(i + j) % 6] + l.offset[j & 1];
    v += convert_float4(vload4(0, room)) * l.scale;
    v.s1 = fma(v.x, 2.0f, v.w);
    out[i] = select(v, -v, v > 40.0f);
}
// A switch, loops with breaks, calls that stay calls.
__attribute__((noinline)) int steps(uint n) {
    int count = 0;
    while (n != 1) {
        if (++count > 30) break;
        if (n % 2 == 0) { n /= 2; continue; }
        n = 3 * n + 1;
    }
    return count;
}
kernel void kinds(global const uchar *text, global int *out) {
    size_t i = get_global_id(0);
    switch (text[i]) {
    case 'a': case 'e': out[i] = 1; break;
    case '0': out[i] = -1;
    case '1': out[i] -= 7; break;
    default: out[i] = steps(text[i]);
    }
}
// Builtin functions of integers, conversions, halves in memory, 64 bits, pointers of the generic kind.
long both(const int *p, int i) { return (long)p[i] << 33; }
kernel void bits(global const int *in, global int *out, global half *halves, global long *wide) {
    int i = get_global_id(0), v = in[i], own[2] = {v, v + 1};
    out[i] = popcount(v) + 100 * clz(v) + (int)rotate((uint)v, 4u) + mul_hi(v, 1 << 20) + convert_uchar_sat(v) + abs_diff(v, 5) + as_int(2.0f);
    vstore_half((float)v / 4, i, halves);
    wide[i] = i & 1 ? both(in, i) : both(own, 1);
}
