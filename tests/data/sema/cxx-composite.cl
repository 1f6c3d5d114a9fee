// options: -cl-std=CLC++2021
// target: nvidia
// What two pointers have in common, in conditional expressions and comparisons.
void same(bool c, global int **a, const global int **b, generic int **d, generic const int *e, global int *f)
{
    const global int *const *both = c ? a : b;
    const int *first = c ? e : f;
    const global int **wrong = c ? a : b; //~ 32 error: cannot initialize a variable of type 'const __global int *__generic *__private' with an rvalue of type 'const __global int *const __generic *'
    auto unlike = c ? a : d; //~ 21 error: incompatible operand types ('__global int *__generic *' and '__generic int *__generic *')
    bool equal = a == b && e == f && (const int *const *)d == d;
    bool never = a == d; //~ 20 error: comparison of distinct pointer types ('__global int *__generic *' and '__generic int *__generic *')
    int **whole = c ? d : (float **)d; //~ 21 error: incompatible operand types ('__generic int *__generic *' and '__generic float *__generic *')
}
