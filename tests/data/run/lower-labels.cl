// test: run
// options: -cl-std=CL1.2
// run: kernel=labels global=1 local=1 arg=zeros:i32:4 arg=i32:1
// expect: 0 i32:1,6,2,203

// Labels that no goto names, and jumps in all directions, out of and into nested statements.
int counted(int n) {
    int i = 0, sum = 0;
again:
    if (i < n) {
        sum += i++;
        goto again;
    }
    return sum;
}

int out_of_loops(int n) {
    int steps = 0;
    for (int i = 0; i < 10; i++)
        while (1) {
            steps++;
            if (steps > n)
                goto done;
            break;
        }
done:
    return steps;
}

int into(int n) {
    int x = 0;
    if (n)
        goto inside;
    for (;;) {
        x += 100;
    inside:
        x++;
        if (x > 6)
            break;
    }
    return x;
}

kernel void labels(global int *out, int one) {
unused:
    out[0] = one;
    switch (one) {
    case 1:
    lonely:
        out[1] = counted(4);
    }
    for (int i = 0; i < one; i++) {
    another:
        out[2] = out_of_loops(one);
    }
    out[3] = into(0) + into(one);
}
