// Shuffles of several types.
// needs: float64 subgroups float16
// options: -cl-std=CL3.0
// run: kernel=shuffles global=32 local=32 arg=zeros:i32:32
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0

// Sub-groups have another size on each device: what is right is computed from the ids, and each
// kernel leaves what was wrong as bits.

#define CHECK(bit, truth) if (!(truth)) wrong |= 1 << bit

kernel void shuffles(global int *out) {
    int wrong = 0;
    int lane = get_sub_group_local_id(), n = get_sub_group_size();
    CHECK(0, sub_group_shuffle(lane * 3, n - 1 - lane) == (n - 1 - lane) * 3);
    CHECK(1, sub_group_shuffle_xor((char)lane, 1) == (lane ^ 1));
    int up = sub_group_shuffle_up(lane, 1), down = sub_group_shuffle_down((double)lane, 1);
    CHECK(3, lane == 0 || up == lane - 1);
    CHECK(4, lane == n - 1 || down == lane + 1);
    CHECK(5, sub_group_rotate((ulong)lane, 1) == (lane + 1) % n);
    CHECK(6, sub_group_rotate(lane, -1) == (lane + n - 1) % n);
    CHECK(7, sub_group_clustered_rotate(lane, 1, 2) == (lane ^ 1));
    float8 v = sub_group_broadcast((float8)(lane) + (float8)(0, 1, 2, 3, 4, 5, 6, 7), 1);
    CHECK(8, v.s0 == 1 && v.s7 == 8);
    CHECK(9, sub_group_broadcast((half)lane, 2) == 2);
    out[get_global_id(0)] = wrong;
}

