// options: -cl-std=c++
// run: kernel=none global=1 arg=zeros:i32:1
// expect: 0 i32:1

#include <opencl_image>
#include <opencl_memory>
#include <opencl_work_item>

using namespace cl;

sampler nearest =
    make_sampler<addressing_mode::clamp, normalized_coordinates::unnormalized, filtering_mode::nearest>();

static float4 twice(const image2d<float4, image_access::sample> &from, sampler s, int2 at)
{
    return from.sample(s, at) + from.sample(nearest, float2(at.x + 0.5f, at.y + 0.5f));
}

kernel void copy(image2d<float4, image_access::sample> from, image2d<float4, image_access::write> to, sampler s)
{
    int2 at(get_global_id(0), get_global_id(1));
    float4 sum = twice(from, s, at) + from.read(at) + float4(from[at]);
    if (at.x < to.width() && at.y < to.height())
        to.write(at, sum);
    to[at] = sum;
}

kernel void deep(image3d<int4> from, image2d_array<uint4, image_access::write> to, image1d<float4> line)
{
    int3 size = from.size();
    int3 at(get_global_id(0), get_global_id(1), 0);
    int4 texel = from.read(int3(at.xy, size.z - 1));
    to.write(at, uint4(texel.x, texel.y, line.read(at.x).x, to.array_size()));
}

kernel void none(global_ptr<int[]> out)
{
    static_assert(is_marker_type<image1d<float4>>::value, "base");
    out[0] = 1;
}
