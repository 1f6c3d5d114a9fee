// options: -cl-std=CLC++2021
// run: kernel=blocks global=1 arg=zeros:f32:3
// expect: 0 f32:2,1.5,1

// Blocks where no function is: in types before the first function.
decltype(^(void) { return 1; }()) y = 2;
auto f(int a) -> decltype(^(int b) { return b + 1.0f; }(a))
{
    return a / 2.0f;
}

kernel void blocks(global float *out)
{
    out[0] = y;
    out[1] = f(3);
    out[2] = sizeof(y) == sizeof(int);
}
