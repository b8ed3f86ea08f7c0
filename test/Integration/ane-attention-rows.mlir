// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-2 --high=2 --max-err=0.01

// Tokens are rows, 41 of them: planes of one lane, in tasks of 16, 16, 8 and 1.

func.func @net(%q: tensor<1x2x40x32xf16>, %k: tensor<1x2x41x32xf16>, %v: tensor<1x2x41x48xf16>) -> tensor<1x2x40x48xf16> {
  %s = ane.matmul %q, %k {transpose_rhs} : tensor<1x2x40x32xf16>, tensor<1x2x41x32xf16> -> tensor<1x2x40x41xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x40x41xf16> -> tensor<1x2x40x41xf16>
  %o = ane.matmul %p, %v : tensor<1x2x40x41xf16>, tensor<1x2x41x48xf16> -> tensor<1x2x40x48xf16>
  return %o : tensor<1x2x40x48xf16>
}
