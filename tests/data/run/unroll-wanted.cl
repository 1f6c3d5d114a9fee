// Loops whose program wants them unrolled, with more rounds than any compiler should make copies of. Mesa's compilers take
// the hint for an order, and llvmpipe's crashed: it has room for 80 levels of ifs.
// test: run
// run: kernel=sorted global=128 local=128 arg=buffer:i32:5,3,7,1,6,0,2,4,9,8,15,10,14,12,13,11 arg=i32:14
// expect: 0 i32:0,1,2,3,4,5,6,7,8,9,10,12,14,15,13,11
// run: kernel=sums global=2 local=1 arg=zeros:i32:2 arg=i32:200
// expect: 0 i32:19900,19701

kernel void sorted(global int *x, uint count) {
    local int keys[128];
    uint lid = get_local_id(0), gid = get_global_id(0);
    int key = gid < count ? x[gid] : 0;
    keys[lid] = key;
    uint n = min((uint)get_local_size(0), (uint)(count - get_group_id(0) * get_local_size(0)));
    bool even = lid % 2 == 0;
    uint odd_one = even ? max(lid, 1u) - 1 : min(lid + 1, n - 1);
    uint even_one = even ? min(lid + 1, n - 1) : max(lid, 1u) - 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll
    for (uint i = 0; i < n; i++) {
        uint other = i % 2 == 0 ? even_one : odd_one;
        int its = keys[other];
        bool less = its < key;
        bool equal = !less && !(key < its);
        bool swap = less ^ (other < lid);
        key = swap && !equal ? its : key;
        barrier(CLK_LOCAL_MEM_FENCE);
        keys[lid] = key;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (gid < count)
        x[gid] = key;
}

kernel void sums(global int *x, int n) {
    int sum = 0;
    #pragma unroll
    for (int i = get_global_id(0); i < min(n, 250); i++)
        sum += i == 199 && get_global_id(0) ? 0 : i;
    x[get_global_id(0)] = sum;
}
