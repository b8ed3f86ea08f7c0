// RUN: ane-opt %s --ane-check-equivalence="pipeline={func.func(ane-decompose),ane-legalize} tolerance=0.002 positive" -o /dev/null 2>&1 | FileCheck %s
// CHECK-COUNT-11: computes the same
// CHECK-NOT: computes the same

// Rewrites through functions of positive numbers, with constants rounded to f16.

func.func @div(%x: tensor<1x3x4x5xf16>, %z: tensor<1x1x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %y = ane.elementwise div %x, %z  : tensor<1x3x4x5xf16>, tensor<1x1x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @div_channel(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[2.0]], [[0.5]], [[4.0]]]]> : tensor<1x3x1x1xf16>
  %y = ane.elementwise div %x, %c  : tensor<1x3x4x5xf16>, tensor<1x3x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @number_div(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<2.0> : tensor<1x1x1x1xf16>
  %y = ane.elementwise div %c, %x {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x1x1x1xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @channel_div(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<[[[[-0.125]], [[-0.625]], [[0.875]]]]> : tensor<1x3x1x1xf16>
  %y = ane.elementwise div %c, %x  : tensor<1x3x1x1xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @pow_0_5(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<0.5> : tensor<1x1x1x1xf16>
  %y = ane.elementwise pow %x, %c  : tensor<1x3x4x5xf16>, tensor<1x1x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @pow_minus_1(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<-1.0> : tensor<1x1x1x1xf16>
  %y = ane.elementwise pow %x, %c  : tensor<1x3x4x5xf16>, tensor<1x1x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @pow_7(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<7.0> : tensor<1x1x1x1xf16>
  %y = ane.elementwise pow %x, %c  : tensor<1x3x4x5xf16>, tensor<1x1x1x1xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @pow_1_7(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<1.7> : tensor<1x1x1x1xf32>
  %y = ane.elementwise pow %x, %c {scale = 2.0 : f32, bias = 0.5 : f32, activation = #ane.act<relu>} : tensor<1x3x4x5xf16>, tensor<1x1x1x1xf32> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @number_pow(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %c = ane.constant dense<3.0> : tensor<1x1x1x1xf16>
  %y = ane.elementwise pow %c, %x  : tensor<1x1x1x1xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @pow(%x: tensor<1x3x4x5xf16>, %z: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %y = ane.elementwise pow %x, %z  : tensor<1x3x4x5xf16>, tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}

func.func @log(%x: tensor<1x3x4x5xf16>) -> tensor<1x3x4x5xf16> {
  %y = ane.activation %x {function = #ane.act<log>} : tensor<1x3x4x5xf16> -> tensor<1x3x4x5xf16>
  return %y : tensor<1x3x4x5xf16>
}
