// Precedence, prefix and postfix operators, literals, casts.
void f(int a, int b, int c, int d, float4 v, struct s *p)
{
  a = b = c + d * a - b / c % d << 1 >> 2;
  a += b -= c *= d /= a %= b <<= c >>= d &= a |= b ^= c;
  a = b || c && d | a ^ b & c == d != a < b > c <= d >= a;
  a - b - c; a - -b; a - --b; a-- - b; a - - - b; a + ++b; a+++b; a & &b; a && &b; a ^ (b); a ^ -b;
  a ? b : c ? d : a; a ? b ? c : d : a; a ? b, c : d; a = b ? c : d; a ? b : (c = d);
  a = b, c = d, a;
  !~-+a; *&a; ++*&a; -a++; *p++; (*p)--; &p->x[1].y; - -a; ~~a; !!a; &*&a;
  f(); f(a); f(a, (b, c)); f(a)(b)[c].d->e++;
  v.xyzw.s0 = (float4)(1, 2, 3, 4).x + (float4)(1).x;
  (float4)((float2)(1, 2), (float2)(3)); (int)(a, b); (float4)(0);
  (int)a + b; (int)-a; (int)(float)a; (int)(a) + b; (int)sizeof(int) - a; (global int *)(p);
  sizeof a + b; sizeof(a) + b; sizeof(int) + b; sizeof(int)*b; sizeof -a; sizeof a++; sizeof (a).x; sizeof (int){1}; sizeof(int[2]){1}[0];
  (int){1}; (struct s){.x = 1, 2}.x; &(int[]){1, 2}[1]; (int (*)[3])a;
  _Alignof(int); __alignof__(a); __alignof a; vec_step(float4); vec_step(a);
  __builtin_offsetof(struct s, x.y[2].z); offsetof(struct s, x); as_int(1.0f); __builtin_astype(a, float);
  1.0f + 0x1p3 + 'a' + "b" "c"[0] + L'\'' + .5e-3f;
  ({ int x = 1; x; }) + 1; a = ({ ; });
  a<b; a<-b; a*-b; a/ *&b; a= -b; a=*&b; a-->b;
  __extension__ a; (a); ((a)); a[b, c];
}
void g(int a)
{
  int (^x)(int) = ^(int y) { return y; }, z = ^{ return 1; }() ^ ^{ return 2; }();
  typedef float4 T[2]; (const T *)a; (T (*)(int, float))a; a = (T){{1}}[0].x * (float)1;
}
