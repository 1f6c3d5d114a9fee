// What a kernel may not be or do.
constant int table[2] = {1, 2};
kernel int returns(global int *p) { return p[0]; }
kernel void space(int *p) { }
kernel void pointers(global int **p) { }
kernel void boolean(bool b) { }
kernel void writes(constant int *c) { c[0] = 1; table[0] = 2; }
kernel void scope(global int *p) {
    for (int i = 0; i < 3; i++) {
        local int inner;
    }
    break;
    case 3: ;
    goto nowhere;
}
