"""select-infinite.py PREFIX: runs PREFIX.hwx, a choice of 64 channels, on special values."""
import subprocess
import sys

import numpy as np

prefix = sys.argv[1]
values = np.array([np.inf, -np.inf, 65504, -65504, 0, 1.5, -2, 6e-8], dtype=np.float16)
first = np.repeat(values, 8).reshape(1, 64, 1, 1)
second = np.tile(values, 8).reshape(1, 64, 1, 1)
right = 0
for condition in (np.zeros(64), np.ones(64), np.arange(64) % 3 > 0):
    arrays = [first, second, condition.astype(np.uint8).reshape(1, 64, 1, 1)]
    inputs = []
    for i, array in enumerate(arrays):
        np.save(f"{prefix}.{i}.npy", array)
        inputs.append(f"--input={prefix}.{i}.npy")
    subprocess.run(["ane-run", prefix + ".hwx", "--device=sim", *inputs, f"--output={prefix}.y.npy"], check=True)
    right += int((np.load(f"{prefix}.y.npy") == np.where(arrays[2], first, second)).sum())
print(f"{right} of 192 choices are right")
