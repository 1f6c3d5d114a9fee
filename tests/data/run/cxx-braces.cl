// options: -cl-std=CLC++2021
// run: kernel=arrays global=1 arg=zeros:i32:14
// expect: 0 i32:63,42,50,14,210,2,21,2,2,323,5,421,2143,152

// Arrays in braces for references: bound, deduced, of objects that end.
template <class T, int N> int sum(const T (&a)[N])
{
    T all = 0;
    for (T x : a)
        all += x;
    return all * 10 + N;
}
template <int N, int M> int rows(const int (&a)[N][M]) { return N * 100 + M * 10 + a[1][0]; }
int at(const int (&a)[3], int i) { return a[i]; }
int first(int (&&a)[2]) { return a[0]++ * 10 + a[0] + a[1]; }
struct Made {
    int value;
    Made(int value) : value(value + 100) {}
    Made() : value(7) {}
};
int made(const Made (&a)[3]) { return a[0].value + a[1].value + a[2].value; }
struct Counted {
    int *ends, value;
    Counted(int *ends, int value) : ends(ends), value(value) {}
    ~Counted() { *ends = *ends * 10 + value; }
};
template <int N> int counted(const Counted (&a)[N]) { return *a[0].ends * 100 + a[N - 1].value; }
int which(const int (&)[3]) { return 2; }
int which(float) { return 3; }

kernel void arrays(global int *out)
{
    out[0] = sum({1, 2, 3});
    out[1] = sum({1.5f, 2.5f});
    out[2] = at({4, 5, 6}, 1) * 10 + at({4, 5}, 2);
    out[3] = first({1, 2});
    out[4] = made({1, Made(2)});
    int ends = 0;
    out[5] = counted({{&ends, 1}, {&ends, 2}});
    out[6] = ends;
    out[7] = which({1, 2, 3});
    out[8] = which({4});
    out[9] = rows({{1, 2}, {3, 4}, {5, 6}});
    const int(&one)[1] = {5};
    out[10] = one[0];
    {
        const Counted(&two)[2] = {{&ends, 3}, {&ends, 4}};
        out[11] = two[1].value * 100 + ends;
    }
    out[12] = ends;
    out[13] = sum<short>({7, 8});
}
