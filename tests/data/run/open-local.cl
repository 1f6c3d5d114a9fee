// test: run
// options: -cl-std=CL3.0
// run: kernel=count global=1 local=open races arg=zeros:i32:2
// expect: 0 i32:1,0
// run: kernel=count global=7,5 local=open races arg=zeros:i32:2
// expect: 0 i32:35,595
// run: kernel=count global=5,3,2 local=open races arg=zeros:i32:2
// expect: 0 i32:30,435
// run: kernel=count global=1,9,1 local=open races arg=zeros:i32:2
// expect: 0 i32:9,36
// run: kernel=count global=1000 local=open races arg=zeros:i32:2
// expect: 0 i32:1000,499500
// run: kernel=count global=3001 local=open races arg=zeros:i32:2
// expect: 0 i32:3001,4501500
// run: kernel=count global=67,61 local=open races arg=zeros:i32:2
// expect: 0 i32:4087,8349741
// run: kernel=count global=3,5,100 local=open races arg=zeros:i32:2
// expect: 0 i32:1500,1124250
// run: kernel=corner global=7,5 offset=3,2 local=open arg=zeros:i32:8
// expect: 0 i32:9,6,7,5,3,2,0,0
// run: kernel=early global=7,3 local=open arg=count:i32:22
// expect: 0 i32:2,2,4,4,6,6,8,8,10,10,12,12,14,14,16,16,18,18,20,20,22,21

// Groups of the device's choice may have more work-items than there are: those must do nothing.
kernel void count(global int *out) {
    atomic_inc(&out[0]);
    atomic_add(&out[1], (int)get_global_linear_id());
}

// Only one work-item is the last one.
kernel void corner(global int *out) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x - get_global_offset(0) == get_global_size(0) - 1 && y - get_global_offset(1) == get_global_size(1) - 1) {
        out[0] = x;
        out[1] = y;
        out[2] = get_global_size(0);
        out[3] = get_global_size(1);
        out[4] = get_global_offset(0);
        out[5] = get_global_offset(1);
    }
}

// It has returns of its own, in a loop.
kernel void early(global int *p) {
    int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    for (int k = 0; k < 2; k++) {
        if (p[i] % 2 == 0 && k == 1) return;
        p[i]++;
        if (p[i] % 2 == 0) return;
    }
}
