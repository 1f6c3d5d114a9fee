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

// All cases are computed and one is chosen: drivers that compute a work-item a lane compute them anyway, and take long for
// what branches.
T F(fma)(T a, T b, T c) {
    U as = AS_U(a) & ~SIGN_BIT, bs = AS_U(b) & ~SIGN_BIT, cs = AS_U(c) & ~SIGN_BIT;
    bool plain = as >= INF_BITS || bs >= INF_BITS || as == 0 || bs == 0;
    U sign = (AS_U(a) ^ AS_U(b)) & SIGN_BIT;
    bool subtract = (AS_U(c) & SIGN_BIT) != sign;
    // The product with its highest bit at the second or third place of two words.
    U x = F(significand)(as) << EXPONENT_BITS, y = F(significand)(bs) << EXPONENT_BITS;
    U high = mul_hi(x, y), low = x * y;
    low = low >> 1 | high << (WORD - 1);
    high >>= 1;
    // c with its highest bit at the second place; 2^e times both is the value, from ONE's bias.
    U c_high = cs == 0 ? 0 : F(significand)(cs) << (EXPONENT_BITS - 1);
    int e = F(exponent)(as) + F(exponent)(bs) - BIAS + 1;
    int shift = cs == 0 ? 0 : e - F(exponent)(cs);
    int of_c = shift > 0 ? shift : 0, of_product = shift < 0 ? -shift : 0;
    U c_low = of_c > 0 ? F(shift_low)(c_high, 0, of_c) : 0;
    c_high = of_c < WORD ? c_high >> of_c : 0;
    low = of_product > 0 ? F(shift_low)(high, low, of_product) : low;
    high = of_product < WORD ? high >> of_product : 0;
    e += of_product;
    // The difference, of the larger and the smaller, or the sum.
    bool swap = high < c_high || (high == c_high && low < c_low);
    U large_low = swap ? c_low : low, small_low = swap ? low : c_low;
    U large_high = swap ? c_high : high, small_high = swap ? high : c_high;
    U minus_high = large_high - small_high - (large_low < small_low ? 1 : 0);
    U plus_low = low + c_low;
    U plus_high = high + c_high + (plus_low < c_low ? 1 : 0);
    low = subtract ? large_low - small_low : plus_low;
    high = subtract ? minus_high : plus_high;
    sign ^= subtract && swap ? SIGN_BIT : 0;
    // The highest bit to the first place, all below the word to its last bit.
    int zeros = high != 0 ? (int)clz(high) : WORD + (int)clz(low);
    U m = zeros >= WORD ? low << ((zeros - WORD) & (WORD - 1)) : zeros == 0 ? high : high << zeros | low >> (WORD - zeros);
    m |= zeros < WORD && low << (zeros & (WORD - 1)) != 0 ? 1 : 0;
    e += 1 - zeros;
    bool overflows = e > 2 * BIAS;
    int below = e < 1 ? 1 - e : 0;
    m = below >= WORD ? 1 : below > 0 ? m >> below | (m << (WORD - below) != 0 ? 1 : 0) : m;
    e = e < 1 ? 1 : e;
    // To nearest even; a carry goes to the exponent, where it belongs.
    U kept = m >> EXPONENT_BITS, rest = m & (((U)1 << EXPONENT_BITS) - 1);
    U tie = (U)1 << (EXPONENT_BITS - 1);
    kept += rest > tie || (rest == tie && (kept & 1) != 0) ? 1 : 0;
    U bits = sign | (overflows ? INF_BITS : ((U)(e - 1) << MANTISSA_BITS) + kept);
    bits = (high | low) == 0 ? 0 : bits;
    // The product, if computed, might overflow where c is infinite.
    return plain ? a * b + c : cs >= INF_BITS ? c : AS_T(bits);
}

#undef WORD
#undef ONE
#undef SIGN_BIT
#undef INF_BITS
#undef BIAS
