// options: -cl-std=CLC++2021
// run: kernel=k arg=zeros:i32:4
// expect: 0 i32:4,0
// report: 11:30: kernel 'initializer': store of 4 bytes at offset 16 of global variable 'table', which has 16 bytes: right behind its end, work-item (0, 0, 0)
// report: 12:32: kernel 'finalizer': store of 4 bytes at offset -16 of global variable 'table', which has 16 bytes: 16 bytes before its beginning, work-item (0, 0, 0)

// Constructors and destructors at program scope are kernels like others.
int table[4];
int beyond = 4;
struct Writes {
    Writes(int n) { table[n] = 1; }
    ~Writes() { table[-number] = 1; }
    int number = beyond;
};
Writes good(3);
Writes bad(beyond);

kernel void k(global int *out) { out[0] = good.number; }
