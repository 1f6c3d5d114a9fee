/* Mappings of memory, not of files, for the C programs on Windows (tests/windows.sh). */
#ifndef SYS_MMAN_H
#define SYS_MMAN_H

#include <stddef.h>

enum { PROT_NONE = 0, PROT_READ = 1, PROT_WRITE = 2 };
enum { MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_ANONYMOUS = 32, MAP_NORESERVE = 0x4000 };
#define MAP_FAILED ((void *)-1)

/* Of <windows.h>, whose names the programs use for themselves. */
__declspec(dllimport) void *__stdcall VirtualAlloc(void *, size_t, unsigned long, unsigned long);
__declspec(dllimport) int __stdcall VirtualFree(void *, size_t, unsigned long);

static inline void *mmap(void *wanted, size_t size, int access, int flags, int file, long long offset) {
    enum { COMMIT = 0x1000, RESERVE = 0x2000, NOACCESS = 1, READONLY = 2, READWRITE = 4 };
    if (!(flags & MAP_ANONYMOUS) || file != -1 || offset) return MAP_FAILED;
    const int how = access & PROT_WRITE ? READWRITE : access & PROT_READ ? READONLY : NOACCESS;
    void *memory = VirtualAlloc(wanted, size, RESERVE | COMMIT, how);
    return memory ? memory : MAP_FAILED;
}

static inline int munmap(void *memory, size_t size) {
    (void)size;
    return VirtualFree(memory, 0, 0x8000) ? 0 : -1;
}

#endif
