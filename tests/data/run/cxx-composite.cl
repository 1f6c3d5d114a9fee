// options: -cl-std=CLC++2021
// run: kernel=common global=1 arg=zeros:i32:6
// expect: 0 i32:1,1,1,20,10,1

// The type of `c ? a : b` for pointers whose types differ in qualifiers and, at the first level, in address spaces.
template <class A, class B> using common_of = decltype(true ? A() : B());
template <class A, class B> constexpr bool is = __is_same(A, B);

int inner(const int *const *p) { return **p; }

kernel void common(global int *out)
{
    int x = 10;
    const int y = 20;
    int *p = &x;
    const int *q = &y;
    int **first = &p;
    const int **second = &q;
    out[0] = is<common_of<global int *constant *, const global int *constant *>, const global int *const constant *>;
    out[1] = is<common_of<const global int *, generic int *>, const generic int *>;
    out[2] = is<common_of<int **, const int **>, const int *const *>;
    out[3] = inner(out[0] ? second : first);
    out[4] = **(out[0] ? first : second);
    out[5] = first != second;
}
