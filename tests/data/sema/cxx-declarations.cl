// options: -cl-std=CLC++2021
// target: lavapipe
// What declarations may not say, in templates also where nothing uses them.
void later(int a = 1, int b); //~ 27 error: missing default argument on parameter
void first(int a, int b = 2);
void first(int a = 1, int b);
template <typename T> void later(T a = 1, T b); //~ 45 error: missing default argument on parameter
template <typename T = int, typename U> struct types {}; //~ 29 error: template parameter missing a default argument
template <typename T = int, typename... U> struct pack {};
int operator+(int a, int b); //~ 5 error: overloaded 'operator+' must have at least one parameter of class or enumeration type
int4 operator*(int4 a, global int *b); //~ 6 error: overloaded 'operator*' must have at least one parameter of class or enumeration type
enum class flag { a, b };
flag operator|(flag a, flag b);
struct statics {
    static int f() const { return 1; } //~ 16 error: static member function cannot have qualifiers
    static int g() { return 1; }
};
struct copies { copies(copies other) {} }; //~ 17 error: copy constructor must pass its first argument by reference
struct delegates {
    int x;
    delegates(int) {}
    delegates() : delegates(1), x(2) {} //~ 19 error: an initializer for a delegating constructor must appear alone
};
struct last final {};
struct behind : last {}; //~ 17 error: base 'last' is marked 'final'
template <typename T> struct closed final {};
struct beyond : closed<int> {}; //~ 17 error: base 'closed<int>' is marked 'final'
struct qualified {
    void f() &; //~ 10 note: previous declaration is here
    void f(); //~ 10 error: cannot overload a member function with a ref-qualifier with one without
    void g() &;
    void g(int);
};
struct begins { begins() {} int x; };
union either { begins a; int b; }; //~ 7 note: 'either' has been implicitly deleted here
union written { begins a; int b; written() : b(1) {} };
template <typename T> struct table { virtual T f(); }; //~ 38 error: virtual functions are not supported in C++ for OpenCL
template <typename... T> int sum(T... t) { return t; } //~ 51 error: expression contains unexpanded parameter pack 't'
template <typename... T> struct members {
    T member; //~ 5 error: type contains unexpanded parameter pack 'T'
    int fine(T... t) { return (t + ...); }
    int value = 0;
};
template <typename... T> void parameters(T t) {} //~ 42 error: type contains unexpanded parameter pack 'T'
template <typename... T> int lambdas(T... t)
{
    int all[] = {[&] { return t; }()...};
    auto inner = [&](auto... u) { return (t + ...) + (u + ...); };
    return ([&] { return t; }() + ...) + inner(1, 2) + all[0];
}
struct captures {
    int x;
    int f() { return [x] { return 1; }(); } //~ 23 error: class member 'x' cannot appear in capture list as it is not a variable
};
static private float in_private = 0; //~ 22 error: program scope variable must reside in global or constant address space
kernel void k(global int *out)
{
    struct local_class {
        static constexpr int value = 3; //~ 30 error: static data member 'value' not allowed in a local class
        template <typename T> T f(T t) { return t; } //~ 9 error: templates cannot be declared inside of a local class
        static int g() { return 1; }
    };
    bool b = false;
    b++; //~ 6 error: cannot increment expression of type 'bool'
    --b; //~ 5 error: cannot decrement expression of type 'bool'
    flag f = flag::a;
    f++; //~ 6 error: cannot increment expression of type 'flag'
    out[0] = sizeof([] { return 1; }()) + lambdas(1, 2); //~ 21 error: lambda expression in an unevaluated operand
    decltype([] { return 1; }) closure; //~ 14 error: lambda expression in an unevaluated operand
    either e; //~ 12 error: call to deleted constructor of 'either'
    written w;
    static private int here = 1; //~ 24 error: static local variable must reside in global or constant address space
    global int &ref = out[0];
    int &cast = addrspace_cast<int &>(ref); //~ 17 error: addrspace_cast from '__global int' to '__generic int &' is not allowed
    try { //~ 5 error: cannot use 'try' with exceptions disabled
        out[1] = missing; //~ 18 error: use of undeclared identifier 'missing'
    } catch (int i) {
    }
    out[2] = w.b;
}
