// options: -cl-std=CLC++2021
// What stays an error where objects live as long as the program.

int next();

struct Ends {
    constexpr Ends(int n) : n(n) {} //~ 15 note: candidate function not viable
    ~Ends() {}
    int n;
};

Ends fine(next());
constexpr int fixed = next(); //~ 15 error: constexpr variable 'fixed' must be initialized by a constant expression
constant int frozen = next(); //~ 14 error: initializer element is not a compile-time constant
constant Ends shown = 3; //~ 15 error: no matching constructor for initialization of 'Ends'
const int &bound = next() + 1;
struct Holder {
    static constexpr int member = next(); //~ 26 error: constexpr variable 'member' must be initialized by a constant expression
    static const int plain = next(); //~ 22 error: initializer element is not a compile-time constant
    static inline const int run_time = next();
};
struct Deleted {
    ~Deleted() = delete;
};
Deleted deleted; //~ 9 error: attempt to use a deleted function

kernel void k(global int *out)
{
    static int kept = next();
    static Ends ended(1);
    const int four = 4;
    static int known = four;
    *out = known + Holder::run_time;
}
