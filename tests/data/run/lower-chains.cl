// test: run
// options: -cl-std=CL3.0
// target: lavapipe
// run: kernel=ladder_75 global=16 local=16 arg=buffer:i32:0,3,69,111,114,219,222,225,-3,4,216,75,12,225,102,1 arg=zeros:i32:32
// expect: 1 i32:7,10,1594,4114,4339,15994,16435,-1,-1,-1,15559,1882,55,-1,3475,-1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=ladder_500 global=5 local=5 arg=buffer:i32:750,1497,4,12,1 arg=zeros:i32:10
// expect: 1 i32:187507,747010,-1,55,-1,0,0,0,0,0
// run: kernel=counting_75 global=16 local=16 arg=buffer:i32:0,3,69,111,114,219,222,225,-3,4,216,75,12,225,102,1 arg=zeros:i32:32
// expect: 1 i32:11,33,528,825,858,1617,1650,140,140,140,1595,561,99,140,759,140,0,1,23,37,38,73,74,0,0,0,72,25,4,0,34,0
// run: kernel=choice_75 global=16 local=16 arg=buffer:i32:0,3,69,111,114,219,222,225,-3,4,216,75,12,225,102,1 arg=zeros:i32:32
// expect: 1 i32:0,7,161,259,266,511,518,-1,-1,-1,504,175,28,-1,238,-1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=choice_500 global=5 local=5 arg=buffer:i32:750,1497,4,12,1 arg=zeros:i32:10
// expect: 1 i32:1750,3493,-1,28,-1,0,0,0,0,0
// run: kernel=counting_choice_75 global=16 local=16 arg=buffer:i32:0,3,69,111,114,219,222,225,-3,4,216,75,12,225,102,1 arg=zeros:i32:32
// expect: 1 i32:4,15,261,411,426,807,822,159,159,159,796,279,48,159,378,159,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=returns_75 global=16 local=16 arg=buffer:i32:0,3,69,111,114,219,222,225,-3,4,216,75,12,225,102,1 arg=zeros:i32:32
// expect: 1 i32:0,1,46,73,76,146,150,-150,-150,-150,143,50,10,-150,70,-150,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=one_label_75 global=16 local=16 arg=buffer:i32:0,3,69,111,114,219,222,225,-3,4,216,75,12,225,102,1 arg=zeros:i32:32
// expect: 1 i32:0,1,46,73,76,146,150,250,250,250,143,50,10,250,70,250,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=one_label_500 global=5 local=5 arg=buffer:i32:750,1497,4,12,1 arg=zeros:i32:10
// expect: 1 i32:500,1000,1100,10,1100,0,0,0,0,0
// run: kernel=labels_75 global=16 local=16 arg=buffer:i32:0,3,69,111,114,219,222,225,-3,4,216,75,12,225,102,1 arg=zeros:i32:32
// expect: 1 i32:232472729,232472729,1832441890,-2141729249,-64841344,293,74,-1848224394,-1848224394,-1848224394,941,-1545791459,1457486035,-1848224394,-801952634,-1848224394,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=breaks_of_switch_75 global=16 local=16 arg=buffer:i32:0,3,69,111,114,219,222,225,-3,4,216,75,12,225,102,1 arg=zeros:i32:32
// expect: 1 i32:0,4,49,76,76,149,150,158,158,1150,143,53,10,158,70,158,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=breaks_of_loop_75 global=16 local=16 arg=buffer:i32:0,3,69,111,114,219,222,225,-3,4,216,75,12,225,102,1 arg=zeros:i32:32
// expect: 1 i32:0,1,46,73,76,146,150,4600,4600,4600,143,50,10,4600,70,4600,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=breaks_of_loop_500 global=5 local=5 arg=buffer:i32:750,1497,4,12,1 arg=zeros:i32:10
// expect: 1 i32:500,1000,4000,10,4000,0,0,0,0,0
// run: kernel=cases_75 global=16 local=16 arg=buffer:i32:0,3,69,111,114,219,222,225,-3,4,216,75,12,225,102,1 arg=zeros:i32:32
// expect: 1 i32:179,5,93,37,126276,302,83,9,9,9,950,3083,4,9,137,9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// run: kernel=loops_75 global=16 local=16 arg=buffer:i32:0,3,69,111,114,219,222,225,-3,4,216,75,12,225,102,1 arg=zeros:i32:32
// expect: 1 i32:63,13,551,307,233,749,527,445,115,224,947,327,185,445,325,221,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0

// Chains of else-ifs, conditionals, exits and jumps: no nesting. Written by tests/gen/chains_run.py.

#define TEN(L, p) L(p##0) L(p##1) L(p##2) L(p##3) L(p##4) L(p##5) L(p##6) L(p##7) L(p##8) L(p##9)
#define HUNDRED(L, p) TEN(L, p##0) TEN(L, p##1) TEN(L, p##2) TEN(L, p##3) TEN(L, p##4) TEN(L, p##5) TEN(L, p##6) TEN(L, p##7) TEN(L, p##8) TEN(L, p##9)
#define THOUSAND(L, p) HUNDRED(L, p##0) HUNDRED(L, p##1) HUNDRED(L, p##2) HUNDRED(L, p##3) HUNDRED(L, p##4) HUNDRED(L, p##5) HUNDRED(L, p##6) HUNDRED(L, p##7) HUNDRED(L, p##8) HUNDRED(L, p##9)
#define N75(L) TEN(L, 100) TEN(L, 101) TEN(L, 102) TEN(L, 103) TEN(L, 104) TEN(L, 105) TEN(L, 106) L(1070) L(1071) L(1072) L(1073) L(1074)
#define N100(L) HUNDRED(L, 10)
#define N500(L) HUNDRED(L, 10) HUNDRED(L, 11) HUNDRED(L, 12) HUNDRED(L, 13) HUNDRED(L, 14)
#define N3000(L) THOUSAND(L, 1) THOUSAND(L, 2) THOUSAND(L, 3)
#define J(k) (k - 1000)
#define IS(k) (x == 3 * J(k))

#define LADDER(k) if IS(k) r = x * J(k) + 7; else
#define COUNTING(k) if ((n += J(k) % 3 + 1) && IS(k)) { out[get_global_size(0) + i] = J(k); r += n; } else
#define CHOICE(k) IS(k) ? x * 2 + J(k) :
#define COUNTING_CHOICE(k) (n += J(k) % 3 + 1, IS(k)) ? (r = n + J(k)) :
#define RETURN(k) n += J(k) % 5; if IS(k) { out[i] = n; return; }
#define GOTO(k) n += J(k) % 5; if IS(k) goto end;
#define GOTOS(k) if IS(k) goto l##k;
#define LABEL(k) l##k: n = n * 3 + J(k);
#define BREAK(k) n += J(k) % 5; if IS(k) break;
#define CASE(k) case 3 * J(k): n = n * 3 + J(k); if ((x + J(k)) % 11 == 5) break;
#define LINK_WITH_LOOP(k) if IS(k) { \
    for (int j = 0; j < 6; j++) { if (j == J(k) % 7) break; n += j + J(k); if (n & 1) continue; n++; } \
    if (J(k) % 4 == 1) { x += 3; continue; } \
    if (J(k) % 4 == 2) break; \
    if (J(k) % 4 == 3 && n > 100) { out[i] = n; return; } \
} else

kernel void ladder_75(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    N75(LADDER) r = -1;
    out[i] = r;
}

kernel void ladder_500(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    N500(LADDER) r = -1;
    out[i] = r;
}

kernel void counting_75(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    N75(COUNTING) r = -1; r = r * 10 + n;
    out[i] = r;
}

kernel void choice_75(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    r = N75(CHOICE) -1;
    out[i] = r;
}

kernel void choice_500(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    r = N500(CHOICE) -1;
    out[i] = r;
}

kernel void counting_choice_75(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    r = 5; n = (N75(COUNTING_CHOICE) -1) + r * 2 + n; r = n;
    out[i] = r;
}

kernel void returns_75(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    N75(RETURN) r = -n;
    out[i] = r;
}

kernel void one_label_75(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    N75(GOTO) r = 100; end: r = r + n;
    out[i] = r;
}

kernel void one_label_500(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    N500(GOTO) r = 100; end: r = r + n;
    out[i] = r;
}

kernel void labels_75(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    N75(GOTOS) n = 7; N75(LABEL) r = n;
    out[i] = r;
}

kernel void breaks_of_switch_75(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    switch (x & 1) { case 0: N75(BREAK) n += 1000; break; case 1: n = 3; N75(BREAK) default: n += 5; } r = n;
    out[i] = r;
}

kernel void breaks_of_loop_75(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    do { N75(BREAK) n += 1000; } while (n < 4000); r = n;
    out[i] = r;
}

kernel void breaks_of_loop_500(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    do { N500(BREAK) n += 1000; } while (n < 4000); r = n;
    out[i] = r;
}

kernel void cases_75(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    switch (x) { N75(CASE) default: n += 9; } r = n;
    out[i] = r;
}

kernel void loops_75(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    for (int round = 0; round < 4; round++) { N75(LINK_WITH_LOOP) n += 2; x += 3; n += 50; } r = n + x;
    out[i] = r;
}
