// run: kernel=table global=8 local=4 arg=zeros:i32:32
// expect: 0 i32:10,11,12,13,11,12,13,14,12,13,14,15,13,14,15,10,14,15,10,11,15,10,11,12,10,11,12,13,11,12,13,14
// run: kernel=beside global=8 local=4 arg=buffer:i64:8589934591,0,0,-2,4611686018427387904,0,1,4611686018427387904,-1,5,5,6,7,3,8589934592,4294967296 arg=zeros:i64:32
// expect: 1 i64:8589934591,8589934591,1,8589934591,-2,0,0,0,4611686018427387904,4611686018427387904,4,4611686018427387904,4611686018427387905,0,1,0,-1,-6,5,3689348814741910323,11,0,5,0,10,4,7,2,12884901888,4294967296,2,1

// Expected: Python's integers. NVIDIA's compiler mistakes 64-bit divisions where there are several, and values beside them.
constant int letters[6] = {10, 11, 12, 13, 14, 15};

kernel void table(global int *out) {
    size_t i = get_global_id(0);
    for (int j = 0; j < 4; j++)
        out[i * 4 + j] = letters[(i + j) % 6];
}

kernel void beside(global const ulong2 *in, global ulong *out) {
    size_t i = get_global_id(0);
    ulong x = in[i].x, y = in[i].y;
    out += 4 * i;
    out[0] = add_sat(x, y);
    out[1] = sub_sat(x, y);
    out[2] = x % 10;
    out[3] = x / (y | 1);
}
