// options: -cl-std=CLC++2021
// target: lavapipe
// Destructors by address space.
struct Global {
    int value;
    ~Global() __global;
};
void ends(global Global *a, Global *b, local Global *c)
{
    a->~Global();
    b->~Global(); //~ 15 error: cannot initialize object parameter of type '__global Global' with an expression of type '__generic Global'
    c->~Global(); //~ 15 error: cannot initialize object parameter of type '__global Global' with an expression of type '__local Global'
}
kernel void own()
{
    Global none; //~ 12 error: cannot initialize object parameter of type '__global Global' with an expression of type '__private Global'
}
