#!/usr/bin/python3
"""An 8-bit TOSA function up to one of its values, between casts from and to f32.

usage: cut-quantized.py IN.mlir VALUE OUT.mlir     VALUE as in the file, "%24"
"""
import re
import sys

source, value, target = sys.argv[1:]
lines = open(source, encoding="utf-8").read().split("\n")
begin = next(i for i, line in enumerate(lines) if "func.func @" in line)
argument = re.search(r"\((%\w+): tensor<([\dx]+)xi8>", lines[begin])
end = next(i for i, line in enumerate(lines) if line.strip().startswith(value + " = "))
shape = re.search(r"tensor<([\dx]+)xi8>\s*$", lines[end]).group(1)
body = lines[begin + 1 : end + 1]
with open(target, "w", encoding="utf-8") as file:
    file.write(f"func.func @net(%f: tensor<{argument.group(2)}xf32>) -> tensor<{shape}xf32> {{\n"
               f"  {argument.group(1)} = tosa.cast %f : (tensor<{argument.group(2)}xf32>) -> tensor<{argument.group(2)}xi8>\n"
               + "\n".join(body) +
               f"\n  %g = tosa.cast {value} : (tensor<{shape}xi8>) -> tensor<{shape}xf32>\n"
               f"  return %g : tensor<{shape}xf32>\n}}\n")
