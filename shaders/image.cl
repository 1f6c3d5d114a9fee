// Images: reads through samplers and without, writes, queries. An image is memory with a format and
// pitches (docs/images.md); whatever its type here, its fields are those of every image.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#include "image_address.h"
#include "image_format.h"

// Texel (x, y, z) of an image.
static ulong texel_at(image2d_t image, int x, int y, int z, uint size) {
    return __image_address(image) + (ulong)(uint)x * size
        + (ulong)((uint)y + (uint)z * __image_slice_rows(image)) * __image_row_pitch(image);
}

// The same in a texel buffer, of which the image has pitches in texels.
static int texel_index(image2d_t image, int x, int y, int z) {
    return x + (y + z * (int)__image_slice_rows(image)) * (int)__image_row_pitch(image);
}

// Texel (x, y, z) of an image of a raw format is one of this block.
static ulong raw_block(image2d_t image, int x, int y, int z, uint bits) {
    return texel_at(image, (int)((uint)x / (8 / bits)), y, z, 8 / bits + 1);
}

// A sampler as its bits.
#define BITS(s) __sampler_bits(s)

// Functions for one kind of result: V is the vector, S the suffix. There are no branches, so that several texels
// are loaded at once: outside of the image is another texel, and zeros, which are all that is stored of the border.
#define READS(V, S)                                                                          \
    __attribute__((noinline)) static V loaded_##S(ulong at, uint format) {                   \
        return stored_##S(load_words(at, texel_size(format)), format);                       \
    }                                                                                        \
    /* What is stored at (x, y, z), by a load or through the image's texel buffer. */        \
    static V inside_##S(image2d_t image, int x, int y, int z) {                              \
        uint format = __image_format(image);                                                 \
        if (IS_FETCHED(format))                                                              \
            return fetched_##S(__image_slot(image), texel_index(image, x, y, z), format);    \
        LOAD_RAW_##S(image, x, y, z, format)                                                 \
        return loaded_##S(texel_at(image, x, y, z, texel_size(format)), format);             \
    }                                                                                        \
    static void write_##S(image2d_t image, int x, int y, int z, V v) {                       \
        uint format = __image_format(image);                                                 \
        STORE_RAW_##S(image, x, y, z, format, v)                                             \
        put_##S(texel_at(image, x, y, z, texel_size(format)), format, v);                    \
    }                                                                                        \
    /* Texel (x, y, z), or the border's. */                                                  \
    static V read_##S(image2d_t image, bool inside, int x, int y, int z) {                   \
        V v = inside_##S(image, x, y, z);                                                    \
        return seen_##S(inside ? v : (V)(0), __image_format(image));                         \
    }                                                                                        \
    /* Of indices of `index_of`, in as many dimensions. */                                   \
    static V read_1d_##S(image2d_t image, sampler_t s, int x, int layer) {                   \
        int w = __image_width(image);                                                        \
        return read_##S(image, is_inside(x, w, BITS(s)), index_or(0, x, w, BITS(s)), 0, layer); \
    }                                                                                        \
    static V read_2d_##S(image2d_t image, sampler_t s, int x, int y, int layer) {            \
        int w = __image_width(image), h = __image_height(image);                             \
        bool inside = is_inside(x, w, BITS(s)) & is_inside(y, h, BITS(s));                   \
        return read_##S(image, inside, index_or(0, x, w, BITS(s)), index_or(0, y, h, BITS(s)), layer); \
    }                                                                                        \
    static V read_3d_##S(image2d_t image, sampler_t s, int x, int y, int z) {                \
        int w = __image_width(image), h = __image_height(image), d = __image_depth(image);   \
        bool inside = is_inside(x, w, BITS(s)) & is_inside(y, h, BITS(s)) & is_inside(z, d, BITS(s)); \
        x = index_or(0, x, w, BITS(s));                                                      \
        y = index_or(0, y, h, BITS(s));                                                      \
        return read_##S(image, inside, x, y, index_or(0, z, d, BITS(s)));                    \
    }                                                                                        \
    V fetch_1d_##S(image2d_t image, sampler_t s, int x) {                                    \
        return read_1d_##S(image, s, index_of(x, __image_width(image), BITS(s)), 0);         \
    }                                                                                        \
    V fetch_1d_array_##S(image2d_t image, sampler_t s, int2 c) {                             \
        int x = index_of(c.x, __image_width(image), BITS(s));                                \
        return read_1d_##S(image, s, x, clamp(c.y, 0, __image_array_size(image) - 1));       \
    }                                                                                        \
    V fetch_2d_##S(image2d_t image, sampler_t s, int2 c) {                                   \
        int x = index_of(c.x, __image_width(image), BITS(s));                                \
        return read_2d_##S(image, s, x, index_of(c.y, __image_height(image), BITS(s)), 0);   \
    }                                                                                        \
    V fetch_2d_array_##S(image2d_t image, sampler_t s, int4 c) {                             \
        int x = index_of(c.x, __image_width(image), BITS(s));                                \
        int y = index_of(c.y, __image_height(image), BITS(s));                               \
        return read_2d_##S(image, s, x, y, clamp(c.z, 0, __image_array_size(image) - 1));    \
    }                                                                                        \
    V fetch_3d_##S(image2d_t image, sampler_t s, int4 c) {                                   \
        int x = index_of(c.x, __image_width(image), BITS(s));                                \
        int y = index_of(c.y, __image_height(image), BITS(s));                               \
        return read_3d_##S(image, s, x, y, index_of(c.z, __image_depth(image), BITS(s)));    \
    }                                                                                        \
    V load_1d_##S(image2d_t image, int x) {                                                  \
        return fetch_1d_##S(image, CLK_ADDRESS_CLAMP, x);                                    \
    }                                                                                        \
    V load_1d_array_##S(image2d_t image, int2 c) {                                           \
        return fetch_1d_array_##S(image, CLK_ADDRESS_CLAMP, c);                              \
    }                                                                                        \
    V load_2d_##S(image2d_t image, int2 c) {                                                 \
        return fetch_2d_##S(image, CLK_ADDRESS_CLAMP, c);                                    \
    }                                                                                        \
    V load_2d_array_##S(image2d_t image, int4 c) {                                           \
        return fetch_2d_array_##S(image, CLK_ADDRESS_CLAMP, c);                              \
    }                                                                                        \
    V load_3d_##S(image2d_t image, int4 c) {                                                 \
        return fetch_3d_##S(image, CLK_ADDRESS_CLAMP, c);                                    \
    }                                                                                        \
    static V near_1d_##S(image2d_t image, sampler_t s, float x, int layer) {                 \
        return read_1d_##S(image, s, nearest(x, __image_width(image), BITS(s)), layer);      \
    }                                                                                        \
    static V near_2d_##S(image2d_t image, sampler_t s, float2 c, int layer) {                \
        int x = nearest(c.x, __image_width(image), BITS(s));                                 \
        return read_2d_##S(image, s, x, nearest(c.y, __image_height(image), BITS(s)), layer); \
    }                                                                                        \
    static V near_3d_##S(image2d_t image, sampler_t s, float4 c) {                           \
        int x = nearest(c.x, __image_width(image), BITS(s));                                 \
        int y = nearest(c.y, __image_height(image), BITS(s));                                \
        return read_3d_##S(image, s, x, y, nearest(c.z, __image_depth(image), BITS(s)));     \
    }                                                                                        \
    void store_1d_##S(image2d_t image, int x, V v) {                                         \
        if ((uint)x < (uint)__image_width(image))                                            \
            write_##S(image, x, 0, 0, v);                                                    \
    }                                                                                        \
    void store_1d_array_##S(image2d_t image, int2 c, V v) {                                  \
        if ((uint)c.x < (uint)__image_width(image)                                           \
            && (uint)c.y < (uint)__image_array_size(image))                                  \
            write_##S(image, c.x, 0, c.y, v);                                                \
    }                                                                                        \
    void store_2d_##S(image2d_t image, int2 c, V v) {                                        \
        if ((uint)c.x < (uint)__image_width(image) && (uint)c.y < (uint)__image_height(image)) \
            write_##S(image, c.x, c.y, 0, v);                                                \
    }                                                                                        \
    void store_2d_array_##S(image2d_t image, int4 c, V v) {                                  \
        if ((uint)c.x < (uint)__image_width(image) && (uint)c.y < (uint)__image_height(image) \
            && (uint)c.z < (uint)__image_array_size(image))                                  \
            write_##S(image, c.x, c.y, c.z, v);                                              \
    }                                                                                        \
    void store_3d_##S(image2d_t image, int4 c, V v) {                                        \
        if ((uint)c.x < (uint)__image_width(image) && (uint)c.y < (uint)__image_height(image) \
            && (uint)c.z < (uint)__image_depth(image))                                       \
            write_##S(image, c.x, c.y, c.z, v);                                              \
    }

// Texels of raw formats, which are unsigned integers; what follows is for the others.
#define LOAD_RAW_f(image, x, y, z, format)
#define LOAD_RAW_i(image, x, y, z, format)
#define LOAD_RAW_ui(image, x, y, z, format)                                                  \
    uint bits = raw_bits(format);                                                            \
    if (bits)                                                                                \
        return (uint4)(load_raw(raw_block(image, x, y, z, bits), (uint)x % (8 / bits), bits), 0, 0, 0);
#define STORE_RAW_f(image, x, y, z, format, v)
#define STORE_RAW_i(image, x, y, z, format, v)
#define STORE_RAW_ui(image, x, y, z, format, v)                                              \
    uint bits = raw_bits(format);                                                            \
    if (bits)                                                                                \
        store_raw(raw_block(image, x, y, z, bits), (uint)x % (8 / bits), bits, v.x);         \
    else

READS(float4, f)
READS(int4, i)
READS(uint4, ui)

// Linear filters, as the specification's sums of weighted texels: one multiply-add for each channel of a
// texel. Integer formats have none.
static float2 weights(float second) {
    return (float2)(1.0f - second, second);
}

// What is stored at (x, y, z), one of which may be `OUTSIDE`: all that is stored of the border is 0.
static float4 stored_at(image2d_t image, sampler_t s, int x, int y, int z) {
    if (ADDRESSING(BITS(s)) != CLK_ADDRESS_CLAMP)
        return inside_f(image, x, y, z);
    float4 v = inside_f(image, max(x, 0), max(y, 0), max(z, 0));
    return (x | y | z) < 0 ? (float4)(0) : v;
}

static float4 line(float4 v, image2d_t image, sampler_t s, int2 x, float2 w, int y, int z) {
    v = mad(w.x, stored_at(image, s, x.x, y, z), v);
    return mad(w.y, stored_at(image, s, x.y, y, z), v);
}

static float4 plane(float4 v, image2d_t image, sampler_t s, int2 x, float2 w, int2 y, float2 wy, int z) {
    v = line(v, image, s, x, w * wy.x, y.x, z);
    return line(v, image, s, x, w * wy.y, y.y, z);
}

static float4 linear_1d(image2d_t image, sampler_t s, float x, int layer) {
    int2 xs;
    float2 a = weights(between(x, __image_width(image), BITS(s), &xs));
    return seen_f(line(0, image, s, xs, a, 0, layer), __image_format(image));
}

static float4 linear_2d(image2d_t image, sampler_t s, float2 c, int layer) {
    int2 x, y;
    float2 a = weights(between(c.x, __image_width(image), BITS(s), &x));
    float2 b = weights(between(c.y, __image_height(image), BITS(s), &y));
    return seen_f(plane(0, image, s, x, a, y, b, layer), __image_format(image));
}

static float4 linear_3d(image2d_t image, sampler_t s, float4 c) {
    int2 x, y, z;
    float2 a = weights(between(c.x, __image_width(image), BITS(s), &x));
    float2 b = weights(between(c.y, __image_height(image), BITS(s), &y));
    float2 t = weights(between(c.z, __image_depth(image), BITS(s), &z));
    float4 v = plane(0, image, s, x, a, y, b * t.x, z.x);
    return seen_f(plane(v, image, s, x, a, y, b * t.y, z.y), __image_format(image));
}

float4 sample_1d_f(image2d_t image, sampler_t s, float x) {
    return IS_LINEAR(BITS(s)) ? linear_1d(image, s, x, 0) : near_1d_f(image, s, x, 0);
}

float4 sample_1d_array_f(image2d_t image, sampler_t s, float2 c) {
    int layer = layer_of(c.y, __image_array_size(image));
    return IS_LINEAR(BITS(s)) ? linear_1d(image, s, c.x, layer) : near_1d_f(image, s, c.x, layer);
}

float4 sample_2d_f(image2d_t image, sampler_t s, float2 c) {
    return IS_LINEAR(BITS(s)) ? linear_2d(image, s, c, 0) : near_2d_f(image, s, c, 0);
}

float4 sample_2d_array_f(image2d_t image, sampler_t s, float4 c) {
    int layer = layer_of(c.z, __image_array_size(image));
    return IS_LINEAR(BITS(s)) ? linear_2d(image, s, c.xy, layer) : near_2d_f(image, s, c.xy, layer);
}

float4 sample_3d_f(image2d_t image, sampler_t s, float4 c) {
    return IS_LINEAR(BITS(s)) ? linear_3d(image, s, c) : near_3d_f(image, s, c);
}

#define SAMPLES(V, S)                                                                        \
    V sample_1d_##S(image2d_t image, sampler_t s, float x) {                                 \
        return near_1d_##S(image, s, x, 0);                                                  \
    }                                                                                        \
    V sample_1d_array_##S(image2d_t image, sampler_t s, float2 c) {                          \
        return near_1d_##S(image, s, c.x, layer_of(c.y, __image_array_size(image)));         \
    }                                                                                        \
    V sample_2d_##S(image2d_t image, sampler_t s, float2 c) {                                \
        return near_2d_##S(image, s, c, 0);                                                  \
    }                                                                                        \
    V sample_2d_array_##S(image2d_t image, sampler_t s, float4 c) {                          \
        return near_2d_##S(image, s, c.xy, layer_of(c.z, __image_array_size(image)));        \
    }                                                                                        \
    V sample_3d_##S(image2d_t image, sampler_t s, float4 c) {                                \
        return near_3d_##S(image, s, c);                                                     \
    }
SAMPLES(int4, i)
SAMPLES(uint4, ui)

// Half precision and depth: the float functions, converted.
#define OTHERS(kind, F, I)                                                                   \
    half4 sample_##kind##_h(image2d_t image, sampler_t s, F c) {                             \
        return convert_half4(sample_##kind##_f(image, s, c));                                \
    }                                                                                        \
    half4 fetch_##kind##_h(image2d_t image, sampler_t s, I c) {                              \
        return convert_half4(fetch_##kind##_f(image, s, c));                                 \
    }                                                                                        \
    half4 load_##kind##_h(image2d_t image, I c) {                                            \
        return convert_half4(load_##kind##_f(image, c));                                     \
    }                                                                                        \
    void store_##kind##_h(image2d_t image, I c, half4 v) {                                   \
        store_##kind##_f(image, c, convert_float4(v));                                       \
    }                                                                                        \
    float sample_##kind##_depth(image2d_t image, sampler_t s, F c) {                         \
        return sample_##kind##_f(image, s, c).x;                                             \
    }                                                                                        \
    float fetch_##kind##_depth(image2d_t image, sampler_t s, I c) {                          \
        return fetch_##kind##_f(image, s, c).x;                                              \
    }                                                                                        \
    float load_##kind##_depth(image2d_t image, I c) {                                        \
        return load_##kind##_f(image, c).x;                                                  \
    }                                                                                        \
    void store_##kind##_depth(image2d_t image, I c, float v) {                               \
        store_##kind##_f(image, c, (float4)(v));                                             \
    }
OTHERS(1d, float, int)
OTHERS(1d_array, float2, int2)
OTHERS(2d, float2, int2)
OTHERS(2d_array, float4, int4)
OTHERS(3d, float4, int4)

// Queries made of fields.
int data_type(image2d_t image) {
    return (int)DATA_TYPE(__image_format(image));
}

int order(image2d_t image) {
    return (int)ORDER(__image_format(image));
}

int2 dim_2d(image2d_t image) {
    return (int2)(__image_width(image), __image_height(image));
}

int4 dim_3d(image2d_t image) {
    return (int4)(__image_width(image), __image_height(image), __image_depth(image), 0);
}

ulong array_size(image2d_t image) {
    return (ulong)__image_array_size(image);
}
