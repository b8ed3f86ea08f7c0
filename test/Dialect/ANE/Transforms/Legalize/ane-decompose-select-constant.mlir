// RUN: ane-opt %s --ane-check-equivalence="pipeline=func.func(ane-decompose) tolerance=0" -o /dev/null 2>&1 | FileCheck %s

// Condition and value are constants of the network, f32 still.
// CHECK: @mask computes the same
func.func @mask(%x: tensor<1x1x2x2xf16>) -> tensor<1x1x2x2xf16> {
  %c = ane.constant dense<[[[[0.0, 1.0], [1.0, 0.0]]]]> : tensor<1x1x2x2xf32>
  %k = ane.constant dense<-3.0e4> : tensor<1x1x1x1xf32>
  %y = ane.select %c, %k, %x : tensor<1x1x2x2xf32>, tensor<1x1x1x1xf32>, tensor<1x1x2x2xf16> -> tensor<1x1x2x2xf16>
  return %y : tensor<1x1x2x2xf16>
}
