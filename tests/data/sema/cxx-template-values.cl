// options: -cl-std=CLC++2021
// target: lavapipe
// Arguments of templates that are pointers and references: only whole variables, without conversions but those of qualifiers.
__global int g; __global int h; __global int arr[4]; const __constant int k = 5;
struct S { int a; int b; }; __global S s;
namespace n { static __global int st; }
template<__global int *P> struct A { static constexpr bool null = P == nullptr; int get() { return *P; } };
template<__global int &R> struct B { void set() { R = 1; } };
template<const __global int &R> struct B2 { int set() { return R; } };
template<auto P> struct C { };
template<int *P> struct G { };

A<&g> a1;
A<nullptr> a2;
A<arr> a3;
A<&n::st> a4;
A<(__global int *)0> a5;
A<&arr[0]> first;
A<&arr[1]> a6; //~ 3 error: non-type template argument refers to subobject
A<&s.a> a7; //~ 3 error: non-type template argument refers to subobject
A<&s.b> a8; //~ 3 error: non-type template argument refers to subobject
A<0> a9; //~ 3 error: conversion from 'int' to '__global int *' is not allowed in a converted constant expression
A<&g + 1> a10; //~ 3 error: non-type template argument refers to subobject
A<(__global int *)16> a11; //~ 3 error: non-type template argument is not a constant expression
B<g> b1;
B<arr[0]> b2; //~ 3 error: non-type template argument refers to subobject
B<s.a> b3; //~ 3 error: non-type template argument refers to subobject
B<k> b4; //~ 3 error: binding reference of type '__global int' to value of type 'const __constant int' drops 'const' qualifier
B2<g> b5;
C<&g> c1;
C<g> c2; //~ 3 error: non-type template argument is not a constant expression
C<k> c3;
G<&g> generic; //~ 3 error: non-type template argument is not a constant expression
template <short N> struct Short {};
template <int N> int of_int(Short<N>); //~ 1 note: candidate function not viable
void f(int p)
{
    A<&p> x; //~ 7 error: cannot initialize a parameter of type '__global int *' with an rvalue of type '__private int *'
    static int l;
    A<&l> y;
    of_int(Short<1>()); //~ 5 error: no matching function for call to 'of_int'
}
template <__local int *P> struct L {};
kernel void with_local()
{
    __local int inside;
    L<&inside> x; //~ 7 error: non-type template argument is not a constant expression
}
int x = A<&g>(); //~ 9 error: cannot initialize a variable of type '__global int' with an rvalue of type 'A<&g>'
int y = B<g>(); //~ 9 error: cannot initialize a variable of type '__global int' with an rvalue of type 'B<g>'
int z = A<nullptr>(); //~ 9 error: cannot initialize a variable of type '__global int' with an rvalue of type 'A<nullptr>'
int w = A<arr>(); //~ 9 error: cannot initialize a variable of type '__global int' with an rvalue of type 'A<arr>'
