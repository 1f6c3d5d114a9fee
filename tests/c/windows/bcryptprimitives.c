/* bcryptprimitives.dll, which Rust's standard library takes random numbers of and Wine before 9 lacks (tests/windows.sh). */
#include <stddef.h>

/* RtlGenRandom of advapi32.dll. */
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *, unsigned long);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *bytes, size_t count) {
    return SystemFunction036(bytes, (unsigned long)count) != 0;
}
