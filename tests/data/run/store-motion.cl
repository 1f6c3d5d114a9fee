// test: run
// options: -cl-std=CL3.0
// run: kernel=sums global=4 local=4 arg=buffer:i32:0,1,5,-2 arg=buffer:i32:10,20,30,40
// expect: 1 i32:10,20,40,40
// run: kernel=members global=3 local=3 arg=buffer:i32:3,0,4 arg=buffer:i32:1,2,3,4,5,6 arg=local:16
// expect: 1 i32:7,-4,3,4,12,-1
// run: kernel=overlapping global=1 local=1 arg=buffer:i32:1,2,3,4,5,6,7,8 arg=i32:4
// expect: 0 i32:1,3,6,10,15,6,7,8
// run: kernel=other_pointer global=1 local=1 arg=buffer:i32:1,1,1,1,1 arg=i32:5 arg=i32:2
// expect: 0 i32:1,1,8,1,1
// run: kernel=perhaps global=3 local=3 arg=buffer:i32:0,3,9 arg=buffer:i32:7,7,7
// expect: 1 i32:7,7,1
// run: kernel=at_least_once global=3 local=3 arg=buffer:i32:0,1,4 arg=buffer:i32:0,10,20
// expect: 1 i32:1,11,24
// run: kernel=nested global=2 local=2 arg=buffer:i32:3,0 arg=buffer:i32:1,1
// expect: 1 i32:10,1
// run: kernel=early global=3 local=3 arg=buffer:i32:2,9,0 arg=buffer:i32:0,0,0
// expect: 1 i32:2,5,0
// run: kernel=rounds_meet global=4 local=4 arg=buffer:i32:1,2,3,4 arg=i32:2
// expect: 0 i32:10,14,18,22
// run: kernel=two_types global=1 local=1 arg=buffer:i32:1,2,3,4,5,6,7,8 arg=i32:3 arg=zeros:i32:4
// expect: 2 i32:12,15,18,21

// Places in memory that each round of a loop loads and stores.

kernel void sums(global const int *n, global int *sum) {
    size_t id = get_global_id(0);
    int end = n[id];
    for (int i = 0; i < end; i++)
        sum[id] += i;
}

typedef struct {
    int up, down;
} pair;

// Nothing else of the loops is in global memory.
kernel void members(global const int *n, global pair *p, local int *table) {
    size_t id = get_global_id(0);
    int end = n[id];
    table[id] = id + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < end; i++) {
        p[id].up += table[i % 3];
        p[id].down -= table[i % 3];
    }
}

// What a round stores the next one loads from another place.
kernel void overlapping(global int *a, int n) {
    for (int i = 0; i < n; i++)
        a[i + 1] += a[i];
}

kernel void other_pointer(global int *a, int n, int at) {
    for (int i = 0; i < n; i++)
        a[at] += a[i];
}

// Without a round that stores, nothing must be stored: another work-item may own the place.
kernel void perhaps(global const int *n, global int *out) {
    size_t id = get_global_id(0);
    int end = n[id];
    for (int i = 0; i < end; i++)
        if (i > 6)
            out[id] = 1;
}

kernel void at_least_once(global const int *n, global int *out) {
    size_t id = get_global_id(0);
    int end = n[id], i = 0;
    do {
        out[id]++;
        i++;
    } while (i < end);
}

kernel void nested(global const int *n, global int *out) {
    size_t id = get_global_id(0);
    int end = n[id];
    for (int i = 0; i < end; i++)
        for (int j = 0; j < end; j++)
            out[id]++;
}

kernel void early(global const int *n, global int *out) {
    size_t id = get_global_id(0);
    int end = n[id];
    for (int i = 0; i < end; i++) {
        out[id]++;
        if (out[id] == 5)
            break;
    }
}

// Others change it between rounds.
kernel void rounds_meet(global int *a, int n) {
    size_t id = get_local_id(0);
    for (int i = 0; i < n; i++) {
        a[id] += 1;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (id == 0)
            for (int j = 0; j < 4; j++)
                a[j] *= 2;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

// Of one address.
kernel void two_types(global const uint *a, int n, global uint *out) {
    uint4 sum = 0;
    for (int i = 0; i < n; i++) {
        if ((*(global const ulong *)a & 3) == 0)
            break;
        sum += vload4(0, a) + a[2];
    }
    vstore4(sum, 0, out);
}
