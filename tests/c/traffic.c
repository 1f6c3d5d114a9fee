/* Random commands of many queues on memory of all kinds, against the same done by the host: buffers of every
   placement, their sub-buffers, images in their memory, and images. A command waits for those that touched the
   same bytes, and for no other. All devices of the platform take part.

     traffic [ROUNDS [SEED]] */
#include "check.h"

enum { BUFFERS = 6, IMAGES = 2, ROOTS = BUFFERS + IMAGES, VIEWS = 4, QUEUES = 6, COMMANDS = 400 };
enum { SIZE = 24576, MOST_USES = 512, TEXEL = 4, WIDTH = 37, HEIGHT = 29, PITCH = 512 };

/* Who touched which bytes. */
struct use {
    struct root *root;
    size_t from, to;
    int write;
    cl_event event;
};

/* Memory, and what should be in it. */
struct root {
    cl_mem_flags flags;
    unsigned char *model, *host;
    /* The buffer and its sub-buffers. */
    struct view {
        struct root *root;
        cl_mem mem;
        size_t at, size;
    } views[VIEWS];
    cl_mem image;
    size_t pitch;
    struct use uses[MOST_USES];
    int used;
};

static const cl_mem_flags FLAGS[BUFFERS] = {0, CL_MEM_ALLOC_HOST_PTR, CL_MEM_USE_HOST_PTR, CL_MEM_USE_HOST_PTR,
                                            CL_MEM_COPY_HOST_PTR, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR};
static const char *source =
    "kernel void add(global uint *p, uint v) { p[get_global_id(0)] += v; }\n"
    "kernel void thrice(global const uint *a, global uint *b) {\n"
    "    b[get_global_id(0)] = a[get_global_id(0)] * 3 + 1;\n"
    "}\n";

static cl_context context;
static cl_command_queue queues[QUEUES], queue;
static cl_kernel add, thrice;
static struct root roots[ROOTS];

static unsigned state;
static size_t next(size_t n) {
    state = state * 1664525 + 1013904223;
    return (state >> 16) % n;
}

/* What the command at hand touches, and waits for. */
static struct use touched[2];
static int touches;
static cl_event waits[2 * MOST_USES], event;
static cl_uint waiting;
#define WAITS waiting, waiting ? waits : NULL, &event

static void touch(struct root *root, size_t from, size_t to, int write) {
    touched[touches++] = (struct use){root, from, to, write, NULL};
    for (int i = 0; i < root->used; i++) {
        const struct use *use = &root->uses[i];
        if (use->from < to && from < use->to && (write || use->write)) waits[waiting++] = use->event;
    }
}

/* The command is enqueued. What it overwrites it has waited for. */
static void touched_by(cl_event by) {
    for (int t = 0; t < touches; t++) {
        struct root *root = touched[t].root;
        int kept = 0;
        for (int i = 0; i < root->used; i++) {
            struct use *use = &root->uses[i];
            if (touched[t].write && use->from >= touched[t].from && use->to <= touched[t].to)
                OK(clReleaseEvent(use->event));
            else
                root->uses[kept++] = *use;
        }
        NEED(kept < MOST_USES);
        root->uses[kept] = touched[t];
        root->uses[kept].event = by;
        OK(clRetainEvent(by));
        root->used = kept + 1;
    }
}

/* What lives until the end of the round, and what reads should have given by then. */
static struct read {
    unsigned char *got, *want;
    size_t size;
    int command;
} reads[COMMANDS];
static int command;

static unsigned char *bytes_of(size_t size, int random) {
    unsigned char *bytes = calloc(1, size);
    NEED(bytes);
    for (size_t i = 0; random && i < size; i++) bytes[i] = next(256);
    reads[command].got = bytes;
    return bytes;
}

static void should_be(const unsigned char *want, size_t size) {
    reads[command].want = malloc(size);
    reads[command].size = size;
    memcpy(reads[command].want, want, size);
}

static struct view *any_view(void) { return &roots[next(BUFFERS)].views[next(VIEWS)]; }
static unsigned char *model_of(const struct view *v, size_t at) { return v->root->model + v->at + at; }
static void touch_view(const struct view *v, size_t at, size_t size, int write) {
    touch(v->root, v->at + at, v->at + at + size, write);
}
static size_t less(size_t a, size_t b) { return a < b ? a : b; }

/* A range of up to `most` bytes, often a short one. */
static size_t length(size_t most) { return 1 + next(next(3) ? less(most, 300) : most); }

static void write(void) {
    struct view *v = any_view();
    size_t size = length(v->size), at = next(v->size - size + 1);
    unsigned char *from = bytes_of(size, 1);
    touch_view(v, at, size, 1);
    OK(clEnqueueWriteBuffer(queue, v->mem, next(4) == 0, at, size, from, WAITS));
    memcpy(model_of(v, at), from, size);
}

static void read(void) {
    struct view *v = any_view();
    size_t size = length(v->size), at = next(v->size - size + 1);
    touch_view(v, at, size, 0);
    OK(clEnqueueReadBuffer(queue, v->mem, next(4) == 0, at, size, bytes_of(size, 0), WAITS));
    should_be(model_of(v, at), size);
}

static void fill(void) {
    struct view *v = any_view();
    unsigned char pattern[128];
    size_t width = (size_t)1 << next(8), most = v->size / width;
    if (!most) return;
    size_t count = 1 + next(less(most, next(2) ? 7 : most)), at = next(most - count + 1) * width;
    for (size_t i = 0; i < width; i++) pattern[i] = next(256);
    touch_view(v, at, count * width, 1);
    OK(clEnqueueFillBuffer(queue, v->mem, pattern, width, at, count * width, WAITS));
    for (size_t i = 0; i < count * width; i++) *model_of(v, at + i) = pattern[i % width];
}

static void copy(void) {
    struct view *a = any_view(), *b = any_view();
    size_t size = length(less(a->size, b->size)), from = next(a->size - size + 1), to = next(b->size - size + 1);
    /* Not of a buffer and its sub-buffer, which is not defined. */
    if (a != b && a->root == b->root) return;
    if (a == b && from < to + size && to < from + size) {
        EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, a->mem, b->mem, from, to, size, 0, NULL, NULL));
        return;
    }
    touch_view(a, from, size, 0);
    touch_view(b, to, size, 1);
    OK(clEnqueueCopyBuffer(queue, a->mem, b->mem, from, to, size, WAITS));
    memcpy(model_of(b, to), model_of(a, from), size);
}

/* A box in memory: the pitches that the call gets, perhaps 0, those that are meant, and its bytes. */
struct box {
    size_t origin[3], row, slice, rows, slices, from, to;
};

static struct box box_of(const size_t *region) {
    struct box b = {{0}, next(3) ? region[0] + next(20) : 0, 0, 0, 0, 0, 0};
    b.rows = b.row ? b.row : region[0];
    b.slice = next(3) ? b.rows * (region[1] + next(3)) : 0;
    b.slices = b.slice ? b.slice : b.rows * region[1];
    size_t origin[3] = {next(b.rows - region[0] + 1), next(8), next(4)};
    memcpy(b.origin, origin, sizeof origin);
    b.from = origin[0] + origin[1] * b.rows + origin[2] * b.slices;
    b.to = b.from + region[0] + (region[1] - 1) * b.rows + (region[2] - 1) * b.slices;
    return b;
}

/* Copies boxes from the first bytes of memory that they lie in. */
static void copy_box(unsigned char *to, const struct box *b, const unsigned char *from, const struct box *a,
                     const size_t *region) {
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            memcpy(to + b->from + z * b->slices + y * b->rows, from + a->from + z * a->slices + y * a->rows, region[0]);
}

static void any_region(size_t *region) {
    region[0] = 1 + next(40);
    region[1] = 1 + next(9);
    region[2] = 1 + next(4);
}

static void write_rect(void) {
    struct view *v = any_view();
    size_t region[3];
    any_region(region);
    struct box there = box_of(region), here = box_of(region);
    if (there.to > v->size) return;
    unsigned char *from = bytes_of(here.to, 1);
    touch_view(v, there.from, there.to - there.from, 1);
    OK(clEnqueueWriteBufferRect(queue, v->mem, next(4) == 0, there.origin, here.origin, region, there.row, there.slice,
                                here.row, here.slice, from, WAITS));
    copy_box(model_of(v, 0), &there, from, &here, region);
}

static void read_rect(void) {
    struct view *v = any_view();
    size_t region[3];
    any_region(region);
    struct box there = box_of(region), here = box_of(region);
    if (there.to > v->size) return;
    touch_view(v, there.from, there.to - there.from, 0);
    OK(clEnqueueReadBufferRect(queue, v->mem, next(4) == 0, there.origin, here.origin, region, there.row, there.slice,
                               here.row, here.slice, bytes_of(here.to, 0), WAITS));
    unsigned char *want = calloc(1, here.to);
    copy_box(want, &here, model_of(v, 0), &there, region);
    should_be(want, here.to);
    free(want);
}

static void copy_rect(void) {
    struct view *a = any_view(), *b = any_view();
    size_t region[3];
    any_region(region);
    struct box from = box_of(region), to = box_of(region);
    if (from.to > a->size || to.to > b->size || a->root == b->root) return;
    touch_view(a, from.from, from.to - from.from, 0);
    touch_view(b, to.from, to.to - to.from, 1);
    OK(clEnqueueCopyBufferRect(queue, a->mem, b->mem, from.origin, to.origin, region, from.row, from.slice, to.row,
                               to.slice, WAITS));
    copy_box(model_of(b, 0), &to, model_of(a, 0), &from, region);
}

/* Mapped by one queue and unmapped by another; nested, if both only read. */
static void map(void) {
    static const cl_map_flags flags[] = {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE,
                                         CL_MAP_WRITE_INVALIDATE_REGION};
    struct view *v = any_view();
    cl_map_flags how = flags[next(4)];
    size_t size = length(v->size), at = next(v->size - size + 1), half = size / 2;
    int writes = how != CL_MAP_READ;
    cl_event mapped;
    cl_int err;
    touch_view(v, at, size, writes);
    const cl_event *list = waiting ? waits : NULL;
    unsigned char *p = clEnqueueMapBuffer(queue, v->mem, next(2), how, at, size, waiting, list, &mapped, &err);
    NEED(p && !err);
    OK(clWaitForEvents(1, &mapped));
    OK(clReleaseEvent(mapped));
    if (v->root->flags & CL_MEM_USE_HOST_PTR) TRUE(p == v->root->host + v->at + at);
    if (how != CL_MAP_WRITE_INVALIDATE_REGION) TRUE(!memcmp(p, model_of(v, at), size));
    if (!writes) {
        unsigned char *again = clEnqueueMapBuffer(queues[next(QUEUES)], v->mem, CL_TRUE, how, at + half, size - half, 0,
                                                  NULL, NULL, &err);
        NEED(again && !err);
        TRUE(!memcmp(again, model_of(v, at + half), size - half));
        OK(clEnqueueUnmapMemObject(queues[next(QUEUES)], v->mem, again, 0, NULL, NULL));
    }
    for (size_t i = 0; writes && i < size; i++)
        if (how == CL_MAP_WRITE_INVALIDATE_REGION || next(2)) p[i] = *model_of(v, at + i) = next(256);
    OK(clEnqueueUnmapMemObject(queues[next(QUEUES)], v->mem, p, 0, NULL, &event));
}

static void launch(void) {
    struct view *v = any_view();
    size_t count = v->size / 4, at = next(count), size = 1 + next(count - at);
    cl_uint value = next(1000), *p = (cl_uint *)model_of(v, 0);
    touch_view(v, 0, v->size, 1);
    OK(clSetKernelArg(add, 0, sizeof v->mem, &v->mem));
    OK(clSetKernelArg(add, 1, sizeof value, &value));
    OK(clEnqueueNDRangeKernel(queue, add, 1, &at, &size, NULL, WAITS));
    for (size_t i = at; i < at + size; i++) p[i] += value;
}

static void launch_on_two(void) {
    struct view *a = any_view(), *b = any_view();
    size_t size = 1 + next(less(a->size, b->size) / 4);
    if (a->root == b->root) return;
    touch_view(a, 0, a->size, 0);
    touch_view(b, 0, b->size, 1);
    OK(clSetKernelArg(thrice, 0, sizeof a->mem, &a->mem));
    OK(clSetKernelArg(thrice, 1, sizeof b->mem, &b->mem));
    OK(clEnqueueNDRangeKernel(queue, thrice, 1, NULL, &size, NULL, WAITS));
    const cl_uint *from = (cl_uint *)model_of(a, 0);
    for (size_t i = 0; i < size; i++) ((cl_uint *)model_of(b, 0))[i] = from[i] * 3 + 1;
}

static void migrate(void) {
    struct view *v = any_view();
    touch_view(v, 0, v->size, 1);
    OK(clEnqueueMigrateMemObjects(queue, 1, &v->mem, next(2) ? CL_MIGRATE_MEM_OBJECT_HOST : 0, WAITS));
}

/* A part of an image, and of the bytes that it lies in. */
static struct root *any_part(size_t *origin, size_t *region, struct box *box) {
    struct root *root = &roots[next(ROOTS)];
    region[0] = 1 + next(WIDTH);
    region[1] = 1 + next(HEIGHT);
    region[2] = 1;
    origin[0] = next(WIDTH - region[0] + 1);
    origin[1] = next(HEIGHT - region[1] + 1);
    origin[2] = 0;
    *box = (struct box){.rows = root->pitch, .from = origin[1] * root->pitch + origin[0] * TEXEL};
    return root;
}

/* An image and tight rows of the host's, or of a buffer. */
static void image(void) {
    size_t origin[3], region[3];
    struct box there, tight = {{0}, 0, 0, 0, 0, 0, 0};
    struct root *root = any_part(origin, region, &there);
    struct view *v = any_view();
    int kind = next(4), writes = kind % 2;
    size_t bytes[3] = {region[0] * TEXEL, region[1], 1}, size = bytes[0] * bytes[1];
    tight.rows = bytes[0];
    if (kind >= 2 && (v->root == root || v->size < size)) return;
    size_t at = kind < 2 ? 0 : next(v->size - size + 1);
    touch(root, 0, HEIGHT * root->pitch, writes);
    if (kind >= 2) touch_view(v, at, size, !writes);
    unsigned char *host = kind < 2 ? bytes_of(size, writes) : model_of(v, at);
    switch (kind) {
    case 0: OK(clEnqueueReadImage(queue, root->image, next(2), origin, region, 0, 0, host, WAITS)); break;
    case 1: OK(clEnqueueWriteImage(queue, root->image, next(2), origin, region, 0, 0, host, WAITS)); break;
    case 2: OK(clEnqueueCopyImageToBuffer(queue, root->image, v->mem, origin, region, at, WAITS)); break;
    default: OK(clEnqueueCopyBufferToImage(queue, v->mem, root->image, at, origin, region, WAITS));
    }
    if (writes) {
        copy_box(root->model, &there, host, &tight, bytes);
    } else {
        unsigned char *want = malloc(size);
        copy_box(want, &tight, root->model, &there, bytes);
        if (kind) memcpy(host, want, size);
        else should_be(want, size);
        free(want);
    }
}

static void (*const KINDS[])(void) = {write, read,      fill, copy, write_rect, read_rect, copy_rect,
                                      map,   map,       launch, launch, launch_on_two, migrate, image, image};

static void begin(struct root *root, int index, size_t align) {
    static const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
    int is_image = index >= BUFFERS;
    size_t size = is_image ? WIDTH * HEIGHT * TEXEL : SIZE;
    cl_int err;
    memset(root, 0, sizeof *root);
    root->pitch = is_image ? WIDTH * TEXEL : PITCH;
    root->model = malloc(size);
    for (size_t i = 0; i < size; i++) root->model[i] = next(256);
    if (is_image) {
        root->image = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &desc, root->model, &err);
        NEED(root->image && !err);
        return;
    }
    root->flags = FLAGS[index];
    void *host = root->flags & CL_MEM_COPY_HOST_PTR ? root->model : NULL;
    if (root->flags & CL_MEM_USE_HOST_PTR) {
        /* On a page, which may be imported, and elsewhere. */
        NEED(!posix_memalign((void **)&root->host, 4096, SIZE + 4096));
        root->host += index % 2 * 16;
        memcpy(root->host, root->model, SIZE);
        host = root->host;
    }
    cl_mem buffer = clCreateBuffer(context, root->flags, SIZE, host, &err);
    NEED(buffer && !err);
    if (!host) OK(clEnqueueWriteBuffer(queues[0], buffer, CL_TRUE, 0, SIZE, root->model, 0, NULL, NULL));
    root->views[0] = (struct view){root, buffer, 0, SIZE};
    for (int i = 1; i < VIEWS; i++) {
        size_t at = next(SIZE / align - 1) * align;
        cl_buffer_region region = {at, 4 * (1 + next((SIZE - at) / 4))};
        cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
        root->views[i] = (struct view){root, part, at, region.size};
        NEED(part && !err);
    }
    desc.image_row_pitch = PITCH;
    desc.mem_object = buffer;
    root->image = clCreateImage(context, 0, &format, &desc, NULL, &err);
    NEED(root->image && !err);
}

static void end(struct root *root, int index) {
    static const size_t zero[3], whole[3] = {WIDTH, HEIGHT, 1};
    static unsigned char got[SIZE];
    cl_command_queue q = queues[next(QUEUES)];
    int is_image = index >= BUFFERS;
    size_t size = is_image ? WIDTH * HEIGHT * TEXEL : SIZE;
    if (is_image) OK(clEnqueueReadImage(q, root->image, CL_TRUE, zero, whole, 0, 0, got, 0, NULL, NULL));
    else OK(clEnqueueReadBuffer(q, root->views[0].mem, CL_TRUE, 0, SIZE, got, 0, NULL, NULL));
    TRUE(!memcmp(got, root->model, size));
    for (int i = 0; i < root->used; i++) OK(clReleaseEvent(root->uses[i].event));
    OK(clReleaseMemObject(root->image));
    for (int i = 0; i < VIEWS && !is_image; i++) OK(clReleaseMemObject(root->views[i].mem));
    free(root->model);
    if (root->host) free(root->host - index % 2 * 16);
}

static void round_of_commands(size_t align) {
    unsigned seed = state;
    int before = check_failures;
    for (int i = 0; i < ROOTS; i++) begin(&roots[i], i, align);
    memset(reads, 0, sizeof reads);
    for (command = 0; command < COMMANDS; command++) {
        event = NULL;
        touches = waiting = 0;
        queue = queues[next(QUEUES)];
        KINDS[next(sizeof KINDS / sizeof *KINDS)]();
        if (!event) continue;
        touched_by(event);
        OK(clReleaseEvent(event));
    }
    for (int i = 0; i < QUEUES; i++) OK(clFinish(queues[i]));
    for (int i = 0; i < COMMANDS; i++) {
        const struct read *r = &reads[i];
        if (r->want && memcmp(r->got, r->want, r->size)) {
            printf("traffic.c: command %d has read something else\n", i);
            check_failures++;
        }
        free(r->want);
        free(r->got);
    }
    for (int i = 0; i < ROOTS; i++) end(&roots[i], i);
    if (check_failures > before) printf("traffic 1 %u\n", seed);
}

int main(int argc, char **argv) {
    enum { DEVICES = 4 };
    cl_device_id devices[DEVICES];
    cl_uint count, align, bits;
    cl_int err;
    NEED(!clGetDeviceIDs(check_platform(), CL_DEVICE_TYPE_ALL, DEVICES, devices, &count));
    if (count > DEVICES) count = DEVICES;
    context = clCreateContext(NULL, count, devices, NULL, NULL, &err);
    NEED(context && !err);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    add = check_kernel(program, "", "add");
    thrice = check_kernel(program, "", "thrice");
    for (int i = 0; i < QUEUES; i++) {
        cl_queue_properties order = i >= QUEUES / 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
        cl_queue_properties times = i % 3 ? 0 : CL_QUEUE_PROFILING_ENABLE;
        cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, order | times, 0};
        queues[i] = clCreateCommandQueueWithProperties(context, devices[i % count], properties, &err);
        NEED(queues[i] && !err);
    }
    align = 0;
    for (cl_uint d = 0; d < count; d++) {
        OK(clGetDeviceInfo(devices[d], CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL));
        if (bits / 8 > align) align = bits / 8;
    }
    state = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;
    for (int rounds = argc > 1 ? atoi(argv[1]) : 3; rounds > 0; rounds--) round_of_commands(align);
    for (int i = 0; i < QUEUES; i++) OK(clReleaseCommandQueue(queues[i]));
    OK(clReleaseKernel(add));
    OK(clReleaseKernel(thrice));
    OK(clReleaseProgram(program));
    OK(clReleaseContext(context));
    END;
}
