// Ordinary programs: what most of the source that comes here looks like.
#define TILE 16
#define INDEX(i, j, n) ((i) * (n) + (j))

typedef struct {
    float4 position;
    float4 velocity;
    float mass;
} Body;

typedef unsigned char byte;

__constant float weights[9] = {
    1.0f / 16, 2.0f / 16, 1.0f / 16,
    2.0f / 16, 4.0f / 16, 2.0f / 16,
    1.0f / 16, 2.0f / 16, 1.0f / 16,
};

/* Adds the attraction of one body on another. */
static inline float4 attract(const float4 here, const float4 there, float mass, float softening)
{
    float4 d = there - here;
    float r2 = d.x * d.x + d.y * d.y + d.z * d.z + softening;
    float inverse = rsqrt(r2);
    return d * (mass * inverse * inverse * inverse);
}

__kernel void nbody(__global const Body *restrict in, __global Body *restrict out,
                    __local float4 *shared, const int count, const float step)
{
    const int i = get_global_id(0), local_index = get_local_id(0);
    float4 acceleration = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
    Body body = in[i];
    for (int tile = 0; tile < count; tile += get_local_size(0)) {
        shared[local_index] = (float4)(in[tile + local_index].position.xyz, in[tile + local_index].mass);
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll 4
        for (int j = 0; j < (int)get_local_size(0); ++j)
            acceleration += attract(body.position, (float4)(shared[j].xyz, 0), shared[j].w, 1e-6f);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    body.velocity += acceleration * step;
    body.position += body.velocity * step;
    out[i] = body;
}

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul(__global const float *a, __global const float *b, __global float *c, uint n)
{
    __local float tile_a[TILE][TILE], tile_b[TILE][TILE + 1];
    uint row = get_global_id(1), col = get_global_id(0);
    uint y = get_local_id(1), x = get_local_id(0);
    float sum = 0;
    for (uint t = 0; t < n / TILE; t++) {
        tile_a[y][x] = a[INDEX(row, t * TILE + x, n)];
        tile_b[y][x] = b[INDEX(t * TILE + y, col, n)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++)
            sum = mad(tile_a[y][k], tile_b[k][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[INDEX(row, col, n)] = sum;
}

kernel void blur(read_only image2d_t source, write_only image2d_t target)
{
    const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    if (at.x >= get_image_width(source) || at.y >= get_image_height(source))
        return;
    float4 color = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            float w = weights[(dy + 1) * 3 + dx + 1];
            color += w * read_imagef(source, nearest, at + (int2)(dx, dy));
        }
    }
    write_imagef(target, at, color);
}

uint rotate_left(uint x, uint n) { return (x << n) | (x >> (32 - n)); }

kernel void hash(global const byte *data, global uint *result, ulong length)
{
    uint h = 0x811C9DC5u, i = 0;
    while (i < length) {
        switch (data[i] & 3) {
        case 0:
            h ^= data[i];
            break;
        case 1:
        case 2:
            h = rotate_left(h, 5) ^ (uint)data[i] * 0x01000193;
            break;
        default:
            if (h & 1) h >>= 1;
            else if (h & 2) h += i;
            else { h = ~h; }
        }
        i++;
    }
    do {
        h = (h ^ (h >> 16)) * 0x85EBCA6B;
    } while (h == 0);
    atomic_xor(&result[get_group_id(0)], h != 0 ? h : !h);
}
