// Integer dot products (cl_khr_integer_dot_product) and bit fields (cl_khr_extended_bit_ops). All
// results are exact.

// The sum of four products of 8-bit numbers fits 32 bits.
#define DOT(NAME, A, B, R, TAG, DOT_OF_WORDS)                               \
    R NAME##_##TAG##x4(A a, B b) {                                          \
        return DOT_OF_WORDS(as_uint(a), as_uint(b));                        \
    }                                                                       \
    R NAME##_acc_sat_##TAG##x4(A a, B b, R sum) {                           \
        return add_sat(DOT_OF_WORDS(as_uint(a), as_uint(b)), sum);          \
    }                                                                       \
    R NAME##_acc_sat_packed_##TAG(uint a, uint b, R sum) {                  \
        return add_sat(DOT_OF_WORDS(a, b), sum);                            \
    }
#define DOT_US(a, b) dot_4x8packed_su_int(b, a)

DOT(dot_uu, uchar4, uchar4, uint, u32, dot_4x8packed_uu_uint)
DOT(dot_ss, char4, char4, int, i32, dot_4x8packed_ss_int)
DOT(dot_us, uchar4, char4, int, i32, DOT_US)
DOT(dot_su, char4, uchar4, int, i32, dot_4x8packed_su_int)

int dot_us_packed_i32(uint a, uint b) {
    return DOT_US(a, b);
}

// `offset + count` is at most the width; a count of the whole width has no shift for its mask.
#define BIT_FIELDS(T, TAG, S, U, WIDTH)                                     \
    T bitfield_insert_##TAG(T base, T insert, uint offset, uint count) {    \
        U ones = count < WIDTH ? (U)(((U)1 << count) - 1) : (U)~(U)0;       \
        U mask = (U)(ones << (offset % WIDTH));                             \
        U moved = (U)((U)insert << (offset % WIDTH));                       \
        return (T)(((U)base & (U)~mask) | (moved & mask));                  \
    }                                                                       \
    U bitfield_extract_unsigned_##TAG(T base, uint offset, uint count) {    \
        U ones = count < WIDTH ? (U)(((U)1 << count) - 1) : (U)~(U)0;       \
        return (U)((U)base >> (offset % WIDTH)) & ones;                     \
    }                                                                       \
    S bitfield_extract_signed_##TAG(T base, uint offset, uint count) {      \
        uint above = WIDTH - count;                                         \
        S top = (S)((U)base << ((above - offset) % WIDTH));                 \
        return count == 0 ? (S)0 : (S)(top >> (above % WIDTH));             \
    }

BIT_FIELDS(char, i8, char, uchar, 8)
BIT_FIELDS(uchar, u8, char, uchar, 8)
BIT_FIELDS(short, i16, short, ushort, 16)
BIT_FIELDS(ushort, u16, short, ushort, 16)
BIT_FIELDS(int, i32, int, uint, 32)
BIT_FIELDS(uint, u32, int, uint, 32)
BIT_FIELDS(long, i64, long, ulong, 64)
BIT_FIELDS(ulong, u64, long, ulong, 64)
