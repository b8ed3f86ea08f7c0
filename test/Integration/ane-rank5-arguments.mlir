// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin

// A surface has four dimensions: those of an argument are merged once for all
// users, and arrays with all five are taken.

func.func @net(%a: tensor<2x2x3x4x5xf16>) -> (tensor<2x2x3x4x5xf16>, tensor<2x2x6x4x5xf16>, tensor<2x2x3x4x1xf16>) {
  %0 = ane.concat %a, %a {axis = 2 : i64} : tensor<2x2x3x4x5xf16>, tensor<2x2x3x4x5xf16> -> tensor<2x2x6x4x5xf16>
  %1 = ane.reduce max %a {axes = array<i64: 4>} : tensor<2x2x3x4x5xf16> -> tensor<2x2x3x4x1xf16>
  return %a, %0, %1 : tensor<2x2x3x4x5xf16>, tensor<2x2x6x4x5xf16>, tensor<2x2x3x4x1xf16>
}
