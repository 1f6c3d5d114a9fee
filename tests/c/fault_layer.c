/* A Vulkan layer in which the N-th call that can run out of memory does: every call that makes, allocates,
   binds, maps, records or submits something. Or all calls of the name CALDERA_FAULT_ALWAYS. And which sees what
   has no name. The program arms it by `fault_arm`, which it finds with
   dlopen and dlsym; CALDERA_FAULT_AT arms it from the start. Without Vulkan's headers: all of these calls
   take up to six integers and pointers, and return a code or nothing. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "layer.h"

enum { OUT_OF_HOST_MEMORY = -1, OUT_OF_DEVICE_MEMORY = -2 };

static _Atomic long left;
static _Atomic long calls;
static const char *volatile fired;
/* Objects that are made and not destroyed. */
static _Atomic long live;
static const char *always = "";
/* Those that have no name yet, and the calls that made them. */
enum { NAMELESS = 65536 };
static struct {
    uint64_t handle;
    const char *maker;
} nameless[NAMELESS];
static int nameless_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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

/* A call that made an object without a name, NULL if there is none; objects are not made meanwhile. */
const char *fault_unnamed(void) { return nameless_count ? nameless[0].maker : NULL; }

static void add(uint64_t handle, const char *maker) {
    pthread_mutex_lock(&lock);
    if (nameless_count < NAMELESS) {
        nameless[nameless_count].handle = handle;
        nameless[nameless_count++].maker = maker;
    }
    pthread_mutex_unlock(&lock);
}

/* It has a name, or is gone. */
static void take(uint64_t handle) {
    pthread_mutex_lock(&lock);
    for (int i = nameless_count; i--;)
        if (nameless[i].handle == handle) nameless[i] = nameless[--nameless_count];
    pthread_mutex_unlock(&lock);
}

static int fails(const char *name) {
    if (!strcmp(name, always)) return 1;
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

/* The handle that a call has made lies where its last argument, of three, four or six, points to. */
static void made(const char *name, const uintptr_t *last) {
    int pool = !strcmp(name, "vkAllocateCommandBuffers") || !strcmp(name, "vkAllocateDescriptorSets");
    if (!pool && !makes(name)) return;
    add(*(const uint64_t *)last[pool ? 0 : strcmp(name, "vkCreateComputePipelines") ? 1 : 2], name);
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
    static Call next_##name[DEVICES];                                                                           \
    static int32_t our_##name(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f) { \
        if (fails(#name)) return code(#name);                                                          \
        int32_t result = next_##name[index_of((void *)a)](a, b, c, d, e, f);                           \
        live += result == 0 && makes(#name);                                                           \
        if (result == 0) made(#name, (const uintptr_t[]){c, d, f});                                    \
        return result;                                                                                 \
    }
CALLS(DEFINE)

#define ENDS(X)                                                                                        \
    X(vkDestroyBuffer) X(vkDestroyBufferView) X(vkDestroyCommandPool) X(vkDestroyPipeline)             \
    X(vkDestroyDescriptorPool) X(vkDestroyDescriptorSetLayout) X(vkDestroyFence)                       \
    X(vkDestroyPipelineCache) X(vkDestroyPipelineLayout) X(vkDestroyQueryPool) X(vkDestroySemaphore)   \
    X(vkDestroyShaderModule) X(vkFreeMemory)

#define DEFINE_END(name)                                                                               \
    static Call next_##name[DEVICES];                                                                           \
    static int32_t our_##name(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f) { \
        live -= b != 0;                                                                                \
        take(b);                                                                                       \
        return next_##name[index_of((void *)a)](a, b, c, d, e, f);                                     \
    }
ENDS(DEFINE_END)

static const struct {
    const char *name;
    Call ours, *next;
} table[] = {
#define ROW(name) {#name, our_##name, next_##name},
    CALLS(ROW) ENDS(ROW)
};

/* VkDebugUtilsObjectNameInfoEXT. */
struct name_info {
    int32_t type;
    const void *next;
    int32_t kind;
    uint64_t handle;
    const char *name;
};

static int32_t our_name(void *device, const struct name_info *info) {
    if (info->name && *info->name) take(info->handle);
    (void)device;
    return 0;
}

static Function replace_of_device(int device, const char *name, Function next) {
    for (size_t row = 0; row < sizeof table / sizeof *table; row++)
        if (!strcmp(name, table[row].name)) {
            table[row].next[device] = (Call)next;
            return (Function)table[row].ours;
        }
    return next;
}

static Function replace_of_instance(const char *name, Function next) {
    /* Though a function of devices, the loader asks for it here. Names go no further. */
    return strcmp(name, "vkSetDebugUtilsObjectNameEXT") ? next : (Function)our_name;
}

__attribute__((constructor)) static void start(void) {
    const char *at = getenv("CALDERA_FAULT_AT");
    if (at) fault_arm(atol(at));
    const char *name = getenv("CALDERA_FAULT_ALWAYS");
    if (name) always = name;
}
