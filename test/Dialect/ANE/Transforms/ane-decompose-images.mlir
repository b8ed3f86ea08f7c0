// RUN: ane-opt %s --ane-set-target=target=h13 --ane-decompose --split-input-file | FileCheck %s
// RUN: ane-opt %s --ane-set-target=target=h14 --ane-decompose --split-input-file | FileCheck %s

// A task counts up to 8191 images. More are parts, which are views. Channels that
// are more than half of them are not moved (many-images.mlir).
// CHECK-LABEL: func @conv
func.func @conv(%x: tensor<9000x2400x1x1xf16>) -> tensor<9000x2400x1x1xf16> {
  // CHECK: %[[X0:.*]] = ane.slice %{{.*}} {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 4500, 2400, 1, 1>
  // CHECK: %[[FIRST:.*]] = ane.conv %[[X0]], %{{.*}} -> tensor<4500x2400x1x1xf16>
  // CHECK: %[[X1:.*]] = ane.slice %{{.*}} {offsets = array<i64: 4500, 0, 0, 0>, sizes = array<i64: 4500, 2400, 1, 1>
  // CHECK: %[[SECOND:.*]] = ane.conv %[[X1]], %{{.*}} -> tensor<4500x2400x1x1xf16>
  // CHECK: %[[ALL:.*]] = ane.concat %[[FIRST]], %[[SECOND]] {axis = 0 : i64}
  // CHECK: return %[[ALL]]
  %w = ane.constant dense<0.5> : tensor<2400x2400x1x1xf16>
  %0 = ane.conv %x, %w : tensor<9000x2400x1x1xf16>, tensor<2400x2400x1x1xf16> -> tensor<9000x2400x1x1xf16>
  return %0 : tensor<9000x2400x1x1xf16>
}

// -----

// As many as a task counts stay together.
// CHECK-LABEL: func @as_many
func.func @as_many(%x: tensor<8191x2400x1x1xf16>) -> tensor<8191x2400x1x1xf16> {
  // CHECK-NOT: ane.slice
  // CHECK: ane.conv %{{.*}} -> tensor<8191x2400x1x1xf16>
  %w = ane.constant dense<0.5> : tensor<2400x2400x1x1xf16>
  %0 = ane.conv %x, %w : tensor<8191x2400x1x1xf16>, tensor<2400x2400x1x1xf16> -> tensor<8191x2400x1x1xf16>
  return %0 : tensor<8191x2400x1x1xf16>
}

// -----

// Ops that treat images as channels, or channels as rows, have one image. Copies along
// the batch are views.
// CHECK-LABEL: func @joined
func.func @joined(%x: tensor<9000x4x1x32xf16>, %y: tensor<9000x4x1x32xf16>) -> (tensor<9000x4x1x32xf16>, tensor<9000x8x1x32xf16>) {
  // CHECK-DAG: ane.elementwise add %{{.*}} -> tensor<1x9000x1x32xf16>
  // CHECK-DAG: ane.concat {{.*}} {axis = 2 : i64} : {{.*}} -> tensor<1x9000x8x32xf16>
  %0 = ane.elementwise add %x, %y : tensor<9000x4x1x32xf16>, tensor<9000x4x1x32xf16> -> tensor<9000x4x1x32xf16>
  %1 = ane.concat %x, %y {axis = 1 : i64} : tensor<9000x4x1x32xf16>, tensor<9000x4x1x32xf16> -> tensor<9000x8x1x32xf16>
  return %0, %1 : tensor<9000x4x1x32xf16>, tensor<9000x8x1x32xf16>
}
