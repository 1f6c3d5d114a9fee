// options: -cl-std=CL1.2
// run: kernel=initialisers global=1 local=1 arg=zeros:i32:64
// expect: 0 i32:7,8,9,10,8,7,11,3,5,6,341,99,98,101,0,9,51,0,9,11,4,2211,3,3606,677,62,68,476,5,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0

// Objects that are mostly not written, ranges of designators, and later ones over earlier ones. Expected values: clang 14
// for the host, on the same text.
typedef struct { char c; short pad[3]; int v; } item;
typedef struct { item items[40]; long tail; } list;

constant int ranged[5000] = {[0 ... 4999] = 7, [100 ... 199] = 8, [150] = 9, 10, [4999] = 11};
constant int sparse[1 << 16] = {3, [7000] = 5, [(1 << 16) - 1] = 6};
constant int late[600] = {[599] = 1, [300] = 2, [5] = 3, [300] = 4};
constant char text[3][1000] = {[0 ... 1] = "abc", "de"};
constant item items[50] = {[3 ... 40] = {.v = 5, .pad = {[1 ... 2] = 2}}, [7].c = 1};
constant int *constant into[100] = {[0 ... 98] = ranged + 150, ranged + 4999};

kernel void initialisers(global int *out) {
    // 0, but only at run time.
    int at = out[62];
    int n = 0;
    out[n++] = ranged[at];
    out[n++] = ranged[at + 100];
    out[n++] = ranged[at + 150];
    out[n++] = ranged[at + 151];
    out[n++] = ranged[at + 152];
    out[n++] = ranged[at + 200];
    out[n++] = ranged[at + 4999];
    out[n++] = sparse[at] + sparse[at + 1];
    out[n++] = sparse[at + 7000] + sparse[at + 7001];
    out[n++] = sparse[at + (1 << 16) - 1];
    out[n++] = late[at + 599] + 10 * late[at + 300] + 100 * late[at + 5] + 1000 * late[at];
    out[n++] = text[at][2];
    out[n++] = text[at + 1][1];
    out[n++] = text[at + 2][1];
    out[n++] = text[at + 1][3];
    out[n++] = items[at + 3].v + items[at + 3].pad[1] + items[at + 40].pad[2];
    out[n++] = items[at + 7].c + 10 * items[at + 7].v;
    out[n++] = items[at + 41].v + items[at + 2].v;
    out[n++] = into[at + 98][0];
    out[n++] = into[at + 99][0];
    int zeros[9000] = {0};
    zeros[at + 17] = 4;
    out[n++] = zeros[at + 17] + zeros[at + 18];
    int few[9000] = {[5] = 1, [4000 ... 4019] = 2, [8999] = 3};
    few[at]++;
    out[n++] = few[at] + 10 * few[at + 5] + 100 * few[at + 4000] + 1000 * few[at + 4019];
    out[n++] = few[at + 4020] + few[at + 3999] + few[at + 8999] + few[at + 8998];
    int row = out[63] + 6;
    int computed[120][20] = {[0 ... 119] = {[1 ... 18] = row, 3}, [100][7 ... 9] = row + 1};
    out[n++] = computed[at][0] + computed[at + 5][1] + 100 * computed[at + 119][18] + 1000 * computed[at + 119][19];
    out[n++] = computed[at + 100][7] + 10 * computed[at + 100][9] + 100 * computed[at + 100][10];
    item one = {.c = 2, .v = row};
    item many[100] = {[0 ... 98] = one, [50].v = 8};
    out[n++] = many[at].c + 10 * many[at + 98].v + 100 * many[at + 99].v;
    out[n++] = many[at + 50].v + 10 * many[at + 51].v;
    list a = {.items = {[39].v = row}, .tail = 4}, b = a, c;
    b.items[at + 39].v++;
    c = b;
    out[n++] = a.items[at + 39].v + 10 * c.items[at + 39].v + 100 * (int)c.tail + c.items[at + 38].v;
    union { char bytes[5000]; int words[2]; } u = {.words = {[1] = 0x01020304}};
    out[n++] = u.bytes[at + 4] + u.bytes[at + 7] + u.bytes[at + 4999];
}
