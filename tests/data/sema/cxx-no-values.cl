// options: -cl-std=CLC++2021
// target: lavapipe
// What has no value is no constant where one is asked for; elsewhere it is computed.
constexpr int most = 2147483647 + 1; //~ 15 error: constexpr variable 'most' must be initialized by a constant expression
constexpr int least = -2147483647 - 2; //~ 15 error: constexpr variable 'least' must be initialized by a constant expression
constexpr int square(int n) { return n * n; }
constexpr int large = square(100000); //~ 15 error: constexpr variable 'large' must be initialized by a constant expression
constexpr long wide = 2147483647L + 1;
constexpr uint wrapped = 0u - 1u;
constexpr float infinite = 1.0f / 0.0f; //~ 17 error: constexpr variable 'infinite' must be initialized by a constant expression
constexpr int shifted = -1 << 3; //~ 15 error: constexpr variable 'shifted' must be initialized by a constant expression
constexpr int counted() { int n = 2147483647; n += 1; return n; } //~ 15 error: constexpr function never produces a constant expression
constexpr int count = counted(); //~ 15 error: constexpr variable 'count' must be initialized by a constant expression
constexpr int next() { int n = 2147483647; return ++n; } //~ 15 error: constexpr function never produces a constant expression
static_assert(next() < 0); //~ 15 error: static assertion expression is not an integral constant expression
template <int N> struct of {};
of<2147483647 + 1> none; //~ 4 error: non-type template argument is not a constant expression
const int plain = 2147483647 + 1;
__constant int frozen = 2147483647 + 1;
kernel void test(global int *out)
{
    constexpr int local_most = 2147483647 * 2; //~ 19 error: constexpr variable 'local_most' must be initialized by a constant expression
    const int computed = 2147483647 * 2;
    out[0] = computed;
}
