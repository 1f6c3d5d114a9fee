// Texels in memory: their size, and the conversions between stored channels and the vectors that
// kernels see. A format is `channel order << 16 | channel data type`; as a rule it is a
// specialization constant, so that of the switches here one case remains. Its highest bit says that
// the image is read through a texel buffer: the device loads and converts.

#define ORDER(format) ((format) >> 16 & 0x7fff)
#define DATA_TYPE(format) ((format) & 0xffff)
#ifdef CALDERA_TEXEL_BUFFERS
#define IS_FETCHED(format) ((format) >> 31)
#else
#define IS_FETCHED(format) 0
#endif

static uint channels(uint format) {
    switch (ORDER(format)) {
    case CLK_R: case CLK_A: case CLK_INTENSITY: case CLK_LUMINANCE: case CLK_DEPTH:
        return 1;
    case CLK_RG: case CLK_RA:
        return 2;
    default:
        return 4;
    }
}

// Bits of a channel; 0 where a texel is one bit field.
static uint channel_bits(uint format) {
    switch (DATA_TYPE(format)) {
    case CLK_SNORM_INT8: case CLK_UNORM_INT8: case CLK_SIGNED_INT8: case CLK_UNSIGNED_INT8:
        return 8;
    case CLK_SNORM_INT16: case CLK_UNORM_INT16: case CLK_SIGNED_INT16: case CLK_UNSIGNED_INT16:
    case CLK_HALF_FLOAT:
    case CLK_UNORM_INT10X6_EXT: case CLK_UNORM_INT12X4_EXT: case CLK_UNORM_INT14X2_EXT:
    case CLK_UNSIGNED_INT10X6_EXT: case CLK_UNSIGNED_INT12X4_EXT: case CLK_UNSIGNED_INT14X2_EXT:
        return 16;
    case CLK_SIGNED_INT32: case CLK_UNSIGNED_INT32: case CLK_FLOAT:
        return 32;
    default:
        return 0;
    }
}

// Bits below a channel's value, which are 0.
static uint low_bits(uint format) {
    switch (DATA_TYPE(format)) {
    case CLK_UNORM_INT10X6_EXT: case CLK_UNSIGNED_INT10X6_EXT: return 6;
    case CLK_UNORM_INT12X4_EXT: case CLK_UNSIGNED_INT12X4_EXT: return 4;
    case CLK_UNORM_INT14X2_EXT: case CLK_UNSIGNED_INT14X2_EXT: return 2;
    default: return 0;
    }
}

// Raw formats: the low bits of a texel, 0 for other formats. A byte for the high bits of each texel, then one for the low bits of
// as many texels as it has room for.
static uint raw_bits(uint format) {
    switch (DATA_TYPE(format)) {
    case CLK_UNSIGNED_INT_RAW10_EXT: return 2;
    case CLK_UNSIGNED_INT_RAW12_EXT: return 4;
    default: return 0;
    }
}

// Texel i of the block at an address.
__attribute__((noinline)) static uint load_raw(ulong at, uint i, uint bits) {
    global const uchar *block = (global const uchar *)at;
    return (uint)block[i] << bits | ((uint)block[8 / bits] >> i * bits & ((1 << bits) - 1));
}

// Other work-items may be writing the other texels of the block.
__attribute__((noinline)) static void store_raw(ulong at, uint i, uint bits, uint value) {
    value = min(value, (256u << bits) - 1);
    ((global uchar *)at)[i] = (uchar)(value >> bits);
    ulong low = at + 8 / bits;
    uint shift = (uint)(low & 3) * 8 + i * bits;
    uint mask = (1u << bits) - 1;
    global volatile uint *word = (global volatile uint *)(low & ~3ul);
    atomic_and(word, ~(mask << shift));
    atomic_or(word, (value & mask) << shift);
}

// Bytes of a texel: 1, 2, 4, 8 or 16.
__attribute__((noinline)) static uint texel_size(uint format) {
    switch (DATA_TYPE(format)) {
    case CLK_UNORM_SHORT_565: case CLK_UNORM_SHORT_555:
        return 2;
    case CLK_UNORM_INT_101010: case CLK_UNORM_INT_101010_2: case CLK_UNORM_INT_2_101010_EXT:
        return 4;
    default:
        return channels(format) * (channel_bits(format) / 8);
    }
}

static uint4 load_words(ulong at, uint size) {
    switch (size) {
    case 1: return (uint4)(*(global const uchar *)at, 0, 0, 0);
    case 2: return (uint4)(*(global const ushort *)at, 0, 0, 0);
    case 4: return (uint4)(*(global const uint *)at, 0, 0, 0);
    case 8: return (uint4)(*(global const uint2 *)at, 0, 0);
    default: return *(global const uint4 *)at;
    }
}

static void store_words(ulong at, uint size, uint4 words) {
    switch (size) {
    case 1: *(global uchar *)at = (uchar)words.x; break;
    case 2: *(global ushort *)at = (ushort)words.x; break;
    case 4: *(global uint *)at = words.x; break;
    case 8: *(global uint2 *)at = words.xy; break;
    default: *(global uint4 *)at = words; break;
    }
}

// The stored channels' bits, in stored order.
static uint4 unpack(uint4 words, uint format) {
    uint w = words.x;
    switch (DATA_TYPE(format)) {
    case CLK_UNORM_SHORT_565:
        return (uint4)(w >> 11, (w >> 5) & 63, w & 31, 0);
    case CLK_UNORM_SHORT_555:
        return (uint4)((w >> 10) & 31, (w >> 5) & 31, w & 31, 0);
    case CLK_UNORM_INT_101010:
        return (uint4)((w >> 20) & 1023, (w >> 10) & 1023, w & 1023, 0);
    case CLK_UNORM_INT_101010_2:
        return (uint4)(w >> 22, (w >> 12) & 1023, (w >> 2) & 1023, w & 3);
    case CLK_UNORM_INT_2_101010_EXT:
        return (uint4)(w >> 30, (w >> 20) & 1023, (w >> 10) & 1023, w & 1023);
    }
    switch (channel_bits(format)) {
    case 8: return (uint4)(w & 255, (w >> 8) & 255, (w >> 16) & 255, w >> 24);
    case 16: return (uint4)(w & 0xffff, w >> 16, words.y & 0xffff, words.y >> 16) >> low_bits(format);
    default: return words;
    }
}

static uint4 pack(uint4 c, uint format) {
    switch (DATA_TYPE(format)) {
    case CLK_UNORM_SHORT_565:
        return (uint4)(c.x << 11 | c.y << 5 | c.z, 0, 0, 0);
    case CLK_UNORM_SHORT_555:
        return (uint4)(c.x << 10 | c.y << 5 | c.z, 0, 0, 0);
    case CLK_UNORM_INT_101010:
        return (uint4)(c.x << 20 | c.y << 10 | c.z, 0, 0, 0);
    case CLK_UNORM_INT_101010_2:
        return (uint4)(c.x << 22 | c.y << 12 | c.z << 2 | c.w, 0, 0, 0);
    case CLK_UNORM_INT_2_101010_EXT:
        return (uint4)(c.x << 30 | c.y << 20 | c.z << 10 | c.w, 0, 0, 0);
    }
    switch (channel_bits(format)) {
    case 8: return (uint4)(c.x | c.y << 8 | c.z << 16 | c.w << 24, 0, 0, 0);
    case 16:
        c <<= low_bits(format);
        return (uint4)(c.x | c.y << 16, c.z | c.w << 16, 0, 0);
    default: return c;
    }
}

// Stored channels to (r, g, b, a), and back. What is not stored is 0, alpha 1: of the border, too.
#define ORDERS(V, suffix)                                               \
    __attribute__((noinline)) static V from_stored_##suffix(V c, uint format) { \
        switch (ORDER(format)) {                                        \
        case CLK_R: case CLK_DEPTH: return (V)(c.x, 0, 0, 1);           \
        case CLK_A: return (V)(0, 0, 0, c.x);                           \
        case CLK_RG: return (V)(c.xy, 0, 1);                            \
        case CLK_RA: return (V)(c.x, 0, 0, c.y);                        \
        case CLK_RGB: return (V)(c.xyz, 1);                             \
        case CLK_BGRA: case CLK_sBGRA: return c.zyxw;                   \
        case CLK_ARGB: return c.yzwx;                                   \
        case CLK_ABGR: return c.wzyx;                                   \
        case CLK_INTENSITY: return c.xxxx;                              \
        case CLK_LUMINANCE: return (V)(c.xxx, 1);                       \
        default: return c;                                              \
        }                                                               \
    }                                                                   \
    static V to_stored_##suffix(V c, uint format) {                     \
        switch (ORDER(format)) {                                        \
        case CLK_A: return c.wxyz;                                      \
        case CLK_RA: return c.xwyz;                                     \
        case CLK_BGRA: case CLK_sBGRA: return c.zyxw;                   \
        case CLK_ARGB: return c.wxyz;                                   \
        case CLK_ABGR: return c.wzyx;                                   \
        default: return c;                                              \
        }                                                               \
    }
ORDERS(float4, f)
ORDERS(int4, i)
ORDERS(uint4, ui)

// Of each normalised channel, in stored order, f(bits that numbers have).
#define BY_CHANNEL(name, f)                                             \
    static float4 name(uint format) {                                   \
        switch (DATA_TYPE(format)) {                                    \
        case CLK_UNORM_INT8: return f(8);                               \
        case CLK_UNORM_INT16: return f(16);                             \
        case CLK_UNORM_SHORT_565: return (float4)(f(5), f(6), f(5), 1.0f); \
        case CLK_UNORM_SHORT_555: return f(5);                          \
        case CLK_UNORM_INT_101010: return f(10);                        \
        case CLK_UNORM_INT_101010_2: return (float4)(f(10), f(10), f(10), f(2)); \
        case CLK_UNORM_INT_2_101010_EXT: return (float4)(f(2), f(10), f(10), f(10)); \
        case CLK_UNORM_INT10X6_EXT: return f(10);                       \
        case CLK_UNORM_INT12X4_EXT: return f(12);                       \
        case CLK_UNORM_INT14X2_EXT: return f(14);                       \
        case CLK_SNORM_INT8: return f(7);                               \
        default: return f(15);                                          \
        }                                                               \
    }
#define LARGEST(bits) (float)((1 << bits) - 1)
#define UNIT(bits) (1.0f / (1 << bits))
#define REST(bits) (1.0f / (1 << bits) / ((1 << bits) - 1))
BY_CHANNEL(unorm_scale, LARGEST)
BY_CHANNEL(unorm_unit, UNIT)
BY_CHANNEL(unorm_rest, REST)

// Sign-extended channels.
static int4 extend(uint4 c, uint format) {
    switch (channel_bits(format)) {
    case 8: return as_int4(c << 24) >> 24;
    case 16: return as_int4(c << 16) >> 16;
    default: return as_int4(c);
    }
}

static bool is_srgb(uint format) {
    return ORDER(format) >= CLK_sRGB && ORDER(format) <= CLK_sBGRA;
}

// The transfer function of sRGB (IEC 61966-2-1) and its inverse, for one colour channel.
static float srgb_to_linear(float c) {
    return c <= 0.04045f ? c / 12.92f : powr((c + 0.055f) / 1.055f, 2.4f);
}

static float linear_to_srgb(float c) {
    c = c > 0.0f ? fmin(c, 1.0f) : 0.0f;
    return c < 0.0031308f ? 12.92f * c : 1.055f * powr(c, 1.0f / 2.4f) - 0.055f;
}

static float4 halves_to_float(uint4 c) {
    return convert_float4(as_half4(convert_ushort4(c)));
}

// c / (2^n - 1), correctly rounded, without a division: c has n bits, so c * 2^-n is exact, and what is
// missing is 2^-n of the result, whose rounding does not matter. Kernels that multiply by the largest
// value get back the integer.
static float4 normalized(float4 c, uint format) {
    return c * unorm_unit(format) + c * unorm_rest(format);
}

static bool is_norm(uint format) {
    return DATA_TYPE(format) != CLK_FLOAT && DATA_TYPE(format) != CLK_HALF_FLOAT;
}

// Integers below 2^23 behind the exponent of this are that number more: conversions to and from
// float by an addition, which GPUs do many times faster than conversions.
#define SHIFT 0x1p23f

static float4 small_to_float(uint4 c) {
    return as_float4(c | as_uint(SHIFT)) - SHIFT;
}

// To the nearest, ties to even; of negative numbers the low bits are those of the integer.
static uint4 nearest_integer(float4 v) {
    return as_uint4(v + 1.5f * SHIFT);
}

// The stored channels as numbers, normalised ones as integers: filters are linear. sRGB is linear light.
__attribute__((noinline)) static float4 stored_f(uint4 words, uint format) {
    uint4 c = unpack(words, format);
    float4 v;
    switch (DATA_TYPE(format)) {
    case CLK_FLOAT:
        v = as_float4(c);
        break;
    case CLK_HALF_FLOAT:
        v = halves_to_float(c);
        break;
    // -128 and -32768 are -1, too.
    case CLK_SNORM_INT8:
        v = fmax(small_to_float(c ^ 0x80) - 0x80, -127.0f);
        break;
    case CLK_SNORM_INT16:
        v = fmax(small_to_float(c ^ 0x8000) - 0x8000, -32767.0f);
        break;
    default:
        v = small_to_float(c);
    }
    if (is_srgb(format)) {
        v = normalized(v, format);
        v.xyz = (float3)(srgb_to_linear(v.x), srgb_to_linear(v.y), srgb_to_linear(v.z));
    }
    return v;
}

// What a kernel sees of such channels.
__attribute__((noinline)) static float4 real(float4 v, uint format) {
    if (is_norm(format) && !is_srgb(format))
        v = normalized(v, format);
    return v;
}

static float4 seen_f(float4 v, uint format) {
    return from_stored_f(IS_FETCHED(format) ? v : real(v, format), format);
}

__attribute__((noinline)) static int4 stored_i(uint4 words, uint format) {
    int4 c = extend(unpack(words, format), format);
    return c;
}

// The same of a texel buffer: normalised channels are numbers already, integers unsigned. Never called
// where there are no texel buffers.
#ifdef CALDERA_TEXEL_BUFFERS
#define fetched_f(slot, index, format) __texel_f(slot, index)
#define fetched_i(slot, index, format) extend(__texel_ui(slot, index), format)
#define fetched_ui(slot, index, format) __texel_ui(slot, index)
#else
#define fetched_f(slot, index, format) (float4)(index)
#define fetched_i(slot, index, format) (int4)(index)
#define fetched_ui(slot, index, format) (uint4)(index)
#endif

static int4 seen_i(int4 c, uint format) {
    return from_stored_i(c, format);
}

__attribute__((noinline)) static uint4 stored_ui(uint4 words, uint format) {
    uint4 c = unpack(words, format);
    return c;
}

static uint4 seen_ui(uint4 c, uint format) {
    return from_stored_ui(c, format);
}

__attribute__((noinline)) static void put_f(ulong at, uint format, float4 v) {
    if (is_srgb(format))
        v.xyz = (float3)(linear_to_srgb(v.x), linear_to_srgb(v.y), linear_to_srgb(v.z));
    v = to_stored_f(v, format);
    uint4 c;
    float4 scale = unorm_scale(format);
    switch (DATA_TYPE(format)) {
    case CLK_FLOAT:
        c = as_uint4(v);
        break;
    case CLK_HALF_FLOAT:
        c = convert_uint4(as_ushort4(convert_half4_rte(v)));
        break;
    case CLK_SNORM_INT8: case CLK_SNORM_INT16:
        // NaN is 0.
        v = isnan(v) ? (float4)(0.0f) : v;
        c = nearest_integer(fmin(fmax(v * scale, -1.0f - scale), scale));
        c &= channel_bits(format) == 8 ? 255 : 0xffff;
        break;
    default:
        c = nearest_integer(fmin(fmax(v * scale, 0.0f), scale)) & 0xffff;
    }
    store_words(at, texel_size(format), pack(c, format));
}

__attribute__((noinline)) static void put_i(ulong at, uint format, int4 v) {
    uint4 c;
    switch (channel_bits(format)) {
    case 8: c = as_uint4(clamp(v, -128, 127)) & 255; break;
    case 16: c = as_uint4(clamp(v, -32768, 32767)) & 0xffff; break;
    default: c = as_uint4(v);
    }
    store_words(at, texel_size(format), pack(to_stored_ui(c, format), format));
}

__attribute__((noinline)) static void put_ui(ulong at, uint format, uint4 v) {
    switch (channel_bits(format)) {
    case 8: v = min(v, 255u); break;
    case 16: v = min(v, 0xffffu >> low_bits(format)); break;
    }
    store_words(at, texel_size(format), pack(to_stored_ui(v, format), format));
}
