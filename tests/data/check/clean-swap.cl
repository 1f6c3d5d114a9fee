// Pointers that change places, and pointers behind the end that are not used there.
// run: kernel=k global=1 local=1 arg=count:i32:8 arg=zeros:i32:8 arg=i32:5
// expect: 0 i32:0,5,10
kernel void k(global int *a, global int *b, int n) {
  global int *from = a, *to = b;
  for (int round = 0; round < 2 * (n / 2); round++) {
    for (int i = 0; i < 8; i++)
      to[i] = from[i] + (round ? 0 : i * (n - 1));
    global int *t = from;
    from = to;
    to = t;
  }
  for (global int *p = a, *end = a + 8; p != end; p++)
    *p += 0;
}
