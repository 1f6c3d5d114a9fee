// options: -cl-std=CLC++2021
// target: lavapipe
// Parameters of one name, and errors in prototypes, which are said once.
void first(int a, int a); //~ 23 error: redefinition of parameter 'a'
//~^ 16 note: previous declaration is here
void second(int a, int b, int a) {} //~ 31 error: redefinition of parameter 'a'
//~^ 17 note: previous declaration is here
struct members {
    void m(int x, int x); //~ 23 error: redefinition of parameter 'x'
    //~^ 16 note: previous declaration is here
    void n(int x, int y) {}
};
template <class T> void shape(T x, T x); //~ 38 error: redefinition of parameter 'x'
//~^ 33 note: previous declaration is here
void lambdas()
{
    auto l = [](int a, int a) { return a; }; //~ 28 error: redefinition of parameter 'a'
    //~^ 21 note: previous declaration is here
}
void once(missing x); //~ 11 error: unknown type name 'missing'
void sized(int a[-1]); //~ 18 error: 'a' declared as an array with a negative size
struct prototypes {
    void m(int a[-1]) {} //~ 18 error: 'a' declared as an array with a negative size
    prototypes(int a[-1]) {} //~ 22 error: 'a' declared as an array with a negative size
};
