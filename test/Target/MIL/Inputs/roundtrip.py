"""Texts in Apple's exact layout come back byte for byte; all others can be read
and printed, and printing is a fixed point. usage: roundtrip.py TOOL GOLDEN_MIL"""
import glob
import os
import subprocess
import sys

tool, folder = sys.argv[1:]


def trip(text):
    ir = subprocess.run([tool, "--from-mil", "-"], input=text, capture_output=True, check=True, timeout=60).stdout
    return subprocess.run([tool, "--to-mil", "-"], input=ir, capture_output=True, check=True, timeout=60).stdout


exact = set(open(os.path.join(folder, "BYTE_EXACT.txt")).read().split())
files = sorted(glob.glob(folder + "/**/*.mil", recursive=True))
assert len(exact) > 30 and len(files) > 150, (len(exact), len(files))
bad = []
for path in files:
    name = os.path.relpath(path, folder)
    text = open(path, "rb").read()
    once = trip(text)
    if name in exact:
        if once.rstrip(b"\n") != text.rstrip(b"\n"):
            bad.append(name + " is not byte-equal")
    elif trip(once) != once:
        bad.append(name + " is no fixed point")
print("\n".join(bad))
sys.exit(bool(bad))
