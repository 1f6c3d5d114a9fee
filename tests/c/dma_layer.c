/* A Vulkan layer over drivers that share memory by opaque descriptors. With it they share it by dma-bufs and not
   otherwise, as drivers of GPUs do between devices. */
#include "layer.h"

enum { OPAQUE_FD = 1, DMA_BUF = 0x200 };
enum { EXTERNAL_BUFFER = 1000072000, EXPORT_MEMORY = 1000072002, IMPORT_MEMORY_FD = 1000074000 };

/* VkExternalMemoryBufferCreateInfo, VkExportMemoryAllocateInfo and VkImportMemoryFdInfoKHR begin so, and other
   structures of their chains with the first two. */
struct chained {
    int32_t type;
    struct chained *next;
    uint32_t handle;
};
/* VkPhysicalDeviceExternalBufferInfo. */
struct buffer_info {
    int32_t type;
    const void *next;
    uint32_t flags, usage, handle;
};
/* VkExternalBufferProperties. */
struct buffer_properties {
    int32_t type;
    void *next;
    uint32_t features, from_imported, compatible;
};
/* VkMemoryGetFdInfoKHR. */
struct get_fd {
    int32_t type;
    const void *next;
    uint64_t memory;
    uint32_t handle;
};
/* VkMemoryFdPropertiesKHR. */
struct fd_properties {
    int32_t type;
    void *next;
    uint32_t types;
};

static int fails(const char *name) { return !name; }

static void (*next_properties)(void *, const struct buffer_info *, struct buffer_properties *);
static void our_properties(void *device, const struct buffer_info *info, struct buffer_properties *properties) {
    struct buffer_info real = *info;
    if (info->handle == DMA_BUF) real.handle = OPAQUE_FD;
    next_properties(device, &real, properties);
    if (info->handle == OPAQUE_FD) properties->features = 0;
}

static Call next_buffer[DEVICES], next_allocate[DEVICES], next_get[DEVICES];

/* Calls `next` with an info in whose chain one type of handles stands for another. */
static int32_t with_chain(Call next, uintptr_t device, struct chained *info, uintptr_t c, uintptr_t d) {
    struct chained *changed[2];
    int count = 0;
    for (struct chained *at = info->next; at; at = at->next) {
        int external = at->type == EXTERNAL_BUFFER || at->type == EXPORT_MEMORY || at->type == IMPORT_MEMORY_FD;
        if (external && at->handle == DMA_BUF && count < 2) {
            at->handle = OPAQUE_FD;
            changed[count++] = at;
        }
    }
    int32_t result = next(device, (uintptr_t)info, c, d, 0, 0);
    while (count) changed[--count]->handle = DMA_BUF;
    return result;
}

static int32_t our_buffer(uintptr_t device, struct chained *info, uintptr_t c, uintptr_t d) {
    return with_chain(next_buffer[index_of((void *)device)], device, info, c, d);
}

static int32_t our_allocate(uintptr_t device, struct chained *info, uintptr_t c, uintptr_t d) {
    return with_chain(next_allocate[index_of((void *)device)], device, info, c, d);
}

static int32_t our_get(uintptr_t device, const struct get_fd *info, uintptr_t fd) {
    struct get_fd real = *info;
    if (real.handle == DMA_BUF) real.handle = OPAQUE_FD;
    return next_get[index_of((void *)device)](device, (uintptr_t)&real, fd, 0, 0, 0);
}

static int32_t our_fd_properties(void *device, uint32_t handle, int fd, struct fd_properties *properties) {
    (void)device, (void)handle, (void)fd;
    properties->types = 1;
    return 0;
}

static Function replace_of_device(int device, const char *name, Function next) {
    static const struct replacement table[] = {
        {"vkCreateBuffer", (Function)our_buffer, next_buffer},
        {"vkAllocateMemory", (Function)our_allocate, next_allocate},
        {"vkGetMemoryFdKHR", (Function)our_get, next_get},
        {"vkGetMemoryFdPropertiesKHR", (Function)our_fd_properties, NULL},
    };
    return replace(table, sizeof table / sizeof *table, device, name, next);
}

static Function replace_of_instance(const char *name, Function next) {
    /* The loader calls the extension's where the instance has it. */
    const char *core = "vkGetPhysicalDeviceExternalBufferProperties";
    if (next && !strncmp(name, core, strlen(core))) {
        next_properties = (void (*)(void *, const struct buffer_info *, struct buffer_properties *))next;
        return (Function)our_properties;
    }
    return next;
}
