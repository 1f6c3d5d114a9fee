// options: -cl-std=CL2.0
// target: lavapipe
// Blocks where they may not be. Clang reports the same lines, but for `?:` and the image.

typedef int (^unary)(int);
typedef void (^work)(void);
int scale = 3;
int (^by_global)(int) = ^int(int x) { return x * scale; };
int (^not_initialised)(int); //~ 7 error: invalid block variable declaration - must be initialized
extern int (^elsewhere)(int); //~ 14 error: invalid block variable declaration - using 'extern' storage class is disallowed
unary of_blocks[2]; //~ 7 error: array of 'int (^)(int)' type is invalid in OpenCL
unary *to_block; //~ 8 error: pointer to type 'int (^)(int)' is invalid in OpenCL
struct holder { unary member; }; //~ 23 error: the 'int (^)(int)' type cannot be used to declare a structure or union field
unary result(void); //~ 7 error: declaring function return value of type 'int (^)(int)' is not allowed
void takes(unary b); //~ 18 error: declaring function parameter of type 'int (^)(int)' is not allowed
void variadic(void) { int (^b)(int, ...) = ^int(int x, ...) { return x; }; } //~ 29 error: invalid prototype, variadic arguments are not allowed in OpenCL
//~^ 48 error: invalid prototype, variadic arguments are not allowed in OpenCL
//~^^ 70 error: use of undeclared identifier 'x'
int calls(int n, read_only image2d_t image) {
    int local_copy = n; //~ 9 note: variable 'local_copy' declared const here
    unary add = ^(int x) { return x + local_copy; };
    local_copy = 5;
    unary again = add;
    float wrong = add(1, 2); //~ 26 error: too many arguments to block call, expected 1, have 2
    add = ^(int x) { return x; }; //~ 9 error: expression is not assignable
    unary two_types = ^(int x) { if (x) return 1; return 2.0f; }; //~ 51 error: return type 'float' must match previous return type 'int' when block literal has unspecified explicit return type
    unary assigns = ^(int x) { local_copy = x; return x; }; //~ 43 error: cannot assign to variable 'local_copy' with const-qualified type 'const int'
    unary other = ^(float x) { return 1; }; //~ 11 error: incompatible block pointer types initializing 'int (^)(int)' with an expression of type 'int (^)(float)'
    unary inner = ^(int x) { return add(x); }; //~ 37 error: cannot refer to a block inside block
    unary chosen = n ? add : again; //~ 22 error: block type cannot be used as expression in ternary expression in OpenCL C
    work pixel = ^{ get_image_width(image); }; //~ 37 error: a block cannot capture variable 'image' of type '__read_only image2d_t'
    return add(n) + by_global(n) + ^{ return 7; }();
}
