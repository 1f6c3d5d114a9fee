/* A Vulkan layer that hides from all devices what CALDERA_MASK names, separated by commas: features, "Vulkan 1.1",
   "a queue with compute", "the driver", "memory"; vkCreateDevice, vkCreateComputePipelines and vkAllocateMemory, which then fail;
   the sizes of work-groups and local memory, which are 0 without "limits" and the largest number without "bounds". Without "what it is" a device
   is an H100 of NVIDIA's. With "but the second" it does so only to the first device. */
#include "layer.h"
#include <stdlib.h>

enum { LIMITS = 512 / 4, DRIVER = 1000196000, CORE = 1000059000, COMPUTE = 2, VULKAN_1_0 = 1 << 22 };

/* Features, by the type of the structure that has them and their place in it. */
static const struct {
    const char *name;
    int32_t type;
    int place;
} features[] = {
    {"shaderInt64", CORE, 40},
    {"shaderInt16", CORE, 41},
    {"shaderInt8", 1000082000, 1},
    {"storageBuffer16BitAccess", 1000083000, 0},
    {"storageBuffer8BitAccess", 1000177000, 0},
    {"timelineSemaphore", 1000207000, 0},
    {"bufferDeviceAddress", 1000257000, 0},
    {"shaderStorageBufferArrayDynamicIndexing", CORE, 35},
};
/* VkPhysicalDeviceFeatures2 and what may be chained to it. */
struct features {
    int32_t type;
    struct features *next;
    uint32_t values[];
};
/* VkQueueFamilyProperties. */
struct family {
    uint32_t flags, rest[5];
};

static int hidden(const char *name) {
    const char *at = getenv("CALDERA_MASK");
    size_t length = strlen(name);
    for (; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (!strncmp(at, name, length) && (at[length] == ',' || !at[length])) return 1;
    }
    return 0;
}

static int masked(void *device, const char *name) {
    static void *first;
    if (!first) first = device;
    return hidden(name) && (device == first || !hidden("but the second"));
}

static int fails(const char *name) { return !strcmp(name, "vkCreateDevice") && masked(opened, name); }
static int32_t failed(void) { return INITIALIZATION_FAILED; }
static Function replace_of_device(int device, const char *name, Function next) {
    (void)device;
    int may = !strcmp(name, "vkCreateComputePipelines") || !strcmp(name, "vkAllocateMemory");
    return may && hidden(name) ? (Function)failed : next;
}

static void (*next_features)(void *, struct features *);
static void our_features(void *device, struct features *chain) {
    next_features(device, chain);
    for (; chain; chain = chain->next)
        for (size_t i = 0; i < sizeof features / sizeof *features; i++)
            if (chain->type == features[i].type && masked(device, features[i].name)) chain->values[features[i].place] = 0;
}

/* VkPhysicalDeviceProperties begins with the version. */
static void (*next_properties)(void *, uint32_t *);
static void our_properties(void *device, uint32_t *properties) {
    next_properties(device, properties);
    if (masked(device, "Vulkan 1.1")) *properties = VULKAN_1_0;
}

/* VkPhysicalDeviceDriverProperties begins with the driver's id. */
static void (*next_properties_2)(void *, struct features *);
static void our_properties_2(void *device, struct features *chain) {
    next_properties_2(device, chain);
    /* Local memory, counts, work-items and sizes of work-groups; the structure is aligned. */
    uint32_t *limits = (uint32_t *)(chain + 1) + LIMITS;
    for (int i = 0; i < 8; i++)
        if (masked(device, "limits")) limits[i] = 0;
        else if (masked(device, "bounds")) limits[i] = UINT32_MAX;
    /* VkPhysicalDeviceProperties begins with the versions, the vendor and the device. */
    if (masked(device, "what it is")) chain->values[2] = 0x10de, chain->values[3] = 0x2330;
    for (; chain; chain = chain->next)
        if (chain->type == DRIVER && masked(device, "the driver")) chain->values[0] = 0;
}

static void (*next_families)(void *, uint32_t *, struct family *);
static void our_families(void *device, uint32_t *count, struct family *families) {
    next_families(device, count, families);
    if (!families || !masked(device, "a queue with compute")) return;
    for (uint32_t i = 0; i < *count; i++) families[i].flags &= ~COMPUTE;
}

/* VkPhysicalDeviceMemoryProperties has 32 types of 8 bytes behind their number, and then the number of heaps. */
static void (*next_memory)(void *, uint32_t *);
static void our_memory(void *device, uint32_t *memory) {
    next_memory(device, memory);
    if (masked(device, "memory")) memory[0] = memory[65] = 0;
}

static Function replace_of_instance(const char *name, Function next) {
    static const struct {
        const char *name;
        Function ours, *next;
    } table[] = {
        {"vkGetPhysicalDeviceFeatures2", (Function)our_features, (Function *)&next_features},
        {"vkGetPhysicalDeviceFeatures2KHR", (Function)our_features, (Function *)&next_features},
        {"vkGetPhysicalDeviceProperties", (Function)our_properties, (Function *)&next_properties},
        {"vkGetPhysicalDeviceProperties2", (Function)our_properties_2, (Function *)&next_properties_2},
        {"vkGetPhysicalDeviceProperties2KHR", (Function)our_properties_2, (Function *)&next_properties_2},
        {"vkGetPhysicalDeviceMemoryProperties", (Function)our_memory, (Function *)&next_memory},
        {"vkGetPhysicalDeviceQueueFamilyProperties", (Function)our_families, (Function *)&next_families},
    };
    for (size_t row = 0; next && row < sizeof table / sizeof *table; row++)
        if (!strcmp(name, table[row].name)) {
            *table[row].next = next;
            return table[row].ours;
        }
    return next;
}
