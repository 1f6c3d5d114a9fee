// Errors in several functions, all in one log; good functions between do not hide them.
kernel void first(global int *out) {
    int x = ;
    out[0] = x;
}

kernel void second(global int *out) {
    out[0] = undeclared + 1;
    out[1] = alsoUndeclared;
}

kernel void good(global int *out) { out[0] = 1; }

kernel void third(global int *out) {
    out[0] = 1
    out[1] = 2;
}
