// options: -cl-std=CLC++2021
// run: kernel=k global=4 local=4 arg=buffer:i32:1,2,-1,2147483647 arg=zeros:i32:8
// expect: 1 i32:2,4,-2,-2,1,2,0,1073741823

// The same statements in templates, functions of classes and lambdas.
template <typename T> T twice(T x) {
    T r;
    asm("add.u32 %0, %1, %1;" : "=r"(r) : "r"(x));
    return r;
}

struct halves {
    uint x;
    uint less() const {
        uint r;
        asm volatile("shr.u32 %0, %1, 1;" : "=r"(r) : "r"(x));
        return r;
    }
};

kernel void k(global const int *in, global int *out) {
    int i = get_global_id(0);
    out[i] = twice(in[i]);
    auto lower = [&](uint x) {
        uint r = halves{x}.less();
        asm("and.b32 %0, %0, 0x7fffffff;" : "+r"(r));
        return r;
    };
    out[4 + i] = i == 2 ? 0 : (int)lower((uint)in[i] * (i < 2 ? 2 : 1));
}
