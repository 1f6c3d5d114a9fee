// options: -cl-std=CLC++2021
// Operators, constructors, destructors and conversions of the wrong shape; what may be there once, or needs a value.
struct a
{
    a operator&&(int, int); //~ 7 error: overloaded 'operator&&' must be a binary operator (has 3 parameters)
    a operator!(int); //~ 7 error: overloaded 'operator!' must be a unary operator (has 2 parameters)
    a operator-(int, int); //~ 7 error: overloaded 'operator-' must be a unary or binary operator (has 3 parameters)
    int operator[](int, int); //~ 9 error: overloaded 'operator[]' must be a binary operator (has 3 parameters)
    int operator()(int, int);
    friend a operator+(a, int);
    operator int(int); //~ 5 error: conversion function cannot have any parameters
    ~a(int); //~ 5 error: destructor cannot have any parameters
    void a(); //~ 10 error: constructor cannot have a return type
    static constexpr int none; //~ 26 error: constexpr variable 'none' must be initialized by a constant expression
    static int inside = 1; //~ 16 error: non-const static data member must be initialized out of line
    static inline int shared = 1;
    static const int known = 1;
};
a operator/(a); //~ 3 error: overloaded 'operator/' must be a binary operator (has 1 parameter)
struct written
{
    int x;
    written(int);
};
class closed
{
    int x;
};
struct derived : closed
{
    int f() { return x; } //~ 22 error: 'x' is a private member of 'closed'
};
template <class... T, class U> struct packs //~ 11 error: template parameter pack must be the last template parameter
{
};
enum class twice {
    once,
    once //~ 5 error: redefinition of enumerator 'once'
};
void f(int y)
{
    written w = {.x = 1}; //~ 17 error: initialization of non-aggregate type 'written' with a designated initializer list
    auto l = [y, &y] { return 1; }; //~ 18 error: 'y' can appear only once in a capture list
    float2 v = {1, y}; //~ 20 error: non-constant-expression cannot be narrowed from type 'int' to 'float' in initializer list
    float2 literal = (float2)(1, y);
}
