// options: -cl-std=CL1.2
// target: min

kernel int value(void) { return 0; } //~ 1 error: kernel must have void return type
kernel void private_pointer(int *p) {} //~ 34 error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
kernel void nested(global int *global *p) {} //~ 40 error: kernel parameter cannot be declared as a pointer to a pointer
kernel void sizes(size_t s, bool b, ptrdiff_t d) {} //~ 26 error: 'size_t' cannot be used as the type of a kernel parameter
//~^ 34 error: 'bool' cannot be used as the type of a kernel parameter
//~^^ 47 error: 'ptrdiff_t' cannot be used as the type of a kernel parameter
kernel void halves(half h, global half *p) {} //~ 25 error: declaring function parameter of type 'half' is not allowed without cl_khr_fp16 support; did you forget * ?
struct with_bool { bool b; };
kernel void record(struct with_bool s) {} //~ 37 error: 'struct with_bool' cannot be used as the type of a kernel parameter
kernel void events(event_t e) {} //~ 28 error: 'event_t' cannot be used as the type of a kernel parameter
kernel void bare {} //~ 13 error: expected ';' after top level declarator
static kernel void hidden(void) {} //~ 1 error: kernel functions cannot be declared static

__attribute__((reqd_work_group_size(8, 1, 1))) void plain(void) {} //~ 53 error: attribute 'reqd_work_group_size' can only be applied to an OpenCL kernel function
kernel __attribute__((reqd_work_group_size(8, 0, 1))) void zero(void) {} //~ 23 error: 'reqd_work_group_size' attribute must be greater than 0
kernel __attribute__((reqd_work_group_size(8))) void few(void) {} //~ 23 error: 'reqd_work_group_size' attribute requires exactly 3 arguments
kernel __attribute__((vec_type_hint(float4), work_group_size_hint(4, 4, 1))) void hints(void) {}
kernel __attribute__((marvellous)) void unknown(void) {} //~ 23 warning: unknown attribute 'marvellous' ignored

int recursive(int n) {
    return n ? recursive(n - 1) + 1 : 0; //~ 16 error: recursive call of function 'recursive': recursion is not supported in OpenCL
}
int even(int n);
int odd(int n) { return n ? even(n - 1) : 0; } //~ 29 error: recursive call of function 'even': recursion is not supported in OpenCL
int even(int n) { return n ? odd(n - 1) : 1; }

void variadic(int n, ...) {} //~ 6 error: invalid prototype, variadic arguments are not allowed in OpenCL
int (*pointer)(int); //~ 7 error: pointers to functions are not allowed
int main(void) { return 0; } //~ 5 error: a function in OpenCL cannot be called 'main'
struct bits { int a : 3; }; //~ 19 error: bit-fields are not supported in OpenCL
struct open { int a[]; int n; }; //~ 19 error: flexible array member 'a' is not at the end of a structure
struct image { image2d_t i; }; //~ 26 error: the '__read_only image2d_t' type cannot be used to declare a structure or union field
image2d_t picture(void); //~ 11 error: declaring function return value of type '__read_only image2d_t' is not allowed

void body(int n, read_only image2d_t image, global half *p) {
    int a[n]; //~ 11 error: variable length arrays are not supported in OpenCL
    int b[-1]; //~ 11 error: 'b' declared as an array with a negative size
    int c[0] = {1}; //~ 17 warning: excess elements in array initializer
    half h; //~ 10 error: declaring variable of type '__private half' is not allowed
    float f = *p; //~ 15 error: loading directly from pointer to type '__global half' requires cl_khr_fp16. Use vector data load builtin functions instead
    *p = 1.0f; //~ 8 error: assigning directly to pointer to type '__global half' requires cl_khr_fp16. Use vector data store builtin functions instead
    double d; //~ 5 error: use of type 'double' requires cl_khr_fp64 support
    f = 1.0; //~ 9 warning: double precision constant requires cl_khr_fp64, casting to single precision
    image2d_t copy; //~ 15 error: type '__read_only image2d_t' can only be used as a function parameter in OpenCL
    float4 v;
    float *x = &v.x; //~ 16 error: address of vector element requested
    body; //~ 5 error: taking address of function is not allowed
    asm("nop"); //~ 9 error: inline assembly: the instruction 'nop' is not supported
}

int chosen(read_only image2d_t a, read_only image2d_t b, int n) {
    return get_image_width(n ? a : b); //~ 30 error: incompatible operand types ('__read_only image2d_t' and '__read_only image2d_t')
}

__private int in_private(void); //~ 15 error: return value cannot be qualified with address space
kernel void twice(read_only write_only image2d_t i) {} //~ 29 error: multiple access qualifiers
typedef write_only image2d_t target;
kernel void to_target(write_only target i, target j) {}
kernel void from_target(read_only target i) {} //~ 25 error: multiple access qualifiers
typedef image2d_t without;
kernel void to_without(write_only without i, read_only without j) {} //~ 24 error: multiple access qualifiers
constant int not_a_kernel = 0;
kernel constant int kernel_variable = 0; //~ 1 error: 'kernel' can only appear on functions
inline constant int inline_variable = 0; //~ 1 error: 'inline' can only appear on functions
typedef struct with_bool vectors __attribute__((ext_vector_type(4))); //~ 49 error: invalid vector element type 'struct with_bool'
typedef float seven __attribute__((ext_vector_type(7))); //~ 36 error: vectors of 7 elements are not supported in OpenCL
struct later;
struct later make(void);
void use(void) { make(); } //~ 18 error: calling 'make' with incomplete return type 'struct later'
#pragma pack(3) //~ 2 warning: expected #pragma pack parameter to be '1', '2', '4', '8', or '16'

typedef size_t length;
typedef length other_length;
kernel void by_name(other_length n) {} //~ 34 error: 'other_length' cannot be used as the type of a kernel parameter
struct range { int first; other_length n[2]; };
kernel void range(struct range r, global struct range *p) {} //~ 32 error: 'struct range' cannot be used as the type of a kernel parameter
typedef struct { union { intptr_t i; long l; } u; } outer;
kernel void outer_range(outer o) {} //~ 31 error: 'outer' cannot be used as the type of a kernel parameter
typedef ulong length; // the same type
kernel void lengths(global length *n, global size_t *m) {}
struct half_inside { half h; };
kernel void halves_inside(struct half_inside s) {} //~ 46 error: 'struct half_inside' cannot be used as the type of a kernel parameter
struct global_inside { global int *p; };
kernel void pointer_inside(struct global_inside s) {} //~ 49 error: struct kernel parameters may not contain pointers

void prototype(struct hidden *s, enum { TWO = 2 } e); //~ 16 warning: declaration of 'struct hidden' will not be visible outside of this function
void hidden_tag(void) { struct hidden *s = 0; s->a = TWO; } //~ 50 error: incomplete definition of type '__private struct hidden'
//~^ 54 error: use of undeclared identifier 'TWO'
int body_tag(struct shown { int a; } s, enum { THREE = 3 } e) { struct shown t = s; return t.a + THREE; } //~ 14 warning: declaration of 'struct shown' will not be visible outside of this function
