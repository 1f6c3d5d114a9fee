// options: -cl-std=CL3.0
// run: kernel=k global=4 local=2 arg=buffer:i32:1,2,3,4,5,6 arg=zeros:i32:4
// expect: 1 i32:9,13,17,21

// All pointers that become generic are global: what calls take and return has no other space, also where calls stay calls.
int *behind(int *p, int by) {
    return p + by;
}

int sum(int *p, int n) {
    int total = 0;
    for (int i = 0; i < n; i++)
        total += *behind(p, i) * (i == 0 ? 1 : i);
    return total;
}

kernel void k(global int *in, global int *out) {
    int i = get_global_id(0);
    out[i] = sum(behind(in, i), 3);
}
