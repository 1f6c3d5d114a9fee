// test: run
// options: -cl-std=CL3.0
// run: kernel=first global=1 local=1 arg=zeros:i32:8
// expect: 0 i32:5,7,30,3,4,1,9,2
// run: kernel=later global=1 local=1 arg=zeros:i32:4
// expect: 0 i32:5,100,1,101
// run: kernel=starts global=1 arg=zeros:i32:6
// expect: 0 i32:5,0,3,-1,1234,7
// run: kernel=counts global=4 local=4 arg=zeros:i32:2
// expect: 0 i32:44,0

// Program-scope variables, with pointers to one another.
global int five = 5;
int plain = 7;
global int table[4] = {10, 20, 30, 40};
global int *second = &table[1];
global int *global *chain = &second;
struct Node { int value; global struct Node *next; };
global struct Node b = {4, 0}, a = {3, &b};
global struct Node *head = &a;
constant int fixed[2] = {9, 8};
constant int *constant to_fixed = fixed;
int *anywhere = &five;
global int zeros[3];

kernel void first(global int *out) {
    out[0] = five;
    out[1] = *&plain;
    out[2] = (*chain)[1];
    out[3] = head->value;
    out[4] = head->next->value;
    out[5] = head->next->next == 0;
    out[6] = *to_fixed;
    out[7] = zeros[1] + (chain == &second) + (*chain - table);
}

// What one kernel writes, another one sees; a static local is such a variable.
int bump(int by) {
    static int calls = 100;
    calls += by;
    return calls - by;
}

kernel void later(global int *out) {
    out[0] = *anywhere;
    out[1] = bump(1);
    anywhere = &plain;
    out[2] = *anywhere == plain;
    out[3] = bump(0);
    anywhere = &five;
    bump(-1);
}

global atomic_int counter;
static global int *where = (global int *)&counter;

kernel void counts(global int *out) {
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    atomic_add(where, 10);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        out[0] = atomic_exchange_explicit(&counter, 0, memory_order_relaxed);
        out[1] = atomic_add(where, 0);
    }
}

global volatile atomic_int begun = ATOMIC_VAR_INIT(5);
global volatile atomic_uint started[] = {ATOMIC_VAR_INIT(0), 3, ATOMIC_VAR_INIT(4294967295)};
global atomic_float levels[] = {1234, ATOMIC_VAR_INIT(7.5f)};

kernel void starts(global int *out) {
    out[0] = atomic_exchange_explicit(&begun, 5, memory_order_relaxed);
    for (int i = 0; i < 3; i++) out[i + 1] = (int)atomic_fetch_add_explicit(&started[i], 0, memory_order_relaxed);
    for (int i = 0; i < 2; i++) out[i + 4] = (int)atomic_exchange_explicit(&levels[i], 0.0f, memory_order_relaxed);
}
