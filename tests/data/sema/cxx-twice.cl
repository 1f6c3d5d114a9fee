// options: -cl-std=CLC++2021
// target: lavapipe
// Members are declared once, and have no address space.
struct Twice {
    int a; //~ 9 note: previous declaration is here
    int a; //~ 9 error: duplicate member 'a'
    void f(); //~ 10 note: previous declaration is here
    void f(); //~ 10 error: class member cannot be redeclared
    void f(int);
    Twice(); //~ 5 note: previous declaration is here
    Twice(); //~ 5 error: constructor cannot be redeclared
    ~Twice() __global; //~ 5 note: previous declaration is here
    ~Twice() __global; //~ 5 error: destructor cannot be redeclared
    ~Twice();
    operator int(); //~ 5 note: previous declaration is here
    operator int(); //~ 5 error: conversion function cannot be redeclared
};
void Twice::f() {}
template <class T> struct Once {
    void f(T);
    void f(int) const;
    T a;
};
template <class T> void Once<T>::f(T) {}
void Twice::f(int) { Once<int> a; a.f(1); }
struct Spaces {
    private int a; //~ 17 error: field may not be qualified with an address space
    global int b; //~ 16 error: field may not be qualified with an address space
    int *private c; //~ 18 error: field may not be qualified with an address space
    private int *d;
    local int *e;
  private:
    int f;
};
int lists()
{
    int a[2] = {1, 2, 3}; //~ 23 error: excess elements in array initializer
    char b[2] = "abc"; //~ 17 error: initializer-string for char array is too long
    return a[0] + b[0];
}
