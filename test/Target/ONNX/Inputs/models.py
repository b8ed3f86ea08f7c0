"""Models of ONNX, byte by byte: the numbers of fields are those of onnx.proto."""
import struct

import numpy as np

TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7, "bool": 9, "float16": 10, "float64": 11}


def varint(number):
    number &= (1 << 64) - 1
    out = b""
    while True:
        out += bytes([number & 127 | (128 if number > 127 else 0)])
        number >>= 7
        if not number:
            return out


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def tensor(name, array, external=None):
    array = np.asarray(array)
    out = b"".join(field(1, size) for size in array.shape) + field(2, TYPES[array.dtype.name]) + field(8, name)
    if external is None:
        return out + field(9, array.tobytes())
    for key, value in external.items():
        out += field(13, field(1, key) + field(2, str(value)))
    return out + field(14, 1)


def value(name, kind, shape):
    """A dimension that is a string is open."""
    dims = b"" if shape is None else field(2, b"".join(
        field(1, field(1, size) if isinstance(size, int) else field(2, size)) for size in shape))
    return field(1, name) + field(2, field(1, field(1, TYPES[kind]) + dims))


def attribute(name, given):
    out = field(1, name)
    if isinstance(given, int):
        return out + field(3, given) + field(20, 2)
    if isinstance(given, float):
        return out + field(2, given) + field(20, 1)
    if isinstance(given, str):
        return out + field(4, given) + field(20, 3)
    if isinstance(given, np.ndarray):
        return out + field(5, tensor("", given)) + field(20, 4)
    if isinstance(given, bytes):
        return out + field(6, given) + field(20, 5)
    if given and isinstance(given[0], float):
        return out + b"".join(field(7, each) for each in given) + field(20, 6)
    if given and isinstance(given[0], str):
        return out + b"".join(field(9, each) for each in given) + field(20, 8)
    return out + b"".join(field(8, each) for each in given) + field(20, 7)


def node(kind, inputs, outputs, domain="", name="", **attributes):
    out = b"".join(field(1, each) for each in inputs) + b"".join(field(2, each) for each in outputs)
    if name:
        out += field(3, name)
    out += field(4, kind) + b"".join(field(5, attribute(*each)) for each in attributes.items())
    return out + (field(7, domain) if domain else b"")


def graph(nodes, inputs, outputs, weights=(), name="net"):
    return (b"".join(field(1, each) for each in nodes) + field(2, name) + b"".join(field(5, each) for each in weights) +
            b"".join(field(11, each) for each in inputs) + b"".join(field(12, each) for each in outputs))


def model(body, opset=17, functions=(), others=()):
    out = field(1, 8) + field(2, "test") + field(7, body) + field(8, field(2, opset))
    for domain, version in others:
        out += field(8, field(1, domain) + field(2, version))
    return out + b"".join(field(25, each) for each in functions)


def function(name, domain, inputs, outputs, nodes):
    return (field(1, name) + b"".join(field(4, each) for each in inputs) +
            b"".join(field(5, each) for each in outputs) + b"".join(field(7, each) for each in nodes) +
            field(9, field(2, 17)) + field(10, domain))
