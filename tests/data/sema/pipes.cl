// options: -cl-std=CL2.0
// target: lavapipe
// Pipes and reservation ids where they may not be. Clang reports the same lines, but for packets without data or too large, constant memory
// that is written, and pipes as members and in arrays, which it takes.

global pipe int program_scope; //~ 17 error: type 'read_only pipe int' can only be used as a function parameter in OpenCL
global reserve_id_t program_scope_id; //~ 21 error: the 'reserve_id_t' type cannot be used to declare a program scope variable
typedef struct { int a; float b; } pair;
typedef pipe int int_pipe;
kernel void id_parameter(reserve_id_t id) {} //~ 39 error: 'reserve_id_t' cannot be used as the type of a kernel parameter
void words(int pipe p) {} //~ 16 error: cannot combine with previous 'int' declaration specifier
void twice(pipe pipe int p) {} //~ 17 error: cannot combine with previous 'pipe' declaration specifier
void unnamed(pipe const *p) {} //~ 14 error: missing actual type specifier for pipe
void variable(void) { pipe int p; int_pipe q; } //~ 32 error: type 'read_only pipe int' can only be used as a function parameter in OpenCL
//~^ 44 error: type 'read_only pipe int' can only be used as a function parameter in OpenCL
void pointer(pipe int *p, int_pipe *q) {} //~ 24 error: pipes packet types cannot be of reference type
//~^ 37 error: pipes packet types cannot be of reference type
void array(pipe int p[2]) {} //~ 21 error: array of 'read_only pipe int' type is invalid in OpenCL
int_pipe result(void) {} //~ 10 error: declaring function return value of type 'read_only pipe int' is not allowed
struct member { pipe int p; }; //~ 26 error: the 'read_only pipe int' type cannot be used to declare a structure or union field
void both(read_write pipe int p) {} //~ 11 error: access qualifier 'read_write' can not be used for 'read_only pipe int'
void two(write_only read_only pipe int p) {} //~ 21 error: multiple access qualifiers
void space(global pipe int p) {} //~ 28 error: parameter may not be qualified with an address space
struct incomplete;
void packets(pipe image2d_t a, pipe event_t b, pipe reserve_id_t c, pipe void d, pipe struct incomplete e) {} //~ 14 error: packets of a pipe cannot have type '__read_only image2d_t'
//~^ 32 error: packets of a pipe cannot have type 'event_t'
//~^^ 48 error: packets of a pipe cannot have type 'reserve_id_t'
//~^^^ 69 error: packets of a pipe cannot have type 'void'
//~^^^^ 82 error: packets of a pipe cannot have type 'struct incomplete'
void right(pipe unsigned int a, write_only pipe long b, pipe float4 c, pipe pair d, pipe struct { int x; } e, int_pipe f, const pipe char g) {}
void operators(pipe int p) {
    p + p; //~ 7 error: invalid operands to binary expression ('read_only pipe int' and 'read_only pipe int')
    p = p; //~ 7 error: expression is not assignable
    &p; //~ 5 error: pointer to type 'read_only pipe int' is invalid in OpenCL
    *p; //~ 5 error: indirection requires pointer operand ('read_only pipe int' invalid)
    !p; //~ 5 error: invalid argument type 'read_only pipe int' to unary expression
    p == p; //~ 7 error: invalid operands to binary expression ('read_only pipe int' and 'read_only pipe int')
    p ? 1 : 2; //~ 5 error: used type 'read_only pipe int' where arithmetic or pointer type is required
    if (p) {} //~ 9 error: statement requires expression of scalar type ('read_only pipe int' invalid)
    p.x; //~ 7 error: member reference base type '__private read_only pipe int' is not a structure or union
    p[0]; //~ 5 error: subscripted value is not an array, pointer, or vector
    sizeof(p);
}
void takes_writer(write_only pipe int p); //~ 39 note: passing argument to parameter 'p' here
void takes_floats(pipe float p); //~ 30 note: passing argument to parameter 'p' here
void passes(read_only pipe int p) {
    takes_writer(p); //~ 18 error: passing '__private read_only pipe int' to parameter of incompatible type 'write_only pipe int'
    takes_floats(p); //~ 18 error: passing '__private read_only pipe int' to parameter of incompatible type 'read_only pipe float'
}
bool ids(reserve_id_t r) {
    int i = r; //~ 9 error: initializing '__private int' with an expression of incompatible type '__private reserve_id_t'
    r = 1; //~ 7 error: assigning to '__private reserve_id_t' from incompatible type 'int'
    bool b = r; //~ 10 error: initializing '__private bool' with an expression of incompatible type '__private reserve_id_t'
    if (r) {} //~ 9 error: statement requires expression of scalar type ('reserve_id_t' invalid)
    r == r; //~ 7 error: invalid operands to binary expression ('reserve_id_t' and 'reserve_id_t')
    constant reserve_id_t c = r; //~ 27 error: the 'reserve_id_t' type cannot be used to declare a program scope variable
    struct { reserve_id_t one; } kept = {CLK_NULL_RESERVE_ID};
    reserve_id_t several[2] = {r, kept.one};
    return is_valid_reserve_id(several[1]);
}

void calls(read_only pipe int p, write_only pipe pair w, global int *ptr, local pair *lp, constant int *ci, const global int *cg,
           constant pair *cp, global float *f, reserve_id_t id, int i, uint4 v, float x) {
    read_pipe(i, p); //~ 5 error: first argument to 'read_pipe' must be a pipe type
    read_pipe(p); //~ 5 error: invalid number of arguments to function: 'read_pipe'
    read_pipe(); //~ 5 error: invalid number of arguments to function: 'read_pipe'
    read_pipe(p, id, i, ptr);
    read_pipe(p, i, i, ptr); //~ 5 error: invalid argument type to function 'read_pipe' (expecting 'reserve_id_t' having '__private int')
    read_pipe(p, id, id, ptr); //~ 5 error: invalid argument type to function 'read_pipe' (expecting 'uint' having '__private reserve_id_t')
    read_pipe(p, id, x, ptr); //~ 5 error: invalid argument type to function 'read_pipe' (expecting 'uint' having '__private float')
    read_pipe(p, id, v, ptr); //~ 5 error: invalid argument type to function 'read_pipe' (expecting 'uint' having '__private uint4' (vector of 4 'uint' values))
    read_pipe(p, i); //~ 5 error: invalid argument type to function 'read_pipe' (expecting 'int *' having '__private int')
    read_pipe(p, ptr);
    read_pipe(p, &i);
    // What is written cannot be constant.
    read_pipe(p, ci); //~ 5 error: invalid argument type to function 'read_pipe' (expecting 'int *' having 'const __constant int *__private')
    read_pipe(p, cg); //~ 5 error: invalid argument type to function 'read_pipe' (expecting 'int *' having 'const __global int *__private')
    read_pipe(p, f); //~ 5 error: invalid argument type to function 'read_pipe' (expecting 'int *' having '__global float *__private')
    read_pipe(p, (global void *)ptr); //~ 5 error: invalid argument type to function 'read_pipe' (expecting 'int *' having '__global void *')
    read_pipe(w, lp); //~ 15 error: invalid pipe access modifier (expecting read_only)
    write_pipe(p, ptr); //~ 16 error: invalid pipe access modifier (expecting write_only)
    write_pipe(w, lp);
    write_pipe(w, cp);
    write_pipe(w, id, 1u, lp);
    write_pipe(w, ptr); //~ 5 error: invalid argument type to function 'write_pipe' (expecting 'struct pair *' having '__global int *__private')
    reserve_read_pipe(p, ptr); //~ 5 error: invalid argument type to function 'reserve_read_pipe' (expecting 'uint' having '__global int *__private')
    reserve_read_pipe(p); //~ 5 error: too few arguments to function call, expected 2, have 1
    reserve_read_pipe(p, 1, 2); //~ 29 error: too many arguments to function call, expected 2, have 3
    reserve_read_pipe(p, 1l);
    reserve_write_pipe(p, 1); //~ 24 error: invalid pipe access modifier (expecting write_only)
    work_group_reserve_read_pipe(i, i); //~ 5 error: first argument to 'work_group_reserve_read_pipe' must be a pipe type
    sub_group_reserve_write_pipe(p, 1); //~ 34 error: invalid pipe access modifier (expecting write_only)
    commit_read_pipe(p, id);
    commit_read_pipe(p, i); //~ 5 error: invalid argument type to function 'commit_read_pipe' (expecting 'reserve_id_t' having '__private int')
    work_group_commit_read_pipe(w, id); //~ 33 error: invalid pipe access modifier (expecting read_only)
    get_pipe_num_packets(i); //~ 5 error: first argument to 'get_pipe_num_packets' must be a pipe type
    get_pipe_num_packets(p) + get_pipe_max_packets(w);
    int got = reserve_read_pipe(p, 1); //~ 9 error: initializing '__private int' with an expression of incompatible type 'reserve_id_t'
    is_valid_reserve_id(i); //~ 5 error: no matching function for call to 'is_valid_reserve_id'
//~^ 5 note: candidate function 'bool is_valid_reserve_id(reserve_id_t)' not viable: no known conversion from 'int' to 'reserve_id_t' for argument 1
}
struct large { char c[1 << 25]; };
struct empty {};
void sizes(pipe struct large p, pipe struct empty q) {} //~ 12 error: packets of a pipe cannot have type 'struct large'
//~^ 33 error: packets of a pipe cannot have type 'struct empty'
