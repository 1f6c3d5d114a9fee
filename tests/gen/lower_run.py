"""Writes tests/data/run/lower-*.cl: kernels with expected buffers computed here, in Python.

Usage: python3 tests/gen/lower_run.py
"""
import struct

from run_files import M32, OUT, f32, i32, values, write


def saxpy():
    x = [float(i) * 0.5 for i in range(8)]
    y = [float(i * i) for i in range(8)]
    write(
        "saxpy",
        """
kernel void saxpy(float a, global const float *x, global float *y) {
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
""",
        ("saxpy", 8, 4, ["float:3", "buffer:float:" + values(x), "buffer:float:" + values(y)],
         {2: ("float", [3.0 * p + q for p, q in zip(x, y)])}),
    )


def matmul():
    n, t = 8, 4
    a = [float((i * 7) % 5) - 2 for i in range(n * n)]
    b = [float((i * 3) % 7) - 3 for i in range(n * n)]
    c = [sum(a[i * n + k] * b[k * n + j] for k in range(n)) for i in range(n) for j in range(n)]
    source = """
#define T 4
kernel void matmul(int n, global const float *a, global const float *b, global float *c, local float *tb) {
    local float ta[T][T];
    int row = get_global_id(1), col = get_global_id(0);
    int ly = get_local_id(1), lx = get_local_id(0);
    float sum = 0;
    for (int k = 0; k < n; k += T) {
        ta[ly][lx] = a[row * n + k + lx];
        tb[ly * T + lx] = b[(k + ly) * n + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < T; ++i)
            sum += ta[ly][i] * tb[i * T + lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + col] = sum;
}
"""
    write("matmul", source,
          ("matmul", "8,8", "4,4", [f"int:{n}", "buffer:float:" + values(a), "buffer:float:" + values(b),
                                    "buffer:float:0*64", f"local:{t * t * 4}"], {3: ("float", c)}))


def mandelbrot():
    w, h, limit = 8, 6, 20
    out = []
    for y in range(h):
        for x in range(w):
            cr, ci = f32(f32(x * 0.375) - 2.0), f32(f32(y * 0.5) - 1.25)
            zr = zi = 0.0
            n = 0
            while n < limit:
                rr, ii = f32(zr * zr), f32(zi * zi)
                if f32(rr + ii) > 4.0:
                    break
                zi = f32(f32(f32(2.0 * zr) * zi) + ci)
                zr = f32(f32(rr - ii) + cr)
                n += 1
            out.append(n)
    write("mandelbrot", """
#pragma OPENCL FP_CONTRACT OFF
kernel void mandelbrot(global int *out, int limit) {
    int x = get_global_id(0), y = get_global_id(1);
    float cr = x * 0.375f - 2.0f, ci = y * 0.5f - 1.25f;
    float zr = 0, zi = 0;
    int n = 0;
    while (n < limit) {
        float rr = zr * zr, ii = zi * zi;
        if (rr + ii > 4.0f) break;
        zi = 2.0f * zr * zi + ci;
        zr = rr - ii + cr;
        n++;
    }
    out[y * get_global_size(0) + x] = n;
}
""", ("mandelbrot", f"{w},{h}", "4,2", ["buffer:int:0*48", f"int:{limit}"], {0: ("int", out)}))


def switch():
    def plain(x):
        return {0: 10, 1: 20, 2: 20, -3: 40}.get(x, 30)

    def fall(x):
        r = 0
        if x == 0:
            r = 1
        if x in (0, 1):
            return r + 2
        if x == 2:
            r += 4
        if x == 2 or x not in (0, 1, 3):  # default follows case 2
            r += 8
        r += 16
        return r

    def ranges(x):
        return 1 if 0 <= x <= 5 else 2 if 1000 <= x <= 200000 else 3 if x < 0 and x >= -2000000 else 4

    def loop(x):
        total = 0
        i = 0
        while True:
            if not i < 6:
                break
            k = i + x & 3
            if k == 0:
                i += 1
                continue
            elif k == 1:
                total += 1
            elif k == 2:
                total += 10
            else:
                total += 100
            total += 1000
            if total > 3100:
                break
            i += 1
        return total

    xs = [-3, -1, 0, 1, 2, 3, 4, 1500]
    source = """
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
"""
    buffers = ["buffer:int:" + values(xs), "buffer:int:0*8"]
    write("switch", source,
          *[(f.__name__, 8, 8, buffers, {1: ("int", [f(x) for x in xs])}) for f in (plain, fall, ranges, loop)])


def loops():
    def do_while(x):
        n = total = 0
        while True:
            n += 1
            if n & 1 == 0:
                if not n < x:
                    break
                continue
            total += n
            if not n < x:
                break
        return total

    def nested(x):
        count = 0
        for i in range(10):
            j = 0
            while True:
                j += 1
                if j > i:
                    break
                if (i + j) % 3 == 0:
                    continue
                if j == x:
                    return count + 1000
                count += 1
        return count

    def long_step(x):
        total, i, j, k = 0, 0, 1, 2
        while i < x:
            if i % 2 != 0:
                total += j
            elif i % 3 != 0:
                total += k
            else:
                total += 1
            j = i32(j * 3 + i32(i * i) - (k >> 1)) ^ (j + 7) & 0xffff
            k = i32(k * 5 + j - i32(i * 7)) ^ (k << 1) & 0xfff
            i += 1
        return i32(total)

    source = """
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
"""
    xs = [0, 1, 2, 3, 5, 7, 9, 12]
    buffers = ["buffer:int:" + values(xs), "buffer:int:0*8"]
    write("loops", source,
          *[(f.__name__, 8, 8, buffers, {1: ("int", [f(x) for x in xs])}) for f in (do_while, nested, long_step)])


def aggregates():
    source = """
typedef struct { char c; int i; float2 f; } Inner;
typedef struct { Inner a[2]; short s; union { uint u; float f; } both; } Outer;

Inner make(int i) {
    Inner r = { 'a' + i, i * 2, (float2)(i, i + 0.5f) };
    return r;
}

int sum(Outer o) {
    o.s += 100;  /* a copy: the caller's stays */
    return o.a[0].i + o.a[1].c + o.s;
}

Outer choose(Outer a, Outer b, int which) { return which ? a : b; }

kernel void aggregates(global int *out, global Outer *objects, Inner arg) {
    Outer o = { .s = 7, .a[1] = { .c = 3 } };
    o.a[0] = make(5);
    Outer *p = &o;
    p->a[1].f.y = 1.5f;
    p->both.f = 1.0f;
    out[0] = sum(o);
    out[1] = o.s;
    out[2] = (int)(o.a[0].f.y * 2) + (int)(o.a[1].f.x) + (int)(p->a[1].f.y * 10);
    out[3] = o.both.u;
    objects[1] = o;
    objects[1].s++;
    Outer other = { 0 };
    out[4] = choose(o, other, 0).s + choose(o, other, 1).s * 10;
    out[5] = objects[1].a[0].i + objects[1].s;
    out[6] = arg.i + arg.c + (int)arg.f.y;
    int m[3][4] = { { 1, 2 }, { [2] = 5 }, 9 };
    int t = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            t = t * 2 + m[i][j];
    out[7] = t;
    int (*row)[4] = m + 1;
    out[8] = (*row)[2] + row[1][0] + *(m[0] + 1);
    out[9] = (int)(&m[2][1] - &m[0][0]);
    out[10] = (int)sizeof(Outer) + (int)sizeof(m);
    out[11] = ((Inner){ .i = 40 }).i + make(1).i;
}
"""
    m = [1, 2, 0, 0, 0, 0, 5, 0, 9, 0, 0, 0]
    t = 0
    for x in m:
        t = t * 2 + x
    # Inner: c at 0, i at 4, f at 8: 16 bytes. Outer: 32 + 2 + 2 + 4 = 40, aligned to 8.
    expected = [10 + 3 + 107, 7, 11 + 0 + 15, 0x3F800000, 0 + 70, 10 + 8, 7 + 1 + 2, t, 5 + 9 + 2, 9,
                40 + 48, 42]
    inner = "uint:1,7,0x3f800000,0x40200000"  # c = 1, i = 7, f = (1.0, 2.5)
    write("aggregates", source, ("aggregates", 1, 1, ["buffer:int:0*12", "buffer:uint:0*20", inner],
                                 {0: ("int", expected)}))


def vectors():
    source = """
kernel void vectors(global const float4 *in, global float4 *out, global uchar4 *bytes) {
    size_t i = get_global_id(0);
    float4 v = in[i];
    float4 r = v.wzyx;
    r.xz = v.yy + (float2)(1.0f, 2.0f);
    r.s3 += 10.0f;
    out[i].w = r.w;                    /* lanes of memory, one by one */
    out[i].xyz = (float3)(r.lo, r.z);
    float8 wide = (float8)(v, r);
    out[i + 2] = wide.even * wide.s0000;
    int4 less = v < r;
    out[i + 4] = select(v, r, less) + convert_float4(-less) * (v.x > 2.0f ? 100.0f : 0.0f);
    int k = (int)i + 1;
    v[k] = 42.0f;
    out[i + 6] = v;
    out[i + 6][3] = v[k] + 1;
    bytes[i] = convert_uchar4_sat(v * 100.0f) + (uchar4)(1, 2, 3, 4);
    out[i + 8] = as_float4(as_int4(v) & 0x7fffffff);
    out[i + 10] = (float4)(any(less), all(less), dot(v.xy, v.xy), max(v.x, 1.5f));
    float3 three = vload3(i, (global float *)in);
    vstore3(three * 2.0f, i, (global float *)(out + 12));
}
"""
    data = [[1.0, -2.0, 3.0, 4.0], [5.0, 6.0, -7.0, 8.0]]
    flat = data[0] + data[1]
    blocks = [[] for _ in range(7)]
    bytes_ = []
    for i, v in enumerate(data):
        v = list(v)
        r = v[::-1]
        r[0], r[2] = v[1] + 1, v[1] + 2
        r[3] += 10
        blocks[0] += [r[0], r[1], r[2], r[3]]
        wide = v + r
        blocks[1] += [wide[k] * wide[0] for k in (0, 2, 4, 6)]
        less = [a < b for a, b in zip(v, r)]
        extra = 100.0 if v[0] > 2 else 0.0
        blocks[2] += [(b if l else a) + (1.0 if l else 0.0) * extra for a, b, l in zip(v, r, less)]
        v[i + 1] = 42.0
        blocks[3] += v[:3] + [v[i + 1] + 1]
        bytes_ += [(max(0, min(255, int(x * 100))) + n) & 255 for x, n in zip(v, (1, 2, 3, 4))]
        blocks[4] += [abs(x) for x in v]
        blocks[5] += [float(any(less)), float(all(less)), v[0] * v[0] + v[1] * v[1], max(v[0], 1.5)]
        blocks[6] += [2 * x for x in flat[i * 3:i * 3 + 3]]
    blocks[6] += [0.0, 0.0]
    write("vectors", source, ("vectors", 2, 1, ["buffer:float:" + values(flat), "buffer:float:0*56", "buffer:uchar:0*8"],
                              {1: ("float", [float(x) for b in blocks for x in b]), 2: ("uchar", bytes_)}))


def expressions():
    source = """
constant int table[4] = { 10, 20, 30, 40 };
constant int *constant table_end = table + 4;
global int counter = 5;

int touch(global int *log, int value) { (*log)++; return value; }

kernel void expressions(global int *out, int a, int b, char c, ulong big) {
    global int *log = out + 31;
    out[0] = a && touch(log, 0);
    out[1] = b && touch(log, 1);              /* b is 0: not evaluated */
    out[2] = a || touch(log, 1);
    out[3] = b || touch(log, 7);
    out[4] = b ? touch(log, 1) : touch(log, 2) + 1;
    out[5] = a ? a : b;
    out[6] = -a / 4 + -a % 4;
    out[7] = (uint)-a / 1000000000u;
    out[8] = c + c;                            /* promoted: no wrap at 127 */
    out[9] = (char)(c + c);
    c += 100;
    out[10] = c;
    out[11] = a << 33;                         /* modulo the width */
    out[12] = -1 >> 1;
    out[13] = (int)(0xffffffffu >> 28);
    out[14] = (int)(big >> 40) + (int)big;
    int i = 5;
    int j = i++;
    out[15] = j * 10 + ++i;
    j = i--;
    out[16] = j * 10 + --i;
    out[17] = (a, b, 3);
    out[18] = table[a & 3] + *(table_end - 1);
    out[19] = (int)(table_end - table);
    out[20] = !a + !b * 2 + !!a * 4;
    out[21] = ~a;
    bool t = a;
    t += 5;
    out[22] = t + (bool)0.25f;
    float f = 7.9f;
    out[23] = (int)f + (int)-f;
    f += a;
    out[24] = (int)(f * 10);
    uchar u = 250;
    u += 10;
    out[25] = u;
    out[26] = (short)70000;
    global int *p = out + 3, *q = out;
    out[27] = (p - q) + (p > q) + (p == q) * 10 + (q == 0) * 100;
    out[28] = counter + sizeof(int);
    long wide = (long)a * 1000000000000L;
    out[29] = (int)(wide >> 32);
    out[30] = as_int(1.5f) + (int)popcount(255u);
}
"""
    a, b, c, big = 13, 0, 100, 0x123456789ABCDEF0
    wide = a * 1000000000000
    expected = [0, 0, 1, 1, 3, 13, -3 + -1, ((-a) & M32) // 1000000000, 200, 200 - 256, 200 - 256, a << 1, -1, 15,
                i32((big >> 40) + (big & M32)), 57, 75, 3, 20 + 40, 4, 0 + 2 + 4, ~a, 1 + 1, 7 - 7, 209, 4,
                70000 - 65536, 3 + 1, 9, wide >> 32, 0x3FC00000 + 8, 3]
    write("expressions", source, ("expressions", 1, 1, ["buffer:int:0*32", f"int:{a}", f"int:{b}", f"char:{c}", f"ulong:{big}"],
                                  {0: ("int", expected)}))


def conversions():
    source = """
kernel void conversions(global int *out, global const float *f, global const int *n) {
    out[0] = convert_int_rte(f[0]);
    out[1] = convert_int_rtp(f[0]);
    out[2] = convert_int_rtn(f[0]);
    out[3] = convert_int_rtz(f[1]);
    out[4] = convert_uchar_sat(f[1]);
    out[5] = convert_char_sat(f[2]);
    out[6] = convert_int_sat(f[3]);
    out[7] = convert_int_sat(f[4]);
    out[8] = convert_uint_sat(f[3]);
    out[9] = convert_short_sat(n[0]);
    out[10] = convert_uchar_sat(n[1]);
    out[11] = convert_char_sat((uint)n[1]);
    out[12] = as_int(convert_float_rtz(n[2]));
    out[13] = as_int(convert_float_rtp(n[2]));
    out[14] = as_int(convert_float_rtn(-n[2]));
    out[15] = as_int(convert_float(n[2]));
    out[16] = convert_int(convert_char4((int4)(1, 300, -2, 129)).y) + convert_char4((int4)(1, 300, -2, 129)).w;
    out[17] = as_int(convert_float_rtp((ulong)-1));
    out[18] = (int)(convert_long_sat(f[3]) >> 32);
    out[19] = convert_int_sat(convert_ulong_sat(f[2]));
    out[20] = as_int(convert_float_rtz(-n[2]));
}
"""
    nan = float("nan")
    fs = [2.5, -3.7, -200.0, 3.0e10, nan]
    ns = [70000, -5, 16777219]
    bits = lambda x: i32(struct.unpack("I", struct.pack("f", x))[0])
    expected = [2, 3, 2, -3, 0, -128, 2147483647, 0, -1, 32767, 0, 127, bits(16777218.0), bits(16777220.0),
                bits(-16777220.0), bits(16777220.0), 44 + -127, bits(2.0 ** 64), 30000000000 >> 32, 0,
                bits(-16777218.0)]
    write("conversions", source, ("conversions", 1, 1, ["buffer:int:0*21", "buffer:float:2.5,-3.7,-200,3e10,nan",
                                                        "buffer:int:" + values(ns)], {0: ("int", expected)}))


def integers():
    cases = [(100, 50, 3), (-100, 90, -7), (2147483647, 2147483647, 5), (-2147483648, -1, 1), (12345678, -87654321, 31), (0, 1, 33)]
    out = []
    clamp = lambda x: max(-(1 << 31), min((1 << 31) - 1, x))
    uclamp = lambda x: max(0, min(M32, x))
    for a, b, c in cases:
        ua, ub, uc = a & M32, b & M32, c & M32
        r = c & 31
        rot = (ua << r | ua >> (32 - r)) & M32
        out += [abs(a) & M32, abs(a - b) & M32, abs(ua - ub), clamp(a + b), uclamp(ua + ub), clamp(a - b), uclamp(ua - ub),
                (a + b) >> 1, (ua + ub) >> 1, (a + b + 1) >> 1, (ua + ub + 1) >> 1, (a * b) >> 32, (ua * ub) >> 32,
                i32(((a * b) >> 32) + c), clamp(a * b + c), uclamp(ua * ub + uc), rot,
                32 - ua.bit_length(), bin(ua).count("1"), max(a, b), max(ua, ub), max(min(a, max(b, c)), min(b, c)),
                ((a & 0xFFFF) << 16 | (b & 0xFFFF)) & M32]
    out = [x & M32 for x in out]
    source = """
kernel void integers(global const int *in, global uint *out) {
    size_t i = get_global_id(0);
    int a = in[i * 3], b = in[i * 3 + 1], c = in[i * 3 + 2];
    uint ua = a, ub = b, uc = c;
    global uint *r = out + i * 23;
    r[0] = abs(a);
    r[1] = abs_diff(a, b);
    r[2] = abs_diff(ua, ub);
    r[3] = add_sat(a, b);
    r[4] = add_sat(ua, ub);
    r[5] = sub_sat(a, b);
    r[6] = sub_sat(ua, ub);
    r[7] = hadd(a, b);
    r[8] = hadd(ua, ub);
    r[9] = rhadd(a, b);
    r[10] = rhadd(ua, ub);
    r[11] = mul_hi(a, b);
    r[12] = mul_hi(ua, ub);
    r[13] = mad_hi(a, b, c);
    r[14] = mad_sat(a, b, c);
    r[15] = mad_sat(ua, ub, uc);
    r[16] = rotate(ua, uc);
    r[17] = clz(a);
    r[18] = popcount(ua);
    r[19] = max(a, b);
    r[20] = max(ua, ub);
    r[21] = clamp(a, min(b, c), max(b, c));
    r[22] = upsample((ushort)a, (ushort)b);
}
"""
    write("integers", source, ("integers", len(cases), 1, ["buffer:int:" + ",".join(str(x) for t in cases for x in t),
                                                           f"buffer:uint:0*{len(out)}"], {1: ("uint", out)}))


def groups():
    n, group = 16, 8
    source = """
kernel void reverse(global int *data, global int *total, local int *scratch) {
    local int sum;
    int l = get_local_id(0), n = get_local_size(0);
    if (l == 0) sum = 0;
    scratch[l] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, scratch[l]);
    data[get_global_id(0)] = scratch[n - 1 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) { atomic_add(total, sum); atomic_max(total + 1, sum); atom_inc(total + 2); }
}

kernel void copies(global const float4 *from, global float4 *to, local float4 *tile) {
    size_t n = get_local_size(0);
    event_t e = async_work_group_copy(tile, from + get_group_id(0) * n, n, 0);
    async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    wait_group_events(1, &e);
    tile[get_local_id(0)].x += 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_strided_copy(to + get_group_id(0), tile, n, get_num_groups(0), 0);
    wait_group_events(1, &e);
}

kernel void inner(global int *out) { out[get_global_id(0)] += 1 + get_group_id(0) * 10; }
kernel void outer(global int *out) { inner(out); inner(out); }

kernel void c11(global atomic_int *counter, global int *out) {
    int expected = 16;
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed, memory_scope_device);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_global_id(0) == 15) out[0] = atomic_compare_exchange_strong_explicit(counter, &expected, 99, memory_order_relaxed, memory_order_relaxed), out[1] = expected;
}
"""
    data = list(range(1, n + 1))
    rev = [x for g in range(0, n, group) for x in reversed(data[g:g + group])]
    floats = [float(i) for i in range(16)]
    # Two groups of two: element i of group g goes to i * 2 + g.
    strided = [None] * 4
    for g in range(2):
        for i in range(2):
            v = floats[(g * 2 + i) * 4:(g * 2 + i) * 4 + 4]
            strided[i * 2 + g] = [v[0] + 1] + v[1:]
    write("groups", source,
          ("reverse", n, group, ["buffer:int:" + values(data), "buffer:int:0,0,0", f"local:{group * 4}"],
           {0: ("int", rev), 1: ("int", [sum(data), sum(data[group:]), 2])}),
          ("copies", 4, 2, ["buffer:float:" + values(floats), "buffer:float:0*16", "local:32"],
           {1: ("float", [x for v in strided for x in v])}),
          ("outer", 4, 2, ["buffer:int:0*4"], {0: ("int", [2, 2, 22, 22])}),
          ("c11", 16, 16, ["buffer:int:0", "buffer:int:0*2"], {0: ("int", [99]), 1: ("int", [1, 16])}),
          options="-cl-std=CL3.0")


def halves():
    half = lambda x: struct.unpack("H", struct.pack("e", x))[0]
    source = """
kernel void halves(global const half *in, global float *out, global half *back, global const float *f) {
    out[0] = vload_half(1, in);
    float3 v = vload_half3(1, in);
    out[1] = v.x; out[2] = v.y; out[3] = v.z;
    float4 a = vloada_half4(1, in);
    out[4] = a.x;
    vstore_half(f[0], 0, back);
    vstore_half_rtz(f[0], 1, back);
    vstore_half_rtp(f[0], 2, back);
    vstore_half_rtn(-f[0], 3, back);
    vstore_half2_rte((float2)(f[1], f[2]), 2, back);
    vstore_half_rtz(f[1], 6, back);
    vstore_half_rtp(f[3], 7, back);
}
"""
    ins = [0.5, -2.0, 3.25, 65504.0, 0.099975586, 7.0, 8.0, 9.0]
    # 2049 lies between 2048 and 2050 (a tie: to even), 1e6 overflows, 1e-10 is below the least.
    expected = [half(2048.0), half(2048.0), half(2050.0), half(-2050.0), 0x7C00, half(1.5), half(65504.0), 1]
    write("halves", source, ("halves", 1, 1, ["buffer:half:" + ",".join(hex(half(x)) for x in ins), "buffer:float:0*5",
                                              "buffer:half:0*8", "buffer:float:2049,1e6,1.5,1e-10"],
                             {1: ("float", [-2.0, 65504.0, struct.unpack("e", struct.pack("H", half(0.099975586)))[0], 7.0,
                                            struct.unpack("e", struct.pack("H", half(0.099975586)))[0]]),
                              2: ("half", [hex(x) for x in expected])}))


def goto():
    source = """
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
"""
    xs = [1, 2, 3, 6, 7, 8, 12, 27]

    def collatz(n):
        steps = 0
        while n != 1:
            n = 3 * n + 1 if n & 1 else n // 2
            steps += 1
            if steps > 15:
                break
        return steps

    def duff(count):
        # Bodies run back to front: the first round starts inside.
        return sum({0: 1000, 3: 100, 2: 10, 1: 1}[k & 3] for k in range(count, 0, -1))

    def out_of_loops(x):
        return next((i * 10 + j for i in range(1, 10) for j in range(1, i + 1) if i * j == x), -1)

    buffers = ["buffer:int:" + values(xs), "buffer:int:0*8"]
    write("goto", source,
          *[(f.__name__, 8, 8, buffers, {1: ("int", [f(x) for x in xs])}) for f in (collatz, duff, out_of_loops)])


OUT.mkdir(parents=True, exist_ok=True)
for make in (saxpy, matmul, mandelbrot, switch, loops, aggregates, vectors, expressions, conversions, integers, groups, halves, goto):
    make()
