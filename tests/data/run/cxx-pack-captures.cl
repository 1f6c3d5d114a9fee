// options: -cl-std=CLC++2021
// run: kernel=packs global=1 arg=zeros:i32:6
// expect: 0 i32:6,36,0,15,3,12

// Packs of captures with initialisers (C++20).
template <class... A> int copied(A... a)
{
    auto f = [... b = a] { return (b + ... + 0); };
    return f();
}
template <class... A> int computed(int by, A... a)
{
    auto f = [by, ... b = a * by](int x) { return (b + ... + x); };
    return f(0);
}
template <class... A> int changed(A... a)
{
    auto f = [&... b = a] { ((b += 4), ...); };
    f();
    return (a + ... + 0);
}
template <class... A> int counted(A... a)
{
    return [first = 0, ... rest = a] { return int(sizeof...(rest)) + first; }();
}
template <class... A> int passed(A... a)
{
    auto f = [... b = a](auto g) { return g(b...); };
    return f([](int x, int y, int z) { return x * y + z; });
}

kernel void packs(global int *out)
{
    out[0] = copied(1, 2, 3);
    out[1] = computed(6, 1, 2, 3);
    out[2] = copied();
    out[3] = changed(1, 2, 0);
    out[4] = counted('a', 1, 2.0f);
    out[5] = passed(2, 5, 2);
}
