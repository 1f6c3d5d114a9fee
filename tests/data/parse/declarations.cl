// Specifiers in any order, declarators, records, enumerations, initialisers.
;
typedef struct { int x; float4 f; } P, *PP;
enum color { RED = 1, GREEN, BLUE = RED + 2, };
int long unsigned const static long counter;
__constant float table[4] = {1.0f, [2 ... 3] = -4, };
constant struct s { int a, b : 3; int : 2; struct { char c; union { int d; float e; }; } in[2]; } one =
    {.a = 1, .in[1].c = 'x', b: 2, .in = {{1, {2}}}};
static inline P *g(global P *restrict p, int (*q)[4], local float *const *r[3], int a[static 3]);
int (*table_of_functions[2])(int, float x, ...);
int (*returns_function(int a))(float);
void abstract(int, float *, char (*)[3], int (*)(void), P (P));
typedef float matrix[4][4] __attribute__((aligned(16)));
struct __attribute__((packed)) q { char c; int i __attribute__((aligned(4))); } __attribute__((aligned(8)));
_Atomic int a1; _Atomic(int) a2; volatile atomic_int a3; __typeof__(a1 + 1) t1; typeof(float *) t2;
_Alignas(16) char buffer[64], other[] = "a" "b";
extern int outside __attribute__((unused)), outer;
kernel void images(read_only image2d_t i, __write_only image3d_t o, sampler_t s, read_write pipe int p);
generic int *generic_pointer; generic int *generic *to_generic; int pipe;
kernel __attribute__((reqd_work_group_size(8, 1, 1))) __attribute__((vec_type_hint(float4), __work_group_size_hint__(1, 2, 3)))
void hints(void) __attribute__((noinline));
_Static_assert(sizeof(int) == 4, "int");
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
void (^block_variable)(int);
__extension__ unsigned uint_is_no_longer_a_type, uint;
size_t (size);
