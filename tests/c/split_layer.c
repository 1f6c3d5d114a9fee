/* A Vulkan layer that makes two kinds of memory out of the one that drivers for CPUs have: that of the device, which
   the host does not reach, and that of the host. So transfers and mappings go the ways that they go on GPUs. */
#include "layer.h"

enum { HOST_TYPE = 1, DEVICE_LOCAL = 1, HOST_VISIBLE_COHERENT_CACHED = 2 | 4 | 8 };
enum { MEMORY_BUDGET = 1000237000 };

/* VkPhysicalDeviceMemoryProperties. */
struct memory {
    uint32_t types;
    struct {
        uint32_t flags, heap;
    } type[32];
    uint32_t heaps;
    struct {
        uint64_t size;
        uint32_t flags;
    } heap[16];
};
/* VkPhysicalDeviceMemoryProperties2, VkPhysicalDeviceMemoryBudgetPropertiesEXT. */
struct memory_2 {
    int32_t type;
    struct memory_2 *next;
    union {
        struct memory memory;
        struct {
            uint64_t budget[16], usage[16];
        };
    };
};
/* VkMemoryAllocateInfo. */
struct allocate_info {
    int32_t type;
    const void *next;
    uint64_t size;
    uint32_t memory_type;
};
/* VkMemoryRequirements. */
struct requirements {
    uint64_t size, align;
    uint32_t types;
};
/* VkMemoryHostPointerPropertiesEXT. */
struct host_pointer {
    int32_t type;
    void *next;
    uint32_t types;
};

static int fails(const char *name) { return !name; }

static void split(struct memory *memory) {
    if (memory->types != 1) return;
    memory->types = memory->heaps = 2;
    memory->heap[1] = memory->heap[0];
    memory->heap[0].flags = DEVICE_LOCAL;
    memory->heap[1].flags = 0;
    memory->type[0].flags = DEVICE_LOCAL;
    memory->type[HOST_TYPE].flags = HOST_VISIBLE_COHERENT_CACHED;
    memory->type[HOST_TYPE].heap = 1;
}

static void (*next_memory)(void *, struct memory *);
static void our_memory(void *device, struct memory *memory) {
    next_memory(device, memory);
    split(memory);
}

static void (*next_memory_2)(void *, struct memory_2 *);
static void our_memory_2(void *device, struct memory_2 *memory) {
    next_memory_2(device, memory);
    split(&memory->memory);
    for (struct memory_2 *at = memory->next; at; at = at->next)
        if (at->type == MEMORY_BUDGET) {
            at->budget[1] = at->budget[0];
            at->usage[1] = at->usage[0];
        }
}

static Call next_allocate[DEVICES], next_requirements[DEVICES], next_pointer[DEVICES];

static int32_t our_allocate(uintptr_t device, const struct allocate_info *info, uintptr_t c, uintptr_t d) {
    struct allocate_info real = *info;
    real.memory_type = 0;
    return next_allocate[index_of((void *)device)](device, (uintptr_t)&real, c, d, 0, 0);
}

static void our_requirements(uintptr_t device, uintptr_t buffer, struct requirements *r) {
    next_requirements[index_of((void *)device)](device, buffer, (uintptr_t)r, 0, 0, 0);
    r->types |= 1 << HOST_TYPE;
}

static int32_t our_pointer(uintptr_t device, uintptr_t kind, uintptr_t pointer, struct host_pointer *p) {
    int32_t result = next_pointer[index_of((void *)device)](device, kind, pointer, (uintptr_t)p, 0, 0);
    p->types = p->types ? 1 << HOST_TYPE : 0;
    return result;
}

static Function replace_of_device(int device, const char *name, Function next) {
    static const struct replacement table[] = {
        {"vkAllocateMemory", (Function)our_allocate, next_allocate},
        {"vkGetBufferMemoryRequirements", (Function)our_requirements, next_requirements},
        {"vkGetMemoryHostPointerPropertiesEXT", (Function)our_pointer, next_pointer},
    };
    return replace(table, sizeof table / sizeof *table, device, name, next);
}

static Function replace_of_instance(const char *name, Function next) {
    if (next && !strcmp(name, "vkGetPhysicalDeviceMemoryProperties")) {
        next_memory = (void (*)(void *, struct memory *))next;
        return (Function)our_memory;
    }
    if (next && !strcmp(name, "vkGetPhysicalDeviceMemoryProperties2")) {
        next_memory_2 = (void (*)(void *, struct memory_2 *))next;
        return (Function)our_memory_2;
    }
    return next;
}
