"""Functions of ane ops, written for the host and built by stock MLIR, beside their definitions.

usage: ane-on-host.py SOURCE BIN WORK NAME...     of SOURCE/test/Integration/NAME.mlir
"""
import glob
import os
import re
import subprocess
import sys

import numpy as np

source, tools, work, *names = sys.argv[1:]
sys.path[:0] = [os.path.join(source, "python"), os.path.join(source, "utils")]
os.environ["ANE_LIBRARY_DIR"] = os.path.join(tools, "..", "lib")
import ane
import check_results

for name in names:
    folder = os.path.join(work, os.path.basename(name))
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(source, "test", "Integration", name + ".mlir")) as file:
        text = check_results.with_resources(file.read(), "f16")
    path = os.path.join(folder, "net.mlir")
    with open(path, "w") as file:
        file.write(text)
    tool = f"{tools}/ane-opt"
    # Options of passes are separated by spaces, which the whole path may have.
    near = os.path.relpath(folder)
    subprocess.run([tool, path, f"--pass-pipeline=builtin.module(func.func(ane-write-reference{{folder={near} low=-1.0 high=1.0}}))",
                    "-o", os.devnull], check=True)
    subprocess.run([tool, path, "--pass-pipeline=builtin.module(func.func(convert-ane-to-linalg))", "-o", f"{folder}/host.mlir"],
                   check=True)
    with open(f"{folder}/host.mlir") as file:
        assert " ane." not in re.sub(r"ane\.name", "", file.read()), name
    network = ane.load_host(f"{folder}/host.mlir")
    inputs = [np.load(f"{folder}/in{i}.npy") for i in range(len(glob.glob(f"{folder}/in*.npy")))]
    results = network.run([a.astype(t.dtype).reshape(t.shape) for a, t in zip(inputs, network.inputs)])
    for i, got in enumerate(results.values()):
        want = np.load(f"{folder}/want{i}.npy").astype(np.float64)
        got = got.astype(np.float64).reshape(want.shape)
        # One rounding to f16 for each op.
        error = np.abs(got - want).max() / max(np.abs(want).max(), 1e-6)
        assert error < 4e-3, (name, i, error)
        print(f"{name}: largest error {error:.6f}")
