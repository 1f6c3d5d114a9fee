// options: -cl-std=CLC++2021
// Access of overloads, bases, nested names; default constructors that are deleted; what enumerators, linkage, friends and templates may not be.
class a
{
    a(int);
    void m(int);
    enum { hidden };
    struct inner
    {
    };

public:
    a();
    void m(float);
    friend int reaches(a &q) { q.m(hidden); return a(1), 0; }
};
void overloads(a &q)
{
    a made(1); //~ 7 error: calling a private constructor of class 'a'
    q.m(1); //~ 6 error: 'm' is a private member of 'a'
    q.m(1.0f);
    a::inner i; //~ 8 error: 'inner' is a private member of 'a'
    int x = a::hidden; //~ 16 error: 'hidden' is a private member of 'a'
}
struct base
{
    int x;
    int f() { return x; }
};
struct derived : private base
{
    using base::f;
    base *up() { return this; }
};
struct further : derived
{
};
base *outside(derived *p) { return p; } //~ 36 error: cannot cast 'derived' to its private base class 'base'
int opened(derived &q) { return q.f(); }
void bound(further &q)
{
    base &b = q; //~ 15 error: cannot cast 'further' to its private base class 'base'
}
struct referring
{
    int &r;
};
struct fixed
{
    const int c;
};
struct given
{
    const int c = 1;
    int &r;
    given(int &x, int = 0) : r(x) {}
};
struct whole
{
    given part;
};
struct fine
{
    const int c = 1;
    const a object;
};
void begin(int x)
{
    referring r; //~ 15 error: call to implicitly-deleted default constructor of 'referring'
    fixed c; //~ 11 error: call to implicitly-deleted default constructor of 'fixed'
    whole w; //~ 11 error: call to implicitly-deleted default constructor of 'whole'
    whole *p = &w;
    fine f;
    referring bound{x};
    fixed set{1};
}
enum small : uchar
{
    fits = 255,
    large = 256 //~ 13 error: enumerator value evaluates to 256, which cannot be narrowed to type 'uchar'
};
enum class negative : uint
{
    below = -1 //~ 13 error: enumerator value evaluates to -1, which cannot be narrowed to type 'uint'
};
extern "C"
{
template <class T> void linked(T); //~ 1 error: templates must have C++ linkage
}
struct befriends
{
    friend int declared(befriends, int x = 1); //~ 16 error: friend declaration specifying a default argument must be a definition
    friend int defined(befriends, int x = 1) { return x; }
};
template <class T> struct unknown
{
    nowhere x; //~ 5 error: unknown type name 'nowhere'
};
template <class T> constexpr_ y = 1; //~ 20 error: unknown type name 'constexpr_'
template <class T> struct one
{
};
one<int, int> many; //~ 1 error: too many template arguments for template 'one'
void null()
{
    nullptr + 1; //~ 13 error: invalid operands to binary expression ('std::nullptr_t' and 'int')
    *nullptr; //~ 5 error: indirection requires pointer operand ('std::nullptr_t' invalid)
}
struct closed_base
{
    int a;
};
struct closed : private closed_base
{
};
bool same(closed *d, closed_base *b) { return d == b; } //~ 49 error: cannot cast 'closed' to its private base class 'closed_base'
closed_base *either(bool c, closed *d, closed_base *b)
{
    return c ? d : b; //~ 14 error: cannot cast 'closed' to its private base class 'closed_base'
}
