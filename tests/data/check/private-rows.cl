// A row and a column that are both too large; the second stays inside of the array.
// run: kernel=k global=1 local=1 arg=zeros:i32:1 arg=i32:3
// expect: 0 i32:0
// report: 7:15: kernel 'k': store of 4 bytes at offset 48 of private variable 'table', which has 48 bytes: right behind its end, work-item (0, 0, 0)
kernel void k(global int *a, int n) {
  int table[3][4] = {{0}};
  table[n][0] = 1;
  table[1][n + 1] = 2;
  *a = table[0][0];
}
