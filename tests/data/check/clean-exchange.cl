// Exchanges that fail, atomic loads and volatile ones change nothing: plain reads may be beside them.
// options: -cl-std=CL3.0
// run: kernel=one_exchanges global=4 local=4 arg=zeros:i32:1
// expect: 0 i32:1
// run: kernel=all_read global=4 local=4 arg=buffer:i32:7 arg=zeros:i32:4
// expect: 1 i32:21,21,21,21
kernel void one_exchanges(global int *out) {
  local int word;
  if (get_local_id(0) == 0)
    word = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int before = word;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (atomic_cmpxchg(&word, before, before + 1) == before)
    *out = word;
}

kernel void all_read(global atomic_int *in, global int *out) {
  int sum = atomic_load_explicit(in, memory_order_relaxed, memory_scope_device);
  sum += *(global int *)in;
  out[get_global_id(0)] = sum + *(volatile global int *)in;
}
