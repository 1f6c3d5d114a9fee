// test: run
// options: -cl-std=CL3.0
// run: kernel=columns global=1 local=1 arg=buffer:i32:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40 arg=i32:5 arg=i32:2 arg=i32:7 arg=buffer:i32:0,0
// expect: 4 i32:5994,30
// run: kernel=columns global=1 local=1 arg=buffer:i32:4,5 arg=i32:5 arg=i32:0 arg=i32:0 arg=buffer:i32:0,0
// expect: 4 i32:0,-1
// run: kernel=columns global=1 local=1 arg=buffer:i32:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40 arg=i32:0 arg=i32:3 arg=i32:4 arg=buffer:i32:0,0
// expect: 4 i32:160,0
// run: kernel=steps global=1 local=1 arg=buffer:i32:0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3,0,2,4,1,3 arg=i32:3 arg=i32:9 arg=buffer:i32:0,0
// expect: 3 i32:95,10
// run: kernel=wide global=1 local=1 arg=buffer:i32:0,1,4,9,16,25,36,49,64,81,100,121,144,169,196,225,256,289,324,361,400,441,484,529,576,625,676,729,784,841,900,961,1024,1089,1156,1225,1296,1369,1444,1521 arg=i64:3 arg=i32:6 arg=buffer:i32:0,0
// expect: 3 i32:2904,0
// run: kernel=wide global=1 local=1 arg=buffer:i32:1,2 arg=i64:4000000000 arg=i32:0 arg=buffer:i32:0,0
// expect: 3 i32:0,0
// run: kernel=changes global=1 local=1 arg=buffer:i32:2,3,4,5,6 arg=i32:7 arg=i32:5 arg=buffer:i32:0,0
// expect: 3 i32:4300,3319
// run: kernel=rows global=3 local=3 arg=buffer:i32:1,2,4,5,7,8,9,11 arg=i32:3 arg=i32:5 arg=buffer:i32:0,0,0
// expect: 3 i32:114,91,76

// Products of a loop's counter.

kernel void columns(global const int *a, int width, int column, int n, global int *out) {
    int sum = 0, last = -1;
    for (int i = 0; i < n; i++) {
        sum = sum * 3 + a[i * width + column];
        last = i * width;
    }
    out[0] = sum;
    out[1] = last;
}

// Down, by more than one, and with rounds that end early.
kernel void steps(global const int *a, int width, int n, global int *out) {
    int sum = 0;
    for (int i = n; i > 0; i -= 2) {
        if (a[i] == 3)
            continue;
        sum += a[(i - 1) * width] * (i + 2);
        if (sum > 200)
            break;
        sum += i * width;
    }
    out[0] = sum;
    uint wraps = 0;
    for (uint i = 0xfffffff0u; i != 8; i += 3) {
        if (i * (uint)n > 0x80000000u)
            wraps++;
        wraps += i * (uint)width + 7 & 1;
    }
    out[1] = wraps;
}

// Wide counters, and two in a loop.
kernel void wide(global const int *a, long width, int n, global int *out) {
    long sum = 0;
    for (long i = 1, k = 10; i <= n; i++, k += 5)
        sum += i * width * k + a[i * width] + k * width;
    out[0] = (int)sum;
    out[1] = (int)(sum >> 32);
}

// The scale changes; so does what is no counter.
kernel void changes(global const int *a, int scale, int n, global int *out) {
    int sum = 0, odd = 1;
    for (int i = 0; i < n; i++) {
        sum += i * scale + odd * n;
        scale += a[i];
        odd = odd * n + i;
    }
    out[0] = sum;
    out[1] = odd;
}

// Behind a branch, in an inner loop, with one copy for each row.
kernel void rows(global const int *a, int pitch, int n, global int *out) {
    int id = get_global_id(0), sum = 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            int at = (y + x) * pitch;
            if (a[at & 7] & 1)
                sum += a[(at + id) & 7] + x * pitch;
            else
                sum -= x * pitch + y;
        }
    out[id] = sum;
}
