// options: -cl-std=CLC++2021
// run: kernel=spaces global=1 local=1 arg=zeros:i32:4 arg=zeros:i32:8
// expect: 0 i32:2,0,0,0
// expect: 1 i32:2,1,3,3,1,3,5,0

// Destructors by address space: the one for the object's space, or else that for the generic one.
struct One {
    int value;
    One() = default;
    ~One() __global { value = 1; }
    ~One() __local { value = 2; }
    ~One() { value = 3; }
};
// Members of an object that may be anywhere end by their generic destructor.
struct Whole {
    One part;
    ~Whole() {}
};
struct Outside {
    __private int *at;
    Outside(__private int *at) : at(at) {}
    ~Outside() __global;
    ~Outside() __private;
};
Outside::~Outside() __private
{
    *at = 5;
}
Outside::~Outside() __global {}

kernel void spaces(global One *one, global int *out)
{
    local One shared;
    shared.value = 0;
    shared.~One();
    out[0] = shared.value;
    one->~One();
    out[1] = one->value;
    one->value = 2;
    alignas(One) uchar bytes[sizeof(One)];
    One *some = (One *)bytes;
    some->~One();
    out[2] = some->value;
    Whole *whole = (Whole *)bytes;
    whole->part.value = 0;
    whole->~Whole();
    out[3] = some->value;
    One *generic_one = one;
    generic_one->~One();
    out[5] = one->value;
    one->value = 2;
    out[4] = 1;
    int end = 0;
    {
        Outside outside(&end);
    }
    out[6] = end;
}
