// options: -cl-std=CL3.0
// Behind a syntax error the next statement, member, parameter or declaration is looked at; clang reports the same places.
typedef struct { int a; int ]; int b; } S;
constant int table[] = {1, * };
int two(int a, int b c) { return none1; }

kernel void expressions(global int *o) {
    int x = , y = 2;
    o[0] = x + y + table[0];
    o[1] = ];
    o[2] = 1
    o[3] = none;
    o[4] = two(1, );
    S s;
    s.b = 1;
}

kernel void statements(global int *o, int n) {
    if (n > ) { o[0] = none3; }
    for (int i = 0; i < ; i++) { o[i] = i; }
    do { n--; } until (n < 3);
    switch (n) { case ]: o[1] = 1; break; case 2 o[2] = *; }
}
}
kernel void end(global int *o) { o[0] = none4 }
