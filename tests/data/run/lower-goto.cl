// test: run
// options: -cl-std=CL3.0
// run: kernel=collatz global=8 local=8 arg=buffer:i32:1,2,3,6,7,8,12,27 arg=zeros:i32:8
// expect: 1 i32:0,1,7,8,16,3,9,16
// run: kernel=duff global=8 local=8 arg=buffer:i32:1,2,3,6,7,8,12,27 arg=zeros:i32:8
// expect: 1 i32:1,11,111,1122,1222,2222,3333,6777
// run: kernel=out_of_loops global=8 local=8 arg=buffer:i32:1,2,3,6,7,8,12,27 arg=zeros:i32:8
// expect: 1 i32:11,21,31,32,71,42,43,93

kernel void collatz(global const int *in, global int *out) {
    int n = in[get_global_id(0)], steps = 0;
again:
    if (n == 1) goto done;
    if (n & 1) { n = 3 * n + 1; goto count; }
    n /= 2;
count:
    steps++;
    for (int i = 0; i < 3; i++) { if (i == 1) continue; if (steps > 15) goto done; }
    goto again;
done:
    out[get_global_id(0)] = steps;
}

/* A case label inside a loop. */
kernel void duff(global const int *in, global int *out) {
    int count = in[get_global_id(0)], total = 0, n = (count + 3) / 4;
    if (count > 0)
        switch (count & 3) {
        case 0: do { total += 1000;
        case 3:      total += 100;
        case 2:      total += 10;
        case 1:      total += 1;
                } while (--n > 0);
        }
    out[get_global_id(0)] = total;
}

kernel void out_of_loops(global const int *in, global int *out) {
    int found = -1;
    for (int i = 1; i < 10; i++) {
        int j = 0;
        while (1) {
            if (++j > i) break;
            if (i * j == in[get_global_id(0)]) { found = i * 10 + j; goto leave; }
        }
    }
leave:
    out[get_global_id(0)] = found;
}
