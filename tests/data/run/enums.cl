// Enumerations in memory: int, the smallest type if packed, and long where nothing else fits.
// run: kernel=sizes global=1 local=1 arg=zeros:i32:8
// expect: 0 i32:1,1,2,2,4,4,8,4
// run: kernel=values global=1 local=1 arg=zeros:i8:8 arg=zeros:i64:8
// expect: 0 i8:-56,-3,44,1,-52,-3,9,0
// expect: 1 i64:200,-3,300,-564,201,-4,4294967296,9
enum __attribute__((packed)) Byte { NONE, LARGE = 200 };
enum SignedByte { LESS = -3, MORE = 100 } __attribute__((packed));
enum __attribute__((packed)) Short { FAR = 300 };
enum __attribute__((packed)) SignedShort { NEAR = -564 };
enum __attribute__((packed)) Int { TOO_FAR = 70000 };
enum Plain { ONE = 1 };
enum Wide { BEYOND = 0x100000000L };
struct __attribute__((packed)) All { enum Byte b; enum SignedByte s; enum Short h; enum SignedShort i; };

kernel void sizes(global int *out) {
    out[0] = sizeof(enum Byte);
    out[1] = sizeof(enum SignedByte);
    out[2] = sizeof(enum Short);
    out[3] = sizeof(enum SignedShort);
    out[4] = sizeof(enum Int);
    out[5] = sizeof(enum Plain);
    out[6] = sizeof(enum Wide);
    out[7] = sizeof(ONE);
}

kernel void values(global struct All *all, global long *out) {
    all->b = LARGE;
    all->s = LESS;
    all->h = FAR;
    all->i = NEAR;
    global enum Byte *p = (global enum Byte *)(all + 1);
    p[0] = 8;
    p[0]++;
    out[0] = all->b;
    out[1] = all->s;
    out[2] = all->h;
    out[3] = all->i;
    enum Byte b = LARGE;
    b++;
    out[4] = b;
    enum SignedByte s = LESS;
    out[5] = --s;
    enum Wide w = BEYOND;
    out[6] = w;
    out[7] = p[0];
}
