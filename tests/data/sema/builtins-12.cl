// options: -cl-std=CL1.2
// target: lavapipe
// Without generic pointers functions take those of the address spaces that they name.

kernel void spaces(global int *o, constant int *c, local int *l, float x) {
    int own = 0;
    o[0] = atomic_add(&own, 1); //~ 12 error: no matching function for call to 'atomic_add'
    //~^ 12 note: candidate function 'gentype atomic_add(volatile gentype *, gentype) [gentype: int, uint]' not viable: cannot pass pointer to address space '__private' as a pointer to address space '__local' or '__global' in argument 1
    o[1] = atomic_add(l, 1) + atomic_inc(o);
    x = fract(x, (constant float *)c); //~ 9 error: no matching function for call to 'fract'
    //~^ 9 note: candidate function 'gentype fract(gentype, gentype *) [gentype: half, float, double]' not viable: cannot pass pointer to address space '__constant' as a pointer to address space '__private' or '__local' or '__global' in argument 2
    x = fract(x, (local float *)l) + fract(x, (global float *)o);
}
