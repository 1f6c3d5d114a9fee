/* A Vulkan layer for drivers without their device: nothing is executed, and every submission has ended when it is made.
   The driver's compilers do all their work. Without Vulkan's headers. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "layer.h"

enum { TIMEOUT = 2, OUT_OF_HOST_MEMORY = -1, ANY = 1, WITH_64_BITS = 1, WITH_AVAILABILITY = 4 };
enum { SEMAPHORE_TYPE = 1000207002, TIMELINE_SUBMIT = 1000207003 };

static int fails(const char *name) { return !name; }
static Function replace_of_instance(const char *name, Function next) {
    (void)name;
    return next;
}

/* Semaphores are the layer's own, since the driver never sees one: a handle is its address. */
struct semaphore {
    uint64_t value;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void signal_to(struct semaphore *semaphore, uint64_t value) {
    pthread_mutex_lock(&lock);
    semaphore->value = value;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

/* The beginning of all structures, and the one of a chain that has a type. */
struct head {
    int32_t type;
    const struct head *next;
};
static const void *chained(const struct head *at, int32_t type) {
    while (at && at->type != type) at = at->next;
    return at;
}

/* VkSemaphoreTypeCreateInfo. */
struct semaphore_type {
    struct head head;
    int32_t kind;
    uint64_t value;
};
static int32_t create_semaphore(void *device, const struct head *info, const void *allocator, struct semaphore **made) {
    (void)device, (void)allocator;
    const struct semaphore_type *type = chained(info, SEMAPHORE_TYPE);
    *made = malloc(sizeof **made);
    if (!*made) return OUT_OF_HOST_MEMORY;
    (*made)->value = type ? type->value : 0;
    return 0;
}
static void destroy_semaphore(void *device, struct semaphore *semaphore) {
    (void)device;
    free(semaphore);
}
static int32_t counter_value(void *device, struct semaphore *semaphore, uint64_t *value) {
    (void)device;
    pthread_mutex_lock(&lock);
    *value = semaphore->value;
    pthread_mutex_unlock(&lock);
    return 0;
}

/* VkSemaphoreSignalInfo. */
struct signal {
    struct head head;
    struct semaphore *semaphore;
    uint64_t value;
};
static int32_t signal_semaphore(void *device, const struct signal *info) {
    (void)device;
    signal_to(info->semaphore, info->value);
    return 0;
}

/* VkSemaphoreWaitInfo. */
struct wait {
    struct head head;
    uint32_t flags, count;
    struct semaphore *const *semaphores;
    const uint64_t *values;
};
static int reached(const struct wait *info) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->count; i++) count += info->semaphores[i]->value >= info->values[i];
    return info->flags & ANY ? count > 0 : count == info->count;
}
static int32_t wait_semaphores(void *device, const struct wait *info, uint64_t timeout) {
    (void)device;
    const uint64_t second = 1000000000, forever = 1000000 * second;
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    uint64_t nanoseconds = end.tv_nsec + (timeout < forever ? timeout : forever);
    end.tv_sec += nanoseconds / second;
    end.tv_nsec = nanoseconds % second;
    pthread_mutex_lock(&lock);
    int late = 0, done;
    while (!(done = reached(info)) && !late) late = pthread_cond_timedwait(&changed, &lock, &end) != 0;
    pthread_mutex_unlock(&lock);
    return done ? 0 : TIMEOUT;
}

/* VkSubmitInfo and VkTimelineSemaphoreSubmitInfo. */
struct submit {
    struct head head;
    uint32_t wait_count;
    const void *waits, *stages;
    uint32_t buffer_count;
    const void *buffers;
    uint32_t signal_count;
    struct semaphore *const *signals;
};
struct timeline_submit {
    struct head head;
    uint32_t wait_count;
    const uint64_t *waits;
    uint32_t signal_count;
    const uint64_t *signals;
};
static int32_t queue_submit(void *queue, uint32_t count, const struct submit *submits, uint64_t fence) {
    (void)queue, (void)fence;
    for (const struct submit *submit = submits; submit < submits + count; submit++) {
        const struct timeline_submit *values = chained(submit->head.next, TIMELINE_SUBMIT);
        for (uint32_t i = 0; values && i < values->signal_count; i++)
            signal_to(submit->signals[i], values->signals[i]);
    }
    return 0;
}

/* Timestamps are 0. */
static int32_t query_results(void *device, uint64_t pool, uint32_t first, uint32_t count, size_t size, char *data,
                             uint64_t stride, uint32_t flags) {
    (void)device, (void)pool, (void)first;
    memset(data, 0, size);
    size_t one = flags & WITH_64_BITS ? 8 : 4;
    for (uint32_t i = 0; flags & WITH_AVAILABILITY && i < count; i++) data[i * stride + one] = 1;
    return 0;
}

/* Fences are signalled, queues idle. Devices are not destroyed: drivers would wait for their own submissions, which shims say
   have ended before the driver's thread has looked at them. */
static int32_t success(void) { return 0; }

static Function replace_of_device(int device, const char *name, Function next) {
    (void)device;
    /* The suffix KHR does not matter. */
    static const struct {
        const char *name;
        Function ours;
    } table[] = {
        {"vkCreateSemaphore", (Function)create_semaphore},
        {"vkDestroySemaphore", (Function)destroy_semaphore},
        {"vkGetSemaphoreCounterValue", (Function)counter_value},
        {"vkSignalSemaphore", (Function)signal_semaphore},
        {"vkWaitSemaphores", (Function)wait_semaphores},
        {"vkQueueSubmit", (Function)queue_submit},
        {"vkQueueBindSparse", (Function)success},
        {"vkQueueWaitIdle", (Function)success},
        {"vkDeviceWaitIdle", (Function)success},
        {"vkDestroyDevice", (Function)success},
        {"vkWaitForFences", (Function)success},
        {"vkGetFenceStatus", (Function)success},
        {"vkGetQueryPoolResults", (Function)query_results},
    };
    for (size_t row = 0; row < sizeof table / sizeof *table; row++) {
        size_t length = strlen(table[row].name);
        if (!strncmp(name, table[row].name, length) && (!name[length] || !strcmp(name + length, "KHR")))
            return table[row].ours;
    }
    return next;
}
