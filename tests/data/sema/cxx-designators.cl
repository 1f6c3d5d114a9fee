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
    Two b = {.b = {1}, .a = {2}}; //~ 25 error: designators that are not in the order of the members are not supported here
    Two c = {.a.x = 1}; //~ 13 error: designators of parts of members are not supported here
    Two d = {.b = {1}, {2}}; //~ 13 error: excess elements in struct initializer
}
