// Every statement.
kernel void f(int n)
{
  if (n) ; else if (n + 1) n = 2; else { n = 3; }
  if (1) if (2) n = 1; else n = 2;
  if (1) { if (2) n = 1; } else n = 2;
  if (1) while (n) if (2) n = 1; else if (3) n = 2; else n = 3; else n = 4;
  for (;;) break;
  for (int i = 0, j = 1; i < n; i++, j--) continue;
  for (n = 0; ; ) { }
  do n++; while (n < 3);
  do { do ; while (0); } while (n);
  while (n) while (n - 1) ;
  switch (n) { case 1: case 2 ... 3: n = 1; break; default: n = 2; case 4: { } }
  switch (n) case 5: n = 1;
  again: n--; goto again;
  one: two: __attribute__((unused)) three: ;
  __attribute__((opencl_unroll_hint(4))) for (;;) ;
  __attribute__((opencl_unroll_hint)) while (n) ;
  #pragma unroll 4
  for (;;) ;
  if (n)
  #pragma unroll
  for (;;) ;
  switch (n) { case 1:
  #pragma unroll 2
  while (n) ; }
  #pragma nounroll
  __attribute__((unused)) int x;
  const int y = 1, *z = &y;
  static constant int w = 2;
  local float tile[16][17];
  _Static_assert(1, "yes");
  asm volatile("nop" : "=r"(n) : "r"(n));
  ;
  { n; { } }
  return;
  end: }
int g(void) { return 1, 2; }
void h(void) { if (1) return; }
