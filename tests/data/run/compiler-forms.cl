// run: kernel=vectors global=1 local=1 arg=zeros:i32:32
// expect: 0 i32:1,6,3,8,4,4,8,1,-2,3,10,24,-128,255,4,15,2,4,3,4,127,-128,7,2,1,1,0,1,0,1,1,0
// run: kernel=mathematics global=1 local=1 arg=zeros:f32:12
// expect: 0 f32:2.0,3.0,10.0,2.0,-3.0,2.0,3.0,-4.0,1.0,8.0,inf,1.5
// run: kernel=types global=1 local=1 arg=zeros:i32:16
// expect: 0 i32:1,2,3,4,1,8,4,16,1,0,7,9,1,0,3,40
// run: kernel=memory global=2 local=2 arg=buffer:i32:1,2,3,4,5,6,7,8 arg=buffer:i32:9,4 arg=zeros:i32:22
// expect: 2 i32:2,3,4,5,16843009,2,3,16843009,16843009,33686018,5,1,2,3,4,5,1,1,2,16843009,33686018,33686018
// run: kernel=flexible global=3 local=1 arg=buffer:i32:4,10,20,30,40 arg=zeros:i32:4
// expect: 1 i32:10,20,30,4
// run: kernel=macros global=1 local=1 arg=zeros:i64:16
// expect: 0 i64:127,32767,2147483647,9223372036854775807,-1,8,4,24,11,12,110,1,0,1,0,5
// options: -cl-std=CL3.0

// What clang's documentation and C's say.
kernel void vectors(global int *out) {
    int4 v = (int4)(1, 2, 3, 4), w = (int4)(5, 6, 7, 8);
    int calls = 0;
    vstore4(__builtin_shufflevector(v, w, 0, 5, 2, 7), 0, out);
    vstore3(__builtin_shufflevector((calls++, v), w, 3, 3, -1 + 8), 0, out + 4);
    vstore3(__builtin_convertvector((float3)(1.5f, -2.5f, 3.9f), int3), 0, out + 7);
    out[10] = __builtin_reduce_add(v);
    out[11] = __builtin_reduce_mul(v);
    out[12] = __builtin_reduce_min((char3)(5, -128, 7));
    out[13] = __builtin_reduce_max((uchar8)(5, 6, 7, 8, 255, 0, 1, 2));
    out[14] = __builtin_reduce_and((uint2)(12, 3)) + __builtin_reduce_xor(v);
    out[15] = __builtin_reduce_or((uint2)(12, 3));
    vstore4(__builtin_elementwise_max((int4)(2, 4, -3, -4), (int4)(1, -4, 3, 4)), 0, out + 16);
    out[20] = __builtin_elementwise_add_sat((char)100, (char)100);
    out[21] = __builtin_elementwise_sub_sat((char)-100, (char)100);
    out[22] = (int)(__builtin_elementwise_abs((float2)(-3.5f, 1.0f)).x * 2);
    out[23] = (int)__builtin_elementwise_sqrt((float2)(4.0f, 1.0f)).x;
    out[24] = calls;
    float inf = __builtin_inff(), nan = __builtin_nanf("");
    out[25] = __builtin_isnan(nan) && !__builtin_isnan(inf);
    out[26] = __builtin_isfinite(inf);
    out[27] = __builtin_isinf(-inf) != 0;
    out[28] = __builtin_isnormal(0.0f);
    out[29] = __builtin_signbit(-0.0f) != 0;
    out[30] = __builtin_isunordered(nan, 1.0f);
    out[31] = __builtin_isgreater(1.0f, nan);
}

kernel void mathematics(global float *out) {
    out[0] = __builtin_fabsf(-2);
    out[1] = __builtin_sqrtf(9);
    out[2] = __builtin_fmaf(2, 3, 4);
    out[3] = __builtin_fmaxf(1, 2);
    out[4] = __builtin_floorf(-2.5f);
    out[5] = __builtin_nearbyintf(2.5f);
    out[6] = __builtin_roundf(2.5f);
    out[7] = __builtin_copysignf(4, -1);
    out[8] = __builtin_cosf(0);
    out[9] = __builtin_exp2f(3);
    out[10] = __builtin_huge_valf();
    out[11] = __builtin_fmodf(5.5f, 2);
}

constant __auto_type seven = 7;

#define KIND(x) _Generic((x), int: 1, float: 2, global int *: 3, default: 4)
typedef struct { int n; } record;

kernel void types(global int *out) {
    const int i = 0;
    float f = 0;
    int selection[4] = {1, 2, 3, 4}, convertvector = 3;
    out[0] = KIND(i);
    out[1] = KIND(f);
    out[2] = KIND(out);
    out[3] = KIND((uchar)1);
    // What is not chosen may be of any type.
    out[4] = _Generic(f, float: (record){1}, default: f).n;
    __auto_type pointer = selection;
    out[5] = sizeof pointer;
    __auto_type copy = i;
    copy += 4;
    out[6] = copy;
    out[7] = sizeof(__typeof__(selection));
    out[8] = __builtin_constant_p(3 + 4);
    out[9] = __builtin_constant_p(out[0]);
    out[10] = __builtin_choose_expr(sizeof(long) == 8, 7, (record){1});
    out[11] = (int)(__builtin_expect_with_probability(copy == 4, 1, 0.9) + 8);
    out[12] = __builtin_types_compatible_p(const int, int) && sizeof(seven) == 4;
    out[13] = __builtin_types_compatible_p(int, uint);
    __builtin_prefetch(out + 64, 0, 1);
    out[14] = ((global int *)__builtin_assume_aligned(out, 4))[2];
    if (f > 1)
        __builtin_unreachable();
    out[15] = convertvector + 37;
}

kernel void memory(global const int *in, global const int *size, global int *out) {
    size_t i = get_global_id(0);
    local int shared[8];
    int own[8];
    // Sizes that are known.
    __builtin_memset(own, 1, sizeof own);
    __builtin_memcpy(own, in + 1, 4 * sizeof(int));
    __builtin_memmove(own + 5, own, 3 * sizeof(int) - 4);
    __builtin_memset(own + 6, 2, 0);
    if (i == 0) {
        for (int k = 0; k < 8; k++)
            out[k] = own[k];
        int fill[2];
        __builtin_memset(fill, 0x101, 4);
        __builtin_memset(fill + 1, 2, 4);
        out[8] = fill[0];
        out[9] = fill[1];
    }
    // Sizes that are not, between address spaces and overlapping.
    if (i == 1) {
        __builtin_memcpy(shared, in, 5 * size[1]);
        __builtin_memmove(shared + 1, shared, 4 * size[1]);
        shared[0] = 5;
        __builtin_memcpy(out + 10, shared, 6 * size[1] - 4);
        out[15] = 5;
        __builtin_memset(own, 1, size[1]);
        __builtin_memset(own + 1, 2, 2 * size[1]);
        int back[4] = {0, 1, 1, 2};
        __builtin_memmove(back, back + 1, 3 * size[1]);
        out[16] = back[0];
        out[17] = back[1];
        out[18] = back[2];
        __builtin_memcpy(out + 19, own, 3 * size[1]);
    }
}

struct flexible {
    int n;
    int values[];
};

kernel void flexible(global const struct flexible *in, global int *out) {
    size_t i = get_global_id(0);
    out[i] = in->values[i];
    if (i == 0)
        out[3] = sizeof(struct flexible);
}

#define COUNT(first, ...) sum(first __VA_OPT__(+ __VA_ARGS__))
#define PASTED(x, ...) x##__VA_OPT__(1)##0
#define ONLY(...) 0 __VA_OPT__(+ 1)
#ident "no object file"

static int sum(int x) { return x; }

kernel void macros(global long *out) {
    out[0] = __SCHAR_MAX__;
    out[1] = __SHRT_MAX__;
    out[2] = __INT_MAX__;
    out[3] = __LONG_MAX__;
    out[4] = (long)__UINT64_MAX__;
    out[5] = __SIZEOF_POINTER__;
    out[6] = __SIZEOF_INT__;
    out[7] = __FLT_MANT_DIG__;
    out[8] = COUNT(11);
    out[9] = COUNT(11, 1);
    out[10] = PASTED(1, x);
    out[11] = ONLY(x);
    out[12] = ONLY();
    out[13] = __has_builtin(__builtin_popcount) && __has_builtin(__builtin_sinf)
        && __has_builtin(__builtin_shufflevector) && __has_attribute(__always_inline__);
    out[14] = __has_builtin(__builtin_trap) || __has_builtin(sin) || __has_attribute(ifunc);
    out[15] = __FLT_MAX__ > 1e38f ? 5 : 6;
}
