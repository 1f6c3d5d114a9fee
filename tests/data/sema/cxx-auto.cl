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
