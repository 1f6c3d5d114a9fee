// options: -cl-std=CLC++2021
// Null pointer constants are the literal zero and what has the type of nullptr, as NULL.
void g(int *);
void g(long);
void g(bool);
template <class T> int pointers(T *); //~ 1 note: candidate function not viable
template <class T> int values(T);
template <class T> struct is_pointer
{
    enum { value = 0 };
};
template <class T> struct is_pointer<T *>
{
    enum { value = 1 };
};
static_assert(!is_pointer<decltype(nullptr)>::value && sizeof(nullptr) == 8, "");
struct base
{
    int a;
};
struct derived : base
{
};
int *none() { return (void *)0; } //~ 22 error: cannot initialize return object of type '__generic int *' with an rvalue of type '__generic void *'
int *null() { return NULL; }
bool compares(int *q, float *f, base *b, derived *d, const int *c)
{
    bool equal = q == 0 || nullptr == q || NULL != q || b == d || c == q;
    base *either = equal ? b : d;
    equal = q == 1; //~ 15 error: comparison between pointer and integer ('__generic int *' and 'int')
    equal = q == f; //~ 15 error: comparison of distinct pointer types ('__generic int *' and '__generic float *')
    equal = q < 0; //~ 15 error: ordered comparison between pointer and zero ('__generic int *' and 'int')
    return equal;
}
void pass(global int *global_pointer)
{
    int *p = (void *)0; //~ 14 error: cannot initialize a variable of type '__generic int *__private' with an rvalue of type '__generic void *'
    global int *q = (local void *)0; //~ 21 error: cannot initialize a variable of type '__global int *__private' with an rvalue of type '__local void *'
    constant int *r = NULL;
    int *no = false; //~ 15 error: cannot initialize a variable of type '__generic int *__private' with an rvalue of type 'bool'
    auto n = nullptr;
    global_pointer = n;
    n = 0;
    g(NULL);
    g(nullptr);
    values(nullptr);
    pointers(nullptr); //~ 5 error: no matching function for call to 'pointers'
    int i = NULL; //~ 13 error: cannot initialize a variable of type '__private int' with an rvalue of type 'std::nullptr_t'
}
int itself()
{
    const int m = m;
    int *p = (int *)&p;
    return m;
}
struct flags
{
    bool a;
    bool b = nullptr; //~ 14 error: cannot initialize a variable of type '__private bool' with an rvalue of type 'std::nullptr_t'
    bool c;
    flags() : a(nullptr), c{nullptr} {}
};
bool result() { return nullptr; } //~ 24 error: cannot initialize return object of type 'bool' with an rvalue of type 'std::nullptr_t'
void truths()
{
    bool copied = nullptr; //~ 19 error: cannot initialize a variable of type '__private bool' with an rvalue of type 'std::nullptr_t'
    bool direct(nullptr), list{nullptr}, cast = static_cast<bool>(nullptr) || !nullptr;
}
