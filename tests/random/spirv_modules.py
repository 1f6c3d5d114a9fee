"""SPIR-V of OpenCL C and C++ by another compiler, which a command names: COMMAND IN OUT."""

import shlex
import subprocess
import tempfile
from pathlib import Path


class Refused(Exception):
    """The compiler does not take the program; its first lines."""


def module(command, source, out):
    """The bytes that the command makes of the file."""
    done = subprocess.run([*shlex.split(command), str(source), str(out)], capture_output=True, text=True)
    if done.returncode:
        raise Refused(done.stderr.replace("\n", " | ")[:400])
    return out.read_bytes()


def of_text(command, text):
    """The same of a program's text."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "program.cl")
        file.write_text(text)
        return module(command, file, file.with_suffix(".spv"))
