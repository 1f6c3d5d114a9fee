// Private objects that are too large for drivers. Expected values are PoCL's.
// options: -cl-std=CL3.0

// Neighbours have their own; a last group that is smaller.
// run: kernel=ints global=70 local=16 arg=zeros:i32:70 arg=i32:1000
// expect: 0 i32:1846284336,-705290760,1038101440,-1513473656,229918544,1973310744,-578264352,1165127848,-1386447248,356944952,2100337152,-451237944,1292154256,-1259420840,483971360,-2067603736,-324211536,1419180664,-1132394432,610997768,-1940577328,-197185128,1546207072,-1005368024,738024176,-1813550920,-70158720,1673233480,-878341616,865050584,-1686524512,56867688,1800259888,-751315208,992076992,-1559498104,183894096,1927286296,-624288800,1119103400,-1432471696,310920504,2054312704,-497262392,1246129808,-1305445288,437946912,-2113628184,-370235984,1373156216,-1178418880,564973320,-1986601776,-243209576,1500182624,-1051392472,691999728,-1859575368,-116183168,1627209032,-924366064,819026136,-1732548960,10843240,1754235440,-797339656,946052544,-1605522552,137869648,1881261848
// run: kernel=ints global=33 local=open arg=zeros:i32:33 arg=i32:7
// expect: 0 i32:-1863976718,-120584518,1622807682,-928767414,814624786,-1736950310,6441890,1749834090,-801741006,941651194,-1609923902,133468298,1876860498,-674714598,1068677602,-1482897494,260494706,2003886906,-547688190,1195704010,-1355871086,387521114,2130913314,-420661782,1322730418,-1228844678,514547522,-2037027574,-293635374,1449756826,-1101818270,641573930,-1910001166
kernel void ints(global int *out, int n) {
    int a[1500];
    int id = get_global_id(0);
    for (int i = 0; i < 20; i++) a[(i * 71 + id) % 1500] = i * n + id;
    int s = 0;
    for (int i = 0; i < 20; i++) s = s * 3 + a[((19 - i) * 71 + id) % 1500];
    out[id] = s;
}

struct Mixed { char c; short s; int i; long l; float f; uchar3 v; };

struct Mixed changed(struct Mixed m, int by) {
    m.i += by;
    m.c ^= 5;
    m.v.y = (uchar)by;
    return m;
}

// All widths in one object, as structs, bytes and halves of words; copies of parts.
// run: kernel=kinds global=1 local=1 arg=zeros:i32:48 arg=buffer:i32:7,119,64,0,33,90
// expect: 0 i32:-53,2100,700000,14,3,9008007,174,2100,59,-29836,11900000,238,59,121120119,148,35700,4,19200,6400000,128,32,66065064,168,19200,-60,0,0,0,0,2001000,0,0,59,-29836,11900000,238,59,121120119,148,35700,1,19200,6400007,128,32,66007064,168,19200
kernel void kinds(global int *out, global const int *at) {
    struct Mixed m[120];
    for (int i = 0; i < 4; i++) {
        int j = at[i];
        m[j].c = (char)(j - 60);
        m[j].s = (short)(j * 300);
        m[j].i = j * 100000;
        m[j].l = (long)j << 33;
        m[j].f = j * 0.5f;
        m[j].v = (uchar3)(j, j + 1, j + 2);
    }
    m[at[4]] = m[at[1]];
    m[at[5]] = changed(m[at[2]], at[0]);
    uchar *bytes = (uchar *)m;
    ushort *halves = (ushort *)m;
    for (int i = 0; i < 6; i++) {
        struct Mixed *p = m + at[i];
        out[8 * i] = p->c;
        out[8 * i + 1] = p->s;
        out[8 * i + 2] = p->i;
        out[8 * i + 3] = (int)(p->l >> 32);
        out[8 * i + 4] = (int)p->f;
        out[8 * i + 5] = p->v.x + 1000 * p->v.y + 1000000 * p->v.z;
        out[8 * i + 6] = bytes[at[i] * sizeof(struct Mixed) + 5];
        out[8 * i + 7] = halves[at[i] * sizeof(struct Mixed) / 2 + 1];
    }
}

// Elements of each size alone, vectors as a whole and by lanes.
// run: kernel=sizes global=1 local=1 arg=zeros:i64:10 arg=buffer:i32:3,150,77,0,166
// expect: 0 i64:661444675738,130038724821222,0,130137509068800,1425938084172,131279970370035,25787348998,131009387429899,1288495034668,132070244352453
kernel void sizes(global ulong *out, global const int *at) {
    uchar c[3000];
    ushort s[1500];
    ulong l[400];
    float4 f[200];
    int3 t[200];
    bool b[3000];
    global ulong *p[400];
    for (int i = 0; i < 5; i++) {
        c[at[i] * 17] = at[i];
        s[at[i] * 9] = at[i] * 1000;
        l[at[i]] = (ulong)at[i] * 0x100000001ul;
        f[at[i]] = (float4)(at[i], 0.5f, -1, at[i] * 2);
        t[at[i]] = (int3)(at[i], 2, 3);
        b[at[i] * 11] = at[i] & 1;
        p[at[i]] = out + at[i];
    }
    for (int i = 0; i < 5; i++) {
        int j = at[(i + 2) % 5];
        f[j].z += i;
        ((int *)t)[4 * j + 1] += i;
        ulong x = c[j * 17] + ((ulong)s[j * 9] << 8) + ((ulong)b[j * 11] << 24) + ((ulong)(p[j] - out) << 32);
        out[2 * i] = x + l[j];
        out[2 * i + 1] = (ulong)(f[j].x + f[j].y + f[j].z + f[j].w) + ((ulong)(t[j].x + t[j].y * 100 + t[j].z * 10000) << 32);
    }
}

// Pointers that are chosen at run time, kept in memory, compared; beside them a small array.
// run: kernel=pointers global=4 local=2 arg=zeros:i32:24 arg=buffer:i32:0,1,2,7
// expect: 0 i32:1,20,30,10,0,1,10,2,30,10,0,1,1,20,2,11,0,1,10,2,30,8,0,1
kernel void pointers(global int *out, global const int *which) {
    int a[900], b[900], small[4];
    int *both[2];
    int w = which[get_global_id(0)];
    for (int i = 0; i < 4; i++) {
        a[i * 50 + w] = i + 1;
        b[i * 50 + w] = 10 * (i + 1);
        small[(i + w) & 3] = i;
    }
    both[w & 1] = a;
    both[~w & 1] = b;
    int *p = w == 2 ? a + 50 : b + 100;
    int *none = w == 7 ? a : 0;
    out += 6 * get_global_id(0);
    out[0] = both[0][w];
    out[1] = both[1][50 + w];
    out[2] = p[w];
    out[3] = (p == a + 50) + 2 * (none == 0) + 4 * (both[0] == both[1]) + 8 * (&both[0][100] - both[0] == 100);
    out[4] = small[w & 3];
    *p = 77;
    out[5] = a[50] == 77 || b[100] == 77;
}

// Calls that stay, with objects of their own.
int __attribute__((noinline)) last(int *p, int n) {
    int own[700];
    for (int i = 0; i < n; i++) own[i * 13] = p[i * 7] * 2;
    int s = 0;
    for (int i = 0; i < n; i++) s += own[i * 13] << i;
    p[0] = -s;
    return s;
}
int __attribute__((noinline)) first(int *p, int n, int depth) {
    int own[800];
    for (int i = 0; i < n; i++) own[i * 7] = p[i * 7] + depth;
    int s = last(own, n);
    return s + own[0] + last(p, n - 1);
}
// run: kernel=calls global=6 local=3 arg=zeros:i32:12 arg=i32:5
// expect: 0 i32:68,-64,98,-93,128,-122,158,-151,188,-180,218,-209
kernel void calls(global int *out, int n) {
    int a[1000];
    int id = get_global_id(0);
    for (int i = 0; i < n; i++) a[i * 7] = id + i;
    out[2 * id] = first(a, n, 3);
    out[2 * id + 1] = a[0] + a[28];
}

// Generic pointers into private and local memory.
int through(int *p, int i) {
    int old = p[i];
    p[i] = old + 5;
    return old;
}
// run: kernel=generic_pointers global=8 local=8 arg=zeros:i32:16
// expect: 0 i32:0,105,101,107,2,109,103,111,4,113,105,115,6,117,107,119
kernel void generic_pointers(global int *out) {
    int a[1000];
    local int l[8];
    int id = get_local_id(0);
    l[id] = id;
    a[id * 100] = 100 + id;
    int *p = id & 1 ? (int *)&a[id * 99] : (int *)&l[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[2 * id] = through(p, id);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[2 * id + 1] = a[id * 100] + l[id];
}

// Three dimensions with remainders, an offset, barriers.
// run: kernel=box global=5,3,2 local=2,2,1 offset=0,0,1 arg=zeros:i32:30
// expect: 0 i32:136,146,236,246,180,186,196,286,296,230,320,330,380,390,287,886,896,986,996,630,936,946,1036,1046,680,770,780,830,840,587
kernel void box(global int *out) {
    int a[2000];
    local int sum;
    size_t id = (get_global_id(2) - 1) * 15 + get_global_id(1) * 5 + get_global_id(0);
    if (get_local_linear_id() == 0) sum = 0;
    for (int i = 0; i < 5; i++) a[id * 60 + i] = id * 10 + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, a[id * 60 + 3]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = sum + a[id * 60 + 4];
}

// Objects of a loop's body: item id has the sum over r < n of 100 * r + 10 * id + 20.
// run: kernel=in_loop global=4 local=4 arg=zeros:i32:4 arg=i32:3
// expect: 0 i32:360,390,420,450
kernel void in_loop(global int *out, int n) {
    int id = get_global_id(0), s = 0;
    for (int r = 0; r < n; r++) {
        int a[1200], b[1100];
        for (int i = 0; i < 4; i++) {
            a[(i * 300 + r * 17 + id) % 1200] = r * 10 + i + id;
            b[(i * 250 + r) % 1100] = i;
        }
        for (int i = 0; i < 4; i++) s += a[(i * 300 + r * 17 + id) % 1200] * (1 + b[(i * 250 + r) % 1100]);
    }
    out[id] = s;
}

struct Big { int head; int words[700]; short tail; };

// By value, and cleared and copied as a whole.
// run: kernel=by_value global=1 local=1 arg=i32:9,0,3,6,9,12,15,18,21,24,27,30,33,36,39,42,45,48,51,54,57,60,63,66,69,72,75,78,81,84,87,90,93,96,99,102,105,108,111,114,117,120,123,126,129,132,135,138,141,144,147,150,153,156,159,162,165,168,171,174,177,180,183,186,189,192,195,198,201,204,207,210,213,216,219,222,225,228,231,234,237,240,243,246,249,252,255,258,261,264,267,270,273,276,279,282,285,288,291,294,297,300,303,306,309,312,315,318,321,324,327,330,333,336,339,342,345,348,351,354,357,360,363,366,369,372,375,378,381,384,387,390,393,396,399,402,405,408,411,414,417,420,423,426,429,432,435,438,441,444,447,450,453,456,459,462,465,468,471,474,477,480,483,486,489,492,495,498,501,504,507,510,513,516,519,522,525,528,531,534,537,540,543,546,549,552,555,558,561,564,567,570,573,576,579,582,585,588,591,594,597,600,603,606,609,612,615,618,621,624,627,630,633,636,639,642,645,648,651,654,657,660,663,666,669,672,675,678,681,684,687,690,693,696,699,702,705,708,711,714,717,720,723,726,729,732,735,738,741,744,747,750,753,756,759,762,765,768,771,774,777,780,783,786,789,792,795,798,801,804,807,810,813,816,819,822,825,828,831,834,837,840,843,846,849,852,855,858,861,864,867,870,873,876,879,882,885,888,891,894,897,900,903,906,909,912,915,918,921,924,927,930,933,936,939,942,945,948,951,954,957,960,963,966,969,972,975,978,981,984,987,990,993,996,999,1002,1005,1008,1011,1014,1017,1020,1023,1026,1029,1032,1035,1038,1041,1044,1047,1050,1053,1056,1059,1062,1065,1068,1071,1074,1077,1080,1083,1086,1089,1092,1095,1098,1101,1104,1107,1110,1113,1116,1119,1122,1125,1128,1131,1134,1137,1140,1143,1146,1149,1152,1155,1158,1161,1164,1167,1170,1173,1176,1179,1182,1185,1188,1191,1194,1197,1200,1203,1206,1209,1212,1215,1218,1221,1224,1227,1230,1233,1236,1239,1242,1245,1248,1251,1254,1257,1260,1263,1266,1269,1272,1275,1278,1281,1284,1287,1290,1293,1296,1299,1302,1305,1308,1311,1314,1317,1320,1323,1326,1329,1332,1335,1338,1341,1344,1347,1350,1353,1356,1359,1362,1365,1368,1371,1374,1377,1380,1383,1386,1389,1392,1395,1398,1401,1404,1407,1410,1413,1416,1419,1422,1425,1428,1431,1434,1437,1440,1443,1446,1449,1452,1455,1458,1461,1464,1467,1470,1473,1476,1479,1482,1485,1488,1491,1494,1497,1500,1503,1506,1509,1512,1515,1518,1521,1524,1527,1530,1533,1536,1539,1542,1545,1548,1551,1554,1557,1560,1563,1566,1569,1572,1575,1578,1581,1584,1587,1590,1593,1596,1599,1602,1605,1608,1611,1614,1617,1620,1623,1626,1629,1632,1635,1638,1641,1644,1647,1650,1653,1656,1659,1662,1665,1668,1671,1674,1677,1680,1683,1686,1689,1692,1695,1698,1701,1704,1707,1710,1713,1716,1719,1722,1725,1728,1731,1734,1737,1740,1743,1746,1749,1752,1755,1758,1761,1764,1767,1770,1773,1776,1779,1782,1785,1788,1791,1794,1797,1800,1803,1806,1809,1812,1815,1818,1821,1824,1827,1830,1833,1836,1839,1842,1845,1848,1851,1854,1857,1860,1863,1866,1869,1872,1875,1878,1881,1884,1887,1890,1893,1896,1899,1902,1905,1908,1911,1914,1917,1920,1923,1926,1929,1932,1935,1938,1941,1944,1947,1950,1953,1956,1959,1962,1965,1968,1971,1974,1977,1980,1983,1986,1989,1992,1995,1998,2001,2004,2007,2010,2013,2016,2019,2022,2025,2028,2031,2034,2037,2040,2043,2046,2049,2052,2055,2058,2061,2064,2067,2070,2073,2076,2079,2082,2085,2088,2091,2094,2097,65532 arg=zeros:i32:4 arg=i32:555
// expect: 1 i32:1665,1671,3,3
kernel void by_value(struct Big b, global int *out, int i) {
    struct Big other = b, zeros = { 0 };
    other.words[i] += 1;
    zeros.words[i + 1] = 3;
    out[0] = b.words[i];
    out[1] = other.words[i] + other.head + other.tail;
    out[2] = zeros.words[i] + zeros.words[i + 1] + zeros.tail;
    b = zeros;
    out[3] = b.words[i + 1] + b.head;
}

// run: kernel=prints global=1 local=1 arg=i32:1300
// printed: abc 1300\n
kernel void prints(int n) {
    char text[4000];
    for (int i = 0; i < 3; i++) text[i * n] = 'a' + i;
    printf("%c%c%c %d\n", text[0], text[n], text[2 * n], n);
}
