// Local arguments of several types kept in memory, a double among them.
// needs: float64
// run: kernel=kept global=2 local=2 arg=local:3 arg=local:64 arg=local:8 arg=zeros:i32:1 arg=zeros:i32:10
// expect: 4 i32:100,1,201,3,5,1,0,0,0,1

struct Rows { local void *row[3]; };

// In memory, with elements of several sizes: each is aligned as its type.
kernel void kept(local char *a, local float4 *b, local double *c, global int *zero, global int *out) {
    int id = get_local_id(0);
    struct Rows rows;
    rows.row[zero[0]] = a;
    rows.row[zero[0] + 1] = b;
    rows.row[zero[0] + 2] = c;
    if (id == 0) {
        a[0] = 100;
        a[1] = 1;
        a[2] = 2;
        b[2] = (float4)(1.0f, 2.0f, 3.0f, 4.0f);
        c[0] = 201.0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id != 0) return;
    int one = 1 + zero[0];
    out[0] = ((local char *)rows.row[one - 1])[0];
    out[1] = ((local char *)rows.row[one - 1])[one];
    out[2] = *(local double *)rows.row[2 * one];
    out[3] = ((local float *)rows.row[one])[8 + 2 * one];
    out[4] = ((local char *)rows.row[one - 1])[2] + ((local float4 *)rows.row[one])[2].z;
    out[5] = rows.row[one] == b;
    out[6] = rows.row[one] == rows.row[0];
    out[7] = (uintptr_t)rows.row[one] % 16;
    out[8] = (uintptr_t)rows.row[2] % 8;
    out[9] = rows.row[0] != 0;
}

