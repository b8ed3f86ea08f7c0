// RUN: not ane-compile %s --function=behind -o %t.hwx 2>&1 | FileCheck %s
// RUN: not ane-compile %s --function=front -o %t.hwx 2>&1 | FileCheck %s

// Factors of channels go into the next weights, unless a bias is not known.
// CHECK: error: 'ane.conv' op has coefficients that are no constant, {{.*}} (conv_r3); bind the weights at compile time (--bind)

func.func @behind(%x: tensor<1x8x4x4xf16>, %b: tensor<8xf16>) -> tensor<1x8x4x4xf16> {
  %w0 = ane.constant dense<2.0> : tensor<8x1x1x1xf16>
  %w1 = ane.constant dense<0.5> : tensor<8x8x1x1xf16>
  %0 = ane.conv %x, %w0 {groups = 8 : i64} : tensor<1x8x4x4xf16>, tensor<8x1x1x1xf16> -> tensor<1x8x4x4xf16>
  %1 = ane.conv %0, %w1 bias %b : tensor<1x8x4x4xf16>, tensor<8x8x1x1xf16>, tensor<8xf16> -> tensor<1x8x4x4xf16>
  return %1 : tensor<1x8x4x4xf16>
}

func.func @front(%x: tensor<1x8x4x4xf16>, %b: tensor<8xf16>) -> tensor<1x8x4x4xf16> {
  %w0 = ane.constant dense<2.0> : tensor<8x1x1x1xf16>
  %w1 = ane.constant dense<0.5> : tensor<8x8x1x1xf16>
  %0 = ane.conv %x, %w0 bias %b {groups = 8 : i64} : tensor<1x8x4x4xf16>, tensor<8x1x1x1xf16>, tensor<8xf16> -> tensor<1x8x4x4xf16>
  %1 = ane.conv %0, %w1 : tensor<1x8x4x4xf16>, tensor<8x8x1x1xf16> -> tensor<1x8x4x4xf16>
  return %1 : tensor<1x8x4x4xf16>
}
