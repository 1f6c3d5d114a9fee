// options: -cl-std=CLC++2021
// References to images and samplers, in functions and templates.
int4 read(read_only image2d_t &image, int2 at) { return read_imagei(image, at); }

template <class T> auto texel(const T &image, sampler_t &sampler, float2 at) { return read_imagef(image, sampler, at); }

template <class T> int width(T &&image) { return get_image_width(image); }

kernel void k(read_only image2d_t ints, read_only image2d_t floats, sampler_t sampler, global float4 *out) {
    out[0] = texel(floats, sampler, (float2)(0.5f)) + convert_float4(read(ints, (int2)(width(ints) - 1, 0)));
}
