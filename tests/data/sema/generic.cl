// options: -cl-std=CL2.0
// target: lavapipe

int counter;
global int *global last = &counter;
static atomic_int ready;

int sum(const int *p, int n) {
    int total = 0;
    for (int i = 0; i < n; i++)
        total += p[i];
    return total;
}

kernel void spaces(global int *g, constant int *c) {
    local int l[4];
    int x[4];
    static int calls;
    calls++;
    g[0] = sum(g, 4) + sum(l, 4) + sum(x, 4) + calls;
    int *any = g[1] ? l : x;
    any = g;
    g = any; //~ 7 error: assigning '__generic int *__private' to '__global int *__private' changes address space of pointer
    g = (global int *)any;
    sum(c, 4); //~ 9 error: passing 'const __constant int *__private' to parameter of type 'const __generic int *' changes address space of pointer
    //~^^^^^^^^^^^^^^^^^^ 20 note: passing argument to parameter 'p' here
    any = (int *)c; //~ 11 error: casting 'const __constant int *' to type '__generic int *' changes address space of pointer
    global int *global *nested = 0;
    if (any == g && l != any)
        counter = memory_order_relaxed + memory_scope_device;
}
