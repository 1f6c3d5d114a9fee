// Sums and differences of 64-bit integers that saturate, beside a float that becomes a double.
// needs: float64
// run: kernel=saturate global=6 local=6 arg=buffer:i64:0,5,-6148914691236517206,4294967301,1099511627776,-1 arg=buffer:i64:1099511627776,3,6917529027641081856,8589934592,7,1 arg=zeros:i64:48 arg=zeros:f64:6
// expect: 2 i64:0,2,5380300354831952554,0,1099511627769,-2,1099511627776,8,-1,12884901893,1099511627783,-1,0,2,5380300354831952554,0,1099511627769,-2,1099511627776,8,-1,12884901893,1099511627783,-1,0,4,-6148914691236517207,4294967300,1099511627775,-2,1,6,-6148914691236517205,4294967302,1099511627777,-1,0,0,-6148914691236517211,4294967296,1099511627771,-6,5,10,-6148914691236517201,4294967306,1099511627781,-1
// expect: 3 f64:0.0,2.0,5.380300171580015e+18,0.0,1099511627776.0,1.8446744073709552e+19
kernel void saturate(global const ulong *xs, global const ulong *ys, global ulong *out, global double *doubles) {
    int i = get_global_id(0);
    ulong x = xs[i], y = ys[i];
    ulong difference = x > y ? x - y : 0;
    ulong sum = x + y;
    if (sum < x)
        sum = ~0ul;
    doubles[i] = (float)difference;
    out[i] = difference;
    out[i + 6] = sum;
    out[i + 12] = sub_sat(x, y);
    out[i + 18] = add_sat(x, y);
    out[i + 24] = x == 0 ? 0 : x - 1;
    out[i + 30] = x == ~0ul ? x : x + 1;
    out[i + 36] = x < 5 ? 0 : x - 5;
    out[i + 42] = add_sat(x, 5ul);
}
