/* Litmus tests of the memory model (OpenCL C 6.15.12): small programs for a few work-items, run very
   often side by side, and what their loads must never see together. Each test in each memory order
   and scope that the device claims; those that may see it are run too when asked for a report. And whether
   sub-groups go on whatever others do, where the device says so.

     litmus [LAUNCHES]    with an argument: a table of what was seen, on standard output */
#include "check.h"

/* Instances of a test in one round, work-items of a group, rounds of a launch. */
enum { INSTANCES = 2048, ITEMS = 256, ROUNDS = 16, MAX_ROLES = 4 };

enum strength { RELAXED, ACQ_REL, SEQ_CST };

/* W(v) stores 1, V(v) stores 2, R(v) loads; F stands between two accesses of an item. x_end and
   y_end are what the variables hold in the end. */
static const struct test {
    const char *name;
    int roles;
    const char *role[MAX_ROLES];
    const char *forbidden;
    /* The weakest orders that forbid it. */
    enum strength by;
} tests[] = {
    {"coherence", 2, {"W(x)", "r0 = R(x); F; r1 = R(x)"}, "r0 == 1 && r1 == 0", RELAXED},
    {"message passing", 2, {"W(x); F; W(y)", "r0 = R(y); F; r1 = R(x)"}, "r0 == 1 && r1 == 0", ACQ_REL},
    {"load buffering", 2, {"r0 = R(x); F; W(y)", "r1 = R(y); F; W(x)"}, "r0 == 1 && r1 == 1", ACQ_REL},
    {"causality", 3, {"W(x)", "r0 = R(x); F; W(y)", "r1 = R(y); F; r2 = R(x)"},
     "r0 == 1 && r1 == 1 && r2 == 0", ACQ_REL},
    {"store buffering", 2, {"W(x); F; r0 = R(y)", "W(y); F; r1 = R(x)"}, "r0 == 0 && r1 == 0", SEQ_CST},
    {"independent reads", 4, {"W(x)", "W(y)", "r0 = R(x); F; r1 = R(y)", "r2 = R(y); F; r3 = R(x)"},
     "r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0", SEQ_CST},
    {"2+2W", 2, {"W(x); F; V(y)", "W(y); F; V(x)"}, "x_end == 1 && y_end == 1", SEQ_CST},
    {"RWC", 3, {"W(x)", "r0 = R(x); F; r1 = R(y)", "W(y); F; r2 = R(x)"},
     "r0 == 1 && r1 == 0 && r2 == 0", SEQ_CST},
};

#define STORE(order) "atomic_store_explicit(v, n, memory_order_" order ", SCOPE)"
#define LOAD(order) "atomic_load_explicit(v, memory_order_" order ", SCOPE)"
#define FENCE(order) "atomic_work_item_fence(MEMORY, memory_order_" order ", SCOPE)"
#define SWAP(order) "atomic_exchange_explicit(v, n, memory_order_" order ", SCOPE)"
#define ADD(order) "atomic_fetch_add_explicit(v, 0, memory_order_" order ", SCOPE)"

static const struct mode {
    const char *name;
    enum strength strength;
    const char *store, *load, *fence;
} modes[] = {
    {"relaxed", RELAXED, STORE("relaxed"), LOAD("relaxed"), ""},
    {"release, acquire", ACQ_REL, STORE("release"), LOAD("acquire"), ""},
    {"acq_rel exchange", ACQ_REL, SWAP("acq_rel"), ADD("acq_rel"), ""},
    {"acq_rel fence", ACQ_REL, STORE("relaxed"), LOAD("relaxed"), FENCE("acq_rel")},
    {"seq_cst", SEQ_CST, STORE("seq_cst"), LOAD("seq_cst"), ""},
    {"seq_cst exchange", SEQ_CST, SWAP("seq_cst"), ADD("seq_cst"), ""},
    {"seq_cst fence", SEQ_CST, STORE("relaxed"), LOAD("relaxed"), FENCE("seq_cst")},
};

/* Where the roles of an instance run, and where its variables lie. */
enum place { ACROSS, GROUP_GLOBAL, GROUP_LOCAL, PLACES };
static const char *const place_names[PLACES] = {"across groups", "in a group", "in a group, local"};

/* Across groups a role is a group's, and the groups of one block start each round together if they
   run at once. In a group a role is that of some sub-groups. x and y of an instance are far apart. */
static const char source[] =
    "kernel void judge(global const int4 *results, volatile global int *seen,\n"
    "                  global const int *ends) {\n"
    "    int i = get_global_id(0);\n"
    "    int4 r = results[i];\n"
    "    int r0 = r.x, r1 = r.y, r2 = r.z, r3 = r.w;\n"
    "    int x_end = ends[2 * i], y_end = ends[2 * i + 1];\n"
    "    if (FORBIDDEN) atomic_inc(seen);\n"
    "}\n"
    "#define x (&xs[at])\n"
    "#define y (&ys[(at * 37 + 11) % SPAN])\n"
    "#define W(v) w(v, 1)\n"
    "#define V(v) w(v, 2)\n"
    "#define R(v) r(v)\n"
    "#define LEN (ITEMS / PARTS)\n"
    "#define END(x, y) ends[2 * instance] = atomic_load_explicit(x, memory_order_relaxed), \\\n"
    "                  ends[2 * instance + 1] = atomic_load_explicit(y, memory_order_relaxed)\n"
    "void w(volatile SPACE atomic_int *v, int n) { STORE_; }\n"
    "int r(volatile SPACE atomic_int *v) { return LOAD_; }\n"
    "kernel void litmus(volatile global atomic_int *vars, global int4 *results,\n"
    "                   volatile global atomic_int *gates, global int *ends) {\n"
    "    uint lid = get_local_id(0), group = get_group_id(0);\n"
    "    uint role = ACROSS ? group % ROLES : lid / LEN;\n"
    "    uint block = ACROSS ? group / ROLES : group, lane = ACROSS ? lid : lid % LEN;\n"
    "    uint blocks = get_num_groups(0) / (ACROSS ? ROLES : 1);\n"
    "    LOCALS\n"
    "    for (uint round = 0; round < ROUNDS; round++) {\n"
    "        uint first = (round * blocks + block) * LEN, instance = first + lane;\n"
    "        VARIABLES\n"
    "        if (ACROSS && lid == 0) {\n"
    "            volatile global atomic_int *gate = &gates[round * blocks + block];\n"
    "            atomic_fetch_add_explicit(gate, 1, memory_order_relaxed);\n"
    "            for (int i = 0; i < 2000; i++)\n"
    "                if (atomic_load_explicit(gate, memory_order_relaxed) >= ROLES) break;\n"
    "        }\n"
    "        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "        int r0 = -1, r1 = -1, r2 = -1, r3 = -1;\n"
    "        if (role == 0) { ROLE0; }\n"
    "        if (role == 1) { ROLE1; }\n"
    "        if (role == 2) { ROLE2; }\n"
    "        if (role == 3) { ROLE3; }\n"
    "        global int *out = (global int *)&results[instance];\n"
    "        if (r0 >= 0) out[0] = r0;\n"
    "        if (r1 >= 0) out[1] = r1;\n"
    "        if (r2 >= 0) out[2] = r2;\n"
    "        if (r3 >= 0) out[3] = r3;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "        if (!ACROSS && role == 0) END(x, y);\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "}\n"
    /* Of roles in several groups the next launch knows what the variables hold. */
    "kernel void finish(volatile global atomic_int *vars, global int *ends) {\n"
    "#if ACROSS\n"
    "    uint blocks = get_global_size(0) / (LEN * ROUNDS), instance = get_global_id(0);\n"
    "    uint round = instance / (LEN * blocks), at = instance % (LEN * blocks);\n"
    "    volatile global atomic_int *xs = vars + round * 2 * SPAN, *ys = xs + SPAN;\n"
    "    END(x, y);\n"
    "#endif\n"
    "}\n";
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

/* How often, of `launches` launches, the forbidden was seen; `total` is out of how many. */
static long run(const struct test *t, const struct mode *m, enum place place, const char *scope,
                int launches, long *total) {
    static char text[16384];
    int across = place == ACROSS, local = place == GROUP_LOCAL;
    int parts = across ? 1 : MAX_ROLES, n = sizeof text;
    int at = snprintf(text, n, "#define ACROSS %d\n#define ROLES %d\n#define PARTS %d\n", across,
                      t->roles, parts);
    at += snprintf(text + at, n - at, "#define ITEMS %d\n#define ROUNDS %d\n#define SCOPE %s\n",
                   ITEMS, ROUNDS, scope);
    at += snprintf(text + at, n - at, "#define SPACE %s\n#define MEMORY CLK_%s_MEM_FENCE\n",
                   local ? "local" : "global", local ? "LOCAL" : "GLOBAL");
    at += snprintf(text + at, n - at, "#define STORE_ %s\n#define LOAD_ %s\n#define F %s\n",
                   m->store, m->load, *m->fence ? m->fence : "(void)0");
    at += snprintf(text + at, n - at, "#define FORBIDDEN %s\n", t->forbidden);
    for (int i = 0; i < MAX_ROLES; i++)
        at += snprintf(text + at, n - at, "#define ROLE%d %s\n", i, t->role[i] ? t->role[i] : "");
    if (local)
        at += snprintf(text + at, n - at,
                       "#define SPAN LEN\n#define LOCALS local atomic_int xs[LEN], ys[LEN];\n"
                       "#define VARIABLES uint at = lane; if (role == 0) { atomic_init(&xs[lane], 0);"
                       " atomic_init(&ys[lane], 0); }\n");
    else
        at += snprintf(text + at, n - at,
                       "#define SPAN (LEN * blocks)\n#define LOCALS\n"
                       "#define VARIABLES uint at = block * LEN + lane;"
                       " volatile global atomic_int *xs = vars + round * 2 * SPAN, *ys = xs + SPAN;\n");
    NEED(at + (int)sizeof source < n);
    memcpy(text + at, source, sizeof source);

    cl_int err;
    const char *strings[] = {text};
    cl_program program = clCreateProgramWithSource(context, 1, strings, NULL, &err);
    OK(err);
    if (clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL) != CL_SUCCESS) {
        static char log[8192];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        printf("%s, %s: %s", t->name, m->name, log);
        exit(1);
    }
    cl_kernel litmus = clCreateKernel(program, "litmus", &err);
    OK(err);
    cl_kernel judge = clCreateKernel(program, "judge", &err);
    OK(err);
    cl_kernel finish = clCreateKernel(program, "finish", &err);
    OK(err);
    size_t blocks = INSTANCES / (ITEMS / parts);
    size_t items = blocks * ITEMS * (across ? t->roles : 1), group = ITEMS;
    size_t results = (size_t)INSTANCES * ROUNDS, gates = blocks * ROUNDS;
    cl_mem vars = check_buffer(context, CL_MEM_READ_WRITE, results * 2 * sizeof(cl_int));
    cl_mem out = check_buffer(context, CL_MEM_READ_WRITE, results * 4 * sizeof(cl_int));
    cl_mem gate = check_buffer(context, CL_MEM_READ_WRITE, gates * sizeof(cl_int));
    cl_mem seen = check_buffer(context, CL_MEM_READ_WRITE, sizeof(cl_int));
    cl_mem ends = check_buffer(context, CL_MEM_READ_WRITE, results * 2 * sizeof(cl_int));
    cl_int zero = 0, unset = -1, count = 0;
    OK(clSetKernelArg(litmus, 0, sizeof vars, &vars));
    OK(clSetKernelArg(litmus, 1, sizeof out, &out));
    OK(clSetKernelArg(litmus, 2, sizeof gate, &gate));
    OK(clSetKernelArg(litmus, 3, sizeof ends, &ends));
    OK(clSetKernelArg(finish, 0, sizeof vars, &vars));
    OK(clSetKernelArg(finish, 1, sizeof ends, &ends));
    OK(clSetKernelArg(judge, 2, sizeof ends, &ends));
    OK(clSetKernelArg(judge, 0, sizeof out, &out));
    OK(clSetKernelArg(judge, 1, sizeof seen, &seen));
    size_t size = sizeof zero;
    OK(clEnqueueFillBuffer(queue, seen, &zero, size, 0, size, 0, NULL, NULL));
    for (int i = 0; i < launches; i++) {
        OK(clEnqueueFillBuffer(queue, vars, &zero, size, 0, results * 2 * size, 0, NULL, NULL));
        OK(clEnqueueFillBuffer(queue, out, &unset, size, 0, results * 4 * size, 0, NULL, NULL));
        OK(clEnqueueFillBuffer(queue, gate, &zero, size, 0, gates * size, 0, NULL, NULL));
        OK(clEnqueueNDRangeKernel(queue, litmus, 1, NULL, &items, &group, 0, NULL, NULL));
        OK(clEnqueueNDRangeKernel(queue, finish, 1, NULL, &results, NULL, 0, NULL, NULL));
        OK(clEnqueueNDRangeKernel(queue, judge, 1, NULL, &results, NULL, 0, NULL, NULL));
    }
    OK(clEnqueueReadBuffer(queue, seen, CL_TRUE, 0, sizeof count, &count, 0, NULL, NULL));
    *total = (long)launches * results;
    OK(clReleaseMemObject(vars));
    OK(clReleaseMemObject(out));
    OK(clReleaseMemObject(gate));
    OK(clReleaseMemObject(seen));
    OK(clReleaseMemObject(ends));
    OK(clReleaseKernel(litmus));
    OK(clReleaseKernel(judge));
    OK(clReleaseKernel(finish));
    OK(clReleaseProgram(program));
    return count;
}

static const char turns[] =
    "kernel void turns(global int *out) {\n"
    "    local atomic_int turn;\n"
    "    int own = get_num_sub_groups() - 1 - get_sub_group_id(), all = get_num_sub_groups();\n"
    "    if (get_local_id(0) == 0) atomic_init(&turn, 0);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_sub_group_local_id() == 0)\n"
    "        for (int round = 0; round < 1000; round++) {\n"
    "            while (atomic_load_explicit(&turn, memory_order_relaxed, memory_scope_work_group) != round * all + own);\n"
    "            atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed, memory_scope_work_group);\n"
    "        }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_local_id(0) == 0) *out = atomic_load_explicit(&turn, memory_order_relaxed, memory_scope_work_group) / all;\n"
    "}\n";

/* Sub-groups that wait for one another in turn, the last one first, where each goes on whatever the others do; elsewhere there is one. */
static void progress(void) {
    cl_uint most;
    cl_bool independent;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, sizeof independent, &independent, NULL));
    if (!most)
        return;
    size_t items = independent ? ITEMS : 1;
    cl_int rounds = 0, err;
    const char *text = turns;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    OK(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "turns", &err);
    cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof rounds, NULL, &err);
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof rounds, &rounds, 0, NULL, NULL));
    EXPECT(1000, rounds);
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

int main(int argc, char **argv) {
    int report = argc > 1, launches = report ? atoi(argv[1]) : 2;
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    cl_device_atomic_capabilities atomics, fences;
    OK(clGetDeviceInfo(device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof atomics, &atomics, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, sizeof fences, &fences, NULL));
    const cl_device_atomic_capabilities orders[] = {CL_DEVICE_ATOMIC_ORDER_RELAXED,
        CL_DEVICE_ATOMIC_ORDER_ACQ_REL, CL_DEVICE_ATOMIC_ORDER_SEQ_CST};
    static const char *const scopes[] = {"memory_scope_work_group", "memory_scope_device"};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        for (size_t j = 0; j < sizeof modes / sizeof *modes; j++)
            for (int place = 0; place < PLACES; place++)
                for (int wide = place == ACROSS; wide <= (place != GROUP_LOCAL); wide++) {
                    const struct test *t = &tests[i];
                    const struct mode *m = &modes[j];
                    cl_device_atomic_capabilities has = *m->fence ? fences : atomics;
                    int claimed = (has & orders[m->strength]) != 0
                                  && (!wide || (atomics & fences & CL_DEVICE_ATOMIC_SCOPE_DEVICE));
                    int forbidden = m->strength >= t->by;
                    if (!claimed || (!forbidden && !report))
                        continue;
                    long total, seen = run(t, m, place, scopes[wide], launches, &total);
                    int wrong = forbidden && seen > 0;
                    check_failures += wrong;
                    if (report || wrong)
                        printf("%-18s %-17s %-18s %-24s %-9s %ld of %ld%s\n", t->name, m->name,
                               place_names[place], scopes[wide], forbidden ? "forbidden" : "allowed",
                               seen, total, wrong ? "  WRONG" : "");
                }
    progress();
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
