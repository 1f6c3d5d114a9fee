// options: -cl-std=CLC++2021
// run: kernel=leaving global=1 arg=zeros:i32:60
// expect: 0 i32:1,2,100,-2,200,-1,1,2,3,-3,4,-4,-2,200,-1,1,2,3,-3,100,-2,200,-1,7,8,9,-9,-8,8,-8,8,-8,-7,301,300,400,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0

// goto out of scopes, back and forward: objects that the jump leaves are destroyed, others are not.
struct log { global int *at; int n; };
struct guard {
    log &l; int id;
    guard(log &l, int id) : l(l), id(id) { l.at[l.n++] = id; }
    ~guard() { l.at[l.n++] = -id; }
    guard(const guard &) = delete;
};
static int leave(log &l, int how)
{
    guard a(l, 1);
    {
        guard b(l, 2);
        if (how == 0) goto inner;
        for (int i = 0; i < 3; ++i) {
            guard c(l, 3 + i);
            if (how == 1 && i == 1) goto outer;
            if (how == 2 && i == 0) goto inner;
        }
    inner:
        l.at[l.n++] = 100;
    }
outer:
    l.at[l.n++] = 200;
    return l.n;
}
static void again(log &l)
{
    int round = 0;
    guard first(l, 7);
back:
    guard second(l, 8);
    switch (round++) {
    case 0: { guard third(l, 9); goto back; }
    case 1: goto back;
    default: break;
    }
}
template <class F> struct defer { F f; ~defer() { f(); } };
template <class F> defer(F) -> defer<F>;

kernel void leaving(global int *out)
{
    log l{out, 0};
    leave(l, 0);
    leave(l, 1);
    leave(l, 2);
    again(l);
    {
        defer d{[&] { l.at[l.n++] = 300; }};
        defer e{[&l](int n = 0) { l.at[l.n++] = 301; }};
        if (l.n) goto end;
        l.at[l.n++] = -1;
    }
end:
    l.at[l.n++] = 400;
}
