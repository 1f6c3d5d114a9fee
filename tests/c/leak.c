/* Each deed many times over: memory in use does not grow. With an argument, that many rounds, and a line
   for each deed. */
#include "deeds.h"
#include <malloc.h>
#include <unistd.h>

/* Bytes that malloc has given out. */
static long in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* Bytes of the process that are in memory. */
static long resident(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    NEED(file && fscanf(file, "%*d %ld", &pages) == 1 && !fclose(file));
    return pages * sysconf(_SC_PAGESIZE);
}

/* By how much the memory in use grows. */
static void measure(int i, int rounds, unsigned *random, long *growth, long *resident_growth) {
    long before = in_use(), resident_before = resident();
    for (int k = 0; k < rounds; k++) deeds[i].run(random);
    for (int q = 0; q < QUEUES; q++) OK(clFinish(queues[q]));
    *growth = in_use() - before;
    *resident_growth = resident() - resident_before;
}

int main(int argc, char **argv) {
    begin();
    int rounds = argc > 1 ? atoi(argv[1]) : 120;
    unsigned random = 1;
    for (int i = 0; i < DEEDS; i++) {
        long growth, resident_growth;
        /* Pools and caches fill first. */
        measure(i, rounds, &random, &growth, &resident_growth);
        /* Less than a pointer a round, and what lists that double may take. Threads may free a little later: what leaks grows each time. */
        int grows = 1;
        for (int k = 0; k < 5 && grows; k++) {
            measure(i, rounds, &random, &growth, &resident_growth);
            grows = growth > rounds * 8L + (64 << 10) || resident_growth > (8 << 20);
        }
        if (grows || argc > 1) {
            fprintf(argc > 1 ? stderr : stdout, "%s: %ld bytes more after %d rounds, %ld resident\n",
                    deeds[i].name, growth, rounds, resident_growth);
            check_failures += grows;
        }
    }
    end();
    END;
}
