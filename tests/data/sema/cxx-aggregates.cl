// options: -cl-std=CLC++2021
// target: lavapipe
// Deleted and defaulted constructors leave a class an aggregate in C++17.
struct gone { int v; gone() = delete; }; //~ 22 note: 'gone' has been explicitly marked deleted here
struct plain { int v; plain() = default; };
struct stated { int v; explicit stated() = default; };
struct given { int v; given() {} }; //~ 23 note: candidate function not viable
struct within { gone m; };
gone empty{};
within whole_empty{};
int aggregates()
{
    gone a{}, b{1}, c = {};
    plain d{1};
    given e{1}; //~ 12 error: no matching constructor for initialization of 'given'
    gone f; //~ 10 error: call to deleted constructor of 'gone'
    return a.v + b.v + c.v + d.v + __is_aggregate(gone);
}
