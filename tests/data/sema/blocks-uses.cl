// options: -cl-std=CL2.0
// target: lavapipe
// Uses of blocks, and handles of devices where they may not be. A function may enqueue a block that calls it. Clang takes the size of a
// block, which the specification does not.

global clk_event_t stored_event; //~ 20 error: the 'clk_event_t' type cannot be used to declare a program scope variable
kernel void parameters(queue_t q, clk_event_t e, ndrange_t n) {} //~ 47 error: 'clk_event_t' cannot be used as the type of a kernel parameter
//~^ 60 error: 'ndrange_t' cannot be used as the type of a kernel parameter
void again(global int *g) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ again(g); }); }
int uses(int n) {
    int (^add)(int) = ^(int x) { return x + n; };
    *add; //~ 5 error: indirection requires pointer operand ('int (^)(int)' invalid)
    &add; //~ 5 error: cannot take the address of an rvalue of type 'int (^)(int)'
    sizeof(add); //~ 5 error: invalid application of 'sizeof' to an incomplete type 'int (^)(int)'
    add + 1; //~ 9 error: invalid operands to binary expression ('int (^)(int)' and 'int')
    if (add) n++; //~ 9 error: statement requires expression of scalar type ('int (^)(int)' invalid)
    add(1, 2); //~ 12 error: too many arguments to block call, expected 1, have 2
    ^{ };
    return add(n);
}
