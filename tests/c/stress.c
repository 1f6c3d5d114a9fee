/* Sixteen threads do everything at once with objects that they share, for as many seconds as the
   argument says (2 without one). */
#include "deeds.h"
#include <time.h>

enum { THREADS = 16 };

static double until;
static unsigned done[DEEDS];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void *work(void *argument) {
    unsigned random = 1 + (unsigned)(long)argument;
    while (now() < until && !check_failures) {
        int i = next(&random, DEEDS);
        deeds[i].run(&random);
        __atomic_add_fetch(&done[i], 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

int main(int argc, char **argv) {
    begin();
    until = now() + (argc > 1 ? atof(argv[1]) : 2);
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    end();
    if (argc > 1)
        for (int i = 0; i < DEEDS; i++) fprintf(stderr, "%s %u\n", deeds[i].name, done[i]);
    END;
}
