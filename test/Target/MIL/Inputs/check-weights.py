"""Every BLOBFILE of a text is a record of its weight file, with the type and size
that the text says, and the file holds nothing else.

usage: check-weights.py TEXT WEIGHTS EXPECTED_COUNT"""
import math
import re
import struct
import sys

text, blob = open(sys.argv[1]).read(), open(sys.argv[2], "rb").read()
TYPES = {"fp16": (1, 2), "fp32": (2, 4)}
referred = {}
for element, dims, offset in re.findall(
        r"tensor<(\w+), \[([\d, ]+)\]>\(BLOBFILE\(path = string\(\"@model_path/weights/weight.bin\"\), "
        r"offset = uint64\((\d+)\)\)\)", text):
    referred.setdefault(int(offset), set()).add((element, math.prod(int(d) for d in dims.split(","))))
assert text.count("BLOBFILE") >= len(referred)

count, version = struct.unpack_from("<II", blob)
assert version == 2 and count == len(referred) == int(sys.argv[3]), (version, count, len(referred))
position = 64
for offset in sorted(referred):
    assert offset == position, f"a record at {position}, but the text says {offset}"
    magic, kind, size, data, padding = struct.unpack_from("<IIQQQ", blob, offset)
    assert magic == 0xDEADBEEF and data == offset + 64 and padding == 0
    for element, elements in referred[offset]:
        assert (kind, size) == (TYPES[element][0], TYPES[element][1] * elements), (offset, kind, size)
    end = data + size
    position = -(-end // 64) * 64
assert end == len(blob), f"data ends at {end}, the file at {len(blob)}"
