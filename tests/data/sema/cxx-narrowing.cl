// options: -cl-std=CLC++2021
// What lists in braces may not narrow.
struct Two {
    int a;
    uchar b;
};
kernel void narrowed(global int *out, int n, float f)
{
    const int small = 7;
    uint a[] = {get_global_id(0), 1u};
//~^ 17 error: non-constant-expression cannot be narrowed from type 'ulong' to 'uint' in initializer list
    uint b[2] = {1, small};
    float c[] = {1, 2.5f, n};
//~^ 27 error: non-constant-expression cannot be narrowed from type 'int' to 'float' in initializer list
    Two d = {f, 300};
//~^ 14 error: type 'float' cannot be narrowed to 'int' in initializer list
//~^^ 17 error: constant expression evaluates to 300 which cannot be narrowed to type 'uchar'
    Two e{small, 255};
    char g[] = {'a', n};
//~^ 22 error: non-constant-expression cannot be narrowed from type 'int' to 'char' in initializer list
    ulong h[] = {1, sizeof(int), get_global_id(0)};
    float4 v = {1, 2, 3, 4};
    out[0] = a[0] + b[0] + c[0] + d.a + e.a + g[0] + h[0] + v.x;
}
enum small : char { too_much = 200, enough = 100, negative = -1 }; //~ 32 error: enumerator value evaluates to 200, which cannot be narrowed to type 'char'
enum class truth : bool { one = 1,
two = 2 }; //~ 7 error: enumerator value evaluates to 2, which cannot be narrowed to type 'bool'
enum words : long { all = 18446744073709551615ul }; //~ 27 error: enumerator value evaluates to 18446744073709551615, which cannot be narrowed to type 'long'
void constants()
{
    float inexact{16777217}, exact{16777216}, large{18446744073709551615ul}; //~ 19 error: constant expression evaluates to 16777217 which cannot be narrowed to type 'float'
    ulong below{-1}; //~ 17 error: constant expression evaluates to -1 which cannot be narrowed to type 'ulong'
    long beyond{18446744073709551615ul}; //~ 17 error: constant expression evaluates to 18446744073709551615 which cannot be narrowed to type 'long'
    bool two{2}, one{1}; //~ 14 error: constant expression evaluates to 2 which cannot be narrowed to type 'bool'
}
