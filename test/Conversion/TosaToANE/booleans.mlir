// RUN: ane-opt %s --convert-tosa-to-ane --split-input-file | FileCheck %s

// Booleans are 1 and 0; they enter and leave as bytes.

// CHECK-LABEL: func.func @booleans(
// CHECK-SAME: %{{.*}}: tensor<2x3xf32>, %{{.*}}: tensor<2x3xf32>, %[[M:.*]]: tensor<2x3xui8>) -> (tensor<2x3xf32>, tensor<2x1xui8>)
func.func @booleans(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %m: tensor<2x3xi1>) -> (tensor<2x3xf32>, tensor<2x1xi1>) {
  // CHECK: %[[G:.*]] = ane.compare gt
  // CHECK: %[[E:.*]] = ane.compare ge
  // CHECK: %[[Q:.*]] = ane.compare eq
  %0 = tosa.greater %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %1 = tosa.greater_equal %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %2 = tosa.equal %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK: %[[A:.*]] = ane.elementwise min %[[G]], %[[E]]
  // CHECK: %[[O:.*]] = ane.elementwise max %[[A]], %[[Q]]
  // CHECK: %[[X:.*]] = ane.compare ne %[[O]]
  // CHECK: %[[N:.*]] = ane.elementwise sub %{{.*}}, %[[X]]
  %3 = tosa.logical_and %0, %1 : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  %4 = tosa.logical_or %3, %2 : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  %5 = tosa.logical_xor %4, %m : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  %6 = tosa.logical_not %5 : (tensor<2x3xi1>) -> tensor<2x3xi1>
  // CHECK: ane.select %[[N]]
  %7 = tosa.select %6, %x, %y : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: ane.reduce max %[[N]] {axes = array<i64: 1>}
  %8 = tosa.reduce_any %6 {axis = 1 : i32} : (tensor<2x3xi1>) -> tensor<2x1xi1>
  return %7, %8 : tensor<2x3xf32>, tensor<2x1xi1>
}

// -----

// CHECK-LABEL: func.func @casts(
// CHECK-SAME: %{{.*}}: tensor<4xf32>, %[[B:.*]]: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xui8>, tensor<4xf32>)
func.func @casts(%x: tensor<4xf32>, %b: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi1>, tensor<4xf32>) {
  // A byte: within its range, rounded by a number that leaves no fraction.
  // CHECK: %[[C:.*]] = ane.activation %{{.*}} {function = #ane.act<clamp, -1.280000e+02, 1.270000e+02>}
  // CHECK: %[[S:.*]] = ane.elementwise add %[[C]], %{{.*}} : tensor<4xf16>, tensor<1xf32>
  // CHECK: %[[D:.*]] = ane.activation %[[S]] {function = #ane.act<clamp, 1.408000e+03, 1.663000e+03>}
  // CHECK: ane.elementwise sub %[[D]]
  %0 = tosa.cast %x : (tensor<4xf32>) -> tensor<4xi8>
  // CHECK: ane.compare ne
  %1 = tosa.cast %x : (tensor<4xf32>) -> tensor<4xi1>
  %2 = tosa.cast %b : (tensor<4xi8>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xi8>, tensor<4xi1>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @movement
func.func @movement(%x: tensor<1x3x2xf32>) -> (tensor<1x6x2xf32>, tensor<1x3x2xf32>, tensor<1x3x2xf32>) {
  // CHECK: ane.tile %{{.*}} {repeats = array<i64: 1, 2, 1>}
  %t = tosa.const_shape {values = dense<[1, 2, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %0 = tosa.tile %x, %t : (tensor<1x3x2xf32>, !tosa.shape<3>) -> tensor<1x6x2xf32>
  // CHECK: %[[A:.*]] = ane.slice %{{.*}} {offsets = array<i64: 0, 2, 0>
  // CHECK: %[[B:.*]] = ane.slice %{{.*}} {offsets = array<i64: 0, 1, 0>
  // CHECK: %[[C:.*]] = ane.slice %{{.*}} {offsets = array<i64: 0, 0, 0>
  // CHECK: ane.concat %[[A]], %[[B]], %[[C]] {axis = 1 : i64}
  %1 = tosa.reverse %x {axis = 1 : i32} : (tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
  // Rows 1 and 2 follow each other.
  // CHECK: %[[D:.*]] = ane.slice %{{.*}} {offsets = array<i64: 0, 1, 0>, sizes = array<i64: 1, 2, 2>
  // CHECK: %[[E:.*]] = ane.slice %{{.*}} {offsets = array<i64: 0, 0, 0>, sizes = array<i64: 1, 1, 2>
  // CHECK: ane.concat %[[D]], %[[E]] {axis = 1 : i64}
  %i = "tosa.const"() <{values = dense<[[1, 2, 0]]> : tensor<1x3xi32>}> : () -> tensor<1x3xi32>
  %2 = tosa.gather %x, %i : (tensor<1x3x2xf32>, tensor<1x3xi32>) -> tensor<1x3x2xf32>
  return %0, %1, %2 : tensor<1x6x2xf32>, tensor<1x3x2xf32>, tensor<1x3x2xf32>
}

// -----

// A choice between constants is made at run time.
// CHECK-LABEL: func.func @constants
// CHECK: ane.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x3xf16>, tensor<1x1xf32>, tensor<2x1xf32> -> tensor<2x3xf16>
func.func @constants(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = "tosa.const"() <{values = dense<-100.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
  %b = "tosa.const"() <{values = dense<[[1.0], [2.0]]> : tensor<2x1xf32>}> : () -> tensor<2x1xf32>
  %0 = tosa.greater %x, %b : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xi1>
  %1 = tosa.select %0, %a, %b : (tensor<2x3xi1>, tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// More than 64 pieces are a product with a matrix of zeros and ones.
// CHECK-LABEL: func.func @long_movement
// CHECK: ane.matmul %{{.*}}, %{{.*}} : tensor<1x2x65xf16>, tensor<1x65x65xf32> -> tensor<1x2x65xf16>
// CHECK: ane.matmul %{{.*}}, %{{.*}} : tensor<1x70x2xf32>, tensor<1x2x3xf16> -> tensor<1x70x3xf16>
func.func @long_movement(%x: tensor<2x65xf32>, %y: tensor<1x2x3xf32>) -> (tensor<2x65xf32>, tensor<1x70x3xf32>) {
  %0 = tosa.reverse %x {axis = 1 : i32} : (tensor<2x65xf32>) -> tensor<2x65xf32>
  %i = "tosa.const"() <{values = dense<1> : tensor<1x70xi32>}> : () -> tensor<1x70xi32>
  %1 = tosa.gather %y, %i : (tensor<1x2x3xf32>, tensor<1x70xi32>) -> tensor<1x70x3xf32>
  return %0, %1 : tensor<2x65xf32>, tensor<1x70x3xf32>
}
