// RUN: %python %ane_src/utils/check-ane.py %s --bin %ane_bin

// Half of the divisors are the guard, whose inverse f16 does not hold: 0, not NaN.

func.func @net(%x: tensor<1x4x8x32xf16>) -> (tensor<1x4x8x32xf16>, tensor<1x4x8x1xf16>) {
  %e = ane.constant dense<1.0e-5> : tensor<1x1x1x1xf32>
  %r = ane.activation %x {function = #ane.act<relu>} : tensor<1x4x8x32xf16> -> tensor<1x4x8x32xf16>
  %d = ane.elementwise add %r, %e : tensor<1x4x8x32xf16>, tensor<1x1x1x1xf32> -> tensor<1x4x8x32xf16>
  %q = ane.elementwise div %r, %d : tensor<1x4x8x32xf16>, tensor<1x4x8x32xf16> -> tensor<1x4x8x32xf16>
  %z = ane.elementwise min %r, %e : tensor<1x4x8x32xf16>, tensor<1x1x1x1xf32> -> tensor<1x4x8x32xf16>
  %s = ane.reduce min %z {axes = array<i64: 3>} : tensor<1x4x8x32xf16> -> tensor<1x4x8x1xf16>
  %m = ane.elementwise max %s, %e : tensor<1x4x8x1xf16>, tensor<1x1x1x1xf32> -> tensor<1x4x8x1xf16>
  %o = ane.elementwise div %s, %m : tensor<1x4x8x1xf16>, tensor<1x4x8x1xf16> -> tensor<1x4x8x1xf16>
  return %q, %o : tensor<1x4x8x32xf16>, tensor<1x4x8x1xf16>
}
