// Pipes. docs/pipes.md has the layout, the algorithm and why it is right.

// Words of a pipe.
#define CAPACITY 0
#define PACKET_SIZE 1
#define POSITIONS 2
#define WRITTEN 16
#define FREED 17
#define READ 32
#define COMMITTED 33
#define MARKS 64

// Slots that are passed by one compare-exchange.
#define STEPS 32

#define DEVICE 2
#ifdef CALDERA_ORDERED_ATOMICS
#define ACQUIRE 2
#define ACQUIRE_FENCE() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, 2, DEVICE)
#define RELEASE_FENCE() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, 3, DEVICE)
#else
#define ACQUIRE 0
#define ACQUIRE_FENCE() ((void)0)
#define RELEASE_FENCE() ((void)0)
#endif

// Only in the kernel it is known in which storage buffer a pipe is.
#define INLINE __attribute__((always_inline))

INLINE static uint seen(global uint *word) {
    return atomic_load_explicit((volatile global atomic_uint *)word, ACQUIRE, DEVICE);
}

// What never changes, loaded once for an operation: loads behind atomics are new ones.
typedef struct {
    uint capacity, positions;
} shape;

INLINE static shape shape_of(global uint *pipe) {
    shape s = {pipe[CAPACITY], pipe[POSITIONS]};
    return s;
}

static uint later(shape s, uint position, uint n) {
    uint sum = position + n;
    return sum >= s.positions ? sum - s.positions : sum;
}

static uint distance_to(shape s, uint from, uint to) {
    return to >= from ? to - from : to + (s.positions - from);
}

static uint mark(uint position, bool read) { return position * 2 + (read ? 3 : 2); }

// Moves `committed`, or `freed` for marks of reads, over marked slots. Were there any?
INLINE static bool advance(global uint *pipe, shape s, bool read) {
    global uint *end = pipe + (read ? FREED : COMMITTED);
    uint from = seen(end), to = from, slot = from % s.capacity;
    __attribute__((opencl_unroll_hint(1))) for (uint i = 0; i < STEPS; i++) {
        if (seen(pipe + MARKS + slot) != mark(to, read)) break;
        to = later(s, to, 1);
        slot = slot + 1 == s.capacity ? 0 : slot + 1;
    }
    if (to != from) {
        RELEASE_FENCE();
        atomic_cmpxchg(end, from, to);
    }
    return to != from;
}

INLINE static ulong reserve(global uint *pipe, uint n, bool read) {
    shape s = shape_of(pipe);
    uint ahead = read ? 0 : s.capacity;
    global uint *first = pipe + (read ? READ : WRITTEN), *end = pipe + (read ? COMMITTED : FREED);
    uint limit = seen(end), at = seen(first);
    ulong id = 0;
    for (bool more = n != 0 && n <= s.capacity; more;) {
        uint room = distance_to(s, at, later(s, limit, ahead));
        // More than there can be: `at` is newer than `limit`.
        if (room > s.capacity) room = 0;
        if (room >= n) {
            uint old = atomic_cmpxchg(first, at, later(s, at, n));
            if (old == at) id = (ulong)n << 32 | at;
            more = old != at;
            at = old;
        } else {
            advance(pipe, s, !read);
            uint now = atomic_add(end, 0u);
            ACQUIRE_FENCE();
            more = now != limit;
            limit = now;
            at = seen(first);
        }
    }
    return id;
}

// Marks every `step`th packet from `start` on.
INLINE static void set_marks(global uint *pipe, shape s, ulong id, bool read, uint start,
                             uint step) {
    uint n = (uint)(id >> 32), slot = (uint)id % s.capacity;
    __attribute__((opencl_unroll_hint(1))) for (uint i = start; i < n; i += step) {
        uint at = slot + i;
        atomic_xchg(pipe + MARKS + (at >= s.capacity ? at - s.capacity : at),
                    mark(later(s, (uint)id, i), read));
    }
}

INLINE static void commit(global uint *pipe, ulong id, bool read) {
    shape s = shape_of(pipe);
    RELEASE_FENCE();
    set_marks(pipe, s, id, read, 0, 1);
    while (advance(pipe, s, read))
        ;
}

INLINE ulong reserve_read(global uint *pipe, uint n) { return reserve(pipe, n, true); }
INLINE ulong reserve_write(global uint *pipe, uint n) { return reserve(pipe, n, false); }
INLINE void commit_read(global uint *pipe, ulong id) { commit(pipe, id, true); }
INLINE void commit_write(global uint *pipe, ulong id) { commit(pipe, id, false); }

// One packet, if those of the pipe have this size.
INLINE ulong reserve_one_read(global uint *pipe, uint size) {
    return reserve(pipe, size == pipe[PACKET_SIZE], true);
}
INLINE ulong reserve_one_write(global uint *pipe, uint size) {
    return reserve(pipe, size == pipe[PACKET_SIZE], false);
}

bool is_valid(ulong id) { return id != 0; }

// Does the reservation have a packet of this index and size?
INLINE static bool has_packet(global uint *pipe, ulong id, uint index, uint size) {
    return index < (uint)(id >> 32) && size == pipe[PACKET_SIZE];
}

// Two names: checks (pass/check/pipes.rs) ask which end of the pipe it is.
INLINE bool has_packet_read(global uint *pipe, ulong id, uint index, uint size) {
    return has_packet(pipe, id, index, size);
}
INLINE bool has_packet_write(global uint *pipe, ulong id, uint index, uint size) {
    return has_packet(pipe, id, index, size);
}

// Where a packet of this size lies.
INLINE global uint *packet(global uint *pipe, ulong id, uint index, uint size) {
    uint capacity = pipe[CAPACITY], slot = (uint)id % capacity + index;
    slot = slot >= capacity ? slot - capacity : slot;
    // Behind the marks, at a multiple of 128 bytes.
    size_t start = ((size_t)MARKS + capacity + 31) / 32 * 128;
    return (global uint *)((global uchar *)pipe + (start + (size_t)slot * size));
}

INLINE uint num_packets(global uint *pipe) {
    shape s = shape_of(pipe);
    while (advance(pipe, s, false))
        ;
    uint from = seen(pipe + READ);
    return min(distance_to(s, from, seen(pipe + COMMITTED)), s.capacity);
}

INLINE uint max_packets(global uint *pipe) { return pipe[CAPACITY]; }

#define LINEAR_ID ((uint)get_local_linear_id())
#define GROUP_SIZE ((uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))

INLINE static ulong group_reserve(global uint *pipe, uint n, bool read) {
    local ulong shared;
    if (LINEAR_ID == 0) shared = reserve(pipe, n, read);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    ulong id = shared;
    ACQUIRE_FENCE();
    barrier(CLK_LOCAL_MEM_FENCE);
    return id;
}

INLINE static void group_commit(global uint *pipe, ulong id, bool read) {
    shape s = shape_of(pipe);
    RELEASE_FENCE();
    barrier(CLK_GLOBAL_MEM_FENCE);
    // What the others wrote, too.
    RELEASE_FENCE();
    set_marks(pipe, s, id, read, LINEAR_ID, GROUP_SIZE);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (LINEAR_ID == 0)
        while (advance(pipe, s, read))
            ;
}

INLINE ulong group_reserve_read(global uint *pipe, uint n) { return group_reserve(pipe, n, true); }
INLINE ulong group_reserve_write(global uint *pipe, uint n) {
    return group_reserve(pipe, n, false);
}
INLINE void group_commit_read(global uint *pipe, ulong id) { group_commit(pipe, id, true); }
INLINE void group_commit_write(global uint *pipe, ulong id) { group_commit(pipe, id, false); }

#ifdef CALDERA_SUB_GROUPS
INLINE static ulong sub_reserve(global uint *pipe, uint n, bool read) {
    ulong id = 0;
    if (sub_group_elect()) id = reserve(pipe, n, read);
    id = sub_group_broadcast_first(id);
    ACQUIRE_FENCE();
    return id;
}

INLINE static void sub_commit(global uint *pipe, ulong id, bool read) {
    RELEASE_FENCE();
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    if (sub_group_elect()) commit(pipe, id, read);
}

INLINE ulong sub_reserve_read(global uint *pipe, uint n) { return sub_reserve(pipe, n, true); }
INLINE ulong sub_reserve_write(global uint *pipe, uint n) { return sub_reserve(pipe, n, false); }
INLINE void sub_commit_read(global uint *pipe, ulong id) { sub_commit(pipe, id, true); }
INLINE void sub_commit_write(global uint *pipe, ulong id) { sub_commit(pipe, id, false); }
#endif
