// Adjacent accesses to device memory, which `device_vectors` joins: members of structures that are aligned for more than their
// own size, with other accesses between them. The expected values are those of a model in Python.
// target: nvidia
// run: kernel=bytes global=4 local=4 arg=buffer:i32:2052403211,250201247,-1568843725,907144391,-895123365,1580799215 arg=zeros:i32:8
// expect: 1 i32:-1860042754,1373729025,733675818,-344257637,-984284586,-2062179019,1609499522,531578831
// run: kernel=turns global=4 local=4 arg=buffer:i32:-526955003,79393321,685741645,1275312753,1881661077,-1807023431,-1200675107,-594327039
// expect: 0 i32:-310096379,616278184,1698993741,1277397128,86826645,-1807003568,630466269,-577521480
// run: kernel=wide global=4 local=4 arg=buffer:i32:1065353216,20,1084227584,7,1073741824,21,1088421888,10,1077936128,22,1091567616,13,1082130432,23,1093664768,16 arg=zeros:i32:16 arg=zeros:i32:4
// expect: 1 i32:1084227584,7,1065353216,20,1088421888,10,1073741824,21,1091567616,13,1077936128,22,1093664768,16,1082130432,23
// expect: 2 i32:7530,10741,13952,17163
// run: kernel=mixed global=4 local=4 arg=buffer:i32:3,10,21,40 arg=zeros:i32:24 arg=zeros:i32:4
// expect: 1 i32:-9,-1,327684,1086324736,168364039,11,-30,-1,851996,1095761920,286265102,18,-63,-1,1507350,1103101952,471538201,29,-120,-1,2818136,1110179840,791555372,48
// expect: 2 i32:225,440,729,1310
// run: kernel=views global=2 local=2 arg=buffer:i32:131073,262147,393221,524295 arg=zeros:i32:2
// expect: 1 i32:67371521,134743557

typedef struct { short scale; uchar q[6]; } Block;

kernel void bytes(global const uchar *in, global Block *out)
{
    uint i = get_global_id(0);
    uchar lanes[6];
    for (int k = 0; k < 6; k++)
        lanes[k] = in[6 * i + k] * 3 + k;
    out[i].scale = i * 300 - 2;
    for (int k = 5; k >= 0; k--)
        out[i].q[k] = lanes[k];
}

// Loads and stores of the same bytes in turn.
kernel void turns(global Block *blocks)
{
    uint i = get_global_id(0);
    global Block *b = blocks + i;
    for (int k = 0; k < 6; k++)
        b->q[k] |= (uchar)(1 << ((i + k) & 7));
    b->q[1] = b->q[0] ^ b->q[3];
    b->q[0] += b->q[1];
    b->q[2] = b->q[1] + b->q[4];
    b->q[3] = b->q[2];
}

typedef struct __attribute__((aligned(16))) { float x; int y; float z; uint w; } Wide;

kernel void wide(global const Wide *in, global Wide *out, global int *sums)
{
    uint i = get_global_id(0);
    sums[i] = in[i].y + (int)in[i].x * 10 + (int)in[i].z * 100 + (int)in[i].w * 1000;
    out[i].w = in[i].y;
    out[i].x = in[i].z;
    out[i].y = in[i].w;
    out[i].z = in[i].x;
}

typedef struct { long d; short a, b; float f; char c[4]; ushort e; } Mixed;

kernel void mixed(global const int *in, global Mixed *m, global int *sums)
{
    uint i = get_global_id(0);
    m[i].d = in[i] * -3L;
    m[i].a = in[i] + 1;
    m[i].b = in[i] + 2;
    m[i].f = in[i] + 3;
    for (int k = 0; k < 4; k++)
        m[i].c[k] = in[i] + 4 + k;
    m[i].e = in[i] + 8;
    if (i & 1) {
        m[i].a = m[i].b + m[i].c[2];
        m[i].b = m[i].a - m[i].c[1];
    }
    sums[i] = m[i].a + m[i].b * 2 + m[i].c[0] * 3 + m[i].c[1] * 4 + m[i].c[3] * 5 + m[i].e * 6 + (int)m[i].f * 7;
}

// The arguments' types promise words.
kernel void views(global const uint *a, global uint *b) {
    uint i = get_global_id(0);
    global const ushort *from = (global const ushort *)a;
    global uchar *to = (global uchar *)b;
    ushort x = from[4 * i], y = from[4 * i + 1], z = from[4 * i + 2], w = from[4 * i + 3];
    to[4 * i] = x;
    to[4 * i + 1] = y;
    to[4 * i + 2] = z + 1;
    to[4 * i + 3] = w;
}
