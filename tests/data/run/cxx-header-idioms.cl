// options: -cl-std=CLC++2021
// run: kernel=idioms global=1 arg=zeros:i32:8
// expect: 0 i32:1,1,4,2,4,0,1,2141192192

// What standard libraries' headers count on: types that are others to C++ and the same here, words of GNU's before templates, types of
// expressions that begin with a type, no events.
__extension__ template <class T> struct IsInteger {
    enum { value = 0 };
};
template <> struct IsInteger<char> {
    enum { value = 1 };
};
template <> struct IsInteger<signed char> {
    enum { value = 1 };
};
template <> struct IsInteger<wchar_t> {
    enum { value = 1 };
};
template <> struct IsInteger<int> {
    enum { value = 1 };
};
template <> struct IsInteger<long> {
    enum { value = 1 };
};
template <> struct IsInteger<long long> {
    enum { value = 1 };
};
template <class A, class B> struct Sum {
    typedef __typeof__(A() + B()) type;
};
struct Open {};
struct Closed final {};
#if defined(__has_cpp_attribute) && __has_cpp_attribute(no_such_attribute)
#error there is none
#endif

kernel void idioms(global int *out)
{
    wait_group_events(0, NULL);
    out[0] = IsInteger<signed char>::value;
    out[1] = IsInteger<long long>::value;
    out[2] = sizeof(wchar_t);
    out[3] = sizeof(char16_t);
    out[4] = sizeof(Sum<char, float>::type);
    out[5] = __is_final(Open) + __has_virtual_destructor(Open);
    out[6] = __is_final(Closed);
    out[7] = as_int(__builtin_nansf(""));
}
