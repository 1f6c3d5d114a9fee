// options: -cl-std=CLC++2021
// run: kernel=by_arguments global=1 arg=zeros:i32:4
// expect: 0 i32:11,2,6,1

// Functions of OpenCL C beside those that only the arguments' classes lead to.
namespace mine {
struct Pair {
    int x, y;
};
int dot(const Pair &a, const Pair &b) { return a.x * b.x + a.y * b.y; }
int max(const Pair &a) { return a.x > a.y ? a.x : a.y; }
}

// Of two packs that fit the one without comes first.
template <class... T> struct count {
    static constexpr int value = sizeof...(T);
};
template <class T, class U> struct count<T, U> {
    static constexpr int value = 6;
};
template <class T, class U, class... R> struct count<T, U, R...> {
    static constexpr int value = 7;
};

template <class... T> struct made {
    static constexpr bool value = __is_constructible(T...);
};

kernel void by_arguments(global int *out)
{
    mine::Pair a{1, 2}, b{3, 4};
    out[0] = dot(a, b);
    out[1] = max(a);
    out[2] = count<int, float>::value;
    static_assert(made<int, float>::value && !made<int *, float>::value, "constructible");
    out[3] = 1;
}
