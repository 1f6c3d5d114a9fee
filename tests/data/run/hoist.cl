// A block moved by some bytes in a switch over whole words: its cases compute the same of the same words, which pass hoist does once.
// run: kernel=move global=72 local=8 arg=buffer:i32:2135587861,495056334,-1145475193,1508960576,-131570951,-1772102478,882333291,-758198236,1896237533,255706006,-1384825521,1269610248,-370921279,-2011452806,642982963,-997548564 arg=zeros:i32:72
// expect: 1 i32:770200552,271443922,-1726993048,1536757687,358324364,-1407886555,1387009246,-531453023,-656387535,-841424937,1959647319,-445330079,-1260030903,-944446213,-221793182,-638400717,-438701498,182835589,-1073027762,750783092,-1473462374,698887240,-802576470,1288710465,944558007,1983401047,376846277,-1458145834,-760670705,-2100123482,-2038246866,-1333362065,-1280276972,-1582059479,329364276,-770465464,399643448,1142411699,-1320937626,2091991998,998027501,-63210409,1392261907,525532142,1528779429,475733769,-333686070,686562324,-1289163822,364062909,1880470234,141563244,-2146930714,2055211078,-763723822,751991379,-30617005,-1661064009,110951937,84319462,1778714251,258606340,1010166,3937,770200552,770200552,770200552,770200552,770200552,770200552,770200552,770200552
// run: kernel=branches global=8 local=4 arg=buffer:i32:2135587861,495056334,-1145475193,1508960576,-131570951,-1772102478,882333291,-758198236 arg=zeros:i32:8
// expect: 1 i32:-1027810627,1154520389,-1858946319,743926367,515610335,-1108827106,-1400537598,-822758128
uint joined(uint a, uint b, int c) {
    uint r = 0;
    int bytes = c & 3;
    if (bytes == 0) r = b;
    else if (bytes == 1) r = (a << 24) | (b >> 8);
    else if (bytes == 2) r = (a << 16) | (b >> 16);
    else if (bytes == 3) r = (a << 8) | (b >> 24);
    return r;
}

#define WORDS 16
#define CASE(k)                                                                 \
    case k:                                                                     \
        for (int i = WORDS - 1; i >= k; i--)                                    \
            w[i] = joined(i > k ? w[i - k - 1] : 0, w[i - k], offset);          \
        for (int i = 0; i < k; i++)                                             \
            w[i] = 0;                                                           \
        break;

kernel void move(global const uint *in, global uint *out) {
    uint w[WORDS];
    for (int i = 0; i < WORDS; i++)
        w[i] = in[i];
    int offset = get_global_id(0);
    switch (offset / 4) {
        CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)
        CASE(8) CASE(9) CASE(10) CASE(11) CASE(12) CASE(13) CASE(14) CASE(15)
    }
    uint sum = 0;
    for (int i = 0; i < WORDS; i++)
        sum += w[i] * (2 * i + 1);
    out[offset] = sum;
}

// The regions of nested branches, one of which leaves early, and what one of them alone computes.
kernel void branches(global const uint *in, global uint *out) {
    int id = get_global_id(0);
    uint x = in[id], r = 0;
    if (id & 1) {
        for (int i = 0; i < 96; i++)
            r = r * 5 + (x >> (i & 31)) / (uint)(i + 1);
        if (id & 2) {
            out[id] = r;
            return;
        }
        r += x / (uint)(id + 1);
    } else {
        for (int i = 0; i < 96; i++)
            r = r * 5 + (x >> (i & 31)) / (uint)(i + 1);
        r ^= x;
    }
    out[id] = r + 1;
}
