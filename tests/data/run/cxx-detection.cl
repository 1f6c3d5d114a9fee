// test: run
// options: -cl-std=CLC++2021
// run: kernel=detects global=1 local=1 arg=zeros:i32:4
// expect: 0 i32:1,0,5,1

// Members that a class has or has not.

template <typename...> using void_t = void;
template <typename T, typename = void> struct has_n {
    enum { value = 0 };
};
template <typename T> struct has_n<T, void_t<decltype(T::n)>> {
    enum { value = 1 };
};

struct counter {
    int n;
};
struct other {
    int m;
};

template <typename T> int five(T) {
    decltype(T::n) x = 5;
    return x;
}

kernel void detects(global int *out) {
    out[0] = has_n<counter>::value;
    out[1] = has_n<other>::value;
    out[2] = five(counter());
    out[3] = __is_same(decltype(other::m), int);
}
