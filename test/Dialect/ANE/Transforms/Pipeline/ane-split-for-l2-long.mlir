// RUN: ane-opt %s --ane-set-target=target=h13 --ane-decompose --split-input-file | FileCheck %s
// RUN: ane-opt %s --ane-pipeline=stop-after=legalize --split-input-file -o /dev/null

// A norm over all dimensions sees planes below each other, 73,150 rows: more than
// a tensor has. These are planes again, each reduced on its own.
// CHECK-LABEL: @planes
// CHECK-NOT: 73150
// CHECK-COUNT-7: ane.reduce mean %{{.*}} {axes = array<i64: 2, 3>} : tensor<1x1x10450x4xf16> -> tensor<1x1x1x1xf16>
// CHECK-NOT: ane.reduce mean %
// CHECK: return
func.func @planes(%x: tensor<7x10450x4xf16>) -> tensor<7x10450x4xf16> {
  %g = ane.constant dense<2.0> : tensor<7x10450x4xf16>
  %y = ane.layer_norm %x gamma %g {axes = array<i64: 0, 1, 2>, epsilon = 0.01 : f32} : tensor<7x10450x4xf16> gamma tensor<7x10450x4xf16> -> tensor<7x10450x4xf16>
  return %y : tensor<7x10450x4xf16>
}

// -----

// A column of more channels than a row has columns is no sequence of tasks that
// have it as a row.
// CHECK-LABEL: @column
// CHECK-NOT: ane.sequence
// CHECK: return
func.func @column(%x: tensor<1x32768x1x1xf16>) -> tensor<1x32768x1x1xf16> {
  %y = ane.softmax %x {axis = 1 : i64} : tensor<1x32768x1x1xf16> -> tensor<1x32768x1x1xf16>
  return %y : tensor<1x32768x1x1xf16>
}

// -----

// CHECK-LABEL: @norm_of_column
// CHECK-NOT: ane.sequence
// CHECK: return
func.func @norm_of_column(%x: tensor<1x40000x1x1xf16>) -> tensor<1x40000x1x1xf16> {
  %y = ane.layer_norm %x {axes = array<i64: 1>, epsilon = 0.01 : f32} : tensor<1x40000x1x1xf16> -> tensor<1x40000x1x1xf16>
  return %y : tensor<1x40000x1x1xf16>
}
