// Atomics that move floats, in local memory of one type and of several.
// run: kernel=exchange global=1 local=1 arg=buffer:f32:1.5,2.5,3.5 arg=local:8
// expect: 0 f32:0.25,1.5,3.5
// run: kernel=mixed global=1 local=1 arg=buffer:f32:-1.5,2.5
// expect: 0 f32:-1.5,7

kernel void exchange(global float *out, local float *words) {
    words[0] = 0.25f;
    float old = atomic_xchg(words, out[0]);
    out[1] = atomic_xchg(words, 4.0f);
    out[0] = old;
}

kernel void mixed(global float *out) {
    local int words[2];
    atomic_xchg((local float *)words, out[0]);
    words[1] = 7;
    out[1] = words[1];
    out[0] = as_float(words[0]);
}
