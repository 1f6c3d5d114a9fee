/* Atomics that the host and kernels do in the same memory at the same time, where CL_DEVICE_SVM_ATOMICS says that they can; else they
   are refused. */
#include "check.h"
#include <stdatomic.h>
#include <time.h>

enum { ITEMS = 16, COUNT = 20000, TURNS = 500 };

static const char *source =
    "#define ALL memory_scope_all_svm_devices\n"
    "#define ARGS global atomic_int *flag, global atomic_int *sum, global int *data\n"
    "kernel void relaxed(ARGS) {\n"
    "  while (!atomic_load_explicit(flag, memory_order_relaxed, ALL)) ;\n"
    "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, ALL);\n"
    "  atomic_fetch_add_explicit(sum, *data, memory_order_relaxed, ALL);\n"
    "}\n"
    "kernel void acquired(ARGS) {\n"
    "  while (!atomic_load_explicit(flag, memory_order_acquire, ALL)) ;\n"
    "  atomic_fetch_add_explicit(sum, *data, memory_order_relaxed, ALL);\n"
    "}\n"
    "kernel void count(ARGS) {\n"
    "  for (int i = 0; i < 20000; i++) atomic_fetch_add_explicit(sum, 1, memory_order_relaxed, ALL);\n"
    "}\n"
    "kernel void exchange(ARGS) {\n"
    "  for (int i = 0; i < 20000; i++) {\n"
    "    int old = atomic_load_explicit(sum, memory_order_relaxed, ALL);\n"
    "    while (!atomic_compare_exchange_weak_explicit(sum, &old, old + 3, memory_order_acq_rel, memory_order_relaxed, ALL)) ;\n"
    "  }\n"
    "}\n"
    "kernel void turns(ARGS) {\n"
    "  for (int i = 0; i < 500; i++) {\n"
    "    while (atomic_load_explicit(flag, memory_order_acquire, ALL) != 2 * i + 1) ;\n"
    "    *data += 1;\n"
    "    atomic_store_explicit(flag, 2 * i + 2, memory_order_release, ALL);\n"
    "  }\n"
    "}\n"
    /* Store buffering: of the two, one sees the other's. */
    "kernel void buffering(ARGS) {\n"
    "  for (int i = 1; i <= 500; i++) {\n"
    "    while (atomic_load_explicit(flag, memory_order_acquire, ALL) != i) ;\n"
    "    atomic_store(sum, i);\n"
    "    data[2 * i] = atomic_load(sum + 32);\n"
    "    atomic_fetch_add_explicit(flag + 32, 1, memory_order_release, ALL);\n"
    "  }\n"
    "}\n";

static void sleep_ms(int ms) {
    struct timespec time = {0, ms * 1000000};
    nanosleep(&time, NULL);
}

static void wait_for(atomic_int *flag, int value) {
    while (atomic_load_explicit(flag, memory_order_acquire) != value) ;
}

int main(void) {
    cl_int err;
    cl_device_id device = check_device();
    cl_context context = check_context(device);
    cl_command_queue queue = check_queue(context, device);
    cl_device_svm_capabilities svm = 0;
    cl_device_atomic_capabilities atomics = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof atomics, &atomics, NULL));
    const cl_svm_mem_flags fine = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER;
    int *memory = clSVMAlloc(context, fine | CL_MEM_SVM_ATOMICS, 16384, 0);
    TRUE(!memory == !(svm & CL_DEVICE_SVM_ATOMICS));
    TRUE(!clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_ATOMICS, 16384, 0));
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    err = clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL);
    EXPECT(atomics & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE, err);
    if (memory) TRUE(svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER && atomics & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES);
    const char *names[] = {"relaxed", "acquired", "count", "exchange", "turns", "buffering"};
    for (int k = 0; k < 6 && memory && !err; k++) {
        memset(memory, 0, 16384);
        atomic_int *flag = (atomic_int *)memory, *sum = flag + 128;
        int *data = memory + 1024, seen[TURNS + 1];
        cl_kernel kernel = clCreateKernel(program, names[k], &err);
        OK(err);
        OK(clSetKernelArgSVMPointer(kernel, 0, flag));
        OK(clSetKernelArgSVMPointer(kernel, 1, sum));
        OK(clSetKernelArgSVMPointer(kernel, 2, data));
        size_t size = k < 4 ? ITEMS : 1;
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
        OK(clFlush(queue));
        switch (k) {
        case 0:
        case 1:
            sleep_ms(50);
            *data = 7;
            atomic_store_explicit(flag, 1, memory_order_release);
            break;
        case 2:
            for (int i = 0; i < COUNT; i++) atomic_fetch_add_explicit(sum, 1, memory_order_relaxed);
            break;
        case 3:
            for (int i = 0; i < COUNT; i++) {
                int old = atomic_load_explicit(sum, memory_order_relaxed);
                while (!atomic_compare_exchange_weak(sum, &old, old + 5)) ;
            }
            break;
        case 4:
            for (int i = 0; i < TURNS; i++) {
                *data += 1000;
                atomic_store_explicit(flag, 2 * i + 1, memory_order_release);
                wait_for(flag, 2 * i + 2);
            }
            break;
        case 5:
            for (int i = 1; i <= TURNS; i++) {
                atomic_store_explicit(flag, i, memory_order_release);
                atomic_store(sum + 32, i);
                seen[i] = atomic_load(sum);
                wait_for(flag + 32, i);
                TRUE(seen[i] == i || data[2 * i] == i);
            }
            break;
        }
        OK(clFinish(queue));
        const int sums[] = {7 * ITEMS, 7 * ITEMS, (ITEMS + 1) * COUNT, (3 * ITEMS + 5) * COUNT, 0, TURNS};
        EXPECT(sums[k], atomic_load(sum));
        if (k == 4) EXPECT(1001 * TURNS, *data);
        OK(clReleaseKernel(kernel));
    }
    clSVMFree(context, memory);
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
