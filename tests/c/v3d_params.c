/* Preloaded in front of the DRM shim of v3d, which knows fewer parameters of the kernel than the driver V3DV wants: submissions
   with several semaphores, and a queue of CPU jobs. It has no others of the later ones. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>

/* DRM_IOCTL_V3D_GET_PARAM: reads and writes 16 bytes, is of DRM ('d'), number 0x44. */
#define V3D_GET_PARAM 0xc0106444u

struct parameter {
    uint32_t name, unused;
    uint64_t value;
};
/* DRM_V3D_PARAM_..., and the first that the shim does not answer. */
enum { LATER = 10, SUPPORTS_MULTISYNC_EXT = 11, SUPPORTS_CPU_QUEUE = 12 };

int ioctl(int file, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    struct parameter *parameter = argument;
    if ((uint32_t)request == V3D_GET_PARAM && parameter->name >= LATER) {
        parameter->value = parameter->name == SUPPORTS_MULTISYNC_EXT || parameter->name == SUPPORTS_CPU_QUEUE;
        return 0;
    }
    int (*shim)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
    return shim(file, request, argument);
}
