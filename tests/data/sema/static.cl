// A static function without a body cannot be had from elsewhere.
static int missing(int);
kernel void k(global int *out) { out[0] = missing(1); } //~ 43 error: function 'missing' has internal linkage but is not defined
