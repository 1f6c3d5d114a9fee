// test: run
// run: kernel=k global=1 local=1 arg=i8:-3,1,2,3,4,-2,-1,7,-8 arg=zeros:i32:5
// expect: 1 i32:-3,67305985,-2,7,-8
// Members of a packed struct that lie across words of the argument block.

struct __attribute__((packed)) S { char a; int b; short c; char2 d; };

kernel void k(struct S s, global int *o) {
    o[0] = s.a;
    o[1] = s.b;
    o[2] = s.c;
    o[3] = s.d.x;
    o[4] = s.d.y;
}
