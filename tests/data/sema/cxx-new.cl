// options: -cl-std=CLC++2021
// target: lavapipe
// `new` and `delete` call functions of the program; there are no others.
struct Plain {
    int a;
};
struct Own {
    int a;
    void *operator new(size_t size);
    void operator delete(void *p);
    int operator new[](size_t size); //~ 9 error: 'operator new[]' must return type 'void *'
};
struct Ends {
    int a;
    void operator delete[](void *p);
    ~Ends();
};
void none(void *p)
{
    Plain *a = new Plain; //~ 16 error: 'default new' is not supported in C++ for OpenCL
    delete a;             //~ 5 error: 'default delete' is not supported in C++ for OpenCL
    a = new (p) Plain;    //~ 9 error: use of placement new requires explicit declaration
}
void *operator new(size_t size, void *p); //~ 7 note: candidate function not viable
struct Incomplete;
void some(void *p, int n, Ends *ends)
{
    Own *own = new Own;
    delete own;
    ::delete own; //~ 7 error: 'default delete' is not supported in C++ for OpenCL
    delete n;     //~ 5 error: cannot delete expression of type 'int'
    own = ::new Own; //~ 13 error: no matching function for call to 'operator new'
    auto i = new (p) Incomplete; //~ 14 error: 'Incomplete' cannot be allocated by 'new'
    auto two = new (p) int(1, 2); //~ 16 error: excess elements in initialization of 'int'
    delete[] ends;
}
void *operator new[](size_t size, void *p);
void arrays(void *p, int n)
{
    auto a = new (p) int[](1, 2); //~ 14 error: array size must be specified in new expression with no initializer
    auto b = new (p) int[];       //~ 14 error: array size must be specified in new expression with no initializer
    auto c = new (p) int[2](1, 2); //~ 14 error: array 'new' cannot have initialization arguments
    auto d = new (p) int[2]{1, 2, 3}; //~ 35 error: excess elements in array initializer
    auto e = new (p) int[n][]; //~ 29 error: expected expression
}

