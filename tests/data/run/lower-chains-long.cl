// test: run
// options: -cl-std=CL3.0
// only: interpreter
// target: lavapipe
// run: kernel=counting_3000 global=2 local=2 arg=buffer:i32:8994,4491 arg=zeros:i32:4
// expect: 1 i32:65967,32945,2998,1497
// run: kernel=choice_3000 global=2 local=2 arg=buffer:i32:8994,4491 arg=zeros:i32:4
// expect: 1 i32:20986,10479,0,0
// run: kernel=counting_choice_500 global=5 local=5 arg=buffer:i32:750,1497,4,12,1 arg=zeros:i32:10
// expect: 1 i32:2754,5493,1008,48,1008,0,0,0,0,0
// run: kernel=returns_500 global=5 local=5 arg=buffer:i32:750,1497,4,12,1 arg=zeros:i32:10
// expect: 1 i32:500,1000,-1000,10,-1000,0,0,0,0,0
// run: kernel=labels_3000 global=2 local=2 arg=buffer:i32:8994,4491 arg=zeros:i32:4
// expect: 1 i32:11993,1820944936,0,0
// run: kernel=breaks_of_switch_500 global=5 local=5 arg=buffer:i32:750,1497,4,12,1 arg=zeros:i32:10
// expect: 1 i32:500,1003,2000,10,1008,0,0,0,0,0
// run: kernel=cases_500 global=5 local=5 arg=buffer:i32:750,1497,4,12,1 arg=zeros:i32:10
// expect: 1 i32:273793,499,9,4,9,0,0,0,0,0
// run: kernel=loops_100 global=16 local=16 arg=buffer:i32:0,3,69,150,153,294,297,300,-3,4,291,75,12,225,141,1 arg=zeros:i32:32
// expect: 1 i32:63,13,551,201,103,294,614,520,115,224,893,327,185,387,247,221,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0

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

kernel void counting_3000(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    N3000(COUNTING) r = -1; r = r * 10 + n;
    out[i] = r;
}

kernel void choice_3000(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    r = N3000(CHOICE) -1;
    out[i] = r;
}

kernel void counting_choice_500(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    r = 5; n = (N500(COUNTING_CHOICE) -1) + r * 2 + n; r = n;
    out[i] = r;
}

kernel void returns_500(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    N500(RETURN) r = -n;
    out[i] = r;
}

kernel void labels_3000(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    N3000(GOTOS) n = 7; N3000(LABEL) r = n;
    out[i] = r;
}

kernel void breaks_of_switch_500(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    switch (x & 1) { case 0: N500(BREAK) n += 1000; break; case 1: n = 3; N500(BREAK) default: n += 5; } r = n;
    out[i] = r;
}

kernel void cases_500(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    switch (x) { N500(CASE) default: n += 9; } r = n;
    out[i] = r;
}

kernel void loops_100(global const int *in, global int *out) {
    int i = get_global_id(0), x = in[i], r = 0;
    uint n = 0;
    for (int round = 0; round < 4; round++) { N100(LINK_WITH_LOOP) n += 2; x += 3; n += 50; } r = n + x;
    out[i] = r;
}
