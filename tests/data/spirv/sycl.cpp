// What sycl.spvasm is made of: DPC++ 2026.2 compiles it when a program hands it to SYCL's run-time compiler
// (create_kernel_bundle_from_source with source_language::sycl), and SYCL hands the module to clCreateProgramWithIL.
#include <sycl/sycl.hpp>
namespace free_functions = sycl::ext::oneapi::experimental;
using namespace sycl::ext::oneapi::this_work_item;
#define KERNEL extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((free_functions::nd_range_kernel<1>))

struct Line {
    int slope;
    float offset;
    template <typename T> T at(T x) const { return x * slope + T(offset); }
};

// One number for each work-item, by a function object, and their sum by the group's reduction.
template <typename F> void sum_of(int *sums, F value) {
    auto item = get_nd_item<1>();
    int sum = sycl::reduce_over_group(item.get_group(), value(item.get_global_id(0)), sycl::plus<>());
    if (item.get_local_id(0) == 0) sums[item.get_group(0)] = sum;
}
KERNEL void dot(const int *a, const int *b, int *sums, int count) {
    sum_of(sums, [=](size_t i) { return i < count ? a[i] * b[i] : 0; });
}
KERNEL void lines(const float *x, float *y, Line line) {
    size_t i = get_nd_item<1>().get_global_id(0);
    sycl::float4 all{line.at(x[i]), line.at(1.0f), sycl::sqrt(x[i]), sycl::fmax(x[i], 4.0f)};
    y[i] = sycl::dot(all, sycl::float4(1, 2, 3, 4));
}
// Local memory that is an argument.
KERNEL void reverse(int *data, free_functions::work_group_memory<int[]> room) {
    auto item = get_nd_item<1>();
    size_t i = item.get_local_id(0), n = item.get_local_range(0);
    room[i] = data[item.get_global_id(0)];
    sycl::group_barrier(item.get_group());
    data[item.get_global_id(0)] = room[n - 1 - i];
}
KERNEL void running(const int *data, int *sums, int *largest) {
    auto item = get_nd_item<1>();
    size_t i = item.get_global_id(0);
    sums[i] = sycl::inclusive_scan_over_group(item.get_group(), data[i], sycl::plus<>());
    bool some = sycl::any_of_group(item.get_group(), data[i] < 0);
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*largest).fetch_max(some ? -1 : data[i]);
}
// Lanes of a sub-group, whatever its size: each gives its neighbour what it has.
KERNEL void pairs(const long *data, long *out) {
    size_t i = get_nd_item<1>().get_global_id(0);
    out[i] = sycl::permute_group_by_xor(get_sub_group(), data[i], 1) * 10 + sycl::popcount(data[i]);
}
