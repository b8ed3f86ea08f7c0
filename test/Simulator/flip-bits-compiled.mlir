// REQUIRES: flip-bits
// RUN: ane-compile %s -o %t.hwx
// RUN: flip-bits 3 60 %t.hwx | FileCheck %s
// RUN: ane-compile %s --target=h14 -o %t.h14.hwx
// RUN: flip-bits 3 60 %t.h14.hwx | FileCheck %s

// A flipped bit of a compiled program changes nothing, changes the numbers or is
// refused, on either generation: convolution with stride and padding, depthwise, addition, maximum.

// CHECK: flips: {{[1-9][0-9][0-9]+}} in 1 programs: {{[1-9][0-9]*}} same, {{[1-9][0-9]*}} changed, {{[1-9][0-9]+}} refused

func.func @net(%a: tensor<1x8x16x16xf32>, %c: tensor<1x12x8x8xf32>) -> tensor<1x12x4x4xf32> {
  %x = tosa.transpose %a {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x8x16x16xf32>) -> tensor<1x16x16x8xf32>
  %y = tosa.transpose %c {perms = array<i32: 0, 2, 3, 1>} : (tensor<1x12x8x8xf32>) -> tensor<1x8x8x12xf32>
  %w = "tosa.const"() <{values = dense<0.25> : tensor<12x3x3x8xf32>}> : () -> tensor<12x3x3x8xf32>
  %b = "tosa.const"() <{values = dense<1.0> : tensor<12xf32>}> : () -> tensor<12xf32>
  %d = "tosa.const"() <{values = dense<0.5> : tensor<3x3x12x1xf32>}> : () -> tensor<3x3x12x1xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>, acc_type = f32}
     : (tensor<1x16x16x8xf32>, tensor<12x3x3x8xf32>, tensor<12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x12xf32>
  %1 = tosa.depthwise_conv2d %0, %d, %b, %z, %z {pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, acc_type = f32}
     : (tensor<1x8x8x12xf32>, tensor<3x3x12x1xf32>, tensor<12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x12xf32>
  %2 = tosa.add %1, %y : (tensor<1x8x8x12xf32>, tensor<1x8x8x12xf32>) -> tensor<1x8x8x12xf32>
  %3 = tosa.max_pool2d %2 {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x8x8x12xf32>) -> tensor<1x4x4x12xf32>
  %4 = tosa.transpose %3 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x4x4x12xf32>) -> tensor<1x12x4x4xf32>
  return %4 : tensor<1x12x4x4xf32>
}
