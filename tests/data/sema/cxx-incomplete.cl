// options: -cl-std=CLC++2021
// target: lavapipe
// What is defined with a class that is not; what only declares.
struct inc;
template <class T> struct undefined;
inc result() { } //~ 5 error: incomplete result type 'inc' in function definition
void parameter(inc x) { } //~ 20 error: variable has incomplete type 'inc'
undefined<int> instance() { } //~ 16 error: incomplete result type 'undefined<int>' in function definition
void declares(inc, undefined<int>);
inc declares_result();
struct members
{
    inc a() { } //~ 9 error: incomplete result type 'inc' in function definition
    static void b(inc x) { } //~ 23 error: variable has incomplete type 'inc'
    void c(inc);
};
void lambda() { auto l = [](inc x) { }; } //~ 33 error: variable has incomplete type 'inc'
extern inc object;
inc *pointer;
