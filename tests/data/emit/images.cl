// test: emit
// options: -cl-std=CL3.0
// target: nvidia
// Reads and writes of images: loads, and fetches from texel buffers.

constant sampler_t linear = CLK_FILTER_LINEAR | CLK_ADDRESS_CLAMP;

kernel void floats(read_only image2d_t in, write_only image2d_t out) {
    int2 c = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, c, read_imagef(in, c) + read_imagef(in, linear, convert_float2(c)));
}

kernel void integers(read_only image3d_t in, write_only image1d_t out) {
    int x = get_global_id(0);
    write_imagei(out, x, read_imagei(in, (int4)(x, x, x, 0)));
}
