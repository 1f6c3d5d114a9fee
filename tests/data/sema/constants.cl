// options: -cl-std=CL1.2
// target: lavapipe

// The compiler evaluates; the expected values are C's.
#define CHECK(e) _Static_assert(e, "")

CHECK(sizeof(char) == 1 && sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long) == 8);
CHECK(sizeof(size_t) == 8 && sizeof(void *) == 8);
CHECK(sizeof(float3) == 16 && sizeof(uchar3) == 4 && sizeof(double16) == 128);
struct s { char c; int i; short h; float3 v; };
CHECK(sizeof(struct s) == 32 && __builtin_offsetof(struct s, v) == 16);
struct __attribute__((packed)) p { char c; int i; short h; };
CHECK(sizeof(struct p) == 7 && __builtin_offsetof(struct p, h) == 5);
struct a { char c; int i __attribute__((aligned(16))); };
CHECK(sizeof(struct a) == 32 && __alignof__(struct a) == 16);
union u { char c[5]; int i; };
CHECK(sizeof(union u) == 8);
struct n { struct { int a; union { float b; char c; }; }; int d[3]; };
CHECK(__builtin_offsetof(struct n, c) == 4 && __builtin_offsetof(struct n, d[2]) == 16);
CHECK((size_t)&((struct n *)0)->d[1] == 12);
CHECK(vec_step(float3) == 4 && vec_step(int) == 1);

CHECK(1 + 2 * 3 == 7 && (1 ? 2 : 3) == 2 && -7 / 2 == -3 && -7 % 2 == -1);
CHECK((unsigned)-1 > 0 && -1 < 0 && -1 > 0u);
CHECK(0xffffffff == 4294967295u && sizeof(0xffffffff) == 4 && sizeof(4294967295) == 8);
CHECK(0777 == 511 && 0b101 == 5 && 'a' == 97 && '\n' == 10 && '\x41' == 65 && '\101' == 65);
CHECK((char)200 == -56 && (uchar)300 == 44 && (int)3.9f == 3 && (int)-3.9f == -3);
CHECK(1 << 31 < 0 && 1u << 31 > 0 && -8 >> 1 == -4 && (uchar)0xf0 >> 4 == 15);
CHECK(1 << 33 == 2);
CHECK(0x1.8p1f == 3.0f && 1e3f == 1000.0f && .5f + .25f == 0.75f);
CHECK(0.1f != 0.1 && 16777217.0f == 16777216.0f);
CHECK((bool)0.5f == 1 && (bool)2 == 1 && !0 == 1 && !5 == 0 && (0 || 3) == 1);
CHECK(sizeof('a') == 4 && sizeof("abc") == 4 && sizeof("a" "b") == 3);
CHECK(sizeof((char)1 + (char)1) == 4 && sizeof(1 + 1l) == 8 && sizeof(1.0f + 1) == 4);
CHECK(as_int(1.0f) == 0x3f800000 && as_float(0x40000000) == 2.0f);
CHECK(((int4)(1, 2, 3, 4)).z == 3 && ((int4)7).s3 == 7);

constant int size = 4;
constant int sizes[] = {size, size * 2, [4] = 5, 6};
CHECK(sizeof(sizes) == 24);
constant char text[] = "hello";
CHECK(sizeof(text) == 6);
constant int *constant where = &sizes[1];
constant float2 pair = {1.0f, 2};
constant float4 combined = (float4)(1.0f, (float2)(2.0f), -3);
typedef struct { int a[2][2]; float4 v[2]; char s[4]; } agg;
constant agg nested = {{1, 2, 3}, {1, 2}, "abc"};
constant agg flat = {1, 2, 3, 4, {{1, 2, 3, 4}, {1, 2, 3, 4}}, {'a', 'b'}};
constant agg named = {.v[1].x = 2, .s = {[1 ... 2] = 'x'}, .a[1] = {1}}; //~ 29 error: field designator cannot initialize a non-struct, non-union type 'float4' (vector of 4 'float' values)
constant int too_many[2] = {1, 2, 3}; //~ 35 warning: excess elements in array initializer
constant int scalar = {1, 2}; //~ 27 warning: excess elements in scalar initializer
constant int not_constant = get_global_id(0); //~ 29 error: initializer element is not a compile-time constant
constant int wrong = "text"; //~ 14 warning: incompatible pointer to integer conversion initializing 'const __constant int' with an expression of type 'const __constant char[5]'
//~^ 22 error: initializer element is not a compile-time constant
constant float4 few = {1, 2}; //~ 23 error: too few elements in vector initialization (expected 4 elements, have 2)
constant agg unknown = {.z = 1}; //~ 26 error: field designator 'z' does not refer to any field in type 'struct agg'
constant int list[] = 3; //~ 14 error: array initializer must be an initializer list
constant int beyond[2] = {[2] = 1}; //~ 28 error: array designator index (2) exceeds array bounds
int in_function(void) {
    const int n = 4;
    float buffer[n * 2];
    CHECK(sizeof(buffer) == 32);
    int open[] = {1, 2, n};
    CHECK(sizeof open / sizeof *open == 3);
    return (int)buffer[0] + open[0];
}

// A keyword since OpenCL C 2.0.
constant int generic = 2;
CHECK(sizeof(generic) == 4);
