"""The network of the page on net.plist.

usage: make-plist.py FOLDER_OF_THE_WRITER
"""
import sys

sys.path.insert(0, sys.argv[1])
import numpy as np
from plists import conv, net, unit, write

np.random.default_rng(1).normal(0, 0.1, (8, 3)).astype(np.float16).tofile("net.weights")
write("net.plist", net({"image": (1, 3, 32, 32)}, {**conv("c", "image", 8), **unit("r", "Neuron", "c", {"Type": "ReLU"})},
                       {"features": "r"}, ["net.weights"]))
