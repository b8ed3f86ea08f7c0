// RUN: ane-opt %s --split-input-file --convert-stablehlo-to-ane | FileCheck %s

// The public function, with those that it calls, and composites by what they compute.

// CHECK: module @jit_f
// CHECK-NOT: num_partitions
// CHECK: func.func @main
// CHECK: ane.activation %{{.*}} {function = #ane.act<tanh>}
// CHECK: ane.activation %{{.*}} {function = #ane.act<sigmoid>}
// CHECK-NOT: func.func
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %0 = call @inner(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %1 = stablehlo.composite "my.function" %0 {decomposition = @mine} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
  func.func private @inner(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %0 = stablehlo.tanh %x : tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
  func.func private @mine(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %0 = stablehlo.logistic %x : tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
}

// -----

// Other modules stay as they are.

// CHECK-LABEL: func.func @tosa
// CHECK: tosa.tanh
func.func @tosa(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = tosa.tanh %x : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
