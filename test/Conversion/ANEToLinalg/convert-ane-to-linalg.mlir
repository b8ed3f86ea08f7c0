// RUN: ane-opt %s --split-input-file --convert-ane-to-linalg --verify-diagnostics | FileCheck %s

// Computed in f32, rounded once. Nothing is cast that is not computed with.
// CHECK-LABEL: func.func @ops(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3xf16>)
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<2x3xf16>)
// CHECK:         %[[C:.*]] = arith.constant dense<5.000000e-01> : tensor<1x1xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[T]], %[[C]] : tensor<3x2xf16>, tensor<1x1xf32>) outs(%{{.*}} : tensor<3x2xf16>)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f16, %[[B:.*]]: f32, %{{.*}}: f16):
// CHECK-NEXT:      %[[W:.*]] = arith.extf %[[A]] : f16 to f32
// CHECK-NEXT:      %[[M:.*]] = arith.mulf %[[W]], %[[B]] : f32
// CHECK-NEXT:      %[[R:.*]] = arith.truncf %[[M]] : f32 to f16
// CHECK-NEXT:      linalg.yield %[[R]]
// CHECK-NOT:     ane.
func.func @ops(%x: tensor<2x3xf16>) -> tensor<3x2xf16> {
  %t = ane.transpose %x {perm = array<i64: 1, 0>} : tensor<2x3xf16> -> tensor<3x2xf16>
  %c = ane.constant dense<0.5> : tensor<1x1xf32>
  %y = ane.elementwise mul %t, %c : tensor<3x2xf16>, tensor<1x1xf32> -> tensor<3x2xf16>
  return %y : tensor<3x2xf16>
}

// -----

// A product, its mask, a softmax and another product.
// CHECK-LABEL:   func.func @attention(
// CHECK:         linalg.generic
// CHECK:         math.exp
// CHECK-NOT:     ane.
func.func @attention(%q: tensor<4x6xf16>, %k: tensor<5x6xf16>, %v: tensor<5x3xf16>, %m: tensor<1x5xf16>) -> tensor<4x3xf16> {
  %y = ane.attention %q, %k, %v mask %m : tensor<4x6xf16>, tensor<5x6xf16>, tensor<5x3xf16> mask tensor<1x5xf16> -> tensor<4x3xf16>
  return %y : tensor<4x3xf16>
}

// -----

func.func @resize(%x: tensor<1x1x2x2xf16>) -> tensor<1x1x3x4xf16> {
  // expected-error @+1 {{'ane.resize' op has no form for the host, which does the tensor ops of f16 and f32 but for runtime_conv and a resize to the nearest pixel by no whole factor}}
  %y = ane.resize nearest %x : tensor<1x1x2x2xf16> -> tensor<1x1x3x4xf16>
  return %y : tensor<1x1x3x4xf16>
}

// -----

func.func @bytes(%x: tensor<4xi8>) -> tensor<4xf16> {
  // expected-error @+1 {{'ane.cast' op has no form for the host}}
  %y = ane.cast %x : tensor<4xi8> -> tensor<4xf16>
  return %y : tensor<4xf16>
}
