// options: -cl-std=CLC++2021
// target: lavapipe
static int missing(const int &);
kernel void k(global int *out) { out[0] = missing(1); } //~ 43 error: function 'missing(const __generic int &)' has internal linkage but is not defined
