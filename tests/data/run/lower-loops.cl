// test: run
// options: -cl-std=CL3.0
// run: kernel=do_while global=8 local=8 arg=buffer:i32:0,1,2,3,5,7,9,12 arg=zeros:i32:8
// expect: 1 i32:1,1,1,4,9,16,25,36
// run: kernel=nested global=8 local=8 arg=buffer:i32:0,1,2,3,5,7,9,12 arg=zeros:i32:8
// expect: 1 i32:30,1000,1001,1005,1009,1018,30,30
// run: kernel=long_step global=8 local=8 arg=buffer:i32:0,1,2,3,5,7,9,12 arg=zeros:i32:8
// expect: 1 i32:0,1,11,122,-64056,-227822,-53783568,385146273

kernel void do_while(global const int *in, global int *out) {
    int x = in[get_global_id(0)], n = 0, total = 0;
    do {
        n++;
        switch (n & 1) { case 0: continue; }
        total += n;
    } while (n < x);
    out[get_global_id(0)] = total;
}

int nested_loops(int x) {
    int count = 0;
    for (int i = 0; i < 10; i++) {
        int j = 0;
        for (;;) {
            if (++j > i) break;
            if ((i + j) % 3 == 0) continue;
            if (j == x) return count + 1000;
            count++;
        }
    }
    return count;
}

kernel void nested(global const int *in, global int *out) {
    out[get_global_id(0)] = nested_loops(in[get_global_id(0)]);
}

kernel void long_step(global const int *in, global int *out) {
    int x = in[get_global_id(0)], total = 0;
    int i, j = 1, k = 2;
    for (i = 0; i < x;
         j = (j * 3 + i * i - (k >> 1)) ^ (j + 7) & 0xffff, k = (k * 5 + j - i * 7) ^ (k << 1) & 0xfff, i++) {
        if (i % 2 != 0) { total += j; continue; }
        if (i % 3 != 0) { total += k; continue; }
        total += 1;
    }
    out[get_global_id(0)] = total;
}
