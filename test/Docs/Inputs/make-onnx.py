"""The models of the page on ONNX: net.onnx, and open.onnx, whose input is open.

usage: make-onnx.py FOLDER_OF_THE_WRITER
"""
import sys

sys.path.insert(0, sys.argv[1])
import numpy as np
from models import graph, model, node, tensor, value

weights = np.random.default_rng(1).normal(0, 0.1, (8, 3, 3, 3)).astype(np.float32)
for name, shape in (("net", (1, 3, 32, 32)), ("open", ("N", 3, "H", "W"))):
    with open(name + ".onnx", "wb") as file:
        file.write(model(graph(
            [node("Conv", ["image", "w"], ["c"], pads=[1, 1, 1, 1], name="conv"), node("Relu", ["c"], ["features"])],
            [value("image", "float32", shape)], [value("features", "float32", None)], [tensor("w", weights)])))
