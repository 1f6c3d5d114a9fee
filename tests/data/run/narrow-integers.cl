// test: run
// run: kernel=shorts global=4 local=4 arg=buffer:i16:1,-32768,4660,0 arg=zeros:i32:32
// expect: 1 i32:256,128,13330,0,256,128,13330,0,256,128,13330,0,0,1,0,1,0,1,0,1,1,0,1,0,1,0,1,0,-1,-32768,-4660,0
// run: kernel=bytes global=4 local=4 arg=buffer:i8:1,-128,-2,0 arg=zeros:i32:24
// expect: 1 i32:-1,-128,2,0,-1,-32,0,0,1,0,0,0,-1,-42,0,0,0,1,1,1,255,128,2,0
// run: kernel=lanes global=1 local=1 arg=buffer:i16:1,-32768,4660,-2 arg=zeros:i16:4 arg=zeros:i8:4
// expect: 1 i16:256,128,13330,-257
// expect: 2 i8:-1,0,-52,2

// Integers of 16 and 8 bits, whose arithmetic a driver may not do as that of 32 bits.

kernel void shorts(global const short *in, global int *out) {
    int i = get_global_id(0);
    short x = in[i];
    ushort u = x;
    out[i] = (ushort)(u << 8 | u >> 8);
    out[i + 4] = rotate(u, (ushort)8);
    out[i + 8] = (ushort)((u << 8) ^ (u >> 8));
    out[i + 12] = max(x, (short)0) == 0;
    out[i + 16] = convert_ushort_sat(x) == 0;
    out[i + 20] = min(x, (short)1) == 1;
    out[i + 24] = min(max(x, (short)-1), (short)3) > 0;
    out[i + 28] = (short)-x;
}

kernel void bytes(global const char *in, global int *out) {
    int i = get_global_id(0);
    char x = in[i];
    out[i] = (char)-x;
    out[i + 4] = (char)-x >> 2;
    out[i + 8] = max(x, (char)0) == 1;
    out[i + 12] = (char)-x / 3 - (x == 1);
    out[i + 16] = (uchar)-x < 200 && (char)-x != -1;
    out[i + 20] = (uchar)(short)(char)-x;
}

kernel void lanes(global const short4 *in, global ushort4 *out, global char4 *bytes) {
    ushort4 x = as_ushort4(in[0]);
    out[0] = x << (ushort4)8 | x >> (ushort4)8;
    bytes[0] = -convert_char4(x);
}
