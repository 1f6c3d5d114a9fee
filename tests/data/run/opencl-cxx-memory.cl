// options: -cl-std=c++
// run: kernel=scale global=4 arg=buffer:i32:1,2,3,4 arg=i32:3
// expect: 0 i32:3,6,9,12
// run: kernel=pointers global=1 arg=buffer:i32:5,6,7,8 arg=zeros:i32:16
// expect: 1 i32:5,6,7,8,6,3,1,1,0,1,42,7,5,1,8,8
// run: kernel=objects global=1 arg=zeros:i32:12
// expect: 0 i32:11,12,3,40,5,6,70,8,9,3,2,21
// run: kernel=shared global=4 local=4 arg=count:i32:4 arg=zeros:i32:4 arg=local:16
// expect: 1 i32:3,2,1,0
// run: kernel=by_reference global=2 arg=buffer:i32:1 arg=buffer:i32:2,3,4 arg=zeros:i32:2
// expect: 2 i32:10,0
// run: kernel=spaces global=1 arg=zeros:i32:8
// expect: 0 i32:1,0,1,0,1,0,2,1

#include <opencl_memory>
#include <opencl_synchronization>
#include <opencl_work_item>

kernel void scale(cl::global_ptr<int[]> data, int by)
{
    const size_t i = cl::get_global_id(0);
    data[i] *= by;
}

using namespace cl;

static int first(const int *p) { return *p; }

kernel void pointers(global_ptr<int> in, global_ptr<int[]> out)
{
    auto p = in;
    out[0] = *p++;
    out[1] = *p;
    ++p;
    out[2] = *p;
    p += 1;
    out[3] = *p;
    p = p - 2;
    out[4] = *p;
    global_ptr<int> end(in.get() + 4);
    out[5] = end.get() - p.get();
    out[6] = end != in;
    out[7] = in == global_ptr<int>(in.get());
    out[8] = in > end;
    out[9] = in < end ? 1 : 0;
    global_ptr<int> none;
    out[10] = none ? 0 : 42;
    none = nullptr;
    if (none == nullptr)
        none.reset(in.get() + 2);
    out[11] = *none;
    int *generic = in;
    out[12] = first(generic);
    auto found = dynamic_asptr_cast<global_ptr<int>>(generic);
    out[13] = found ? 1 : 0;
    none.swap(end);
    --none;
    out[14] = *none;
    swap(none, end);
    auto same = static_asptr_cast<int>(none);
    auto bytes = reinterpret_asptr_cast<uchar>(in);
    out[15] = *(same + 1) * (bytes.get()[0] == 5);
}

struct Pair {
    int a, b;
    int sum() const { return a + b; }
    void set(int x, int y) { a = x; b = y; }
};

global<int> counter{10};
global<Pair> pair;
constant<int> three{3};
constant<int[3]> table{4, 5, 6};
static global<int[2]> numbers;

kernel void objects(global_ptr<int[]> out)
{
    counter += 1;
    out[0] = counter;
    counter++;
    out[1] = counter;
    out[2] = three;
    priv<int> own{40};
    out[3] = own;
    out[4] = table[1];
    constant_ptr<int> p = &table[2];
    out[5] = *p;
    pair.set(30, 40);
    out[6] = pair.sum();
    static global<int> kept{8};
    out[7] = kept;
    numbers[1] = 9;
    auto at = numbers + 1;
    out[8] = *at;
    constant_ptr<int> to_three = three.ptr();
    out[9] = *to_three;
    global_ptr<Pair> to_pair = pair.ptr();
    to_pair->set(1, 1);
    out[10] = (*to_pair).sum();
    auto to_counter = counter.ptr();
    *to_counter = 21;
    int &plain = counter;
    out[11] = plain;
}

kernel void shared(global_ptr<const int[]> in, global_ptr<int[]> out, local_ptr<int[]> extra)
{
    local<int[4]> staged;
    const size_t i = get_local_id(0);
    staged[i] = in[i];
    work_group_barrier(mem_fence::local);
    extra[i] = staged[3 - i];
    work_group_barrier(mem_fence::local | mem_fence::global);
    out[i] = extra[i];
}

kernel void by_reference(global<int> &one, constant<int[3]> *more, global<int> *out)
{
    if (get_global_id(0) == 0)
        out[0] = one + (*more)[0] + (*more)[1] + (*more)[2];
}

local<int> at_program_scope;

kernel void spaces(global_ptr<int[]> out)
{
    int own = 1;
    at_program_scope = 1;
    int *p = &own, *l = &at_program_scope, *g = out.get();
    out[0] = dynamic_asptr_cast<private_ptr<int>>(p) ? 1 : 0;
    out[1] = dynamic_asptr_cast<local_ptr<int>>(p) ? 1 : 0;
    out[2] = dynamic_asptr_cast<local_ptr<int>>(l) ? 1 : 0;
    out[3] = dynamic_asptr_cast<global_ptr<int>>(l) ? 1 : 0;
    out[4] = dynamic_asptr_cast<global_ptr<int>>(g) ? 1 : 0;
    out[5] = dynamic_asptr_cast<private_ptr<int>>(g) ? 1 : 0;
    out[6] = get_mem_fence(g) == mem_fence::global ? 2 : 0;
    out[7] = get_mem_fence(l) == mem_fence::local;
}
