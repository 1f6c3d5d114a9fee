// Builtins of clang that no operation is. Counts of bits of 0 are those of clz and ctz.

#define COUNTS(U, TAG)                                                      \
    int popcount_##TAG(U x) { return (int)popcount(x); }             \
    int parity_##TAG(U x) { return (int)popcount(x) & 1; }           \
    int clz_##TAG(U x) { return (int)clz(x); }                       \
    int ctz_##TAG(U x) { return (int)ctz(x); }

COUNTS(ushort, u16)
COUNTS(uint, u32)
COUNTS(ulong, u64)

#define SIGNED_COUNTS(S, TAG)                                               \
    int clrsb_##TAG(S x) { return (int)clz(x < 0 ? ~x : x) - 1; }    \
    int ffs_##TAG(S x) { return x == 0 ? 0 : (int)ctz(x) + 1; }

SIGNED_COUNTS(int, i32)
SIGNED_COUNTS(long, i64)

ushort bswap_u16(ushort x) { return as_ushort(as_uchar2(x).yx); }
uint bswap_u32(uint x) { return as_uint(as_uchar4(x).wzyx); }
ulong bswap_u64(ulong x) { return as_ulong(as_uchar8(x).s76543210); }

#define ROTATE_RIGHT(U, TAG, MASK)                                          \
    U rotateright_##TAG(U x, U count) { return rotate(x, (U)(-count & MASK)); }

ROTATE_RIGHT(uchar, u8, 7)
ROTATE_RIGHT(ushort, u16, 15)
ROTATE_RIGHT(uint, u32, 31)
ROTATE_RIGHT(ulong, u64, 63)

// A sum overflows if its sign is that of neither operand, a difference if the signs of operands differ and its own is that of the second.
#define SIGNED_OVERFLOW(S, U, TAG)                                          \
    bool add_overflow_##TAG(S a, S b, private S *r) {                \
        S sum = *r = (S)((U)a + (U)b);                                      \
        return (S)((a ^ sum) & (b ^ sum)) < 0;                              \
    }                                                                       \
    bool sub_overflow_##TAG(S a, S b, private S *r) {                \
        S difference = *r = (S)((U)a - (U)b);                               \
        return (S)((a ^ b) & (a ^ difference)) < 0;                         \
    }                                                                       \
    bool mul_overflow_##TAG(S a, S b, private S *r) {                \
        S low = *r = (S)((U)a * (U)b);                                      \
        return mul_hi(a, b) != (S)(low < 0 ? -1 : 0);                       \
    }

SIGNED_OVERFLOW(char, uchar, i8)
SIGNED_OVERFLOW(short, ushort, i16)
SIGNED_OVERFLOW(int, uint, i32)
SIGNED_OVERFLOW(long, ulong, i64)

#define UNSIGNED_OVERFLOW(U, TAG)                                           \
    bool add_overflow_##TAG(U a, U b, private U *r) {                \
        return (*r = (U)(a + b)) < a;                                       \
    }                                                                       \
    bool sub_overflow_##TAG(U a, U b, private U *r) {                \
        *r = (U)(a - b);                                                    \
        return a < b;                                                       \
    }                                                                       \
    bool mul_overflow_##TAG(U a, U b, private U *r) {                \
        *r = (U)(a * b);                                                    \
        return mul_hi(a, b) != 0;                                           \
    }                                                                       \
    U addc_##TAG(U a, U b, U carried, private U *carry) {            \
        U sum = (U)(a + b), all = (U)(sum + carried);                       \
        *carry = (sum < a) | (all < sum);                                   \
        return all;                                                         \
    }                                                                       \
    U subc_##TAG(U a, U b, U carried, private U *carry) {            \
        U difference = (U)(a - b);                                          \
        *carry = (a < b) | (difference < carried);                          \
        return (U)(difference - carried);                                   \
    }

UNSIGNED_OVERFLOW(uchar, u8)
UNSIGNED_OVERFLOW(ushort, u16)
UNSIGNED_OVERFLOW(uint, u32)
UNSIGNED_OVERFLOW(ulong, u64)
