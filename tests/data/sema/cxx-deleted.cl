// options: -cl-std=CLC++2021
// target: lavapipe
// Copies and assignments that a class has not.
struct refers { int &r; int v; };
struct fixed { const int c; int v; };
struct moves { int v; moves(int v) : v(v) {} //~ 23 note: candidate function not viable
    moves(moves &&o) : v(o.v) {} }; //~ 5 note: candidate function not viable
void f(int z)
{
    refers a{z, 1}, b{z, 2};
    a = b; //~ 7 error: object of type '__private refers' cannot be assigned because its copy assignment operator is implicitly deleted
    fixed c{1}, d{2};
    c = d; //~ 7 error: object of type '__private fixed' cannot be assigned because its copy assignment operator is implicitly deleted
    moves m(1), n(2);
    m = n; //~ 7 error: object of type '__private moves' cannot be assigned because its copy assignment operator is implicitly deleted
    moves o = m; //~ 11 error: call to implicitly-deleted copy constructor of 'moves'
}
struct open { template <typename T> void f(T); };
template <typename T> void open::g(T) {} //~ 1 error: out-of-line definition does not match any template declaration
