// test: run
// options: -cl-std=CL3.0
// needs: subgroups
// run: kernel=reduce global=32 local=16 arg=buffer:i64:1,1,3,3,2147483647,2147483649,4294967295,4294967297,4294967297,4611686018427387905,9223372036854775807,-9223372036854775807,-9223372036854775807,-1,-1,-4294967295,8589934591,-9223372034707292159,281470681808895,1000000000000000001,93,29733,1113,126032356786144563,379537472369,140575,15457,49,21905,30065321680947,128663013405,2129126141 arg=zeros:i32:32
// expect: 1 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=apart global=32 local=16 arg=buffer:i64:1,1,3,3,2147483647,2147483649,4294967295,4294967297,4294967297,4611686018427387905,9223372036854775807,-9223372036854775807,-9223372036854775807,-1,-1,-4294967295,8589934591,-9223372034707292159,281470681808895,1000000000000000001,93,29733,1113,126032356786144563,379537472369,140575,15457,49,21905,30065321680947,128663013405,2129126141 arg=zeros:i32:32
// expect: 1 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0

// What a loop over local memory gives.
kernel void reduce(global const long *in, global int *wrong) {
    size_t i = get_global_id(0);
    uint lane = get_sub_group_local_id(), size = get_sub_group_size();
    local long all[16];
    long x = all[get_local_id(0)] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    local long *mine = all + (get_local_id(0) - lane);
    long sum = 0, before = 0, least = LONG_MAX, most = LONG_MIN;
    for (uint j = 0; j < size; ++j) {
        sum += mine[j];
        before += j < lane ? mine[j] : 0;
        least = min(least, mine[j]);
        most = j <= lane ? max(most, mine[j]) : most;
    }
    wrong[i] = (sub_group_reduce_add(x) != sum) | (sub_group_reduce_min(x) != least) << 1 | (sub_group_scan_inclusive_max(x) != most) << 2 |
        (sub_group_scan_exclusive_add(x) != before) << 3 | (sub_group_broadcast(x, size - 1) != mine[size - 1]) << 4;
}

kernel void apart(global const ulong *in, global int *wrong) {
    size_t i = get_global_id(0);
    uint lane = get_sub_group_local_id(), size = get_sub_group_size();
    local ulong all[16];
    ulong x = all[get_local_id(0)] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    local ulong *mine = all + (get_local_id(0) - lane);
    ulong product = 1, merged = 0, least = ULONG_MAX;
    for (uint j = 0; j < size; ++j) {
        if (j % 3 != 1) {
            product *= mine[j];
            merged ^= j <= lane ? mine[j] : 0;
            least = j < lane ? min(least, mine[j]) : least;
        }
    }
    if (lane % 3 != 1)
        wrong[i] = (sub_group_non_uniform_reduce_mul(x) != product) | (sub_group_non_uniform_scan_inclusive_xor(x) != merged) << 1 |
            (sub_group_non_uniform_scan_exclusive_min(x) != least) << 2;
}
