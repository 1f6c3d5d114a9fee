/* Kernels of bytes and shorts for tail.py. */

kernel void blend(global const uchar4 *a, global const uchar4 *b, global uchar4 *c, uchar alpha) {
    int i = get_global_id(0);
    ushort4 x = convert_ushort4(a[i]) * (ushort)alpha + convert_ushort4(b[i]) * (ushort)(255 - alpha);
    c[i] = convert_uchar4(x >> (ushort)8);
}

kernel void saturated(global const uchar16 *a, global const uchar16 *b, global uchar16 *c) {
    int i = get_global_id(0);
    c[i] = add_sat(a[i], b[i]);
}

kernel void differences(global const uchar16 *a, global const uchar16 *b, global uint *c) {
    int i = get_global_id(0);
    ushort16 d = convert_ushort16(abs_diff(a[i], b[i]));
    ushort8 e = d.lo + d.hi;
    ushort4 f = e.lo + e.hi;
    ushort2 g = f.lo + f.hi;
    c[i] = g.x + g.y;
}

kernel void range(global const char *a, global char *b) {
    int i = get_global_id(0);
    char least = 127, most = -128;
    for (int k = 0; k < 32; k++) {
        char x = a[(i + k) % 4096];
        least = min(least, x);
        most = max(most, x);
    }
    b[i] = most - least;
}

#define SORT(a, b)              \
    {                           \
        uchar least = min(a, b); \
        b = max(a, b);          \
        a = least;              \
    }

kernel void median(global const uchar *in, global uchar *out) {
    int i = get_global_id(0) % 60000;
    uchar p[9];
    for (int k = 0; k < 9; k++) p[k] = in[i + k];
    for (int k = 1; k < 9; k += 3) SORT(p[k], p[k + 1])
    for (int k = 0; k < 9; k += 3) SORT(p[k], p[k + 1])
    for (int k = 1; k < 9; k += 3) SORT(p[k], p[k + 1])
    SORT(p[0], p[3])
    SORT(p[5], p[8])
    SORT(p[4], p[7])
    SORT(p[3], p[6])
    SORT(p[1], p[4])
    SORT(p[2], p[5])
    SORT(p[4], p[7])
    SORT(p[4], p[2])
    SORT(p[6], p[4])
    SORT(p[4], p[2])
    out[get_global_id(0)] = p[4];
}

kernel void colours(global const uchar *in, global uchar4 *out) {
    int i = get_global_id(0);
    int y = in[i % 60000], u = in[(i >> 1) % 60000] - 128, v = in[(i >> 2) % 60000] - 128;
    out[i] = (uchar4)(convert_uchar_sat(y + (91881 * v >> 16)), convert_uchar_sat(y - (22554 * u + 46802 * v >> 16)),
                      convert_uchar_sat(y + (116130 * u >> 16)), 255);
}

kernel void box(global const uchar4 *in, global uchar4 *out) {
    int i = get_global_id(0) % 16000;
    ushort4 sum = 0;
    for (int k = 0; k < 9; k++) sum += convert_ushort4(in[i + k]);
    out[get_global_id(0)] = convert_uchar4(sum / (ushort)9);
}

kernel void substituted(global const uchar *in, global uchar *out, constant uchar *table) {
    int i = get_global_id(0);
    uchar x = in[i];
    for (int k = 0; k < 64; k++) x = table[x & 63] ^ (uchar)(x << 1) ^ (uchar)k;
    out[i] = x;
}

kernel void multiplied(global const uchar *in, global uchar *out) {
    int i = get_global_id(0);
    uchar x = in[i], y = 1;
    for (int k = 0; k < 32; k++) {
        y ^= x;
        x = (uchar)(x << 1) ^ (x & 0x80 ? 0x1b : 0);
    }
    out[i] = y;
}

kernel void quantized(global const float4 *in, global char4 *out) {
    int i = get_global_id(0);
    out[i] = convert_char4_sat_rte(in[i] * 12.5f);
}

kernel void from_bytes(global const char4 *in, global float4 *out) {
    int i = get_global_id(0);
    float4 sum = 0;
    for (int k = 0; k < 16; k++) sum += convert_float4(in[(i + k) % 4096]) * 0.25f;
    out[i] = sum;
}

kernel void from_nibbles(global const uchar *in, global float *out) {
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < 32; k++) {
        uchar b = in[(i + k * 7) % 60000];
        sum += (float)((b & 15) - 8) * 0.5f + (float)((b >> 4) - 8) * 0.25f;
    }
    out[i] = sum;
}

kernel void swapped(global const ushort8 *in, global ushort8 *out) {
    int i = get_global_id(0);
    ushort8 x = in[i];
    out[i] = x << (ushort8)8 | x >> (ushort8)8;
}

kernel void scanned(global const uchar *in, global ushort *out) {
    local ushort sums[256];
    int l = get_local_id(0) & 255, i = get_global_id(0);
    sums[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 64; d <<= 1) {
        ushort before = l >= d ? sums[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[l] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = sums[l];
}

kernel void products(global const short8 *a, global const short8 *b, global int *c) {
    int i = get_global_id(0);
    int4 sum = 0;
    for (int k = 0; k < 8; k++) {
        int8 p = convert_int8(a[(i + k) % 1024]) * convert_int8(b[(i + k) % 1024]);
        sum += p.lo + p.hi;
    }
    c[i] = sum.x + sum.y + sum.z + sum.w;
}

kernel void crc(global const ushort *a, global ushort *b) {
    int i = get_global_id(0);
    ushort crc = 0xffff;
    for (int k = 0; k < 16; k++) {
        crc ^= a[(i + k) % 4096];
        for (int j = 0; j < 16; j++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
    }
    b[i] = crc;
}

kernel void hashed(global const ushort *a, global ushort *b) {
    int i = get_global_id(0);
    ushort h = 1;
    for (int k = 0; k < 64; k++) {
        h = h * 31 + a[(i + k) % 4096];
        h ^= h >> 7;
        h += h << 3;
    }
    b[i] = h;
}

kernel void filtered(global const short *a, global short *b) {
    int i = get_global_id(0);
    short sum = 0;
    for (int k = 0; k < 16; k++) sum = add_sat(sum, (short)(a[(i + k) % 4096] >> 2));
    b[i] = sum;
}

kernel void weighted(global const short4 *a, global short4 *b) {
    int i = get_global_id(0);
    short4 sum = 0;
    for (int k = 0; k < 32; k++) sum += a[(i + k) % 1024] * (short4)(3, 5, 7, 9);
    b[i] = sum;
}

kernel void largest(global const short4 *a, global short4 *b) {
    int i = get_global_id(0);
    short4 x = a[i];
    for (int k = 0; k < 32; k++) {
        short4 y = a[(i + k) % 1024];
        x = select(x, y, y > x);
    }
    b[i] = x;
}
