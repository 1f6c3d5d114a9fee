// options: -cl-std=c++ -cl-zero-init-local-mem-vars
// run: kernel=zeros global=4 local=4 arg=buffer:i32:1,1,1,1
// expect: 0 i32:0,7,0,0

#include <opencl_memory>
#include <opencl_synchronization>
#include <opencl_work_item>

using namespace cl;

kernel void zeros(global_ptr<int[]> out)
{
    local<int[4]> a;
    local<int> b{7};
    size_t i = get_local_id(0);
    out[i] = a[i] + (i == 1 ? b : 0);
}
