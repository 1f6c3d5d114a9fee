// options: -cl-std=CLC++2021
// target: lavapipe
// Errors in what it has: overloads, access, references, constants.
struct A { A(int); private: int hidden; void secret(); public: int open; }; //~ 12 note: candidate function not viable
static int f(int a); static int f(float a, float b); //~ 12 note: candidate function not viable
//~^ 33 note: candidate function not viable
enum class E { one };
template <typename T> T only(T a, T b) { return a; } //~ 1 note: candidate function not viable
struct D { D() = delete; }; //~ 12 note: 'D' has been explicitly marked deleted here
kernel void wrong(global int *out)
{
    A a; //~ 7 error: no matching constructor for initialization of 'A'
    A b(1);
    b.hidden = 1; //~ 6 error: 'hidden' is a private member of 'A'
    b.secret(); //~ 6 error: 'secret' is a private member of 'A'
    f("text", 1, 2); //~ 5 error: no matching function for call to 'f'
    int e = E::one; //~ 13 error: cannot initialize a variable of type '__private int' with an rvalue of type 'E'
    only(1, 2.0f); //~ 5 error: no matching function for call to 'only'
    D d; //~ 7 error: call to deleted constructor of 'D'
    int &r = 5; //~ 14 error: non-const lvalue reference to type '__generic int' cannot bind to a temporary of type 'int'
    static_assert(sizeof(int) == 8, "size"); //~ 19 error: static assertion failed: size
    constexpr int n = out[0]; //~ 19 error: constexpr variable 'n' must be initialized by a constant expression
    auto x; //~ 10 error: declaration of variable 'x' with deduced type 'auto' requires an initializer
    int i = {2.5f}; //~ 14 error: type 'float' cannot be narrowed to 'int' in initializer list
    float4 v; float &lane = v.x; //~ 29 error: non-const reference cannot bind to vector element
    int *p = &out[0]; float *q = p; //~ 34 error: cannot initialize a variable of type '__generic float *__private' with an lvalue of type '__generic int *__private'
}
