// options: -cl-std=CLC++2021
// target: lavapipe
// All variables of a declaration give `auto` one meaning.
template <class T> void deduces(T v) { auto a = 1, b = v; } //~ 40 error: 'auto' deduced as 'int' in declaration of 'a' and deduced as 'float' in declaration of 'b'
auto whole = 1, real = 2.0f; //~ 1 error: 'auto' deduced as 'int' in declaration of 'whole' and deduced as 'float' in declaration of 'real'
void autos()
{
    auto a = 1, b = 2.0f; //~ 5 error: 'auto' deduced as 'int' in declaration of 'a' and deduced as 'float' in declaration of 'b'
    const auto c = 1, d = 2;
    auto e = [] { auto x = 1.0f, y = 2.0f; return x + y; }(), f = 2.0f;
    for (auto i = 0, n = 1.0f; i < n; i++) {} //~ 10 error: 'auto' deduced as 'int' in declaration of 'i' and deduced as 'float' in declaration of 'n'
    deduces(1);
    deduces(1.0f); //~ 5 note: in instantiation of function template specialization 'deduces<float>' requested here
}
void spaces(global int *g, local int *l, int *n, constant int *c)
{
    int x;
    auto a = g, b = l; //~ 5 error: 'auto' deduced as '__global int *' in declaration of 'a' and deduced as '__local int *' in declaration of 'b'
    auto *d = g, *e = l; //~ 5 error: 'auto' deduced as '__global int' in declaration of 'd' and deduced as '__local int' in declaration of 'e'
    auto &f = *g, &h = *l; //~ 5 error: 'auto' deduced as '__global int' in declaration of 'f' and deduced as '__local int' in declaration of 'h'
    auto &i = x, *j = &x;
    auto *k = n, m = 1; //~ 5 error: 'auto' deduced as '__generic int' in declaration of 'k' and deduced as 'int' in declaration of 'm'
    const auto &o = *n, &p = x; //~ 5 error: 'auto' deduced as '__generic int' in declaration of 'o' and deduced as '__private int' in declaration of 'p'
    auto *q = c, *r = c;
    for (auto s = g, t = g + 1; s != t; ++s) {}
}
