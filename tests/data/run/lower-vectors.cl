// test: run
// options: -cl-std=CL3.0
// run: kernel=vectors global=2 local=1 arg=buffer:f32:1.0,-2.0,3.0,4.0,5.0,6.0,-7.0,8.0 arg=zeros:f32:56 arg=zeros:i8:8
// expect: 1 f32:-1.0,3.0,0.0,11.0,7.0,-7.0,8.0,15.0,1.0,3.0,-1.0,0.0,25.0,-35.0,35.0,40.0,1.0,3.0,3.0,11.0,107.0,6.0,108.0,115.0,1.0,42.0,3.0,43.0,5.0,6.0,42.0,43.0,1.0,42.0,3.0,4.0,5.0,6.0,42.0,8.0,1.0,0.0,1765.0,1.5,1.0,0.0,61.0,5.0,2.0,-4.0,6.0,8.0,10.0,12.0,0.0,0.0
// expect: 2 i8:101,1,2,3,0,1,2,3

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
