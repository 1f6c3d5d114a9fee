/* Commands with pauses, until the clock of a device that lowers it has been boosted once (src/runtime/gpu/boost.rs), which the log says. */
#include "check.h"
#include <time.h>
#include <unistd.h>

enum { BYTES = 256 };

int main(void) {
    cl_device_id device = check_device();
    cl_context context = check_context(device);
    cl_command_queue queue = check_queue(context, device);
    cl_mem buffer = check_buffer(context, 0, BYTES);
    const time_t start = time(NULL);
    while (time(NULL) < start + 4) {
        cl_uint value = 7, got = 0;
        OK(clEnqueueFillBuffer(queue, buffer, &value, sizeof value, 0, BYTES, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, BYTES - sizeof got, sizeof got, &got, 0, NULL, NULL));
        EXPECT(value, got);
        usleep(20000);
    }
    END;
}
