// options: -cl-std=CL1.2
// target: min

// Recursion that no loop can stand for; the other calls are jumps.
int sum(int n) { return n > 0 ? n < 100 ? sum(n - 2) : sum(n - 1) : 0; }
int product(int n) { return n ? n * product(n - 1) : 1; } //~ 37 error: recursive call of function 'product': recursion is not supported in OpenCL
int both(int n) { return n > 9 ? both(n - 9) : both(n - 1) + 1; } //~ 34 error: recursive call of function 'both': recursion is not supported in OpenCL
//~^ 48 error: recursive call of function 'both': recursion is not supported in OpenCL
int kept(int *p, int n) { return n ? kept(&n, n - 1) : *p; } //~ 38 error: recursive call of function 'kept': recursion is not supported in OpenCL
void last(global int *p, int n) {
    if (n) {
        *p = n;
        last(p + 1, n - 1);
    }
}
void first(global int *p, int n) {
    if (n)
        first(p + 1, n - 1); //~ 9 error: recursive call of function 'first': recursion is not supported in OpenCL
    *p = n;
}
int read(image2d_t i, int2 at) { return at.x ? read(i, at - 1) : read_imagei(i, at).x; }
int other(image2d_t i, image2d_t j, int n) { return n ? other(j, i, n - 1) : read_imagei(i, (int2)(0)).x; } //~ 57 error: recursive call of function 'other': recursion is not supported in OpenCL
