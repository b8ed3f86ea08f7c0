// RUN: ane-opt %s --ane-decompose --split-input-file | FileCheck %s

// An operand that is repeated along the batch.

// One task goes through all images.
// CHECK-LABEL: func @repeated
// CHECK-NEXT: %[[Z:.*]] = ane.elementwise add %arg0, %arg1 : tensor<8x64x8x8xf16>, tensor<1x64x1x1xf16> -> tensor<8x64x8x8xf16>
// CHECK-NEXT: return %[[Z]]
func.func @repeated(%x: tensor<8x64x8x8xf16>, %y: tensor<1x64x1x1xf16>) -> tensor<8x64x8x8xf16> {
  %z = ane.elementwise add %x, %y : tensor<8x64x8x8xf16>, tensor<1x64x1x1xf16> -> tensor<8x64x8x8xf16>
  return %z : tensor<8x64x8x8xf16>
}

// -----

// It does not fit in L2 as a whole: a part of it would be copied for each image.
// CHECK-LABEL: func @large
// CHECK-COUNT-2: ane.elementwise add {{.*}} -> tensor<1x64x128x128xf16>
// CHECK: ane.concat
func.func @large(%x: tensor<2x64x128x128xf16>, %y: tensor<1x64x128x128xf16>) -> tensor<2x64x128x128xf16> {
  %z = ane.elementwise add %x, %y : tensor<2x64x128x128xf16>, tensor<1x64x128x128xf16> -> tensor<2x64x128x128xf16>
  return %z : tensor<2x64x128x128xf16>
}

// -----

// Both are repeated.
// CHECK-LABEL: func @both
// CHECK-COUNT-2: ane.elementwise add {{.*}} -> tensor<1x6x5x7xf16>
// CHECK: ane.concat
func.func @both(%x: tensor<2x1x5x7xf16>, %y: tensor<1x6x5x7xf16>) -> tensor<2x6x5x7xf16> {
  %z = ane.elementwise add %x, %y : tensor<2x1x5x7xf16>, tensor<1x6x5x7xf16> -> tensor<2x6x5x7xf16>
  return %z : tensor<2x6x5x7xf16>
}

// -----

// The same of a constant that is one number.
// CHECK-LABEL: func @number
// CHECK-COUNT-2: ane.elementwise add {{.*}} -> tensor<1x6x5x7xf16>
// CHECK: ane.concat
func.func @number(%y: tensor<1x6x1x1xf16>) -> tensor<2x6x5x7xf16> {
  %c = ane.constant dense<1.0> : tensor<2x1x5x7xf16>
  %z = ane.elementwise add %y, %c : tensor<1x6x1x1xf16>, tensor<2x1x5x7xf16> -> tensor<2x6x5x7xf16>
  return %z : tensor<2x6x5x7xf16>
}

// -----

// The pass of the table adds the epsilon.
// CHECK-LABEL: func @root
// CHECK-NEXT: %[[Y:.*]] = ane.activation %arg0 {function = #ane.act<rsqrt, 1.250000e-01>}
// CHECK-NEXT: return %[[Y]]
func.func @root(%x: tensor<1x5x6x7xf16>) -> tensor<1x5x6x7xf16> {
  %y = ane.activation %x {function = #ane.act<rsqrt, 0.125>} : tensor<1x5x6x7xf16> -> tensor<1x5x6x7xf16>
  return %y : tensor<1x5x6x7xf16>
}
