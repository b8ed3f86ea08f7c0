// RUN: ane-opt %s --pass-pipeline='builtin.module(ane-pipeline,ane-lift,canonicalize,cse)' --split-input-file | FileCheck %s

// Each op is compiled and comes back.

// CHECK-LABEL: func.func @net
// CHECK-SAME: %[[X:.*]]: tensor<1x3x8x8xf16> {ane.name = "picture"}) -> (tensor<1x4x4x4xf16> {ane.name = "features"})
// CHECK-DAG: %[[W:.*]] = ane.constant dense{{.*}} : tensor<4x3x3x3xf16>
// CHECK-DAG: %[[B:.*]] = ane.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, -1.000000e+00]> : tensor<4xf32>
// CHECK: %[[Y:.*]] = ane.conv %[[X]], %[[W]] bias %[[B]] {activation = #ane.act<relu>, pad = array<i64: 1, 0, 1, 0>, strides = array<i64: 2, 2>}
// CHECK-NEXT: return %[[Y]]
func.func @conv(%x: tensor<1x3x8x8xf16> {ane.name = "picture"}) -> (tensor<1x4x4x4xf16> {ane.name = "features"}) {
  %w = ane.constant dense<0.5> : tensor<4x3x3x3xf16>
  %b = ane.constant dense<[1.0, 2.0, 3.0, -1.0]> : tensor<4xf16>
  %0 = ane.conv %x, %w bias %b {activation = #ane.act<relu>, strides = array<i64: 2, 2>, pad = array<i64: 1, 0, 1, 0>}
     : tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16>, tensor<4xf16> -> tensor<1x4x4x4xf16>
  return %0 : tensor<1x4x4x4xf16>
}

// -----

// CHECK-LABEL: func.func @net
// CHECK: ane.conv %arg0, %{{.*}} {groups = 2 : i64} : tensor<1x8x4x4xf16>, tensor<6x4x1x1xf16>
func.func @grouped(%x: tensor<1x8x4x4xf16>) -> tensor<1x6x4x4xf16> {
  %w = ane.constant dense<0.25> : tensor<6x4x1x1xf16>
  %0 = ane.conv %x, %w {groups = 2 : i64} : tensor<1x8x4x4xf16>, tensor<6x4x1x1xf16> -> tensor<1x6x4x4xf16>
  return %0 : tensor<1x6x4x4xf16>
}

// -----

// CHECK-LABEL: func.func @net
// CHECK: ane.conv %arg0, %{{.*}} {groups = 8 : i64, pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x8x8xf16>, tensor<8x1x3x3xf16>
func.func @depthwise(%x: tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16> {
  %w = ane.constant dense<0.25> : tensor<8x1x3x3xf16>
  %0 = ane.conv %x, %w {groups = 8 : i64, pad = array<i64: 1, 1, 1, 1>} : tensor<1x8x8x8xf16>, tensor<8x1x3x3xf16> -> tensor<1x8x8x8xf16>
  return %0 : tensor<1x8x8x8xf16>
}

// -----

// A product of two tensors: the tasks that lay out the coefficients are gone.
// CHECK-LABEL: func.func @net
// CHECK-SAME: %[[A:.*]]: tensor<1x32x64xf16> {{.*}}, %[[B:.*]]: tensor<1x64x48xf16>
// CHECK-NEXT: ane.reshape %[[A]]
// CHECK-NEXT: ane.reshape %[[B]]
// CHECK-NEXT: ane.matmul
// CHECK-NEXT: ane.reshape
// CHECK-NEXT: return
func.func @product(%a: tensor<1x32x64xf16>, %b: tensor<1x64x48xf16>) -> tensor<1x32x48xf16> {
  %0 = ane.matmul %a, %b : tensor<1x32x64xf16>, tensor<1x64x48xf16> -> tensor<1x32x48xf16>
  return %0 : tensor<1x32x48xf16>
}

// -----

// A table of x / a after a product with a is one of x.
// CHECK-LABEL: func.func @net
// CHECK-NEXT: ane.activation %arg0 {function = #ane.act<gelu>}
func.func @table(%x: tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16> {
  %0 = ane.activation %x {function = #ane.act<gelu>} : tensor<1x8x8x8xf16> -> tensor<1x8x8x8xf16>
  return %0 : tensor<1x8x8x8xf16>
}

// -----

// The parameter is in the table.
// CHECK-LABEL: func.func @net
// CHECK: ane.activation %arg0 {function = #ane.act<leaky_relu, 1.250000e-01>}
func.func @table_with_parameter(%x: tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16> {
  %0 = ane.activation %x {function = #ane.act<leaky_relu, 0.125>} : tensor<1x8x8x8xf16> -> tensor<1x8x8x8xf16>
  return %0 : tensor<1x8x8x8xf16>
}

// -----

// CHECK-LABEL: func.func @net
// CHECK: %[[D:.*]] = ane.elementwise sub %arg0, %arg1 {bias = 5.000000e-01 : f32, scale = 2.000000e+00 : f32}
// CHECK: %[[M:.*]] = ane.elementwise max %[[D]], %arg0
// CHECK: ane.elementwise mul %[[M]], %arg1
func.func @pairs(%x: tensor<1x8x8x8xf16>, %y: tensor<1x8x1x8xf16>) -> tensor<1x8x8x8xf16> {
  %0 = ane.elementwise sub %x, %y {scale = 2.0 : f32, bias = 0.5 : f32} : tensor<1x8x8x8xf16>, tensor<1x8x1x8xf16> -> tensor<1x8x8x8xf16>
  %1 = ane.elementwise max %0, %x : tensor<1x8x8x8xf16>, tensor<1x8x8x8xf16> -> tensor<1x8x8x8xf16>
  %2 = ane.elementwise mul %1, %y : tensor<1x8x8x8xf16>, tensor<1x8x1x8xf16> -> tensor<1x8x8x8xf16>
  return %2 : tensor<1x8x8x8xf16>
}

// -----

// CHECK-LABEL: func.func @net
// CHECK-DAG: ane.reduce mean %arg0 {axes = array<i64: 2, 3>}
// CHECK-DAG: ane.reduce max %arg0 {axes = array<i64: 2, 3>}
// CHECK-DAG: ane.reduce sum_square %arg0 {axes = array<i64: 2, 3>}
func.func @reductions(%x: tensor<1x8x8x8xf16>) -> (tensor<1x8x1x1xf16>, tensor<1x8x1x1xf16>, tensor<1x8x1x1xf16>) {
  %0 = ane.reduce mean %x {axes = array<i64: 2, 3>} : tensor<1x8x8x8xf16> -> tensor<1x8x1x1xf16>
  %1 = ane.reduce max %x {axes = array<i64: 2, 3>} : tensor<1x8x8x8xf16> -> tensor<1x8x1x1xf16>
  %2 = ane.reduce sum_square %x {axes = array<i64: 2, 3>} : tensor<1x8x8x8xf16> -> tensor<1x8x1x1xf16>
  return %0, %1, %2 : tensor<1x8x1x1xf16>, tensor<1x8x1x1xf16>, tensor<1x8x1x1xf16>
}

// -----

// What tasks only move is one transpose, whatever bytes it goes through.
// CHECK-LABEL: func.func @net
// CHECK-NEXT: ane.reshape
// CHECK-NEXT: ane.transpose %{{.*}} {perm = array<i64: 2, 0, 1>} : tensor<8x4x16xf16> -> tensor<16x8x4xf16>
// CHECK-NEXT: ane.reshape
// CHECK-NEXT: return
func.func @moved(%x: tensor<1x8x4x16xf16>) -> tensor<1x16x8x4xf16> {
  %0 = ane.transpose %x {perm = array<i64: 0, 3, 1, 2>} : tensor<1x8x4x16xf16> -> tensor<1x16x8x4xf16>
  return %0 : tensor<1x16x8x4xf16>
}

// -----

// CHECK-LABEL: func.func @net
// CHECK-DAG: %[[X:.*]] = ane.slice %arg0 {offsets = array<i64: 0, 2, 0, 1>, sizes = array<i64: 1, 4, 8, 4>, strides = array<i64: 1, 1, 1, 2>}
// CHECK-DAG: %[[Y:.*]] = ane.activation %arg1 {function = #ane.act<relu>}
// CHECK: %[[Z:.*]] = ane.concat %[[X]], %[[Y]] {axis = 1 : i64}
// CHECK-NEXT: return %[[Z]]
func.func @pieces(%x: tensor<1x8x8x9xf16>, %y: tensor<1x3x8x4xf16>) -> tensor<1x7x8x4xf16> {
  %0 = ane.slice %x {offsets = array<i64: 0, 2, 0, 1>, sizes = array<i64: 1, 4, 8, 4>, strides = array<i64: 1, 1, 1, 2>} : tensor<1x8x8x9xf16> -> tensor<1x4x8x4xf16>
  %1 = ane.activation %y {function = #ane.act<relu>} : tensor<1x3x8x4xf16> -> tensor<1x3x8x4xf16>
  %2 = ane.concat %0, %1 {axis = 1 : i64} : tensor<1x4x8x4xf16>, tensor<1x3x8x4xf16> -> tensor<1x7x8x4xf16>
  return %2 : tensor<1x7x8x4xf16>
}
