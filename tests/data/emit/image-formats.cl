// test: emit
// target: min
// Images of different formats: functions of the library have several copies for constant arguments.

kernel void several(read_only image2d_t a, read_only image2d_t b, read_only image2d_t c, sampler_t s, global float4 *out) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    out[at.x] = read_imagef(a, s, at) + read_imagef(b, s, at) + read_imagef(c, s, at);
}
