// options: -cl-std=c++
// run: kernel=all global=1 arg=zeros:i32:12
// expect: 0 i32:1,2,3,4,5,6,7
#include <opencl_memory>
#include <opencl_work_item>
#include <opencl_integer>
#include <opencl_geometric>
#include <opencl_atomic>
#include <opencl_type_traits>
using namespace cl;
namespace mine {
struct V { int x, y; };
int dot(const V &a, const V &b) { return a.x * b.x + a.y * b.y; }
}
int max(int a, int b) { return 100; }
float sq(float4 v) { return dot(v, v); }
struct S { int a; int cl_max() { return max(1, 2); } };
local<int> pl;
template <class T> struct Acc {
    local_ptr<T> p;
    Acc(local_ptr<T> q) : p(q) {}
    void add(T x) { *p += x; }
};
template <class T, class F> void each(global_ptr<T[]> p, size_t n, F f) { for (size_t i = 0; i < n; i++) f(p[i]); }
[[cl::required_work_group_size(1, 1, 1)]] kernel void all(global_ptr<int[]> out)
{
    mine::V v{1, 0}, w{1, 5};
    out[0] = dot(v, w);
    pl = 1;
    Acc<int> acc(pl.ptr());
    acc.add(1);
    out[1] = pl;
    local<int> init{3};
    out[2] = init;
    out[3] = sq(float4(1.0f));
    [[cl::unroll_hint(2)]] for (int i = 0; i < 5; i++) out[4] = i + 1;
    int sum = 0;
    each(out, 3, [&](int &x) { sum += x; });
    out[5] = sum;
    S s{1};
    out[6] = s.cl_max() / 100 + 6;
}
