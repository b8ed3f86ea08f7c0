"""Runs a folder with MIL text on each path of the device of macOS, which a library plays. usage: folder.py FOLDER LIBRARY
COMPILER"""
import os
import sys

sys.dont_write_bytecode = True
os.environ.update(ANE_APPLE_STAND_IN=sys.argv[2], ANE_STAND_IN_COMPILER=sys.argv[3])
import ane
import numpy as np

program = ane.load(sys.argv[1])
x = np.arange(128, dtype=np.float16).reshape(1, 8, 4, 4) / 64
paths = ["standard", "direct", "realtime", "program"]
results = [program.run([x], device=f"apple:path={path},stats")["y"].tobytes() for path in paths]
print(" ".join(paths) + ":", "equal" if len(set(results)) == 1 and any(results[0]) else "different")
