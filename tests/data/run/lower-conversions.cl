// test: run
// options: -cl-std=CL3.0
// run: kernel=conversions global=1 local=1 arg=zeros:i32:21 arg=buffer:f32:2.5,-3.7,-200,3e10,nan arg=buffer:i32:70000,-5,16777219
// expect: 0 i32:2,3,2,-3,0,-128,2147483647,0,-1,32767,0,127,1266679809,1266679810,-880803838,1266679810,-83,1602224128,6,0,-880803839
// run: kernel=out_of_range global=6 local=6 arg=zeros:i32:24 arg=buffer:f32:300.5,-2,360,-40000,70000,255
// expect: 0 i32:44,254,104,192,112,255,44,-2,104,-64,112,-1,300,65534,360,25536,4464,255,300,-2,360,25536,4464,255
// run: kernel=least_long global=1 local=1 arg=zeros:i32:6 arg=buffer:f32:-3
// expect: 0 i32:0,1,1,-3,1,4

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

// Out of range: the low bits of the integer of 32 bits, whatever the driver does itself.
kernel void out_of_range(global int *out, global const float *f) {
    size_t i = get_global_id(0);
    out[i] = (uchar)f[i];
    out[6 + i] = convert_char4((float4)(f[i])).w;
    out[12 + i] = convert_ushort2((float2)(0, f[i])).y;
    out[18 + i] = (short)f[i];
}

// What saturates by comparisons is generated for all types.
kernel void least_long(global int *out, global const float *f) {
    out[0] = f[0] < -9223372036854775808;
    out[1] = -9223372036854775808 < 0;
    out[2] = (long)f[0] > -9223372036854775808L;
    out[3] = clamp(f[0], -9223372036854775808.0f, 9223372036854775807.0f);
    out[4] = f[0] * 4 < -9223372036854775808e-18f;
    out[5] = sizeof(-9223372036854775808.f);
}
