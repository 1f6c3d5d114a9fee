/* Ends the program with a message if a call fails. */
#define OK(call)                                                             \
    do {                                                                     \
        cl_int e_ = (call);                                                  \
        if (e_ != CL_SUCCESS) {                                              \
            fprintf(stderr, "%s:%d: %s: error %d\n", __FILE__, __LINE__, #call, e_); \
            exit(1);                                                         \
        }                                                                    \
    } while (0)
