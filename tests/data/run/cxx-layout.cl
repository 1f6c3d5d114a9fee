// Layouts of classes: members of derived classes begin in the tails of bases that C has not, and assignments to such bases keep them. Sizes are clang 19's.
// options: -cl-std=CLC++2021
// run: kernel=sizes global=1 arg=zeros:i32:14
// expect: 0 i32:16,32,32,24,16,16,32,8,12,12,16,8,12,16
// run: kernel=kept global=1 arg=zeros:i32:9
// expect: 0 i32:7,1,65,7,2,66,7,3,67

struct Shape1 {};
struct Shape2 { uint2 a0; char a1[3]; ushort a2; };
struct Shape3 : Shape2 { Shape3() {} char b0[3]; uchar4 b1; bool b2; };
struct Shape4 : Shape3 { uint c0; };
union Shape5 { Shape2 s; uint words[4]; ushort u0; ulong u1[3]; };
struct Own { Own() {} uint2 a; char c; };
struct Own1 : Own { char d; };
struct Own4 : Own { uint d; };
struct Far : Shape3 { char d; };
struct C { int x; char c; };
struct C1 : C { char d; };
struct C2 : C1 { char e; };
struct Initial { ulong a; uint b = 5; };
struct Initial1 : Initial { uint c; };
class Hidden { uint a; char b; public: char c() const { return b; } };
struct Hidden1 : Hidden { char d; };
struct Defaulted { Defaulted() = default; int x; char c; };
struct Defaulted1 : Defaulted { char d; };
struct Held { Own own; char d; };
struct Held1 : Shape1, Held { char e; };
struct Assigned { int x; char c; Assigned &operator=(const Assigned &) = default; };
struct Assigned1 : Assigned { char d; int e; };

kernel void sizes(global int *out)
{
    int n[] = {sizeof(Shape2), sizeof(Shape3), sizeof(Shape4), sizeof(Shape5), sizeof(Own1), sizeof(Own4), sizeof(Far), sizeof(C), sizeof(C1), sizeof(C2),
               sizeof(Initial1), sizeof(Hidden1), sizeof(Defaulted1), sizeof(Assigned1)};
    for (int i = 0; i < 14; i++) out[i] = n[i];
}

static Own make(char c) { Own own; own.a = (uint2)(7, 8); own.c = c; return own; }

template <class D> void assigned(D &d, const Own &own) { static_cast<Own &>(d) = own; }

kernel void kept(global int *out)
{
    Own1 d;
    d.d = 65;
    static_cast<Own &>(d) = make(1);
    out[0] = d.a.x; out[1] = d.c; out[2] = d.d;
    d.d = 66;
    assigned(d, make(2));
    out[3] = d.a.x; out[4] = d.c; out[5] = d.d;
    Own1 e = d;
    e.d = 67;
    Own &base = e;
    base = make(3);
    d = e;
    out[6] = d.a.x; out[7] = d.c; out[8] = d.d;
}
