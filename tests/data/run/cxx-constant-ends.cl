// options: -cl-std=CLC++2021
// run: kernel=ends arg=zeros:i32:8
// expect: 0 i32:4,0,2,1,0

// Objects in constant memory end with the program.
global int *place;
int ended;

struct Ends {
    constexpr Ends(int number) constant : number(number) {}
    ~Ends() constant { place[2 + ended++] = number; }
    int number;
};

constant Ends first(1);
constant Ends second = 2;

kernel void ends(global int *out)
{
    place = out;
    out[0] = first.number + second.number + 1;
}
