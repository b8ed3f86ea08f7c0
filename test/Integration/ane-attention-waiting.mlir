// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-2 --high=2 --max-err=0.01

// L2 holds the queries of one head beside what they are made of: those of the
// second one wait there, those of the first one mix halves of the values.

func.func @net(%z: tensor<1x588x1x1024xf16>, %k: tensor<1x384x1x600xf16>, %v: tensor<1x128x1x600xf16>) -> tensor<1x2x64x1024xf16> {
  %w = ane.constant dense<0.001> : tensor<384x588x1x1xf16>
  %q = ane.conv %z, %w : tensor<1x588x1x1024xf16>, tensor<384x588x1x1xf16> -> tensor<1x384x1x1024xf16>
  %q1 = ane.reshape %q : tensor<1x384x1x1024xf16> -> tensor<1x2x192x1024xf16>
  %k1 = ane.reshape %k : tensor<1x384x1x600xf16> -> tensor<1x2x192x600xf16>
  %v1 = ane.reshape %v : tensor<1x128x1x600xf16> -> tensor<1x2x64x600xf16>
  %s = ane.matmul %q1, %k1 {transpose_lhs} : tensor<1x2x192x1024xf16>, tensor<1x2x192x600xf16> -> tensor<1x2x1024x600xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x2x1024x600xf16> -> tensor<1x2x1024x600xf16>
  %o = ane.matmul %v1, %p {transpose_rhs} : tensor<1x2x64x600xf16>, tensor<1x2x1024x600xf16> -> tensor<1x2x64x1024xf16>
  return %o : tensor<1x2x64x1024xf16>
}
