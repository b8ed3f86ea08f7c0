// RUN: ane-opt %s --verify-diagnostics --convert-stablehlo-to-ane | FileCheck %s

// Whether a value is NaN: that none is comes with a warning, and so does nobody know.
// CHECK-LABEL: func.func @nan_to_num
// CHECK-NOT: ane.compare
// CHECK: %[[NONE:.*]] = ane.constant dense<0.000000e+00> : tensor<1x4xf16>
// CHECK: ane.select %[[NONE]]
// CHECK: ane.constant dense<1.000000e+00> : tensor<1x4xf16>
func.func @nan_to_num(%x: tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xi1>) {
  // expected-warning @+1 {{compares a value with itself, which asks whether it is NaN; what the engine makes of NaN is not known, and the answer is that there is none; look for NaN on the host}}
  %0 = stablehlo.compare NE, %x, %x, FLOAT : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xi1>
  %z = stablehlo.constant dense<0.0> : tensor<1x4xf32>
  %1 = stablehlo.select %0, %z, %x : tensor<1x4xi1>, tensor<1x4xf32>
  // expected-warning @+1 {{compares a value with itself}}
  %2 = stablehlo.compare EQ, %x, %x, FLOAT : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xi1>
  return %1, %2 : tensor<1x4xf32>, tensor<1x4xi1>
}
