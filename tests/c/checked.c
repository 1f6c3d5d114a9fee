/* Kernels with and without errors for tests/check.rs, and a way to end:
     checked WORK END
   WORK: wrong     a store behind the end of an argument
         right     the same within it
         freed     a store to freed memory that has an address
         access    a store to a buffer that kernels only read, a load of one that they only write
     END: return, exit (_exit), abort, kill (SIGKILL), crash (SIGSEGV)
     checked write FILE    writes the binary of a program that makes errors
     checked read FILE     runs it; exit code 7 if it is refused */
#include "programs.h"

#include <signal.h>
#include <unistd.h>

static const char *bodies =
    "kernel void wrong(global int *a, int n)\n"
    "{ if (n > 0) a[n] = get_global_id(0); }\n"
    "kernel void copy(global int *to, global const int *from) { *to = *from; }\n"
    "kernel void follow(global int *global *list) { *list[0] = 1; }\n";

static void launch(cl_program program, const char *name, int count, cl_mem *buffers, int n) {
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, name, &err);
    OK(err);
    for (int i = 0; i < count; i++)
        OK(clSetKernelArg(kernel, i, sizeof buffers[i], buffers[i] ? &buffers[i] : NULL));
    if (count == 1 && n >= 0)
        OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    size_t one = 1;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
}

static void freed(cl_program program) {
    cl_int err;
    int **list = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof *list, 0);
    int *memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 400, 0);
    NEED(list && memory);
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, list, sizeof *list, 0, NULL, NULL));
    *list = memory;
    OK(clEnqueueSVMUnmap(queue, list, 0, NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "follow", &err);
    OK(err);
    OK(clSetKernelArgSVMPointer(kernel, 0, list));
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof memory, &memory));
    size_t one = 1;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    clSVMFree(context, memory);
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof list, &list));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    clSVMFree(context, list);
    OK(clReleaseKernel(kernel));
}

static void binary(const char *work, const char *path) {
    static unsigned char bytes[1 << 20];
    const unsigned char *from = bytes;
    unsigned char *to = bytes;
    size_t size;
    if (strcmp(work, "write") == 0) {
        cl_program program = built(bodies, "-cl-std=CL3.0");
        OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
        NEED(size <= sizeof bytes);
        OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, NULL));
        FILE *file = fopen(path, "wb");
        NEED(file && fwrite(bytes, 1, size, file) == size);
        fclose(file);
        return;
    }
    FILE *file = fopen(path, "rb");
    NEED(file);
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    cl_int status, err;
    cl_program program =
        clCreateProgramWithBinary(context, 1, &device, &size, &from, &status, &err);
    if (err == CL_INVALID_BINARY)
        exit(7);
    OK(err);
    OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
    cl_mem buffer = check_buffer(context, 0, 64);
    launch(program, "wrong", 1, &buffer, 16);
}

int main(int argc, char **argv) {
    NEED(argc == 3);
    begin();
    const char *work = argv[1], *how = argv[2];
    if (strcmp(work, "write") == 0 || strcmp(work, "read") == 0) {
        binary(work, how);
        return check_failures;
    }
    cl_program program = built(bodies, "-cl-std=CL3.0");
    cl_mem buffer = check_buffer(context, 0, 64);
    if (strcmp(work, "freed") == 0) {
        freed(program);
    } else if (strcmp(work, "access") == 0) {
        cl_mem pairs[][2] = {
            {check_buffer(context, CL_MEM_READ_ONLY, 64), buffer},
            {buffer, check_buffer(context, CL_MEM_WRITE_ONLY, 64)},
        };
        for (int i = 0; i < 2; i++) {
            program = built(bodies, "-cl-std=CL3.0");
            launch(program, "copy", 2, pairs[i], -1);
        }
    } else {
        launch(program, "wrong", 1, &buffer, strcmp(work, "wrong") == 0 ? 16 : 15);
    }
    NEED(check_failures == 0);
    if (strcmp(how, "exit") == 0)
        _exit(5);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "crash") == 0)
        *(volatile int *)argv[argc] = 0;
    return 0;
}
