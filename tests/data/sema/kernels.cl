// options: -cl-std=CL1.2
// target: lavapipe

kernel void saxpy(global float *y, global const float *x, float a, int n) {
    int i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

#define TILE 16
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul(global float *c, global const float *a, global const float *b, int n) {
    local float as[TILE][TILE], bs[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int col = get_group_id(0) * TILE + x, row = get_group_id(1) * TILE + y;
    float sum = 0.0f;
    for (int t = 0; t < n / TILE; ++t) {
        as[y][x] = a[row * n + t * TILE + x];
        bs[y][x] = b[(t * TILE + y) * n + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += as[y][k] * bs[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + col] = sum;
}

typedef struct node {
    int value;
    float4 data[2];
    struct { short a; uchar b[3]; };
    union { int i; float f; } u;
} node_t;

constant int table[] = {1, 2, 3, [5] = 6, 7};
constant node_t origin = {.value = 3, .data = {{1, 2, 3, 4}}, .a = 5, .u.f = 2.5f};

int pick(const node_t *n, int which) {
    switch (which) {
    case 0: return n->value;
    case 1:
    case 2: return n->b[which];
    default: break;
    }
    return table[which & 3];
}

kernel void nodes(global node_t *out, global int *r, node_t init) {
    node_t list[3] = {init, {7}, {.u = {9}, .b = "ab"}};
    node_t *p = list;
    for (; p != list + 3; p++)
        *r++ = pick(p, p - list);
    out[0] = list[1];
    out->data[1].xz = out->data[0].wy;
    out[1].data[0].s0 += 2;
    out[1].data[0] *= 2;
    *(global int *)&out[2].u = as_int(1.0f);
    r[0] = sizeof(node_t) + sizeof table / sizeof table[0];
}
