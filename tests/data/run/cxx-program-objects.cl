// options: -cl-std=CLC++2021
// run: kernel=read arg=zeros:i32:32
// expect: 0 i32:13,2,35,46,7,6,8,18,9,7,5,10,2,11,12
// expect: 0@64 i32:12,3,4,5,6,7,8,9,2,1,14,15
// run: kernel=constants arg=zeros:i32:4
// expect: 0 i32:5,21,3,1

// What needs code has its first value before the kernel, in the order of the definitions. `note` gives how many have come, and keeps its argument.
int count;
int seen[16];
int note(int what)
{
    seen[count] = what;
    return ++count;
}

struct Noted {
    Noted(int what) : own(note(what) * 10 + what) {}
    int own;
};

Noted first(3);
int second = note(4);
Noted array[2] = {5, Noted(6)};
namespace space {
static int third = note(7) + second;
}
struct Holder {
    static inline int member = note(8);
    static int outside;
};
int Holder::outside = note(9) + 1;
const int plain = 5;
int after = plain + first.own;
int list[3] = {note(2) + 1, 7, plain};
int4 vector = {note(1) + 1, 2, 3, 4};
struct Pair {
    int a, b;
};
Pair pair = {note(14) + 1, 12};
int &reference = *(array[0].own > 30 ? &second : &list[1]);

// Instances when they are first used, here or in the kernel: the kernel's is the last of all.
template <class T> T value = note(sizeof(T) + 11);

// Constants need no code: the copy below has them before `early`, which would else see 0.
extern int late;
int early = late;
constexpr int square(int n) { return n * n; }
int late = square(4) + 5;
struct Literal {
    constexpr Literal(int n) : n(n), self(this) {}
    int n;
    Literal *self;
};
Literal literal(3);

kernel void read(global int *out)
{
    int at = 0;
    out[at++] = first.own;
    out[at++] = second;
    out[at++] = array[0].own;
    out[at++] = array[1].own;
    out[at++] = space::third;
    out[at++] = Holder::member;
    out[at++] = Holder::outside;
    out[at++] = after;
    out[at++] = list[0];
    out[at++] = list[1];
    out[at++] = list[2];
    out[at++] = vector.x;
    out[at++] = vector.y;
    out[at++] = pair.a;
    out[at++] = pair.b;
    out[16] = value<int> + 1;
    for (int i = 0; i < 11; i++) out[17 + i] = seen[i];
}

kernel void constants(global int *out)
{
    out[0] = plain;
    out[1] = early;
    out[2] = literal.n;
    out[3] = literal.self == &literal;
    if (&reference != &second) out[3] = 7;
}
