/* What LLVM's instrumentation calls and GCC's ThreadSanitizer does not have (docs/testing.md). */
#include <string.h>

void *__tsan_memcpy(void *to, const void *from, size_t size) { return memcpy(to, from, size); }
void *__tsan_memmove(void *to, const void *from, size_t size) { return memmove(to, from, size); }
void *__tsan_memset(void *to, int value, size_t size) { return memset(to, value, size); }
