// options: -cl-std=CLC++2021
// target: lavapipe
// Names that are found in several namespaces, or are not those of the class.
namespace p {
int f(int a) { return a; } //~ 5 note: candidate function
int g(int a) { return a; }
int k(int a) { return a; }
}
namespace q {
int f(int a) { return a + 1; } //~ 5 note: candidate function
int g(float a) { return 2; }
int k(int a) { return a; }
}
using namespace p;
using namespace q;
using q::k;
int finds(int x)
{
    return f(x) + g(x) + g(1.0f); //~ 12 error: call to 'f' is ambiguous
}
struct other { ~other(); };
struct wrong { ~other(); }; //~ 16 error: expected the class name after '~' to name the enclosing class
template <class T> struct holds {
    T value;
    ~holds() {}
    void ends() { value.~T(); }
};
typedef other same;
void ends(other *x, holds<other> *h, int *i)
{
    typedef int number;
    x->~other();
    x->~same();
    h->~holds();
    i->~number();
    x->~wrong(); //~ 8 error: destructor type 'wrong' in object destruction expression does not match the type 'other' of the object being destroyed
    x->~none(); //~ 8 error: undeclared identifier 'none' in destructor name
    h->ends();
}
struct base { int x; };
struct apart { int x; };
struct derived : base { using apart::x; }; //~ 31 error: using declaration refers into 'apart::', which is not a base class of 'derived'
struct further : derived { using base::x; };
template <class T> struct uses : T { using T::x; };
uses<further> used;
