#!/usr/bin/env python3
"""Residual layers of two convolutions, for tests of the planner.

Each argument is a number of layers one after the other; every second run of them
has fewer channels between its convolutions.
"""

import sys

image = "tensor<1x64x56x56xf16>"


def layer(x, y, inner):
    wide = f"tensor<1x{inner}x56x56xf16>"
    return f"""
  %a{y} = ane.conv {x}, %w{inner} {{pad = array<i64: 1, 1, 1, 1>}} : {image}, tensor<{inner}x64x3x3xf16> -> {wide}
  %b{y} = ane.conv %a{y}, %v{inner} : {wide}, tensor<64x{inner}x1x1xf16> -> {image}
  %x{y} = ane.elementwise add {x}, %b{y} : {image}, {image} -> {image}"""


print(f"func.func @layers(%x: {image}) -> {image} {{")
for inner in (256, 192):
    print(f"  %w{inner} = ane.constant dense<0.01> : tensor<{inner}x64x3x3xf16>")
    print(f"  %v{inner} = ane.constant dense<0.02> : tensor<64x{inner}x1x1xf16>")
x = "%x"
number = 0
for run, count in enumerate(map(int, sys.argv[1:])):
    for _ in range(count):
        print(layer(x, number, 192 if run % 2 else 256))
        x = f"%x{number}"
        number += 1
print(f"  return {x} : {image}\n}}")
