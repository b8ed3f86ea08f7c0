"""A value whose parts change places again and again, through views alone: each time there are twice as many ways.

usage: swapped-parts.py COUNT
"""
import sys

count, whole, part = int(sys.argv[1]), "tensor<1x64x512x64xf16>", "tensor<1x32x512x64xf16>"
print(f"""func.func @swapped(%x: {whole}) -> {whole} {{
  %w = ane.constant dense<0.01> : tensor<64x64x1x1xf16>
  %first = ane.conv %x, %w : {whole}, tensor<64x64x1x1xf16> -> {whole}
  %v0 = ane.activation %first {{function = #ane.act<relu>}} : {whole} -> {whole}""")
for i in range(count):
    for name, start in (("a", 0), ("b", 32)):
        print(f"  %{name}{i} = ane.slice %v{i} {{offsets = array<i64: 0, {start}, 0, 0>, sizes = array<i64: 1, 32, 512, 64>, "
              f"strides = array<i64: 1, 1, 1, 1>}} : {whole} -> {part}")
    print(f"  %v{i + 1} = ane.concat %b{i}, %a{i} {{axis = 1 : i64}} : {part}, {part} -> {whole}")
print(f"""  %last = ane.conv %v{count}, %w : {whole}, tensor<64x64x1x1xf16> -> {whole}
  %sum = ane.elementwise add %last, %v0 : {whole}, {whole} -> {whole}
  return %sum : {whole}
}}""")
