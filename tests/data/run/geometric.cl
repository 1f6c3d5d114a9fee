// needs: float64
// test: run
// run: kernel=geometric global=1 local=1 arg=zeros:f32:21 arg=zeros:f64:4
// expect: 0 f32~1:32,11,5,5,0.6,0.8,-3,6,-3,0,1.9445436e20,1e-25,3.4028235e38,0,0.70710677,7,5,0.6,0.8,2,5.0154423e-37
// expect: 1 f64~1:70,5,0.6,0.8
// Computed by hand: 1.9445436e20 is 1.375e20 * sqrt(2).

kernel void geometric(global float *f, global double *d) {
    f[0] = dot((float3)(1, 2, 3), (float3)(4, 5, 6));
    f[1] = dot((float2)(1, 2), (float2)(3, 4));
    f[2] = length((float2)(3, 4));
    f[3] = distance((float4)(1, 2, 3, 4), (float4)(1, 5, 7, 4));
    f[4] = normalize((float2)(3, 4)).x;
    f[5] = normalize((float2)(3, 4)).y;
    float3 c = cross((float3)(1, 2, 3), (float3)(4, 5, 6));
    f[6] = c.x; f[7] = c.y; f[8] = c.z;
    f[9] = cross((float4)(1, 2, 3, 9), (float4)(4, 5, 6, 9)).w;
    f[10] = length((float2)(1.375e20f, 1.375e20f));     /* squares overflow */
    f[11] = length((float3)(0, 1e-25f, 0));              /* squares underflow */
    f[12] = length((float4)(3.4028235e38f, 0, 0, 0));
    f[13] = normalize((float4)(0)).x;
    f[14] = normalize((float3)(INFINITY, 2, -INFINITY)).x;
    f[15] = length(-7.0f);
    f[16] = fast_length((float2)(3, 4));
    f[17] = fast_normalize((float2)(3, 4)).x;
    f[18] = fast_normalize((float2)(3, 4)).y;
    f[19] = fast_distance(1.0f, 3.0f);
    f[20] = normalize((float2)(0x1p61f, 0x1.555554p-60f)).y; /* 0x1.555554p-121 */
    d[0] = dot((double4)(1, 2, 3, 4), (double4)(5, 6, 7, 8));
    d[1] = length((double2)(3, 4));
    d[2] = normalize((double2)(3, 4)).x;
    d[3] = normalize((double2)(3, 4)).y;
}
