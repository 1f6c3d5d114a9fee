// test: run
// run: kernel=ids global=6 local=2 offset=0 arg=zeros:i64:6
// expect: 0 i64:0,1,2,3,4,5
// run: kernel=ids global=6 local=2 offset=2147483640 arg=zeros:i64:6
// expect: 0 i64:2147483640,2147483641,2147483642,2147483643,2147483644,2147483645
// run: kernel=ids global=6 local=2 offset=2147483645 arg=zeros:i64:6
// expect: 0 i64:2147483645,2147483646,2147483647,2147483648,2147483649,2147483650
// run: kernel=ids global=6 local=4 offset=4294967293 arg=zeros:i64:6
// expect: 0 i64:4294967293,4294967294,4294967295,4294967296,4294967297,4294967298
// run: kernel=ids global=6 local=open offset=1099511627775 arg=zeros:i64:6
// expect: 0 i64:1099511627775,1099511627776,1099511627777,1099511627778,1099511627779,1099511627780
// run: kernel=planes global=3,2 local=3,1 offset=0,4294967295 arg=zeros:i64:6
// expect: 0 i64:4294967295,4294967296,4294967297,4294967296,4294967297,4294967298
// run: kernel=truncated global=4 local=2 offset=4294967294 arg=zeros:i32:4
// expect: 0 i32:-2,-1,0,1

/* Launches with ids of more than 32 bits, and those without, by the same kernels. */
kernel void ids(global long *out) {
    size_t id = get_global_id(0);
    out[id - get_global_offset(0)] = id;
}

kernel void planes(global long *out) {
    size_t row = get_global_id(1) - get_global_offset(1);
    out[row * 3 + get_global_id(0)] = get_global_id(0) + get_global_id(1);
}

kernel void truncated(global int *out) {
    int id = get_global_id(0);
    out[get_global_id(0) - get_global_offset(0)] = id;
}
