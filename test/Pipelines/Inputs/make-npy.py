# Writes small .npy files: make-npy.py OUT DTYPE SHAPE VALUES..., e.g. w.npy '<f4' '(2, 2)' 1 2 3 4
import struct
import sys

out, dtype, shape, *values = sys.argv[1:]
header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}"
header = header.ljust(128 - 11) + "\n"
code = {"<f4": "f", "<f2": "e", "|i1": "b", "|u1": "B", "<i2": "h", "<i4": "i", "<i8": "q"}[dtype]
with open(out, "wb") as f:
    f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    f.write(struct.pack(f"<{len(values)}{code}", *[(float if code in "fe" else int)(v) for v in values]))
