/* Objects of C++ at program scope: constructed before the first kernel, once for each device; destroyed when the program's last
   reference and its last command have gone. What destructors write is seen in shared virtual memory. */
#include "check.h"

static cl_device_id device;
static cl_context context;
static cl_command_queue queue, other;

static const char *SOURCE =
    "global int *kept;\n"
    "int built;\n"
    "int next() { return ++built; }\n"
    "struct Counted {\n"
    "    Counted(int what) : what(what), number(next()) {}\n"
    "    ~Counted() { if (kept) kept[kept[0]++] = what; }\n"
    "    int what, number;\n"
    "};\n"
    "Counted first(100), second(200);\n"
    "kernel void read(global int *out) { out[0] = built; out[1] = first.number; out[2] = second.number; }\n"
    "kernel void keep(global int *place) { kept = place; place[0] = 1; }\n";

static cl_program from_source(const char *source) {
    cl_int err;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(program && err == CL_SUCCESS);
    return program;
}

static cl_program built(const char *source) {
    cl_program program = from_source(source);
    check_built(program, device, clBuildProgram(program, 0, NULL, "-cl-std=CLC++2021", NULL, NULL));
    return program;
}

static void launch(cl_command_queue to, cl_kernel kernel, cl_event wait) {
    size_t one = 1;
    OK(clEnqueueNDRangeKernel(to, kernel, 1, NULL, &one, NULL, wait ? 1 : 0, wait ? &wait : NULL, NULL));
}

/* What `read` gives through a queue. */
static void expect_read(cl_command_queue to, cl_kernel read) {
    cl_mem out = check_buffer(context, 0, 3 * sizeof(cl_int));
    cl_int got[3] = {0};
    OK(clSetKernelArg(read, 0, sizeof out, &out));
    launch(to, read, NULL);
    OK(clEnqueueReadBuffer(to, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    EXPECT(2, got[0]);
    EXPECT(1, got[1]);
    EXPECT(2, got[2]);
    OK(clReleaseMemObject(out));
}

static cl_int *shared(void) {
    cl_int *place = clSVMAlloc(context, CL_MEM_READ_WRITE, 16 * sizeof(cl_int), 0);
    NEED(place);
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, place, 16 * sizeof(cl_int), 0, NULL, NULL));
    memset(place, 0, 16 * sizeof(cl_int));
    OK(clEnqueueSVMUnmap(queue, place, 0, NULL, NULL));
    OK(clFinish(queue));
    return place;
}

/* The destructors' numbers, the last object first; none if there are to be none yet. */
static void expect_ended(cl_int *place, int ended) {
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, place, 16 * sizeof(cl_int), 0, NULL, NULL));
    EXPECT(ended ? 3 : 1, place[0]);
    EXPECT(ended ? 200 : 0, place[1]);
    EXPECT(ended ? 100 : 0, place[2]);
    OK(clEnqueueSVMUnmap(queue, place, 0, NULL, NULL));
    OK(clFinish(queue));
}

static void queries(cl_program program) {
    char names[64];
    size_t count;
    cl_bool is;
    OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
    TRUE(!strcmp(names, "read;keep"));
    OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    EXPECT(2, count);
    OK(clGetProgramInfo(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, sizeof is, &is, NULL));
    EXPECT(CL_TRUE, is);
    OK(clGetProgramInfo(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, sizeof is, &is, NULL));
    EXPECT(CL_TRUE, is);
    cl_kernel kernels[3];
    cl_uint made;
    OK(clCreateKernelsInProgram(program, 3, kernels, &made));
    EXPECT(2, made);
    for (cl_uint i = 0; i < made; i++) OK(clReleaseKernel(kernels[i]));
}

static void without(void) {
    cl_bool is;
    cl_program plain = built("int a = 3; kernel void k(global int *p) { *p = a; }");
    OK(clGetProgramInfo(plain, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, sizeof is, &is, NULL));
    EXPECT(CL_FALSE, is);
    OK(clGetProgramInfo(plain, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, sizeof is, &is, NULL));
    EXPECT(CL_FALSE, is);
    OK(clReleaseProgram(plain));
}

/* Two queues, of which the first is held by an event of the user: the second does not wait for it. */
static void two_queues(void) {
    cl_int err;
    cl_program program = built(SOURCE);
    queries(program);
    cl_kernel read = check_kernel(program, "", "read"), again = check_kernel(program, "", "read");
    cl_event gate = clCreateUserEvent(context, &err);
    NEED(gate);
    cl_mem out = check_buffer(context, 0, 3 * sizeof(cl_int));
    OK(clSetKernelArg(again, 0, sizeof out, &out));
    launch(queue, again, gate);
    expect_read(other, read);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    cl_int got[3] = {0};
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    EXPECT(2, got[0]);
    expect_read(queue, read);
    OK(clReleaseEvent(gate));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(read));
    OK(clReleaseKernel(again));
    OK(clReleaseProgram(program));
}

static void *order[2];
static int called;

static void CL_CALLBACK released(cl_program program, void *data) {
    (void)program;
    if (called < 2) order[called] = data;
    called++;
}

/* The end: by the release, or by the last command. */
static void ends(int held) {
    cl_int err;
    cl_program program = built(SOURCE);
    cl_kernel keep = check_kernel(program, "", "keep");
    cl_event gate = clCreateUserEvent(context, &err);
    cl_int *place = shared();
    called = 0;
    EXPECT(CL_INVALID_VALUE, clSetProgramReleaseCallback(program, NULL, NULL));
    OK(clSetProgramReleaseCallback(program, released, &called));
    OK(clSetProgramReleaseCallback(program, released, &order));
    OK(clSetKernelArgSVMPointer(keep, 0, place));
    launch(queue, keep, gate);
    if (!held) {
        OK(clSetUserEventStatus(gate, CL_COMPLETE));
        OK(clFinish(queue));
        OK(clReleaseKernel(keep));
        expect_ended(place, 0);
    } else {
        OK(clReleaseKernel(keep));
    }
    EXPECT(0, called);
    OK(clReleaseProgram(program));
    if (held) {
        EXPECT(0, called);
        OK(clSetUserEventStatus(gate, CL_COMPLETE));
        OK(clFinish(queue));
    }
    EXPECT(2, called);
    TRUE(order[0] == &order && order[1] == &called);
    expect_ended(place, 1);
    OK(clReleaseEvent(gate));
    clSVMFree(context, place);
}

static void binaries(void) {
    cl_program program = built(SOURCE);
    size_t size;
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = malloc(size);
    NEED(bytes);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    cl_int status, err;
    const unsigned char *binary = bytes;
    cl_program copy = clCreateProgramWithBinary(context, 1, &device, &size, &binary, &status, &err);
    NEED(copy && err == CL_SUCCESS);
    OK(clBuildProgram(copy, 0, NULL, "", NULL, NULL));
    queries(copy);
    for (int i = 0; i < 2; i++) {
        cl_kernel read = check_kernel(i ? copy : program, "", "read");
        expect_read(queue, read);
        OK(clReleaseKernel(read));
    }
    free(bytes);
    OK(clReleaseProgram(copy));
    OK(clReleaseProgram(program));
}

/* What several units share is one object, begun by the first and ended by it; else units begin in their order and end backwards. */
static const char *HEADER =
    "extern global int *kept;\n"
    "extern int built;\n"
    "inline int next() { return ++built; }\n"
    "struct Counted {\n"
    "    Counted(int what) : what(what), number(next()) {}\n"
    "    ~Counted() { if (kept) kept[kept[0]++] = what; }\n"
    "    int what, number;\n"
    "};\n"
    "inline Counted common(1);\n"
    "template <int N> struct Holder { static inline Counted member{N}; };\n"
    "namespace one { struct Tag { static constexpr int what = 6; }; }\n"
    "namespace two { struct Tag { static constexpr int what = 7; }; }\n"
    "template <class T> Counted tagged{T::what};\n";

static void linked(void) {
    static const char *const PARTS[2] = {
        "#include \"counted.h\"\n"
        "global int *kept;\n"
        "int built;\n"
        "Counted a(2);\n"
        "kernel void keep(global int *place) { kept = place; place[0] = 1; place[8] = built + Holder<3>::member.number * 10; }\n",
        "#include \"counted.h\"\n"
        "Counted b(4);\n"
        "kernel void look(global int *place) {\n"
        "    place[9] = common.number + 10 * b.number + 100 * Holder<3>::member.number;\n"
        "    place[10] = tagged<one::Tag>.what * 10 + tagged<two::Tag>.what;\n"
        "}\n",
    };
    static const cl_int ENDS[7] = {7, 7, 6, 4, 3, 2, 1};
    cl_int err;
    cl_program header = from_source(HEADER), parts[2];
    const char *name = "counted.h";
    for (int i = 0; i < 2; i++) {
        parts[i] = from_source(PARTS[i]);
        check_built(parts[i], device, clCompileProgram(parts[i], 0, NULL, "-cl-std=CLC++2021", 1, &header, &name, NULL, NULL));
    }
    cl_program program = clLinkProgram(context, 0, NULL, "", 2, parts, NULL, NULL, &err);
    NEED(program);
    check_built(program, device, err);
    cl_kernel keep = check_kernel(program, "", "keep"), look = check_kernel(program, "", "look");
    cl_int *place = shared();
    OK(clSetKernelArgSVMPointer(keep, 0, place));
    OK(clSetKernelArgSVMPointer(look, 0, place));
    launch(queue, keep, NULL);
    launch(queue, look, NULL);
    OK(clReleaseKernel(keep));
    OK(clReleaseKernel(look));
    OK(clReleaseProgram(program));
    OK(clFinish(queue));
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, place, 16 * sizeof(cl_int), 0, NULL, NULL));
    /* common 1, a 2, Holder 3, b 4, and two that differ by a namespace. */
    EXPECT(6 + 3 * 10, place[8]);
    EXPECT(1 + 10 * 4 + 100 * 3, place[9]);
    EXPECT(67, place[10]);
    for (int i = 0; i < 7; i++) EXPECT(ENDS[i], place[i]);
    OK(clEnqueueSVMUnmap(queue, place, 0, NULL, NULL));
    OK(clFinish(queue));
    clSVMFree(context, place);
    for (int i = 0; i < 2; i++) OK(clReleaseProgram(parts[i]));
    OK(clReleaseProgram(header));
}

int main(void) {
    cl_device_svm_capabilities svm = 0;
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    other = check_queue(context, device);
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    without();
    two_queues();
    two_queues();
    binaries();
    if (svm) {
        ends(0);
        ends(1);
        linked();
    }
    OK(clReleaseCommandQueue(other));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
