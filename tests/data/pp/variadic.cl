// test: pp
// oracle: gcc
#define debug(...) fprintf(stderr, __VA_ARGS__)
#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))
debug("Flag");
debug("X = %d\n", x);
showlist(The first, second, and third items.);
report(x>y, "x is %d but y is %d", x, y);
#define gnu(fmt, ...) printf(fmt, ## __VA_ARGS__)
gnu("a") gnu("a", 1) gnu("a", 1, 2)
#define named(fmt, args...) printf(fmt, ##args) args
named("a") named("b", 1, 2)
#define all(...) f(0, ## __VA_ARGS__) #__VA_ARGS__
all() all(1) all(1, 2) all((1, 2), 3)
#define count_(a, b, c, d, n, ...) n
#define count(...) count_(__VA_ARGS__, 4, 3, 2, 1)
count(x) count(x, y) count(x, (y, z), w)
#define tail(a, ...) __VA_ARGS__
tail(1) | tail(1,) | tail(1, 2) | tail(1, 2, 3)
#define id(x) x
gnu(id(1), id(2), id(3))
#define nested(...) id(gnu("n", ## __VA_ARGS__))
nested() nested(1) nested(id(1), 2)
