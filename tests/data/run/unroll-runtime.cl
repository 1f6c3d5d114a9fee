// test: run
// options: -cl-std=CL3.0
// target: nvidia
// run: kernel=upwards global=12 local=12 arg=buffer:i32:0,1,2,3,4,5,7,8,9,-1,-2147483648,-2147483647 arg=zeros:i32:12
// expect: 1 i32:0,0,1,3,6,10,21,28,36,0,0,0
// run: kernel=at_most global=8 local=8 arg=buffer:i32:0,1,2,3,4,9,-1,-2147483648 arg=zeros:i32:8
// expect: 1 i32:0,1,3,6,10,45,0,0
// run: kernel=by_three global=8 local=8 arg=buffer:i32:0,1,3,4,12,13,40,8 arg=zeros:i32:8
// expect: 1 i32:0,1,1,2,4,5,14,3
// run: kernel=near_the_end global=6 local=6 arg=buffer:i32:-1,-2,-7,-8,0,-6 arg=zeros:i32:6
// expect: 1 i32:7,6,1,0,0,2
// run: kernel=downwards global=7 local=7 arg=buffer:i32:0,1,2,3,4,5,11 arg=zeros:i32:7
// expect: 1 i32:0,1,21,321,4321,54321,-1897247567
// run: kernel=differs global=6 local=6 arg=buffer:i32:5,6,8,9,4,20 arg=zeros:i32:6
// expect: 1 i32:0,1,3,4,-1,15
// run: kernel=differs_downwards global=5 local=5 arg=buffer:i32:5,4,2,1,-15 arg=zeros:i32:5
// expect: 1 i32:0,1,3,4,20
// run: kernel=at_the_end global=7 local=7 arg=buffer:i32:0,1,2,4,5,9,-3 arg=zeros:i32:7
// expect: 1 i32:1,1,2,4,5,9,1
// run: kernel=continues global=6 local=6 arg=buffer:i32:0,1,4,5,9,12 arg=zeros:i32:6
// expect: 1 i32:0,1,2,2,15,36
// run: kernel=long_counter global=5 local=5 arg=buffer:i64:0,3,4,5,17 arg=zeros:i64:5
// expect: 1 i64:0,6,10,15,153
// run: kernel=two_counters global=5 local=5 arg=buffer:i32:0,1,4,6,11 arg=zeros:i32:5
// expect: 1 i32:0,10,34,45,55

// Loops whose number of rounds only data tells: all remainders, bounds at which a counter overflows, each comparison.

kernel void upwards(global const int *n, global int *out) {
    size_t id = get_global_id(0);
    int sum = 0;
    for (int i = 0; i < n[id]; i++)
        sum += i;
    out[id] = sum;
}

kernel void at_most(global const int *n, global int *out) {
    size_t id = get_global_id(0);
    int sum = 0, end = n[id];
    for (int i = 0; i <= end; i++)
        sum += i;
    out[id] = sum;
}

kernel void by_three(global const uint *n, global int *out) {
    size_t id = get_global_id(0);
    uint end = n[id];
    int rounds = 0;
    for (uint i = 0; i < end; i += 3)
        rounds++;
    out[id] = rounds;
}

// The bound less than three rounds from where numbers end.
kernel void near_the_end(global const uint *n, global int *out) {
    size_t id = get_global_id(0);
    uint end = n[id];
    int rounds = 0;
    for (uint i = 0xfffffff8u; i < end; i++)
        rounds++;
    out[id] = rounds;
}

kernel void downwards(global const int *n, global int *out) {
    size_t id = get_global_id(0);
    int digits = 0;
    for (int i = n[id]; i > 0; i--)
        digits = digits * 10 + i % 10;
    out[id] = digits;
}

kernel void differs(global const int *n, global int *out) {
    size_t id = get_global_id(0);
    int end = n[id], rounds = 0;
    if (end < 5)
        rounds = -1;
    else
        for (int i = 5; i != end; i++)
            rounds++;
    out[id] = rounds;
}

kernel void differs_downwards(global const int *n, global int *out) {
    size_t id = get_global_id(0);
    int end = n[id], rounds = 0;
    for (int i = 5; i != end; i--)
        rounds++;
    out[id] = rounds;
}

kernel void at_the_end(global const int *n, global int *out) {
    size_t id = get_global_id(0);
    int end = n[id], i = 0;
    do
        i++;
    while (i < end);
    out[id] = i;
}

kernel void continues(global const int *n, global int *out) {
    size_t id = get_global_id(0);
    int end = n[id], sum = 0;
    for (int i = 0; i < end; i++) {
        if (i % 3 == 0) {
            if (i == 3)
                continue;
            sum++;
        }
        sum += i % 2 ? i : 0;
    }
    out[id] = sum;
}

kernel void long_counter(global const long *n, global long *out) {
    size_t id = get_global_id(0);
    long end = n[id], sum = 0;
    for (long i = 1; i <= end; i++)
        sum += i;
    out[id] = sum;
}

kernel void two_counters(global const int *n, global int *out) {
    size_t id = get_global_id(0);
    int end = n[id], sum = 0;
    for (int i = 0, j = 10; i < end; i++, j--)
        sum += j;
    out[id] = sum;
}
