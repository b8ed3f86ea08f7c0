// RUN: ane-opt %s --split-input-file --convert-tosa-to-ane | FileCheck %s

// Products with known matrices: real and imaginary parts side by side.

// CHECK-LABEL: func.func @rfft2d
// CHECK: %[[C:.*]] = ane.constant {{.*}} : tensor<1x8x10xf32>
// CHECK: %[[P:.*]] = ane.matmul %{{.*}}, %[[C]] : tensor<2x4x8xf16>, tensor<1x8x10xf32> -> tensor<2x4x10xf16>
// CHECK: %[[S:.*]] = ane.concat {{.*}} {axis = 1 : i64} : tensor<2x4x5xf16>, tensor<2x4x5xf16> -> tensor<2x8x5xf16>
// CHECK: ane.matmul %{{.*}}, %[[S]] : tensor<1x8x8xf32>, tensor<2x8x5xf16> -> tensor<2x8x5xf16>
func.func @rfft2d(%x: tensor<2x4x8xf32>) -> (tensor<2x4x5xf32>, tensor<2x4x5xf32>) {
  %re, %im = tosa.rfft2d %x : (tensor<2x4x8xf32>) -> (tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  return %re, %im : tensor<2x4x5xf32>, tensor<2x4x5xf32>
}

// -----

// CHECK-LABEL: func.func @fft2d
// CHECK: %[[X:.*]] = ane.concat {{.*}} {axis = 2 : i64} : tensor<2x4x8xf16>, tensor<2x4x8xf16> -> tensor<2x4x16xf16>
// CHECK: ane.matmul %[[X]], %{{.*}} : tensor<2x4x16xf16>, tensor<1x16x16xf32>
func.func @fft2d(%a: tensor<2x4x8xf32>, %b: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %re, %im = tosa.fft2d %a, %b {inverse = true} : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>)
  return %im : tensor<2x4x8xf32>
}

// -----

// Rows of what was there and of what comes.

// CHECK-LABEL: func.func @scatter
// CHECK: %[[B:.*]] = ane.concat {{.*}} {axis = 1 : i64} : tensor<2x4x3xf16>, tensor<2x2x3xf16> -> tensor<2x6x3xf16>
// CHECK: ane.slice %[[B]] {offsets = array<i64: 0, 0, 0>, sizes = array<i64: 2, 2, 3>, strides = array<i64: 1, 5, 1>}
// CHECK: ane.slice %[[B]] {offsets = array<i64: 0, 2, 0>, sizes = array<i64: 2, 2, 3>, strides = array<i64: 1, 2, 1>}
func.func @scatter(%x: tensor<2x4x3xf32>, %y: tensor<2x2x3xf32>) -> tensor<2x4x3xf32> {
  %i = "tosa.const"() <{values = dense<[[3, 1], [3, 1]]> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
  %0 = tosa.scatter %x, %i, %y : (tensor<2x4x3xf32>, tensor<2x2xi32>, tensor<2x2x3xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// -----

// CHECK-LABEL: func.func @scatter_found
// CHECK: %[[H:.*]] = ane.compare eq %{{.*}} -> tensor<2x4x1xf16>
// CHECK: %[[W:.*]] = ane.reduce max %[[H]] {axes = array<i64: 2>}
// CHECK: %[[N:.*]] = ane.matmul %[[H]], %{{.*}} -> tensor<2x4x3xf16>
// CHECK: ane.select %[[W]], %[[N]], %{{.*}}
func.func @scatter_found(%x: tensor<2x4x3xf32>, %y: tensor<2x1x3xf32>, %s: tensor<2x1x4xf32>) -> tensor<2x4x3xf32> {
  %i = tosa.argmax %s {axis = 2 : i32} : (tensor<2x1x4xf32>) -> tensor<2x1xi32>
  %0 = tosa.scatter %x, %i, %y : (tensor<2x4x3xf32>, tensor<2x1xi32>, tensor<2x1x3xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// -----

// What nobody writes is a constant.

// CHECK-NOT: tosa
// CHECK-LABEL: func.func @variable
// CHECK: %[[V:.*]] = ane.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK: ane.elementwise add %{{.*}}, %[[V]]
tosa.variable @v = dense<2.0> : tensor<4xf32>
func.func @variable(%x: tensor<4xf32>) -> tensor<4xf32> {
  %v = tosa.variable_read @v : tensor<4xf32>
  %0 = tosa.add %x, %v : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Shapes that follow from sizes.

// CHECK-LABEL: func.func @shapes
// CHECK: ane.slice %{{.*}} {offsets = array<i64: 3, 2>, sizes = array<i64: 4, 5>
func.func @shapes(%x: tensor<8x9xf32>) -> tensor<4x5xf32> {
  %zero = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %d = tosa.dim %x {axis = 0 : i32} : (tensor<8x9xf32>) -> !tosa.shape<1>
  %e = tosa.dim %x {axis = 1 : i32} : (tensor<8x9xf32>) -> !tosa.shape<1>
  %s = tosa.concat_shape %e, %d, %e : (!tosa.shape<1>, !tosa.shape<1>, !tosa.shape<1>) -> !tosa.shape<3>
  %two = "tosa.const"() <{values = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
  %t = tosa.slice_shape %s, %zero, %two : (!tosa.shape<3>, tensor<1xi32>, tensor<1xi32>) -> !tosa.shape<2>
  %l = tosa.log2_floor_shape %t : (!tosa.shape<2>) -> !tosa.shape<2>
  %c = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %start = tosa.sub_shape %l, %c : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  %n = tosa.const_shape {values = dense<2> : tensor<2xindex>} : () -> !tosa.shape<2>
  %size = tosa.div_ceil_shape %t, %n : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  %0 = tosa.slice %x, %start, %size : (tensor<8x9xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
