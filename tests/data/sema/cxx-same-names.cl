// options: -cl-std=CLC++2021
// target: lavapipe
// Names of OpenCL C's functions at program scope, where only functions may have them; in its own initialiser a reference is known.
typedef int sign; //~ 13 error: redefinition of 'sign' as different kind of symbol
int dot; //~ 5 error: redefinition of 'dot' as different kind of symbol
using floor = int; //~ 15 error: redefinition of 'floor' as different kind of symbol
template <class T> struct fabs {}; //~ 1 error: redefinition of 'fabs' as different kind of symbol
struct length { int x; };
namespace inside { typedef int sign; int dot; }
void block() { typedef int sign; int dot = 1; }
void references()
{
    int outer = 1;
    {
        int &outer = outer;
    }
    auto &deduced = deduced; //~ 21 error: use of undeclared identifier 'deduced'
}
struct explicit_one { explicit explicit_one(int) {} };
explicit_one direct(1), copied = 1; //~ 34 error: no viable conversion from 'int' to 'explicit_one'
struct no_default { no_default(int) {} };
struct holds { no_default part; };
holds nothing; //~ 7 error: call to implicitly-deleted default constructor of 'holds'
int arrow(holds x) { return x->part; } //~ 30 error: member reference type '__private holds' is not a pointer
template <class... T> auto sum(T... v) { return (v + ...); } //~ 49 error: unary fold expression has empty expansion for operator with no fallback value
int empty = sum(); //~ 13 note: in instantiation of function template specialization 'sum<>' requested here
