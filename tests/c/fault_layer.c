/* A Vulkan layer in which the N-th call that can run out of memory does: every call that makes, allocates,
   binds, maps, records or submits something. The program arms it by `fault_arm`, which it finds with
   dlopen and dlsym; CALDERA_FAULT_AT arms it from the start. Without Vulkan's headers: all of these calls
   take up to six integers and pointers, and return a code or nothing. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*Function)(void);
typedef Function (*GetProc)(void *, const char *);
typedef int32_t (*Call)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

/* VkLayerInstanceCreateInfo and VkLayerDeviceCreateInfo, whose function is VK_LAYER_LINK_INFO. */
struct link {
    struct link *next;
    GetProc instance_proc, device_proc;
};
struct create_info {
    int32_t type;
    const void *next;
    int32_t function;
    struct link *link;
};
enum { INSTANCE_LINK = 47, DEVICE_LINK = 48, OUT_OF_HOST_MEMORY = -1, OUT_OF_DEVICE_MEMORY = -2, INITIALIZATION_FAILED = -3 };

static GetProc instance_proc, device_proc;
static _Atomic long left;
static _Atomic long calls;
static const char *volatile fired;
/* Objects that are made and not destroyed. */
static _Atomic long live;

/* Lets the n-th call from now on fail; with 0 none. */
void fault_arm(long n) {
    fired = NULL;
    calls = 0;
    left = n;
}

/* The call that failed, NULL if none has; how many there were; how many objects there are. */
const char *fault_fired(long *count, long *objects) {
    *count = calls;
    *objects = live;
    return fired;
}

static int fails(const char *name) {
    calls++;
    if (left <= 0 || --left) return 0;
    fired = name;
    return 1;
}

/* vkCreateShaderModule and such have OUT_OF_HOST_MEMORY; memory itself is the device's. */
static int32_t code(const char *name) {
    return strstr(name, "Memory") ? OUT_OF_DEVICE_MEMORY : OUT_OF_HOST_MEMORY;
}

/* Command buffers and descriptor sets go with their pools. */
static int makes(const char *name) {
    return !strncmp(name, "vkCreate", 8) || !strcmp(name, "vkAllocateMemory");
}

#define CALLS(X)                                                                                       \
    X(vkCreateBuffer) X(vkCreateBufferView) X(vkCreateCommandPool) X(vkCreateComputePipelines)         \
    X(vkCreateDescriptorPool) X(vkCreateDescriptorSetLayout) X(vkCreateFence) X(vkCreatePipelineCache) \
    X(vkCreatePipelineLayout) X(vkCreateQueryPool) X(vkCreateSemaphore) X(vkCreateShaderModule)        \
    X(vkAllocateCommandBuffers) X(vkAllocateDescriptorSets) X(vkAllocateMemory) X(vkBindBufferMemory)  \
    X(vkMapMemory) X(vkBeginCommandBuffer) X(vkEndCommandBuffer) X(vkResetCommandPool)                 \
    X(vkGetMemoryHostPointerPropertiesEXT) X(vkMergePipelineCaches) X(vkGetPipelineCacheData)          \
    X(vkQueueSubmit) X(vkQueueBindSparse)

#define DEFINE(name)                                                                                   \
    static Call next_##name;                                                                           \
    static int32_t our_##name(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f) { \
        if (fails(#name)) return code(#name);                                                          \
        int32_t result = next_##name(a, b, c, d, e, f);                                                \
        live += result == 0 && makes(#name);                                                           \
        return result;                                                                                 \
    }
CALLS(DEFINE)

#define ENDS(X)                                                                                        \
    X(vkDestroyBuffer) X(vkDestroyBufferView) X(vkDestroyCommandPool) X(vkDestroyPipeline)             \
    X(vkDestroyDescriptorPool) X(vkDestroyDescriptorSetLayout) X(vkDestroyFence)                       \
    X(vkDestroyPipelineCache) X(vkDestroyPipelineLayout) X(vkDestroyQueryPool) X(vkDestroySemaphore)   \
    X(vkDestroyShaderModule) X(vkFreeMemory)

#define DEFINE_END(name)                                                                               \
    static Call next_##name;                                                                           \
    static int32_t our_##name(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f) { \
        live -= b != 0;                                                                                \
        return next_##name(a, b, c, d, e, f);                                                          \
    }
ENDS(DEFINE_END)

static const struct {
    const char *name;
    Call ours, *next;
} table[] = {
#define ROW(name) {#name, our_##name, &next_##name},
    CALLS(ROW) ENDS(ROW)
};

static Function our_device_proc(void *device, const char *name) {
    Function next = device_proc(device, name);
    if (!strcmp(name, "vkGetDeviceProcAddr")) return (Function)our_device_proc;
    for (size_t i = 0; next && i < sizeof table / sizeof *table; i++)
        if (!strcmp(name, table[i].name)) {
            *table[i].next = (Call)next;
            return (Function)table[i].ours;
        }
    return next;
}

static struct link *take_link(const void *info, int32_t type) {
    struct create_info *at = (void *)((const struct create_info *)info)->next;
    while (at && (at->type != type || at->function != 0)) at = (void *)at->next;
    if (!at) return NULL;
    struct link *link = at->link;
    at->link = link->next;
    return link;
}

static int32_t our_create_instance(const void *info, const void *allocator, void **instance) {
    struct link *link = take_link(info, INSTANCE_LINK);
    if (!link || fails("vkCreateInstance")) return INITIALIZATION_FAILED;
    instance_proc = link->instance_proc;
    int32_t (*create)(const void *, const void *, void **) = (void *)instance_proc(NULL, "vkCreateInstance");
    return create(info, allocator, instance);
}

static int32_t our_create_device(void *physical, const void *info, const void *allocator, void **device) {
    struct link *link = take_link(info, DEVICE_LINK);
    if (!link || fails("vkCreateDevice")) return INITIALIZATION_FAILED;
    /* VkLayerDeviceLink has what comes from the instance first, then the device's. */
    device_proc = link->device_proc;
    int32_t (*create)(void *, const void *, const void *, void **) =
        (void *)link->instance_proc(NULL, "vkCreateDevice");
    return create(physical, info, allocator, device);
}

Function vkGetDeviceProcAddr(void *device, const char *name) { return our_device_proc(device, name); }

Function vkGetInstanceProcAddr(void *instance, const char *name) {
    if (!strcmp(name, "vkGetInstanceProcAddr")) return (Function)vkGetInstanceProcAddr;
    if (!strcmp(name, "vkGetDeviceProcAddr")) return (Function)our_device_proc;
    if (!strcmp(name, "vkCreateInstance")) return (Function)our_create_instance;
    if (!strcmp(name, "vkCreateDevice")) return (Function)our_create_device;
    return instance_proc ? instance_proc(instance, name) : NULL;
}

__attribute__((constructor)) static void start(void) {
    const char *at = getenv("CALDERA_FAULT_AT");
    if (at) fault_arm(atol(at));
}
