// fma by operations on numbers of the same type, exact but for one rounding at the end (Boldo and Melquiond, "Emulation of a FMA and
// correctly rounded sums: proved algorithms using rounding to odd", 2008). The three numbers are scaled first, so that nothing
// overflows or underflows on the way.
//
// For type T, its pair T2, the integers U and I of its width, names F(name), conversions of bits AS_T and AS_U, and the numbers
// of bits of the format.
#include "significand.h"
#include "error_free_sums.h"

#define WORD (MANTISSA_BITS + EXPONENT_BITS + 1)
// A number 2^FAR above a product of significands is its sum with that, rounded; one 2^FAR below tells only the side of a tie.
#define FAR (3 * MANTISSA_BITS + 11)
// Halves of a significand. Products of halves are exact.
#define LOW_BITS (MANTISSA_BITS / 2 + 1)

// A number other than 0 is the result and 2^exponent; of a subnormal one it is the mantissa. Integers take it apart: arithmetic might
// flush it.
static T F(part)(U size, I *exponent) {
    bool subnormal = size < ONE;
    *exponent = subnormal ? 1 - BIAS - MANTISSA_BITS : (I)(size >> MANTISSA_BITS) - BIAS;
    U one = (U)(subnormal ? BIAS + MANTISSA_BITS : BIAS) << MANTISSA_BITS;
    return AS_T((size & (ONE - 1)) | one) - (subnormal ? (T)ONE : (T)0);
}

// The nearest number with half the digits. What it leaves has no more, unlike what a mask leaves of doubles (HIGH_HALF of pairs.h).
static T F(high_half)(T x) {
    return AS_T((AS_U(x) + ((U)1 << (LOW_BITS - 1))) & ~(((U)1 << LOW_BITS) - 1));
}

// One added to the size of s or taken from it, whose bits are given, as what it leaves has its sign or not.
static U F(toward)(U bits, T2 s) {
    return (s.y > 0) == (s.x > 0) ? bits + 1 : bits - 1;
}

// All cases are computed and one is chosen: drivers that compute a work-item a lane compute them anyway, and take long for
// what branches.
T F(fma)(T a, T b, T c) {
    U as = AS_U(a) & ~SIGN_BIT, bs = AS_U(b) & ~SIGN_BIT, cs = AS_U(c) & ~SIGN_BIT;
    bool plain = (as >= INF_BITS) | (bs >= INF_BITS) | (as == 0) | (bs == 0);
    U sign = (AS_U(a) ^ AS_U(b)) & SIGN_BIT;
    I of_a, of_b, of_c;
    T x = F(part)(as, &of_a), y = F(part)(bs, &of_b);
    // The product is positive. c has its sign beside it, and its scale unless it is far.
    T z = AS_T(AS_U(F(part)(cs, &of_c)) | ((AS_U(c) & SIGN_BIT) ^ sign));
    I exponent = of_a + of_b, above = of_c - exponent;
    exponent += above > FAR ? above - FAR : 0;
    above = above > FAR ? FAR : above < -FAR ? -FAR : above;
    z *= AS_T((U)(above + BIAS) << MANTISSA_BITS);
    // The product is p + q.
    T p = x * y, xh = F(high_half)(x), xl = x - xh, yh = F(high_half)(y), yl = y - yh;
    T q = (((xh * yh - p) + xh * yl) + xl * yh) + xl * yl;
    T2 low = F(two_sum)(z, q), high = F(two_sum)(p, low.x), rest = F(two_sum)(low.y, high.y);
    // To odd, so that the last rounding sees on which side of a tie it is.
    U odd = AS_U(rest.x), neighbour = F(toward)(odd, rest);
    odd = (rest.y != 0) & ((odd & 1) == 0) ? neighbour : odd;
    T2 sum = F(two_sum)(high.x, AS_T(odd));
    U size = AS_U(sum.x) & ~SIGN_BIT;
    I biased = (I)(size >> MANTISSA_BITS) + exponent;
    // A subnormal number is rounded from the sum and what that leaves; a carry goes to the exponent, where it belongs.
    U m = ((size & (ONE - 1)) | ONE) << 2, sticky = F(toward)(m, sum);
    m = sum.y == 0 ? m : sticky;
    I below = biased >= 1 ? 0 : biased < -MANTISSA_BITS - 3 ? MANTISSA_BITS + 4 : 1 - biased;
    U kept = m >> (below + 2), dropped = m << (WORD - 2 - below);
    kept += (dropped > SIGN_BIT) | ((dropped == SIGN_BIT) & ((kept & 1) != 0)) ? 1 : 0;
    U normal = size + ((U)exponent << MANTISSA_BITS);
    U bits = biased > 2 * BIAS ? INF_BITS : biased >= 1 ? normal : kept;
    bits = size == 0 ? 0 : bits | ((AS_U(sum.x) & SIGN_BIT) ^ sign);
    // The product, if computed, might overflow where c is infinite.
    T direct = a * b + c, exact = AS_T(bits);
    return plain ? direct : cs >= INF_BITS ? c : exact;
}

#undef LOW_BITS
#undef FAR
#undef WORD
#undef ONE
#undef SIGN_BIT
#undef INF_BITS
#undef BIAS
