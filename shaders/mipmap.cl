// Levels of mipmapped images (cl_khr_mipmap_image and its writes). Levels lie one behind the other, each packed
// (runtime/image.rs), so a level is found by going through those before it.

#include "image_address.h"
#include "image_format.h"

// Of a sampler's bits (kernel::sampler_bits): levels are blended, the limits of the level of detail in 1/256.
#define BLENDS_LEVELS(bits) (((bits) & 0x40) != 0)
#define LOD_MIN(bits) ((float)((bits) >> 8 & 0xfff) / 256)
#define LOD_MAX(bits) ((float)(0xfff - ((bits) >> 20)) / 256)

// Its first texel, sizes in texels, pitches in bytes. What the kind of image does not have is 1.
typedef struct {
    ulong at;
    int width, height, depth;
    uint row, slice;
} level_t;

static level_t level_of(image2d_t image, int n) {
    uint size = texel_size(__image_format(image));
    ulong layer_texels = (ulong)__image_array_size(image) * size;
    level_t l;
    l.at = __image_address(image);
    l.width = __image_width(image);
    l.height = __image_height(image);
    l.depth = __image_depth(image);
    for (int i = 0; i < n; i++) {
        l.at += (ulong)l.width * (ulong)l.height * (ulong)l.depth * layer_texels;
        l.width = max(l.width >> 1, 1);
        l.height = max(l.height >> 1, 1);
        l.depth = max(l.depth >> 1, 1);
    }
    l.row = (uint)l.width * size;
    l.slice = l.row * (uint)l.height;
    return l;
}

static ulong place_in(level_t l, int x, int y, int z, uint size) {
    return l.at + (ulong)(uint)x * size + (ulong)(uint)y * l.row + (ulong)(uint)z * l.slice;
}

// The level of detail that is read, from 0 to the last level.
static float lod_within(image2d_t image, uint bits, float lod) {
    float last = (float)(__image_levels(image) - 1);
    return fmin(fmax(fmax(lod, LOD_MIN(bits)), 0.0f), fmin(LOD_MAX(bits), last));
}

static int nearest_level(float lod) {
    return (int)ceil(lod - 0.5f);
}

// What gradients of normalised coordinates ask for: log2 of the texels from one pixel to the next.
static float lod_of(image2d_t image, float4 x, float4 y) {
    float4 size = (float4)(__image_width(image), __image_height(image), __image_depth(image), 0);
    x *= size;
    y *= size;
    return 0.5f * log2(fmax(dot(x, x), dot(y, y)));
}

// For one kind of result, as in image.cl; coordinates have `dims` dimensions, then comes the layer.
#define LEVELS(V, S)                                                                         \
    static V stored_in_##S(level_t l, uint format, uint bits, int x, int y, int z) {         \
        uint size = texel_size(format);                                                      \
        V v = stored_##S(load_words(place_in(l, max(x, 0), max(y, 0), max(z, 0), size), size), format); \
        return ADDRESSING(bits) == CLK_ADDRESS_CLAMP && (x | y | z) < 0 ? (V)(0) : v;        \
    }                                                                                        \
    static V near_in_##S(image2d_t image, uint bits, int n, float4 c, int dims, int layer) { \
        level_t l = level_of(image, n);                                                      \
        uint format = __image_format(image);                                                 \
        int x = index_or(OUTSIDE, nearest(c.x, l.width, bits), l.width, bits);               \
        int y = dims > 1 ? index_or(OUTSIDE, nearest(c.y, l.height, bits), l.height, bits) : 0; \
        int z = dims > 2 ? index_or(OUTSIDE, nearest(c.z, l.depth, bits), l.depth, bits) : layer; \
        return seen_##S(stored_in_##S(l, format, bits, x, y, z), format);                    \
    }                                                                                        \
    static void put_in_##S(image2d_t image, int4 c, int lod, V v, int layers) {              \
        if ((uint)lod >= (uint)__image_levels(image)) return;                                \
        level_t l = level_of(image, lod);                                                    \
        uint format = __image_format(image);                                                 \
        if ((uint)c.x < (uint)l.width && (uint)c.y < (uint)l.height && (uint)c.z < (uint)(l.depth * layers)) \
            put_##S(place_in(l, c.x, c.y, c.z, texel_size(format)), format, v);              \
    }
LEVELS(float4, f)
LEVELS(int4, i)
LEVELS(uint4, ui)

static float4 filtered_in(image2d_t image, uint bits, int n, float4 c, int dims, int layer) {
    level_t l = level_of(image, n);
    uint format = __image_format(image);
    int2 x, y = 0, z = layer;
    float2 w, wy = (float2)(1, 0), wz = (float2)(1, 0);
    w.y = between(c.x, l.width, bits, &x);
    w.x = 1 - w.y;
    if (dims > 1) {
        wy.y = between(c.y, l.height, bits, &y);
        wy.x = 1 - wy.y;
    }
    if (dims > 2) {
        wz.y = between(c.z, l.depth, bits, &z);
        wz.x = 1 - wz.y;
    }
    float4 v = 0;
    for (int k = 0; k < 1 << dims; k++) {
        int i = k & 1, j = k >> 1 & 1, m = k >> 2;
        float weight = (i ? w.y : w.x) * (j ? wy.y : wy.x) * (m ? wz.y : wz.x);
        v = mad(weight, stored_in_f(l, format, bits, i ? x.y : x.x, j ? y.y : y.x, m ? z.y : z.x), v);
    }
    return seen_f(v, format);
}

static float4 in_level_f(image2d_t image, uint bits, int n, float4 c, int dims, int layer) {
    return IS_LINEAR(bits) ? filtered_in(image, bits, n, c, dims, layer) : near_in_f(image, bits, n, c, dims, layer);
}

static float4 at_lod_f(image2d_t image, sampler_t s, float4 c, int dims, int layer, float lod) {
    uint bits = __sampler_bits(s);
    lod = lod_within(image, bits, lod);
    if (!BLENDS_LEVELS(bits))
        return in_level_f(image, bits, nearest_level(lod), c, dims, layer);
    int n = (int)lod;
    float4 first = in_level_f(image, bits, n, c, dims, layer);
    float4 second = in_level_f(image, bits, min(n + 1, __image_levels(image) - 1), c, dims, layer);
    return mad(lod - (float)n, second - first, first);
}

// Integers are not blended.
#define AT_LOD(V, S)                                                                         \
    static V at_lod_##S(image2d_t image, sampler_t s, float4 c, int dims, int layer, float lod) { \
        uint bits = __sampler_bits(s);                                                       \
        return near_in_##S(image, bits, nearest_level(lod_within(image, bits, lod)), c, dims, layer); \
    }
AT_LOD(int4, i)
AT_LOD(uint4, ui)

static float4 at_lod_depth(image2d_t image, sampler_t s, float4 c, int dims, int layer, float lod) {
    return at_lod_f(image, s, c, dims, layer, lod);
}

#define WIDE_1(c) (float4)(c, 0, 0, 0)
#define WIDE_2(c) (float4)(c, 0, 0)
#define WIDE_4(c) (float4)((c).xyz, 0)

// The functions of a kind: types of coordinates and gradients, how to widen both, dimensions, layer.
#define READS_OF(kind, V, S, RESULT, F, WIDE_F, G, WIDE_G, dims, layer)                      \
    V lod_##kind##_##S(image2d_t image, sampler_t s, F c, float lod) {                       \
        return RESULT(at_lod_##S(image, s, WIDE_F(c), dims, layer, lod));                    \
    }                                                                                        \
    V gradient_##kind##_##S(image2d_t image, sampler_t s, F c, G x, G y) {                   \
        float lod = lod_of(image, WIDE_G(x), WIDE_G(y));                                     \
        return RESULT(at_lod_##S(image, s, WIDE_F(c), dims, layer, lod));                    \
    }
#define WHOLE(v) (v)
#define FIRST(v) (v).x
#define LAYER_Y layer_of(c.y, __image_array_size(image))
#define LAYER_Z layer_of(c.z, __image_array_size(image))
#define READS(V, S)                                                                          \
    READS_OF(1d, V, S, WHOLE, float, WIDE_1, float, WIDE_1, 1, 0)                            \
    READS_OF(1d_array, V, S, WHOLE, float2, WIDE_2, float, WIDE_1, 1, LAYER_Y)               \
    READS_OF(2d, V, S, WHOLE, float2, WIDE_2, float2, WIDE_2, 2, 0)                          \
    READS_OF(2d_array, V, S, WHOLE, float4, WIDE_4, float2, WIDE_2, 2, LAYER_Z)              \
    READS_OF(3d, V, S, WHOLE, float4, WIDE_4, float4, WIDE_4, 3, 0)
READS(float4, f)
READS(int4, i)
READS(uint4, ui)
READS_OF(2d, float, depth, FIRST, float2, WIDE_2, float2, WIDE_2, 2, 0)
READS_OF(2d_array, float, depth, FIRST, float4, WIDE_4, float2, WIDE_2, 2, LAYER_Z)

#define WRITES(V, S)                                                                         \
    void put_1d_##S(image2d_t image, int c, int lod, V v) {                                  \
        put_in_##S(image, (int4)(c, 0, 0, 0), lod, v, 1);                                    \
    }                                                                                        \
    void put_1d_array_##S(image2d_t image, int2 c, int lod, V v) {                           \
        put_in_##S(image, (int4)(c.x, 0, c.y, 0), lod, v, __image_array_size(image));        \
    }                                                                                        \
    void put_2d_##S(image2d_t image, int2 c, int lod, V v) {                                 \
        put_in_##S(image, (int4)(c, 0, 0), lod, v, 1);                                       \
    }                                                                                        \
    void put_2d_array_##S(image2d_t image, int4 c, int lod, V v) {                           \
        put_in_##S(image, c, lod, v, __image_array_size(image));                             \
    }                                                                                        \
    void put_3d_##S(image2d_t image, int4 c, int lod, V v) {                                 \
        put_in_##S(image, c, lod, v, 1);                                                     \
    }
WRITES(float4, f)
WRITES(int4, i)
WRITES(uint4, ui)

void put_2d_depth(image2d_t image, int2 c, int lod, float v) {
    put_in_f(image, (int4)(c, 0, 0), lod, (float4)(v), 1);
}

void put_2d_array_depth(image2d_t image, int4 c, int lod, float v) {
    put_in_f(image, c, lod, (float4)(v), __image_array_size(image));
}
