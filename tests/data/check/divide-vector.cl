// One lane of four.
// run: kernel=k global=1 local=1 arg=buffer:i32:1,2,0,4 arg=zeros:i32:4
// expect: 1 i32:8,4,0,2
// report: 6:18: kernel 'k': division of an integer by zero, work-item (0, 0, 0)
kernel void k(global const int4 *a, global int4 *b) {
  *b = (int4)(8) / *a;
}
