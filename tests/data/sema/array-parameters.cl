// Qualifiers of an array that a typedef names are those of what the parameter points to.
typedef uint numbers[4];
typedef struct { numbers n; } holder;
void product(numbers out, const numbers a, const numbers b) { out[0] = a[0] * b[1]; }
void passes(numbers out, const holder *h, const numbers c) {
    product(out, h->n, c);
}
uint same(const numbers a);
uint same(const uint *a) { return a[0]; }
uint watched(volatile numbers a);
uint watched(volatile uint *a) { return a[0]; }
void writes(const numbers a) {
    a[0] = 1; //~ 10 error: read-only variable is not assignable
}
void drops(const numbers a) {
    uint *p = a; //~ 11 warning: initializing '__private uint *__private' with an expression of type 'const __private uint *__private' discards qualifiers
}
kernel void k(global uint *out) {
    const numbers c = {1, 2, 3, 4};
    numbers r;
    product(r, c, c);
    out[0] = r[0] + same(c);
}
