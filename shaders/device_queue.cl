// Kernels that enqueue kernels. docs/device_queues.md has the memory; the numbers are those of src/compiler/device_queue.rs.

#define USED 0
#define TAKEN 1
#define FREE 2
#define QUEUES 3
#define DEFAULT_QUEUE 4
#define MAX_GROUP 6
#define PREFERRED_MULTIPLE 7
#define SUB_GROUP 8
#define MAX_ITEMS 9

#define QUEUE_TABLE 16
#define QUEUE_WORDS 4
#define QUEUE_USED 2
#define QUEUE_ROOM 3

#define MAX_EVENTS 4096
#define EVENTS (QUEUE_TABLE + QUEUE_WORDS * 17)
#define EVENT_WORDS 8
#define STATUS 0
#define REFERENCES 1
#define TIMES 2
#define FREE_EVENTS (EVENTS + EVENT_WORDS * MAX_EVENTS)

#define KIND_TIMES 2
#define RECORD_WORDS 28

#define SUBMITTED 2
#define QUEUED 3

#define CLK_SUCCESS 0
#define CLK_INVALID_QUEUE -102
#define CLK_INVALID_NDRANGE -160
#define CLK_DEVICE_QUEUE_FULL -161
#define CLK_EVENT_ALLOCATION_FAILURE -100

// Only in the kernel it is known in which storage buffer the memory is.
#define INLINE __attribute__((always_inline))

INLINE static ulong wide(global const uint *words) { return words[0] | (ulong)words[1] << 32; }

INLINE ulong default_queue(global uint *m) { return wide(m + DEFAULT_QUEUE); }

INLINE uint work_group_size(global uint *m) { return m[MAX_GROUP]; }

INLINE uint preferred_multiple(global uint *m) { return m[PREFERRED_MULTIPLE]; }

INLINE static global uint *event_of(global uint *m, ulong event) {
    return m + EVENTS + EVENT_WORDS * ((uint)event - 1);
}

// 0: there is no free one.
INLINE static ulong new_event(global uint *m, uint status) {
    if (atomic_or(m + TAKEN, 0) >= m[FREE]) return 0;
    uint taken = atomic_inc(m + TAKEN);
    if (taken >= m[FREE]) {
        atomic_dec(m + TAKEN);
        return 0;
    }
    ulong event = m[FREE_EVENTS + taken] + 1ul;
    global uint *e = event_of(m, event);
    e[REFERENCES] = 1;
    e[STATUS] = status;
    return event;
}

INLINE ulong create_user_event(global uint *m) { return new_event(m, SUBMITTED); }

INLINE bool is_valid_event(global uint *m, ulong event) {
    return event - 1 < MAX_EVENTS && (int)event_of(m, event)[REFERENCES] > 0;
}

INLINE void retain_event(global uint *m, ulong event) {
    if (event - 1 < MAX_EVENTS) atomic_inc(event_of(m, event) + REFERENCES);
}

INLINE void release_event(global uint *m, ulong event) {
    if (event - 1 < MAX_EVENTS) atomic_dec(event_of(m, event) + REFERENCES);
}

INLINE void set_user_event_status(global uint *m, ulong event, int status) {
    if (event - 1 < MAX_EVENTS) atomic_xchg(event_of(m, event) + STATUS, (uint)status);
}

INLINE static global uint *find_queue(global uint *m, ulong queue) {
    uint count = m[QUEUES];
    for (uint i = 0; i < count; i++) {
        global uint *q = m + QUEUE_TABLE + QUEUE_WORDS * i;
        if (wide(q) == queue) return q;
    }
    return 0;
}

// A record of so many words: CLK_SUCCESS and its place. A queue's words are no more than there is room for, so the record has room.
INLINE static int take(global uint *m, ulong queue, uint words, uint *place) {
    global uint *q = find_queue(m, queue);
    if (!q) return CLK_INVALID_QUEUE;
    uint used = atomic_add(q + QUEUE_USED, words), room = q[QUEUE_ROOM];
    if (used > room || words > room - used) {
        atomic_sub(q + QUEUE_USED, words);
        return CLK_DEVICE_QUEUE_FULL;
    }
    *place = atomic_add(m + USED, words);
    return CLK_SUCCESS;
}

// `n` is an ndrange_t.
INLINE static bool is_range(global uint *m, const ulong *n, bool uniform) {
    uint dims = (uint)n[0];
    if (dims - 1 >= 3) return false;
    ulong items = 1;
    for (uint d = 0; d < dims; d++) {
        ulong global_size = n[4 + d], local_size = n[7 + d];
        if (n[1 + d] + global_size < global_size) return false;
        // All are 0, or none.
        if ((local_size == 0) != (n[7] == 0)) return false;
        if (uniform && local_size != 0 && global_size % local_size != 0) return false;
        if (local_size > m[MAX_ITEMS + d]) return false;
        items *= local_size;
    }
    return items <= m[MAX_GROUP];
}

// Room for a record, and the event that it ends, if there is to be one: `made` is the event or 0.
INLINE int enqueue(global uint *m, ulong queue, uint words, bool has_event, uint *place, ulong *made) {
    *made = 0;
    if (has_event) {
        *made = new_event(m, QUEUED);
        if (*made == 0) return CLK_EVENT_ALLOCATION_FAILURE;
    }
    int result = take(m, queue, words, place);
    if (result != CLK_SUCCESS && has_event) event_of(m, *made)[REFERENCES] = 0;
    return result;
}

INLINE int enqueue_range(global uint *m, ulong queue, const ulong *range, bool uniform, uint words, bool has_event,
                         uint *place, ulong *made) {
    if (!is_range(m, range, uniform)) return CLK_INVALID_NDRANGE;
    return enqueue(m, queue, words, has_event, place, made);
}

// The first words of a record.
INLINE void describe(global uint *r, uint words, uint kind, uint kernel_number, ulong event, uint parent, uint waits,
                     uint locals, uint captured) {
    r[0] = words;
    r[1] = kind;
    r[2] = kernel_number;
    r[3] = (uint)event;
    r[4] = parent;
    r[5] = waits;
    r[6] = locals;
    r[7] = captured;
}

kernel void write_times(global const ulong *times, global ulong *to) {
    to[0] = times[0];
    to[1] = times[1];
}

// Times that are known are given at once, others by the kernel `write_times`, whose number is given, when the event ends.
INLINE void capture_times(global uint *m, ulong event, uint name, global ulong *to, uint writer) {
    if (event - 1 >= MAX_EVENTS) return;
    global uint *e = event_of(m, event);
    if ((int)atomic_or(e + STATUS, 0) <= 0) {
        to[0] = wide(e + TIMES);
        to[1] = wide(e + TIMES + 2);
        return;
    }
    uint place;
    // All have a first queue, or nothing could have been enqueued.
    if (take(m, wide(m + QUEUE_TABLE), RECORD_WORDS, &place) != CLK_SUCCESS) return;
    global uint *r = m + place;
    ulong address = (ulong)to;
    describe(r, RECORD_WORDS, KIND_TIMES, writer, event, 0, 0, 0, 0);
    r[8] = (uint)address;
    r[9] = (uint)(address >> 32);
}

// How many sub-groups a work-group of the range has.
INLINE uint sub_group_count(global uint *m, const ulong *n) {
    uint items = 1;
    for (uint d = 0; d < (uint)n[0] && d < 3; d++) items *= (uint)n[7 + d];
    return (items + m[SUB_GROUP] - 1) / m[SUB_GROUP];
}

INLINE uint sub_group_size(global uint *m, const ulong *n) { return m[SUB_GROUP]; }
