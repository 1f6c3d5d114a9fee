// options: -cl-std=CLC++2021
// target: lavapipe
// Qualifiers that no conversion of pointers adds.
void const_inside(const int **p); //~ 6 note: candidate function not viable
void const_outside(int *const *p);
void array(const int (*a)[2]); //~ 6 note: candidate function not viable
void plain(int (*a)[2]); //~ 6 note: candidate function not viable
void pointers(int **p, int (*shorter)[1], const int (*a)[2])
{
    const_inside(p); //~ 5 error: no matching function for call to 'const_inside'
    const_outside(p);
    array(shorter); //~ 5 error: no matching function for call to 'array'
    plain(a); //~ 5 error: no matching function for call to 'plain'
}
