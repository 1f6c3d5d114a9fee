"""What atomics may give: results, and whether an order of them explains all that was seen."""

import numpy as np

DTYPES = {"int": np.int32, "uint": np.uint32, "long": np.int64, "ulong": np.uint64, "half": np.float16, "float": np.float32, "double": np.float64}
# Their widths.
FLOATS = {"half": 16, "float": 32, "double": 64}


class Hash:
    """A number of a work-item and a round, the same in the kernel and here."""

    def __init__(self, r):
        self.a, self.b, self.c, self.shift = r.getrandbits(32) | 1, r.getrandbits(32), r.getrandbits(32), r.choice([3, 7, 13])

    def text(self):
        x = f"(gid * {self.a}u + k * {self.b}u + {self.c}u)"
        return f"({x} ^ ({x} >> {self.shift}))"

    def of(self, gid, k):
        with np.errstate(all="ignore"):
            x = gid.astype(np.uint32) * np.uint32(self.a) + np.uint32(k * self.b & 0xFFFFFFFF) + np.uint32(self.c)
        return x ^ (x >> np.uint32(self.shift))


def saturated(old, v):
    limits = np.iinfo(old.dtype)
    with np.errstate(all="ignore"):
        made = old + v
    if limits.min == 0:
        return np.where(made < old, old.dtype.type(limits.max), made)
    made = np.where((v > 0) & (made < old), old.dtype.type(limits.max), made)
    return np.where((v < 0) & (made > old), old.dtype.type(limits.min), made)


def result_of(op, change, old, v):
    """What each operation makes of the value that it finds."""
    one = old.dtype.type(1)
    with np.errstate(all="ignore"):
        if op == "cas":
            return {"mul": lambda: old * old.dtype.type(5) + v, "sat": lambda: saturated(old, v), "mix": lambda: (old ^ v) + one,
                    "sum": lambda: old + v, "top": lambda: np.maximum(old, v)}[change]()
        return {"add": lambda: old + v, "sub": lambda: old - v, "inc": lambda: old + one, "dec": lambda: old - one, "xchg": lambda: v,
                "min": lambda: np.minimum(old, v), "max": lambda: np.maximum(old, v), "and": lambda: old & v, "or": lambda: old | v,
                "xor": lambda: old ^ v, "load": lambda: old, "cmpxchg": lambda: np.where(old == (v & old.dtype.type(3)), v, old)}[op]()


def one_path(first, last, came, went):
    """Whether edges can all be walked once each from first to last; what is wrong if not."""
    nodes, index = np.unique(np.concatenate([np.array([first, last], came.dtype), came, went]), return_inverse=True)
    begin, end, a, b = index[0], index[1], index[2:2 + len(came)], index[2 + len(came):]
    balance = np.bincount(a, minlength=len(nodes)) - np.bincount(b, minlength=len(nodes))
    balance[begin] -= 1
    balance[end] += 1
    if balance.any():
        bad = np.flatnonzero(balance)
        return f"{len(came)} changes from {first} to {last}: {nodes[bad[0]]} is left {int(balance[bad[0]]):+d} times more than it is made"
    # All edges hang together, with the first value.
    parent = np.arange(len(nodes))

    def root(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x
    for x, y in zip(a, b):
        parent[root(x)] = root(y)
    loose = [nodes[x] for x in a if root(x) != root(begin)]
    return f"{len(came)} changes from {first} to {last}: {loose[0]} was never there" if loose else None


def commuted(first, last, ops, v):
    """Whether operations that commute have made the last value."""
    value = np.array([first])
    for op, x in zip(ops, v):
        value = result_of(op, None, value, np.array([x], v.dtype))
    return None if value[0] == last else f"{len(v)} changes from {first} make {value[0]}, not {last}"
