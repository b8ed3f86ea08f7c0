// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0

// Rows side by side at any place.

func.func @net(%a: tensor<1x3x4x21xf16>, %b: tensor<1x3x4x40xf16>, %c: tensor<1x3x4x5xf16>) -> tensor<1x3x4x66xf16> {
  %0 = ane.concat %a, %b, %c {axis = 3 : i64} : tensor<1x3x4x21xf16>, tensor<1x3x4x40xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x66xf16>
  return %0 : tensor<1x3x4x66xf16>
}
