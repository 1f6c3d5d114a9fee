// From coordinates to texels: the addressing modes of the specification ("Image Addressing and
// Filtering" in OpenCL C), one dimension at a time. A sampler's bits are, as a rule, a
// specialization constant.

#define ADDRESSING(sampler) ((sampler) & 14)
#define IS_LINEAR(sampler) (((sampler) & CLK_FILTER_LINEAR) != 0)

// Some index outside of every image.
#define OUTSIDE (-1)

// Sizes are exact as float where they are at most 2^24; coordinates that are NaN go to an edge.
static int to_index(float u, int size) {
    return (int)fmin(fmax(u, -1.0f), (float)size);
}

static float scaled(float s, int size, uint sampler) {
    return (sampler & CLK_NORMALIZED_COORDS_TRUE) != 0 ? s * (float)size : s;
}

// Integer coordinates: in range, or of samplers that clamp to the border any index.
static int index_of(int i, int size, uint sampler) {
    return ADDRESSING(sampler) == CLK_ADDRESS_CLAMP ? i : clamp(i, 0, size - 1);
}

// Is such an index in range?
static bool is_inside(int i, int size, uint sampler) {
    return ADDRESSING(sampler) != CLK_ADDRESS_CLAMP || (uint)i < (uint)size;
}

// Such an index in range, and `outside` for one that is not.
static int index_or(int outside, int i, int size, uint sampler) {
    return is_inside(i, size, sampler) ? i : outside;
}

static float mirrored(float s) {
    return fabs(s - 2.0f * rint(0.5f * s));
}

// The nearest texel to a coordinate, as `index_of`.
static int nearest(float s, int size, uint sampler) {
    switch (ADDRESSING(sampler)) {
    case CLK_ADDRESS_REPEAT: {
        int i = to_index(floor((s - floor(s)) * (float)size), size);
        return i > size - 1 ? i - size : max(i, 0);
    }
    case CLK_ADDRESS_MIRRORED_REPEAT:
        return clamp(to_index(floor(mirrored(s) * (float)size), size), 0, size - 1);
    default:
        return index_of(to_index(floor(scaled(s, size, sampler)), size), size, sampler);
    }
}

// The texels on both sides of a coordinate, each in range or `OUTSIDE`, and the weight of the second.
static float between(float s, int size, uint sampler, int2 *texels) {
    float u;
    switch (ADDRESSING(sampler)) {
    case CLK_ADDRESS_REPEAT: {
        u = (s - floor(s)) * (float)size - 0.5f;
        int i = to_index(floor(u), size);
        *texels = (int2)(i < 0 ? i + size : min(i, size - 1), i + 1 > size - 1 ? 0 : i + 1);
        break;
    }
    case CLK_ADDRESS_MIRRORED_REPEAT: {
        u = mirrored(s) * (float)size - 0.5f;
        int i = to_index(floor(u), size);
        *texels = clamp((int2)(i, i + 1), 0, size - 1);
        break;
    }
    default: {
        u = scaled(s, size, sampler) - 0.5f;
        // Two beyond each edge are as good as further ones.
        int i = (int)fmin(fmax(floor(u), -2.0f), (float)size);
        *texels = (int2)(index_of(i, size, sampler), index_of(i + 1, size, sampler));
        texels->x = index_or(OUTSIDE, texels->x, size, sampler);
        texels->y = index_or(OUTSIDE, texels->y, size, sampler);
    }
    }
    return u - floor(u);
}

// Arrays have no addressing modes: the nearest layer.
static int layer_of(float s, int size) {
    return clamp(to_index(rint(s), size), 0, size - 1);
}
