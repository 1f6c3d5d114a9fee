/* A Vulkan layer that prints what the driver tells of compute pipelines (VK_KHR_pipeline_executable_properties, which the
   application has to enable), a line for each:

       statistics NAME: VALUE; NAME: VALUE; ...

   Without Vulkan's headers. */
#include <stdio.h>
#include <stdlib.h>

#include "layer.h"

enum { PROPERTIES = 1000269002, EXECUTABLE, STATISTIC, CAPTURE_STATISTICS = 0x40, OUT_OF_HOST_MEMORY = -1, MOST = 96, EXECUTABLES = 8 };
enum { BOOL32, INT64, UINT64 };

/* VkPipelineInfoKHR and VkPipelineExecutableInfoKHR. */
struct executable {
    int32_t type;
    const void *next;
    uint64_t pipeline;
    uint32_t index;
};
/* VkPipelineExecutablePropertiesKHR. */
struct properties {
    int32_t type;
    void *next;
    uint32_t stages;
    char name[256], description[256];
    uint32_t subgroup;
};
/* VkPipelineExecutableStatisticKHR. */
struct statistic {
    int32_t type;
    void *next;
    char name[256], description[256];
    int32_t format;
    union {
        uint32_t truth;
        int64_t number;
        uint64_t natural;
        double real;
    } value;
};
/* The beginning of VkComputePipelineCreateInfo, and what is behind it up to the next one. */
struct info {
    int32_t type;
    const void *next;
    uint32_t flags;
    char rest[96 - 20];
};

static int fails(const char *name) { return !name; }

static double number(const struct statistic *s) {
    switch (s->format) {
    case BOOL32: return s->value.truth;
    case INT64: return s->value.number;
    case UINT64: return s->value.natural;
    default: return s->value.real;
    }
}

static void print(void *device, uint64_t pipeline) {
    GetProc proc = devices[index_of(device)].proc;
    int32_t (*executables)(void *, const struct executable *, uint32_t *, struct properties *) =
        (void *)proc(device, "vkGetPipelineExecutablePropertiesKHR");
    int32_t (*statistics)(void *, const struct executable *, uint32_t *, struct statistic *) =
        (void *)proc(device, "vkGetPipelineExecutableStatisticsKHR");
    struct executable of = {PROPERTIES - 1, NULL, pipeline, 0};
    static __thread struct properties parts[EXECUTABLES];
    static __thread struct statistic all[MOST];
    uint32_t count = EXECUTABLES, told;
    if (!executables || !statistics) return;
    for (int i = 0; i < EXECUTABLES; i++) parts[i].type = PROPERTIES;
    if (executables(device, &of, &count, parts) < 0) return;
    static __thread char line[MOST * 300];
    int length = 0;
    of.type = EXECUTABLE;
    for (; of.index < count; of.index++) {
        for (int i = 0; i < MOST; i++) all[i].type = STATISTIC;
        told = MOST;
        if (statistics(device, &of, &told, all) < 0) continue;
        for (uint32_t i = 0; i < told && length < (int)sizeof line - 300; i++)
            length += snprintf(line + length, 300, "; %s: %.17g", all[i].name, number(&all[i]));
    }
    /* One call, since pipelines may be made on several threads. */
    if (length) printf("statistics%s\n", line + 1);
    fflush(stdout);
}

static Call create[DEVICES];
static int32_t our_create(uintptr_t device, uintptr_t cache, uintptr_t count, uintptr_t infos, uintptr_t allocator,
                          uintptr_t pipelines) {
    struct info *ours = malloc(count * sizeof *ours);
    if (!ours) return OUT_OF_HOST_MEMORY;
    memcpy(ours, (const void *)infos, count * sizeof *ours);
    for (size_t i = 0; i < count; i++) ours[i].flags |= CAPTURE_STATISTICS;
    /* Without the cache, whose pipelines may have been made without. */
    (void)cache;
    int32_t result = create[index_of((void *)device)](device, 0, count, (uintptr_t)ours, allocator, pipelines);
    for (size_t i = 0; result == 0 && i < count; i++) print((void *)device, ((uint64_t *)pipelines)[i]);
    free(ours);
    return result;
}

static Function replace_of_device(int device, const char *name, Function next) {
    static const struct replacement table[] = {{"vkCreateComputePipelines", (Function)our_create, create}};
    return replace(table, 1, device, name, next);
}
static Function replace_of_instance(const char *name, Function next) {
    (void)name;
    return next;
}
