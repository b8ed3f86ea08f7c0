// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=100 --high=101 --max-err=0.0006 --min-cos=0.5

// Sums and means of many rows, whose parts are rounded once each.

func.func @net(%a: tensor<1x3x3001x5xf16>, %b: tensor<1x2x600x3xf16>) -> (tensor<1x3x1x5xf16>, tensor<1x2x1x3xf16>, tensor<1x1x1x3xf16>) {
  %0 = ane.reduce mean %a {axes = array<i64: 2>} : tensor<1x3x3001x5xf16> -> tensor<1x3x1x5xf16>
  %1 = ane.reduce sum %b {axes = array<i64: 2>} : tensor<1x2x600x3xf16> -> tensor<1x2x1x3xf16>
  %2 = ane.reduce mean %b {axes = array<i64: 1, 2>} : tensor<1x2x600x3xf16> -> tensor<1x1x1x3xf16>
  return %0, %1, %2 : tensor<1x3x1x5xf16>, tensor<1x2x1x3xf16>, tensor<1x1x1x3xf16>
}
