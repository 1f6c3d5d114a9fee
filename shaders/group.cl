// Work-group functions. With sub-groups: each reduces its own items, then every item combines the
// sums of all sub-groups, in their order, so that all get the same result. Without: a scan by doubling
// distances in local memory. A barrier at the end keeps the next call from writing too early.

#ifdef CALDERA_SUB_GROUPS
#define SUMS CALDERA_SUB_GROUPS
#else
#define SUMS CALDERA_GROUP_SIZE
#endif

// All functions share this room, by the size of a sum.
static local uint *words(void) {
    local uint sums[SUMS];
    return sums;
}
static local ulong *double_words(void) {
    local ulong sums[SUMS];
    return sums;
}
#define ROOM_i32 words
#define ROOM_u32 words
#define ROOM_f32 words
#define ROOM_i64 double_words
#define ROOM_u64 double_words
#define ROOM_f64 double_words

#ifdef CALDERA_SUB_GROUPS
// *inclusive and *exclusive: of the items up to this one, before it. The result: of all.
#define COLLECTIVE(T, TAG, OP, IDENTITY, COMBINE)                                       \
    static T scan_##OP##_##TAG(T x, T *inclusive, T *exclusive) {                       \
        local T *sums = (local T *)ROOM_##TAG();                                        \
        uint count = get_num_sub_groups(), own = get_sub_group_id();                    \
        T sum = sub_group_non_uniform_reduce_##OP(x);                                   \
        if (get_sub_group_local_id() == 0) sums[own] = sum;                             \
        barrier(CLK_LOCAL_MEM_FENCE);                                                   \
        T before = IDENTITY, all = IDENTITY;                                            \
        for (uint i = 0; i < count; i++) {                                              \
            before = i == own ? all : before;                                           \
            all = COMBINE(all, sums[i]);                                                \
        }                                                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                   \
        *inclusive = COMBINE(before, sub_group_non_uniform_scan_inclusive_##OP(x));     \
        *exclusive = COMBINE(before, sub_group_non_uniform_scan_exclusive_##OP(x));     \
        return all;                                                                     \
    }                                                                                   \
    FUNCTIONS(T, TAG, OP)
#else
#define COLLECTIVE(T, TAG, OP, IDENTITY, COMBINE)                                       \
    static T scan_##OP##_##TAG(T x, T *inclusive, T *exclusive) {                       \
        local T *sums = (local T *)ROOM_##TAG();                                        \
        uint id = (uint)get_local_linear_id();                                          \
        uint count = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)); \
        sums[id] = x;                                                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                                   \
        for (uint step = 1; step < count; step *= 2) {                                  \
            T below = IDENTITY;                                                         \
            if (id >= step) below = sums[id - step];                                    \
            barrier(CLK_LOCAL_MEM_FENCE);                                               \
            sums[id] = COMBINE(below, sums[id]);                                        \
            barrier(CLK_LOCAL_MEM_FENCE);                                               \
        }                                                                               \
        T all = sums[count - 1], before = IDENTITY;                                     \
        if (id > 0) before = sums[id - 1];                                              \
        *inclusive = sums[id];                                                          \
        *exclusive = before;                                                            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                   \
        return all;                                                                     \
    }                                                                                   \
    FUNCTIONS(T, TAG, OP)
#endif

#define FUNCTIONS(T, TAG, OP)                                                           \
    T reduce_##OP##_##TAG(T x) {                                                        \
        T inclusive, exclusive;                                                         \
        return scan_##OP##_##TAG(x, &inclusive, &exclusive);                            \
    }                                                                                   \
    T scan_inclusive_##OP##_##TAG(T x) {                                                \
        T inclusive, exclusive;                                                         \
        scan_##OP##_##TAG(x, &inclusive, &exclusive);                                   \
        return inclusive;                                                               \
    }                                                                                   \
    T scan_exclusive_##OP##_##TAG(T x) {                                                \
        T inclusive, exclusive;                                                         \
        scan_##OP##_##TAG(x, &inclusive, &exclusive);                                   \
        return exclusive;                                                               \
    }

#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))

#define ARITHMETIC(T, TAG, LOWEST, HIGHEST, MIN, MAX)                                   \
    COLLECTIVE(T, TAG, add, (T)0, ADD)                                                  \
    COLLECTIVE(T, TAG, mul, (T)1, MUL)                                                  \
    COLLECTIVE(T, TAG, min, HIGHEST, MIN)                                               \
    COLLECTIVE(T, TAG, max, LOWEST, MAX)

#define BITS(T, TAG)                                                                    \
    COLLECTIVE(T, TAG, and, (T)~(T)0, AND)                                              \
    COLLECTIVE(T, TAG, or, (T)0, OR)                                                    \
    COLLECTIVE(T, TAG, xor, (T)0, XOR)

ARITHMETIC(int, i32, INT_MIN, INT_MAX, min, max)
ARITHMETIC(uint, u32, 0, UINT_MAX, min, max)
ARITHMETIC(long, i64, LONG_MIN, LONG_MAX, min, max)
ARITHMETIC(ulong, u64, 0, ULONG_MAX, min, max)
ARITHMETIC(float, f32, -INFINITY, INFINITY, fmin, fmax)
ARITHMETIC(double, f64, -(double)INFINITY, (double)INFINITY, fmin, fmax)
BITS(int, i32)
BITS(uint, u32)
BITS(long, i64)
BITS(ulong, u64)

// Truth values are 0 and 1, and so is the lowest bit of each identity that a scan may give.
#define LOGICAL(HOW)                                                                    \
    int HOW##_logical_and_i32(int p) { return HOW##_min_i32(p != 0) & 1; }              \
    int HOW##_logical_or_i32(int p) { return HOW##_max_i32(p != 0) & 1; }               \
    int HOW##_logical_xor_i32(int p) { return HOW##_xor_i32(p != 0); }

LOGICAL(reduce)
LOGICAL(scan_inclusive)
LOGICAL(scan_exclusive)

#define BROADCAST(T, TAG)                                                               \
    T broadcast_xyz_##TAG(T x, size_t i, size_t j, size_t k) {                          \
        local T value;                                                                  \
        if (get_local_id(0) == i && get_local_id(1) == j && get_local_id(2) == k)       \
            value = x;                                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                   \
        T result = value;                                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                   \
        return result;                                                                  \
    }                                                                                   \
    T broadcast_xy_##TAG(T x, size_t i, size_t j) {                                     \
        return broadcast_xyz_##TAG(x, i, j, 0);                                         \
    }                                                                                   \
    T broadcast_x_##TAG(T x, size_t i) { return broadcast_xyz_##TAG(x, i, 0, 0); }

BROADCAST(int, i32)
BROADCAST(uint, u32)
BROADCAST(long, i64)
BROADCAST(ulong, u64)
BROADCAST(float, f32)
BROADCAST(double, f64)
