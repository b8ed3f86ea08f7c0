// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin --low=-2 --high=2 --max-err=0.01 --intermediates=131072

// Tokens are columns, as convolutions leave them: keys and values go to DRAM once,
// as coefficients; scores and weights stay in L2.

func.func @net(%q: tensor<1x256x1x96xf16>, %k: tensor<1x256x1x64xf16>, %v: tensor<1x256x1x64xf16>) -> tensor<1x256x1x96xf16> {
  %q1 = ane.reshape %q : tensor<1x256x1x96xf16> -> tensor<1x4x64x96xf16>
  %k1 = ane.reshape %k : tensor<1x256x1x64xf16> -> tensor<1x4x64x64xf16>
  %v1 = ane.reshape %v : tensor<1x256x1x64xf16> -> tensor<1x4x64x64xf16>
  %s = ane.matmul %q1, %k1 {transpose_lhs} : tensor<1x4x64x96xf16>, tensor<1x4x64x64xf16> -> tensor<1x4x96x64xf16>
  %p = ane.softmax %s {axis = 3 : i64} : tensor<1x4x96x64xf16> -> tensor<1x4x96x64xf16>
  %o = ane.matmul %v1, %p {transpose_rhs} : tensor<1x4x64x64xf16>, tensor<1x4x96x64xf16> -> tensor<1x4x64x96xf16>
  %o1 = ane.reshape %o : tensor<1x4x64x96xf16> -> tensor<1x256x1x96xf16>
  return %o1 : tensor<1x256x1x96xf16>
}
