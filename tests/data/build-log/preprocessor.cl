// What the preprocessor refuses.
#define TWICE(x) ((x) + (x))
#if defined
#endif
#error this device is not good enough
kernel void k(global int *p) {
    p[0] = TWICE(1, 2);
    p[1] = TWICE(undeclared);
}
#ifdef NEVER_CLOSED
