// options: -cl-std=CLC++2021
// run: kernel=names global=1 arg=zeros:i32:5
// expect: 0 i32:4,9,3,8,6

// Parameters in parentheses, blocks among them, and names of OpenCL C's types that mean something else in a scope.
int twice(int (x)) { return 2 * x; }
int both(int (x), const int (&y)) { return x + y; }
int element(int (list)[3]) { return list[2]; }

kernel void names(global int *out)
{
    int list[3] = {1, 2, 3};
    out[0] = twice(2);
    out[1] = both(4, 5);
    out[2] = element(list);
    int (^block)(int) = ^(int i) { return i + 7; };
    out[3] = block(1);
    typedef int half2;
    struct Own {
        using uchar = half2;
        uchar value;
    };
    half2 number = sizeof(Own) + 2;
    out[4] = number;
}
