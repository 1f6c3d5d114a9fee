// options: -cl-std=CLC++2021
// target: lavapipe
// Functions that are written in classes are looked at though nothing calls them; nothing of them is in the program.
int nowhere();
struct a {
    int f() { return missing; } //~ 22 error: use of undeclared identifier 'missing'
    a() : y(1) {} //~ 11 error: unknown type name 'y'
    int g() { return nowhere(); }
    int x;
};
template <typename T> struct later { int f() { return T::none; } };
struct b {
    later<int> l;
    int &r;
    b() {} //~ 5 error: constructor must explicitly initialize the reference member 'r'
};
// Jumps over variables that begin.
void f(int k)
{
    goto over; //~ 5 error: cannot jump from this goto statement to its label
    int y = 1;
over:
    switch (k) {
    case 0:
        int z = 1;
        break;
    case 1:; //~ 5 error: cannot jump from switch statement to this case label
    }
    goto fine;
    {
        int w = 2;
    }
    int bare;
fine:
    switch (int q = k) {
    case 0: {
        int p = 2;
        break;
    }
    default:;
    }
}
void g(int x = 1);
void g(int x = 2); //~ 16 error: redefinition of default argument
int &none = 2; //~ 6 error: non-const lvalue reference to type '__generic int' cannot bind to a temporary of type 'int'
