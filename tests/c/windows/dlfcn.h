/* dlsym of the OpenCL library, for clinfo (tests/windows.sh). */
#ifndef DLFCN_H
#define DLFCN_H

/* Of <windows.h>, whose names programs use for themselves. */
__declspec(dllimport) void *__stdcall GetModuleHandleA(const char *);
__declspec(dllimport) void *__stdcall GetProcAddress(void *, const char *);

#define RTLD_DEFAULT ((void *)0)

static inline void *dlsym(void *library, const char *name) {
    return GetProcAddress(library ? library : GetModuleHandleA("OpenCL"), name);
}

#endif
