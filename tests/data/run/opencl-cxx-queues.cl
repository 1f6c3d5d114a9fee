// options: -cl-std=c++
// run: kernel=sizes global=1 arg=zeros:i32:2
// expect: 0 i32:0,1
// run: kernel=ranges global=1 arg=zeros:i32:2
// expect: 0 i32:1,5
#include <opencl_device_queue>
#include <opencl_memory>
#include <opencl_work_item>
using namespace cl;

struct Fill {
    int value;
    void operator()(global_ptr<int[]> out) const { out[get_global_id(0)] = value; }
};

kernel void parent(device_queue q, global_ptr<int[]> out)
{
    Fill fill{7};
    auto status = q.enqueue_kernel(enqueue_policy::no_wait, ndrange(4), fill, out);
    out[4] = status == enqueue_status::success;
}

kernel void lambdas(global_ptr<int[]> out)
{
    auto q = get_default_device_queue();
    event first;
    int by = 3;
    q.enqueue_kernel(enqueue_policy::wait_kernel, 0, nullptr, &first, ndrange({2, 2}),
                     [=](global_ptr<int[]> to) { to[get_global_id(0)] += by; }, out);
    q.enqueue_marker(1, &first, nullptr);
    first.release();
}

kernel void sizes(global_ptr<int[]> out)
{
    event none;
    out[0] = none.is_valid();
    static_assert(is_marker_type<device_queue>::value, "base");
    out[1] = 1;
}

// What the host's ABI makes of `ndrange_t`.
struct Mirror {
    uint dimensions;
    size_t offset[3], global_size[3], local_size[3];
};

kernel void ranges(global_ptr<int[]> out)
{
    ndrange n(5);
    const Mirror *m = (const Mirror *)&n;
    out[0] = m->dimensions;
    out[1] = m->global_size[0];
}
