// test: pp
// oracle: gcc
#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
char p[] = join(x, y);
#define t(x,y,z) x ## y ## z
int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),
t(10,,), t(,11,), t(,,12), t(,,) };
#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \
 x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\0d", "abc", '\4')
 == 0) str(: @\n), s);
xstr(INCFILE(2).h)
glue(HIGH, LOW);
xglue(HIGH, LOW)
str(  a   b /* c */ d
  e )
str("a\"b" 'c' '"' '\'' L"w\\")
#define op(a, b) a ## b
op(+, +) op(-, >) op(<, <=) op(<<, =) op(., 5) op(1., e5) op(0x, p+1) op(_, 1) op(&, &) op(%:, %:)
#define neg -x
-neg +neg - -neg
#define plus +
plus+plus +plus
#define num 1
num.x num num e+5 .num
#define dot .
dot.. dot 5 x dot dot dot
#define minus_(a) -a
minus_(-1) minus_(- 1) minus_(--i)
#define vec(n) float##n
vec(4) vec() vec(1 6)
#define pre(x) __##x##__
pre(kernel) pre(a b)
#define twice(x) x##x x#x
twice(ab)
