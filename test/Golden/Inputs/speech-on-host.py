"""Both halves of the 8-bit speech network against all of it on the CPU. usage: speech-on-host.py WHOLE.mlir HOST.mlir"""
import sys

import numpy as np

import ane

whole, parts = (ane.load_host(path) for path in sys.argv[1:])
random = np.random.default_rng(3)
for _ in range(8):
    sound = random.integers(-128, 128, (1, 1960)).astype(np.int8)
    want, got = (np.asarray(list(network.run([sound]).values())[0]) for network in (whole, parts))
    steps = np.abs(want.astype(int) - got.astype(int)).max()
    assert got.dtype == np.int8 and want.max() > want.min() and steps <= 1, (want, got)
