"""Small .npy files without numpy.

npy.py write TYPE SHAPE FILE [VALUE ...]   TYPE f2 f4 i1 u1, SHAPE 1x2x3; values repeat
npy.py print FILE                          type, shape, values
"""
import ast
import struct
import sys

FORMATS = {"f2": "e", "f4": "f", "i1": "b", "u1": "B"}


def write(kind, shape, path, values):
    dims = tuple(int(d) for d in shape.split("x"))
    count = 1
    for d in dims:
        count *= d
    code = ("<" if kind[0] == "f" else "|") + kind
    text = repr({"descr": code, "fortran_order": False, "shape": dims}).encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    number = float if kind[0] == "f" else int
    data = [number(values[i % len(values)]) for i in range(count)] if values else [0] * count
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text)
        f.write(struct.pack("<%d%s" % (count, FORMATS[kind]), *data))


def show(path):
    with open(path, "rb") as f:
        bytes = f.read()
    assert bytes[:8] == b"\x93NUMPY\x01\x00", bytes[:8]
    (length,) = struct.unpack_from("<H", bytes, 8)
    header = ast.literal_eval(bytes[10 : 10 + length].decode())
    kind = header["descr"][1:]
    data = bytes[10 + length :]
    count = len(data) // struct.calcsize(FORMATS[kind])
    values = struct.unpack("<%d%s" % (count, FORMATS[kind]), data)
    print(kind, "x".join(map(str, header["shape"])), *("%g" % v for v in values))


if sys.argv[1] == "write":
    write(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:])
else:
    show(sys.argv[2])
