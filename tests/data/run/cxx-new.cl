// options: -cl-std=CLC++2021
// run: kernel=placed global=1 arg=zeros:i32:13
// expect: 0 i32:4,1,2,7,40,9,9,0,5,3,4,0,2
// run: kernel=own global=1 arg=zeros:i32:6
// expect: 0 i32:1,3,2,10,11,12

// `new` in memory that is there, and with functions of classes.
void *operator new(size_t size, void *at) noexcept { return at; }
void *operator new[](size_t size, void *at) { return at; }

struct Counted {
    __private int *ends;
    int value;
    Counted(__private int *ends, int value) : ends(ends), value(value) {}
    ~Counted() { ++*ends; }
};
struct Nine {
    int a;
    Nine() : a(9) {}
};
struct Pair {
    int a, b;
};
template <typename T> struct Box {
    T a;
    Box(T a) : a(a) {}
};
// A value that need not be there.
template <typename T> class Optional {
    alignas(T) uchar bytes[sizeof(T)];
    bool has = false;

  public:
    template <typename... A> T &emplace(A... a)
    {
        has = true;
        return *new (bytes) T(a...);
    }
    T *operator->() { return reinterpret_cast<T *>(bytes); }
};
int calls;
void *memory(void *p)
{
    return p;
}

kernel void placed(global int *out)
{
    alignas(16) uchar bytes[64];
    int ends = 0;
    Counted *c = new (bytes) Counted(&ends, 4);
    out[0] = c->value;
    c->~Counted();
    out[1] = ends;
    out[2] = (new (bytes) Pair{1, 2})->b;
    Optional<Box<int>> o;
    o.emplace(7);
    out[3] = o->a;
    *new (memory(bytes)) int(4) *= 10;
    out[4] = *(__private int *)bytes;
    Nine *nines = new (bytes) Nine[3];
    out[5] = nines[0].a;
    out[6] = nines[2].a;
    int *zeros = ::new (bytes) int[3]{};
    out[7] = zeros[2];
    out[8] = (new (bytes) Box(5))->a;
    int n = out[2] + 1;
    int *some = new (bytes) int[n];
    some[2] = n;
    out[9] = some[2];
    float4 *v = new (bytes) (float4);
    *v = 4;
    out[10] = v->w;
    new (out + 11) int();
    int **p = new (bytes) int *(some);
    out[12] = *p == some ? 2 : 0;
}

// A pool of memory.
struct Node {
    Node *next;
    int value;
    static Node *at(__private void *pool, int n) { return (Node *)pool + n; }
    void *operator new(size_t size, __private int &used, __private void *pool) { return at(pool, used++); }
    void operator delete(void *p, size_t size) { static_cast<Node *>(p)->value = size / 8 + 8; }
};
struct Ends {
    int value;
    void *operator new(size_t size, __private Ends *at);
    void operator delete(void *p) { ((Ends *)p)->value += 10; }
    ~Ends() { value = 1; }
};
void *Ends::operator new(size_t size, __private Ends *at) { return at; }

kernel void own(global int *out)
{
    alignas(16) uchar pool[64];
    int used = 0;
    Node *list = nullptr;
    for (int i = 1; i <= 3; i++)
        list = new (used, pool) Node{list, i};
    out[0] = list->next->next->value;
    out[1] = list->value;
    out[2] = list->next->value;
    delete list;
    out[3] = list->value;
    uchar more[sizeof(Ends)];
    Ends *e = new ((__private Ends *)more) Ends;
    delete e;
    out[4] = e->value;
    Node *none = nullptr;
    delete none;
    out[5] = 12;
}
