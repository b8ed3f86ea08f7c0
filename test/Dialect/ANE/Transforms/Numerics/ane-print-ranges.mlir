// RUN: ane-opt %s --ane-print-ranges -o /dev/null 2>&1 | FileCheck %s
// RUN: ane-opt %s --ane-set-ranges="ranges=x=-2:3" --ane-print-ranges -o /dev/null 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: not ane-opt %s --ane-set-ranges="ranges=nobody=0:1" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ane-opt %s --ane-set-ranges="ranges=x=1:0" 2>&1 | FileCheck %s --check-prefix=ORDER

// UNKNOWN: error: a range is given for 'nobody', but there is no such argument; the arguments are x
// ORDER: error: cannot read the range 'x=1:0': it is NAME=LOW:HIGH with two numbers, the smaller one first, such as x=-1:1

// An f32 argument is f16 in front of the engine; nobody knows what is in it.
func.func @main(
    // CHECK: :[[@LINE+2]]:{{.*}}remark: [-65504, 65504] least 5.96046e-08 assumed (argument 0)
    // GIVEN: :[[@LINE+1]]:{{.*}}remark: [-2, 3] least 5.96046e-08 (argument 0)
    %x: tensor<1x4x8x8xf16> {ane.name = "x"},
    // CHECK: remark: [-128, 127] whole assumed (argument 1)
    %i: tensor<1x4x8x8xi8>) -> (tensor<1x4x8x8xf16>) {
  // CHECK: remark: [0, 4.29077e+09] least 3.55271e-15 assumed
  // GIVEN: remark: [0, 9] least
  %square = ane.elementwise mul %x, %x : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  // CHECK: remark: [0, 2.7461e+11] least 3.55271e-15 assumed
  %sum = ane.reduce sum %square {axes = array<i64: 2, 3>} : tensor<1x4x8x8xf16> -> tensor<1x4x1x1xf16>
  // GIVEN: remark: [0, 24] least 5.96046e-08
  %root = ane.activation %sum {function = #ane.act<sqrt>} : tensor<1x4x1x1xf16> -> tensor<1x4x1x1xf16>
  // x - max(x) is not above 0, its power not above 1, whatever x is.
  // CHECK: remark: [-65504, 65504] least 5.96046e-08 assumed
  %most = ane.reduce max %x {axes = array<i64: 3>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x1xf16>
  // CHECK: remark: [-131008, 0] assumed
  %below = ane.elementwise sub %x, %most : tensor<1x4x8x8xf16>, tensor<1x4x8x1xf16> -> tensor<1x4x8x8xf16>
  // CHECK: remark: [0, 1] assumed
  %power = ane.activation %below {function = #ane.act<exp>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  // CHECK: remark: [0, 1]{{$}}
  %sigmoid = ane.activation %x {function = #ane.act<sigmoid>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  // CHECK: remark: [-1, 0.5] least 0.5{{$}}
  %w = ane.constant dense<[[[[0.5]], [[-1.0]], [[0.5]], [[0.0]]]]> : tensor<1x4x1x1xf32>
  // The sums of the weights above and below 0 bound the convolution.
  // CHECK: remark: [-1, 1], running sum 2
  %conv = ane.conv %sigmoid, %w : tensor<1x4x8x8xf16>, tensor<1x4x1x1xf32> -> tensor<1x1x8x8xf16>
  // CHECK: remark: [-8, 8]{{$}}
  %norm = ane.layer_norm %x {axes = array<i64: 2, 3>, epsilon = 1.0e-5 : f32} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  // Means of the values; a sink has none.
  // CHECK: remark: [1, 2]
  %values = ane.activation %x {function = #ane.act<clamp, 1.0, 2.0>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  // CHECK: remark: [1, 2]
  %mixed = ane.attention %x, %x, %values : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  %sink = ane.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 8, 1>, strides = array<i64: 1, 1, 1, 1>} : tensor<1x4x8x8xf16> -> tensor<1x4x8x1xf16>
  // CHECK: remark: [0, 2]
  %less = ane.attention %x, %x, %values sink %sink : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16> sink tensor<1x4x8x1xf16> -> tensor<1x4x8x8xf16>
  // A divisor that may be 0.
  // CHECK: remark: [-inf, inf] least 7.45058e-09 nan assumed
  %q = ane.elementwise div %x, %norm : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  // CHECK: remark: [-128, 127] whole assumed
  %cast = ane.cast %i : tensor<1x4x8x8xi8> -> tensor<1x4x8x8xf16>
  // CHECK: remark: [-255, 255] whole assumed
  %d = ane.elementwise sub %cast, %cast : tensor<1x4x8x8xf16>, tensor<1x4x8x8xf16> -> tensor<1x4x8x8xf16>
  return %q : tensor<1x4x8x8xf16>
}
