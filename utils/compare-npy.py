#!/usr/bin/python3
"""Compares two arrays as networks' outputs are compared: cosine around the mean, and the
largest error over the largest magnitude. Exit 0 when both are within their limits.

usage: compare-npy.py GOT.npy WANT.npy [--min-cos 0.9995] [--max-err 0.02] [--top 5] [--quiet]
Python's standard library is enough; large arrays are faster with numpy.
"""
import argparse
import ast
import math
import os
import struct
import sys

LARGE = 1 << 17  # bytes; below it takes longer to load numpy than to do without
numpy = None


def use_numpy():
    global numpy
    try:
        import numpy
    except ImportError:
        pass


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:6] != b"\x93NUMPY":
        sys.exit(f"{path}: not a .npy file")
    length, start = (struct.unpack_from("<H", data, 8)[0], 10) if data[6] == 1 else (struct.unpack_from("<I", data, 8)[0], 12)
    header = ast.literal_eval(data[start : start + length].decode("latin1"))
    body = data[start + length :]
    code = {"<f2": "e", "<f4": "f", "|u1": "B", "|i1": "b", "|b1": "?", "<i2": "h", "<u2": "H", "<i4": "i", "<i8": "q"}.get(header["descr"])
    if not code:
        sys.exit(f"{path}: type {header['descr']} is not supported")
    if numpy:
        return header["shape"], numpy.frombuffer(body, header["descr"]).astype(float)
    return header["shape"], list(struct.unpack(f"<{len(body) // struct.calcsize(code)}{code}", body))


def measure(got, want):
    """The cosine around the mean, and the largest error over the largest magnitude."""
    if numpy:
        a, b = got - got.mean(), want - want.mean()
        dot, norms = float(a @ b), math.sqrt(float(a @ a) * float(b @ b))
        error, top = float(abs(got - want).max()), float(abs(want).max())
    else:
        mean_got, mean_want = sum(got) / len(got), sum(want) / len(want)
        a, b = [x - mean_got for x in got], [x - mean_want for x in want]
        dot = sum(x * y for x, y in zip(a, b))
        norms = math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))
        error, top = max(abs(x - y) for x, y in zip(got, want)), max(map(abs, want))
    # Constant arrays have no direction: only the error speaks then.
    return dot / norms if norms > 0 else 1.0, error / (top or 1.0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("got")
    parser.add_argument("want")
    parser.add_argument("--min-cos", type=float, default=0.9995)
    parser.add_argument("--max-err", type=float, default=0.02)
    parser.add_argument("--top", type=int, default=0, help="print the largest N values of both")
    parser.add_argument("--quiet", action="store_true")
    options = parser.parse_args()
    if os.path.getsize(options.got) > LARGE:
        use_numpy()
    _, got = read(options.got)
    _, want = read(options.want)
    if len(got) != len(want) or not len(want):
        sys.exit(f"{options.got} has {len(got)} values, {options.want} has {len(want)}")
    for path, values in ((options.got, got), (options.want, want)):
        if not (numpy.isfinite(values).all() if numpy else all(map(math.isfinite, values))):
            sys.exit(f"{path} has values that are not finite")
    cosine, error = measure(got, want)
    if options.top:
        print("   rank   ours: index  value    reference: index  value")
        order = lambda v: sorted(range(len(v)), key=lambda i: -v[i])[: options.top]
        for rank, (i, j) in enumerate(zip(order(got), order(want)), 1):
            print(f"   {rank:4}   {i:11} {got[i]:8.4f} {j:16} {want[j]:8.4f}")
    good = cosine >= options.min_cos and error <= options.max_err
    if not options.quiet or not good:
        print(f"{'agrees' if good else 'DIFFERS'}: cosine {cosine:.6f} (at least {options.min_cos}), "
              f"largest error {error:.5f} (at most {options.max_err})")
    return 0 if good else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:
        sys.exit(f"compare-npy.py: error: {error}")
