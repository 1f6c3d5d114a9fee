// test: run
// target: lavapipe,gathers_words
// run: kernel=chars global=8 local=8 arg=buffer:i8:11,48,85,122,159,196,233,19,56,93,130,167,204,241,27,64,101,138,175,212,249,35,72,109,146,183,220,6,43,80,117,154,191,228,14,51,88,125,162,199,236,22,59,96,133,170,207,244,30,67,104,141,178,215,1,38,75,112,149,186,223,9,46,83 arg=zeros:i32:8
// expect: 1 i32:282,2044,-1630,117,-2021,-289,-1067,650
// run: kernel=shorts global=8 local=8 arg=buffer:i8:11,48,85,122,159,196,233,19,56,93,130,167,204,241,27,64,101,138,175,212,249,35,72,109,146,183,220,6,43,80,117,154,191,228,14,51,88,125,162,199,236,22,59,96,133,170,207,244,30,67,104,141,178,215,1,38,75,112,149,186,223,9,46,83 arg=zeros:i32:8
// expect: 1 i32:75680,138151,-193397,-2439,64625,-8343,-78249,-9152
// run: kernel=ints global=4 local=4 arg=buffer:i8:11,48,85,122,159,196,233,19,56,93,130,167,204,241,27,64,101,138,175,212,249,35,72,109,146,183,220,6,43,80,117,154,191,228,14,51,88,125,162,199,236,22,59,96,133,170,207,244,30,67,104,141,178,215,1,38,75,112,149,186,223,9,46,83 arg=zeros:i32:4
// expect: 1 i32:-1064481766,-1737936412,2100889021,1360060832
// run: kernel=mixed global=4 local=4 arg=buffer:i8:11,48,85,122,159,196,233,19,56,93,130,167,204,241,27,64,101,138,175,212,249,35,72,109,146,183,220,6,43,80,117,154,191,228,14,51,88,125,162,199,236,22,59,96,133,170,207,244,30,67,104,141,178,215,1,38,75,112,149,186,223,9,46,83 arg=zeros:i64:4
// expect: 1 i64:1434894141071557548,4619551701904504337,7874583504724902287,-7316853871294557196
// run: kernel=sums global=1 arg=buffer:i16:10,20,30,40,50,60,70,80
// expect: 0 i16:10,60,130,220,50,60,70,80

// Adjacent loads by 64-bit units: at each place in one, of several sizes in one, with stores between.
kernel void chars(global const char *p, global int *out) {
    int at = get_global_id(0);
    p += at;
    out[at] = 3 * (p[0] + 2 * p[2] + 3 * p[4] + 4 * p[6] + 5 * p[8]) + as_uchar(p[1]);
}

kernel void shorts(global const short *p, global int *out) {
    int at = get_global_id(0);
    p += at;
    out[at] = p[0] + 2 * p[1] + 3 * p[3] + 4 * p[6];
}

kernel void ints(global const int *p, global int *out) {
    int at = get_global_id(0);
    p += at;
    out[at] = p[0] + 2 * p[1] + 3 * p[2] + 4 * p[3] + 5 * p[4];
}

struct mixed {
    long a;
    int b;
    short c;
    char d, e;
};

kernel void mixed(global const char *p, global long *out) {
    int at = get_global_id(0);
    global const struct mixed *m = (global const struct mixed *)(p + 8 * at);
    out[at] = m->a + 3 * (long)m->b + 5 * m->c + 7 * m->d + 9 * m->e;
}

kernel void sums(global short *p) {
    p[1] = p[0] + p[1] + p[2];
    p[2] = p[1] + p[2] + p[3];
    p[3] = p[2] + p[3] + p[4];
}
