// options: -cl-std=CLC++2021
// needs: float64
// run: kernel=literals global=1 arg=zeros:i32:6
// expect: 0 i32:4096,15,3,63,71,2100

// User-defined literals; those with a point are of long double.
constexpr ulong operator""_k(unsigned long long x) { return x * 1024; }
constexpr float operator""_half(long double x) { return x / 2; }
constexpr int operator""_code(char c) { return c - 'a'; }
int operator""_size(const char *, size_t n) { return n; }
template <char... C> constexpr int operator""_digits() { return (0 + ... + (C - '0')) * 10 + sizeof...(C); }
constexpr int operator"" _raw(constant const char *text) { return text[0] == '7' ? 70 : 1; }
namespace units { constexpr int operator""_m(unsigned long long x) { return x * 100; } }

kernel void literals(global int *out)
{
    using namespace units;
    out[0] = 4_k;
    out[1] = 3.0_half * 10;
    out[2] = 'd'_code;
    out[3] = 123_digits;
    out[4] = 71_raw + 12_raw;
    out[5] = 5_m + 0x10_m;
}
