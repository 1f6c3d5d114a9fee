// For type T, the integer U of its width, names F(name), conversions of bits AS_T and AS_U,
// and the numbers of bits of the format.
#define WORD (MANTISSA_BITS + EXPONENT_BITS + 1)
#include "significand.h"

// high 2^WORD + low, shifted right by n > 0; the last bit stands for all that leave.
U F(shift_low)(U high, U low, int n) {
    U both = n < WORD ? low >> n | high << (WORD - n) : n < 2 * WORD ? high >> (n - WORD) : 0;
    U lost = n < WORD ? low << (WORD - n) : n == WORD ? low : low | high << ((2 * WORD - n) & (WORD - 1));
    lost = n >= 2 * WORD ? high | low : lost;
    return both | (lost != 0 ? 1 : 0);
}

T F(fma)(T a, T b, T c) {
    U as = AS_U(a) & ~SIGN_BIT, bs = AS_U(b) & ~SIGN_BIT, cs = AS_U(c) & ~SIGN_BIT;
    if (as >= INF_BITS || bs >= INF_BITS || as == 0 || bs == 0)
        return a * b + c;
    // The product, if computed, might overflow.
    if (cs >= INF_BITS)
        return c;
    U sign = (AS_U(a) ^ AS_U(b)) & SIGN_BIT;
    bool subtract = (AS_U(c) & SIGN_BIT) != sign;
    // The product with its highest bit at the second or third place of two words.
    U x = F(significand)(as) << EXPONENT_BITS, y = F(significand)(bs) << EXPONENT_BITS;
    U high = mul_hi(x, y), low = x * y;
    low = low >> 1 | high << (WORD - 1);
    high >>= 1;
    // c with its highest bit at the second place; 2^e times both is the value, from ONE's bias.
    U c_high = cs == 0 ? 0 : F(significand)(cs) << (EXPONENT_BITS - 1), c_low = 0;
    int e = F(exponent)(as) + F(exponent)(bs) - BIAS + 1;
    int shift = cs == 0 ? 0 : e - F(exponent)(cs);
    if (shift > 0) {
        c_low = F(shift_low)(c_high, c_low, shift);
        c_high = shift < WORD ? c_high >> shift : 0;
    } else if (shift < 0) {
        low = F(shift_low)(high, low, -shift);
        high = -shift < WORD ? high >> -shift : 0;
        e -= shift;
    }
    if (subtract) {
        bool swap = high < c_high || (high == c_high && low < c_low);
        U large_low = swap ? c_low : low, small_low = swap ? low : c_low;
        high = swap ? c_high - high : high - c_high;
        low = large_low - small_low;
        high -= large_low < small_low ? 1 : 0;
        sign ^= swap ? SIGN_BIT : 0;
    } else {
        low += c_low;
        high += c_high + (low < c_low ? 1 : 0);
    }
    if ((high | low) == 0)
        return (T)0;
    // The highest bit to the first place, all below the word to its last bit.
    int zeros = high != 0 ? (int)clz(high) : WORD + (int)clz(low);
    U m = zeros >= WORD ? low << (zeros - WORD) : zeros == 0 ? high : high << zeros | low >> (WORD - zeros);
    m |= zeros < WORD && low << zeros != 0 ? 1 : 0;
    e += 1 - zeros;
    if (e > 2 * BIAS)
        return AS_T(sign | INF_BITS);
    if (e < 1) {
        m = e < 2 - WORD ? 1 : m >> (1 - e) | (m << (WORD - 1 + e) != 0 ? 1 : 0);
        e = 1;
    }
    // To nearest even; a carry goes to the exponent, where it belongs.
    U kept = m >> EXPONENT_BITS, rest = m & (((U)1 << EXPONENT_BITS) - 1);
    U tie = (U)1 << (EXPONENT_BITS - 1);
    kept += rest > tie || (rest == tie && (kept & 1) != 0) ? 1 : 0;
    return AS_T(sign | (((U)(e - 1) << MANTISSA_BITS) + kept));
}

#undef WORD
#undef ONE
#undef SIGN_BIT
#undef INF_BITS
#undef BIAS
