// The least and greatest of three numbers, some of them negated.
// run: kernel=extremes global=8 local=8 arg=buffer:i32:-49153,0,5,-1,-20,-8,100000,-3072 arg=buffer:i32:0,1,5,7,0,8,-3,20 arg=buffer:i32:3,-4,0,9,-100,2,5,-2000 arg=zeros:i32:64
// expect: 3 i32:49153,1,5,7,20,8,100000,3072,49153,1,5,9,20,8,100000,3072,-49153,0,-5,-1,-20,-8,-100000,-3072,3,0,5,9,0,2,100000,-20,0,-4,-5,1,-100,2,-100000,-2000,20,1,5,7,20,8,25,24,49153,1,5,7,20,8,100000,3072,49153,1,0,9,20,16,100003,3092
kernel void extremes(global const int *xs, global const int *ys, global const int *zs, global int *out) {
    int i = get_global_id(0);
    int x = xs[i], y = ys[i], z = zs[i];
    out[i] = max((int)abs(x), y);
    out[i + 8] = max(max((int)abs(x), (int)abs(y)), z);
    out[i + 16] = min(min(x, -x), y);
    out[i + 24] = max(max(x, -y), z);
    out[i + 32] = min(min(-x, y), z);
    out[i + 40] = clamp((int)abs(x), y & 7, (y & 7) + 20);
    int m = max(x, -x);
    if (m < y)
        m = y;
    out[i + 48] = m;
    out[i + 56] = max((int)abs_diff(x, y), z);
}
