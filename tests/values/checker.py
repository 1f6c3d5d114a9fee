"""Runs kernels and compares what they leave with what a model says."""

import random

from host import Error

# Kernels that wait to be read: devices compile them side by side.
PENDING = 24
SHOWN = 4


class Checker:
    """`results` and `wrong` count elements. With `sample` the tests take one vector size or shape where there are
    several; of their programs a `share` is built."""

    def __init__(self, device, seed, sample, only, share=1.0):
        self.device, self.rng, self.sample, self.only = device, random.Random(seed), sample, only
        self.share, self.choice = share, random.Random(seed + 1)
        self.kernels = self.results = self.wrong = 0
        self.pending, self.turn = [], seed
        flush = lambda config: not device.denormals(config)
        self.flushes = {"float": flush(0x101B), "half": flush(0x1033), "double": flush(0x1032)}

    def wanted(self, name, needs=""):
        return self.only in name and self.device.has(needs)

    def types(self, types):
        """Those that the device has."""
        lacks = {"half": "cl_khr_fp16", "double": "cl_khr_fp64"}
        return [t for t in types if self.device.has(lacks.get(t.name, ""))]

    def some(self, choices):
        """All of them, or another one at each call."""
        if not self.sample:
            return choices
        self.turn += 1
        return [choices[self.turn % len(choices)]]

    def build(self, label, source):
        """A program; None if it is left out, or refused, which is reported."""
        if self.choice.random() >= self.share:
            return None
        try:
            return self.device.build(source)
        except Error as error:
            self.wrong += 1
            print(f"{label}: {error}\n{source[:2000]}", flush=True)

    def run(self, label, program, kernel, args, items, group, checks):
        """`checks`: (index of the buffer, type, wanted bits or None each, whether two bits are close enough or None)."""
        try:
            self.pending.append((label, self.device.start(program, kernel, args, items, group), checks))
        except Error as error:
            self.wrong += 1
            print(f"{label}: {error}", flush=True)
        self.kernels += 1
        if len(self.pending) >= PENDING:
            self.drain()

    def drain(self):
        pending, self.pending = self.pending, []
        for label, buffers, checks in pending:
            try:
                data = self.device.finish(buffers)
            except Error as error:
                self.wrong += 1
                print(f"{label}: {error}", flush=True)
                continue
            for check in checks:
                if callable(check):
                    check(label, data)
                else:
                    index, of, want, close = check
                    self.compare(label, of, of.unpack(data[index]), want, close)

    def compare(self, label, of, got, want, close=None, about=None):
        bad = [i for i, (g, w) in enumerate(zip(got, want)) if w is not None and g != w and not self.near(of, g, w, close)]
        self.results += sum(w is not None for w in want)
        if bad:
            self.wrong += len(bad)
            first = ", ".join(f"[{i}] {of.show(got[i])} not {of.show(want[i])}{about(i) if about else ''}" for i in bad[:SHOWN])
            print(f"{label}: {len(bad)} of {len(want)}: {first}", flush=True)

    def near(self, of, got, want, close):
        if of.is_nan(want) or of.is_nan(got):
            return of.is_nan(want) and of.is_nan(got)
        # The least normal number may be what a denormal one was rounded to.
        if self.flushes.get(of.name) and 0 < want & (of.sign - 1) <= 1 << (of.digits - 1):
            return got & (of.sign - 1) == 0
        return close is not None and close(of.number(got), of.number(want))
