// options: -cl-std=CLC++2021
// run: kernel=operators global=1 arg=zeros:i32:8
// expect: 0 i32:2,6,3,720,11,17,4,1

// Operators of a class that numbers convert to are none of enumerations.
struct Complex {
    float re, im;
    constexpr Complex(float re, float im = 0) : re(re), im(im) {}
};
constexpr Complex operator*(Complex a, Complex b) { return Complex(a.re * b.re, a.im * b.im); }
constexpr bool operator==(const Complex &a, const Complex &b) { return a.re == b.re; }
enum Plain { one = 1, three = 3 };
enum : ulong { two = 2 * one };
template <int N> struct Factorial {
    enum : ulong { v = N * Factorial<N - 1>::v };
};
template <> struct Factorial<0> {
    enum : ulong { v = 1 };
};
enum class Scoped { a, b = 5 };
int operator*(Scoped a, int b) { return (int)a * b + 1; }
Plain operator+(Plain a, Plain b) { return (Plain)(10 * a + b); }
template <typename T> int operator-(T a, Scoped b) { return (int)a + (int)b; }

kernel void operators(global int *out)
{
    Plain p = three;
    out[0] = two;
    out[1] = p * 2;
    out[2] = one * p;
    out[3] = Factorial<6>::v;
    out[4] = Scoped::b * 2;
    out[5] = (one + three) + 4;
    out[6] = (Scoped::b - Scoped::a) - one;
    out[7] = p == three && !(p == one) && Complex(3) == p;
}
