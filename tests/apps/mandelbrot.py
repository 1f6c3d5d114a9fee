"""A Mandelbrot set as PNG; numpy counts the same iterations. The file is argv[1]."""

import struct
import sys
import zlib

import numpy as np
import pyopencl as cl

SOURCE = """
kernel void mandelbrot(global uchar4 *out, global int *counts, int width, int height, int limit) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    double cr = -2.25 + 3.0 * x / width, ci = -1.25 + 2.5 * y / height;
    double zr = 0, zi = 0;
    int n = 0;
    while (n < limit && zr * zr + zi * zi <= 4.0) {
        double t = zr * zr - zi * zi + cr;
        zi = 2.0 * zr * zi + ci;
        zr = t;
        n++;
    }
    uchar v = n == limit ? 0 : (uchar)(255 - 200 * n / limit);
    out[y * width + x] = (uchar4)(v, (uchar)(v / 2), (uchar)(255 - v), 255);
    counts[y * width + x] = n;
}
"""

WIDTH, HEIGHT, LIMIT = 301, 250, 64


def reference():
    """The counts, in double precision; every operation rounds as the kernel's do."""
    cr = np.tile(-2.25 + 3.0 * np.arange(WIDTH) / WIDTH, (HEIGHT, 1))
    ci = np.tile((-1.25 + 2.5 * np.arange(HEIGHT) / HEIGHT)[:, None], (1, WIDTH))
    zr, zi = np.zeros_like(cr), np.zeros_like(ci)
    counts = np.zeros(cr.shape, np.int32)
    alive = np.ones(cr.shape, bool)
    for _ in range(LIMIT):
        alive &= zr * zr + zi * zi <= 4.0
        counts[alive] += 1
        with np.errstate(over="ignore", invalid="ignore"):
            zr, zi = np.where(alive, zr * zr - zi * zi + cr, zr), np.where(alive, 2.0 * zr * zi + ci, zi)
    return counts


def png(pixels):
    """RGBA bytes, height x width x 4, as a PNG file."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    data = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + data


context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
program = cl.Program(context, "#pragma OPENCL FP_CONTRACT OFF\n" + SOURCE).build()
pixels = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
counts = np.zeros((HEIGHT, WIDTH), np.int32)
flags = cl.mem_flags
out = cl.Buffer(context, flags.WRITE_ONLY, pixels.nbytes)
out_counts = cl.Buffer(context, flags.WRITE_ONLY, counts.nbytes)
size = (np.int32(WIDTH), np.int32(HEIGHT), np.int32(LIMIT))
program.mandelbrot(queue, (WIDTH, HEIGHT), None, out, out_counts, *size)
cl.enqueue_copy(queue, pixels, out)
cl.enqueue_copy(queue, counts, out_counts)
expected = reference()
assert (counts == expected).all(), f"{(counts != expected).sum()} pixels differ"
if len(sys.argv) > 1:
    with open(sys.argv[1], "wb") as file:
        file.write(png(pixels))
print(f"{WIDTH}x{HEIGHT} pixels, {counts.sum()} iterations")
