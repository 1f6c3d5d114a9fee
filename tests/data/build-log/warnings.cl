// options: -Werror
// With -Werror a warning is an error.
kernel void k(global int *p, global const int *q) {
    p = q;
    p[0] = 1;
}
