// run: kernel=sums global=4 local=4 arg=buffer:i32:10,11,12,13,14,15,16,17 arg=zeros:i32:36 arg=i32:4294967295
// expect: 1 i32:10,11,12,13,10,13,10,11,16,11,12,13,14,11,14,11,12,15,12,13,14,15,12,15,12,13,14,13,14,15,16,13,16,13,14,13

// Indices that are sums with constants: signed ones, of 64 bits, and unsigned ones, which wrap.
kernel void sums(global const int *a, global int *out, uint last)
{
    int i = get_global_id(0);
    size_t g = get_global_id(0);
    global int *o = out + 9 * i;
    global const int *p = a + 2;
    int below = i - 2;
    o[0] = p[i - 2];
    o[1] = p[i + 1 - 2];
    o[2] = p[below + 2];
    o[3] = p[1 + i];
    o[4] = p[g - 2];
    o[5] = *(p + g + 1L);
    o[6] = a[last + 1u + i];
    o[7] = a[(ulong)last - 0xfffffffeu + i];
    o[8] = *(a + 6 - i);
}
