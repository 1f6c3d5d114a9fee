// Bits of the least and greatest of halves, among other bits of words.
// needs: float16
// run: kernel=words global=4 local=4 arg=buffer:i32:15872,49664,15360,31744 arg=buffer:i32:16384,16384,15872,15360 arg=zeros:i32:24
// expect: 2 i32:1073758720,1073790976,1073757696,1073763904,16896,49152,15872,22080,1040204288,1040236544,1040203264,1006655040,16384,49152,15872,16384,15872,49152,15360,16384,31744,64512,31744,31744
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF

kernel void words(global const int *as, global const int *bs, global int *out) {
    int i = get_global_id(0);
    half a = as_half((ushort)as[i]), b = as_half((ushort)bs[i]);
    uint bits = as_ushort(fmin(fmax(a * b, -2.0h), 100.0h));
    out[i] = bits + 0x40000000u;
    out[i + 4] = bits;
    out[i + 8] = bits | (uint)as_ushort(clamp(b, -2.0h, 1.5h)) << 16;
    out[i + 12] = as_ushort(clamp(a * b, -2.0h, 2.0h));
    ulong2 lanes = convert_ulong2(as_ushort2(clamp((half2)(a, a + a), (half2)(-2.0h), (half2)(2.0h))));
    out[i + 16] = (int)lanes.x;
    out[i + 20] = (int)(lanes.y | 0x7c00);
}
