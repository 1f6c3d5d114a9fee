"""A program whose build takes seconds: pyopencl, one kernel of many statements (tests/apps.rs)."""
import sys

import pyopencl as cl

platform, = cl.get_platforms()
context = cl.Context(platform.get_devices()[:1])
body = 'x = mad(x, sin(x), cos(x) / x); ' * int(sys.argv[1])
cl.Program(context, f'kernel void k(global float *p) {{ float x = *p; {body} *p = x; }}').build()
print('built')
