// RUN: ane-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func @transpose_of_transpose
func.func @transpose_of_transpose(%x: tensor<2x3x4xf16>) -> (tensor<4x2x3xf16>, tensor<2x3x4xf16>) {
  // CHECK-NEXT: %[[T:.*]] = ane.transpose %arg0 {perm = array<i64: 2, 0, 1>} : tensor<2x3x4xf16> -> tensor<4x2x3xf16>
  // CHECK-NEXT: return %[[T]], %arg0
  %0 = ane.transpose %x {perm = array<i64: 1, 0, 2>} : tensor<2x3x4xf16> -> tensor<3x2x4xf16>
  %1 = ane.transpose %0 {perm = array<i64: 2, 1, 0>} : tensor<3x2x4xf16> -> tensor<4x2x3xf16>
  %2 = ane.transpose %0 {perm = array<i64: 1, 0, 2>} : tensor<3x2x4xf16> -> tensor<2x3x4xf16>
  return %1, %2 : tensor<4x2x3xf16>, tensor<2x3x4xf16>
}

// CHECK-LABEL: func @transpose_of_ones
func.func @transpose_of_ones(%x: tensor<1x8x8x1xf16>, %y: tensor<1x8x1x4xf16>) -> (tensor<1x1x8x8xf16>, tensor<1x4x8x1xf16>) {
  // CHECK: ane.reshape %arg0 : tensor<1x8x8x1xf16> -> tensor<1x1x8x8xf16>
  %0 = ane.transpose %x {perm = array<i64: 0, 3, 1, 2>} : tensor<1x8x8x1xf16> -> tensor<1x1x8x8xf16>
  // 8 and 4 change places: stays.
  // CHECK: ane.transpose %arg1
  %1 = ane.transpose %y {perm = array<i64: 0, 3, 1, 2>} : tensor<1x8x1x4xf16> -> tensor<1x4x8x1xf16>
  return %0, %1 : tensor<1x1x8x8xf16>, tensor<1x4x8x1xf16>
}

// CHECK-LABEL: func @splats
func.func @splats() -> (tensor<3x2xf32>, tensor<6xf32>, tensor<1x3xf32>, tensor<2x3xf16>) {
  // CHECK-DAG: ane.constant dense<2.000000e+00> : tensor<3x2xf32>
  // CHECK-DAG: ane.constant dense<2.000000e+00> : tensor<6xf32>
  // CHECK-DAG: ane.constant dense<2.000000e+00> : tensor<1x3xf32>
  // CHECK-DAG: ane.constant dense<2.000000e+00> : tensor<2x3xf16>
  // CHECK-NOT: ane.{{transpose|reshape|slice|cast}}
  %0 = ane.constant dense<2.0> : tensor<2x3xf32>
  %1 = ane.transpose %0 {perm = array<i64: 1, 0>} : tensor<2x3xf32> -> tensor<3x2xf32>
  %2 = ane.reshape %0 : tensor<2x3xf32> -> tensor<6xf32>
  %3 = ane.slice %0 {offsets = array<i64: 1, 0>, sizes = array<i64: 1, 3>, strides = array<i64: 1, 1>} : tensor<2x3xf32> -> tensor<1x3xf32>
  %4 = ane.cast %0 : tensor<2x3xf32> -> tensor<2x3xf16>
  return %1, %2, %3, %4 : tensor<3x2xf32>, tensor<6xf32>, tensor<1x3xf32>, tensor<2x3xf16>
}

// CHECK-LABEL: func @reshape
func.func @reshape(%x: tensor<2x6xf16>) -> (tensor<3x4xf16>, tensor<2x6xf16>) {
  // CHECK-NEXT: %[[R:.*]] = ane.reshape %arg0 : tensor<2x6xf16> -> tensor<3x4xf16>
  // CHECK-NEXT: return %[[R]], %arg0
  %0 = ane.reshape %x : tensor<2x6xf16> -> tensor<12xf16>
  %1 = ane.reshape %0 : tensor<12xf16> -> tensor<3x4xf16>
  %2 = ane.reshape %0 : tensor<12xf16> -> tensor<2x6xf16>
  return %1, %2 : tensor<3x4xf16>, tensor<2x6xf16>
}

// A resource has its bytes under any shape.
// CHECK-LABEL: func @reshape_resource
func.func @reshape_resource() -> tensor<3x1xf32> {
  // CHECK-NEXT: ane.constant dense_resource<w> : tensor<3x1xf32>
  // CHECK-NEXT: return
  %0 = ane.constant dense_resource<w> : tensor<3xf32>
  %1 = ane.reshape %0 : tensor<3xf32> -> tensor<3x1xf32>
  return %1 : tensor<3x1xf32>
}

// CHECK-LABEL: func @identities
func.func @identities(%x: tensor<2x3xf16>) -> (tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>) {
  // CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0, %arg0
  %0 = ane.transpose %x {perm = array<i64: 0, 1>} : tensor<2x3xf16> -> tensor<2x3xf16>
  %1 = ane.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 2, 3>, strides = array<i64: 1, 1>} : tensor<2x3xf16> -> tensor<2x3xf16>
  %2 = ane.pad %x {low = array<i64: 0, 0>, high = array<i64: 0, 0>} : tensor<2x3xf16> -> tensor<2x3xf16>
  %3 = ane.concat %x {axis = 0 : i64} : tensor<2x3xf16> -> tensor<2x3xf16>
  %4 = ane.reshape %x : tensor<2x3xf16> -> tensor<2x3xf16>
  return %0, %1, %2, %3, %4 : tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>
}

// CHECK-LABEL: func @slice_of_slice
func.func @slice_of_slice(%x: tensor<20x20xf16>) -> tensor<3x1xf16> {
  // CHECK-NEXT: ane.slice %arg0 {offsets = array<i64: 7, 12>, sizes = array<i64: 3, 1>, strides = array<i64: 4, 1>} : tensor<20x20xf16> -> tensor<3x1xf16>
  // CHECK-NEXT: return
  %0 = ane.slice %x {offsets = array<i64: 5, 0>, sizes = array<i64: 7, 5>, strides = array<i64: 2, 4>} : tensor<20x20xf16> -> tensor<7x5xf16>
  %1 = ane.slice %0 {offsets = array<i64: 1, 3>, sizes = array<i64: 3, 1>, strides = array<i64: 2, 3>} : tensor<7x5xf16> -> tensor<3x1xf16>
  return %1 : tensor<3x1xf16>
}

// CHECK-LABEL: func @slice_of_concat
func.func @slice_of_concat(%x: tensor<2x4xf16>, %y: tensor<3x4xf16>, %z: tensor<1x4xf16>) -> (tensor<2x4xf16>, tensor<2x4xf16>) {
  // CHECK-NEXT: %[[A:.*]] = ane.slice %arg1 {offsets = array<i64: 1, 0>, sizes = array<i64: 2, 4>
  // CHECK-NEXT: %[[C:.*]] = ane.concat %arg1, %arg2 {axis = 0 : i64}
  // CHECK-NEXT: %[[B:.*]] = ane.slice %[[C]] {offsets = array<i64: 2, 0>, sizes = array<i64: 2, 4>
  // CHECK-NEXT: return %[[A]], %[[B]]
  %0 = ane.concat %x, %y, %z {axis = 0 : i64} : tensor<2x4xf16>, tensor<3x4xf16>, tensor<1x4xf16> -> tensor<6x4xf16>
  %1 = ane.slice %0 {offsets = array<i64: 3, 0>, sizes = array<i64: 2, 4>, strides = array<i64: 1, 1>} : tensor<6x4xf16> -> tensor<2x4xf16>
  %2 = ane.slice %0 {offsets = array<i64: 4, 0>, sizes = array<i64: 2, 4>, strides = array<i64: 1, 1>} : tensor<6x4xf16> -> tensor<2x4xf16>
  return %1, %2 : tensor<2x4xf16>, tensor<2x4xf16>
}

// CHECK-LABEL: func @slices_that_share_an_operand
func.func @slices_that_share_an_operand(%x: tensor<2x4xf16>, %y: tensor<3x4xf16>, %z: tensor<1x4xf16>) -> (tensor<4x4xf16>, tensor<2x4xf16>, tensor<1x4xf16>) {
  // Two concats of %arg1 would be a copy of it for one of them.
  // CHECK-NEXT: %[[C:.*]] = ane.concat %arg0, %arg1, %arg2
  // CHECK-NEXT: %[[A:.*]] = ane.slice %[[C]] {offsets = array<i64: 0, 0>, sizes = array<i64: 4, 4>
  // CHECK-NEXT: %[[B:.*]] = ane.slice %[[C]] {offsets = array<i64: 4, 0>, sizes = array<i64: 2, 4>
  // CHECK-NEXT: return %[[A]], %[[B]], %arg2
  %0 = ane.concat %x, %y, %z {axis = 0 : i64} : tensor<2x4xf16>, tensor<3x4xf16>, tensor<1x4xf16> -> tensor<6x4xf16>
  %1 = ane.slice %0 {offsets = array<i64: 0, 0>, sizes = array<i64: 4, 4>, strides = array<i64: 1, 1>} : tensor<6x4xf16> -> tensor<4x4xf16>
  %2 = ane.slice %0 {offsets = array<i64: 4, 0>, sizes = array<i64: 2, 4>, strides = array<i64: 1, 1>} : tensor<6x4xf16> -> tensor<2x4xf16>
  %3 = ane.slice %0 {offsets = array<i64: 5, 0>, sizes = array<i64: 1, 4>, strides = array<i64: 1, 1>} : tensor<6x4xf16> -> tensor<1x4xf16>
  return %1, %2, %3 : tensor<4x4xf16>, tensor<2x4xf16>, tensor<1x4xf16>
}

// An image that is rolled along two dimensions: each of four parts is copied once, not first to
// rows in another order. Where somebody else needs these, they are there to be cut.
// CHECK-LABEL: func @slices_across_concat
// CHECK-DAG: %[[A:.*]] = ane.slice %arg0 {offsets = array<i64: 1, 2>, sizes = array<i64: 4, 2>
// CHECK-DAG: %[[B:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 2>, sizes = array<i64: 1, 2>
// CHECK-DAG: %[[C:.*]] = ane.slice %arg0 {offsets = array<i64: 1, 0>, sizes = array<i64: 4, 2>
// CHECK-DAG: %[[D:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 0>, sizes = array<i64: 1, 2>
// CHECK-DAG: %[[L:.*]] = ane.concat %[[A]], %[[B]] {axis = 0 : i64}
// CHECK-DAG: %[[R:.*]] = ane.concat %[[C]], %[[D]] {axis = 0 : i64}
// CHECK: ane.concat %[[L]], %[[R]] {axis = 1 : i64}
func.func @slices_across_concat(%x: tensor<5x4xf16>) -> tensor<5x4xf16> {
  %0 = ane.slice %x {offsets = array<i64: 1, 0>, sizes = array<i64: 4, 4>, strides = array<i64: 1, 1>} : tensor<5x4xf16> -> tensor<4x4xf16>
  %1 = ane.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 1, 4>, strides = array<i64: 1, 1>} : tensor<5x4xf16> -> tensor<1x4xf16>
  %2 = ane.concat %0, %1 {axis = 0 : i64} : tensor<4x4xf16>, tensor<1x4xf16> -> tensor<5x4xf16>
  %3 = ane.slice %2 {offsets = array<i64: 0, 2>, sizes = array<i64: 5, 2>, strides = array<i64: 1, 1>} : tensor<5x4xf16> -> tensor<5x2xf16>
  %4 = ane.slice %2 {offsets = array<i64: 0, 0>, sizes = array<i64: 5, 2>, strides = array<i64: 1, 1>} : tensor<5x4xf16> -> tensor<5x2xf16>
  %5 = ane.concat %3, %4 {axis = 1 : i64} : tensor<5x2xf16>, tensor<5x2xf16> -> tensor<5x4xf16>
  return %5 : tensor<5x4xf16>
}

// CHECK-LABEL: func @slices_across_whole_concat
// CHECK: %[[C:.*]] = ane.concat
// CHECK: ane.slice %[[C]]
// CHECK: ane.slice %[[C]]
// CHECK: ane.concat
func.func @slices_across_whole_concat(%x: tensor<5x4xf16>) -> (tensor<5x4xf16>, tensor<5x4xf16>) {
  %0 = ane.slice %x {offsets = array<i64: 1, 0>, sizes = array<i64: 4, 4>, strides = array<i64: 1, 1>} : tensor<5x4xf16> -> tensor<4x4xf16>
  %1 = ane.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 1, 4>, strides = array<i64: 1, 1>} : tensor<5x4xf16> -> tensor<1x4xf16>
  %2 = ane.concat %0, %1 {axis = 0 : i64} : tensor<4x4xf16>, tensor<1x4xf16> -> tensor<5x4xf16>
  %3 = ane.slice %2 {offsets = array<i64: 0, 2>, sizes = array<i64: 5, 2>, strides = array<i64: 1, 1>} : tensor<5x4xf16> -> tensor<5x2xf16>
  %4 = ane.slice %2 {offsets = array<i64: 0, 0>, sizes = array<i64: 5, 2>, strides = array<i64: 1, 1>} : tensor<5x4xf16> -> tensor<5x2xf16>
  %5 = ane.concat %3, %4 {axis = 1 : i64} : tensor<5x2xf16>, tensor<5x2xf16> -> tensor<5x4xf16>
  return %2, %5 : tensor<5x4xf16>, tensor<5x4xf16>
}

// The whole is there for somebody else: with a copy of what is a part itself, and what lies over two
// operands need not be joined again. An operand that writes to the whole at once is still as good.
// CHECK-LABEL: func @slice_of_whole_concat
func.func @slice_of_whole_concat(%x: tensor<3x4xf16>, %y: tensor<3x4xf16>) -> (tensor<7x4xf16>, tensor<1x4xf16>, tensor<2x4xf16>, tensor<2x4xf16>) {
  // CHECK-NEXT: %[[P:.*]] = ane.slice %arg0
  // CHECK-NEXT: %[[C:.*]] = ane.concat %[[P]], %arg1, %[[P]]
  // CHECK-NEXT: ane.slice %[[C]] {offsets = array<i64: 1, 0>
  // CHECK-NEXT: ane.slice %[[C]] {offsets = array<i64: 4, 0>
  // CHECK-NEXT: ane.slice %arg1 {offsets = array<i64: 1, 0>
  %p = ane.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 2, 4>, strides = array<i64: 1, 1>} : tensor<3x4xf16> -> tensor<2x4xf16>
  %0 = ane.concat %p, %y, %p {axis = 0 : i64} : tensor<2x4xf16>, tensor<3x4xf16>, tensor<2x4xf16> -> tensor<7x4xf16>
  %1 = ane.slice %0 {offsets = array<i64: 1, 0>, sizes = array<i64: 1, 4>, strides = array<i64: 1, 1>} : tensor<7x4xf16> -> tensor<1x4xf16>
  %2 = ane.slice %0 {offsets = array<i64: 4, 0>, sizes = array<i64: 2, 4>, strides = array<i64: 1, 1>} : tensor<7x4xf16> -> tensor<2x4xf16>
  %3 = ane.slice %0 {offsets = array<i64: 3, 0>, sizes = array<i64: 2, 4>, strides = array<i64: 1, 1>} : tensor<7x4xf16> -> tensor<2x4xf16>
  return %0, %1, %2, %3 : tensor<7x4xf16>, tensor<1x4xf16>, tensor<2x4xf16>, tensor<2x4xf16>
}

// CHECK-LABEL: func @concat_flatten
func.func @concat_flatten(%x: tensor<2x4xf16>, %y: tensor<2x4xf16>) -> (tensor<6x4xf16>, tensor<4x8xf16>) {
  // CHECK-NEXT: ane.concat %arg0, %arg1, %arg0 {axis = 0 : i64} : tensor<2x4xf16>, tensor<2x4xf16>, tensor<2x4xf16> -> tensor<6x4xf16>
  %0 = ane.concat %x, %y {axis = 0 : i64} : tensor<2x4xf16>, tensor<2x4xf16> -> tensor<4x4xf16>
  %1 = ane.concat %0, %x {axis = 0 : i64} : tensor<4x4xf16>, tensor<2x4xf16> -> tensor<6x4xf16>
  // Another axis: stays.
  // CHECK-NEXT: ane.concat %arg0, %arg1 {axis = 0 : i64}
  // CHECK-NEXT: ane.concat {{.*}} {axis = 1 : i64}
  %2 = ane.concat %x, %y {axis = 0 : i64} : tensor<2x4xf16>, tensor<2x4xf16> -> tensor<4x4xf16>
  %3 = ane.concat %2, %2 {axis = 1 : i64} : tensor<4x4xf16>, tensor<4x4xf16> -> tensor<4x8xf16>
  return %1, %3 : tensor<6x4xf16>, tensor<4x8xf16>
}

// CHECK-LABEL: func @pad_of_pad
func.func @pad_of_pad(%x: tensor<2x4xf16>) -> (tensor<5x4xf16>, tensor<4x4xf16>) {
  // CHECK-NEXT: ane.pad %arg0 {high = array<i64: 0, 0>, low = array<i64: 1, 0>}
  // CHECK-NEXT: ane.pad %arg0 {high = array<i64: 2, 0>, low = array<i64: 1, 0>} : tensor<2x4xf16> -> tensor<5x4xf16>
  %0 = ane.pad %x {low = array<i64: 1, 0>, high = array<i64: 0, 0>} : tensor<2x4xf16> -> tensor<3x4xf16>
  %1 = ane.pad %0 {low = array<i64: 0, 0>, high = array<i64: 2, 0>} : tensor<3x4xf16> -> tensor<5x4xf16>
  // Another value: stays.
  // CHECK-NEXT: ane.pad {{.*}} value = 1.0
  %2 = ane.pad %0 {low = array<i64: 0, 0>, high = array<i64: 1, 0>, value = 1.0 : f32} : tensor<3x4xf16> -> tensor<4x4xf16>
  return %1, %2 : tensor<5x4xf16>, tensor<4x4xf16>
}

// CHECK-LABEL: func @cast
func.func @cast(%x: tensor<4xf16>, %y: tensor<4xi8>, %z: tensor<4xf32>) -> (tensor<4xf16>, tensor<4xi8>, tensor<4xf32>) {
  // There and back is exact for the first two; the third loses bits and stays.
  // CHECK-NEXT: %[[A:.*]] = ane.cast %arg2 : tensor<4xf32> -> tensor<4xf16>
  // CHECK-NEXT: %[[B:.*]] = ane.cast %[[A]] : tensor<4xf16> -> tensor<4xf32>
  // CHECK-NEXT: return %arg0, %arg1, %[[B]]
  %0 = ane.cast %x : tensor<4xf16> -> tensor<4xf32>
  %1 = ane.cast %0 : tensor<4xf32> -> tensor<4xf16>
  %2 = ane.cast %y : tensor<4xi8> -> tensor<4xf16>
  %3 = ane.cast %2 : tensor<4xf16> -> tensor<4xi8>
  %4 = ane.cast %z : tensor<4xf32> -> tensor<4xf16>
  %5 = ane.cast %4 : tensor<4xf16> -> tensor<4xf32>
  return %1, %3, %5 : tensor<4xf16>, tensor<4xi8>, tensor<4xf32>
}

// CHECK-LABEL: func @neutral
func.func @neutral(%x: tensor<2x3xf16>) -> (tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>) {
  // CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0, %arg0, %arg0
  %zero = ane.constant dense<0.0> : tensor<1x3xf32>
  %one = ane.constant dense<1.0> : tensor<1x1xf16>
  %0 = ane.elementwise add %x, %zero : tensor<2x3xf16>, tensor<1x3xf32> -> tensor<2x3xf16>
  %1 = ane.elementwise sub %x, %zero : tensor<2x3xf16>, tensor<1x3xf32> -> tensor<2x3xf16>
  %2 = ane.elementwise mul %one, %x : tensor<1x1xf16>, tensor<2x3xf16> -> tensor<2x3xf16>
  %3 = ane.elementwise div %x, %one : tensor<2x3xf16>, tensor<1x1xf16> -> tensor<2x3xf16>
  %4 = ane.elementwise pow %x, %one : tensor<2x3xf16>, tensor<1x1xf16> -> tensor<2x3xf16>
  %5 = ane.elementwise max %x, %x : tensor<2x3xf16>, tensor<2x3xf16> -> tensor<2x3xf16>
  return %0, %1, %2, %3, %4, %5 : tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>
}

// What a maximum is of is no more than it.
// CHECK-LABEL: func @absorbed
func.func @absorbed(%x: tensor<2x3xf16>, %y: tensor<2x3xf16>) -> (tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>) {
  // CHECK-NEXT: %[[M:.*]] = ane.elementwise max %arg0, %arg1
  // CHECK-NEXT: %[[N:.*]] = ane.elementwise min %[[M]], %arg1
  // CHECK-NEXT: return %[[M]], %[[M]], %[[N]]
  %0 = ane.elementwise max %x, %y : tensor<2x3xf16>, tensor<2x3xf16> -> tensor<2x3xf16>
  %1 = ane.elementwise max %0, %x : tensor<2x3xf16>, tensor<2x3xf16> -> tensor<2x3xf16>
  %2 = ane.elementwise max %y, %0 : tensor<2x3xf16>, tensor<2x3xf16> -> tensor<2x3xf16>
  %3 = ane.elementwise min %0, %y : tensor<2x3xf16>, tensor<2x3xf16> -> tensor<2x3xf16>
  return %1, %2, %3 : tensor<2x3xf16>, tensor<2x3xf16>, tensor<2x3xf16>
}

// Bounds of a clamp in f32 that is open on one side; 65519 is still a number of f16.
// CHECK-LABEL: func @bounds
func.func @bounds(%x: tensor<2xf16>) -> (tensor<2xf16>, tensor<2xf16>, tensor<2xf16>) {
  // CHECK: %[[Y:.*]] = ane.elementwise min %arg0
  // CHECK-NEXT: return %arg0, %arg0, %[[Y]]
  %most = ane.constant dense<3.40282347E+38> : tensor<1xf32>
  %least = ane.constant dense<-65520.0> : tensor<1xf32>
  %largest = ane.constant dense<65519.0> : tensor<1xf32>
  %0 = ane.elementwise min %x, %most : tensor<2xf16>, tensor<1xf32> -> tensor<2xf16>
  %1 = ane.elementwise max %x, %least : tensor<2xf16>, tensor<1xf32> -> tensor<2xf16>
  %2 = ane.elementwise min %x, %largest : tensor<2xf16>, tensor<1xf32> -> tensor<2xf16>
  return %0, %1, %2 : tensor<2xf16>, tensor<2xf16>, tensor<2xf16>
}

// 0 - x is not x, a broadcast changes the shape, an epilogue computes something.
// CHECK-LABEL: func @not_neutral
func.func @not_neutral(%x: tensor<2x3xf16>) -> (tensor<2x3xf16>, tensor<2x3xf16>, tensor<4x2x3xf16>) {
  // CHECK-COUNT-3: ane.elementwise
  %zero = ane.constant dense<0.0> : tensor<2x3xf16>
  %0 = ane.elementwise sub %zero, %x : tensor<2x3xf16>, tensor<2x3xf16> -> tensor<2x3xf16>
  %1 = ane.elementwise add %x, %zero {activation = #ane.act<relu>} : tensor<2x3xf16>, tensor<2x3xf16> -> tensor<2x3xf16>
  %y = ane.reshape %x : tensor<2x3xf16> -> tensor<1x2x3xf16>
  %zeros = ane.constant dense<0.0> : tensor<4x2x3xf16>
  %2 = ane.elementwise add %y, %zeros : tensor<1x2x3xf16>, tensor<4x2x3xf16> -> tensor<4x2x3xf16>
  return %0, %1, %2 : tensor<2x3xf16>, tensor<2x3xf16>, tensor<4x2x3xf16>
}

// CHECK-LABEL: func @constant_right
func.func @constant_right(%x: tensor<2xf16>) -> (tensor<2xf16>, tensor<2xf16>) {
  // CHECK: %[[C:.*]] = ane.constant
  // CHECK: ane.elementwise mul %arg0, %[[C]]
  // CHECK: ane.elementwise sub %[[C]], %arg0
  %c = ane.constant dense<[2.0, 3.0]> : tensor<2xf16>
  %0 = ane.elementwise mul %c, %x : tensor<2xf16>, tensor<2xf16> -> tensor<2xf16>
  %1 = ane.elementwise sub %c, %x : tensor<2xf16>, tensor<2xf16> -> tensor<2xf16>
  return %0, %1 : tensor<2xf16>, tensor<2xf16>
}

// CHECK-LABEL: func @activations
func.func @activations(%x: tensor<2xf16>) -> (tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>) {
  // CHECK-DAG: %[[R:.*]] = ane.activation %arg0 {function = #ane.act<relu>}
  // CHECK-DAG: %[[S:.*]] = ane.activation %arg0 {function = #ane.act<sigmoid>}
  // CHECK-DAG: %[[C:.*]] = ane.activation %arg0 {function = #ane.act<clamp, 0.000000e+00, 6.000000e+00>}
  // CHECK-DAG: %[[D:.*]] = ane.activation %arg0 {function = #ane.act<clamp, 1.000000e+00, 2.000000e+00>}
  // CHECK: return %[[R]], %[[S]], %arg0, %[[C]], %[[D]]
  %0 = ane.activation %x {function = #ane.act<relu>} : tensor<2xf16> -> tensor<2xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<2xf16> -> tensor<2xf16>
  %2 = ane.activation %x {function = #ane.act<sigmoid>} : tensor<2xf16> -> tensor<2xf16>
  %3 = ane.activation %2 {function = #ane.act<relu>} : tensor<2xf16> -> tensor<2xf16>
  %4 = ane.activation %x {function = #ane.act<neg>} : tensor<2xf16> -> tensor<2xf16>
  %5 = ane.activation %4 {function = #ane.act<neg>} : tensor<2xf16> -> tensor<2xf16>
  %6 = ane.activation %0 {function = #ane.act<clamp, -1.0, 6.0>} : tensor<2xf16> -> tensor<2xf16>
  %7 = ane.activation %x {function = #ane.act<clamp, 1.0, 9.0>} : tensor<2xf16> -> tensor<2xf16>
  %8 = ane.activation %7 {function = #ane.act<clamp, 0.0, 2.0>} : tensor<2xf16> -> tensor<2xf16>
  return %1, %3, %5, %6, %8 : tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>
}

// CHECK-LABEL: func @conv_neutral
func.func @conv_neutral(%x: tensor<1x3x8x8xf16>, %w: tensor<4x3x1x1xf16>) -> (tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>) {
  // CHECK: ane.conv %arg0, %arg1 : tensor<1x3x8x8xf16>, tensor<4x3x1x1xf16> -> tensor<1x4x8x8xf16>
  // CHECK: ane.conv %arg0, %arg1 bias %{{.*}} : tensor
  %zero = ane.constant dense<0.0> : tensor<4xf32>
  %one = ane.constant dense<1.0> : tensor<4xf32>
  %0 = ane.conv %x, %w bias %zero scale %one : tensor<1x3x8x8xf16>, tensor<4x3x1x1xf16>, tensor<4xf32> scale tensor<4xf32> -> tensor<1x4x8x8xf16>
  %1 = ane.conv %x, %w bias %one : tensor<1x3x8x8xf16>, tensor<4x3x1x1xf16>, tensor<4xf32> -> tensor<1x4x8x8xf16>
  return %0, %1 : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>
}

// CHECK-LABEL: func @matmul_transposes
func.func @matmul_transposes(%x: tensor<2x4x3xf16>, %y: tensor<2x4x5xf16>, %z: tensor<5x2x4xf16>) -> (tensor<2x3x5xf16>, tensor<2x4x4xf16>) {
  // CHECK: ane.matmul %arg0, %arg1 {transpose_lhs} : tensor<2x4x3xf16>, tensor<2x4x5xf16> -> tensor<2x3x5xf16>
  %0 = ane.transpose %x {perm = array<i64: 0, 2, 1>} : tensor<2x4x3xf16> -> tensor<2x3x4xf16>
  %1 = ane.matmul %0, %y : tensor<2x3x4xf16>, tensor<2x4x5xf16> -> tensor<2x3x5xf16>
  // The batch moves too: stays.
  // CHECK: ane.transpose %arg2
  // CHECK: ane.matmul
  %2 = ane.transpose %z {perm = array<i64: 1, 0, 2>} : tensor<5x2x4xf16> -> tensor<2x5x4xf16>
  %3 = ane.matmul %y, %2 : tensor<2x4x5xf16>, tensor<2x5x4xf16> -> tensor<2x4x4xf16>
  return %1, %3 : tensor<2x3x5xf16>, tensor<2x4x4xf16>
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F0000004000004040"
    }
  }
#-}

// What an elementwise op repeats by itself is not repeated before.
// CHECK-LABEL: @repeated_operand
// CHECK-NEXT: %[[Y:.*]] = ane.elementwise div %arg0, %arg1
// CHECK-NEXT: return %[[Y]]
func.func @repeated_operand(%x: tensor<1x4x8x8xf16>, %n: tensor<1x4x8x1xf16>) -> tensor<1x4x8x8xf16> {
  %t = ane.tile %n {repeats = array<i64: 1, 1, 1, 8>} : tensor<1x4x8x1xf16> -> tensor<1x4x8x8xf16>
  %y = ane.elementwise div %x, %t : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y : tensor<1x4x8x8xf16>
}

// Two elements of a dimension, or one of both operands, it does not.
// CHECK-LABEL: @repeated_by_need
// CHECK: ane.tile
// CHECK: ane.elementwise
// CHECK: ane.tile
// CHECK: ane.elementwise
func.func @repeated_by_need(%x: tensor<1x4x8x8xf16>, %n: tensor<1x2x8x8xf16>, %a: tensor<1x1x8x8xf16>, %b: tensor<1x1x8x8xf16>) -> (tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>) {
  %t = ane.tile %n {repeats = array<i64: 1, 2, 1, 1>} : tensor<1x2x8x8xf16> -> tensor<1x4x8x8xf16>
  %y = ane.elementwise add %x, %t : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %u = ane.tile %a {repeats = array<i64: 1, 4, 1, 1>} : tensor<1x1x8x8xf16> -> tensor<1x4x8x8xf16>
  %z = ane.elementwise add %u, %b : tensor<1x4x8x8xf16>, tensor<1x1x8x8xf16> -> tensor<1x4x8x8xf16>
  return %y, %z : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>
}

// What a norm computes with one number for each channel is computed before it is repeated.
// CHECK-LABEL: func @repeated_function
// CHECK: %[[C:.*]] = ane.constant dense<1.000000e+00> : tensor<1x1x1x1xf32>
// CHECK: %[[A:.*]] = ane.elementwise add %arg0, %[[C]] : tensor<1x4x1x1xf16>, tensor<1x1x1x1xf32> -> tensor<1x4x1x1xf16>
// CHECK: %[[R:.*]] = ane.activation %[[A]] {function = #ane.act<rsqrt>} : tensor<1x4x1x1xf16> -> tensor<1x4x1x1xf16>
// CHECK: ane.elementwise mul %arg1, %[[R]] : tensor<2x4x3x3xf16>, tensor<1x4x1x1xf16>
func.func @repeated_function(%v: tensor<1x4x1x1xf16>, %x: tensor<2x4x3x3xf16>) -> tensor<2x4x3x3xf16> {
  %c = ane.constant dense<1.0> : tensor<2x4x3x3xf32>
  %0 = ane.tile %v {repeats = array<i64: 2, 1, 3, 3>} : tensor<1x4x1x1xf16> -> tensor<2x4x3x3xf16>
  %1 = ane.elementwise add %0, %c : tensor<2x4x3x3xf16>, tensor<2x4x3x3xf32> -> tensor<2x4x3x3xf16>
  %2 = ane.activation %1 {function = #ane.act<rsqrt>} : tensor<2x4x3x3xf16> -> tensor<2x4x3x3xf16>
  %3 = ane.elementwise mul %x, %2 : tensor<2x4x3x3xf16>, tensor<2x4x3x3xf16> -> tensor<2x4x3x3xf16>
  return %3 : tensor<2x4x3x3xf16>
}

// A result that is repeated is computed by the task that repeats.
// CHECK-LABEL: func @repeated_result
// CHECK: %[[T:.*]] = ane.tile %arg0
// CHECK: %[[R:.*]] = ane.activation %[[T]] {function = #ane.act<relu>}
// CHECK: return %[[R]]
func.func @repeated_result(%v: tensor<1x1x375xf16>) -> tensor<1x375x375xf16> {
  %0 = ane.tile %v {repeats = array<i64: 1, 375, 1>} : tensor<1x1x375xf16> -> tensor<1x375x375xf16>
  %1 = ane.activation %0 {function = #ane.act<relu>} : tensor<1x375x375xf16> -> tensor<1x375x375xf16>
  return %1 : tensor<1x375x375xf16>
}
