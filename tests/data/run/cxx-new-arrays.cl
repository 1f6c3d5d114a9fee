// options: -cl-std=CLC++2021
// run: kernel=lists global=1 arg=zeros:i32:27 arg=i32:4
// expect: 0 i32:1,2,3,0,5,5,6,0,0,1,2,3,4,0,0,104,105,9,9,78,9,9,10000,4,103,1,102009
// run: kernel=cookies global=1 arg=zeros:i32:28 arg=i32:3
// expect: 0 i32:56,8,3,-12,-11,-10,5,72,4,-23,-22,-21,-20,8,20,14,16,2,48,8,5,0,0,0,0,0,0,21
// run: kernel=limited global=1 arg=zeros:i32:8
// expect: 0 i32:3,3,28,1,3,1,1,4

// Arrays from `new`: initial values, and the number of elements before the first one, from which
// `delete[]` knows what to destroy (Itanium C++ ABI, 2.7).
void *operator new[](size_t size, void *at) { return at; }

struct Pair {
    int a, b;
};
struct Made {
    int value;
    Made() : value(9) {}
    Made(int value) : value(value + 100) {}
};

kernel void lists(global int *out, int n)
{
    alignas(16) uchar bytes[128];
    int *known = new (bytes) int[4]{1, 2, 3};
    for (int i = 0; i < 4; i++)
        out[i] = known[i];
    // Evaluated once.
    int count = n;
    int *some = new (bytes) int[count++]{5, 6};
    out[4] = count;
    for (int i = 0; i < n; i++)
        out[5 + i] = some[i];
    // Braces may be left out within a list.
    Pair *pairs = new (bytes) Pair[n - 1]{1, 2, 3, 4};
    for (int i = 0; i < 3; i++)
        out[9 + i * 2] = pairs[i].a, out[10 + i * 2] = pairs[i].b;
    Made *made = new (bytes) Made[n]{4, Made(5)};
    for (int i = 0; i < n; i++)
        out[15 + i] = made[i].value;
    int(*rows)[2] = new (bytes) int[n][2]{{7, 8}};
    out[19] = rows[0][0] * 10 + rows[0][1] + rows[1][0] + rows[3][1];
    Made *plain = new (bytes) Made[n];
    out[20] = plain[0].value;
    out[21] = plain[n - 1].value;
    char *text = new (bytes) char[6]{"abcd"};
    out[22] = text[3] * 100 + text[4] + text[5];
    int *counted = new (bytes) int[]{1, 2, 3, 4};
    out[23] = counted[3];
    auto more = new (bytes) Made[]{1, 2, 3};
    out[24] = more[2].value;
    // Nothing ends, and nothing needs the number.
    out[25] = (uchar *)(new (bytes) Pair[1]{{3, 4}}) == bytes;
    Made(*squares)[2] = new (bytes) Made[n - 2][2]{{Made(1), Made(2)}};
    out[26] = squares[0][1].value * 1000 + squares[1][1].value;
}

struct Log {
    int *out;
    int at;
    void add(int x) { out[at++] = x; }
};
// Destroyed: the number lies before the elements.
struct Ends {
    Log *log;
    int value;
    Ends() {}
    ~Ends() { log->add(-value); }
    void *operator new[](size_t size, uchar *at, Log &log)
    {
        log.add(size);
        return at;
    }
    void operator delete[](void *p) { *(int *)((uchar *)p + 120) = 5; }
};
// The function wants the size.
struct Sized {
    short value;
    void *operator new[](size_t size, uchar *at) { return at; }
    void operator delete[](void *p, size_t size) { *(int *)((uchar *)p + 120) = size; }
};
struct Aligned {
    float4 value;
    ~Aligned() {}
    void *operator new[](size_t size, uchar *at) { return at; }
    void operator delete[](void *p, size_t size) { *(int *)((uchar *)p + 120) = size; }
};

kernel void cookies(global int *out, int n)
{
    alignas(16) uchar bytes[128];
    int list[28] = {};
    Log log = {list, 0};
    Ends *ends = new (bytes, log) Ends[n];
    for (int i = 0; i < n; i++)
        ends[i].log = &log, ends[i].value = 10 + i;
    log.add((uchar *)ends - bytes);
    log.add(*(ulong *)bytes);
    delete[] ends;
    log.add(*(int *)(bytes + 120));
    Ends(*rows)[2] = new (bytes, log) Ends[2][2];
    for (int i = 0; i < 4; i++)
        rows[i / 2][i % 2].log = &log, rows[i / 2][i % 2].value = 20 + i;
    log.add(*(ulong *)bytes);
    delete[] rows;
    Sized *sized = new (bytes) Sized[n]{{1}, {2}};
    log.add((uchar *)sized - bytes);
    log.add(sized[1].value * 10 + sized[2].value);
    delete[] sized;
    log.add(*(int *)(bytes + 120));
    Aligned *aligned = new (bytes) Aligned[2];
    log.add((uchar *)aligned - bytes);
    log.add(*(ulong *)(bytes + 8));
    delete[] aligned;
    log.add(*(int *)(bytes + 120));
    Ends *none = nullptr;
    delete[] none;
    Ends *empty = new (bytes, log) Ends[n - 3];
    delete[] empty;
    log.add(*(int *)(bytes + 120));
    for (int i = 0; i < log.at; i++)
        out[i] = list[i];
    out[27] = log.at;
}

// A function that cannot throw says by a null pointer that there is no memory.
struct Pool {
    uchar bytes[32];
    int used = 0;
    void *take(size_t size)
    {
        if (used + size > sizeof(bytes))
            return nullptr;
        used += size;
        return bytes + used - size;
    }
};
struct Limited {
    int value = 3;
    ~Limited() { value = 0; }
    void *operator new(size_t size, Pool &pool) noexcept { return pool.take(size); }
    void *operator new[](size_t size, Pool &pool) throw() { return pool.take(size); }
    void operator delete(void *p) {}
    void operator delete[](void *p) {}
};
template <bool B> struct Either {
    int value = 4;
    void *operator new(size_t size, Pool &pool) noexcept(B) { return pool.take(size); }
};

kernel void limited(global int *out)
{
    Pool pool;
    Limited *one = new (pool) Limited;
    out[0] = one->value;
    pool.used = 8;
    Limited *some = new (pool) Limited[3]{};
    out[1] = some[2].value;
    out[2] = pool.used;
    Limited *none = new (pool) Limited[4];
    out[3] = none == nullptr;
    delete[] none;
    out[4] = (new (pool) Limited)->value;
    out[5] = new (pool) Limited == nullptr;
    out[6] = new (pool) Either<true> == nullptr;
    pool.used = 0;
    out[7] = (new (pool) Either<false>)->value;
}
