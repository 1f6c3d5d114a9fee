// For the unsigned integer U of a format's width, names F(name), and the format's numbers of bits: the parts of |x|'s
// bits. Arithmetic might flush what is subnormal.
#define ONE ((U)1 << MANTISSA_BITS)
#define SIGN_BIT (ONE << EXPONENT_BITS)
#define INF_BITS (SIGN_BIT - ONE)
#define BIAS ((1 << (EXPONENT_BITS - 1)) - 1)

// The significand of a number other than 0, with its highest bit at ONE.
U F(significand)(U size) {
    return size < ONE ? size << ((int)clz(size) - EXPONENT_BITS) : (size & (ONE - 1)) | ONE;
}

// The exponent that goes with it; 1 is that of the smallest normal number.
int F(exponent)(U size) {
    return size < ONE ? 1 - ((int)clz(size) - EXPONENT_BITS) : (int)(size >> MANTISSA_BITS);
}
