// test: emit
// Nesting that must stay structured: loops left early, switches that fall through, goto.

int search(global const int *a, int n, int key) {
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            if (a[i] + a[j] == key)
                return i * n + j;
            if (a[j] < 0)
                break;
            if (a[j] == 7)
                continue;
        }
        int k = 0;
        do {
            k++;
            if (a[k] == key)
                return k;
        } while (k < i);
    }
    return -1;
}

kernel void early(global int *out, global const int *a, int n) {
    int id = get_global_id(0);
    if (id >= n)
        return;
    out[id] = search(a, n, id);
    while (1) {
        if (out[id] > 100)
            break;
        switch (out[id] & 7) {
        case 0:
            out[id] += 3;
        case 1:
            out[id] += 5;
            break;
        case 2:
            continue;
        default:
            for (;;) {
                out[id]++;
                if (out[id] % 10 == 0)
                    break;
            }
        case 5:
            if (out[id] == 55)
                return;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

kernel void jumps(global int *out, int n) {
    int i = 0;
again:
    if (i < n) {
        out[i] = i;
        i += 2;
        if (out[i] == 5)
            goto done;
        goto again;
    }
    out[0] = n;
done:
    out[1] = i;
}

kernel void nothing(void) {}
kernel void endless(global int *out) { while (out[0] == 0) ; }
