/* What the C programs take of POSIX, for MinGW-w64: included in front of each by tests/windows.sh. */
#ifndef ON_WINDOWS_H
#define ON_WINDOWS_H

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

/* Aligned memory is freed by a function of its own: these are what it is for. */
static void *on_windows_aligned[64];

static inline int posix_memalign(void **memory, size_t alignment, size_t size) {
    for (int i = 0; i < 64; i++)
        if (!on_windows_aligned[i]) {
            *memory = on_windows_aligned[i] = _aligned_malloc(size, alignment);
            return *memory ? 0 : ENOMEM;
        }
    return ENOMEM;
}

static inline void on_windows_free(void *memory) {
    for (int i = 0; memory && i < 64; i++)
        if (on_windows_aligned[i] == memory) {
            on_windows_aligned[i] = NULL;
            _aligned_free(memory);
            return;
        }
    free(memory);
}
#define free on_windows_free

static inline int setenv(const char *name, const char *value, int overwrite) {
    return !overwrite && getenv(name) ? 0 : _putenv_s(name, value);
}

static inline int unsetenv(const char *name) { return _putenv_s(name, ""); }

#endif
