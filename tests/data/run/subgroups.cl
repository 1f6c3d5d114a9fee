// needs: subgroups
// options: -cl-std=CL3.0
// run: kernel=ids global=24 local=12 arg=zeros:i32:24
// expect: 0 i32:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
// run: kernel=ids global=6,2,2 local=3,2,2 arg=zeros:i32:24
// expect: 0 i32:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
// run: kernel=reductions global=16 local=16 arg=zeros:i32:16
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=divergent global=32 local=32 arg=zeros:i32:32
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=ballots global=32 local=32 arg=zeros:i32:32
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=large global=64 local=32 arg=zeros:i32:64
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=memory global=32 local=32 arg=zeros:i32:32
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0

// Sub-groups have another size on each device: what is right is computed from the ids, and each
// kernel leaves what was wrong as bits.

kernel void ids(global int *out) {
    uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);
    uint size = get_sub_group_size(), max = get_max_sub_group_size();
    uint id = get_sub_group_id(), lane = get_sub_group_local_id(), n = get_num_sub_groups();
    bool ok = n == (items + max - 1) / max && id < n && lane < size && size <= max;
    ok = ok && get_enqueued_num_sub_groups() == n;
    ok = ok && size == (id + 1 < n ? max : items - id * max);
    ok = ok && id * max + lane == get_local_linear_id();
    ok = ok && sub_group_reduce_add(1u) == size;
    out[get_global_linear_id()] = ok;
}

#define CHECK(bit, truth) if (!(truth)) wrong |= 1 << bit

kernel void reductions(global int *out) {
    int wrong = 0;
    int lane = get_sub_group_local_id(), n = get_sub_group_size();
    int sum = n * (n - 1) / 2, before = lane * (lane - 1) / 2;
    CHECK(0, sub_group_reduce_add(lane) == sum);
    CHECK(1, sub_group_scan_exclusive_add(lane) == before);
    CHECK(2, sub_group_scan_inclusive_add(lane) == before + lane);
    CHECK(3, sub_group_reduce_max((long)-lane) == 0 && sub_group_reduce_min((long)-lane) == 1 - n);
    CHECK(4, sub_group_reduce_min((uint)lane - 1) == (n == 1 ? UINT_MAX : 0));
    CHECK(5, sub_group_scan_exclusive_min(lane) == (lane ? 0 : INT_MAX));
    CHECK(6, sub_group_scan_exclusive_max((uchar)(lane + 1)) == lane);
    CHECK(7, sub_group_reduce_add((float)lane) == sum);
    CHECK(8, sub_group_scan_inclusive_max((float)lane) == lane);
    CHECK(9, sub_group_scan_exclusive_min((float)lane) == (lane ? 0 : INFINITY));
    CHECK(10, sub_group_reduce_add((ulong)lane << 32) == (ulong)sum << 32);
    CHECK(11, sub_group_reduce_add((short)lane) == sum);
    CHECK(12, sub_group_all(lane >= 0) && !sub_group_all(lane > 0) && !sub_group_any(lane < 0));
    CHECK(13, sub_group_any(lane == n - 1));
    CHECK(14, sub_group_non_uniform_reduce_mul(2u) == 1u << n);
    CHECK(15, sub_group_non_uniform_scan_exclusive_or(1 << lane) == (1 << lane) - 1);
    CHECK(16, sub_group_non_uniform_reduce_and(~(1 << lane)) == (n == 32 ? 0 : -(1 << n)));
    CHECK(17, sub_group_non_uniform_scan_exclusive_logical_and(lane != 1) == (lane < 2));
    CHECK(18, sub_group_non_uniform_reduce_logical_xor(lane == 0) == 1);
    CHECK(19, sub_group_non_uniform_reduce_logical_or(lane == -1) == 0);
    out[get_global_id(0)] = wrong;
}

kernel void divergent(global int *out) {
    int wrong = 0;
    int lane = get_sub_group_local_id(), n = get_sub_group_size();
    if (lane & 1) {
        CHECK(0, sub_group_non_uniform_reduce_add(1) == n / 2);
        CHECK(1, sub_group_broadcast_first(lane) == 1);
        CHECK(2, sub_group_elect() == (lane == 1));
        CHECK(3, sub_group_non_uniform_all(lane & 1));
    } else {
        CHECK(4, sub_group_non_uniform_scan_exclusive_add(1) == lane / 2);
        CHECK(5, !sub_group_non_uniform_any(lane & 1));
        CHECK(6, sub_group_non_uniform_all_equal(lane & 1));
    }
    CHECK(7, !sub_group_non_uniform_all_equal(lane & 1));
    CHECK(8, sub_group_reduce_add(1) == n);
    // The items leave the loop one after the other.
    int rounds = 0, total = 0;
    while (rounds < lane + 1) {
        total += sub_group_non_uniform_reduce_add(1);
        rounds++;
    }
    int expected = 0;
    for (int i = 0; i <= lane; i++) expected += n - i;
    CHECK(9, total == expected);
    out[get_global_id(0)] = wrong;
}

kernel void ballots(global int *out) {
    int wrong = 0;
    uint lane = get_sub_group_local_id(), n = get_sub_group_size();
    uint4 odd = sub_group_ballot(lane & 1), full = sub_group_ballot(1);
    CHECK(0, sub_group_ballot_bit_count(odd) == n / 2 && sub_group_ballot_bit_count(full) == n);
    CHECK(1, sub_group_inverse_ballot(odd) == (lane & 1));
    CHECK(2, sub_group_ballot_bit_extract(odd, 1) && !sub_group_ballot_bit_extract(odd, 2));
    CHECK(3, sub_group_ballot_exclusive_scan(full) == lane);
    CHECK(4, sub_group_ballot_inclusive_scan(full) == lane + 1);
    CHECK(5, sub_group_ballot_find_lsb(odd) == 1 && sub_group_ballot_find_msb(full) == n - 1);
    uint4 eq = get_sub_group_eq_mask(), lt = get_sub_group_lt_mask(), ge = get_sub_group_ge_mask();
    CHECK(6, eq.x == 1u << lane && lt.x == eq.x - 1 && (ge.x & full.x) == (full.x & ~lt.x));
    CHECK(7, all(get_sub_group_le_mask() == (lt | eq)) && all(get_sub_group_gt_mask() == (ge & ~eq)));
    CHECK(8, odd.y == 0 && odd.z == 0 && odd.w == 0);
    out[get_global_id(0)] = wrong;
}

kernel void memory(global int *out) {
    local int shared[32];
    uint lane = get_sub_group_local_id(), n = get_sub_group_size();
    uint first = get_local_id(0) - lane;
    shared[first + lane] = lane;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = shared[first + n - 1 - lane] != n - 1 - lane;
}

// With private memory that is too large for drivers.
kernel void large(global int *out) {
    int a[3000], wrong = 0;
    int lane = get_sub_group_local_id(), n = get_sub_group_size();
    for (int i = 0; i < n; i++) a[(i * 37 + lane) % 3000] = i * 100 + lane;
    for (int i = 0; i < n; i++) {
        int there = sub_group_shuffle(a[(i * 37 + lane) % 3000], (lane + i) % n);
        CHECK(i, there == i * 100 + (lane + i) % n);
    }
    if (lane & 1) a[lane] = sub_group_non_uniform_reduce_add(1);
    CHECK(31, !(lane & 1) || a[lane] == n / 2);
    out[get_global_id(0)] = wrong;
}
