// options: -cl-std=CLC++2021
// run: kernel=designated global=1 arg=zeros:i32:9
// expect: 0 i32:1,2,7,4,2,12,1,8,1

// Designators in lists for classes with destructors.
struct Ends {
    __private int *count;
    Ends(__private int *count) : count(count) {}
    ~Ends() { ++*count; }
};
struct Options {
    int first = 7;
    int second;
    Ends ends;
    int last = 4;
};
int read(const Options &o) { return o.first * 10 + o.second; }

kernel void designated(global int *out)
{
    int count = 0;
    {
        Options some = {.first = 1, .second = 2, .ends = {&count}};
        out[0] = some.first;
        out[1] = some.second;
        Options others{.ends = Ends(&count)};
        out[2] = others.first;
        out[3] = others.last;
    }
    out[4] = count;
    out[5] = read({.first = 1, .second = 2, .ends = &count});
    // What is looked at only for its type, or to choose a function, is not destroyed.
    count = 0;
    read({1, 2, {&count}});
    out[6] = count;
    count = 0;
    out[7] = sizeof(Ends(&count));
    {
        Ends one(&count);
        decltype(Ends(&count)) *none;
    }
    out[8] = count;
}
