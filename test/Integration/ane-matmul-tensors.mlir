// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --max-err=0.005

// Coefficients are rows of arguments as they lie. The last one could have base
// 7, which no header can name for coefficients.

func.func @net(%x: tensor<1x1x16x32xf16>, %a: tensor<1x1x16x16xf16>, %b: tensor<1x1x16x16xf16>) -> tensor<1x1x16x32xf16> {
  %0 = ane.matmul %a, %x : tensor<1x1x16x16xf16>, tensor<1x1x16x32xf16> -> tensor<1x1x16x32xf16>
  %1 = ane.matmul %b, %0 : tensor<1x1x16x16xf16>, tensor<1x1x16x32xf16> -> tensor<1x1x16x32xf16>
  return %1 : tensor<1x1x16x32xf16>
}
