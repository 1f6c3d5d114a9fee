// A member of a struct, and a copy of a whole one.
// run: kernel=k global=1 local=1 arg=zeros:i32:8 arg=i32:2
// expect: 0 i32:5
// report: 9:13: kernel 'k': store of 4 bytes at offset 40 of global argument 'p', which has 32 bytes: 8 bytes behind its end, work-item (0, 0, 0)
// report: 10:8: kernel 'k': store of 16 bytes at offset 32 of global argument 'p', which has 32 bytes: right behind its end, work-item (0, 0, 0)
typedef struct { int x; float y[3]; } Pair;
kernel void k(global Pair *p, int n) {
  p[0].x = 5;
  p[n].y[1] = 2;
  p[n] = p[0];
}
