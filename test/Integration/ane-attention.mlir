// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-2 --high=2 --max-err=0.005

// Heads, scores, mask, softmax, values: a layer of a transformer.

func.func @net(%q: tensor<1x40x128xf16>, %k: tensor<1x40x128xf16>, %v: tensor<1x40x128xf16>, %m: tensor<1x1x40x40xf16>) -> tensor<1x40x128xf16> {
  %q1 = ane.reshape %q : tensor<1x40x128xf16> -> tensor<1x40x4x32xf16>
  %k1 = ane.reshape %k : tensor<1x40x128xf16> -> tensor<1x40x4x32xf16>
  %v1 = ane.reshape %v : tensor<1x40x128xf16> -> tensor<1x40x4x32xf16>
  %q2 = ane.transpose %q1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x40x4x32xf16> -> tensor<1x4x40x32xf16>
  %k2 = ane.transpose %k1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x40x4x32xf16> -> tensor<1x4x40x32xf16>
  %v2 = ane.transpose %v1 {perm = array<i64: 0, 2, 1, 3>} : tensor<1x40x4x32xf16> -> tensor<1x4x40x32xf16>
  %s = ane.matmul %q2, %k2 {transpose_rhs} : tensor<1x4x40x32xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x40xf16>
  %t = ane.elementwise add %s, %m {scale = 0.5 : f32} : tensor<1x4x40x40xf16>, tensor<1x1x40x40xf16> -> tensor<1x4x40x40xf16>
  %p = ane.softmax %t {axis = 3 : i64} : tensor<1x4x40x40xf16> -> tensor<1x4x40x40xf16>
  %o = ane.matmul %p, %v2 : tensor<1x4x40x40xf16>, tensor<1x4x40x32xf16> -> tensor<1x4x40x32xf16>
  %o1 = ane.transpose %o {perm = array<i64: 0, 2, 1, 3>} : tensor<1x4x40x32xf16> -> tensor<1x40x4x32xf16>
  %o2 = ane.reshape %o1 : tensor<1x40x4x32xf16> -> tensor<1x40x128xf16>
  return %o2 : tensor<1x40x128xf16>
}
