// options: -cl-std=CLC++2021
// run: kernel=lists global=1 arg=zeros:i32:8
// expect: 0 i32:1,2,0,5,7,7,4,9

// GNU's designators: `member: value`, an index without `=`, ranges.
struct Pair { int x, y; };

kernel void lists(global int *out)
{
    Pair p = {x: 1, y: 2};
    int one[3] = {[1] 5};
    int range[4] = {[2 ... 3] = 7};
    Pair inner[2] = {[0].x = 4, [1] = {y: 9}};
    out[0] = p.x;
    out[1] = p.y;
    out[2] = one[0] + range[0];
    out[3] = one[1];
    out[4] = range[2];
    out[5] = range[3];
    out[6] = inner[0].x + inner[0].y;
    out[7] = inner[1].y;
}
