/* A Vulkan layer that makes a discrete GPU of the device, whose driver is taken apart when the process ends, as
   those of GPUs are: a call after that ends the process, with a code that says so. Each call
   takes CALDERA_CALL milliseconds longer, as on a busy machine, and its end counts, too. Without Vulkan's headers. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "layer.h"

enum { DISCRETE = 2, GONE = 99 };

static volatile int gone;
static void go(void) { gone = 1; }

/* A call of a device that makes the layer itself fail; the first registers what ends the driver, before the
   library that made the device registers anything. */
static int fails(const char *name) {
    static int registered;
    if (!strcmp(name, "vkCreateDevice") && !registered++) atexit(go);
    return 0;
}

static void check(const char *name) {
    static int milliseconds = -1;
    if (milliseconds < 0) milliseconds = getenv("CALDERA_CALL") ? atoi(getenv("CALDERA_CALL")) : 0;
    if (milliseconds) usleep(milliseconds * 1000);
    if (!gone) return;
    fprintf(stderr, "%s after the end\n", name);
    _exit(GONE);
}

/* Those of up to six integers and pointers. */
#define CALLS(X)                                                                                            \
    X(vkCreateBuffer) X(vkCreateBufferView) X(vkCreateCommandPool) X(vkCreateComputePipelines)              \
    X(vkCreateDescriptorPool) X(vkCreateFence) X(vkCreateQueryPool) X(vkCreateSemaphore)                    \
    X(vkCreateShaderModule) X(vkAllocateCommandBuffers) X(vkAllocateMemory) X(vkBindBufferMemory)           \
    X(vkMapMemory) X(vkUnmapMemory) X(vkBeginCommandBuffer) X(vkEndCommandBuffer) X(vkResetCommandPool)     \
    X(vkGetPipelineCacheData) X(vkQueueSubmit) X(vkQueueWaitIdle) X(vkDeviceWaitIdle)                       \
    X(vkGetSemaphoreCounterValue) X(vkGetSemaphoreCounterValueKHR) X(vkWaitSemaphores)                      \
    X(vkWaitSemaphoresKHR) X(vkGetCalibratedTimestampsEXT) X(vkDestroyBuffer) X(vkDestroyBufferView) X(vkDestroyCommandPool)        \
    X(vkDestroyPipeline) X(vkDestroyQueryPool) X(vkDestroySemaphore) X(vkDestroyShaderModule)               \
    X(vkDestroyDevice) X(vkFreeMemory)

#define DEFINE(name)                                                                                        \
    static Call next_##name[DEVICES];                                                                       \
    static int32_t our_##name(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f) { \
        check(#name);                                                                                       \
        return next_##name[index_of((void *)a)](a, b, c, d, e, f);                                          \
    }
CALLS(DEFINE)

static const struct {
    const char *name;
    Call ours, *next;
} table[] = {
#define ROW(name) {#name, our_##name, next_##name},
    CALLS(ROW)
};

static Function replace_of_device(int device, const char *name, Function next) {
    for (size_t row = 0; row < sizeof table / sizeof *table; row++)
        if (!strcmp(name, table[row].name)) {
            table[row].next[device] = (Call)next;
            return (Function)table[row].ours;
        }
    return next;
}

/* The beginning of VkPhysicalDeviceProperties, and VkPhysicalDeviceProperties2. */
struct properties {
    uint32_t versions[2], vendor, device, type;
};
struct properties_2 {
    int32_t type;
    void *next;
    struct properties properties;
};

static void (*next_properties)(void *, struct properties *);
static void our_properties(void *device, struct properties *properties) {
    next_properties(device, properties);
    properties->type = DISCRETE;
}

static void (*next_properties_2)(void *, struct properties_2 *);
static void our_properties_2(void *device, struct properties_2 *properties) {
    next_properties_2(device, properties);
    properties->properties.type = DISCRETE;
}

static Function replace_of_instance(const char *name, Function next) {
    if (next && !strcmp(name, "vkGetPhysicalDeviceProperties")) {
        next_properties = (void (*)(void *, struct properties *))next;
        return (Function)our_properties;
    }
    /* The loader calls that of the extension where it is on. */
    if (next && !strncmp(name, "vkGetPhysicalDeviceProperties2", 30)) {
        next_properties_2 = (void (*)(void *, struct properties_2 *))next;
        return (Function)our_properties_2;
    }
    return next;
}
