// test: run
// options: -cl-std=CL3.0
// run: kernel=merge0 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:1577106959,2130738959,2147483647,-16711921,-1,255070079,2139095041,1065357067
// run: kernel=merge1 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:1577106959,2130738959,0,-16711921,-2130771728,255070079,1039895945,1065357067
// run: kernel=merge2 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-2136145696,8323185,2147483647,-2130771728,-1,302994952,2139095041,1061748944
// run: kernel=merge3 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-2136145696,8323185,0,-2130771728,-2130771728,302994952,1039895945,1061748944
// run: kernel=merge4 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:1577106959,2130738959,2147483647,-16711921,-1,255070079,2139095041,1065357067
// run: kernel=merge5 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:1577106959,2130738959,0,-16711921,-2130771728,255070079,1039895945,1065357067
// run: kernel=merge6 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-2136145696,8323185,2147483647,-2130771728,-1,302994952,2139095041,1061748944
// run: kernel=merge7 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-2136145696,8323185,0,-2130771728,-2130771728,302994952,1039895945,1061748944
// run: kernel=merge8 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:5373968,-2139094911,2147483647,-2147483648,-1,-2097936648,2139095041,-1078591456
// run: kernel=merge9 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:5373968,-2139094911,0,-2147483648,-2130771728,-2097936648,1039895945,-1078591456
// run: kernel=merge10 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:5373968,-2139094911,2147483647,-2147483648,-1,-2097936648,2139095041,-1078591456
// run: kernel=merge11 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:5373968,-2139094911,0,-2147483648,-2130771728,-2097936648,1039895945,-1078591456
// run: kernel=merge12 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-2130771728,-2130771727,2147483647,-2130771728,-1,-2100361592,2139095041,-1082195728
// run: kernel=merge13 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-2130771728,-2130771727,0,-2130771728,-2130771728,-2100361592,1039895945,-1082195728
// run: kernel=merge14 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-559038737,2139062142,2147483647,-1,-1,222234999,2139095041,13176795
// run: kernel=merge15 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-559038737,2139062142,0,-1,-2130771728,222234999,1039895945,13176795
// run: kernel=merge16 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:1577106959,2130738959,2147483647,-16711921,-1,255070079,2139095041,1065357067
// run: kernel=merge17 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:1577106959,2130738959,0,-16711921,-2130771728,255070079,1039895945,1065357067
// run: kernel=merge18 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-2136145696,8323185,2147483647,-2130771728,-1,302994952,2139095041,1061748944
// run: kernel=merge19 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-2136145696,8323185,0,-2130771728,-2130771728,302994952,1039895945,1061748944
// run: kernel=merge20 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-2130771728,-2130771727,2147483647,16711920,-1,-2097477896,2139095041,-1073807120
// run: kernel=merge21 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-2130771728,-2130771727,0,16711920,-2130771728,-2097477896,1039895945,-1073807120
// run: kernel=merge22 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-2136145696,8323184,2147483647,-2130771728,-1,4128880,2139095041,13172944
// run: kernel=merge23 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-2136145696,8323184,0,-2130771728,-2130771728,4128880,1039895945,13172944
// run: kernel=merge24 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-553664769,-32770,2147483647,-1,-1,-1912665609,2139095041,-2130767877
// run: kernel=merge25 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-553664769,-32770,0,-1,-2130771728,-1912665609,1039895945,-2130767877
// run: kernel=merge26 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-559038737,2139062143,2147483647,2147483647,-1,255528831,2139095041,1070141403
// run: kernel=merge27 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-559038737,2139062143,0,2147483647,-2130771728,255528831,1039895945,1070141403
// run: kernel=merge28 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:1582480927,-8355954,2147483647,2130771727,-1,-1645192713,2139095041,-2135552213
// run: kernel=merge29 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:1582480927,-8355954,0,2130771727,-2130771728,-1645192713,1039895945,-2135552213
// run: kernel=merge30 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:2136145695,-8323186,2147483647,-16711921,-1,-305878649,2139095041,-1070137553
// run: kernel=merge31 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:2136145695,-8323186,0,-16711921,-2130771728,-305878649,1039895945,-1070137553
// run: kernel=merge32 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-2136145696,8323185,2147483647,-2130771728,-1,37684856,2139095041,1070137552
// run: kernel=merge33 global=8 local=8 arg=buffer:i32:0,1,2147483647,-2147483648,-1,305419896,2139095041,1065353216 arg=buffer:i32:-186346246,713020714,1431655765,-1431655766,-710257243,1515870810,-1085023784,353917598 arg=zeros:i32:8
// expect: 2 i32:-2136145696,8323185,0,-2130771728,-2130771728,37684856,1039895945,1070137552

#define C 0x80ff00f0u

kernel void merge0(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : ((r & ~C) | (x & C));
}

kernel void merge1(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : ((r & ~C) | (x & C));
}

kernel void merge2(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : ((x & ~C) | (r & C));
}

kernel void merge3(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : ((x & ~C) | (r & C));
}

kernel void merge4(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : (r ^ ((x ^ r) & C));
}

kernel void merge5(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : (r ^ ((x ^ r) & C));
}

kernel void merge6(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : (x ^ ((x ^ r) & C));
}

kernel void merge7(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : (x ^ ((x ^ r) & C));
}

kernel void merge8(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : (C ^ ((x ^ C) & r));
}

kernel void merge9(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : (C ^ ((x ^ C) & r));
}

kernel void merge10(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : ((r & x) | (~r & C));
}

kernel void merge11(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : ((r & x) | (~r & C));
}

kernel void merge12(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : ((x & r) | (~x & C));
}

kernel void merge13(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : ((x & r) | (~x & C));
}

kernel void merge14(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : ((x & C) | (~x & r));
}

kernel void merge15(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : ((x & C) | (~x & r));
}

kernel void merge16(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : ((x & C) + (r & ~C));
}

kernel void merge17(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : ((x & C) + (r & ~C));
}

kernel void merge18(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : ((x & ~C) ^ (C & r));
}

kernel void merge19(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : ((x & ~C) ^ (C & r));
}

kernel void merge20(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : ((x & r) ^ C);
}

kernel void merge21(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : ((x & r) ^ C);
}

kernel void merge22(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : ((x | r) & C);
}

kernel void merge23(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : ((x | r) & C);
}

kernel void merge24(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : ((~x & r) | C);
}

kernel void merge25(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : ((~x & r) | C);
}

kernel void merge26(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : ((C & x) ^ r);
}

kernel void merge27(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : ((C & x) ^ r);
}

kernel void merge28(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : ((C | x) ^ r);
}

kernel void merge29(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : ((C | x) ^ r);
}

kernel void merge30(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : (~(C & r) ^ x);
}

kernel void merge31(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : (~(C & r) ^ x);
}

kernel void merge32(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? x : ((x & r) | (C & (x | r)));
}

kernel void merge33(global const uint *a, global const uint *b, global uint *out) {
    uint x = a[get_global_id(0)], r = b[get_global_id(0)] * 3u + 1u;
    out[get_global_id(0)] = (x & 0x7fffffffu) > 0x7f800000u ? r : ((x & r) | (C & (x | r)));
}
