"""Literals of real MIL texts, through our printer and back.

usage: literals.py ANE_TRANSLATE GOLDEN_MIL

Takes every scalar and tensor literal out of the texts in Apple's exact layout,
hands its bits to the mil dialect and demands the same characters back.
"""
import os
import re
import struct
import subprocess
import sys

tool, folder = sys.argv[1:]
ELEMENTS = {"fp16": ("f16", "<e", "<H"), "fp32": ("f32", "<f", "<I"), "int32": ("i32", None, None),
            "int8": ("i8", None, None), "bool": ("i1", None, None), "string": ("!mil.string", None, None)}
LITERAL = re.compile(
    r"(?:tensor<(?P<t>\w+), \[(?P<dims>[\d, ]*)\]>|\b(?P<s>fp16|fp32|int32|int8|bool|string))"
    r"\((?P<v>\[[^()]*\]|-?0x[\da-f.]+p[-+]\d+|-?inf|nan|-?\d+|true|false|\"[^\"]*\")\)")


def element(kind, text):
    mlir, as_float, as_int = ELEMENTS[kind]
    if as_float is None:
        return text
    value = float.fromhex(text) if "0x" in text else float(text)
    bits = struct.unpack(as_int, struct.pack(as_float, value))[0]
    return f"0x{bits:0{4 if kind == 'fp16' else 8}x}"


def attribute(kind, dims, text):
    mlir = ELEMENTS[kind][0]
    if not text.startswith("["):
        value = element(kind, text)
        if dims is not None:
            return f"dense<{value}> : tensor<{mlir}>", f"tensor<{mlir}>"
        return (value, mlir) if kind == "bool" else (f"{value} : {mlir}", mlir)
    numbers = re.sub(r'"[^"]*"|[^\[\], ]+', lambda m: element(kind, m.group()), text)
    shape = "x".join(d.strip() for d in dims.split(",")) + "x"
    return f"dense<{numbers}> : tensor<{shape}{mlir}>", f"tensor<{shape}{mlir}>"


found = {}
for name in open(os.path.join(folder, "BYTE_EXACT.txt")).read().split():
    for m in LITERAL.finditer(open(os.path.join(folder, name)).read()):
        kind = m["t"] or m["s"]
        if kind in ELEMENTS:
            found[m.group()] = attribute(kind, m["dims"], m["v"])
assert len(found) > 300, f"only {len(found)} literals"
assert any(k.startswith("tensor<fp16") for k in found) and any("p-" in k for k in found)

# A literal in the old spelling, tensor<T, []>(v), is the same in the new one for
# a tensor of rank 0.
lines = [f"%{i} = mil.const {value} {{}} : {type}" for i, (value, type) in enumerate(found.values())]
source = ('mil.program version "1.3" {} {\nmil.func @main opset "ios18" () names [] {} {\n'
          + "\n".join(lines) + "\nmil.return\n}\n}\n")
run = subprocess.run([tool, "--to-mil", "-"], input=source, capture_output=True, text=True)
assert run.returncode == 0, run.stderr[:2000]
printed = re.findall(r"const\(\)\[val = (.*)\];\n", run.stdout)
assert len(printed) == len(found), (len(printed), len(found))
bad = [(want, got) for want, got in zip(found, printed) if want != got]
for want, got in bad[:10]:
    print(f"want {want[:200]}\n got {got[:200]}")
print(f"{len(found) - len(bad)} of {len(found)} literals equal")
sys.exit(bool(bad))
