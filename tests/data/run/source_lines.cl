// options: -cl-std=CL3.0 -g
// Modules with source lines: functions, loops, branches, a barrier, a function of the library.
// run: kernel=lines global=8 local=4 arg=buffer:i32:1,2,3,4,5,6,7,8 arg=local:16
// expect: 0 i32:18,16,24,18,42,40,48,42
static int twice(int x) {
    return x + x;
}

kernel void lines(global int *a, local int *l) {
    int i = get_local_id(0);
    l[i] = twice(a[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int j = 0; j < 4; j++) {
        if (j == i)
            continue;
        sum += max(l[j], l[i ^ 1]);
    }
    switch (i & 1) {
    case 0:
        sum = mad24(sum, 1, 0);
        break;
    default:
        sum = clamp(sum, 0, 1000);
    }
    a[get_global_id(0)] = sum;
}
