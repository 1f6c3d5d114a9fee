/* Speed of atomics and of what work-items compute together, timed by events: nanoseconds for a thousand operations, or
 * for a thousand elements that are summed. Prints `name value ns` a line.
 *
 * What a platform does not compile it does not print: `by_hand` is a tree in local memory, which every platform has.
 */
#include "timed.h"

/* `body` is what an item does with its global id g and local id l in groups of 256: with the integers `in`, the
 * cells `a` and 256 cells of local memory, `c`. */
struct kernel {
    const char *name, *tag, *body;
};

/* Sixteen times an item. */
#define EACH(STATEMENT) "for (int n = 0; n < 16; n++) { " STATEMENT " }"
/* To local memory and back; the atomic is on a cell of local memory. */
#define LOCAL(STATEMENT) "c[l] = 0; barrier(CLK_LOCAL_MEM_FENCE); " EACH(STATEMENT) " barrier(CLK_LOCAL_MEM_FENCE); a[g & 0xffff] = c[l];"
#define CELL "&a[(g * 16 + n) & 0xffff]"
#define LOOP(NEW) "int old = *(" CELL "), seen; while ((seen = atomic_cmpxchg(" CELL ", old, " NEW ")) != old) old = seen;"

static const struct kernel ATOMICS[] = {
    {"add:one_cell", "", EACH("atomic_add(&a[0], n);")},
    {"add:64K_cells", "", EACH("atomic_add(" CELL ", n);")},
    {"add:random_cells", "", EACH("atomic_add(&a[(g * 16 + n) * 40503u & 0xffff], n);")},
    {"add:result_used", "", EACH("s += atomic_add(" CELL ", n);") "a[g & 0xffff] = s;"},
    {"inc:one_cell", "", EACH("atomic_inc(&a[0]);")},
    {"inc:one_cell:result_used", "", EACH("s += atomic_inc(&a[0]);") "a[1 + (g & 0xff)] = s;"},
    {"max:64K_cells", "", EACH("atomic_max(&a[(g * 16 + n) & 0xffff], (int)g);")},
    {"xchg:64K_cells", "", EACH("s += atomic_xchg(&a[(g * 16 + n) & 0xffff], n);") "a[g & 0xffff] = s;"},
    {"or:64K_cells", "", EACH("atomic_or(&a[(g * 16 + n) & 0xffff], 1 << n);")},
    {"cmpxchg:64K_cells", "", EACH(LOOP("old * 3 + 1"))},
    {"add64:64K_cells", "", EACH("atom_add((global volatile long *)a + ((g * 16 + n) & 0x7fff), (long)n);")},
    {"max64:64K_cells", "", EACH("atom_max((global volatile long *)a + ((g * 16 + n) & 0x7fff), (long)n);")},
    {"add:local:one_cell", "", LOCAL("atomic_add(&c[0], n);")},
    {"add:local:256_cells", "", LOCAL("atomic_add(&c[(l + n) & 255], n);")},
    {"add:local:random_cells", "", LOCAL("atomic_add(&c[(g * 16 + n) * 40503u >> 7 & 255], n);")},
    {"max:local:256_cells", "", LOCAL("atomic_max(&c[(l + n) & 255], (int)g);")},
    {"histogram", "", "c[l] = 0; barrier(CLK_LOCAL_MEM_FENCE); " EACH("atomic_inc(&c[in[g * 16 + n] & 255]);")
                      " barrier(CLK_LOCAL_MEM_FENCE); atomic_add(&a[l], c[l]);"},
};

#define TREE "c[l] = x; barrier(CLK_LOCAL_MEM_FENCE); for (int k = 128; k; k >>= 1) { if (l < k) c[l] += c[l + k]; barrier(CLK_LOCAL_MEM_FENCE); } x = c[0];"
#define SCAN "c[l] = x; barrier(CLK_LOCAL_MEM_FENCE); for (int k = 1; k < 256; k <<= 1) { int y = l >= k ? c[l - k] : 0; barrier(CLK_LOCAL_MEM_FENCE); c[l] += y; barrier(CLK_LOCAL_MEM_FENCE); } x = c[l];"
/* Each of 16 integers of an item goes through the reduction. */
#define REDUCED(STATEMENTS) EACH("int x = in[g + (n << 20)]; " STATEMENTS " s += x;") "a[g & 0xffff] = s;"

static const struct kernel REDUCTIONS[] = {
    {"reduce", "by_hand", REDUCED(TREE "barrier(CLK_LOCAL_MEM_FENCE);")},
    {"reduce", "work_group", REDUCED("x = work_group_reduce_add(x);")},
    {"reduce_max", "work_group", REDUCED("x = work_group_reduce_max(x);")},
    {"scan", "by_hand", REDUCED(SCAN "barrier(CLK_LOCAL_MEM_FENCE);")},
    {"scan", "work_group", REDUCED("x = work_group_scan_inclusive_add(x);")},
    {"broadcast", "by_hand", REDUCED("if (l == 7) c[0] = x; barrier(CLK_LOCAL_MEM_FENCE); x = c[0]; barrier(CLK_LOCAL_MEM_FENCE);")},
    {"broadcast", "work_group", REDUCED("x = work_group_broadcast(x, 7);")},
    {"all", "by_hand", REDUCED("c[0] = 1; barrier(CLK_LOCAL_MEM_FENCE); if (!x) c[0] = 0; barrier(CLK_LOCAL_MEM_FENCE); x = c[0]; barrier(CLK_LOCAL_MEM_FENCE);")},
    {"all", "work_group", REDUCED("x = work_group_all(x);")},
    {"reduce_32", "by_hand", REDUCED("c[l] = x; for (int k = 16; k; k >>= 1) { barrier(CLK_LOCAL_MEM_FENCE); if ((l & 31) < k) c[l] += c[l + k]; } barrier(CLK_LOCAL_MEM_FENCE); x = c[l & ~31]; barrier(CLK_LOCAL_MEM_FENCE);")},
    {"reduce_32", "sub_group", REDUCED("x = sub_group_reduce_add(x);")},
    {"scan_32", "sub_group", REDUCED("x = sub_group_scan_inclusive_add(x);")},
    {"broadcast_32", "sub_group", REDUCED("x = sub_group_broadcast(x, 7);")},
};

enum { ITEMS = 1 << 20, OPERATIONS = 16, WARM = 50 };

static const char *TEMPLATE =
    "kernel void k(global const int *in, global volatile int *a) {\n"
    "    uint g = get_global_id(0), l = get_local_id(0);\n"
    "    local volatile int c[256];\n"
    "    int s = 0;\n"
    "    BODY\n"
    "}\n";

static cl_mem in, cells;

static void measure(const char *name, const char *tag, const char *body, const char *options) {
    char source[4096];
    snprintf(source, sizeof source, "#define BODY %s\n%s", body, TEMPLATE);
    cl_kernel kernel = new_kernel(source, options, "k");
    if (!kernel) return;
    OK(clSetKernelArg(kernel, 0, sizeof in, &in));
    OK(clSetKernelArg(kernel, 1, sizeof cells, &cells));
    double each = launch_ns(kernel, ITEMS, WARM) / ((double)ITEMS * OPERATIONS);
    printf("%s%s%s %.6f ns\n", name, *tag ? ":" : "", tag, each * 1000);
    OK(clReleaseKernel(kernel));
}

int main(void) {
    open_device(NULL, CL_QUEUE_PROFILING_ENABLE);
    size_t count = (size_t)ITEMS * OPERATIONS;
    int *numbers = malloc(count * sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (int)(i * 2654435761u >> 7);
    in = new_buffer(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, count * sizeof *numbers, numbers);
    cells = new_buffer(CL_MEM_READ_WRITE, 1 << 18, NULL);
    for (size_t i = 0; i < sizeof ATOMICS / sizeof *ATOMICS; i++)
        measure(ATOMICS[i].name, ATOMICS[i].tag, ATOMICS[i].body, "-cl-std=CL1.2");
    for (size_t i = 0; i < sizeof REDUCTIONS / sizeof *REDUCTIONS; i++)
        measure(REDUCTIONS[i].name, REDUCTIONS[i].tag, REDUCTIONS[i].body, "-cl-std=CL3.0");
    return 0;
}
