// options: -cl-std=CLC++2021
// target: lavapipe
// Where `typename` must stand before a dependent type, and where it may be left out, as in C++20.
template <class T> struct Of {
    using type = T;
    template <class U> struct In { using type = U; };
    template <class U> static U get(U u) { return u; }
};
template <class T> struct Members {
    Of<T>::type a;
    using Alias = Of<T>::type;
    typedef T::type Old;
    static Of<T>::type f(Of<T>::type x);
    operator T::type(); //~ 14 error: missing 'typename' prior to dependent type name 'T::type'
    template <class U> void g(U::type x) { U::type y = x; } //~ 44 error: missing 'typename' prior to dependent type name 'U::type'
};
template <class T> Of<T>::type Members<T>::f(Of<T>::type x) { return x; }
template <class T> Of<T>::type result(T x) { return x; }
template <class T> auto behind(T x) -> Of<T>::type { return x; }
template <class T, class U = Of<T>::type, Of<T>::type V = 1> struct Defaults {};
template <class T> void parameter(Of<T>::type *x); //~ 35 error: missing 'typename' prior to dependent type name 'Of<...>::type'
template <class T> void body(T x)
{
    Of<T>::type a = x; //~ 5 error: missing 'typename' prior to dependent type name 'Of<...>::type'
    const T::type b = 1; //~ 11 error: missing 'typename' prior to dependent type name 'T::type'
    for (Of<T>::type i = 0; i < 3; ++i) {} //~ 10 error: missing 'typename' prior to dependent type name 'Of<...>::type'
    if (Of<T>::type c = 3) {} //~ 9 error: missing 'typename' prior to dependent type name 'Of<...>::type'
    auto d = (Of<T>::type)x; //~ 15 error: missing 'typename' prior to dependent type name 'Of<...>::type'
    using E = Of<T>;
    E::type e; //~ 5 error: missing 'typename' prior to dependent type name 'E::type'
    Of<T>::In<int>::type f; //~ 12 error: use 'template' keyword to treat 'In' as a dependent template name
    Of<T>::get<int>(3); //~ 12 error: use 'template' keyword to treat 'get' as a dependent template name
    typename Of<T>::template In<int>::type g = Of<T>::template get<int>(3);
    auto h = static_cast<Of<T>::type>(x);
    auto i = [](Of<T>::type x) { return x; };
    struct Local { Of<T>::type x; };
    using F = T::type;
    typename Of<T>::type j = x;
    T::f(x);
}
template <class T> struct Self {
    using type = T;
    static void f()
    {
        Self<T>::type a;
        Self::type b;
        type c;
    }
    static void g();
};
template <class T> void Self<T>::g() { Self<T>::type a; }
template <class T> struct Argument { Of<T::type> x; }; //~ 41 error: template argument for template type parameter must be a type; did you forget 'typename'?
Argument<Of<int>> x; //~ 19 note: in instantiation of template class 'Argument<Of<int>>' requested here
void plain()
{
    using A = Of<int>;
    A::type a;
    Of<int>::type b;
    Of<int>::In<int>::type c;
    Self<int>::f();
    Self<int>::g();
    Of<A::type> d;
}
