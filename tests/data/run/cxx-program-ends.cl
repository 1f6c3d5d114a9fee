// options: -cl-std=CLC++2021
// run: kernel=ends arg=zeros:i32:16
// expect: 0 i32:2,0,0,0,8,9,5,4,3,2,1,0,0

// What a program destroys behind its kernels, the last first; the kernel keeps the address of its buffer for that.
global int *place;
int ended;

struct Ends {
    Ends(int number) : number(number) {}
    ~Ends() { place[4 + ended++] = number; }
    int number;
};

int zero() { return ended; }

Ends first(1);
// The list's temporaries end at once, where there is no place yet: they are the elements themselves.
Ends list[3] = {2, 3, Ends(zero() + 4)};
struct Constant {
    int number = 5;
    ~Constant() { place[4 + ended++] = number; }
};
Constant steady;

template <int N> struct Holder {
    static inline Ends member{N};
};
template <class T> Ends variable(sizeof(T));

kernel void ends(global int *out)
{
    place = out;
    out[0] = ended + (Holder<9>::member.number == 9) + (variable<long>.number == 8);
}
