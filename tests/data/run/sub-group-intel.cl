// needs: subgroups
// options: -cl-std=CL1.2
// run: kernel=shuffles global=64 local=64 arg=zeros:i32:64
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=narrow global=64 local=64 arg=zeros:i32:64
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=blocks global=64 local=64 arg=zeros:i32:64 arg=count:i8:4096 arg=count:i8:4096
// expect: 0 i32:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=copies global=64 local=64 arg=count:i32:512 arg=zeros:i32:512
// expect: 1 i32:0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76,77,78,79,80,81,82,83,84,85,86,87,88,89,90,91,92,93,94,95,96,97,98,99,100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,137,138,139,140,141,142,143,144,145,146,147,148,149,150,151,152,153,154,155,156,157,158,159,160,161,162,163,164,165,166,167,168,169,170,171,172,173,174,175,176,177,178,179,180,181,182,183,184,185,186,187,188,189,190,191,192,193,194,195,196,197,198,199,200,201,202,203,204,205,206,207,208,209,210,211,212,213,214,215,216,217,218,219,220,221,222,223,224,225,226,227,228,229,230,231,232,233,234,235,236,237,238,239,240,241,242,243,244,245,246,247,248,249,250,251,252,253,254,255,256,257,258,259,260,261,262,263,264,265,266,267,268,269,270,271,272,273,274,275,276,277,278,279,280,281,282,283,284,285,286,287,288,289,290,291,292,293,294,295,296,297,298,299,300,301,302,303,304,305,306,307,308,309,310,311,312,313,314,315,316,317,318,319,320,321,322,323,324,325,326,327,328,329,330,331,332,333,334,335,336,337,338,339,340,341,342,343,344,345,346,347,348,349,350,351,352,353,354,355,356,357,358,359,360,361,362,363,364,365,366,367,368,369,370,371,372,373,374,375,376,377,378,379,380,381,382,383,384,385,386,387,388,389,390,391,392,393,394,395,396,397,398,399,400,401,402,403,404,405,406,407,408,409,410,411,412,413,414,415,416,417,418,419,420,421,422,423,424,425,426,427,428,429,430,431,432,433,434,435,436,437,438,439,440,441,442,443,444,445,446,447,448,449,450,451,452,453,454,455,456,457,458,459,460,461,462,463,464,465,466,467,468,469,470,471,472,473,474,475,476,477,478,479,480,481,482,483,484,485,486,487,488,489,490,491,492,493,494,495,496,497,498,499,500,501,502,503,504,505,506,507,508,509,510,511

// cl_intel_subgroups, _char, _long and _short in whole sub-groups of any size: what is right follows from the ids, and each kernel
// leaves what was wrong as bits. `copies` reads and writes the same eight rows of each sub-group.
#if !defined(cl_intel_subgroups) || !defined(cl_intel_subgroups_char) || !defined(cl_intel_subgroups_long) \
    || !defined(cl_intel_subgroups_short) || !defined(cl_intel_spirv_subgroups)
#error an extension is missing
#endif

kernel void shuffles(global int *out) {
    uint lane = get_sub_group_local_id(), size = get_max_sub_group_size(), opposite = size - 1 - lane;
    int wrong = 0;
    float3 v = intel_sub_group_shuffle((float3)(lane, 7.0f, lane * 2.0f), opposite);
    wrong |= any(v != (float3)(opposite, 7.0f, opposite * 2.0f)) ? 1 : 0;
    uint16 w = intel_sub_group_shuffle_xor((uint16)(lane), 1);
    wrong |= any(w != (uint16)(lane ^ 1)) ? 2 : 0;
    long l = intel_sub_group_shuffle((long)lane << 40, opposite);
    wrong |= l != (long)opposite << 40 ? 4 : 0;
    // A block that goes on by its lanes: the result of a shift is the lane and the distance.
    int2 down = intel_sub_group_shuffle_down((int2)(lane, lane + 100), (int2)(lane + size, lane + size + 100), 3);
    wrong |= any(down != (int2)(lane + 3, lane + 103)) ? 8 : 0;
    int up = intel_sub_group_shuffle_up((int)lane - (int)size, (int)lane, size);
    wrong |= up != (int)lane - (int)size ? 16 : 0;
    // Each lane by another distance.
    uint far = intel_sub_group_shuffle_down(lane, lane + size, lane);
    wrong |= far != 2 * lane ? 32 : 0;
    out[get_global_id(0)] = wrong;
}

kernel void narrow(global int *out) {
    uint lane = get_sub_group_local_id(), size = get_max_sub_group_size();
    int wrong = 0;
    char c = (char)lane - 3;
    wrong |= intel_sub_group_broadcast(c, 1) != -2 ? 1 : 0;
    wrong |= intel_sub_group_reduce_min(c) != -3 ? 2 : 0;
    wrong |= intel_sub_group_reduce_max((uchar)(250 + (lane & 3))) != 253 ? 4 : 0;
    wrong |= intel_sub_group_scan_exclusive_add((uchar)3) != (uchar)(lane * 3) ? 8 : 0;
    short s = (short)(1000 * (int)lane - 2000);
    wrong |= intel_sub_group_scan_inclusive_max(s) != s ? 16 : 0;
    wrong |= intel_sub_group_scan_inclusive_add((ushort)2000) != (ushort)(2000 * (lane + 1)) ? 32 : 0;
    wrong |= intel_sub_group_scan_exclusive_min(s) != (lane ? -2000 : 32767) ? 64 : 0;
    char2 down = intel_sub_group_shuffle_down((char2)(lane), (char2)(lane + size), 1);
    wrong |= any(down != (char2)(lane + 1)) ? 128 : 0;
    ushort8 up = intel_sub_group_shuffle_up((ushort8)(lane + 60000 - size), (ushort8)(lane + 60000), 2);
    wrong |= any(up != (ushort8)(59998 + lane)) ? 256 : 0;
    out[get_global_id(0)] = wrong;
}

// Byte i of what is read is i modulo 256.
static uint bytes_from(uint at, uint count) {
    uint word = 0;
    for (uint i = 0; i < count; i++) word |= ((at + i) & 255) << 8 * i;
    return word;
}

kernel void blocks(global int *out, global const uchar *in, global uchar *scratch) {
    uint lane = get_sub_group_local_id(), size = get_max_sub_group_size(), group = get_sub_group_id();
    int wrong = 0;
    uchar16 c = intel_sub_group_block_read_uc16(in + 4 * group);
    wrong |= c.s0 != bytes_from(4 * group + lane, 1) ? 1 : 0;
    wrong |= c.sf != bytes_from(4 * group + lane + 15 * size, 1) ? 2 : 0;
    ushort2 s = intel_sub_group_block_read_us2((global const ushort *)(in + 4));
    wrong |= s.x != bytes_from(4 + 2 * lane, 2) || s.y != bytes_from(4 + 2 * (lane + size), 2) ? 4 : 0;
    // Eight bytes that are aligned to four.
    ulong4 l = intel_sub_group_block_read_ul4((global const ulong *)(in + 4));
    wrong |= (uint)l.x != bytes_from(4 + 8 * lane, 4) || (uint)(l.w >> 32) != bytes_from(8 + 8 * (lane + 3 * size), 4) ? 8 : 0;
    uint4 i = intel_sub_group_block_read4((global const uint *)in);
    wrong |= i.z != bytes_from(4 * (lane + 2 * size), 4) ? 16 : 0;
    global uchar *own = scratch + 32 * size * group;
    intel_sub_group_block_write_uc4(own, (uchar4)(lane, lane + 1, lane + 2, lane + 3));
    intel_sub_group_block_write_ul2((global ulong *)(own + 4 * size), (ulong2)(lane, ~(ulong)lane));
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    wrong |= own[2 * size + (size - 1 - lane)] != (uchar)(size - 1 - lane + 2) ? 32 : 0;
    global ulong *longs = (global ulong *)(own + 4 * size);
    wrong |= longs[size + (size - 1 - lane)] != ~(ulong)(size - 1 - lane) ? 64 : 0;
    out[get_global_id(0)] = wrong;
}

kernel void copies(global const uint *in, global uint *out) {
    uint at = 8 * get_max_sub_group_size() * get_sub_group_id();
    intel_sub_group_block_write_ui8(out + at, intel_sub_group_block_read8(in + at));
}
