"""Neural networks of Core ML as .mlmodel files, byte by byte: the numbers of fields are those of Core ML's format."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../ONNX/Inputs"))
from models import field

LAYERS = {"convolution": 100, "pooling": 120, "activation": 130, "innerProduct": 140, "batchnorm": 160, "mvn": 165,
          "l2normalize": 170, "softmax": 175, "lrn": 180, "crop": 190, "padding": 200, "upsample": 210,
          "resizeBilinear": 211, "unary": 220, "add": 230, "multiply": 231, "average": 240, "scale": 245, "bias": 250,
          "max": 260, "min": 261, "reduce": 280, "loadConstant": 290, "reshape": 300, "flatten": 301, "permute": 310,
          "concat": 320, "split": 330, "reorganizeData": 345, "slice": 350, "simpleRecurrent": 400, "gru": 410,
          "uniDirectionalLSTM": 420, "biDirectionalLSTM": 430, "clip": 660, "erf": 790,
          "gelu": 795, "greaterThan": 830, "addBroadcastable": 880, "subtractBroadcastable": 905, "stack": 925, "softmaxND": 950,
          "splitND": 975, "concatND": 980, "transpose": 985, "sliceStatic": 995, "argMax": 1025, "batchedMatmul": 1045,
          "loadConstantND": 1070, "squeeze": 1120, "expandDims": 1125, "flattenTo2D": 1130, "reshapeStatic": 1140,
          "rankPreservingReshape": 1150, "constantPad": 1155, "reduceMean": 1280, "layerNormalization": 1350}


def fields(message):
    """A message from a dictionary by numbers; lists are repeated."""
    out = b""
    for number, value in message.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                each = fields(each)
            elif isinstance(each, np.ndarray):
                each = weights(each)
            out += field(number, each)
    return out


def weights(array):
    return field(1, np.asarray(array, np.float32).tobytes())


def quantized(array, bits, scale, bias):
    """Of whole numbers; the highest bit of the first one comes first."""
    flat = [int(value) >> i & 1 for value in array.ravel() for i in reversed(range(bits))]
    return field(30, np.packbits(flat).tobytes()) + field(
        40, field(1, bits) + field(101, field(1, np.float32(scale).tobytes()) + field(2, np.float32(bias).tobytes())))


def layer(kind, inputs, outputs, message=None, name=None):
    return (field(1, name or outputs[0]) + b"".join(field(2, each) for each in inputs)
            + b"".join(field(3, each) for each in outputs)
            + field(kind if isinstance(kind, int) else LAYERS[kind], fields(message or {})))


def array(name, shape, kind=65568):
    return field(1, name) + field(3, field(5, b"".join(field(1, size) for size in shape) + field(2, kind)))


def image(name, width, height, color):
    return field(1, name) + field(3, field(4, field(1, width) + field(2, height) + field(3, color)))


def text(name):
    return field(1, name) + field(3, field(3, b""))


def network(layers, exact=False, preprocessing=(), more=b"", rank4=False):
    return (b"".join(field(1, each) for each in layers) + b"".join(field(2, each) for each in preprocessing)
            + (field(5, 1) if exact else b"") + (field(6, 1) if rank4 else b"") + more)


def model(inputs, outputs, body, kind=500, version=4):
    description = b"".join(field(1, each) for each in inputs) + b"".join(field(10, each) for each in outputs)
    return field(1, version) + field(2, description) + field(kind, body)
