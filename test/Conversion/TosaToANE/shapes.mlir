// RUN: ane-opt %s --split-input-file --convert-tosa-to-ane | FileCheck %s

// CHECK-LABEL: func.func @shapes
// CHECK: %[[X:.*]] = ane.cast %arg0
// CHECK: %[[R:.*]] = ane.reshape %[[X]] : tensor<1x4x6xf16> -> tensor<1x4x2x3xf16>
// CHECK: %[[T:.*]] = ane.transpose %[[R]] {perm = array<i64: 0, 2, 3, 1>} : tensor<1x4x2x3xf16> -> tensor<1x2x3x4xf16>
// CHECK: %[[S:.*]] = ane.slice %[[T]] {offsets = array<i64: 0, 0, 1, 2>, sizes = array<i64: 1, 2, 1, 2>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x2x3x4xf16> -> tensor<1x2x1x2xf16>
// CHECK: %[[P:.*]] = ane.pad %[[S]] {high = array<i64: 0, 2, 0, 0>, low = array<i64: 0, 1, 0, 0>, value = 5.000000e-01 : f32} : tensor<1x2x1x2xf16> -> tensor<1x5x1x2xf16>
// CHECK: %[[C:.*]] = ane.cast %{{.*}} : tensor<1x5x1x1xf32> -> tensor<1x5x1x1xf16>
// CHECK: ane.concat %[[P]], %[[C]] {axis = 3 : i64} : tensor<1x5x1x2xf16>, tensor<1x5x1x1xf16> -> tensor<1x5x1x3xf16>
func.func @shapes(%x: tensor<1x4x6xf32>) -> tensor<1x5x1x3xf32> {
  %c = "tosa.const"() <{values = dense<3.0> : tensor<1x5x1x1xf32>}> : () -> tensor<1x5x1x1xf32>
  %value = "tosa.const"() <{values = dense<0.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %shape = tosa.const_shape {values = dense<[1, 4, 2, 3]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %start = tosa.const_shape {values = dense<[0, 0, 1, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %size = tosa.const_shape {values = dense<[1, 2, 1, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %padding = tosa.const_shape {values = dense<[0, 0, 1, 2, 0, 0, 0, 0]> : tensor<8xindex>} : () -> !tosa.shape<8>
  %0 = tosa.identity %x : (tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  %1 = tosa.reshape %0, %shape : (tensor<1x4x6xf32>, !tosa.shape<4>) -> tensor<1x4x2x3xf32>
  %2 = tosa.transpose %1 {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x4x2x3xf32>) -> tensor<1x2x3x4xf32>
  %3 = tosa.slice %2, %start, %size : (tensor<1x2x3x4xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x2x1x2xf32>
  %4 = tosa.pad %3, %padding, %value : (tensor<1x2x1x2xf32>, !tosa.shape<8>, tensor<1xf32>) -> tensor<1x5x1x2xf32>
  %5 = tosa.concat %4, %c {axis = 3 : i32} : (tensor<1x5x1x2xf32>, tensor<1x5x1x1xf32>) -> tensor<1x5x1x3xf32>
  return %5 : tensor<1x5x1x3xf32>
}
