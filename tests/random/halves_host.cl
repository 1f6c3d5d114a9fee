// What the programs of halves.py call, for a host: they are compiled with clang behind this text. Functions are exact in double,
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
C(double, ldexp, (double, int)); C(double, frexp, (double, int *));

static global ulong item;
FN size_t get_global_id(uint d) { return item; }
FN size_t get_local_id(uint d) { return item % GROUP; }

FN double whole(double x, int mode) {
    return mode == 'e' ? c_rint(x) : mode == 'z' ? c_trunc(x) : mode == 'p' ? c_ceil(x) : c_floor(x);
}

// The half for a number.
FN half rounded(double x, int mode) {
    double size = c_fabs(x);
    if (!(size > 0) || size == __builtin_inf()) return (half)x;
    double last = size < 0x1p-14 ? 0x1p-24 : c_ldexp(1, (int)c_logb(size) - 10);
    double result = size < 0x1p16 ? whole(x / last, mode) * last : x;
    if (c_fabs(result) < 0x1p16) return (half)c_copysign(result, x);
    bool stays = mode == 'z' || (mode == 'p' && x < 0) || (mode == 'n' && x > 0);
    return (half)c_copysign(stays ? 65504.0 : __builtin_inf(), x);
}

#define LIFT1(n, name, R, T) FN R##n name(T##n x) { R##n r; EACH(n) r[i] = name(x[i]); return r; }
#define LIFT2(n, name, R, T, U) FN R##n name(T##n x, U##n y) { R##n r; EACH(n) r[i] = name(x[i], y[i]); return r; }
#define LIFT3(n, name, R, T, U, V) FN R##n name(T##n x, U##n y, V##n z) { R##n r; EACH(n) r[i] = name(x[i], y[i], z[i]); return r; }
#define SCALAR2(n, name, T, U) FN T##n name(T##n x, U y) { return name(x, (U##n)(y)); }
#define TEST1(name, value) FN int name(half x) { return value; } LANES(TEST1_LANES, name)
#define TEST1_LANES(n, name) FN short##n name(half##n x) { short##n r; EACH(n) r[i] = -name(x[i]); return r; }
#define TEST2(name, value) FN int name(half x, half y) { return value; } LANES(TEST2_LANES, name)
#define TEST2_LANES(n, name) FN short##n name(half##n x, half##n y) { short##n r; EACH(n) r[i] = -name(x[i], y[i]); return r; }
#define F1(name, value) FN half name(half x) { return value; } LANES(LIFT1, name, half, half)
#define F2(name, value) FN half name(half x, half y) { return value; } LANES(LIFT2, name, half, half, half)

TEST1(isnan, x != x)
TEST1(isinf, c_fabs(x) == __builtin_inf())
TEST1(isfinite, x - x == 0)
TEST1(isnormal, isfinite(x) && c_fabs(x) >= 0x1p-14)
TEST1(signbit, as_short(x) < 0)
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
FN float fabs(float x) { return c_fabs(x); }
FN double fabs(double x) { return c_fabs(x); }
F1(floor, c_floor(x))
F1(ceil, c_ceil(x))
F1(trunc, c_trunc(x))
F1(rint, c_rint(x))
F1(round, c_round(x))
F1(sqrt, rounded(c_sqrt(x), 'e'))
F1(logb, c_logb(x))
F1(sign, x > 0 ? 1.0h : x < 0 ? -1.0h : x == 0 ? x : 0.0h)
F2(copysign, c_copysign(x, y))
F2(fmod, c_fmod(x, y))
F2(remainder, c_remainder(x, y))
F2(fmin, isnan(x) ? y : isnan(y) ? x : y < x ? y : x)
F2(fmax, isnan(x) ? y : isnan(y) ? x : x < y ? y : x)
F2(min, y < x ? y : x)
F2(max, x < y ? y : x)
F2(fdim, isunordered(x, y) ? x + y : x > y ? x - y : 0.0h)
F2(step, y < x ? 0.0h : 1.0h)
F2(maxmag, fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y))
F2(minmag, fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y))
LANES(SCALAR2, fmin, half, half)
LANES(SCALAR2, fmax, half, half)
LANES(SCALAR2, min, half, half)
LANES(SCALAR2, max, half, half)

FN half nextafter(half x, half y) {
    if (isunordered(x, y)) return x + y;
    if (x == y) return y;
    if (x == 0) return copysign(0x1p-24h, y);
    return as_half((short)(as_short(x) + ((x < y) == (x > 0) ? 1 : -1)));
}
LANES(LIFT2, nextafter, half, half, half)

// The product is exact in double. A sum that is not becomes odd, so that it is rounded once.
FN half fma(half a, half b, half c) {
    double product = (double)a * b, sum = product + c, added = sum - product;
    double lost = (product - (sum - added)) + (c - added);
    long digits = __builtin_astype(sum, long);
    if (isfinite(a) && isfinite(b) && isfinite(c) && lost != 0 && !(digits & 1)) digits += (lost > 0) == (sum > 0) ? 1 : -1;
    return rounded(__builtin_astype(digits, double), 'e');
}
LANES(LIFT3, fma, half, half, half, half)

FN half clamp(half x, half low, half high) { return min(max(x, low), high); }
LANES(LIFT3, clamp, half, half, half, half)
FN half bitselect(half x, half y, half z) { return as_half((short)((as_short(x) & ~as_short(z)) | (as_short(y) & as_short(z)))); }
LANES(LIFT3, bitselect, half, half, half, half)

FN half ldexp(half x, int k) { return rounded(c_ldexp(x, k), 'e'); }
LANES(LIFT2, ldexp, half, half, int)
LANES(SCALAR2, ldexp, half, int)
FN int ilogb(half x) { return (int)c_logb(x); }
LANES(LIFT1, ilogb, int, half)
FN half frexp(half x, int *e) { return c_frexp(x, e); }
FN half modf(half x, half *whole) {
    *whole = trunc(x);
    return copysign(isinf(x) ? 0.0h : x - *whole, x);
}
FN half fract(half x, half *whole) {
    *whole = floor(x);
    return fmin(x - *whole, 0x1.ffcp-1h);
}
#define PARTS(n) \
    FN half##n frexp(half##n x, int##n *e) { half##n r; EACH(n) { int one; r[i] = frexp(x[i], &one); (*e)[i] = one; } return r; } \
    FN half##n modf(half##n x, half##n *w) { half##n r; EACH(n) { half one; r[i] = modf(x[i], &one); (*w)[i] = one; } return r; } \
    FN half##n fract(half##n x, half##n *w) { half##n r; EACH(n) { half one; r[i] = fract(x[i], &one); (*w)[i] = one; } return r; }
PARTS(2) PARTS(3) PARTS(4) PARTS(8) PARTS(16)

#define SELECTS(C) \
    FN half select(half x, half y, C c) { return c ? y : x; } \
    LANES(SELECT_LANES, C)
#define SELECT_LANES(n, C) FN half##n select(half##n x, half##n y, C##n c) { half##n r; EACH(n) r[i] = (short)c[i] < 0 ? y[i] : x[i]; return r; }
SELECTS(short) SELECTS(ushort)
#define ANY_ALL(n, ...) \
    FN int any(short##n x) { int r = 0; EACH(n) r |= x[i] < 0; return r; } \
    FN int all(short##n x) { int r = 1; EACH(n) r &= x[i] < 0; return r; }
LANES(ANY_ALL, )

#define SHUFFLE(n, m) \
    FN half##n shuffle(half##m x, ushort##n at) { half##n r; EACH(n) r[i] = x[at[i] % m]; return r; } \
    FN half##n shuffle2(half##m x, half##m y, ushort##n at) { half##n r; EACH(n) { uint k = at[i] % (2 * m); r[i] = k < m ? x[k] : y[k - m]; } return r; }
#define SHUFFLES(n) SHUFFLE(n, 2) SHUFFLE(n, 4) SHUFFLE(n, 8) SHUFFLE(n, 16)
SHUFFLES(2) SHUFFLES(4) SHUFFLES(8) SHUFFLES(16)

// Conversions. In double every number is exact or beyond all halves.
#define MODES(F, ...) F(, 'e', 'z', __VA_ARGS__) F(_rte, 'e', 'e', __VA_ARGS__) F(_rtz, 'z', 'z', __VA_ARGS__) F(_rtp, 'p', 'p', __VA_ARGS__) F(_rtn, 'n', 'n', __VA_ARGS__)
#define CONVERT_LANES(n, R, T, suffix) FN R##n convert_##R##n##suffix(T##n x) { R##n r; EACH(n) r[i] = convert_##R##suffix(x[i]); return r; }
#define HALF_OF(suffix, mode, _, T) FN half convert_half##suffix(T x) { return rounded((double)x, mode); } LANES(CONVERT_LANES, half, T, suffix)
#define FLOAT_OF(suffix, _, __, R, T) FN R convert_##R##suffix(T x) { return x; } LANES(CONVERT_LANES, R, T, suffix)
#define INTEGER_OF(suffix, _, mode, R, low, high) \
    FN R convert_##R##suffix(half x) { return (R)whole(x, mode); } \
    FN R convert_##R##_sat##suffix(half x) { return isnan(x) ? 0 : x <= (double)low ? low : x >= (double)high ? high : (R)whole(x, mode); } \
    LANES(CONVERT_LANES, R, half, suffix) LANES(CONVERT_LANES, R, half, _sat##suffix)
MODES(HALF_OF, char) MODES(HALF_OF, uchar) MODES(HALF_OF, short) MODES(HALF_OF, ushort) MODES(HALF_OF, int) MODES(HALF_OF, uint)
MODES(HALF_OF, long) MODES(HALF_OF, ulong) MODES(HALF_OF, float) MODES(HALF_OF, half)
MODES(FLOAT_OF, float, half)
#ifndef NO_DOUBLES
MODES(HALF_OF, double) MODES(FLOAT_OF, double, half)
#endif
MODES(INTEGER_OF, char, CHAR_MIN, CHAR_MAX) MODES(INTEGER_OF, uchar, 0, UCHAR_MAX) MODES(INTEGER_OF, short, SHRT_MIN, SHRT_MAX)
MODES(INTEGER_OF, ushort, 0, USHRT_MAX) MODES(INTEGER_OF, int, INT_MIN, INT_MAX) MODES(INTEGER_OF, uint, 0, UINT_MAX)
MODES(INTEGER_OF, long, LONG_MIN, LONG_MAX) MODES(INTEGER_OF, ulong, 0, ULONG_MAX)

// Loads and stores.
#define PITCH(n) (n == 3 ? 4 : n)
#define LOADS(n, S) \
    FN half##n vload##n(size_t at, S const half *p) { half##n r; EACH(n) r[i] = p[at * n + i]; return r; } \
    FN float##n vload_half##n(size_t at, S const half *p) { float##n r; EACH(n) r[i] = p[at * n + i]; return r; } \
    FN float##n vloada_half##n(size_t at, S const half *p) { float##n r; EACH(n) r[i] = p[at * PITCH(n) + i]; return r; }
FN float vload_half(size_t at, const half *p) { return p[at]; }
FN float vload_half(size_t at, constant half *p) { return p[at]; }
LANES(LOADS, ) LANES(LOADS, constant)
#define STORES(n, ...) FN void vstore##n(half##n x, size_t at, half *p) { EACH(n) p[at * n + i] = x[i]; }
LANES(STORES, )
#define HALF_STORES(suffix, mode, _, T) \
    FN void vstore_half##suffix(T x, size_t at, half *p) { p[at] = rounded(x, mode); } \
    LANES(HALF_STORE_LANES, suffix, mode, T)
#define HALF_STORE_LANES(n, suffix, mode, T) \
    FN void vstore_half##n##suffix(T##n x, size_t at, half *p) { EACH(n) p[at * n + i] = rounded(x[i], mode); } \
    FN void vstorea_half##n##suffix(T##n x, size_t at, half *p) { EACH(n) p[at * PITCH(n) + i] = rounded(x[i], mode); }
MODES(HALF_STORES, float)
#ifndef NO_DOUBLES
MODES(HALF_STORES, double)
#endif
