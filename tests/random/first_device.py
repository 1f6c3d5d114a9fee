"""The first platform's first device by pyopencl, which is imported where a device is asked for: what a host gives can be kept without it."""

import os
import warnings


class FirstDevice:
    def __init__(self):
        os.environ |= {"PYOPENCL_NO_CACHE": "1", "CALDERA_CACHE": "0"}
        # What compilers warn of.
        warnings.simplefilter("ignore")
        import pyopencl as cl

        self.cl = cl
        self.device = cl.get_platforms()[0].get_devices()[0]
        self.context = cl.Context([self.device])
        self.queue = cl.CommandQueue(self.context)
        self.extensions = frozenset(self.device.extensions.split())
