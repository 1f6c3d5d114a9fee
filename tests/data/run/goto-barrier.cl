// test: run
// run: kernel=meet global=8 local=8 arg=zeros:i32:8
// expect: 0 i32:16,11,18,13,20,15,14,9
// run: kernel=rounds global=8 local=8 arg=zeros:i32:8
// expect: 0 i32:17,31,45,159,572,1075,955,324
// run: kernel=around global=8 local=8 arg=zeros:i32:8
// expect: 0 i32:12,0,3300,1233,12,0,3300,1233
// run: kernel=behind global=4 local=4 arg=buffer:i32:1,5,6,7 arg=zeros:i32:4
// expect: 1 i32:13,23,33,25

// Work-items that jump ahead reach the barrier with the others. Values by hand: of item i = j + 2 modulo 8, i + 8, 6 more for
// even ones.
kernel void meet(global int *out) {
    local int shared[8];
    int i = get_local_id(0), v = i;
    if (i & 1)
        goto done;
    v += 6;
    for (int k = 0; k < 2; k++) {
        if (v < 0)
            goto done;
    }
done:
    shared[(i + 6) & 7] = v + 8;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = shared[i];
}

// Work-items leave the inner loop in different rounds and meet behind it. Values by a program for one
// work-item after the other.
kernel void rounds(global int *out) {
    local int shared[8];
    int i = get_local_id(0), sum = 0;
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < 6; k++) {
            if (k == i)
                goto meet;
            sum++;
        }
        sum += 100;
    meet:
        shared[i] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += shared[(i + 1) & 7];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = sum;
}

// Barriers before and behind jumps that do not nest are met by all. Values by hand: of 3 rounds that add 11, or one that
// adds 1 and another; a hundred times what the next item has.
kernel void around(global int *out) {
    local int shared[8], sums[8];
    int i = get_local_id(0), left = 3, sum = 0;
    shared[i] = i & 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    int way = shared[(i + 1) & 7];
    switch (way) {
    case 0:
        do {
            sum += 10;
    case 1:
            sum += 1;
        } while (--left > way);
    }
    sums[i] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = sums[(i + 1) & 7] * 100 + sum;
}

// Item 0 jumps into the loop and leaves it in another round of the dispatch loop; the jump behind the barriers has one of its own.
// At the loop's end v is 22, 13, 22, 31; each item takes its neighbour's and adds its id.
kernel void behind(global const int *in, global int *out) {
    local int shared[4];
    int id = get_global_id(0), x = in[id], v = id, n = 2;
    if (!v) goto inside;
    while (n-- > 0) {
        x = v * 3;
    inside:
        v = x + 1;
        if (in[0]) continue;
        v = x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[id] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = shared[(id + 1) % 4];
    int i = 0;
again: {
        x = id;
    }
    if (++i < 5) goto again;
    out[id] += x;
}
