// test: run
// options: -cl-std=CL3.0
// run: kernel=widened global=1 local=1 arg=zeros:i8:8
// expect: 0 i8:7,7,7,9,9,9,9,0

// A scalar argument becomes a vector where a pointer says how wide.
kernel void widened(global char *out) {
    char c = 7;
    vstore3(c, 0, out);
    vstore4(9, 0, out + 3);
}
