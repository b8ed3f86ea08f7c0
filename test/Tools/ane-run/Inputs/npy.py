"""Small .npy files without numpy.

npy.py write TYPE SHAPE FILE [VALUE ...]   TYPE f2 f4 f8 i1 u1 i4 i8, big-endian with > in front,
                                           SHAPE 1x2x3; values repeat
npy.py print FILE                          type, shape, values
"""
import ast
import struct
import sys

FORMATS = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "u1": "B", "i4": "i", "i8": "q"}


def write(kind, shape, path, values):
    dims = tuple(int(d) for d in shape.split("x"))
    count = 1
    for d in dims:
        count *= d
    order, kind = (">", kind[1:]) if kind[0] == ">" else ("<", kind)
    code = ("|" if kind[1] == "1" else order) + kind
    text = repr({"descr": code, "fortran_order": False, "shape": dims}).encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    number = float if kind[0] == "f" else int
    data = [number(values[i % len(values)]) for i in range(count)] if values else [0] * count
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text)
        f.write(struct.pack("%s%d%s" % (order, count, FORMATS[kind]), *data))


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
    print(kind, "x".join(map(str, header["shape"])) or "scalar", *("%g" % v for v in values))


if sys.argv[1] == "write":
    write(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:])
else:
    show(sys.argv[2])
