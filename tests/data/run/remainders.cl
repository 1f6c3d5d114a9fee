// Fewer work-items than a group may have, and then a remainder of as many.
// options: -cl-std=CL3.0
// run: kernel=sizes global=4 local=8 arg=zeros:i32:12
// expect: 0 i32:40,41,42,43,0,0,0,0,0,0,0,0
// run: kernel=sizes global=12 local=8 arg=zeros:i32:12
// expect: 0 i32:80,81,82,83,84,85,86,87,140,141,142,143
kernel void sizes(global int *out) {
    out[get_global_id(0)] = get_group_id(0) * 100 + get_local_size(0) * 10 + get_local_id(0);
}
