"""Makes of a file of ours one with what compilers have put into theirs since:
libraries with a code of their own and names without `@output`, a note, a
segment of debug information, a thread and a tensor of unknown kinds.

usage: newer.py FILE NEW
"""
import struct
import sys

data = open(sys.argv[1], "rb").read()
header = list(struct.unpack_from("<8I", data))
commands, at = [], 32
for _ in range(header[4]):
    size = struct.unpack_from("<I", data, at + 4)[0]
    commands.append(bytearray(data[at : at + size]))
    at += size
extra = bytes(range(1, 200))


def command(code, body):
    body += bytes(-len(body) % 8)
    return struct.pack("<2I", code, 8 + len(body)) + body


new = [command(0x19, struct.pack("<16s4Q4I", b"__DEBUG", 0, 0, len(data), len(extra), 0, 0, 1, 0)
                     + struct.pack("<16s16s2Q8I", b"__lines", b"__DEBUG", 0, 150, len(data) + 9, 0, 0, 0, 0, 0, 0, 0))]
for old in commands:
    code = struct.unpack_from("<I", old)[0]
    if code == 6:
        name = old[0x14:].rstrip(b"\0").replace(b"@output", b"")
        old = command(0x40, struct.pack("<4I", 0x18, 0, *struct.unpack_from("<I", old, 0x10), 0) + name + b"\0")
    elif code == 4 and old[0x14] == 2:  # an output: its name inside has more
        old = old[: struct.unpack_from("<I", old, 0x20)[0]] + b"y@output\0y\0"
        old += bytes(-len(old) % 8)
        struct.pack_into("<I", old, 4, len(old))
        struct.pack_into("<I", old, 0x7C, struct.unpack_from("<I", old, 0x20)[0] + 9)
    new.append(bytes(old))
new.insert(-1, command(0x31, b"src model info\0\0" + struct.pack("<3Q", 0x28, 1, 0)))
new.insert(-1, command(4, struct.pack("<2I", 17, 2) + b"whatever"))
body = b"".join(new)
delta = len(body) - (at - 32)
header[4:6] = [len(new), len(body)]
table = bytearray(body)
symbols = len(body) - 24
for offset in (symbols + 8, symbols + 16):
    struct.pack_into("<I", table, offset, struct.unpack_from("<I", table, offset)[0] + delta)
relocations = len(new[0]) + len(new[1]) + 72 + 56
struct.pack_into("<I", table, relocations, struct.unpack_from("<I", table, relocations)[0] + delta)
out = struct.pack("<8I", *header) + bytes(table) + data[at : 0x4000 - delta] + data[0x4000:] + extra
assert not any(data[0x4000 - delta : 0x4000])
open(sys.argv[2], "wb").write(out)
