// Blocks that a sub-group reads or writes together: the elements of one work-item are in rows, at its lane in each.

#include "image_format.h"

// The element at a lane of row i behind a pointer, which is aligned to four bytes when it is read.
#define BUFFER(T, TAG)                                                                       \
    static size_t place_##TAG(uint i) {                                                      \
        return get_sub_group_local_id() + (size_t)i * get_max_sub_group_size();              \
    }                                                                                        \
    static void put_##TAG(global T *p, uint i, T value) {                                    \
        p[place_##TAG(i)] = value;                                                           \
    }

BUFFER(uchar, u8)
BUFFER(ushort, u16)
BUFFER(uint, u32)
BUFFER(ulong, u64)

static uchar get_u8(global const uchar *p, uint i) { return p[place_u8(i)]; }
static ushort get_u16(global const ushort *p, uint i) { return p[place_u16(i)]; }
static uint get_u32(global const uint *p, uint i) { return p[place_u32(i)]; }
static ulong get_u64(global const ulong *p, uint i) {
    global const uint *words = (global const uint *)p + 2 * place_u64(i);
    return as_ulong((uint2)(words[0], words[1]));
}

// Bytes of a row of an image, and where the row begins. Pitches of texel buffers are in texels.
static int row_bytes(image2d_t image) {
    return __image_width(image) * (int)texel_size(__image_format(image));
}
static ulong row_at(image2d_t image, int y) {
    uint format = __image_format(image);
    uint pitch = __image_row_pitch(image) * (IS_FETCHED(format) ? texel_size(format) : 1);
    return __image_address(image) + (ulong)(uint)y * pitch;
}

// Byte x of a row, or that byte of the texel at the edge. Texels have 1, 2 or 4 bytes.
static uchar byte_at(image2d_t image, ulong row, int x) {
    int size = (int)texel_size(__image_format(image));
    int texel = clamp(x & -size, 0, row_bytes(image) - size);
    return *(global const uchar *)(row + (uint)(texel + (x & (size - 1))));
}

// The element of an image at byte x of row y. What lies in the image and is aligned is one access.
#define IMAGE(T, TAG)                                                                        \
    static int lane_##TAG(int x) {                                                           \
        return (int)((uint)x + get_sub_group_local_id() * (uint)sizeof(T));                  \
    }                                                                                        \
    static int is_whole_##TAG(image2d_t image, ulong row, int x) {                           \
        return x >= 0 && x <= row_bytes(image) - (int)sizeof(T)                              \
            && ((row + (uint)x) & (sizeof(T) - 1)) == 0;                                     \
    }                                                                                        \
    __attribute__((noinline)) static T seen_##TAG(image2d_t image, int x, int y) {           \
        ulong row = row_at(image, clamp(y, 0, __image_height(image) - 1));                   \
        if (is_whole_##TAG(image, row, x))                                                   \
            return *(global const T *)(row + (uint)x);                                       \
        T value = 0;                                                                         \
        for (int i = 0; i < (int)sizeof(T); i++)                                             \
            value |= (T)((T)byte_at(image, row, x + i) << 8 * i);                            \
        return value;                                                                        \
    }                                                                                        \
    /* What is outside is not written. */                                                    \
    __attribute__((noinline)) static void set_##TAG(image2d_t image, int x, int y, T value) { \
        ulong row = row_at(image, y);                                                        \
        if ((uint)y >= (uint)__image_height(image))                                          \
            return;                                                                          \
        if (is_whole_##TAG(image, row, x)) {                                                 \
            *(global T *)(row + (uint)x) = value;                                            \
            return;                                                                          \
        }                                                                                    \
        for (int i = 0; i < (int)sizeof(T); i++)                                             \
            if ((uint)(x + i) < (uint)row_bytes(image))                                      \
                *(global uchar *)(row + (uint)(x + i)) = (uchar)(value >> 8 * i);            \
    }

IMAGE(uchar, u8)
IMAGE(ushort, u16)
IMAGE(uint, u32)
IMAGE(ulong, u64)

// Of N elements, as of the two halves of them. V is the vector, H a half of it.
#define ONE(T, TAG)                                                                          \
    static T rows_##TAG(global const T *p, uint i) { return get_##TAG(p, i); }               \
    static void put_rows_##TAG(global T *p, uint i, T v) { put_##TAG(p, i, v); }             \
    static T seen_rows_##TAG(image2d_t image, int x, int y) { return seen_##TAG(image, x, y); } \
    static void set_rows_##TAG(image2d_t image, int x, int y, T v) { set_##TAG(image, x, y, v); } \
    FUNCTIONS(T, T, TAG, TAG)
#define TWICE(T, TAG, V, N, HALF)                                                            \
    static V rows_##N(global const T *p, uint i) {                                           \
        return (V)(rows_##HALF(p, i), rows_##HALF(p, i + sizeof(V) / sizeof(T) / 2));        \
    }                                                                                        \
    static void put_rows_##N(global T *p, uint i, V v) {                                     \
        put_rows_##HALF(p, i, v.lo);                                                         \
        put_rows_##HALF(p, i + sizeof(V) / sizeof(T) / 2, v.hi);                             \
    }                                                                                        \
    static V seen_rows_##N(image2d_t image, int x, int y) {                                  \
        return (V)(seen_rows_##HALF(image, x, y),                                            \
                   seen_rows_##HALF(image, x, y + (int)(sizeof(V) / sizeof(T) / 2)));        \
    }                                                                                        \
    static void set_rows_##N(image2d_t image, int x, int y, V v) {                           \
        set_rows_##HALF(image, x, y, v.lo);                                                  \
        set_rows_##HALF(image, x, y + (int)(sizeof(V) / sizeof(T) / 2), v.hi);               \
    }                                                                                        \
    FUNCTIONS(T, V, TAG, N)
#define FUNCTIONS(T, V, TAG, N)                                                              \
    V read_##N(global const T *p) { return rows_##N(p, 0); }                                 \
    void write_##N(global T *p, V v) { put_rows_##N(p, 0, v); }                              \
    V read_image_##N(image2d_t image, int2 at) {                                             \
        return seen_rows_##N(image, lane_##TAG(at.x), at.y);                                 \
    }                                                                                        \
    void write_image_##N(image2d_t image, int2 at, V v) {                                    \
        set_rows_##N(image, lane_##TAG(at.x), at.y, v);                                      \
    }
#define BLOCKS(T, TAG)                                                                       \
    ONE(T, TAG)                                                                              \
    TWICE(T, TAG, T##2, TAG##x2, TAG)                                                        \
    TWICE(T, TAG, T##4, TAG##x4, TAG##x2)                                                    \
    TWICE(T, TAG, T##8, TAG##x8, TAG##x4)

BLOCKS(uchar, u8)
BLOCKS(ushort, u16)
BLOCKS(uint, u32)
BLOCKS(ulong, u64)
TWICE(uchar, u8, uchar16, u8x16, u8x8)
TWICE(ushort, u16, ushort16, u16x16, u16x8)
