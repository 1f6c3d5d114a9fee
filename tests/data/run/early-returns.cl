// Work-items that return in front of a barrier of the work-group: OpenCL has all meet it, but programs leave so what is beyond the
// end of their data, and GPUs take it. They end in a branch, in branches and a loop, and round by round.
// test: run
// run: kernel=guard global=64 local=64 returns arg=zeros:i32:64 arg=i32:20
// expect: 0 i32:10,14,18,22,26,22,18,14,10,14,18,22,26,22,18,14,10,14,18,22,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=guard global=64 local=64 returns arg=zeros:i32:64 arg=i32:64
// expect: 0 i32:10,14,18,22,26,22,18,14,10,14,18,22,26,22,18,14,10,14,18,22,26,22,18,14,10,14,18,22,26,22,18,14,10,14,18,22,26,22,18,14,10,14,18,22,26,22,18,14,10,14,18,22,26,22,18,14,10,14,18,22,26,22,18,14
// run: kernel=ends global=64 local=64 returns arg=zeros:i32:64 arg=buffer:i32:0,7,3,10,6,101,9,5,1,102,4,0,-3,3,10,6,-17,-18,-19,-20,-21,-22,-23,-24,-25,-26,-27,-28,-29,-30,-31,-32,-33,-34,-35,-36,-37,-38,-39,-40,-41,-42,-43,-44,-45,-46,-47,-48,-49,-50,-51,-52,-53,-54,-55,-56,-57,-58,-59,-60,-61,-62,-63,-64
// expect: 0 i32:64,64,64,65,65,11,65,65,65,12,65,65,-7,65,65,65,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7,-7
// run: kernel=between global=64 local=64 returns arg=zeros:i32:64
// expect: 0 i32:125,139,153,167,181,195,209,223,237,251,265,279,293,291,241,159,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1

kernel void guard(global int *out, int n) {
    local int l[64];
    int g = get_global_id(0);
    if (g >= n) return;
    int i = get_local_id(0);
    l[i] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    int s = 0;
    for (int t = 0; t < 4; t++) {
        s += l[(i + t) % 8];
        barrier(CLK_LOCAL_MEM_FENCE);
        l[i] += t;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = s;
}

kernel void ends(global int *out, global const int *in) {
    local int sum;
    int g = get_global_id(0);
    if (g == 0) sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g > 2) {
        if (in[g] < 0) {
            out[g] = -7;
            return;
        }
        out[g] = 1;
    }
    for (int k = 0; k < 3; k++)
        if (in[g] == 100 + k) {
            out[g] = 10 + k;
            return;
        }
    atomic_add(&sum, in[g]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] += sum;
}

kernel void between(global int *out) {
    local int l[64];
    int i = get_local_id(0);
    l[i] = 0;
    for (int t = 0; t < 3; t++) {
        if (i >= 48 - 16 * t) {
            out[i] = t + 1;
            return;
        }
        l[i] += i + t;
        barrier(CLK_LOCAL_MEM_FENCE);
        int next = l[(i + 1) % 16];
        barrier(CLK_LOCAL_MEM_FENCE);
        l[i] += next;
    }
    out[i] = 100 + l[i];
}
