// A private buffer that is written by bytes and read by words: it consists of words, of which the bytes are parts.
// run: kernel=hashed global=8 local=4 arg=zeros:i32:8
// expect: 0 i32:-1453892033,589328719,-1576335885,672150277,127130799,-1485913153,-346299293,-1461376
// run: kernel=kept global=4 local=4 arg=zeros:i32:4 arg=i32:3
// expect: 0 i32:1561755,1561755,1561755,1561755
#define SWAP(x) ((x) << 24 | ((x) & 0xff00) << 8 | ((x) >> 8 & 0xff00) | (x) >> 24)

kernel void hashed(global uint *out) {
    int id = get_global_id(0);
    uint w[8] = {0};
    uchar *bytes = (uchar *)w;
    int n = id < 7 ? id * 4 + 1 : 0;
    for (int i = 0; i < n; i++)
        bytes[i] = id * 37 + i * 11 + 5;
    uint r = 0;
    for (int round = 0; round < 4; round++) {
        w[0] = SWAP(w[0]) + round; w[1] = SWAP(w[1]) + round; w[2] = SWAP(w[2]) + round; w[3] = SWAP(w[3]) + round;
        w[4] = SWAP(w[4]) + round; w[5] = SWAP(w[5]) + round; w[6] = SWAP(w[6]) + round; w[7] = SWAP(w[7]) + round;
        r = ((r * 31 + w[0]) * 31 + w[1]) * 31 + w[2];
        r = ((r * 31 + w[3]) * 31 + w[4]) * 31 + w[5];
        r = (r * 31 + w[6]) * 31 + w[7];
    }
    out[id] = r + bytes[id * 3];
}

// What is not written is undefined, but the bytes beside it that are written are kept; in each round of the loop anew.
kernel void kept(global uint *out, int rounds) {
    int id = get_global_id(0);
    uint sum = 0;
    for (int i = 0; i < rounds; i++) {
        uint w[4];
        uchar *bytes = (uchar *)w;
        bytes[id + 4] = i + 7;
        uint word = w[1];
        sum = sum * 3 + (word >> id * 8 & 0xff);
        w[0] = sum; w[1] = w[0] + 1; w[2] = w[1] * 5; w[3] = w[2] ^ 77;
        w[0] += w[3]; w[1] ^= w[0]; w[2] -= w[1]; w[3] += w[2];
        w[0] ^= w[3]; w[1] += w[0]; w[2] ^= w[1]; w[3] -= w[2];
        sum += w[0] + w[1] + w[2] + w[3];
    }
    out[id] = sum;
}
