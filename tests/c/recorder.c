/* An OpenCL library in front of Caldera's, which it is linked with: writes each program that is built to the folder
   RECORDER_FOLDER, N.cl for its source and N.options. Kernels do not run. For applications that open an OpenCL library of a given name. */
#define _GNU_SOURCE
#include <CL/cl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next;
/* Sources of programs, newest first: handles may be given again. */
static struct source {
    cl_program program;
    char *text;
    struct source *older;
} *sources;

static void *real(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) fprintf(stderr, "recorder: no %s\n", name), abort();
    return function;
}

static void write_file(int number, const char *ending, const char *text) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%04d.%s", getenv("RECORDER_FOLDER"), number, ending);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file)) perror(path), abort();
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings, const size_t *lengths, cl_int *err) {
    cl_program (*create)(cl_context, cl_uint, const char **, const size_t *, cl_int *) = real("clCreateProgramWithSource");
    cl_program program = create(context, count, strings, lengths, err);
    if (!program) return program;
    size_t size = 1;
    for (cl_uint i = 0; i < count; i++) size += lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
    char *text = calloc(size, 1);
    for (cl_uint i = 0; i < count; i++)
        strncat(text, strings[i], lengths && lengths[i] ? lengths[i] : strlen(strings[i]));
    struct source *source = malloc(sizeof *source);
    pthread_mutex_lock(&lock);
    *source = (struct source){program, text, sources};
    sources = source;
    pthread_mutex_unlock(&lock);
    return program;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                      void(CL_CALLBACK *then)(cl_program, void *), void *data) {
    cl_int (*build)(cl_program, cl_uint, const cl_device_id *, const char *, void(CL_CALLBACK *)(cl_program, void *), void *) =
        real("clBuildProgram");
    pthread_mutex_lock(&lock);
    struct source *source = sources;
    while (source && source->program != program) source = source->older;
    if (source) {
        write_file(next, "cl", source->text);
        write_file(next++, "options", options ? options : "");
    }
    pthread_mutex_unlock(&lock);
    return build(program, count, devices, options, then, data);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
                              const size_t *local, cl_uint count, const cl_event *events, cl_event *event) {
    (void)kernel, (void)dimensions, (void)offset, (void)global, (void)local;
    cl_int (*mark)(cl_command_queue, cl_uint, const cl_event *, cl_event *) = real("clEnqueueMarkerWithWaitList");
    return mark(queue, count, events, event);
}
