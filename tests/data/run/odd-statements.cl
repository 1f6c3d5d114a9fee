// needs: float64 float16
// test: run
// options: -cl-std=CL3.0
// run: kernel=stmt global=1 local=1 arg=zeros:i32:256
// expect: 0 i32:1000,1100,1110,1111,2111,2211,2221,2222,3222,10,107,117,1,2,4,4,3,9,7,6,5,9,7,8,50,12,4,2,2,1,8,-4,512,2,2,-64,8388608,-1,0,10,10,9,-1,-1,-1,0,0,2,4,8,-32768,-32768,-16384,-1,-1,0,1,-1,0,221,-5,0,0,15,20,9,7,4,1,2,4,4,3,1,1,1,44,1,2,1,1,4,1,6,6,4,5,1,1,3,4,20,2,2,65538,16777222,2,1,48,4,48

// Odd corners of statements and vectors.
#define PUT(x) out[n++] = (int)(x)
int duff(int count) { int s = 0, i = (count + 3) / 4; switch (count & 3) { case 0: do { s += 1; case 3: s += 10; case 2: s += 100; case 1: s += 1000; } while (--i > 0); } return s; }
int into(int k) { int r = 0; if (k == 1) goto inside; for (int i = 0; i < 3; i++) { r += 1; if (0) { inside: r += 100; if (k == 1) break; } } if (r > 1000) goto inside; { r += 7; if (k == 2) { k = 3; goto inside; } } return r; }
int sw(long v) { switch (v) { case -1: return 1; case 0x100000000L: return 2; default: { int q; q = 3; if (v < 0) { case 5: q = 4; } return q; } case 'a' ... 'c': break; } switch (v) default: return 9; }
int statics(void) { int r = 0; for (int i = 0; i < 5; ++i) { switch (i) { case 1: continue; case 3: goto out; } r += i + 1; while (1) { if (r & 1) break; r++; do { r += 2; if (r > 8) break; } while (r < 6); if (r > 20) return -1; break; } } out: return r; }
kernel void stmt(global int *out) {
    int n = 0;
    for (int i = 1; i < 10; i++) PUT(duff(i));
    PUT(into(0)); PUT(into(1)); PUT(into(2)); PUT(sw(-1)); PUT(sw(0x100000000L)); PUT(sw(5)); PUT(sw(-7)); PUT(sw(7)); PUT(sw('b')); PUT(statics());
    int4 v = (int4)(1, 2, 3, 4); v.xy.yx = (int2)(5, 6); PUT(v.x); PUT(v.y); v.wzyx.lo.odd = 9; PUT(v.z); v.s3210.even = (int2)(7, 8); PUT(v.w); PUT(v.y);
    int8 w = (int8)(v, v.hi, (int2)(1)); w.s01234567.hi.lo.y = 50; PUT(w.s5); w.even.odd += 3; PUT(w.s2); PUT(w.s6); (w.lo).xz = w.s77; PUT(w.s0 + w.s2);
    w.s7 <<= 33; PUT(w.s7); PUT(1 << 32); int sh = 35; PUT(1 << sh); PUT(-8 >> 33); PUT((uchar)1 << 9); PUT(1L << 65); short8 sv = (short8)(1); sv <<= (short8)(17); PUT(sv.s0); char2 c2 = (char2)(-128, 1); PUT((c2 >> (char2)(9, 8)).x); uint u = 0x80000000u; PUT((u >> 40));
    int4 m = (int4)(1, -1, 0, 4) > (int4)(0); PUT(m.x); PUT(m.y); int4 t = m ? (int4)(10) : v; PUT(t.x); PUT(t.w); PUT(t.z); float4 f = (float4)(1.5f, -2.5f, 0.f, 3.f); int4 fe = f == f.xyzw; PUT(fe.x); PUT((f < 0).y); PUT((!f).z); PUT((f && (float4)(0, 1, 1, 1)).x); PUT((~m).x); PUT((-f).y);
    uchar4 b = (uchar4)(250, 1, 2, 3); b += (uchar)10; PUT(b.x); PUT((b + b).x); short4 s4 = (short4)(32767, 1, -32768, 5); s4++; PUT(s4.x); s4--; PUT(s4.z); PUT((s4 / (short)2).z); PUT((s4 % (short4)(7)).z);
    char4 cc = (char4)(1, 2, 3, 4) < (char4)(2); PUT(cc.x); PUT(cc.y); long2 ll = (long2)(1, 2) == (long2)(1); PUT(ll.x == -1L); double2 dd = (double2)(1, 2); long2 dl = dd < 2.0; PUT(dl.x); PUT(dl.y);
    float3 f3 = (float3)(1, 2, 3); f3.zx = f3.xy; PUT(f3.x * 100 + f3.y * 10 + f3.z); float16 F = (float16)(f, f, f, f); F.s0f = F.s1e; PUT(F.s0 * 2); PUT(F.sF); PUT(F.hi.hi.odd.y);
    int3 i3 = (int3)(1, 2, 3); int3 *pi = &i3; (*pi).s2 = 4; pi->x += 10; PUT(pi->x + pi->z); private int *lane = (private int *)&i3; lane[1] = 20; PUT(i3.y); v.x = v.y = v.z = 3; PUT(v.x + v.y + v.z); PUT((v.x, v.w));
    int2 q = (1, 2); PUT(q.x + q.y); int2 arr[2] = { 1, 2 }; PUT(arr[0].y); PUT(arr[1].x); int4 arr4 = { 1, 2, 3, 4 }; PUT(arr4.w); int2 aq[2] = { { 1, 2 }, { 3, 4 } }; PUT(aq[1].y); int4 nested = (int4)((int2)(1, 2), (int)3.9f, (char)4); PUT(nested.z); 
    ulong ul = (ulong)-1; PUT(ul > 0); float uf = (uint)-1; PUT(uf > 4e9f); uint fu = 3000000000.0f; PUT(fu > 2999999999u); char ch = 300; PUT(ch); bool bo = 0.1f; PUT(bo); bo = 2; PUT(bo + bo); bo += 5; PUT(bo); half2 *hp = 0; PUT(hp == 0); PUT((uintptr_t)(hp + 1)); void *vp = &n; PUT(*(int *)vp >= 0);
    int x = 5; int *px = &x; int **ppx = &px; **ppx = 6; PUT(x); PUT(ppx[0][0]); int a5[5] = { 1, 2, 3, 4, 5 }; int *end = a5 + 5; PUT(end[-2]); PUT(end - a5); PUT(&a5[4] > a5); PUT(*(&a5)[0]); PUT(2[a5]); int (*pa)[5] = &a5; PUT((*pa)[3]); PUT(sizeof *pa); ulong ad = (ulong)a5; PUT(((int *)(ad + 4))[0]); PUT(((char *)a5)[4]); short *hs = (short *)a5; hs[3] = 1; PUT(a5[1]); ((char *)&x)[3] = 1; PUT(x); 
    int y = 1; y = y ? y > 0 ? 2 : 3 : 4; PUT(y); y = 10; y -= y /= 3; y ^= 3; y |= 8; y &= ~2; y <<= 2; y >>= 1; PUT(y != 0); for (int i = 0, j = 10; i < j; i += 3, j--) y = i * j; PUT(y); ; ; {} if (y); else y = 1; do ; while (0); PUT(sizeof(y++)); PUT(y);
    out[255] = n;
}
