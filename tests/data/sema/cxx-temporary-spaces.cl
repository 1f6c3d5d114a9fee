// options: -cl-std=CLC++2021
// target: nvidia
// Temporaries lie in private memory.
struct Part { int v; };
void in_global(const global short2 &);
void in_local(const local Part &); //~ 6 note: candidate function not viable
void anywhere(const Part &);
typedef global int in_space;
in_space result(); //~ 10 error: return value cannot be qualified with address space
template <class T> struct Holder { static T make(); };
kernel void binds(global int *out, global short2 *pair)
{
    in_global({1, 2}); //~ 15 error: reference of type 'const __global short2' (vector of 2 'short' values) cannot bind to a temporary object because of address space mismatch
    in_local(Part{1}); //~ 5 error: no matching function for call to 'in_local'
    in_global(*pair);
    anywhere(Part{1});
    const global int &number = 1; //~ 32 error: reference of type 'const __global int' cannot bind to a temporary object because of address space mismatch
}
