// options: -cl-std=CLC++2021
// run: kernel=qualifiers global=1 arg=zeros:i32:6
// expect: 0 i32:2,3,12,5,8,6
// run: kernel=members_types global=1 arg=zeros:i32:5
// expect: 0 i32:7,16,8,7,1

// Qualifiers that conversions of pointers add, behind other pointers and in arrays.
int second(const int (*a)[2]) { return (*a)[1]; }
int of_matrix(const int (*a)[2], int row) { return a[row][0] * 10 + a[row][1]; }
int through(const int *const *p) { return **p; }
int of_reference(const int (&a)[2]) { return a[0]; }

// `this` in the type of the result.
struct Accumulator {
    int sum;
    Accumulator &plus(int times, int by)
    {
        sum += times * by;
        return *this;
    }
    auto twice(int factor) -> decltype(this->plus(2, factor)) { return plus(2, factor); }
};
struct Read {
    int value;
    int get(int factor) const { return value * factor; }
    template <typename T> auto times(T factor) const -> decltype(this->get(factor)) { return get(factor); }
};

// Types of members before their class is complete.
struct Base {
    short inherited;
};
template <typename T> struct Vector : Base {
    T v[4];
    T &first;
    mutable T last;
    decltype(last) next = 7;
    static constexpr int bytes = sizeof(v);
    Vector() : first(v[0]) {}
    auto at(int i) -> decltype((v[i])) { return v[i]; }
    auto sum() const -> decltype(v[0] + this->last) { return v[0] + v[1]; }
    auto front() -> decltype(first) { return first; }
    auto more() -> decltype(inherited + 1L) { return sizeof(inherited + 1L); }
};

kernel void members_types(global int *out)
{
    Vector<int> v;
    v.at(1) = 3;
    v.front() = 4;
    out[0] = v.sum();
    out[1] = v.bytes;
    out[2] = v.more();
    out[3] = v.next;
    out[4] = __is_same(decltype(v.more()), long);
}

kernel void qualifiers(global int *out)
{
    int a[2] = {1, 2};
    out[0] = second(&a);
    int *p = &a[1];
    int **pp = &p;
    *p = 3;
    out[1] = through(pp);
    int m[2][2] = {{4, 5}, {1, 2}};
    out[2] = of_matrix(m, 1);
    a[0] = 5;
    out[3] = of_reference(a);
    out[4] = Read{4}.times(2);
    Accumulator acc{6};
    out[5] = acc.twice(0).sum;
}
