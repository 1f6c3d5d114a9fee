// test: run
// options: -cl-std=CL1.2
// run: kernel=vectors global=1 local=1 arg=zeros:i32:64
// expect: 0 i32:4,3,2,1,1,9,3,8,1,9,5,8,5,6,1,2,-1,0,-1,0,0,-1,10,2,30,4,255,255,1,1,6,4,2,5,3,1,4,9,7,3,11,9,7,1,2,3,7,-1,0,20,2,30,2,4,6,2,0,64,4,2,-56,100,5,0

// run: kernel=subscripted global=1 local=1 arg=buffer:i32:2,1,0,0
// expect: 0 i32:3,5,40,-1

// Expected values: by hand from OpenCL C 6.3.7 (lanes), 6.4 (conversions) and 6.5 (operators).
kernel void vectors(global int *out) {
    int n = 0;
    int4 a = (int4)(1, 2, 3, 4);
    vstore4(a.wzyx, 0, out), n += 4;              // 4 3 2 1
    int4 b = a;
    b.wy = (int2)(8, 9);
    vstore4(b, 0, out + n), n += 4;               // 1 9 3 8
    b.hi.lo = 5;
    vstore4(b, 0, out + n), n += 4;               // 1 9 5 8
    int8 big = (int8)(a, 5, 6, 7, 8);
    vstore4((int4)(big.hi.lo, big.lo.s01), 0, out + n), n += 4; // 5 6 1 2
    int4 less = a < (int4)(2, 2, 4, 0);
    vstore4(less, 0, out + n), n += 4;            // -1 0 -1 0
    int2 not = !(int2)(3, 0);
    out[n++] = not.x, out[n++] = not.y;           // 0 -1
    int4 chosen = less ? a * 10 : a;
    vstore4(chosen, 0, out + n), n += 4;          // 10 2 30 4
    uchar2 bytes = (uchar2)(bool)1;
    out[n++] = bytes.x, out[n++] = bytes.y;       // 255 255
    out[n++] = (0.5f < 1.0f), out[n++] = 2 && 1;  // 1 1
    int4 s = a;
    s.even = s.odd + 2;                           // 4 2 6 4
    vstore4((int4)(s.z, s.x, s.y, 5), 0, out + n), n += 4; // 6 4 2 5
    int3 t = (int3)(3, 1, 4);
    out[n++] = t.x, out[n++] = t.y, out[n++] = t.z;        // 3 1 4
    t.hi = (int2)(9, 100);
    out[n++] = t.z;                               // 9
    int i = 2;
    a[i] += 4;
    out[n++] = a[i];                              // 7
    out[n++] = a[i + 1] - 1;                      // 3
    a += 4;                                       // 5 6 11 8
    out[n++] = a.z;                               // 11
    out[n++] = (a++).w + 1, out[n++] = a.y;       // 9 7
    float4 f = (float4)(1.9f, 2.5f, 3.0f, 7.99f);
    int4 c = convert_int4(f);
    vstore4(c, 0, out + n), n += 4;               // 1 2 3 7
    out[n++] = ((int4)(1) == (int4)(1)).s2;       // -1
    out[n++] = ((int4)(1) && (int4)(0, 1, 1, 1)).x; // 0
    int4 m = (int4)(10, 2, 15, 1);
    m.xz *= 2;
    out[n++] = m.x, out[n++] = m.y, out[n++] = m.z; // 20 2 30
    int2 sh = (int2)(1, 1) << (int2)(1, 34);
    out[n++] = sh.x, out[n++] = sh.y;             // 2 4
    global int4 *gv = (global int4 *)(out + 60);
    out[n++] = (int)as_float(0x40c00000);         // 6
    out[n++] = as_short2(0x00020000).y;           // 2
    out[n++] = as_short2(0x00020000).x;           // 0
    out[n++] = sizeof(float3) * 4;                // 64
    out[n++] = vec_step(t);                       // 4
    out[n++] = ((int2)(1, 2)).y;                  // 2
    char4 small = (char4)(100) + (char4)(100);
    out[n++] = small.x;                           // -56
    out[n++] = add_sat((char)100, (char)0);       // 100
    gv->z = 5;                                    // out[62]
}

int4 numbers(int n) { return (int4)(n, n + 1, n + 2, n + 3); }

// Lanes, chosen at run time, of values that are no objects.
kernel void subscripted(global int *io) {
    int i = io[0], j = io[1];
    io[0] = numbers(1)[i];
    io[1] = (numbers(2) + (int4)(0, 2, 0, 0))[j];
    io[2] = ((int4)(10, 20, 30, 40))[i + j];
    io[3] = (numbers(5) > 5)[j];
}
