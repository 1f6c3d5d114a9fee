// run: kernel=k global=2 local=1 arg=buffer:i32:7,7
// expect: 0 i32:5,1

// A variable in constant memory that has no value is zero.
typedef struct {
    int words[4];
} number;

constant number zero;
constant int table[3];
constant int one = 1;

kernel void k(global int *out) {
    constant int function_scope;
    size_t i = get_global_id(0);
    number n = zero;
    n.words[1] += 5;
    out[i] = i == 0 ? n.words[1] + n.words[3] + table[2] : one + zero.words[i] + table[i] + function_scope;
}
