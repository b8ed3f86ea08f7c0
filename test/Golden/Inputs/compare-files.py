"""Compares register programs byte by byte.

usage: compare-files.py OURS THEIRS

Only the digests in the names of coefficient streams, 64 hexadecimal digits each, may
differ. Prints the places of all other differences.
"""
import re
import sys

ours, theirs = (open(path, "rb").read() for path in sys.argv[1:3])
DIGEST = re.compile(rb"(?<![0-9A-F])[0-9A-F]{64}(?![0-9A-F])")
spans = [[match.span() for match in DIGEST.finditer(data)] for data in (ours, theirs)]
if spans[0] != spans[1]:
    sys.exit(f"ours names {len(spans[0])} streams, theirs {len(spans[1])}, or at other places")
if len(ours) != len(theirs):
    sys.exit(f"ours has {len(ours)} bytes, theirs {len(theirs)}")
digests = {at for start, end in spans[0] for at in range(start, end)}
different = [at for at in range(len(ours)) if ours[at] != theirs[at] and at not in digests]
for at in different[:20]:
    print(f"byte 0x{at:x}: ours {ours[at]:02x}, theirs {theirs[at]:02x}")
print(f"{len(ours)} bytes, {len(digests)} in digests, {len(different)} others differ")
sys.exit(bool(different))
