// An array in a struct that is passed by value.
// run: kernel=k global=1 local=1 arg=i32:1,2,3 arg=zeros:i32:1 arg=i32:3
// report: 6:10: kernel 'k': load of 4 bytes at offset 12 of a private object, which has 12 bytes: right behind its end, work-item (0, 0, 0)
typedef struct { int x[3]; } Three;
kernel void k(Three t, global int *a, int n) {
  *a = t.x[n];
}
