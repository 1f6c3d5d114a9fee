// Written in other ways than at once: lane by lane, by a pointer, by a loop, as parts.
// run: kernel=k global=4 local=4 arg=zeros:i32:4 arg=i32:3
// expect: 0 i32:13,14,15,16
typedef struct { char tag; int value; } Tagged;
void set(int *p, int value) { *p = value; }
int twice(Tagged t) { return 2 * t.value; }
kernel void k(global int *a, int n) {
  int i = get_global_id(0), x, y, list[8];
  int4 v;
  union { int word; uchar bytes[4]; } u;
  Tagged t, s;
  v.x = i;
  v.yz = (int2)(1, 2);
  v.w = 0;
  set(&x, 1);
  for (int j = 0; j < 8; j++)
    list[j] = 0;
  for (int j = 0; j < 4; j++)
    u.bytes[j] = 0;
  if (n > 2)
    y = 2;
  if (n > 2)
    x += y;
  t.value = n;
  s = t;
  a[i] = v.x + v.y + v.z + v.w + x + list[i] + u.word + twice(s) + (n > 2 ? y : 0) - 1;
}
