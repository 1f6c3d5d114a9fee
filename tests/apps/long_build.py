"""A program that builds ever longer kernels until a build takes so many seconds: pyopencl (tests/apps.rs)."""
import sys
import time

import pyopencl as cl

platform, = cl.get_platforms()
context = cl.Context(platform.get_devices()[:1])
statements, taken = 15000, 0.0
while taken < float(sys.argv[1]):
    statements *= 2
    body = 'x = mad(x, sin(x), cos(x) / x); ' * statements
    start = time.monotonic()
    cl.Program(context, f'kernel void k(global float *p) {{ float x = *p; {body} *p = x; }}').build()
    taken = time.monotonic() - start
print('built')
