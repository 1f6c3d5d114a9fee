// options: -cl-std=CLC++2021
// target: lavapipe
// Fields that a list names, of a class that cannot be copied as bytes.
struct Ends {
    int x;
    ~Ends() {}
};
struct Two {
    Ends a, b;
};
void designated()
{
    Two a = {.b = {1}, .c = {2}}; //~ 25 error: field designator 'c' does not refer to any field in type 'Two'
    Two b = {.b = {1}, .a = {2}};
    Two c = {.a.x = 1};
    Ends e[2] = {[2] = {1}}; //~ 10 error: array designator index (2) exceeds array bounds
    Two f = {[0] = {1}}; //~ 15 error: array designator cannot initialize non-array type 'Two'
    Two d = {.b = {1}, {2}}; //~ 13 error: excess elements in struct initializer
    Ends g[1000000] = {[999999] = {1}}; //~ 10 error: designators for more than 256 KB of objects are not supported
}
