// options: -cl-std=CLC++2021
// target: lavapipe
// A name in several namespaces of using-directives, which appear in the innermost namespace around them and the directive; functions are overloads.
namespace a { struct c {}; } //~ 22 note: candidate found by name lookup is 'c'
namespace a { int v; } //~ 19 note: candidate found by name lookup is 'v'
namespace a { typedef int t, same; } //~ 30 note: candidate found by name lookup is 'same'
namespace a { template <class T> struct box {}; } //~ 41 note: candidate found by name lookup is 'box'
namespace a { enum e { x }; } //~ 20 note: candidate found by name lookup is 'e'
namespace a { void f(int) {} }
namespace b { struct c {}; } //~ 22 note: candidate found by name lookup is 'c'
namespace b { int v; } //~ 19 note: candidate found by name lookup is 'v'
namespace b { typedef int t; }
namespace b { typedef float same; } //~ 29 note: candidate found by name lookup is 'same'
namespace b { template <class T> struct box {}; } //~ 41 note: candidate found by name lookup is 'box'
namespace b { enum e { y }; } //~ 20 note: candidate found by name lookup is 'e'
namespace b { void f(float) {} }
using namespace a;
using namespace b;
c object; //~ 1 error: reference to 'c' is ambiguous
int variable() { return v; } //~ 25 error: reference to 'v' is ambiguous
t known;
box<int> boxed; //~ 1 error: reference to 'box' is ambiguous
e enumeration; //~ 1 error: reference to 'e' is ambiguous
same type; //~ 1 error: reference to 'same' is ambiguous
void overloads() { f(1); f(1.0f); }
namespace own { int v; int reads() { return v; } }
namespace uses { using namespace a; int v; int reads() { return v; } }
namespace inner { int w; int before() { return w; } } //~ 23 note: candidate found by name lookup is 'w'
namespace inner { namespace more { int w; } using namespace more; int qualified() { return inner::w; } } //~ 40 note: candidate found by name lookup is 'w'
namespace inner { int unqualified() { return w; } } //~ 46 error: reference to 'w' is ambiguous
namespace parts { namespace p { int z; } namespace q { float z; } using namespace p; using namespace q; } //~ 37 note: candidate found by name lookup is 'z'
int of_parts() { return parts::z; } //~ 32 error: reference to 'z' is ambiguous
int z; //~ 5 note: candidate found by name lookup is 'z'
int in_block() { using namespace parts::p; return z; } //~ 51 error: reference to 'z' is ambiguous
int hidden() { using namespace parts::p; int z = 1; return z; }
namespace again { using a::v; }
using namespace again;
namespace { int u; } //~ 17 note: candidate found by name lookup is 'u'
int u; //~ 5 note: candidate found by name lookup is 'u'
int unnamed() { return u; } //~ 24 error: reference to 'u' is ambiguous
