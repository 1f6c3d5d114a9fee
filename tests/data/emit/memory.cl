// test: emit
// Objects in each address space: one element type, several, whole structs, tables.

typedef struct { int key; float value; char tag[3]; } Entry;

constant int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
constant float4 corners[2][2] = {{(float4)(0), (float4)(1)}, {(float4)(2), (float4)(3)}};
constant Entry entries[] = {{1, 2.5f, {'a', 'b', 'c'}}, {2, 3.5f, {'d'}}};
constant char name[] = "caldera";

kernel void tables(global float *out) {
    int i = get_global_id(0);
    out[i] = primes[i & 7] + corners[i & 1][i >> 1 & 1].y + entries[i & 1].value + name[i % 7];
}

kernel void local_views(global uint *out) {
    local uint words[64];
    local uchar bytes[64];
    local ushort4 wide[16];
    local Entry list[8];
    uint i = get_local_id(0);
    words[i] = i;
    bytes[i] = i;
    ((local uchar *)wide)[i] = i;
    list[i & 7].tag[i % 3] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = words[63 - i] + bytes[63 - i] + wide[i & 15].y + list[i & 7].key
           + *(local ushort *)(words + (i & 31));
}

kernel void private_objects(global float *out, int n) {
    float stack[16];
    Entry one = {n, 0.5f, {1, 2, 3}}, two;
    for (int i = 0; i < 16; i++)
        stack[i] = i * n;
    two = one;
    two.tag[n % 3] = n;
    uchar *bytes = (uchar *)stack;
    bytes[n & 63] = 1;
    float *chosen = n > 3 ? stack : &two.value;
    out[get_global_id(0)] = stack[n & 15] + two.tag[1] + *chosen;
}

kernel void stored_pointers(global ulong *out, global int *a, global int *b) {
    global int *list[2] = {a, b};
    global int *p = list[get_global_id(0) & 1] + 3;
    out[0] = (ulong)p;
    out[1] = (ulong)(p - a);
    out[2] = *(global int *)(out[3]);
    out[4] = p < b || !p;
}
