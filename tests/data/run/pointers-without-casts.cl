// Integers and pointers are converted without a cast, as compilers up to clang 15 do with a warning: GROMACS does so where
// sub-groups of Intel's are offered beside another vendor's name.
// test: run
// run: kernel=converted global=1 local=1 arg=zeros:i32:6
// expect: 0 i32:7,9,5,3,1,0

ulong address_of(global int *to) {
    return to;
}

global int *behind(ulong address) {
    return address + 4;
}

int read_at(ulong address) {
    return *(global int *)address;
}

kernel void converted(global int *out) {
    local int room[4];
    size_t at = 0;
    at = room;
    *(local int *)(at + 8) = 7;
    out[0] = room[2];

    global int *second = address_of(out) + 4;
    *second = 9;
    global int *third = behind(second);
    *third = 5;
    out[3] = read_at(third) - 2;
    out[4] = second == address_of(second);
}
