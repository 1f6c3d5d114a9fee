// options: -cl-std=CLC++2021
// References to images and samplers, in functions and templates.
int4 read(read_only image2d_t &image, int2 at) { return read_imagei(image, at); }

template <class T> auto texel(const T &image, sampler_t &sampler, float2 at) { return read_imagef(image, sampler, at); }

template <class T> int width(T &&image) { return get_image_width(image); }

kernel void k(read_only image2d_t ints, read_only image2d_t floats, sampler_t sampler, global float4 *out) {
    out[0] = texel(floats, sampler, (float2)(0.5f)) + convert_float4(read(ints, (int2)(width(ints) - 1, 0)));
}

// Lambdas hold images as the numbers of parameters.
template <class F> struct Held { F f; float4 at(int2 c) const { return f(c); } };
template <class F> Held(F) -> Held<F>;

template <class F> void each(int n, F &&f) { for (int i = 0; i < n; ++i) f(i); }

kernel void captured(read_only image2d_t a, read_only image2d_t b, write_only image2d_t to, sampler_t s, int n) {
    auto sum = [=](int2 c) { return read_imagef(a, s, c) + read_imagef(b, c); };
    Held held{sum};
    auto copy = held;
    for (int y = 0; y < get_image_height(a); ++y)
        each(get_image_width(to), [=](int x) { write_imagef(to, (int2)(x, y), copy.at((int2)(x, y)) * n); });
}
