// Sub-group functions that are made of others.

#define EACH_TYPE(T, TAG)                                                               \
    T sub_group_shuffle_xor_##TAG(T x, uint mask) {                                     \
        return sub_group_shuffle(x, get_sub_group_local_id() ^ mask);                   \
    }                                                                                   \
    T sub_group_shuffle_up_##TAG(T x, uint delta) {                                     \
        return sub_group_shuffle(x, get_sub_group_local_id() - delta);                  \
    }                                                                                   \
    T sub_group_shuffle_down_##TAG(T x, uint delta) {                                   \
        return sub_group_shuffle(x, get_sub_group_local_id() + delta);                  \
    }                                                                                   \
    /* The data some lanes further up or down: of one block, or of the other that goes on there. */ \
    static T shifted_##TAG(T current, T other, uint lane) {                             \
        uint size = get_max_sub_group_size();                                           \
        T here = sub_group_shuffle(current, lane & (size - 1));                         \
        T there = sub_group_shuffle(other, lane & (size - 1));                          \
        return lane < size ? here : there;                                              \
    }                                                                                   \
    T intel_sub_group_shuffle_down_##TAG(T current, T next, uint delta) {               \
        return shifted_##TAG(current, next, get_sub_group_local_id() + delta);          \
    }                                                                                   \
    T intel_sub_group_shuffle_up_##TAG(T previous, T current, uint delta) {             \
        return shifted_##TAG(current, previous, get_sub_group_local_id() - delta);      \
    }                                                                                   \
    T sub_group_clustered_rotate_##TAG(T x, int delta, uint cluster) {                  \
        uint id = get_sub_group_local_id(), last = cluster - 1;                         \
        return sub_group_shuffle(x, (id & ~last) | ((id + (uint)delta) & last));        \
    }                                                                                   \
    T sub_group_rotate_##TAG(T x, int delta) {                                          \
        return sub_group_clustered_rotate_##TAG(x, delta, get_max_sub_group_size());    \
    }                                                                                   \
    int all_equal_##TAG(T x) {                                                          \
        return sub_group_non_uniform_all(x == sub_group_broadcast_first(x));            \
    }

EACH_TYPE(char, i8)
EACH_TYPE(uchar, u8)
EACH_TYPE(short, i16)
EACH_TYPE(ushort, u16)
EACH_TYPE(int, i32)
EACH_TYPE(uint, u32)
EACH_TYPE(long, i64)
EACH_TYPE(ulong, u64)
EACH_TYPE(half, f16)
EACH_TYPE(float, f32)
EACH_TYPE(double, f64)

// Truth values are 0 and 1, and so is the lowest bit of each identity that a scan may give.
#define LOGICAL(HOW)                                                                    \
    int HOW##_logical_and_i32(int p) {                                                  \
        return sub_group_non_uniform_##HOW##_min((uint)(p != 0)) & 1;                   \
    }                                                                                   \
    int HOW##_logical_or_i32(int p) {                                                   \
        return sub_group_non_uniform_##HOW##_max((uint)(p != 0)) & 1;                   \
    }                                                                                   \
    int HOW##_logical_xor_i32(int p) {                                                  \
        return sub_group_non_uniform_##HOW##_xor((uint)(p != 0));                       \
    }

LOGICAL(reduce)
LOGICAL(scan_inclusive)
LOGICAL(scan_exclusive)

// Of a ballot the bits of the item's cluster, which is a constant.
static ulong2 of_cluster(uint4 ballot, uint cluster) {
    uint start = get_sub_group_local_id() & ~(cluster - 1);
    ulong2 words = as_ulong2(ballot);
    if (cluster > 64)
        return words;
    ulong ones = cluster < 64 ? (1UL << cluster) - 1 : ~0UL;
    return (ulong2)((start < 64 ? words.x : words.y) >> (start & 63) & ones, 0);
}

int clustered_logical_and_i32(int p, uint cluster) {
    ulong2 no = of_cluster(sub_group_ballot(p == 0), cluster);
    return (no.x | no.y) == 0;
}

int clustered_logical_or_i32(int p, uint cluster) {
    return !clustered_logical_and_i32(!p, cluster);
}

int clustered_logical_xor_i32(int p, uint cluster) {
    ulong2 yes = of_cluster(sub_group_ballot(p), cluster);
    return (int)((popcount(yes.x) + popcount(yes.y)) & 1);
}

// Ballots: bit i of the four words is lane i.

static uint4 below(uint n) {
    uint4 ones = min(sub_sat((uint4)(n), (uint4)(0, 32, 64, 96)), (uint4)(32));
    return select(((uint4)(1) << ones) - (uint4)(1), (uint4)(0xffffffff), ones == (uint4)(32));
}

static uint4 lanes(void) { return below(get_max_sub_group_size()); }

uint4 get_sub_group_lt_mask_u32x4(void) { return below(get_sub_group_local_id()); }
uint4 get_sub_group_le_mask_u32x4(void) { return below(get_sub_group_local_id() + 1); }
uint4 get_sub_group_gt_mask_u32x4(void) {
    return lanes() & ~get_sub_group_le_mask_u32x4();
}
uint4 get_sub_group_ge_mask_u32x4(void) {
    return lanes() & ~get_sub_group_lt_mask_u32x4();
}
uint4 get_sub_group_eq_mask_u32x4(void) {
    return get_sub_group_le_mask_u32x4() & ~get_sub_group_lt_mask_u32x4();
}

static uint count(uint4 v) {
    uint4 n = popcount(v);
    return n.x + n.y + n.z + n.w;
}

int ballot_bit_extract_i32x4(uint4 v, uint lane) {
    uint word = lane < 64 ? (lane < 32 ? v.x : v.y) : (lane < 96 ? v.z : v.w);
    return (int)(word >> (lane & 31) & 1);
}
int inverse_ballot_i32x4(uint4 v) {
    return ballot_bit_extract_i32x4(v, get_sub_group_local_id());
}
uint ballot_bit_count_u32x4(uint4 v) { return count(v & lanes()); }
uint ballot_inclusive_scan_u32x4(uint4 v) { return count(v & get_sub_group_le_mask_u32x4()); }
uint ballot_exclusive_scan_u32x4(uint4 v) { return count(v & get_sub_group_lt_mask_u32x4()); }
uint ballot_find_lsb_u32x4(uint4 v) {
    v &= lanes();
    if (v.x) return ctz(v.x);
    if (v.y) return 32 + ctz(v.y);
    return v.z ? 64 + ctz(v.z) : 96 + ctz(v.w);
}
uint ballot_find_msb_u32x4(uint4 v) {
    v &= lanes();
    if (v.w) return 127 - clz(v.w);
    if (v.z) return 95 - clz(v.z);
    return v.y ? 63 - clz(v.y) : 31 - clz(v.x);
}
