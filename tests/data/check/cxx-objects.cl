// options: -cl-std=CLC++2021
// run: kernel=k arg=zeros:i32:4

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
