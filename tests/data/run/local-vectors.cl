// Adjacent loads of local memory, which `local_vectors` joins: of places known and not, behind writes, at the ends of objects, in
// loops. The expected values are those of a model in Python.
// target: nvidia
// run: kernel=tiles global=8,8 local=8,8 arg=zeros:i32:64
// expect: 0 i32:266,294,166,233,274,263,226,254,202,284,262,240,192,235,252,243,292,285,226,258,264,218,289,243,217,264,168,254,314,322,304,221,285,243,253,250,221,283,319,199,243,233,184,213,216,167,235,199,245,311,247,209,288,315,316,265,236,191,211,205,173,232,265,155
// run: kernel=argument global=8 local=8 arg=buffer:i32:3,1,4,1,5,9,2,6 arg=local:52 arg=zeros:i32:16
// expect: 2 i32:70282,3022,70282,1022,70282,4022,70282,1022,70282,5022,70282,9022,70282,2022,70282,6022
// run: kernel=writes global=4 local=4 arg=buffer:i32:10,20,30,40 arg=zeros:i32:8
// expect: 1 i32:33,103,75,196,117,259,159,292
// run: kernel=steps global=4 local=4 arg=i32:16 arg=zeros:i32:4
// expect: 1 i32:3141,3541,3941,4341

#define T 8

kernel __attribute__((reqd_work_group_size(T, T, 1))) void tiles(global int *out)
{
    local int a[T][T];
    // Rows begin at each lane.
    local int b[T][T + 1];
    uint x = get_local_id(0), y = get_local_id(1);
    a[y][x] = (y * 7 + x * 3) % 11;
    b[x][y] = (y * 5 + x * 2) % 13;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int k = 0; k < T; k++)
        sum += a[y][k] * b[x][k];
    out[y * T + x] = sum;
}

kernel void argument(global const int *in, local int *shared, global int *out)
{
    uint i = get_local_id(0);
    shared[i] = in[i];
    if (i < 5)
        shared[8 + i] = 2 * in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[2 * i] = shared[9] + shared[10] * 10 + shared[11] * 100 + shared[12] * 1000 + shared[8] * 10000;
    out[2 * i + 1] = shared[i] * 1000 + shared[1] + shared[2] + shared[3] + shared[4] + shared[5] + shared[6];
}

kernel void writes(global const int *in, global int *out)
{
    local int shared[16];
    uint i = get_local_id(0);
    for (int k = 0; k < 4; k++)
        shared[4 * i + k] = in[i] + 4 * i + k;
    int sum = shared[4 * i] + shared[4 * i + 1] + shared[4 * i + 2];
    shared[5 * i] = -7;
    out[2 * i] = sum;
    out[2 * i + 1] = shared[4 * i] + 2 * shared[4 * i + 1] + 3 * shared[4 * i + 2] + 4 * shared[4 * i + 3];
}

kernel void steps(int n, global int *out)
{
    local int shared[20];
    int i = get_local_id(0);
    for (int k = i; k < 20; k += 4)
        shared[k] = k + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int k = 0; k < n; k += 4)
        sum = sum * 3 + shared[k] + shared[k + 1] * 2 + shared[k + 2] * 4 + shared[k + 3] * 8;
    int j = 4 * i + 4;
    out[i] = sum + shared[j - 1] - shared[j - 2] + shared[j - 4] * 100;
}
