// options: -cl-std=CLC++2021
// run: kernel=detects global=1 arg=zeros:i32:8
// expect: 0 i32:2,1,1,0,1,4,11,1

// `...` with clang's extension: what is worse than every other overload; attributes of namespaces, `__has_include`.
#pragma OPENCL EXTENSION __cl_clang_variadic_functions : enable
#if __has_include(<no/such/header.h>) || __has_include("none.h")
#error there is none
#endif

namespace tools __attribute__((visibility("default"))) {
template <class T> int kind(typename T::type *) { return 2; }
template <class T> int kind(...) { return 1; }
template <class T> struct Has {
    template <class U> static char test(decltype(U::member) *);
    template <class U> static int test(...);
    enum { value = sizeof(test<T>(nullptr)) == 1 };
};
} // namespace tools
struct Typed {
    using type = int;
    int member;
};
struct Bare {};

int rest(int first, ...) { return first; }
int rest(int first, int second) { return first + second; }
int any(...) { return 4; }
int any(const Bare &) { return 1; }

kernel void detects(global int *out)
{
    int count = 0;
    out[0] = tools::kind<Typed>(nullptr);
    out[1] = tools::kind<Bare>(nullptr);
    out[2] = tools::Has<Typed>::value;
    out[3] = tools::Has<Bare>::value;
    out[4] = any(Bare());
    out[5] = any(1, 2.0f);
    out[6] = rest(5, 6) * (rest(1, ++count, 3) == 1);
    out[7] = count;
}
