// options: -cl-std=CLC++2021
// run: kernel=strings global=1 arg=zeros:i32:9
// expect: 0 i32:9,92,34,10,16,5,4,4,3

constant char a[] = R"(x\n"y
zu)";
static_assert(sizeof(a) == 9, R"d(a "message" )" of its own)d");
#define TEXT R"(in a
macro)"
constant char b[] = TEXT "tail" R"(\)";
// Splices and trigraphs are text.
constant char c[] = R"x(1\
2)x";
constant char d[] = R"(??/)";
constant char e[] = u8R"-()")-" u8"b";
#if 0
R"(
#endif
)"
#elif 1
int R = 3;
#define R2 R
#else
R"x(
#endif
)x"
#endif

kernel void strings(global int *out)
{
    int i = 0;
    out[i++] = sizeof(a);
    out[i++] = a[1];
    out[i++] = a[3];
    out[i++] = a[5];
    out[i++] = sizeof(b);
    out[i++] = sizeof(c);
    out[i++] = sizeof(e);
    out[i++] = sizeof(d);
    out[i++] = R2;
    printf(R"f("%d\n)f", R);
}
