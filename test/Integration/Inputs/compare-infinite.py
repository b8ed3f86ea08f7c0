"""Compares numbers and infinities with an infinity, on either side, and counts what is wrong.

usage: compare-infinite.py BIN FOLDER
"""
import os
import subprocess
import sys

import numpy as np

RELATIONS = {"equal": np.equal, "not_equal": np.not_equal, "less": np.less, "less_equal": np.less_equal,
             "greater": np.greater, "greater_equal": np.greater_equal}
tools, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
path = lambda name: os.path.join(folder, name)

values = np.array([np.inf, -np.inf, 65504, -65504, 65472, -65472, 1, -1, 0, 6e-8], np.float16)
x = np.random.default_rng(1).choice(values, (1, 4, 6, 32))
shape = "[1, 4, 6, 32]"
lines, want = [], {}
for name, relation in RELATIONS.items():
    for sign, infinity in (("p", np.float16(np.inf)), ("n", np.float16(-np.inf))):
        for side in "xy":
            result = f"{name}_{sign}_{side}"
            text = "fp16({}inf)".format("-" if infinity < 0 else "")
            known, other = side, "y" if side == "x" else "x"
            lines += [f"tensor<bool, {shape}> {result}_b = {name}({', '.join(sorted([f'{known} = {text}', f'{other} = x']))});",
                      f"tensor<fp16, {shape}> {result} = cast(dtype = string(\"fp16\"), x = {result}_b);"]
            want[result] = relation(infinity, x) if side == "x" else relation(x, infinity)
with open(path("x.mil"), "w") as file:
    file.write("program(1.3)\n{\n  func main<ios18>(tensor<fp16, %s> x) {\n    %s\n  } -> (%s);\n}\n" % (shape, "\n    ".join(lines), ", ".join(want)))
np.save(path("x.npy"), x)
subprocess.check_call([f"{tools}/ane-compile", path("x.mil"), "-o", path("x.hwx")])
for mode in ("fast", "exact"):
    subprocess.check_call([f"{tools}/ane-run", path("x.hwx"), f"--mode={mode}", "--input", "x=" + path("x.npy")] +
                          [word for name in want for word in ("--output", f"{name}={path(name)}.npy")])
    wrong = {name: int((np.load(path(name) + ".npy").reshape(x.shape) != expected).sum()) for name, expected in want.items()}
    print(f"{mode}: {len(wrong)} comparisons, {sum(wrong.values())} wrong", *[f"{name}: {count}" for name, count in wrong.items() if count])
