"""What fuzz-networks.py takes for a difference of results."""
import importlib.util
import os
import struct
import sys

sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("fuzz", os.path.join(sys.argv[1], "fuzz-networks.py"))
fuzz = importlib.util.module_from_spec(spec)
spec.loader.exec_module(fuzz)


def array(*values):
    return bytes(128) + struct.pack(f"<{len(values)}e", *values)


nan, inf = float("nan"), float("inf")
pairs = [(array(1, inf, nan), array(1, inf, nan)), (array(4, -1), array(4, -2)), (array(1, 2), array(1, nan)), (array(0), array(0))]
print(*(float(fuzz.difference(*pair)) for pair in pairs))
