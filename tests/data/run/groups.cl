// options: -cl-std=CL3.0
// run: kernel=sums global=26 local=13 arg=zeros:i32:26
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=sums global=100 local=100 arg=zeros:i32:100
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=products global=26 local=13 arg=zeros:i32:26
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=products global=100 local=100 arg=zeros:i32:100
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=truths global=26 local=13 arg=zeros:i32:26
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=truths global=100 local=100 arg=zeros:i32:100
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=three global=3,4,5 local=3,2,5 arg=zeros:i32:60
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=three global=1,1,1 local=1,1,1 arg=zeros:i32:1
// expect: 0 i32:0
// run: kernel=loops global=12 local=6 arg=zeros:i32:12
// expect: 0 i32:54,54,54,54,54,54,81,81,81,81,81,81

// The items' own results against sums by hand; each kernel leaves what was wrong as bits.
#define CHECK(bit, truth) if (!(truth)) wrong |= 1 << bit

kernel void sums(global int *out) {
    int wrong = 0;
    int i = get_local_id(0), n = get_local_size(0);
    int sum = n * (n - 1) / 2, before = i * (i - 1) / 2;
    CHECK(0, work_group_reduce_add(i) == sum);
    CHECK(1, work_group_scan_exclusive_add(i) == before);
    CHECK(2, work_group_scan_inclusive_add(i) == before + i);
    CHECK(3, work_group_reduce_min((long)-i) == 1 - n && work_group_reduce_max((ulong)i) == n - 1);
    CHECK(4, work_group_scan_exclusive_max(i) == (i ? i - 1 : INT_MIN));
    CHECK(5, work_group_scan_inclusive_min(100u - i) == 100 - i);
    out[get_global_id(0)] = wrong;
}

kernel void products(global int *out) {
    int wrong = 0;
    int i = get_local_id(0), n = get_local_size(0);
    CHECK(0, work_group_reduce_mul(i == 3 || i == 12 ? 3u : 1u) == 9);
    CHECK(1, work_group_scan_exclusive_or(1ul << (i % 64)) == (i < 64 ? (1ul << i) - 1 : ~0ul));
    CHECK(2, work_group_scan_inclusive_xor(1) == (i + 1 & 1));
    CHECK(3, work_group_reduce_and(~(1 << i % 4)) == ~15);
    out[get_global_id(0)] = wrong;
}

kernel void truths(global int *out) {
    int wrong = 0;
    int i = get_local_id(0), n = get_local_size(0);
    CHECK(0, work_group_scan_exclusive_logical_and(i != 9) == (i <= 9));
    CHECK(1, work_group_scan_inclusive_logical_or(i == 10) == (i >= 10));
    CHECK(2, work_group_reduce_logical_xor(i < 3) == 1);
    CHECK(3, work_group_scan_exclusive_logical_xor(1) == (i & 1));
    out[get_global_id(0)] = wrong;
}

kernel void three(global int *out) {
    int wrong = 0;
    int i = get_local_linear_id(), n = get_local_size(0) * get_local_size(1) * get_local_size(2);
    CHECK(0, work_group_reduce_add(i) == n * (n - 1) / 2);
    CHECK(1, work_group_scan_inclusive_add(1) == i + 1);
    CHECK(2, work_group_broadcast(i, get_local_size(0) - 1, 0, get_local_size(2) - 1)
        == get_local_size(0) - 1 + (get_local_size(2) - 1) * get_local_size(0) * get_local_size(1));
    CHECK(3, work_group_broadcast(i, 0, get_local_size(1) - 1) == get_local_size(0) * (get_local_size(1) - 1));
    out[get_global_linear_id()] = wrong;
}

// Calls follow each other without a barrier between, in a loop with as many rounds for each group.
kernel void loops(global int *out) {
    int total = 0, base = get_group_id(0);
    for (int round = 0; round < 3; round++) {
        if (base < 2) total += work_group_reduce_max((int)get_local_id(0) + round);
        total += work_group_broadcast((int)get_global_id(0), round) + work_group_reduce_add(base) / 2 + round;
    }
    out[get_global_id(0)] = total + work_group_reduce_add(5);
}
