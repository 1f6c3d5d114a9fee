// test: run
// run: kernel=bytes global=8 local=8 arg=zeros:i32:10
// expect: 0 i32:0,1,4,9,16,25,36,49,8,1
// run: kernel=mixed global=4 local=4 arg=local:32 arg=zeros:i32:10
// expect: 1 i32:513,1027,4,1065353216,3,200,7,258,771,12
// run: kernel=packed global=1 local=1 arg=zeros:i32:3
// expect: 0 i32:2018915346,6,67305985

struct Counts { char each[8]; int all; };

// Bytes beside a counter: work-items write their own.
kernel void bytes(global int *out) {
    local struct Counts c;
    int id = get_local_id(0);
    if (id == 0) c.all = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    c.each[id] = 3;
    c.each[id] = id * id;
    atomic_inc(&c.all);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = c.each[id ^ 0];
    if (id == 0) {
        out[8] = c.all;
        out[9] = c.each[1];
    }
}

// All widths in one argument with a counter.
kernel void mixed(local void *memory, global int *out) {
    local uchar *b = memory;
    local ushort *s = memory;
    local int *w = memory;
    local float *f = memory;
    int id = get_local_id(0);
    w[id] = 0;
    w[4 + id] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    b[id] = id + 1;
    s[8 + id] = id == 0 ? 0x0102 : id == 1 ? 0x0303 : 0;
    atomic_add(&w[1], 1);
    if (id == 0) f[2] = 1.0f;
    if (id == 1) b[12] = 3;
    if (id == 2) *(local char2 *)&b[14] = (char2)(-56, 7);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id) return;
    out[0] = s[0];
    out[1] = s[1];
    out[2] = w[1];
    out[3] = w[2];
    out[4] = b[12];
    out[5] = b[14];
    out[6] = b[15];
    out[7] = w[4] & 0xffff;
    out[8] = w[4] >> 16;
    out[9] = atomic_add(&w[7], 5) + 12;
}

struct __attribute__((packed)) Odd { char c; int i; };

// An int at an odd address.
kernel void packed(global int *out) {
    local union { struct Odd odd[2]; int words[4]; } u;
    for (int i = 0; i < 4; i++) u.words[i] = 0;
    u.odd[0].c = 1;
    u.odd[0].i = 0x12345678;
    u.odd[1].c = 6;
    u.odd[1].i = 0x01020304;
    atomic_or(&u.words[3], 0);
    out[0] = as_int(as_uchar4(u.odd[0].i).s3210);
    out[1] = u.odd[1].c;
    out[2] = as_int(as_uchar4(u.odd[1].i).s3210);
}
