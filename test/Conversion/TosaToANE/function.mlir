// RUN: ane-opt %s --convert-tosa-to-ane=function=net | FileCheck %s

// One function is chosen; the others go, and so does what nothing uses.

// CHECK-NOT: tosa
// CHECK: module
// CHECK-NOT: @other
// CHECK-NOT: @print
// CHECK: func.func @net(%[[X:.*]]: tensor<2xf32> {ane.name = "x"}, %{{.*}}: tensor<3xf32>) -> (tensor<2xf32> {ane.name = "y"}, tensor<1xf32>)
// CHECK-NEXT: %[[IN:.*]] = ane.cast %[[X]] : tensor<2xf32> -> tensor<2xf16>
// CHECK-NEXT: %[[Y:.*]] = ane.activation %[[IN]]
// CHECK-NEXT: %[[OUT:.*]] = ane.cast %[[Y]] : tensor<2xf16> -> tensor<2xf32>
// CHECK-NEXT: %[[C:.*]] = ane.constant dense<1.000000e+00> : tensor<1xf32>
// CHECK-NEXT: return %[[OUT]], %[[C]]
module attributes {tosa.target_env = #tosa.target_env<specification_version = "1.0", level = none, profiles = [pro_fp], extensions = [int16]>} {
  func.func private @print(tensor<*xf32>)
  func.func @other(%x: tensor<?xi64>) -> tensor<?xi64> {
    return %x : tensor<?xi64>
  }
  func.func private @net(%x: tensor<2xf32> {ane.name = "x"}, %unused: tensor<3xf32>) -> (tensor<2xf32> {ane.name = "y"}, tensor<1xf32>) {
    %dead = tosa.sin %x : (tensor<2xf32>) -> tensor<2xf32>
    %c = "tosa.const"() <{values = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
    %0 = tosa.exp %x : (tensor<2xf32>) -> tensor<2xf32>
    return %0, %c : tensor<2xf32>, tensor<1xf32>
  }
}
