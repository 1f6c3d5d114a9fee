// options: -cl-std=CL2.0

// Types: what clang says, and where.
typedef int row[1ul << 40];
typedef row rows[1ul << 20]; //~ 18 error: array is too large (1048576 elements)
typedef int most[1ul << 58];
typedef char more[0x1fffffffffffffff];
typedef char too_many[0x2000000000000000]; //~ 23 error: array is too large (2305843009213693952 elements)
typedef int cube[1ul << 30][1ul << 30][1ul << 30]; //~ 29 error: array is too large (1073741824 elements)
union u {
    row a;
    char b;
};
struct large {
    most a, b;
    int c;
}; //~^^^ 1 error: structure 'struct large' is too large, which exceeds maximum size of 2305843009213693951 bytes
struct larger {
    struct large a, b;
};
struct member {
    char c[0xffffffffffffffff]; //~ 12 error: array is too large (18446744073709551615 elements)
};
struct aligned {
    char c[0x1ffffffffffffffe];
    int d;
}; //~^^^ 1 error: structure 'struct aligned' is too large, which exceeds maximum size of 2305843009213693951 bytes
typedef struct { union u a[1ul << 20]; } *pointer; //~ 28 error: array is too large (1048576 elements)

// Objects.
constant char constants[16777217] = {1}; //~ 15 error: variable is larger than 16777216 bytes
constant char grown[] = {[16777216] = 1}; //~ 15 error: variable is larger than 16777216 bytes
constant char ranged[] = {[0 ... 4000000000u] = 1}; //~ 15 error: variable is larger than 16777216 bytes
constant int beyond[4] = {[0 ... 10] = 1}; //~ 28 error: array designator index (10) exceeds array bounds
constant struct { row r; } many[] = {[5] = {{1}}}; //~ 28 error: variable is larger than 16777216 bytes
constant int aligned_to __attribute__((aligned(131072))) = 1; //~ 14 error: variable is aligned to more than 65536 bytes

struct value {
    row r;
};
void takes(struct value v) {} //~ 25 error: parameter is larger than 16777216 bytes
struct value gives(global struct value *p) { //~ 14 error: result is larger than 16777216 bytes
    return *p; //~ 12 error: value is larger than 16777216 bytes
}

kernel void k(global struct value *p, global union u *q, global ulong *out) {
    out[0] = sizeof(struct value) + sizeof(most) + sizeof(more);
    out[1] = (ulong)&p[1] + (ulong)&p->r[1ul << 35];
    out[2] = p + 1 - p;
    char inside[16777216];
    char outside[16777217]; //~ 10 error: variable is larger than 16777216 bytes
    private union u v; //~ 21 error: variable is larger than 16777216 bytes
    local row shared; //~ 15 error: variable is larger than 16777216 bytes
    p[0] = p[1]; //~ 12 error: value is larger than 16777216 bytes
    (struct value){{1}}; //~ 5 error: variable is larger than 16777216 bytes
}

struct argument {
    int a[4097];
};
kernel void by_value(struct argument a) {} //~ 38 error: kernel parameter is larger than 16384 bytes (CL_DEVICE_MAX_PARAMETER_SIZE)
kernel void local_pointer(local row *a) {} //~ 38 error: kernel parameter points to local memory of more than 16777216 bytes
