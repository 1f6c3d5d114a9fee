// options: -cl-std=CLC++2021
// target: lavapipe
// Protected members of other objects, bases that are there twice, captures that say what the default says.
struct base { int open; protected: int v; };
struct derived : base {
    int own(derived &d) { return v + d.v; }
    int other(base &b) { return b.v; } //~ 34 error: 'v' is a protected member of 'base'
    friend int by_friend(derived &d) { return d.v; }
};
struct left : base {};
struct right : base {};
struct both : left, right {};
kernel void test(global int *out)
{
    derived d;
    both b;
    base *p = &b; //~ 15 error: ambiguous conversion from derived class 'both' to base class 'base'
    base &r = b; //~ 15 error: ambiguous conversion from derived class 'both' to base class 'base'
    int x = 1, y = 2;
    auto f = [&, &x] { return x + y; }; //~ 18 error: '&' cannot precede a capture when the capture default is '&'
    auto g = [=, x] { return x + y; }; //~ 18 error: '&' must precede a capture when the capture default is '='
    auto h = [&, x] { return x + y; };
    auto i = [=, &x] { return x + y; };
    out[0] = d.own(d) + by_friend(d) + d.other(d) + f() + g() + h() + i();
    out[1] = out[0; //~ 19 error: expected ']'
    out[2] = (1 + 2; //~ 20 error: expected ')'
    out[3] = p->open + r.open;
}
