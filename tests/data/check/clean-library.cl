// Builtin functions that write through pointers.
// run: kernel=k global=4 local=4 arg=zeros:f32:4 arg=count:f32:4 arg=local:16
// expect: 0 f32:0,1,2,3
kernel void k(global float *a, global float *b, local float *tile) {
  int i = get_global_id(0), e, q;
  float whole, c;
  float f = fract((float)i, &whole) + modf((float)i, &c) + frexp(1.0f, &e) - 0.5f;
  float s = sincos(0.0f, &c) + remquo(4.0f, 2.0f, &q);
  event_t done = async_work_group_copy(tile, b, 4, 0);
  wait_group_events(1, &done);
  vstore_half(1.0f, 2 * i, (global half *)a);
  a[i] = f + s + tile[i] + (c - 1) + (e - 1) + (q - 2);
}
