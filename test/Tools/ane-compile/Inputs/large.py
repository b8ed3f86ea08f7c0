"""Writes a network with one large weight as text; the second argument spoils it. With
`quoted` the names of resources are strings."""
import sys

out, faults = sys.argv[1], sys.argv[2:]
fault = faults[0] if faults else ""
quote = '"' if "quoted" in faults else ""
cout, cin = 1024, 1200
digits = ("0000003c" + "000000bc" + "00000000" * 2) * (cout * cin // 4)
if fault == "digit":
    digits = digits[:4000000] + "g" + digits[4000001:]
if fault == "short":
    digits = digits[:-8]
alignment = "03000000" if fault == "alignment" else "04000000"
with open(out, "w") as file:
    file.write(f"""func.func @net(%x: tensor<1x{cin}x1x1xf32>) -> tensor<1x{cout}x1x1xf32> {{
  %w = "tosa.const"() <{{values = dense_resource<w> : tensor<{cout}x1x1x{cin}xf32>}}> : () -> tensor<{cout}x1x1x{cin}xf32>
  %b = "tosa.const"() <{{values = dense_resource<b> : tensor<{cout}xf32>}}> : () -> tensor<{cout}xf32>
  %z = "tosa.const"() <{{values = dense<0.0> : tensor<1xf32>}}> : () -> tensor<1xf32>
  %0 = tosa.transpose %x {{perms = array<i32: 0, 2, 3, 1>}} : (tensor<1x{cin}x1x1xf32>) -> tensor<1x1x1x{cin}xf32>
  %1 = tosa.conv2d %0, %w, %b, %z, %z {{pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32}}
     : (tensor<1x1x1x{cin}xf32>, tensor<{cout}x1x1x{cin}xf32>, tensor<{cout}xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x{cout}xf32>
  %2 = tosa.transpose %1 {{perms = array<i32: 0, 3, 1, 2>}} : (tensor<1x1x1x{cout}xf32>) -> tensor<1x{cout}x1x1xf32>
  return %2 : tensor<1x{cout}x1x1xf32>
{'!' if fault == 'op' else ''}}}
{{-#
  dialect_resources: {{
    builtin: {{
      unused: "0x04000000FFFFFFFF",
      {quote}w{quote}: "0x{alignment}{digits}",
      b: "0x04000000{'0000003F' * cout}"
    }}
  }}
{'#' if fault == 'end' else '#-}'}
""")
