// options: -cl-std=c++
// run: kernel=counts global=64 local=16 arg=zeros:i32:8 arg=buffer:i32:2,1,0,-1
// expect: 0 i32:64,2016,63,-63,63,0,4,1
// expect: 1 i32:66,65,64,63
// run: kernel=values global=1 arg=zeros:i32:16
// expect: 0 i32:7,7,9,9,1,9,11,0,11,3,12,11,2,0,1,5

#include <opencl_atomic>
#include <opencl_memory>
#include <opencl_synchronization>
#include <opencl_work_item>

using namespace cl;

kernel void counts(global_ptr<atomic_int[]> out, global<atomic<int>> *more)
{
    int i = get_global_id(0);
    out[0]++;
    out[1].fetch_add(i);
    out[2].fetch_max(i, memory_order_relaxed, memory_scope_device);
    atomic_fetch_min(&out[3], -i);
    out[4] |= i;
    out[5].fetch_xor(i);
    local<atomic_uint> of_group;
    if (get_local_id(0) == 0)
        of_group = 0;
    work_group_barrier(mem_fence::local);
    of_group += 1;
    work_group_barrier(mem_fence::local);
    if (get_local_id(0) == 0 && of_group.load() == 16)
        out[6].fetch_add(1);
    atomic_fence(mem_fence::global, memory_order_acq_rel, memory_scope_work_group);
    static_assert(sizeof(atomic_int) == 4, "as the host has it");
    out[7] = 1;
    for (int k = 0; k < 4; k++)
        more[k].fetch_add(1, memory_order_relaxed, memory_scope_device);
}

global<atomic<uint>> counter{9};

kernel void values(global_ptr<int[]> out)
{
    atomic<int> own{7};
    out[0] = own;
    out[1] = own.exchange(9);
    out[2] = own.load(memory_order_relaxed, memory_scope_work_item);
    int expected = 9;
    bool done = own.compare_exchange_strong(expected, 11);
    out[3] = expected;
    out[4] = done;
    done = own.compare_exchange_strong(expected, 12, memory_order_acq_rel, memory_order_relaxed, memory_scope_device);
    out[5] = counter.load();
    out[6] = expected;
    out[7] = done;
    out[8] = own.load();
    atomic_float real{1.5f};
    real.store(3.0f);
    out[9] = real.load();
    out[10] = ++own;
    out[11] = --own;
    atomic_flag flag{false};
    out[12] = flag.test_and_set() ? 1 : 2;
    flag.clear();
    out[13] = atomic_flag_test_and_set(&flag);
    out[14] = flag.test_and_set();
    atomic_store(&own, 5);
    out[15] = atomic_load(&own);
}
