// Work-group functions of all types, as groups.cl has of int.
// needs: float64 float16
// options: -cl-std=CL3.0
// run: kernel=types global=26 local=13 arg=zeros:i32:26
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=types global=100 local=100 arg=zeros:i32:100
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0

// The items' own results against sums by hand; each kernel leaves what was wrong as bits.
#define CHECK(bit, truth) if (!(truth)) wrong |= 1 << bit

kernel void types(global int *out) {
    int wrong = 0;
    int i = get_local_id(0), n = get_local_size(0);
    int sum = n * (n - 1) / 2, before = i * (i - 1) / 2;
    CHECK(0, work_group_reduce_add((float)i) == sum && work_group_scan_exclusive_add((double)i) == before);
    CHECK(1, work_group_scan_exclusive_min((float)i) == (i ? 0 : INFINITY));
    CHECK(2, work_group_all(i >= 0) && !work_group_all(i != 5));
    CHECK(3, work_group_any(i == n - 1) && !work_group_any(i == n));
    CHECK(4, work_group_broadcast(i * 2, 7) == 14);
    CHECK(5, work_group_reduce_max((half)i) == n - 1);
    out[get_global_id(0)] = wrong;
}

