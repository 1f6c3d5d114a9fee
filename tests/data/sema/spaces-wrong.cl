// options: -cl-std=CL3.0
// target: lavapipe

global char large[16777217]; //~ 13 error: variable is larger than 16777216 bytes
global char largest[16777216];
constant int c[2] = {1, 2};

kernel void k(global int *o, constant int *p) {
    int *q = p; //~ 10 error: initializing '__generic int *__private' with an expression of type 'const __constant int *__private' changes address space of pointer
    int *r = (int *)c; //~ 14 error: casting 'const __constant int *' to type '__generic int *' changes address space of pointer
    global int *g = q; //~ 17 error: initializing '__global int *__private' with an expression of type '__generic int *__private' changes address space of pointer
    o[0] = to_global(p) != 0; //~ 22 error: 'to_global' takes a pointer that may be generic, not 'const __constant int *'
    o[1] = get_fence(3); //~ 22 error: 'get_fence' takes a pointer that may be generic, not 'int'
    global int *back = (global int *)(int *)o;
    local int *none = to_local(o);
}
void f(void) {
    generic int g; //~ 17 error: automatic variable qualified with an invalid address space
    generic int *generic *p = 0;
    int *generic *q = p;
}
