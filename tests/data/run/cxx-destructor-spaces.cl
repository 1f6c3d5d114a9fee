// options: -cl-std=CLC++2021
// run: kernel=k global=4 local=4 arg=zeros:i32:4
// expect: 0 i32:7,7,7,7

// What the language lets a program ask: destructors by address space, and of objects that live as long as the program.
#if !defined(__opencl_cpp_destructor_with_address_spaces) || !defined(__opencl_cpp_global_destructor)
#error
#endif

class Ended {
public:
    ~Ended() __local { value = 7; }
    int value;
};

kernel void k(global int *out) {
    __local Ended object;
    if (get_local_id(0) == 0)
        object.~Ended();
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = object.value;
}
