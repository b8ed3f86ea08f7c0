// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-2 --high=2 --max-err=0.01

// The scores of a head do not fit into L2: blocks of keys.

func.func @net(%q: tensor<1x32x1x1100xf16>, %k: tensor<1x32x1x1000xf16>, %v: tensor<1x32x1x1000xf16>) -> tensor<1x1x32x1100xf16> {
  %q1 = ane.reshape %q : tensor<1x32x1x1100xf16> -> tensor<1x1x32x1100xf16>
  %k1 = ane.reshape %k : tensor<1x32x1x1000xf16> -> tensor<1x1x32x1000xf16>
  %v1 = ane.reshape %v : tensor<1x32x1x1000xf16> -> tensor<1x1x32x1000xf16>
  %s = ane.matmul %q1, %k1 {transpose_lhs} : tensor<1x1x32x1100xf16>, tensor<1x1x32x1000xf16> -> tensor<1x1x1100x1000xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x1x1100x1000xf16> -> tensor<1x1x1100x1000xf16>
  %o = ane.matmul %v1, %p {transpose_rhs} : tensor<1x1x32x1000xf16>, tensor<1x1x1100x1000xf16> -> tensor<1x1x32x1100xf16>
  return %o : tensor<1x1x32x1100xf16>
}
