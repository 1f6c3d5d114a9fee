// options: -cl-std=c++
// run: kernel=arrays global=2 local=2 arg=zeros:i32:12
// expect: 0 i32:2,3,5,7,17,4,7,5,3,2,1,28
// run: kernel=tuples global=1 arg=zeros:i32:10
// expect: 0 i32:1,2,3,3,7,1,0,1,5,6
// run: kernel=limits global=1 arg=zeros:i32:10
// expect: 0 i32:2147483647,-128,255,24,1,31,9,1,7,-32768
// run: kernel=iterators global=1 arg=zeros:i32:8
// expect: 0 i32:4,3,1,6,2,3,4,2
// run: kernel=lanes global=1 arg=zeros:i32:12
// expect: 0 i32:10,2,7,1,4,16,3,2,12,1,6,9
// run: kernel=wrapped global=1 arg=zeros:f32:8
// expect: 0 f32:3,4,5,2,1,5,1.5,2.25

#include <opencl_array>
#include <opencl_half>
#include <opencl_iterator>
#include <opencl_limits>
#include <opencl_memory>
#include <opencl_range>
#include <opencl_spec_constant>
#include <opencl_synchronization>
#include <opencl_tuple>
#include <opencl_utility>
#include <opencl_vec>
#include <opencl_vector_utility>
#include <opencl_work_item>

using namespace cl;

global<array<int, 2>> kept;
spec_constant<int, 1> factor{7};

kernel void arrays(global_ptr<int[]> out)
{
    array<int, 4> a = {{2, 3, 5, 7}};
    local<array<int, 2>> shared;
    if (get_local_id(0) == 0) {
        for (auto it = shared.begin(); it != shared.end(); ++it)
            *it = 0;
    }
    work_group_barrier(mem_fence::local);
    shared[get_local_id(0)] += 14;
    work_group_barrier(mem_fence::local);
    if (get_global_id(0) != 0)
        return;
    int i = 0, sum = 0;
    for (int x : a) {
        out[i++] = x;
        sum += x;
    }
    out[4] = sum;
    out[5] = a.size();
    i = 6;
    for (auto it = a.rbegin(); it != a.rend(); ++it)
        out[i++] = *it;
    kept[1] = 1;
    out[10] = kept.back();
    out[11] = shared[0] + shared[1];
}

kernel void tuples(global_ptr<int[]> out)
{
    tuple<int, float, char> t(1, 2.0f, 3);
    out[0] = get<0>(t);
    out[1] = get<1>(t);
    out[2] = get<2>(t);
    out[3] = tuple_size<decltype(t)>::value;
    get<0>(t) = 7;
    out[4] = get<int>(t);
    auto a = make_tuple(1, 2), b = make_tuple(1, 3);
    out[5] = a < b;
    out[6] = a == b;
    out[7] = a != b;
    int x, y;
    tie(x, y) = make_tuple(5, 6);
    out[8] = x;
    out[9] = y;
}

kernel void limits(global_ptr<int[]> out)
{
    out[0] = numeric_limits<int>::max();
    out[1] = numeric_limits<char>::min();
    out[2] = numeric_limits<uchar4>::max().y;
    out[3] = numeric_limits<float>::digits;
    out[4] = numeric_limits<float>::infinity() > numeric_limits<float>::max();
    out[5] = numeric_limits<int>::digits;
    out[6] = numeric_limits<uint>::digits10;
    out[7] = numeric_limits<const float>::is_iec559 && !numeric_limits<int *>::is_specialized;
    out[8] = factor.get() + 0 * get(factor);
    out[9] = numeric_limits<short>::lowest();
}

kernel void iterators(global_ptr<int[]> out)
{
    int own[] = {1, 2, 3, 4};
    auto last = rbegin(own);
    out[0] = *last;
    out[1] = *next(last);
    out[2] = *prev(rend(own));
    int sum = 0;
    for (int x : range(own, 1, 3))
        sum += x;
    out[3] = sum + 1;
    out[4] = *next(begin(own), 1);
    int a = 4, b = 3;
    swap(a, b);
    out[5] = a;
    out[6] = b;
    out[7] = distance(begin(own), end(own)) - 2;
}

kernel void lanes(global_ptr<int[]> out)
{
    int4 v(1, 2, 3, 4);
    int sum = 0;
    for (auto x : range(v))
        sum += x;
    out[0] = sum;
    out[1] = get<1>(v);
    set<1>(v, 7);
    out[2] = v.y;
    out[3] = index(v, 0);
    auto it = begin(v) + 3;
    out[4] = *it;
    *it = 8;
    it[0] += 8;
    out[5] = v.w;
    vec<int, 4> w(1, 2, 3, 4);
    int2 high = w.swizzle<2, 1>();
    out[6] = high.x;
    out[7] = high.y;
    w *= 3;
    int4 plain = w;
    out[8] = plain.w;
    bool4 same = w == vec<int, 4>(3, 6, 9, 1);
    out[9] = same.x && !same.w;
    swizzle<channel::x, channel::w>(w) = int2(6, 9);
    plain = w;
    out[10] = plain.x;
    out[11] = plain.w;
}

kernel void wrapped(global_ptr<float[]> out)
{
    fp16 a(1.0f), b(2.0f);
    out[0] = a + b;
    b += fp16(2.0f);
    out[1] = b;
    out[2] = ++b;
    out[3] = a < b ? 2.0f : 3.0f;
    out[4] = a;
    out[5] = b;
    fp16 c(1.5f);
    out[6] = c;
    out[7] = c * c;
}
