// A member of a struct that a copy takes along.
// run: kernel=k global=1 local=1 arg=zeros:i32:2
// expect: 0 i32:1,0
// report: 11:12: kernel 'k': load of 4 bytes of private variable 'q', which was never written, work-item (0, 0, 0)
typedef struct { int x, y; } Pair;
kernel void k(global int *a) {
  Pair p, q;
  p.x = 1;
  q = p;
  a[0] = q.x;
  a[1] = q.y;
}
