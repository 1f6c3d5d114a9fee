// options: -cl-std=c++
// run: kernel=math global=1 arg=buffer:f32:4,0.25,-2.5,3 arg=zeros:f32:12
// expect: 1 f32:2,5,3.25,-2,0.5,2.5,4,25,2,0,3.1415927,2.5
// run: kernel=relations global=1 arg=zeros:i32:16
// expect: 0 i32:1,0,1,0,1,0,1,0,1,10,2,30,1,-1,0,4
// run: kernel=conversions global=1 arg=buffer:f32:2.5,-3.7,300.5,1 arg=zeros:i32:16
// expect: 1 i32:2,-3,300,1,2,0,255,1,3,-3,301,1,1065353216,0,3,-4
// run: kernel=vectors global=1 arg=buffer:f32:1,2,3,4,5,6,7,8 arg=zeros:f32:12
// expect: 1 f32:5,6,7,8,4,3,2,1,10,3,0,0
// run: kernel=groups global=8 local=8 arg=buffer:i32:3,1,7,0,4,1,6,3 arg=zeros:i32:40
// expect: 1 i32:3,4,11,11,15,16,22,25,0,3,4,11,11,15,16,22,25,25,25,25,25,25,25,25,7,7,7,7,7,7,7,7,10,11,11,11,11,11,11,11
// run: kernel=words global=1 arg=buffer:i32:255,16 arg=zeros:i32:8
// expect: 1 i32:24,8,4080,255,16,239,271,4
// run: kernel=halves global=1 arg=buffer:i16:0x3c00,0x4000,0x4200,0x4400 arg=zeros:i16:4 arg=zeros:f32:4
// expect: 1 i16:0x4400,0x4200,0x4000,0x3c00
// expect: 2 f32:1,2,3,4
// run: kernel=says global=1
// printed: 7 is 7\n

#include <opencl_common>
#include <opencl_convert>
#include <opencl_geometric>
#include <opencl_integer>
#include <opencl_math>
#include <opencl_math_constants>
#include <opencl_memory>
#include <opencl_printf>
#include <opencl_reinterpret>
#include <opencl_relational>
#include <opencl_vector_load_store>
#include <opencl_work_group>
#include <opencl_work_item>

using namespace cl;

kernel void math(global_ptr<const float[]> in, global_ptr<float[]> out)
{
    out[0] = sqrt(in[0]);
    float4 v = float4(in[0], in[3], 0.0f, 0.0f);
    out[1] = length(v);
    out[2] = fma(in[3], 1.0f, in[1]);
    out[3] = trunc(in[2]);
    out[4] = cl::clamp(in[0], 0.0f, 0.5f);
    out[5] = fabs(in[2]);
    out[6] = max(in[0], in[3]);
    out[7] = dot(v, v);
    out[8] = native::sqrt(in[0]);
    float whole;
    out[9] = fract(in[3], &whole);
    out[10] = pi_v<float>;
    out[11] = half_math::divide(in[2], -1.0f);
}

kernel void relations(global_ptr<int[]> out)
{
    float4 a{1.0f, 2.0f, 3.0f, 4.0f};
    float4 b(3.0f, 2.0f, 1.0f, 4.0f);
    bool4 less = a < b;
    out[0] = less.x;
    out[1] = less.y;
    bool4 equal = isequal(a, b);
    out[2] = equal.w;
    out[3] = equal.x;
    out[4] = any(less);
    out[5] = all(equal);
    out[6] = all(less || equal || !less);
    bool one = isless(2.0f, 1.0f);
    out[7] = one;
    out[8] = sizeof(bool4) == 4 && sizeof(bool3) == 4;
    int4 chosen = select(int4(10, 20, 30, 40), int4(1, 2, 3, 4), equal);
    out[9] = chosen.x;
    out[10] = chosen.y;
    out[11] = chosen.z;
    out[12] = isnan(nan(0u));
    out[13] = select(1, -1, true);
    bool4 copy = less;
    copy.x = false;
    out[14] = any(copy);
    equal = bool4(true);
    out[15] = equal.x + equal.y + equal.z + equal.w;
}

kernel void conversions(global_ptr<const float[]> in, global_ptr<int[]> out)
{
    float4 f = vload<4>(0, in.get());
    vstore(convert_cast<int4>(f), 0, out.get());
    uchar4 bytes = convert_cast<uchar4, saturate::on>(f);
    vstore(convert_cast<int4>(bytes), 1, out.get());
    vstore(convert_cast<int4, rounding_mode::rtp>(f), 2, out.get());
    out[12] = as_type<int>(in[3]);
    out[13] = convert_cast<int, rounding_mode::rte>(0.5f);
    out[14] = convert_cast<int, rounding_mode::rtp, saturate::on>(in[0]);
    out[15] = convert_cast<int, rounding_mode::rtn, saturate::on>(in[1]);
}

kernel void vectors(global_ptr<const float[]> in, global_ptr<float[]> out)
{
    float4 second = vload<4>(1, in.get());
    vstore(second, 0, out.get());
    float4 first = vload<4>(0, in.get());
    vstore(first.wzyx, 1, out.get());
    static_assert(vector_size<float3>::value == 3 && vector_size<int>::value == 1, "lanes");
    static_assert(is_same<vector_element_t<uchar16>, uchar>::value, "element");
    static_assert(is_same<make_vector_t<bool, 2>, bool2>::value, "vector");
    static_assert(is_same<make_unsigned_t<int4>, uint4>::value, "sign");
    static_assert(is_same<common_type_t<int, float>, float>::value, "common");
    out[8] = dot(first, float4(1.0f));
    out[9] = first.rgba.b;
}

kernel void groups(global_ptr<const int[]> in, global_ptr<int[]> out)
{
    size_t i = get_local_id(0);
    out[i] = work_group_scan_inclusive<work_group_op::add>(in[i]);
    out[8 + i] = work_group_scan_exclusive<work_group_op::add>(in[i]);
    out[16 + i] = work_group_reduce<work_group_op::add>(in[i]);
    out[24 + i] = work_group_reduce<work_group_op::max>(in[i]);
    bool all = work_group_all(in[i] >= 0), any = work_group_any(in[i] == 7);
    int second = work_group_broadcast(in[i], 1);
    out[32 + i] = 10 * (all && any) + (i > 0 ? second : 0);
}

kernel void words(global_ptr<const uint[]> in, global_ptr<uint[]> out)
{
    out[0] = clz(in[0]);
    out[1] = popcount(in[0]);
    out[2] = mul24(in[0], in[1]);
    out[3] = max(in[0], in[1]);
    out[4] = min(in[0], in[1]);
    out[5] = abs_diff(in[0], in[1]);
    out[6] = add_sat(in[0], in[1]);
    out[7] = ctz(in[1]);
}

kernel void halves(global_ptr<const half> in, global_ptr<half> out, global_ptr<float[]> floats)
{
    float4 f = vload_half<4>(0, in.get());
    vstore_half<rounding_mode::rte>(f.wzyx, 0, out.get());
    vstore(f, 0, floats.get());
}

kernel void says()
{
    printf("%d is %d\n", 7, 7);
}
