// options: -cl-std=CL3.0
// run: kernel=dots global=1 local=1 arg=buffer:i32:0x80ff7f01,0xff80fe7f arg=zeros:i32:16
// expect: 1 i32:97665,129,-32895,-383,-1,2147483647,-2147483648,-378,97665,129,-32895,-383,-1,2147483647,-2147483648,-378
// run: kernel=fields global=1 local=1 arg=buffer:i32:0x12345678,0x9abcdef0 arg=zeros:i64:15
// expect: 1 i64:313247352,4294967295,181,97489742679756271,305419896,86,-7,2596069104,-1,-8,0,510274632,178,-597899502893742976,12
// run: kernel=planes global=6 local=6 arg=count:i32:64 arg=zeros:i32:24
// expect: 1 i32:9,10,11,13,14,15,25,26,27,29,30,31,0,0,9,10,11,0,0,13,14,15,0,0

// Values of dots and fields: Python's integers. Of planes: the places of the numbers, by hand.
kernel void dots(global const uint *in, global int *out) {
    uint a = in[0], b = in[1];
    uchar4 ua = as_uchar4(a), ub = as_uchar4(b);
    char4 sa = as_char4(a), sb = as_char4(b);
    out[0] = dot(ua, ub);
    out[1] = dot(sa, sb);
    out[2] = dot(ua, sb);
    out[3] = dot(sa, ub);
    out[4] = dot_acc_sat(ua, ub, 0xfffffff0u);
    out[5] = dot_acc_sat(sa, sb, INT_MAX);
    out[6] = dot_acc_sat(ua, sb, INT_MIN);
    out[7] = dot_acc_sat(sa, ub, 5);
    out[8] = dot_4x8packed_uu_uint(a, b);
    out[9] = dot_4x8packed_ss_int(a, b);
    out[10] = dot_4x8packed_us_int(a, b);
    out[11] = dot_4x8packed_su_int(a, b);
    out[12] = dot_acc_sat_4x8packed_uu_uint(a, b, 0xfffffff0u);
    out[13] = dot_acc_sat_4x8packed_ss_int(a, b, INT_MAX);
    out[14] = dot_acc_sat_4x8packed_us_int(a, b, INT_MIN);
    out[15] = dot_acc_sat_4x8packed_su_int(a, b, 5);
}

kernel void fields(global const uint *in, global long *out) {
    uint x = in[0], y = in[1], zero = 0 * x;
    out[0] = bitfield_insert(x, 0xabcu, 12 + zero, 12);
    out[1] = bitfield_insert(x, 0xffffffffu, zero, 32);
    out[2] = bitfield_insert((uchar4)(0xa5), (uchar4)(3), 4, 2).w;
    out[3] = bitfield_insert(0x0123456789abcdeful + zero, 0x5a5aul, 40, 16);
    out[4] = bitfield_insert((int)x, 0xff, 5, zero);
    out[5] = bitfield_extract_unsigned(x, 8, 8 + zero);
    out[6] = bitfield_extract_signed((int2)(y, y), 28, 4).y;
    out[7] = bitfield_extract_unsigned((int)y, zero, 32);
    out[8] = bitfield_extract_signed((uchar)(0xfe + zero), 1, 7);
    out[9] = bitfield_extract_signed(0x8123456789abcdeful + zero, 60, 4);
    out[10] = bitfield_extract_signed((short)0x7fff, 3, zero);
    out[11] = bit_reverse(x);
    out[12] = bit_reverse((uchar)(0x4d + zero));
    out[13] = bit_reverse(0x0123456789abcdeful + zero);
    __builtin_assume(x > 3);
    out[14] = __builtin_expect(zero, 3u) + __builtin_expect((int2)(12), (int2)(0)).x;
}

// Two planes of two lines of three numbers out of 4 x 4 x 4, then lines of three with two between.
kernel void planes(global const int *in, global int *out) {
    local int tile[24];
    for (int i = get_local_id(0); i < 24; i += 6) tile[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy_3D3D(tile, 0, in, 9, sizeof(int), 3, 2, 2, 4, 16, 3, 6, 0);
    wait_group_events(1, &e);
    e = async_work_group_copy_2D2D(tile, 14, in, 9, sizeof(int), 3, 2, 4, 5, 0);
    wait_group_events(1, &e);
    e = async_work_group_copy(out, tile, 24, 0);
    wait_group_events(1, &e);
}
