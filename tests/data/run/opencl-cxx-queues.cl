// options: -cl-std=c++
// run: kernel=ranges global=1 arg=zeros:i32:2
// expect: 0 i32:1,5
#include <opencl_device_queue>
#include <opencl_memory>
#include <opencl_work_item>
using namespace cl;

static_assert(is_marker_type<device_queue>::value && sizeof(event) == 8, "as the specification has them");

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
