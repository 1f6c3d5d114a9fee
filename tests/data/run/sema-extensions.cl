// test: run
// options: -cl-std=CL1.2
// run: kernel=vectors global=1 local=1 arg=zeros:i32:8
// expect: 0 i32:10,4,3,16,2,-1,40,0
// run: kernel=packed global=1 local=1 arg=buffer:i8:1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20 arg=zeros:i32:12
// expect: 1 i32:6,8,5,20,16,32,16,84148994,202050056,13,5,8
// run: kernel=chosen global=1 local=1 arg=zeros:i32:12
// expect: 0 i32:7,1,9,2,5,3,100,200,300,4,11,2

// What compilers for OpenCL C share beside the specification. Expected values: by hand, and gcc 12
// for the layouts.

typedef float four __attribute__((ext_vector_type(4)));
typedef __attribute__((ext_vector_type(2))) int two;
typedef short eight __attribute__((vector_size(16)));

kernel void vectors(global int *out) {
    four f = {1, 2, 3, 4};
    two t = (two)(5, 4);
    int __attribute__((ext_vector_type(3))) v = {1, 2, 3};
    eight e = 2;
    float4 same = f;
    out[0] = dot(f, (float4)(1));
    out[1] = t.y;
    out[2] = v.z;
    out[3] = sizeof(eight);
    out[4] = e.s7;
    out[5] = (f.xy == same.lo).x;
    out[6] = (int)(f.w * same.w) + 24;
}

#pragma pack(push, 2)
struct Two { short s; int i; };
#pragma pack(pop)
struct Natural { short s; int i; };
#pragma pack(push)
#pragma pack(1)
struct One { char c; int i; char d __attribute__((aligned(8))); };
union Any { char c[5]; int i; };
#pragma pack(pop)

typedef int wide __attribute__((aligned(16)));
typedef uint4 loose __attribute__((aligned(1)));
struct Wide { char c; wide w; };
struct Loose { int i; loose l; };

kernel void packed(global uchar *bytes, global int *out) {
    out[0] = sizeof(struct Two);
    out[1] = sizeof(struct Natural);
    out[2] = __builtin_offsetof(struct One, d);
    out[3] = sizeof(struct Loose);
    out[4] = __builtin_offsetof(struct Wide, w);
    out[5] = sizeof(struct Wide);
    out[6] = __alignof__(wide);
    loose v = *(global loose *)(bytes + 1);
    out[7] = v.x;
    out[8] = ((global loose *)bytes)->z - 1;
    *(global loose *)(bytes + 3) = v.yzwx;
    out[9] = bytes[10];
    out[10] = sizeof(union Any);
    out[11] = ((size_t)&((global struct Loose *)0)->l) * 2;
}

int once(int *n) { *n += 1; return *n; }

// The program's functions stand beside the builtin ones of their name.
int __attribute__((overloadable)) min(float3 a, int b) { return 100; }
int __attribute__((overloadable)) twice(int a) { return 200; }
int __attribute__((overloadable)) twice(float a) { return 300; }
short4 __attribute__((overloadable)) within(short4 v, short low, short high) { return clamp(v, low, high); }
short4 __attribute__((overloadable)) within(short4 v, short4 low, short4 high) { return -1; }
int printf(constant char *restrict format, ...);
typedef void nothing;
int three(nothing) { return 3; }

kernel void chosen(global int *out) {
    int n = 0, zero = 0;
    out[0] = zero ?: 7;
    out[1] = once(&n) ?: 7;
    global int *p = 0;
    out[2] = 9 + (int)((p ?: out) != out);
    int2 pair = (int2)(-1, 0) ?: (int2)(5, 2);
    out[3] = pair.y;
    out[4] = min(9, 5);
    out[5] = three();
    out[6] = min((float3)(1), 2);
    out[7] = twice((short)1);
    out[8] = twice(1.0f);
    out[9] = within((short4)(9), 0, 4).z;
    int i = 10;
    if (__builtin_expect(++i == 11, 1)) out[10] = i;
    out[11] = n + 1;
}
