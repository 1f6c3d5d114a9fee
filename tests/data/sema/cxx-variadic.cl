// options: -cl-std=CLC++2021
// target: nvidia
// Variable arguments, in templates as elsewhere.
template <class T> T first(T a, ...) { return a; } //~ 22 error: invalid prototype, variadic arguments are not allowed in OpenCL
template <class T> struct Has {
    static char test(...); //~ 17 error: invalid prototype, variadic arguments are not allowed in OpenCL
    template <class U> static int other(...); //~ 35 error: invalid prototype, variadic arguments are not allowed in OpenCL
    template <class U> static long fine(U, T);
};
struct Plain {
    template <class T> int member(T t, ...); //~ 28 error: invalid prototype, variadic arguments are not allowed in OpenCL
};
int plain(int a, ...); //~ 5 error: invalid prototype, variadic arguments are not allowed in OpenCL
template <class... T> int pack(T... all) { return (all + ... + 0); }
kernel void uses(global int *out) { out[0] = sizeof(Has<int>) + pack(1, 2); }
