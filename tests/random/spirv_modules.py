"""SPIR-V of OpenCL C and C++ by another compiler, which a command names: COMMAND IN OUT."""

import shlex
import subprocess


class Refused(Exception):
    """The compiler does not take the program; its first lines."""


def module(command, source, out):
    """The bytes that the command makes of the file."""
    done = subprocess.run([*shlex.split(command), str(source), str(out)], capture_output=True, text=True)
    if done.returncode:
        raise Refused(done.stderr.replace("\n", " | ")[:400])
    return out.read_bytes()
