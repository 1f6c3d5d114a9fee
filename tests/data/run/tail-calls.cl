// test: run
// run: kernel=gcds global=6 arg=buffer:i32:12,35,0,17,1071,-8 arg=buffer:i32:18,14,5,0,462,12 arg=zeros:i32:6
// expect: 2 i32:6,7,5,17,21,4
// run: kernel=smallest global=4 arg=buffer:f32:5,1,4,2,3,9,8,7 arg=zeros:f32:4
// expect: 1 f32:1,3,5,9
// run: kernel=fills global=3 arg=zeros:i32:6 arg=i32:4
// expect: 0 i32:4,3,2,1,0,0
// run: kernel=searches global=5 arg=buffer:i32:1,3,4,8,9,12,20 arg=zeros:i32:5
// expect: 1 i32:-1,2,-1,4,6
// run: kernel=swaps global=4 arg=zeros:i32:4
// expect: 0 i32:12,21,12,21

// Calls that stand where a function returns are loops. Values by hand.
int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }

kernel void gcds(global int *a, global int *b, global int *out) {
    int i = get_global_id(0);
    out[i] = gcd(a[i], b[i]);
}

void exchange(float *a, float *b) {
    float t = *a;
    *a = *b;
    *b = t;
}

int divide(float *x, int l, int r) {
    float last = x[r];
    int i = l;
    for (int j = l; j < r; j++)
        if (x[j] <= last)
            exchange(&x[i++], &x[j]);
    exchange(&x[i], &x[r]);
    return i;
}

float nth(float x[], int l, int r, int k) {
    if (k > 0 && k <= r - l + 1) {
        int i = divide(x, l, r);
        if (i - l == k - 1)
            return x[i];
        if (i - l > k - 1)
            return nth(x, l, i - 1, k);
        return nth(x, i + 1, r, k - i + l - 1);
    } else
        return 0;
}

kernel void smallest(global float *in, global float *out) {
    float x[8];
    for (int i = 0; i < 8; i++)
        x[i] = in[i];
    out[get_global_id(0)] = nth(x, 0, 7, 2 * get_global_id(0) + 1 + (get_global_id(0) == 3));
}

// At the end, in front of `return;`, and out of a loop in a switch.
void fill(global int *to, int n) {
    if (n == 0)
        return;
    *to = n;
    switch (n & 1) {
    case 0:
        for (int i = 0; i < 3; i++)
            if (i == 1) {
                fill(to + 1, n - 1);
                return;
            }
        break;
    default:
        break;
    }
    fill(to + 1, n - 1);
}

kernel void fills(global int *to, int n) {
    if (get_global_id(0) == 0)
        fill(to, n);
}

// The variables of a call begin anew.
struct range { int low, high; };
int search(global const int *in, struct range r, int value) {
    int found = -1;
    int middle = (r.low + r.high) / 2;
    if (r.low > r.high)
        return found;
    if (in[middle] == value)
        found = middle;
    else if (in[middle] < value) {
        r.low = middle + 1;
        return search(in, r, value);
    } else {
        r.high = middle - 1;
        return search(in, r, value);
    }
    return found;
}

kernel void searches(global const int *in, global int *out) {
    int i = get_global_id(0);
    int values[] = {0, 4, 10, 9, 20};
    out[i] = search(in, (struct range){0, 6}, values[i]);
}

// All arguments come before the parameters change.
int swap(int a, int b, int n) {
    if (!n)
        return 10 * a + b;
    return swap(b, a, n - 1);
}

kernel void swaps(global int *out) {
    int i = get_global_id(0);
    out[i] = swap(1, 2, i);
}
