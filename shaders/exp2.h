// 2^x near 0: for the exponentials and for powers.

// poly poly_exp2_f32
// (2^x - 1) / x for |x| <= log2(2)/2; error 2^-28.16.
float poly_exp2_f32(float x) {
    float p = 0x1.44371cp-13f;
    p = mad(p, x, 0x1.5f11b2p-10f);
    p = mad(p, x, 0x1.3b2a38p-7f);
    p = mad(p, x, 0x1.c6af6ep-5f);
    p = mad(p, x, 0x1.ebfbep-3f);
    p = mad(p, x, 0x1.62e43p-1f);
    return p;
}

// poly poly_exp2_f64
// (2^x - 1) / x for |x| <= log2(2)/2; error 2^-57.71.
double poly_exp2_f64(double x) {
    double p = 0x1.ea8985027c0e4p-32;
    p = mad(p, x, 0x1.e61f2803eee06p-28);
    p = mad(p, x, 0x1.b52472d147b5p-24);
    p = mad(p, x, 0x1.62bfc5e5f8bb8p-20);
    p = mad(p, x, 0x1.ffcbfcb3f2c54p-17);
    p = mad(p, x, 0x1.4309130f419d6p-13);
    p = mad(p, x, 0x1.5d87fe7890f31p-10);
    p = mad(p, x, 0x1.3b2ab6fba010dp-7);
    p = mad(p, x, 0x1.c6b08d704a15dp-5);
    p = mad(p, x, 0x1.ebfbdff82c5a3p-3);
    p = mad(p, x, 0x1.62e42fefa39efp-1);
    return p;
}
