// A condition that is known in the first round only.
// run: kernel=first_known global=1 local=1 arg=buffer:i32:9,2,3,4,5,6,7,8 arg=zeros:i32:2
// expect: 1 i32:160,4
kernel void first_known(global const int *in, global int *out)
{
    int x = 1;
    for (int i = 0; i < 100; i++) {
        if (x < 5)
            out[0] += in[i & 7];
        x = in[i & 7];
    }
    out[1] = x;
}
