// What the programs of reals.py call, for a host: they are compiled with clang behind this text. Functions are exact in double,
// or rounded by `rounded`; operators and casts are clang's. A function of vectors is that of their lanes.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
#undef NAN
#define NAN __builtin_nanf("")
#define FN static __attribute__((overloadable, unused))
#define C(type, name, params) type c_##name params __asm__(#name)
#define LANES(F, ...) F(2, __VA_ARGS__) F(3, __VA_ARGS__) F(4, __VA_ARGS__) F(8, __VA_ARGS__) F(16, __VA_ARGS__)
#define EACH(n) for (int i = 0; i < n; i++)

C(double, floor, (double)); C(double, ceil, (double)); C(double, trunc, (double)); C(double, rint, (double));
C(double, round, (double)); C(double, fabs, (double)); C(double, sqrt, (double)); C(double, logb, (double));
C(double, fmod, (double, double)); C(double, remainder, (double, double)); C(double, copysign, (double, double));
C(double, fma, (double, double, double)); C(float, fmaf, (float, float, float)); C(int, fesetround, (int));
C(double, ldexp, (double, int)); C(double, frexp, (double, int *));

// The type whose values are special, and integers as wide.
#if BITS == 16
#define REAL half
#define LANE short
#define DIGITS 11
#define LEAST 0x1p-14
#elif BITS == 32
#define REAL float
#define LANE int
#define DIGITS 24
#define LEAST 0x1p-126
#else
#define REAL double
#define LANE long
#define DIGITS 53
#define LEAST 0x1p-1022
#endif
#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)
#define VECTOR_TYPES(n, ...) typedef JOIN(REAL, n) real##n; typedef JOIN(LANE, n) lane##n; typedef JOIN(JOIN(u, LANE), n) ulane##n;
VECTOR_TYPES() LANES(VECTOR_TYPES, )
#define bits_of(x) __builtin_astype(x, lane)
#define real_of(x) __builtin_astype((lane)(x), real)
#define rounded JOIN(REAL, _rounded)

static global ulong item;
FN size_t get_global_id(uint d) { return item; }
FN size_t get_local_id(uint d) { return item % GROUP; }

FN double whole(double x, int mode) {
    return mode == 'e' ? c_rint(x) : mode == 'z' ? c_trunc(x) : mode == 'p' ? c_ceil(x) : c_floor(x);
}

// The numbers for one. In double every number is exact or beyond all halves.
FN half half_rounded(double x, int mode) {
    double size = c_fabs(x);
    if (!(size > 0) || size == __builtin_inf()) return (half)x;
    double last = size < 0x1p-14 ? 0x1p-24 : c_ldexp(1, (int)c_logb(size) - 10);
    double result = size < 0x1p16 ? whole(x / last, mode) * last : x;
    if (c_fabs(result) < 0x1p16) return (half)c_copysign(result, x);
    bool stays = mode == 'z' || (mode == 'p' && x < 0) || (mode == 'n' && x > 0);
    return (half)c_copysign(stays ? 65504.0 : __builtin_inf(), x);
}

// The processor rounds casts to others, between volatile variables.
#define ROUNDED(R, T) \
    FN R R##_rounded(T x, int mode) { \
        volatile T from = x; \
        c_fesetround(mode == 'e' ? 0 : mode == 'n' ? 0x400 : mode == 'p' ? 0x800 : 0xc00); \
        volatile R to = (R)from; \
        c_fesetround(0); \
        return x == 0 ? (R)x : to; \
    }
#define ALL_ROUNDED(R) ROUNDED(R, char) ROUNDED(R, uchar) ROUNDED(R, short) ROUNDED(R, ushort) ROUNDED(R, int) ROUNDED(R, uint) \
    ROUNDED(R, long) ROUNDED(R, ulong) ROUNDED(R, half) ROUNDED(R, float) ROUNDED(R, double)
ALL_ROUNDED(float) ALL_ROUNDED(double)

#define LIFT1(n, name, R, T) FN R##n name(T##n x) { R##n r; EACH(n) r[i] = name(x[i]); return r; }
#define LIFT2(n, name, R, T, U) FN R##n name(T##n x, U##n y) { R##n r; EACH(n) r[i] = name(x[i], y[i]); return r; }
#define LIFT3(n, name, R, T, U, V) FN R##n name(T##n x, U##n y, V##n z) { R##n r; EACH(n) r[i] = name(x[i], y[i], z[i]); return r; }
#define SCALAR2(n, name, T, U) FN T##n name(T##n x, U y) { return name(x, (U##n)(y)); }
#define TEST1(name, value) FN int name(real x) { return value; } LANES(TEST1_LANES, name)
#define TEST1_LANES(n, name) FN lane##n name(real##n x) { lane##n r; EACH(n) r[i] = -name(x[i]); return r; }
#define TEST2(name, value) FN int name(real x, real y) { return value; } LANES(TEST2_LANES, name)
#define TEST2_LANES(n, name) FN lane##n name(real##n x, real##n y) { lane##n r; EACH(n) r[i] = -name(x[i], y[i]); return r; }
#define F1(name, value) FN real name(real x) { return value; } LANES(LIFT1, name, real, real)
#define F2(name, value) FN real name(real x, real y) { return value; } LANES(LIFT2, name, real, real, real)

TEST1(isnan, x != x)
TEST1(isinf, c_fabs(x) == __builtin_inf())
TEST1(isfinite, x - x == 0)
TEST1(isnormal, isfinite(x) && c_fabs(x) >= LEAST)
TEST1(signbit, bits_of(x) < 0)
TEST2(isequal, x == y)
TEST2(isnotequal, x != y)
TEST2(isgreater, x > y)
TEST2(isgreaterequal, x >= y)
TEST2(isless, x < y)
TEST2(islessequal, x <= y)
TEST2(islessgreater, x < y || x > y)
TEST2(isordered, x == x && y == y)
TEST2(isunordered, x != x || y != y)

F1(fabs, c_fabs(x))
#if BITS != 32
FN float fabs(float x) { return c_fabs(x); }
#endif
#if BITS != 64
FN double fabs(double x) { return c_fabs(x); }
#endif
F1(floor, c_floor(x))
F1(ceil, c_ceil(x))
F1(trunc, c_trunc(x))
F1(rint, c_rint(x))
F1(round, c_round(x))
F1(sqrt, rounded(c_sqrt(x), 'e'))
F1(logb, c_logb(x))
F1(sign, x > 0 ? (real)1 : x < 0 ? -(real)1 : x == 0 ? x : (real)0)
F2(copysign, c_copysign(x, y))
F2(fmod, c_fmod(x, y))
// Of large quotients by subnormal numbers glibc's zero has any sign.
F2(remainder, (c_remainder(x, y) == 0 ? c_copysign(0.0, x) : c_remainder(x, y)))
F2(fmin, isnan(x) ? y : isnan(y) ? x : y < x ? y : x)
F2(fmax, isnan(x) ? y : isnan(y) ? x : x < y ? y : x)
F2(min, y < x ? y : x)
F2(max, x < y ? y : x)
F2(fdim, isunordered(x, y) ? x + y : x > y ? x - y : (real)0)
F2(step, y < x ? (real)0 : (real)1)
F2(maxmag, fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y))
F2(minmag, fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y))
LANES(SCALAR2, fmin, real, real)
LANES(SCALAR2, fmax, real, real)
LANES(SCALAR2, min, real, real)
LANES(SCALAR2, max, real, real)

FN real nextafter(real x, real y) {
    if (isunordered(x, y)) return x + y;
    if (x == y) return y;
    if (x == 0) return copysign(real_of(1), y);
    return real_of(bits_of(x) + ((x < y) == (x > 0) ? 1 : -1));
}
LANES(LIFT2, nextafter, real, real, real)

#if BITS == 16
// The product is exact in double. A sum that is not becomes odd, so that it is rounded once.
FN half fma(half a, half b, half c) {
    double product = (double)a * b, sum = product + c, added = sum - product;
    double lost = (product - (sum - added)) + (c - added);
    long digits = __builtin_astype(sum, long);
    if (isfinite(a) && isfinite(b) && isfinite(c) && lost != 0 && !(digits & 1)) digits += (lost > 0) == (sum > 0) ? 1 : -1;
    return rounded(__builtin_astype(digits, double), 'e');
}
#elif BITS == 32
FN float fma(float a, float b, float c) { return c_fmaf(a, b, c); }
#else
FN double fma(double a, double b, double c) { return c_fma(a, b, c); }
#endif
LANES(LIFT3, fma, real, real, real, real)

FN real clamp(real x, real low, real high) { return min(max(x, low), high); }
LANES(LIFT3, clamp, real, real, real, real)
FN real bitselect(real x, real y, real z) { return real_of((bits_of(x) & ~bits_of(z)) | (bits_of(y) & bits_of(z))); }
LANES(LIFT3, bitselect, real, real, real, real)

FN real ldexp(real x, int k) { return rounded(c_ldexp(x, k), 'e'); }
LANES(LIFT2, ldexp, real, real, int)
LANES(SCALAR2, ldexp, real, int)
FN int ilogb(real x) { return (int)c_logb(x); }
LANES(LIFT1, ilogb, int, real)
FN real frexp(real x, int *e) { return c_frexp(x, e); }
FN real modf(real x, real *whole) {
    *whole = trunc(x);
    return copysign(isinf(x) ? (real)0 : x - *whole, x);
}
FN real fract(real x, real *whole) {
    *whole = floor(x);
    return fmin(x - *whole, (real)(1 - JOIN(0x1p-, DIGITS)));
}
#define PARTS(n) \
    FN real##n frexp(real##n x, int##n *e) { real##n r; EACH(n) { int one; r[i] = frexp(x[i], &one); (*e)[i] = one; } return r; } \
    FN real##n modf(real##n x, real##n *w) { real##n r; EACH(n) { real one; r[i] = modf(x[i], &one); (*w)[i] = one; } return r; } \
    FN real##n fract(real##n x, real##n *w) { real##n r; EACH(n) { real one; r[i] = fract(x[i], &one); (*w)[i] = one; } return r; }
PARTS(2) PARTS(3) PARTS(4) PARTS(8) PARTS(16)

#define SELECTS(C) \
    FN real select(real x, real y, C c) { return c ? y : x; } \
    LANES(SELECT_LANES, C)
#define SELECT_LANES(n, C) FN real##n select(real##n x, real##n y, C##n c) { real##n r; EACH(n) r[i] = (lane)c[i] < 0 ? y[i] : x[i]; return r; }
SELECTS(lane) SELECTS(ulane)
#define ANY_ALL(n, ...) \
    FN int any(lane##n x) { int r = 0; EACH(n) r |= x[i] < 0; return r; } \
    FN int all(lane##n x) { int r = 1; EACH(n) r &= x[i] < 0; return r; }
LANES(ANY_ALL, )

#define SHUFFLE(n, m) \
    FN real##n shuffle(real##m x, ulane##n at) { real##n r; EACH(n) r[i] = x[at[i] % m]; return r; } \
    FN real##n shuffle2(real##m x, real##m y, ulane##n at) { real##n r; EACH(n) { uint k = at[i] % (2 * m); r[i] = k < m ? x[k] : y[k - m]; } return r; }
#define SHUFFLES(n) SHUFFLE(n, 2) SHUFFLE(n, 4) SHUFFLE(n, 8) SHUFFLE(n, 16)
SHUFFLES(2) SHUFFLES(4) SHUFFLES(8) SHUFFLES(16)

// Conversions.
#define MODES(F, ...) F(, 'e', 'z', __VA_ARGS__) F(_rte, 'e', 'e', __VA_ARGS__) F(_rtz, 'z', 'z', __VA_ARGS__) F(_rtp, 'p', 'p', __VA_ARGS__) F(_rtn, 'n', 'n', __VA_ARGS__)
#define CONVERT_LANES(n, R, T, suffix) FN R##n convert_##R##n##suffix(T##n x) { R##n r; EACH(n) r[i] = convert_##R##suffix(x[i]); return r; }
#define NUMBER_OF(suffix, mode, _, R, T) FN R convert_##R##suffix(T x) { return R##_rounded(x, mode); } LANES(CONVERT_LANES, R, T, suffix)
#define INTEGER_OF(suffix, _, mode, R, low, high) \
    FN R convert_##R##suffix(real x) { return (R)whole(x, mode); } \
    FN R convert_##R##_sat##suffix(real x) { return isnan(x) ? 0 : x <= (double)low ? low : x >= (double)high ? high : (R)whole(x, mode); } \
    LANES(CONVERT_LANES, R, real, suffix) LANES(CONVERT_LANES, R, real, _sat##suffix)
MODES(NUMBER_OF, REAL, char) MODES(NUMBER_OF, REAL, uchar) MODES(NUMBER_OF, REAL, short) MODES(NUMBER_OF, REAL, ushort)
MODES(NUMBER_OF, REAL, int) MODES(NUMBER_OF, REAL, uint) MODES(NUMBER_OF, REAL, long) MODES(NUMBER_OF, REAL, ulong)
MODES(NUMBER_OF, REAL, REAL)
#if BITS != 32
MODES(NUMBER_OF, REAL, float) MODES(NUMBER_OF, float, REAL)
#endif
#if BITS != 64 && !defined(NO_DOUBLES)
MODES(NUMBER_OF, REAL, double) MODES(NUMBER_OF, double, REAL)
#endif
MODES(INTEGER_OF, char, CHAR_MIN, CHAR_MAX) MODES(INTEGER_OF, uchar, 0, UCHAR_MAX) MODES(INTEGER_OF, short, SHRT_MIN, SHRT_MAX)
MODES(INTEGER_OF, ushort, 0, USHRT_MAX) MODES(INTEGER_OF, int, INT_MIN, INT_MAX) MODES(INTEGER_OF, uint, 0, UINT_MAX)
MODES(INTEGER_OF, long, LONG_MIN, LONG_MAX) MODES(INTEGER_OF, ulong, 0, ULONG_MAX)

// Loads and stores.
#define PITCH(n) (n == 3 ? 4 : n)
#define LOADS(n, S) \
    FN real##n vload##n(size_t at, S const real *p) { real##n r; EACH(n) r[i] = p[at * n + i]; return r; } \
    FN float##n vload_half##n(size_t at, S const half *p) { float##n r; EACH(n) r[i] = p[at * n + i]; return r; } \
    FN float##n vloada_half##n(size_t at, S const half *p) { float##n r; EACH(n) r[i] = p[at * PITCH(n) + i]; return r; }
FN float vload_half(size_t at, const half *p) { return p[at]; }
FN float vload_half(size_t at, constant half *p) { return p[at]; }
LANES(LOADS, ) LANES(LOADS, constant)
#define STORES(n, ...) FN void vstore##n(real##n x, size_t at, real *p) { EACH(n) p[at * n + i] = x[i]; }
LANES(STORES, )
#define HALF_STORES(suffix, mode, _, T) \
    FN void vstore_half##suffix(T x, size_t at, half *p) { p[at] = half_rounded(x, mode); } \
    LANES(HALF_STORE_LANES, suffix, mode, T)
#define HALF_STORE_LANES(n, suffix, mode, T) \
    FN void vstore_half##n##suffix(T##n x, size_t at, half *p) { EACH(n) p[at * n + i] = half_rounded(x[i], mode); } \
    FN void vstorea_half##n##suffix(T##n x, size_t at, half *p) { EACH(n) p[at * PITCH(n) + i] = half_rounded(x[i], mode); }
MODES(HALF_STORES, float)
#ifndef NO_DOUBLES
MODES(HALF_STORES, double)
#endif
