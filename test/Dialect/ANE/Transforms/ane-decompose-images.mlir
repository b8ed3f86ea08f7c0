// RUN: ane-opt %s --ane-set-target=target=h13 --ane-decompose --split-input-file | FileCheck %s
// RUN: ane-opt %s --ane-set-target=target=h14 --ane-decompose --split-input-file | FileCheck %s

// A task counts up to 8191 images. More are parts, which are views.
// CHECK-LABEL: func @add
func.func @add(%x: tensor<9000x4x1x8xf16>, %y: tensor<9000x4x1x8xf16>) -> tensor<9000x4x1x8xf16> {
  // CHECK: %[[X0:.*]] = ane.slice %{{.*}} {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 4500, 4, 1, 8>
  // CHECK: %[[Y0:.*]] = ane.slice %{{.*}} {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 4500, 4, 1, 8>
  // CHECK: %[[FIRST:.*]] = ane.elementwise add %[[X0]], %[[Y0]] : {{.*}} -> tensor<4500x4x1x8xf16>
  // CHECK: %[[X1:.*]] = ane.slice %{{.*}} {offsets = array<i64: 4500, 0, 0, 0>, sizes = array<i64: 4500, 4, 1, 8>
  // CHECK: %[[Y1:.*]] = ane.slice %{{.*}} {offsets = array<i64: 4500, 0, 0, 0>, sizes = array<i64: 4500, 4, 1, 8>
  // CHECK: %[[SECOND:.*]] = ane.elementwise add %[[X1]], %[[Y1]] : {{.*}} -> tensor<4500x4x1x8xf16>
  // CHECK: %[[ALL:.*]] = ane.concat %[[FIRST]], %[[SECOND]] {axis = 0 : i64}
  // CHECK: return %[[ALL]]
  %0 = ane.elementwise add %x, %y : tensor<9000x4x1x8xf16>, tensor<9000x4x1x8xf16> -> tensor<9000x4x1x8xf16>
  return %0 : tensor<9000x4x1x8xf16>
}

// -----

// As many as a task counts stay together.
// CHECK-LABEL: func @as_many
func.func @as_many(%x: tensor<8191x4x1x8xf16>, %y: tensor<8191x4x1x8xf16>) -> tensor<8191x4x1x8xf16> {
  // CHECK-NOT: ane.slice
  // CHECK: ane.elementwise add %{{.*}} -> tensor<8191x4x1x8xf16>
  %0 = ane.elementwise add %x, %y : tensor<8191x4x1x8xf16>, tensor<8191x4x1x8xf16> -> tensor<8191x4x1x8xf16>
  return %0 : tensor<8191x4x1x8xf16>
}

// -----

// Copies along the channels are tasks; along the batch they are none.
// CHECK-LABEL: func @copies
func.func @copies(%x: tensor<9000x4x1x32xf16>, %y: tensor<9000x4x1x32xf16>) -> (tensor<9000x8x1x32xf16>, tensor<18000x4x1x32xf16>) {
  // CHECK-COUNT-2: ane.concat {{.*}} {axis = 1 : i64} : {{.*}} -> tensor<4500x8x1x32xf16>
  // CHECK: ane.concat {{.*}} {axis = 0 : i64} : {{.*}} -> tensor<9000x8x1x32xf16>
  // CHECK: ane.concat {{.*}} {axis = 0 : i64} : {{.*}} -> tensor<18000x4x1x32xf16>
  %0 = ane.concat %x, %y {axis = 1 : i64} : tensor<9000x4x1x32xf16>, tensor<9000x4x1x32xf16> -> tensor<9000x8x1x32xf16>
  %1 = ane.concat %x, %y {axis = 0 : i64} : tensor<9000x4x1x32xf16>, tensor<9000x4x1x32xf16> -> tensor<18000x4x1x32xf16>
  return %0, %1 : tensor<9000x8x1x32xf16>, tensor<18000x4x1x32xf16>
}
