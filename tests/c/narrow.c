/* Bytes and halves of words that other work-items write: neighbours are kept, one value stored by many stays, and
   what orders words orders these. For devices that make such stores of atomics on words, too. */
#include "programs.h"

#define ITEMS 4096
#define LOCAL 64

static const char *text =
    "#define GROUPS (ITEMS / LOCAL)\n"
    /* Neighbours are of different groups. */
    "#define PLACE ((int)(get_local_id(0) * GROUPS + get_group_id(0)))\n"
    "uint value(uint i, uint n) { return (i * 2654435761u + n * 40503u) >> 16; }\n"
    "kernel void bytes(global uchar *a) {\n"
    "    for (int n = 0; n < 20; n++) a[PLACE] = value(PLACE, n);\n"
    "}\n"
    "kernel void shorts(global ushort *a) {\n"
    "    for (int n = 0; n < 20; n++) a[PLACE] = value(PLACE, n);\n"
    "}\n"
    "kernel void pairs(global uchar2 *a) {\n"
    "    for (int n = 0; n < 20; n++) a[PLACE] = as_uchar2((ushort)value(PLACE, n));\n"
    "}\n"
    /* At any address, a byte of another between. */
    "kernel void triples(global uchar *a) {\n"
    "    for (int n = 0; n < 20; n++) vstore3((uchar3)(value(PLACE, n), value(PLACE, n) >> 8, 7), PLACE, a + 1);\n"
    "    if (!PLACE) a[0] = 1;\n"
    "}\n"
    "kernel void quads(global uchar *a) {\n"
    "    for (int n = 0; n < 20; n++) vstore4((uchar4)(value(PLACE, n), value(PLACE, n) >> 8, 7, 9), 0, a + 5 * PLACE);\n"
    "    a[5 * PLACE + 4] = PLACE;\n"
    "}\n"
    "kernel void halves(global ushort *a) {\n"
    "    for (int n = 0; n < 20; n++) vstore_half3((float3)(n, PLACE & 1023, 1), PLACE, (global half *)(a + 1));\n"
    "    if (!PLACE) a[0] = 1;\n"
    "}\n"
    /* Each item stores the value that is there, and the one of all; nobody sees another. */
    "kernel void same(global uchar *a, global int *wrong) {\n"
    "    volatile global uchar *seen = a;\n"
    "    for (int n = 0; n < 20; n++) {\n"
    "        int i = (PLACE + n) & 63;\n"
    "        a[i] = 0x5a;\n"
    "        uchar other = seen[i ^ 1], flag = seen[64 + i];\n"
    "        if (other != 0x5a || (flag != 0x5a && flag != 0x42)) atomic_inc(wrong);\n"
    "        a[64 + i] = 0x42;\n"
    "    }\n"
    "}\n"
    /* In local memory, beside a counter: bytes there are parts of words on all devices. */
    "kernel void same_local(global uchar *a, global int *wrong) {\n"
    "    local struct { uchar flags[64]; int all; } s;\n"
    "    int id = get_local_id(0);\n"
    "    s.flags[id] = 0;\n"
    "    if (!id) s.all = 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int n = 0; n < 64; n++) { s.flags[n] = 0x42; atomic_inc(&s.all); }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (s.flags[id] != 0x42 || s.all != 64 * LOCAL) atomic_inc(wrong);\n"
    "    a[get_global_id(0)] = s.flags[id];\n"
    "}\n"
    /* A barrier orders what precedes it. */
    "kernel void exchange(global uchar *a, global int *wrong) {\n"
    "    int id = get_local_id(0), first = get_group_id(0) * LOCAL;\n"
    "    for (int n = 0; n < 20; n++) {\n"
    "        a[first + id] = value(id, n);\n"
    "        barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "        if (a[first + (id + n) % LOCAL] != (uchar)value((id + n) % LOCAL, n)) atomic_inc(wrong);\n"
    "        barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    }\n"
    "}\n"
    /* And a release what precedes it, for who acquires. */
    "#if defined(__opencl_c_atomic_order_acq_rel) && defined(__opencl_c_atomic_scope_device)\n"
    "kernel void message(global uchar *a, global int *wrong, global atomic_int *flags) {\n"
    "    int from = (get_global_id(0) + LOCAL) % ITEMS, me = get_global_id(0);\n"
    "    a[me] = value(me, 1);\n"
    "    atomic_store_explicit(&flags[me], 1, memory_order_release, memory_scope_device);\n"
    "    for (int n = 0; n < 100; n++)\n"
    "        if (atomic_load_explicit(&flags[from], memory_order_acquire, memory_scope_device)) {\n"
    "            if (a[from] != (uchar)value(from, 1)) atomic_inc(wrong);\n"
    "            break;\n"
    "        }\n"
    "}\n"
    "#else\n"
    "kernel void message(global uchar *a, global int *wrong, global int *flags) {\n"
    "    a[get_global_id(0)] = value(get_global_id(0), 1);\n"
    "}\n"
    "#endif\n";

static cl_program program;
static unsigned char bytes[8 * ITEMS];

static unsigned value(unsigned i, unsigned n) { return (i * 2654435761u + n * 40503u) >> 16; }

/* What a kernel leaves of a buffer that begins as `fill`; how many wrong things its items saw. */
static int run(const char *name, cl_uint args, unsigned char fill) {
    cl_int err, wrong = 0;
    size_t global = ITEMS, local = LOCAL;
    cl_kernel kernel = clCreateKernel(program, name, &err);
    NEED(kernel);
    cl_mem buffers[3] = {check_buffer(context, 0, sizeof bytes), check_buffer(context, 0, sizeof wrong),
                         check_buffer(context, 0, 4 * ITEMS)};
    memset(bytes, fill, sizeof bytes);
    OK(clEnqueueWriteBuffer(queue, buffers[0], CL_TRUE, 0, sizeof bytes, bytes, 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(queue, buffers[1], CL_TRUE, 0, sizeof wrong, &wrong, 0, NULL, NULL));
    OK(clEnqueueFillBuffer(queue, buffers[2], &wrong, sizeof wrong, 0, 4 * ITEMS, 0, NULL, NULL));
    for (cl_uint i = 0; i < args; i++) OK(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffers[0], CL_TRUE, 0, sizeof bytes, bytes, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffers[1], CL_TRUE, 0, sizeof wrong, &wrong, 0, NULL, NULL));
    for (int i = 0; i < 3; i++) OK(clReleaseMemObject(buffers[i]));
    OK(clReleaseKernel(kernel));
    return wrong;
}

/* So many of the items' places are not as they are to be, `size` bytes of item `i` being `want`. */
static int differ(size_t first, size_t stride, size_t size, unsigned long long (*want)(unsigned i)) {
    int count = 0;
    for (unsigned i = 0; i < ITEMS; i++) {
        unsigned long long got = 0;
        memcpy(&got, bytes + first + stride * i, size);
        count += got != (want(i) & (~0ull >> (64 - 8 * size)));
    }
    return count;
}

static unsigned long long last(unsigned i) { return value(i, 19); }
static unsigned long long triple(unsigned i) { return (value(i, 19) & 0xffff) | 7 << 16; }
static unsigned long long quad(unsigned i) {
    return triple(i) | 9ull << 24 | (unsigned long long)(i & 255) << 32;
}
static unsigned long long once(unsigned i) { return value(i, 1); }
static unsigned long long flag(unsigned i) { (void)i; return 0x42; }

/* An integer below 2048 as a half. */
static unsigned half(unsigned n) {
    int log = 0;
    while (n >> (log + 1)) log++;
    return n ? (unsigned)(log + 15) << 10 | ((n << (10 - log)) & 1023) : 0;
}
static unsigned long long three(unsigned i) {
    return half(19) | half(i & 1023) << 16 | (unsigned long long)half(1) << 32;
}

int main(void) {
    begin();
    char options[100];
    snprintf(options, sizeof options, "-cl-std=CL3.0 -DITEMS=%d -DLOCAL=%d", ITEMS, LOCAL);
    program = built(text, options);
    run("bytes", 1, 0xff);
    EXPECT(0, differ(0, 1, 1, last));
    TRUE(bytes[ITEMS] == 0xff);
    run("shorts", 1, 0xff);
    EXPECT(0, differ(0, 2, 2, last));
    run("pairs", 1, 0xff);
    EXPECT(0, differ(0, 2, 2, last));
    run("triples", 1, 0xff);
    EXPECT(0, differ(1, 3, 3, triple));
    TRUE(bytes[0] == 1 && bytes[1 + 3 * ITEMS] == 0xff);
    run("quads", 1, 0xff);
    EXPECT(0, differ(0, 5, 5, quad));
    TRUE(bytes[5 * ITEMS] == 0xff);
    run("halves", 1, 0xff);
    EXPECT(0, differ(2, 6, 6, three));
    TRUE(bytes[0] == 1 && bytes[1] == 0 && bytes[2 + 6 * ITEMS] == 0xff);
    for (int round = 0; round < 10; round++) {
        /* 64 bytes that are as they stay, 64 flags. */
        EXPECT(0, run("same", 2, 0x5a));
        for (int i = 0; i < 64; i++) TRUE(bytes[i] == 0x5a && bytes[64 + i] == 0x42);
        EXPECT(0, run("same_local", 2, 0));
        EXPECT(0, differ(0, 1, 1, flag));
        EXPECT(0, run("exchange", 2, 0));
        EXPECT(0, run("message", 3, 0));
        EXPECT(0, differ(0, 1, 1, once));
    }
    OK(clReleaseProgram(program));
    end();
    END;
}
