#!/usr/bin/env python3
"""Write a function that adds N inputs up, in the ane dialect: many-tensors.py N > FILE."""
import sys

TYPE = "tensor<1x16x1x32xf16>"
count = int(sys.argv[1])
print(f"func.func @sum({', '.join(f'%a{i}: {TYPE}' for i in range(count))}) -> {TYPE} {{")
total = "%a0"
for i in range(1, count):
    print(f"  %{i} = ane.elementwise add {total}, %a{i} : {TYPE}, {TYPE} -> {TYPE}")
    total = f"%{i}"
print(f"  return {total} : {TYPE}\n}}")
