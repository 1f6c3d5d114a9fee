// Loops that are counted in 64 bits: at the ends of what 32 hold, from behind the bound. The expected values are those of a model in Python.
// options: -cl-std=CL3.0
// run: kernel=signed_bounds global=6 local=2 arg=buffer:i32:2147483645,-3,-2147483648,5,2147483647,7 arg=buffer:i32:2147483647,2,-2147483646,5,-5,2147483647 arg=zeros:i64:18
// expect: 2 i64:2147483647,2,4294967291,2,5,-5,-2147483646,2,-4294967295,5,0,0,2147483647,0,0,47,40,1060
// run: kernel=unsigned_bounds global=4 local=2 arg=buffer:i32:-3,0,5,4 arg=buffer:i32:-1,3,-7,4 arg=zeros:i64:12
// expect: 2 i64:4294967295,2,8589934587,3,3,3,44,40,936,4,0,0
// run: kernel=strides global=6 local=3 arg=i32:20 arg=zeros:i64:18
// expect: 1 i64:334,165277611,1487498501,333,164611611,1481504501,333,164944278,1484498504,334,165277611,495832835,333,164611611,493834835,333,164944278,494832836

kernel void signed_bounds(global const int *first, global const int *last, global long *out)
{
    size_t g = get_global_id(0);
    long i, n = 0, sum = 0;
    int end = last[g] > 2147483640 && first[g] < 100 ? first[g] + 40 : last[g];
    for (i = first[g]; i < end; i++) { n++; sum += i; }
    out[3 * g] = i;
    out[3 * g + 1] = n;
    out[3 * g + 2] = sum;
}

kernel void unsigned_bounds(global const uint *first, global const uint *last, global long *out)
{
    size_t g = get_global_id(0);
    size_t i, n = 0, sum = 0;
    for (i = first[g]; i < last[g]; i++) { if (++n == 40) break; sum += i; }
    out[3 * g] = i;
    out[3 * g + 1] = n;
    out[3 * g + 2] = sum;
}

kernel void strides(int last, global long *out)
{
    size_t g = get_global_id(0);
    long n = 0, sum = 0;
    for (size_t i = get_local_id(0); i < 1000; i += get_local_size(0)) { n++; sum += i * i; }
    for (long i = 0; i <= last; i += 3) { if (i == 9) continue; sum += 1000000 * i; }
    out[3 * g] = n;
    out[3 * g + 1] = sum;
    size_t i = get_group_id(0);
    while (i < get_num_groups(0)) { sum *= 3; i += 1; }
    out[3 * g + 2] = sum + i;
}
