// RUN: ane-opt %s --split-input-file --convert-tosa-to-ane | FileCheck %s

// The index is a whole number in f16 until it leaves.

// CHECK-LABEL: func.func @argmax(%arg0: tensor<2x5x7xf32>) -> tensor<2x5xi32>
// CHECK: %[[M:.*]] = ane.reduce max %{{.*}} {axes = array<i64: 2>} : tensor<2x5x7xf16> -> tensor<2x5x1xf16>
// CHECK: ane.compare eq
// CHECK: ane.elementwise mul
// CHECK: ane.reduce max
// CHECK: %[[I:.*]] = ane.elementwise sub
// CHECK: %[[R:.*]] = ane.reshape %[[I]] : tensor<2x5x1xf16> -> tensor<2x5xf16>
// CHECK: %[[C:.*]] = ane.cast %[[R]] : tensor<2x5xf16> -> tensor<2x5xi32>
// CHECK: return %[[C]]
func.func @argmax(%x: tensor<2x5x7xf32>) -> tensor<2x5xi32> {
  %0 = tosa.argmax %x {axis = 2 : i32} : (tensor<2x5x7xf32>) -> tensor<2x5xi32>
  return %0 : tensor<2x5xi32>
}

// -----

// An index is compared, moved, and becomes a float.

// CHECK-LABEL: func.func @use
// CHECK: %[[I:.*]] = ane.elementwise sub
// CHECK: %[[R:.*]] = ane.reshape %[[I]]
// CHECK: %[[F:.*]] = ane.cast %[[R]] : tensor<2x5xf16> -> tensor<2x5xf32>
// CHECK: %[[L:.*]] = ane.cast %[[R]] : tensor<2x5xf16> -> tensor<2x5xi64>
// CHECK: return %[[F]], {{.*}}, %[[L]]
func.func @use(%x: tensor<2x5x7xf32>) -> (tensor<2x5xf32>, tensor<2x5xi1>, tensor<2x5xi64>) {
  %three = "tosa.const"() <{values = dense<3> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
  %0 = tosa.argmax %x {axis = 2 : i32} : (tensor<2x5x7xf32>) -> tensor<2x5xi32>
  %1 = tosa.cast %0 : (tensor<2x5xi32>) -> tensor<2x5xf32>
  %2 = tosa.equal %0, %three : (tensor<2x5xi32>, tensor<1x1xi32>) -> tensor<2x5xi1>
  %3 = tosa.cast %0 : (tensor<2x5xi32>) -> tensor<2x5xi64>
  return %1, %2, %3 : tensor<2x5xf32>, tensor<2x5xi1>, tensor<2x5xi64>
}

// -----

// Rows at indices that were found: a product with ones where they are.

// CHECK-LABEL: func.func @gather
// CHECK: %[[HOT:.*]] = ane.compare eq %{{.*}} : tensor<2x1x5x1xf16>, tensor<1x1x1x7xf32> -> tensor<2x1x5x7xf16>
// CHECK: ane.matmul %[[HOT]], %{{.*}} : tensor<2x1x5x7xf16>, tensor<2x1x7x3xf16> -> tensor<2x1x5x3xf16>
func.func @gather(%x: tensor<2x5x7xf32>, %t: tensor<2x7x3xf32>) -> tensor<2x5x3xf32> {
  %0 = tosa.argmax %x {axis = 2 : i32} : (tensor<2x5x7xf32>) -> tensor<2x5xi32>
  %1 = tosa.gather %t, %0 : (tensor<2x7x3xf32>, tensor<2x5xi32>) -> tensor<2x5x3xf32>
  return %1 : tensor<2x5x3xf32>
}

// -----

// A float becomes the nearest integer.

// CHECK-LABEL: func.func @round
// CHECK: %[[R:.*]] = ane.activation %{{.*}} {function = #ane.act<round>}
// CHECK: ane.cast %[[R]] : tensor<4xf16> -> tensor<4xi32>
func.func @round(%x: tensor<4xf32>) -> tensor<4xi32> {
  %0 = tosa.cast %x : (tensor<4xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// A number for each class.

// CHECK-LABEL: func.func @choose
// CHECK: %[[S:.*]] = ane.select %{{.*}} : tensor<4xf16>, tensor<1xf32>, tensor<1xf32> -> tensor<4xf16>
// CHECK: ane.cast %[[S]] : tensor<4xf16> -> tensor<4xi32>
func.func @choose(%x: tensor<4xi1>) -> tensor<4xi32> {
  %a = "tosa.const"() <{values = dense<255> : tensor<1xi32>}> : () -> tensor<1xi32>
  %b = "tosa.const"() <{values = dense<-1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = tosa.select %x, %a, %b : (tensor<4xi1>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
