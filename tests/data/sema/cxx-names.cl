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
