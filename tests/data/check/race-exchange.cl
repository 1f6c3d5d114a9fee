// A plain read beside an exchange that succeeds.
// run: kernel=k global=4 local=4 arg=zeros:i32:4
// report: ...: kernel 'k': race: ... of 4 bytes at offset 0 of local variable 'word': work-item ... of the group has ... since the last barrier, work-item (...
kernel void k(global int *out) {
  local int word;
  if (get_local_id(0) == 0)
    word = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    atomic_cmpxchg(&word, 0, 5);
  else
    out[get_local_id(0)] = word;
}
