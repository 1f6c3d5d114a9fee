/* What Vulkan layers have in common. Without Vulkan's headers. A layer defines the three functions that are
   declared here. */
#include <stdint.h>
#include <string.h>

typedef void (*Function)(void);
typedef Function (*GetProc)(void *, const char *);
typedef int32_t (*Call)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

/* A call that makes the layer itself fails. */
static int fails(const char *name);
/* What stands in the place of a function of a device, or of an instance, where there may be none. */
static Function replace_of_device(int device, const char *name, Function next);
static Function replace_of_instance(const char *name, Function next);

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
enum { INSTANCE_LINK = 47, DEVICE_LINK = 48, INITIALIZATION_FAILED = -3 };

static GetProc instance_proc;
/* The physical device of which a device is created. */
static void *opened;

/* Devices, by the loader's table to which they, their queues and command buffers point. */
enum { DEVICES = 8 };
static struct {
    void *key;
    GetProc proc;
} devices[DEVICES];

static int index_of(const void *object) {
    void *key = *(void *const *)object;
    for (int i = 0; i < DEVICES - 1; i++)
        if (devices[i].key == key) return i;
    return DEVICES - 1;
}

/* Function `name` of a device, in whose place another stands. */
struct replacement {
    const char *name;
    Function ours;
    /* Where the next one is kept for each device; NULL if nobody calls it. */
    Call *next;
};

static inline Function replace(const struct replacement *table, size_t rows, int device, const char *name, Function next) {
    for (size_t row = 0; row < rows; row++)
        if (!strcmp(name, table[row].name)) {
            if (table[row].next) table[row].next[device] = (Call)next;
            return table[row].ours;
        }
    return next;
}

static Function our_device_proc(void *device, const char *name) {
    int i = index_of(device);
    Function next = devices[i].proc(device, name);
    if (!strcmp(name, "vkGetDeviceProcAddr")) return (Function)our_device_proc;
    return next ? replace_of_device(i, name, next) : NULL;
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
    opened = physical;
    if (!link || fails("vkCreateDevice")) return INITIALIZATION_FAILED;
    /* VkLayerDeviceLink has what comes from the instance first, then the device's. */
    int32_t (*create)(void *, const void *, const void *, void **) =
        (void *)link->instance_proc(NULL, "vkCreateDevice");
    int32_t result = create(physical, info, allocator, device);
    for (int i = 0; result == 0 && i < DEVICES; i++)
        if (!devices[i].key) {
            devices[i].key = **(void ***)device;
            devices[i].proc = link->device_proc;
            break;
        }
    return result;
}

Function vkGetDeviceProcAddr(void *device, const char *name) { return our_device_proc(device, name); }

Function vkGetInstanceProcAddr(void *instance, const char *name) {
    if (!strcmp(name, "vkGetInstanceProcAddr")) return (Function)vkGetInstanceProcAddr;
    if (!strcmp(name, "vkGetDeviceProcAddr")) return (Function)our_device_proc;
    if (!strcmp(name, "vkCreateInstance")) return (Function)our_create_instance;
    if (!strcmp(name, "vkCreateDevice")) return (Function)our_create_device;
    return replace_of_instance(name, instance_proc ? instance_proc(instance, name) : NULL);
}
