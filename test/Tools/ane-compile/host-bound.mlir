// A table that is bound stays a constant of the host's, which stock MLIR reads.
// RUN: ane-compile %s --bind 1-2=random:3 -o %t.hwx --host=%t.host.mlir
// RUN: mlir-opt %t.host.mlir | FileCheck %s

// CHECK: %[[TABLE:.*]] = arith.constant dense_resource<{{.*}}> : tensor<1x50x16xf32>
// CHECK: tosa.gather %[[TABLE]], %{{.*}}
func.func @f(%ids: tensor<1x6xi32>, %table: tensor<1x50x16xf32>, %w: tensor<1x16x8xf32>) -> tensor<1x6x8xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %rows = tosa.gather %table, %ids : (tensor<1x50x16xf32>, tensor<1x6xi32>) -> tensor<1x6x16xf32>
  %product = tosa.matmul %rows, %w, %zero, %zero : (tensor<1x6x16xf32>, tensor<1x16x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x8xf32>
  return %product : tensor<1x6x8xf32>
}
