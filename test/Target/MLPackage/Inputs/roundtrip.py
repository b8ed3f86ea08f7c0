"""Text -> package -> text is the same text, up to where weights lie.

usage: roundtrip.py TOOL FOLDER SCRATCH    for all .mil below FOLDER
Weight files that programs refer to are made up. A reference is compared by the
bytes that it refers to, a literal that belongs into the weight file by its bytes.
"""
import concurrent.futures
import glob
import hashlib
import os
import re
import shutil
import struct
import subprocess
import sys

# element type -> number in weight files, bits
TYPES = {"fp16": (1, 16), "fp32": (2, 32), "uint8": (3, 8), "int8": (4, 8), "bf16": (5, 16), "int16": (6, 16), "uint16": (7, 16),
         "int4": (8, 4), "uint1": (9, 1), "uint2": (10, 2), "uint4": (11, 4), "uint3": (12, 3), "uint6": (13, 6), "int32": (14, 32),
         "uint32": (15, 32)}
PACK = {"fp16": "e", "fp32": "f", "uint8": "B", "int8": "b", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I"}
VALUE = r'tensor<(\w+), \[([\d, ]*)\]>'
REFERENCE = re.compile(VALUE + r'\(BLOBFILE\(path = (?:string|tensor<string, \[\]>)\("([^"]*)"\), offset = (?:uint64|tensor<uint64, \[\]>)\((\d+)\)\)\)')
SCALAR = re.compile(r'\b(fp16|fp32)\(([^()]*)\)|tensor<(fp16|fp32), \[\]>\(([^()]*)\)')
LITERAL = re.compile(VALUE + r'\((\[[^()]*\])\)')


def count(dims):
    result = 1
    for d in filter(None, dims.split(", ")):
        result *= int(d)
    return result


def made_up(dtype, dims, path, offset):
    bits = TYPES[dtype][1] * count(dims)
    seed = hashlib.sha256(f"{path}{offset}{dtype}".encode()).digest()
    data = bytearray((seed * ((bits + 7) // 8 // 32 + 1))[:(bits + 7) // 8])
    if bits % 8:
        data[-1] &= (1 << bits % 8) - 1
    return bytes(data)


def make_weights(text, root):
    """Records where the program wants them, data behind all of them."""
    files = {}
    for dtype, dims, path, offset in REFERENCE.findall(text):
        files.setdefault(path, {})[int(offset)] = (dtype, dims)
    for path, blobs in files.items():
        out = bytearray(struct.pack("<II56x", len(blobs), 2))
        out += bytes((max(blobs) + 64 - len(out) + 63) // 64 * 64)
        for offset, (dtype, dims) in blobs.items():
            data = made_up(dtype, dims, path, offset)
            struct.pack_into("<IIQQQ", out, offset, 0xDEADBEEF, TYPES[dtype][0], len(data), len(out),
                             8 * len(data) - TYPES[dtype][1] * count(dims))
            out += data + bytes(-len(data) % 64)
        name = os.path.join(root, path.removeprefix("@model_path/"))
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "wb") as file:
            file.write(out)
    return len(files)


def number(text):
    return float.fromhex(text) if "x" in text else float(text)


def by_content(text, root):
    def reference(match):
        dtype, dims, path, offset = match.groups()
        with open(os.path.join(root, path.removeprefix("@model_path/")), "rb") as file:
            raw = file.read()
        magic, number, size, place = struct.unpack_from("<IIQQ", raw, int(offset))
        assert (magic, number) == (0xDEADBEEF, TYPES[dtype][0])
        return f"tensor<{dtype}, [{dims}]>(#{hashlib.sha256(raw[place:place + size]).hexdigest()})"

    def literal(match):
        dtype, dims, values = match.groups()
        wide = dtype in ("int16", "uint16", "int32", "uint32")
        few = count(dims) < 10 and not dtype.startswith("fp")
        if few or dtype not in PACK or wide and not re.search("<ios18>", text):
            return match[0]
        numbers = re.findall(r"[^\[\], ]+", values)
        convert = number if dtype.startswith("fp") else int
        raw = struct.pack(f"<{len(numbers)}{PACK[dtype]}", *map(convert, numbers))
        return f"tensor<{dtype}, [{dims}]>(#{hashlib.sha256(raw).hexdigest()})"
    # Text keeps how people wrote a number, packages do not.
    text = SCALAR.sub(lambda m: f"{m[1] or m[3]}({struct.pack('<' + PACK[m[1] or m[3]], number(m[2] or m[4])).hex()})", text)
    return LITERAL.sub(literal, REFERENCE.sub(reference, text))


def one(tool, path, scratch):
    """What is wrong, or None; and whether there were weights."""
    def run(*arguments):
        done = subprocess.run([tool, *arguments], capture_output=True, timeout=60)
        if done.returncode:
            raise RuntimeError(done.stderr.decode()[:400])
        return done.stdout.decode()

    shutil.rmtree(scratch, ignore_errors=True)
    root, package = scratch + "/root", scratch + "/x.mlpackage"
    os.makedirs(root)
    ir, again = root + "/x.mlir", root + "/y.mlir"
    has_weights = False
    try:
        run("--from-mil", path, "-o", ir)
        before = run("--to-mil", ir)
        has_weights = bool(make_weights(before, root))
        run("--to-mlpackage", "--mil-root=" + root, ir, "-o", package)
        run("--from-mlpackage", package, "-o", again)
        want = by_content(before, root)
        got = by_content(run("--to-mil", again), package + "/Data/com.apple.CoreML")
        if want == got:
            return None, has_weights
        pairs = [(a, b) for a, b in zip(want.split("\n"), got.split("\n")) if a != b]
        return f"{path}: {pairs[:2]}", has_weights
    except RuntimeError as error:
        return f"{path}: {error}", has_weights


def main(tool, folder, scratch):
    files = sorted(glob.glob(folder + "/**/*.mil", recursive=True))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda item: one(tool, item[1], f"{scratch}/{item[0]}"), enumerate(files)))
    bad = [message for message, _ in results if message]
    with_weights = sum(has for _, has in results)
    print("\n".join(bad))
    print(f"{len(files) - len(bad)} of {len(files)} programs, {with_weights} with weights")
    return bad, len(files), with_weights


if __name__ == "__main__":
    bad, files, with_weights = main(*sys.argv[1:])
    sys.exit(bool(bad) or files == 0)
