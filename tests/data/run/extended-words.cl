// Extended words and constants, compared by order.
// run: kernel=orders global=3 local=3 arg=buffer:i32:-5,0,7 arg=zeros:i32:27
// expect: 1 i32:-1,0,0,0,0,-1,-1,-1,0,0,-1,-1,-1,0,0,-1,-1,-1,0,0,0,-1,0,0,1,0,0

kernel void orders(global const int *in, global int *out) {
    int i = get_global_id(0), n = in[i];
    long2 pair = (long2)(n, 5);
    out[i] = ((long2)(n) < (long2)(0)).y;
    out[i + 3] = ((long2)(n) > (long2)(0)).x;
    out[i + 6] = (pair <= (long2)(0, 7)).x;
    out[i + 9] = (pair >= (long2)(0, 7)).x;
    out[i + 12] = ((long2)(0, 7) > pair).x;
    out[i + 15] = (pair < (long2)(5000000000, 7)).x;
    out[i + 18] = (pair < (long2)(-5000000000, 7)).x;
    out[i + 21] = (convert_long2((int2)(n, 5)) < (long2)(0, 7)).x;
    out[i + 24] = (long)n < 0;
}
