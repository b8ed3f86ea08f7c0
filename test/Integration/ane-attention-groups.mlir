// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-2 --high=2 --max-err=0.01

// Three heads of queries for each of two groups of keys and values.

func.func @net(%q: tensor<2x3x32x64xf16>, %k: tensor<2x1x32x96xf16>, %v: tensor<2x1x32x96xf16>) -> tensor<2x3x32x64xf16> {
  %s = ane.matmul %q, %k {transpose_lhs} : tensor<2x3x32x64xf16>, tensor<2x1x32x96xf16> -> tensor<2x3x64x96xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<2x3x64x96xf16> -> tensor<2x3x64x96xf16>
  %o = ane.matmul %v, %p {transpose_rhs} : tensor<2x1x32x96xf16>, tensor<2x3x64x96xf16> -> tensor<2x3x32x64xf16>
  return %o : tensor<2x3x32x64xf16>
}
