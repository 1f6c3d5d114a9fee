// options: -cl-std=c++
// run: kernel=fill global=1 arg=pipe:4:8 arg=zeros:i32:4
// expect: 1 i32:3,8,1,0
// run: kernel=drain global=1 arg=pipe:4:8:0:i32:5,6,7 arg=zeros:i32:8
// expect: 1 i32:5,6,7,0,3,1,2,1

#include <opencl_memory>
#include <opencl_pipe>

using namespace cl;

kernel void fill(pipe<int, pipe_access::write> to, global_ptr<int[]> out)
{
    to.write(5);
    auto two = to.reserve(2);
    if (two.is_valid()) {
        two.write(0, 6);
        two.write(1, 7);
        two.commit();
    }
    out[0] = to.num_packets();
    out[1] = to.max_packets();
    out[2] = two ? 1 : 0;
    auto many = to.reserve(100);
    out[3] = many ? 1 : 0;
}

static bool next(const pipe<int> &from, int &x) { return from.read(x); }

kernel void drain(pipe<int> from, global_ptr<int[]> out)
{
    out[4] = from.num_packets();
    int x = 0;
    out[5] = next(from, x);
    out[0] = x;
    auto two = from.reserve(2);
    two.read(0, x);
    out[1] = x;
    two.read(1, x);
    out[2] = x;
    two.commit();
    out[6] = 2;
    out[7] = !next(from, x);
}
