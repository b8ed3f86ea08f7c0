"""Compiles searches and runs them on equal elements, infinities and the smallest numbers.

usage: search-infinite.py BIN FOLDER

An infinity counts as the largest number, and comes out as that.
"""
import os
import subprocess
import sys

import numpy as np

ROWS, SIZE, COUNT = 40, 33, 6
tools, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
path = lambda name: os.path.join(folder, name)


def data():
    rng = np.random.default_rng(1)
    x = rng.integers(-3, 3, (ROWS, SIZE)).astype(np.float16)
    special = np.array([np.inf, -np.inf, 65504, -65504, 0.0, -0.0, 6e-8, -6e-8, 6.1e-5], np.float16)
    x[10:30] = special[rng.integers(0, len(special), (20, SIZE))]
    x[30], x[31], x[32], x[33] = -np.inf, np.inf, -np.inf, special[rng.integers(4, 8, SIZE)]
    x[32, 5], x[34], x[35] = 3, -65504, 65504
    x[36] = 1 + np.arange(SIZE) % 2 * np.float16(2**-10)
    return x


def check(operation, ascending, x):
    count = COUNT if operation == "topk" else 1
    indices = f"tensor<int32, [{ROWS}, {count}]> y = "
    text = f"tensor<fp16, [{ROWS}, {count}]> v, {indices}topk(ascending = bool({str(ascending).lower()}), k = int32({count}), x = x);" \
        if operation == "topk" else f"{indices}{operation}(keep_dims = bool(true), x = x);"
    results = ["y", "v"][:1 + (operation == "topk")]
    with open(path("x.mil"), "w") as file:
        file.write(f"program(1.3)\n{{\n  func main<ios18>(tensor<fp16, [{ROWS}, {SIZE}]> x) {{\n    {text}\n  }} -> ({', '.join(results)});\n}}\n")
    np.save(path("x.npy"), x)
    subprocess.check_call([f"{tools}/ane-compile", path("x.mil"), "-o", path("x.hwx")])
    finite = np.clip(x, -65504, 65504)
    want = {"y": np.argsort(finite if ascending else -finite, -1, kind="stable")[:, :count]}
    want["v"] = np.take_along_axis(finite, want["y"], -1)
    for mode in ("fast", "exact"):
        subprocess.check_call([f"{tools}/ane-run", path("x.hwx"), f"--mode={mode}", "--input", "x=" + path("x.npy")] +
                              [word for name in results for word in ("--output", f"{name}={path(name)}.npy")])
        for name in results:
            got = np.load(path(name) + ".npy").reshape(ROWS, count)
            wrong = np.nonzero((got != want[name]).any(-1))[0]
            print(f"{operation} {mode} {name}: {len(wrong)} rows wrong")
            for row in wrong[:2]:
                print(x[row], got[row], want[name][row])


for case in (("reduce_argmax", False), ("reduce_argmin", True), ("topk", False), ("topk", True)):
    check(*case, data())
