// Small uses of many parts of the language. Expected values by hand.
// needs: float64 float16
// target: nvidia
// run: kernel=misc global=1 local=1 arg=zeros:i32:32 arg=zeros:f32:4 arg=zeros:i8:12 arg=i32:5,2,7,0 arg=buffer:i8:7,0,0,0
// expect: 0 i32:3,16909060,7,43,11,99,120,-5,10,1,1,10,12,4,5,615,6,3,3,121,251,1,0,37,9,6,2,7,15,-1,15,190
// expect: 1 f32:9,9,9,9
// expect: 2 i8:0,0,0,0,0,0,4,3,2,1,0,0

typedef enum { RED = 1, GREEN = 5, BLUE } Color;
struct Node { int v; struct Node *next; };
typedef struct __attribute__((packed)) { char c; int i; } P;
constant float4 tab[2] = { (float4)(1,2,3,4), (float4)(5,6,7,8) };
constant char names[] = "abcd";
int fact(int n) { int r = 1; while (n > 1) r *= n--; return r; }
float2 cmul(float2 a, float2 b) { return (float2)(a.x*b.x - a.y*b.y, a.x*b.y + a.y*b.x); }
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
void bump(global int *p, int n) { for (int i = 0; i < n; ++i) p[i]++; }
kernel __attribute__((reqd_work_group_size(1,1,1))) void misc(global int *o, global float4 *f, global P *packed, int3 v3, global uchar *bytes)
{
  struct Node a = { 1, 0 }, b = { 2, &a };
  o[0] = b.next->v + b.v;
  packed[1].i = 0x01020304; o[1] = packed[1].i; o[2] = bytes[0];
  int x = 3, y = 4; swap(&x, &y); o[3] = x * 10 + y;
  Color c = BLUE; o[4] = c + GREEN;
  f[0] = tab[o[0] & 1] + tab[0].wzyx; 
  o[5] = names[2]; o[6] = fact(5);
  float2 z = cmul((float2)(1,2), (float2)(3,4)); o[7] = z.x; o[8] = z.y;
  bump(o + 9, 2);
  int arr[5]; for (int i = 0; i < 5; i++) arr[i] = i * i; 
  int *p = arr + v3.y; o[11] = p[1] + *(p - 1); 
  o[12] = v3.x + v3.z;
  long l = 1L << 40; o[13] = l >> 38; 
  ulong u = 0xFFFFFFFFFFFFFFFFUL; o[14] = u / 3 >> 60; o[15] = (int)(u % 1000);
  double d = 1.5; o[16] = d * 4; 
  half h = 1.5h; o[17] = h * (half)2;
  float fl = 0x1.8p1f; o[18] = fl;
  int4 iv = (int4)(1,2,3,4); iv <<= 2; iv = iv % 3; o[19] = iv.x + iv.y * 10 + iv.w * 100;
  uchar8 u8 = (uchar8)(250) + (uchar8)(0,1,2,3,4,5,6,7); o[20] = u8.s7 + u8.s0;
  o[21] = any(iv > 1) + all(iv > 0);
  iv = -iv; iv++; o[22] = iv.x; 
  o[23] = sizeof(a) + sizeof(P) + sizeof(int3);
  float16 w = (float16)(1.0f); w.s37 = (float2)(2.0f); o[24] = dot(w.lo.lo, w.hi.hi) + w.s3 + w.s7;
  o[25] = (o[0] > 2 ? fact(3) : fact(4));
  o[26] = isnan(fl) + isinf(1.0f / 0.0f) + signbit(-1.0f);
  o[27] = clamp(7, 1, 5) + max(1, 2);
  o[28] = native_sqrt(16.0f) + native_exp2(3.0f) + rint(2.5f) + fabs(-1.0f);
  int2 m = isgreater((float2)(1,2), (float2)(2,1)); o[29] = m.x * 10 + m.y;
  o[30] = shuffle(iv, (uint4)(3,2,1,0)).x + mul24(3, 4) + (int)round(2.5f);
  union { float f; uint u; uchar b[4]; } un; un.f = 1.0f; o[31] = un.b[3] + (un.u >> 23);
}
