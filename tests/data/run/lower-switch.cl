// test: run
// options: -cl-std=CL3.0
// run: kernel=plain global=8 local=8 arg=buffer:i32:-3,-1,0,1,2,3,4,1500 arg=zeros:i32:8
// expect: 1 i32:40,30,10,20,20,30,30,30
// run: kernel=fall global=8 local=8 arg=buffer:i32:-3,-1,0,1,2,3,4,1500 arg=zeros:i32:8
// expect: 1 i32:24,24,3,2,28,16,24,24
// run: kernel=ranges global=8 local=8 arg=buffer:i32:-3,-1,0,1,2,3,4,1500 arg=zeros:i32:8
// expect: 1 i32:3,3,1,1,1,1,1,2
// run: kernel=loop global=8 local=8 arg=buffer:i32:-3,-1,0,1,2,3,4,1500 arg=zeros:i32:8
// expect: 1 i32:3111,3111,3111,3111,3111,3111,3111,3111

kernel void plain(global const int *in, global int *out) {
    int x = in[get_global_id(0)], r;
    switch (x) {
    case 0: r = 10; break;
    case 1:
    case 2: { r = 20; break; }
    case -3: r = 40; break;
    default: r = 30;
    }
    out[get_global_id(0)] = r;
}

int fall_through(int x) {
    int r = 0;
    switch (x) {
    case 0: r = 1;
    case 1: r += 2; break;
    case 2: r += 4;
    default: r += 8;
    case 3: r += 16;
    }
    return r;
}

kernel void fall(global const int *in, global int *out) {
    out[get_global_id(0)] = fall_through(in[get_global_id(0)]);
}

kernel void ranges(global const int *in, global int *out) {
    int r;
    switch (in[get_global_id(0)]) {
    case 0 ... 5: r = 1; break;
    case 1000 ... 200000: r = 2; break;
    case -2000000 ... -1: r = 3; break;
    default: r = 4; break;
    }
    out[get_global_id(0)] = r;
}

kernel void loop(global const int *in, global int *out) {
    int total = 0;
    for (int i = 0; i < 6; ++i) {
        switch (i + in[get_global_id(0)] & 3) {
        case 0: continue;
        case 1: total += 1; break;
        case 2: total += 10; break;
        case 3: total += 100;
        }
        total += 1000;
        if (total > 3100) break;
    }
    out[get_global_id(0)] = total;
}
